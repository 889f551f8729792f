"""Texts of two or three topics, written for tests, and what every chunker by topics must keep."""

from __future__ import annotations

from itertools import pairwise

from kugiri.model.chunking import Chunking
from worlds import local_chunks

COOKING = (
    "鍋に水と昆布を入れて火にかける。昆布の出汁が出たら鍋から昆布を取り出す。鰹節を鍋に加えて出汁を濃くする。"
    "出汁に醤油と味醂を混ぜる。豆腐と葱を切って鍋に入れる。醤油の味が豆腐に染みるまで煮る。"
    "\u3000葱が煮えたら火を止めて味を見る🍲。出汁の残りで卵を煮ると美味しい。\r\n"
)
TRAINS = (
    "列車は駅を定刻に発車した。車掌が切符を確かめに客車を回る。線路は川に沿って山へ向かう。"
    "次の駅で機関車を交換する。機関車の運転士は信号を確かめた。トンネルを抜けると列車は速度を上げる。"
    "線路の保守のため列車は駅か\u3099らの連絡を待つ。客車の乗客は切符を見せて降りる。\n"
)
STARS = (
    "望遠鏡で星雲を観測する。恒星の光は分光器で調べられる。銀河には恒星が数千億個ある。"
    "惑星は恒星の周りを回る天体である。望遠鏡の鏡が大きいほど暗い銀河が写る。"
    "天体の距離は恒星の明るさから求める。観測の夜に星雲を写真に撮る。惑星の軌道は楕円である。"
)
SEAMS = (len(COOKING), len(COOKING + TRAINS))
TEXT = COOKING + TRAINS + STARS
IN_ANOTHER_PROCESS = """
import hashlib, sys
sys.path[:0] = sys.argv[1:3]
from topic_texts import TEXT
from kugiri import catalog
from worlds import HOSTILE, corpus_of
made = catalog.chunker(sys.argv[3]).chunk(corpus_of([HOSTILE, "", TEXT]))
print(hashlib.sha256(repr([made.chunk(i).id for i in range(len(made))]).encode()).hexdigest())
"""


def cuts(chunking: Chunking, document: int = 0) -> list[int]:
    """Where the chunks of one document begin, but for the first."""
    return [start for d, start, _ in local_chunks(chunking) if d == document][1:]


def demand_sound(chunking: Chunking, size: int, trim: bool = False) -> None:
    """Everything is covered once, nothing is larger than the size, and order is the documents'."""
    made = local_chunks(chunking)
    texts = chunking.corpus.texts
    for before, after in pairwise(made):
        assert before[0] < after[0] or before[2] <= after[1]
    for d, start, end in made:
        assert 0 <= start < end <= len(texts[d])
        assert end - start <= size or trim
    for d, text in enumerate(texts):
        covered = [place for number, start, end in made if number == d for place in range(start, end)]
        kept = [place for place in range(len(text)) if place in set(covered) or not (trim and text[place].isspace())]
        assert covered == kept


def repeated(characters: int) -> str:
    """So many characters of the three topics, in turns."""
    return (TEXT * (characters // len(TEXT) + 1))[:characters]
