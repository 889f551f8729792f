"""Lines and what they begin with: what headings and blocks are recognised by, without reading the text again."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.characters import Classes, character_classes, class_table

_WHITE, _TAB, _BREAK, _CR, _LF, _BAR = range(1, 7)
HASH, FENCE, NTH, DIGIT, PAREN, MARK = range(10, 16)
"""What the first character of a line may be: # · ` ~ · 第 · a digit · （ ( · ■ □ ◆ ◇ ● ▼ 【."""
MARKS = "■□◆◇●▼【"


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class LineShapes:
    """The lines of every document, in columns; together they cover it.

    Lines are those of `kugiri.segmenters.lines`. A recorded paragraph begins a line too, because documents may be
    joined from paragraphs with nothing between them.

    Attributes:
        start, end: int64[L], half-open, with the line break that ends it.
        first: int64[L], the first character that is no white space; the end of a blank line.
        kind: uint8[L], the class of that character (`HASH` … `MARK`), 0 for every other and for blank lines.
        row: bool[L], whether a column ends in the line: it has a bar, or a tab between two texts.
        document: int64[L].
    """

    corpus: Corpus
    start: Int64
    end: Int64
    first: Int64
    kind: Classes
    row: Bool
    document: Int64

    @classmethod
    def of(cls, corpus: Corpus) -> LineShapes:
        """The lines of these documents."""
        classes = character_classes(corpus, _table())
        # White space is a small part of a Japanese text: from here on only that is looked at.
        white = np.flatnonzero((classes - _WHITE) < _BAR - _WHITE)
        kind = classes[white]
        start = _starts(corpus, white, kind)
        end = np.append(start[1:], corpus.characters)[: len(start)]
        runs = _Runs.of(white)
        first = np.minimum(runs.end_at(start), end)
        shown = classes[np.minimum(first, end - 1)]
        row = np.zeros(len(start), dtype=bool)
        row[np.searchsorted(start, np.flatnonzero(classes == _BAR), side="right") - 1] = True
        tabs = white[kind == _TAB]
        line = np.searchsorted(start, tabs, side="right") - 1
        row[line[(first[line] < tabs) & (tabs < runs.start_at(end[line]))]] = True
        known = np.where((first < end) & (shown >= HASH), shown, 0).astype(np.uint8)
        return cls(corpus, start, end, first, known, row, corpus.document_of(start))

    def __len__(self) -> int:
        """The number of lines."""
        return len(self.start)

    @property
    def blank(self) -> Bool:
        """bool[L], the lines of nothing but white space."""
        return np.equal(self.first, self.end)

    def texts(self, which: Int64, most: int | None = None) -> list[tuple[str, str]]:
        """The white space that these lines begin with, and the rest of them, or so many characters of it."""
        document = self.document[which]
        origin = self.corpus.document_start[document]
        high = self.end[which] if most is None else np.minimum(self.end[which], self.first[which] + most)
        columns = (document, self.start[which] - origin, self.first[which] - origin, high - origin)
        texts = self.corpus.texts
        return [
            (texts[d][a:b], texts[d][b:c]) for d, a, b, c in zip(*(column.tolist() for column in columns), strict=True)
        ]


def _starts(corpus: Corpus, white: Int64, kind: Classes) -> Int64:
    edges = corpus.document_start
    breaking = kind >= _BREAK
    breaks, kind = white[breaking], kind[breaking]
    # "\r\n" breaks once, behind both; documents that happen to meet there are apart.
    joined = np.diff(breaks, append=-1) == 1
    half = joined & (kind == _CR) & (np.append(kind[1:], 0)[: len(kind)] == _LF)
    half[half] = ~np.isin(breaks[half] + 1, edges)
    start = np.sort(np.concatenate((edges[:-1][np.diff(edges) > 0], breaks[~half] + 1, corpus.paragraph_start)))
    return start[(np.diff(start, prepend=-1) > 0) & (start < corpus.characters)]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Runs of white space on the axis; a run does not stop where a document does."""

    start: Int64
    end: Int64

    @classmethod
    def of(cls, white: Int64) -> _Runs:
        goes_on = white[1:] == white[:-1] + 1
        heads, tails = np.ones((2, len(white)), dtype=bool)
        heads[1:], tails[:-1] = ~goes_on, ~goes_on
        return cls(white[heads], white[tails] + 1)

    def end_at(self, position: Int64) -> Int64:
        """The end of the run that each position is in; the position itself where it is in none."""
        if not len(self.start):
            return position
        run = np.maximum(np.searchsorted(self.start, position, side="right") - 1, 0)
        inside = (self.start[run] <= position) & (position < self.end[run])
        return np.where(inside, self.end[run], position)

    def start_at(self, position: Int64) -> Int64:
        """The start of the run that ends at each position or goes on behind it; the position where there is none."""
        if not len(self.start):
            return position
        run = np.maximum(np.searchsorted(self.start, position, side="left") - 1, 0)
        inside = (self.start[run] < position) & (position <= self.end[run])
        return np.where(inside, self.start[run], position)


@functools.cache
def _table() -> Classes:
    breaks = "\x0b\x0c\x85\u2028\u2029\r\n"
    spaces = "".join(c for c in map(chr, range(0x3001)) if c.isspace() and c not in breaks and c != "\t")
    return class_table(
        {
            _WHITE: spaces,
            _TAB: "\t",
            _BREAK: breaks[:-2],
            _CR: "\r",
            _LF: "\n",
            _BAR: "|｜",
            HASH: "#",
            FENCE: "`~",
            NTH: "第",
            DIGIT: "0123456789０１２３４５６７８９",
            PAREN: "（(",
            MARK: MARKS,
        }
    )
