"""Morphemes: the short units of UniDic, as MeCab finds them."""

from __future__ import annotations

import dataclasses
import functools
import re
import shlex
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import fugashi
import numpy as np

from kugiri.errors import InvariantError
from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Int64, frozen
from kugiri.model.corpus import Corpus
from kugiri.visible import shortened

PARTS_OF_SPEECH = (
    *("名詞", "代名詞", "形状詞", "連体詞", "副詞", "接続詞", "感動詞", "動詞"),
    *("形容詞", "助動詞", "助詞", "接頭辞", "接尾辞", "記号", "補助記号", "空白"),
)
"""UniDic's coarse parts of speech."""

# MeCab counts the bytes of a token together with the white space in front of it in 16 bits, and silently drops the
# token where they do not suffice; its time on one long run of unknown characters grows with the square of the run.
_PIECE = 8192
# Where a text longer than that may be cut: after a line, else after a sentence, else at a space.
_SAFE_PLACES = ("\n", "。", "！", "？", "!", "?", ".", "\u3000", " ")
_SKIPPED_BY_MECAB = re.compile(r"[\t\n\x0b ]+")
_SKIPPED_CODES = np.array([0x09, 0x0A, 0x0B, 0x20], dtype=np.uint32)
_LEMMA = 7


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Morphemes:
    """The morphemes of one text, column by column; the gaps between them are white space that MeCab skips.

    Attributes:
        start, end: int64[N], half-open, in the text's code points; `text[start:end]` is the surface.
        surfaces: N strings.
        lemmas: N dictionary forms, the surface where the dictionary does not know the word; None where not asked for.
        parts_of_speech: N of `PARTS_OF_SPEECH`; None where not asked for.
    """

    start: Int64
    end: Int64
    surfaces: tuple[str, ...]
    lemmas: tuple[str, ...] | None = None
    parts_of_speech: tuple[str, ...] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Unidic:
    """Morphemes by MeCab (fugashi) with the dictionary unidic-lite.

    Spaces, tabs, line feeds and vertical tabs belong to no morpheme; U+3000, carriage returns and other white space
    are morphemes of their own.
    """

    name: ClassVar[str] = "unidic"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return component_label(self)

    def segment(self, corpus: Corpus) -> Boundaries:
        """The morphemes of every document."""
        start, end = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for text, origin in zip(corpus.texts, corpus.document_start.tolist(), strict=False):
            low, high = _placed(text, surfaces(text))
            start.append(low + origin)
            end.append(high + origin)
        return Boundaries(corpus, np.concatenate(start), np.concatenate(end))


def surfaces(text: str) -> list[str]:
    """The morphemes of the text as written, from left to right."""
    tagger = _tagger()
    found: list[str] = []
    for piece in _pieces(text):
        written = tagger.parse(piece).split(" ")
        # fugashi strips the line that MeCab writes, and with it a U+3000 or "\r" at the end; the nodes have it still.
        if "".join(written) != _SKIPPED_BY_MECAB.sub("", piece):
            written = [node.surface for node in tagger.parseToNodeList(piece)]
        found += written if written != [""] else []
    return found


def words(text: str) -> tuple[list[str], list[str], list[str]]:
    """Surfaces, lemmas and parts of speech of the text; takes three times as long as `surfaces`."""
    nodes = [node for piece in _pieces(text) for node in _tagger().parseToNodeList(piece)]
    written = [node.surface for node in nodes]
    lemmas = [_lemma(node.feature, surface) for node, surface in zip(nodes, written, strict=True)]
    return written, lemmas, [node.feature[0] for node in nodes]


def morphemes(text: str, features: bool = False) -> Morphemes:
    """The morphemes of one text, with lemmas and parts of speech if `features`."""
    if not features:
        found = surfaces(text)
        return Morphemes(*_placed(text, found), tuple(found))
    found, lemmas, parts = words(text)
    return Morphemes(*_placed(text, found), tuple(found), tuple(lemmas), tuple(parts))


def _lemma(feature: tuple[str, ...], surface: str) -> str:
    # Words that the dictionary does not know have the first six features only.
    return feature[_LEMMA] if len(feature) > _LEMMA and feature[_LEMMA] not in ("", "*") else surface


def _placed(text: str, found: list[str]) -> tuple[Int64, Int64]:
    """Start and end of each surface: laid end to end, surfaces are the text without what MeCab skips.

    So the place of a surface follows from the lengths of those in front of it, and nothing is searched for.
    """
    if "".join(found) != _SKIPPED_BY_MECAB.sub("", text):
        raise InvariantError(
            "the morphemes laid end to end are not the text",
            f"MeCab with unidic-lite {version('unidic-lite')}, text {shortened(text)!r}",
            "report the text to kugiri; no offset was guessed",
        )
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    seen = np.flatnonzero(~np.isin(codes, _SKIPPED_CODES))
    length = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    behind = np.cumsum(length)
    return frozen(seen[behind - length]), frozen(seen[behind - 1] + 1)


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces of at most `_PIECE` characters, cut at the safest place of the second half of each."""
    low = 0
    while len(text) - low > _PIECE:
        middle, limit = low + _PIECE // 2, low + _PIECE
        places = (text.rfind(mark, middle, limit) for mark in _SAFE_PLACES)
        high = next((place + 1 for place in places if place >= 0), limit)
        yield text[low:high]
        low = high
    if low < len(text):
        yield text[low:]


@functools.cache
def _tagger() -> Any:
    """One tagger a process, made when the first text is analysed: loading the dictionary takes 0.2 s.

    Dictionary and settings are named, so that neither an installed `unidic` nor a mecabrc of the machine is used.
    """
    # Here, because the package reads its version from a file when it is imported.
    import unidic_lite

    folder = Path(unidic_lite.DICDIR)
    return fugashi.GenericTagger(f"-d {shlex.quote(str(folder))} -r {shlex.quote(str(folder / 'mecabrc'))} -Owakati")
