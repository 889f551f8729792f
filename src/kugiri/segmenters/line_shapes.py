"""Lines and what they begin with: what headings and blocks are recognised by, without reading the text again."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.characters import UNKNOWN, Classes, characters_at, code_points
from kugiri.segmenters.cuts import first_places, without_repeats
from kugiri.segmenters.lines import line_breaks
from kugiri.segmenters.text_marks import (
    BAR,
    DIGIT,
    FENCE,
    HASH,
    LENTICULAR,
    LF,
    LINE,
    NTH,
    ROUND,
    SIGN,
    TAB,
    TextMarks,
    mark_table,
    text_marks,
)

BEGINNINGS = (HASH, FENCE, NTH, DIGIT, ROUND, SIGN, LENTICULAR)
"""What the first character of a line may be: # · ` ~ · 第 · a digit · （ ( · ■ □ ◆ ◇ ● ▼ · 【."""
_BEGINNINGS = np.zeros(256, dtype=np.uint8)
_BEGINNINGS[list(BEGINNINGS)] = BEGINNINGS


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class LineShapes:
    """The lines of every document, in columns; together they cover it.

    Lines are those of `kugiri.segmenters.lines`. A recorded paragraph begins a line too, because documents may be
    joined from paragraphs with nothing between them.

    Attributes:
        start, end: int64[L], half-open, with the line break that ends it.
        first: int64[L], the first character that is no white space; the end of a blank line.
        kind: uint8[L], the class of that character if it is one of `BEGINNINGS`, else 0; 0 for blank lines.
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
        marks = text_marks(corpus)
        at, kind = marks.at, marks.kind
        places = (first_places(corpus), line_breaks(corpus, LINE)[1], corpus.paragraph_start)
        start = without_repeats(np.sort(np.concatenate(places), kind="stable"))
        start = start[: np.searchsorted(start, corpus.characters)]
        end = np.append(start[1:], corpus.characters)[: len(start)]
        runs = _Runs.of(at[(kind >= TAB) & (kind <= LF)])
        first = np.minimum(runs.end_at(start), end)
        row = np.zeros(len(start), dtype=bool)
        row[np.searchsorted(start, at[kind == BAR], side="right") - 1] = True
        tabs = at[kind == TAB]
        line = np.searchsorted(start, tabs, side="right") - 1
        row[line[(first[line] < tabs) & (tabs < runs.start_at(end[line]))]] = True
        begins = np.zeros(len(start), dtype=np.uint8)
        shown = first < end
        begins[shown] = _BEGINNINGS[_classes_at(corpus, marks, first[shown])]
        return cls(corpus, start, end, first, begins, row, corpus.document_of(start))

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


def _classes_at(corpus: Corpus, marks: TextMarks, position: Int64) -> Classes:
    """The classes of these characters: told by the marks in front of them, mostly white space, else read."""
    found = np.full(len(position), UNKNOWN, dtype=np.uint8)
    if len(marks.at):
        before = np.searchsorted(marks.at, position) - 1
        found = np.where(marks.at[before] == position - 1, marks.behind[before], found)
    unknown = np.flatnonzero(found == UNKNOWN)
    found[unknown] = mark_table()[code_points("".join(characters_at(corpus, position[unknown])))]
    return found


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
