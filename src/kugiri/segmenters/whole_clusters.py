"""Cuts moved out of grapheme clusters: only what stands next to a cut is read."""

from __future__ import annotations

import functools

import numpy as np
import regex

from kugiri.model.columns import Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.graphemes import Graphemes

# Between two of these there is always a boundary (rule GB999), so all that a place needs to be read is next to it.
_APART = regex.compile(r"\p{GCB=Other}{2}", regex.DOTALL)
_APART_BEFORE = regex.compile(r"(?r)\p{GCB=Other}{2}", regex.DOTALL)
_EXTENDS = regex.compile(r"[\p{GCB=EX}\p{GCB=ZWJ}\p{GCB=SM}]+")
_ORDINARY = regex.compile(r"[\p{GCB=Other}\p{GCB=CN}\p{GCB=LF}]")
_PLANES = (range(0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE1000))
"""Where Unicode has characters that extend others; between are ideographs, behind nothing."""


@functools.cache
def extending() -> str:
    """The characters that never start a cluster but behind a line break: combining marks, variation selectors, ZWJ."""
    return "".join("".join(_EXTENDS.findall("".join(map(chr, plane)))) for plane in _PLANES)


def may_go_on(character: str) -> bool:
    """Whether a cluster may go on behind this character with another than an extending one: ZWJ, a flag's half, CR."""
    return not _ORDINARY.match(character)


def behind_clusters(corpus: Corpus, cuts: Int64, start: Int64, end: Int64) -> Int64:
    """Non-decreasing cuts, each moved to the end of the cluster that it lies inside, if it does.

    The cuts are of units `[start, end)`, one for each, disjoint and in order; every unit is read by itself.
    """
    inside = np.flatnonzero((start < cuts) & (cuts < end))
    some = cuts[inside]
    columns = np.array(suspicious(corpus, some, start[inside], end[inside]), dtype=np.int64).reshape(-1, 2).T
    clusters = Graphemes().longer_inside(corpus, *columns)
    near = np.searchsorted(clusters.start, some, side="left") - 1
    behind = np.append(clusters.end, 0)[near]
    moved = cuts.copy()
    moved[inside] = np.where((near >= 0) & (some < behind), behind, some)
    return moved


def suspicious(corpus: Corpus, cuts: Int64, start: Int64, end: Int64) -> list[tuple[int, int]]:
    """The disjoint stretches of the axis in which increasing cuts may lie inside a cluster of their unit."""
    document = corpus.document_of(cuts)
    origin = corpus.document_start[document]
    columns = [(column - origin).tolist() for column in (cuts, start, end)]
    found: list[tuple[int, int]] = []
    for d, shift, place, low, high in zip(document.tolist(), origin.tolist(), *columns, strict=True):
        text = corpus.texts[d]
        if not (apart(text, place) or (found and place + shift < found[-1][1])):
            before, behind = between_clusters(text, place, low, high)
            found.append((before + shift, behind + shift))
    return found


def apart(text: str, place: int) -> bool:
    """Whether the two characters around a place show by themselves that it does not lie inside a cluster."""
    return _APART.match(text, place - 1, place + 1) is not None


def between_clusters(text: str, place: int, low: int, high: int) -> tuple[int, int]:
    """Places on either side of one, in `text[low:high]`, that certainly do not lie inside a cluster."""
    before, behind = _APART_BEFORE.search(text, low, place), _APART.search(text, place, high)
    return before.start() + 1 if before else low, behind.start() + 1 if behind else high
