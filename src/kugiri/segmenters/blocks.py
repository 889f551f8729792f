"""Blocks that are read as a whole: fenced code and tables."""

from __future__ import annotations

import dataclasses
import re
from typing import ClassVar

import numpy as np

from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.line_shapes import LineShapes
from kugiri.segmenters.text_marks import FENCE, HASH

_FENCE = re.compile(r"(`{3,}|~{3,})([^\r\n]*)")


@dataclasses.dataclass(frozen=True, slots=True)
class Blocks:
    """Fenced code and tables, whole lines; other text belongs to no unit.

    * Code stands between a line that begins with three or more of ` or ~ and the next of at least as many of the same
      and nothing else. A fence that is never closed is ordinary text: one that was forgotten hides nothing.
    * A table is two or more lines in a row, outside code, that each have a | or ｜, or a tab between two texts. A line
      that begins with # is no row of it.
    """

    name: ClassVar[str] = "blocks"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return component_label(self)

    def segment(self, corpus: Corpus) -> Boundaries:
        """The blocks of every document."""
        lines = LineShapes.of(corpus)
        first, last = block_lines(lines)
        return Boundaries(corpus, lines.start[first], lines.end[last])


def block_lines(lines: LineShapes) -> tuple[Int64, Int64]:
    """int64[B] each: the first and the last line of every block, in order; blocks do not overlap."""
    first, last = _fenced(lines)
    rows = np.flatnonzero(lines.row & (lines.kind != HASH) & ~inside(lines, first, last))
    apart = np.ones(len(rows) + 1, dtype=bool)
    apart[1:-1] = (np.diff(rows) > 1) | (np.diff(lines.document[rows]) > 0)
    heads, tails = rows[apart[:-1]], rows[apart[1:]]
    several = heads < tails
    return np.sort(np.concatenate((first, heads[several]))), np.sort(np.concatenate((last, tails[several])))


def inside(lines: LineShapes, first: Int64, last: Int64) -> Bool:
    """bool[L], the lines from the first to the last line of a block."""
    steps = np.zeros(len(lines) + 1, dtype=np.int8)
    steps[first] += 1
    steps[last + 1] -= 1
    return np.cumsum(steps[:-1], dtype=np.int8) > 0


def _fenced(lines: LineShapes) -> tuple[Int64, Int64]:
    at = np.flatnonzero(lines.kind == FENCE)
    rows = zip(at.tolist(), lines.document[at].tolist(), lines.texts(at), strict=True)
    fences = [fence for line, document, (_, text) in rows if (fence := _Fence.of(line, document, text))]
    closable = _closable(fences)
    first: list[int] = []
    last: list[int] = []
    opened: _Fence | None = None
    for fence, can_close in zip(fences, closable, strict=True):
        if opened is None:
            opened = fence if can_close else None
        elif fence.closes and fence.mark == opened.mark and fence.length >= opened.length:
            first.append(opened.line)
            last.append(fence.line)
            opened = None
    return np.array(first, dtype=np.int64), np.array(last, dtype=np.int64)


@dataclasses.dataclass(frozen=True, slots=True)
class _Fence:
    """A line that may open or close code; `closes` where nothing follows its marks."""

    line: int
    document: int
    mark: str
    length: int
    opens: bool
    closes: bool

    @classmethod
    def of(cls, line: int, document: int, text: str) -> _Fence | None:
        found = _FENCE.match(text)
        if found is None:
            return None
        marks, rest = found.groups()
        # `` ```a``` `` on one line is code in a sentence.
        return cls(line, document, marks[0], len(marks), marks[0] not in rest, not rest.strip())


def _closable(fences: list[_Fence]) -> list[bool]:
    """Whether each fence opens code that some later fence of its document closes."""
    found: list[bool] = []
    longest: dict[str, int] = {}
    document = -1
    for fence in reversed(fences):
        if fence.document != document:
            longest, document = {}, fence.document
        found.append(fence.opens and longest.get(fence.mark, 0) >= fence.length)
        if fence.closes:
            longest[fence.mark] = max(fence.length, longest.get(fence.mark, 0))
    return found[::-1]
