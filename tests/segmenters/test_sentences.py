"""Sentences: a table of what Japanese and English do, and a reader that goes character by character."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.model.boundaries import Boundaries
from kugiri.segmenters.brackets import LONGEST
from kugiri.segmenters.characters import _BLOCK
from kugiri.segmenters.going_on import ASIDE, GOES_ON, SAID
from kugiri.segmenters.sentences import LineBreaks, Sentences
from worlds import corpus_of

MARKS = "。｡！？‼⁇⁈⁉．.!?"
BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
BRACKETS = (
    "「」",
    "｢｣",
    "『』",
    "（）",
    "()",
    "［］",
    "[]",
    "｛｝",
    "{}",
    "【】",
    "〈〉",
    "《》",
    "〔〕",
    "“”",
    "‘’",
    "〝〟",
    "〝〞",
)
SAME = {"｢": "「", "｣": "」", "(": "（", ")": "）", "[": "［", "]": "］", "{": "｛", "}": "｝"}
CLOSERS = "".join(pair[1] for pair in BRACKETS)
EXTENDING = "\ufe0f\u200d\u3099"
TAIL = MARKS + CLOSERS + EXTENDING + "\"'😊👩🍳"


def sentences(*texts: str, newline: LineBreaks = "boundary") -> list[str]:
    units = Sentences(newline).segment(corpus_of(texts))
    whole = "".join(texts)
    return [whole[s:e] for s, e in zip(units.start.tolist(), units.end.tolist(), strict=True)]


# ------------------------------------------------------------------------------------------------ a reader
def read(text: str, newline: LineBreaks) -> list[str]:
    """The sentences of one document by the rules of the docstring, one character after the other."""
    runs = [match.span() for match in re.finditer(r"\s+", text)]
    open_behind = depth_behind(text, runs)
    cuts: set[int] = set()
    for place, character in enumerate(text):
        if character not in MARKS:
            continue
        behind = row_ends(text, place)
        while aside := ASIDE.match(text, behind):
            behind = row_ends(text, aside.end() - 1)
        last = behind - 1
        line = re.split(BREAK, text[:behind])[-1]
        quoted = open_behind[place] > 0 or (text[last] == '"' and line.count('"') % 2 == 0)
        says = character in "！？‼⁇⁈⁉!?" and SAID.match(text[behind:])
        goes_on = says or (quoted and quotation_goes_on(text, behind, open_behind))
        if ends(text, place, behind) and open_behind[last] == 0 and not goes_on:
            cuts.add(next((kept(text, run) for run in runs if run[0] == behind), behind))
    for run in runs:
        breaks = len(BREAK.findall(text[slice(*run)]))
        if breaks > (0 if newline == "boundary" else 1) and not (run[0] and open_behind[run[0] - 1]):
            cuts.add(kept(text, run))
    clusters = [match.end() for match in regex.finditer(r"\X", text)]
    cuts = {min(edge for edge in clusters if edge >= cut) for cut in cuts if cut}
    edges = [0, *sorted(cut for cut in cuts if text[:cut].strip() and text[cut:].strip()), len(text)]
    return [text[low:high] for low, high in pairwise(edges) if low < high]


def row_ends(text: str, place: int) -> int:
    """Where the row of marks, closing brackets, quotes, emoji and what extends them ends that starts here."""
    place += 1
    while place < len(text) and text[place] in TAIL:
        place += 1
    return place


def quotation_goes_on(text: str, behind: int, open_behind: list[int]) -> bool:
    while text[behind : behind + 1] in tuple("「｢『“‘〝") and open_behind[behind] > 0:
        while open_behind[behind] > 0:
            behind += 1
        behind = row_ends(text, behind)
    return GOES_ON.match(text, behind) is not None


def kept(text: str, run: tuple[int, int]) -> int:
    """Where white space stops to belong to the sentence in front of it."""
    breaks = [match.end() for match in BREAK.finditer(text, *run)]
    return breaks[-1] if breaks else run[1]


def depth_behind(text: str, runs: list[tuple[int, int]]) -> list[int]:
    """How many brackets with a partner are open behind every character."""
    step = [0] * len(text)
    blocks = [run for run in runs if len(BREAK.findall(text[slice(*run)])) > 1]
    edges = [0, *[low for low, _ in blocks], len(text)]
    for low, high in pairwise(edges):
        stacks: dict[str, list[int]] = {}
        for place in range(low, high):
            character = SAME.get(text[place], text[place])
            for opening, closing in BRACKETS:
                if character == opening:
                    stacks.setdefault(opening, []).append(place)
                elif character == closing and stacks.get(opening):
                    partner = stacks[opening].pop()
                    if place - partner <= LONGEST:
                        step[partner], step[place] = 1, -1
    return [int(depth) for depth in np.cumsum(step)] if text else []


def ends(text: str, place: int, behind: int) -> bool:
    before, character, after = text[:place], text[place], text[behind : behind + 1]
    if character in "。｡！？‼⁇⁈⁉":
        return True
    numbered = bool(
        re.search(
            r"(?:^|[\n\r]|[。｡！？‼⁇⁈⁉][」』)）\"]*|[^\x00-\x7f][.!?][ \t\u3000])"
            r"[ \t\u3000]*[0-9０-９]+(?:[.．][0-9０-９]+)*\Z",
            before,
        )
    )
    if character in "．." and character in (text[place - 1 : place], text[place + 1 : place + 2]):
        return character == "." and after.isspace() and text[behind + 1 : behind + 2].isupper()
    if character == "．":
        return not (before[-1:].isdigit() and (numbered or text[place + 1 : place + 2].isdigit()))
    if character in "!?":
        return not after or after.isspace() or not after.isascii()
    if after and not after.isspace():
        return not (before[-1:].isascii() or after.isascii() or (before[-1:].isdigit() and after.isdigit()))
    if before[-1:].isascii() and "ぁ" <= text[behind + 1 : behind + 2] <= "ゖ" and GOES_ON.match(text, behind + 1):
        return False
    abbreviated = re.search(r"(?<![\w'’])[A-Za-z]\Z|(?<![0-9A-Za-z_])(?:[Ee]\.g|[Ii]\.e|Mr|Dr|pp?|al)\Z", before)
    return not (numbered or abbreviated or text[behind + 1 : behind + 2].islower())


PARTS = (
    *'。。！？．.!?」「」「『』（）()"”“、はアx3３',
    "漢字",
    "12",
    "３.４",
    "３．４",
    "Mr",
    "e.g",
    "か\u3099",
    "👩\u200d🍳",
    *"と😊笑てu\ufe0f\u3099‼",
    "とても",
    "（笑）",
    "(x)",
    "\u3000",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\u2028",
    "\x1c",
)


@settings(max_examples=200)
@given(
    st.lists(st.lists(st.sampled_from(PARTS), max_size=14).map("".join), max_size=3),
    st.sampled_from(("boundary", "wrap")),
)
def test_sentences_are_those_that_a_reader_finds(texts: list[str], newline: LineBreaks) -> None:
    assert sentences(*texts, newline=newline) == [found for text in texts for found in read(text, newline)]


def test_sentences_of_many_random_texts() -> None:
    draw = random.Random(4)
    for _ in range(400):
        text = "".join(draw.choices(PARTS[: draw.choice((8, 14, len(PARTS)))], k=draw.randint(0, 40)))
        assert sentences(text) == read(text, "boundary"), text
        assert sentences(text, newline="wrap") == read(text, "wrap"), text


def test_units_are_read_by_themselves() -> None:
    draw = random.Random(5)
    for _ in range(200):
        text = "".join(draw.choices(PARTS, k=draw.randint(1, 30)))
        edges = sorted({draw.randint(0, len(text)) for _ in range(5)})
        units = [pair for pair in pairwise(edges) if draw.random() < 0.8]
        corpus = corpus_of(["前。", text])
        columns = np.array(units, dtype=np.int64).reshape(-1, 2) + 2
        expected = []
        for low, high in units:
            lengths = [len(found) for found in read(text[low:high], "wrap")]
            expected += [2 + low + sum(lengths[:count]) for count in range(1, len(lengths))]
        found = Sentences("wrap").ends_inside(Boundaries(corpus, columns[:, 0], columns[:, 1]))
        assert found.tolist() == expected, (text, units)


@pytest.mark.parametrize("shift", range(-9, 2))
def test_where_blocks_of_text_meet_nothing_changes(shift: int) -> None:
    text = "円周率は３．１４です。3.14です。すごい！と思った。え？って。終"
    for front in ("長" * (_BLOCK + shift - 8), "長" * (_BLOCK + shift - 20) + "。"):
        assert sentences(front + text)[-4:] == read(text, "boundary")[-4:]
        assert "".join(sentences(front[:-1], front[-1:] + text)) == front + text


# ------------------------------------------------------------------------------------------------ the rules
JAPANESE = {
    "D34 rows of marks": ("え？！|本当。。。|終"),
    "E53 the last sentence": "一。|二。|三",
    "F58 a closing bracket that nothing opened": "終わり。」|次。",
    "F58 a bracket that is never closed": "「未閉。\n\n|次。",
    "F59 a number": "円周率は３．１４です。|次です。",
    "F59 a number with an ASCII point": "円周率は３.１４、３.14です。|次です。",
    "F59 a closing bracket": "「はい。」|次です。",
    "F61 a headline": "見出し\n|本文。",
    "F61 a line break in brackets": "（一\n二）三。|四",
    "marks of every kind": "一。|二｡|三！|四？|五‼|六⁉|七．|八",
    "a wide point behind a word": "終わり．|次",
    "a quotation with sentences": "「行く。帰る。」と言った。|次。",
    "a quotation that ends the sentence": "彼は笑った。|「行く。」|彼も。",
    "a quotation that goes on": "「行く。」と言い、「帰る。」とも言った。|次。",
    "brackets in brackets": "『「一。二。」三。』|四。",
    "half-width brackets": "｢一。二。｣|三。",
    "every kind of bracket": "（一。）|［二。］|【三。】|〈四。〉|《五。》|〔六。〕|“七。”|八",
    "brackets that cross": "「（一」二）。|三。",
    "an ellipsis": "それは……そうか。|次。",
    "an ellipsis of points": "それは...そうか。|次は．．．どうか。|次... 次。",
    "a middle dot": "ジョン・スミス。|次。",
    "a closing quote": '終わり。"|次',
    "white space": "一。\u3000|二。 |三",
    "an indent stays with what it indents": "一。\n|\u3000二。",
    "blank lines": "一\n\u3000\n|二",
    "a URL": "例はhttps://example.com/a.b?c=d!e を見る。|次。",
    "a version": "版は 1.2.3 です。|次。",
    "a numbered line": "１．一つ目\n|２．二つ目\n|3. 三つ目",
    "an emoji": "👩\u200d🍳。🇯🇵！|か\u3099",
    "a CRLF": "一\r\n|二。\r\n|三",
    "a variation selector": "本当⁉\ufe0f|すごい‼\ufe0f|次の文。",
    "what extends a mark": "え！\ufe0f|次。\u3099|次。 \u3099|次",
    "emoji behind a mark": "楽しかった！😊|また🙋\u200d♂\ufe0f！🙋\u200d♂\ufe0f|行く。",
    "a sign begins what it marks": "終わり。|▶次。|★次",
    "ASCII quotes": '彼は"もういい。"と言った。|次は"はい。"|終わり。',
    "single quotes": "彼は‘もういい。行く。’と言った。|次。",
    "Japanese quotes": "彼は〝もういい。行く。〟と言った。|次の〝はい。〞|終わり。",
    "an exclamation that is told": "すごい！と思った。|なぜ？って聞いた。|え!?と驚く。|嘘！（笑）という話。",
    "an exclamation that ends": "すごい！|とても良い？|とにかく行く！|ところで次。",
    "a row of quotations that goes on": "「本当？」「うそ！」と叫ぶ。|「一。」「二」「三。」と。|「五。」|「六。」",
    "a row of quotations with one that is never closed": "「一。」|「二と言う。|次",
    "a space before と": "「はい。」 と答えた。|「いいえ。」\u3000って。|「さあ。」 |は次。",
    "a particle": "「はい。」は返事。|「はい。」しかない。|「はい。」である。|「はい。」から始める。",
    "no particle": "「危ない！」|その時。|「はい。」|しかし。|「はい。」|とても。|「はい。」|もし。",
    "a number behind a sentence": "終わる。|2. 目的を述べる。|３．方法。|次 2。",
    "a chapter": "第1章. はじめに\n|第二節. 目的",
    "abbreviations": "vol. 3とver. 2の、紙、etc. です。|これは test. |これは次。",
    "an aside": "すごい!(笑)|次。（図1）|次！（笑）（泣）。|次",
    "no aside": "次の通り。|（2）二。|（ア）三。|(b)四。|（長い括弧の中）五。|（六。）|七",
}
ENGLISH = {
    "points": "One. |Two. |Three",
    "marks": "Why? |Yes! |No",
    "abbreviations": "Mr. Smith met Dr. Jones at 5 p.m. sharp. |Then e.g. this, cf. Fig. 3, et al. 2020.",
    "initials": "J. R. R. Tolkien wrote. |He did.",
    "a number": "It is 3.14. |Next.",
    "a lower-case letter goes on": "approx. three. |Next",
    "an ellipsis": "Wait... what? |Wait... |What?",
    "quotes": 'He said "Go." |She went.',
    "brackets": "It ends (really.) |Next.",
    "a URL": "See example.com/index.html. |Next.",
    "quotes that go on": '"Go.", he said. |She went.',
    "apostrophes": "I can't. |Go ‘now. Please.’ |Next.",
    "numbers in rows": "それはこう. |2. Next comes. |3. |This.",
    "counted": "See Vol. 3 and fig. 2. |I said no. |Next",
    "Japanese in between": "これは test. |次は Test.",
}


@pytest.mark.parametrize("drawing", [*JAPANESE.values(), *ENGLISH.values()], ids=[*JAPANESE, *ENGLISH])
def test_a_sentence_ends_where_it_is_drawn(drawing: str) -> None:
    assert sentences(drawing.replace("|", "")) == drawing.split("|")


@pytest.mark.parametrize(
    "drawing",
    [
        "見出し\n本文。\n|次",
        "折り返した\r\n文です。|次",
        "一\n\n|二",
        "一\r\n\r\n|二",
        "「一。\n二。」|三",
        "一\u2028二",
    ],
)
def test_lines_of_wrapped_text_end_nothing(drawing: str) -> None:  # F61
    assert sentences(drawing.replace("|", ""), newline="wrap") == drawing.split("|")


PARTICLES = """
    、 ， , ー という といった として である だった なんて なので なのだ なのか なら など なり なの から まで だけ
    ほど より さえ しか くらい ぐらい ばかり みたい らしい っぽい です でし って じゃな
    と は が を に で の も や だ へ か「え」
"""


@pytest.mark.parametrize("word", PARTICLES.split())
def test_a_quotation_goes_on_with_every_particle(word: str) -> None:
    assert GOES_ON.match(word)
    assert len(sentences(f"「あ。」{word}")) == 1
    assert len(sentences(f"「あ。」「い。」{word}")) == 1
    assert len(sentences(f"「あ。」い{word}")) == 2


def test_offsets_of_the_cases() -> None:
    def places(text: str) -> list[tuple[int, int]]:
        units = Sentences().segment(corpus_of([text]))
        return list(zip(units.start.tolist(), units.end.tolist(), strict=True))

    assert places("え？！本当。。。終") == [(0, 3), (3, 8), (8, 9)]  # D34
    assert places("終わり。」次。") == [(0, 5), (5, 7)]  # F58
    assert len(places("「未閉。\n\n次。")) == 2  # F58
    assert places("円周率は３．１４です。次です。") == [(0, 11), (11, 15)]  # F59
    assert places("見出し\n本文。") == [(0, 4), (4, 7)]  # F61


def test_a_bracket_that_is_forgotten_hides_nothing_far_away() -> None:  # F58
    text = "「" + "文。" * 300 + "」"
    assert len(sentences(text)) == 300


def test_documents_that_meet_are_apart() -> None:
    assert sentences("一", "。", "", "」二", "\n三") == ["一", "。", "」二", "\n三"]
    assert sentences("終\r", "\n始。", "」") == ["終\r", "\n始。", "」"]
    assert sentences("「一。", "二。」三") == ["「一。", "二。」", "三"]
    assert sentences() == sentences("", "") == []
    assert sentences("\n\n") == ["\n\n"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "行\n" * 200_000 + "\n\n終",
        "\n" * 200_000,
        "あ" * 100_000,
        "「" * 300_000,
        "🇯🇵" * 50_000,
        "。" * 200_000,
        "1." * 100_000,
        "「。」" * 70_000,
        "。\u3099 \u3099" * 50_000,
        "。" + "\u3099" * 200_000 + "終",
        '。"' * 100_000,
        "。" + "（笑）" * 50_000,
    ],
    ids=[
        *("P122 lines", "P122 breaks", "nothing", "brackets", "flags", "marks", "points"),
        *("quotations", "what extends", "one cluster", "quotes", "asides"),
    ],
)
def test_long_rows_of_one_kind_end(text: str) -> None:  # P121
    units = Sentences().segment(corpus_of([text]))
    assert units.start[0] == 0
    assert units.end[-1] == len(text)
