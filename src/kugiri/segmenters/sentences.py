"""Sentences, Japanese and English, by rules over a few classes of characters."""

from __future__ import annotations

import dataclasses
import re
from typing import ClassVar, Literal

import numpy as np

from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Bool, Int32, Int64, concatenated_ranges
from kugiri.model.corpus import Corpus
from kugiri.segmenters.brackets import paired
from kugiri.segmenters.characters import Classes, characters_at
from kugiri.segmenters.cuts import between_cuts, filled_documents, without_repeats
from kugiri.segmenters.text_marks import (
    BRACKETS,
    CLOSE,
    CR,
    LF,
    MARK,
    OPEN,
    POINT,
    QUOTE,
    RECORD,
    SPACE,
    STOP,
    WIDE_POINT,
    text_marks,
)

LineBreaks = Literal["boundary", "wrap"]
"""What a line break is: the end of a sentence, or white space inside one. A blank line always ends a sentence."""

_ABBREVIATION = re.compile(r"(?:\b(?:[A-Za-z]|[Ee]\.g|[Ii]\.e|[Cc]f|vs|Mr|Mrs|Ms|Dr|Prof|St|No|Fig|Eq|Vol|pp?|al))\Z")
_NUMBER = re.compile(r"(?:\A|[\n\r])[ \t\u3000]*[0-9０-９]+(?:[.．][0-9０-９]+)*\Z")
_LOOKS_BACK = 20
_GOES_ON = re.compile(r"[ぁ-ゖー、，,]")


@dataclasses.dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences; together they cover every document.

    * 。｡！？‼⁇⁈⁉ end a sentence, and so does ．, but not between digits or after the number that a line begins with.
      Of `.`, `!` and `?` only those before white space or between characters that are not ASCII; `.` not after an
      abbreviation nor before a lower-case letter. So 3.14 and URLs stay whole. … and ・ end nothing, and neither do
      points in a row, unless white space and a capital letter follow.
    * Further marks, closing brackets and quotes, and white space up to the last line break belong to the sentence they
      follow.
    * Inside brackets nothing ends. A quotation that itself ends in a mark ends the sentence, unless hiragana or a comma
      follow: 「はい。」と答えた。 is one sentence. A bracket pairs with another of its kind in the same block of lines,
      at most `kugiri.segmenters.brackets.LONGEST` characters away; any other bracket is an ordinary character.
    * A blank line ends a sentence; other line breaks as `newline` says.

    Attributes:
        newline: whether a line break ends a sentence ("boundary") or is white space in it ("wrap").
    """

    name: ClassVar[str] = "sentences"
    version: ClassVar[int] = 1

    newline: LineBreaks = "boundary"

    def __str__(self) -> str:
        return component_label(self)

    def segment(self, corpus: Corpus) -> Boundaries:
        """The sentences of every document."""
        return between_cuts(corpus, self.ends_inside(filled_documents(corpus)))

    def ends_inside(self, units: Boundaries) -> Int64:
        """int64, increasing: where sentences of each unit by itself end, before the last of them does.

        Both what precedes such a place in its unit and what follows it are more than white space.
        """
        return _Marks.of(units).cuts(self.newline)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Marks:
    """The characters that sentences depend on.

    Attributes:
        at: int64[M], their positions on the axis, increasing.
        kind: uint8[M], their classes.
        joined: bool[M + 1], whether a mark stands right behind the one in front of it, in the same unit.
        blank: bool[M], which of them are white space.
        first: int64[U], the first mark in or behind each unit.
    """

    units: Boundaries
    at: Int64
    kind: Classes
    joined: Bool
    blank: Bool
    first: Int64

    @classmethod
    def of(cls, units: Boundaries) -> _Marks:
        at, kind = text_marks(units.corpus)
        first, behind = np.searchsorted(at, units.start), np.searchsorted(at, units.end)
        counts = behind - first
        if int(counts.sum()) < len(at):
            some = np.repeat(first, counts) + concatenated_ranges(counts)
            at, kind, first = at[some], kind[some], np.cumsum(counts) - counts
        joined = np.zeros(len(at) + 1, dtype=bool)
        joined[1:-1] = at[1:] == at[:-1] + 1
        joined[first[np.append(at, -1)[first] == units.start]] = False
        return cls(units, at, kind, joined, (kind >= SPACE) & (kind <= LF), first)

    def cuts(self, newline: LineBreaks) -> Int64:
        """int64, where a sentence ends and the next begins: increasing, with text on either side in the unit."""
        if not len(self.at):
            return self.at
        white = _WhiteSpace.of(self)
        depth = self._depth(white)
        candidates = np.flatnonzero(self.kind <= MARK)
        last = self._last_of_tail(candidates)
        ends = self._ending(candidates, last)
        candidates, last = candidates[ends], last[ends]
        free = depth[last] <= 0
        quoted = np.flatnonzero((depth[candidates] > 0) & free)
        following = characters_at(self.units.corpus, self.at[last[quoted]] + 1)
        free[quoted[np.array([bool(_GOES_ON.match(text)) for text in following], dtype=bool)]] = False
        last = last[free]
        # White space behind the sentence is its own, up to the last line break.
        found = self.at[last] + 1
        spaced = np.flatnonzero(self.joined[last + 1] & np.append(self.blank, False)[last + 1])
        found[spaced] = white.kept[white.run[last[spaced] + 1]]
        lines = white.kept[(white.breaks > (0 if newline == "boundary" else 1)) & (depth[white.head] <= 0)]
        cuts = without_repeats(np.sort(np.concatenate((found, lines)), kind="stable"))
        return white.between_text(self.units, cuts)

    def _depth(self, white: _WhiteSpace) -> Int32:
        """int32[M], how many pairs of brackets are open behind each mark."""
        brackets = np.flatnonzero(self.kind >= OPEN)
        # Brackets pair inside a block of lines: blank lines part them, and edges of units.
        opens_block = np.zeros(len(self.at) + 1, dtype=bool)
        opens_block[self.first] = True
        opens_block[white.head[white.breaks > 1]] = True
        block = np.cumsum(opens_block)[brackets]
        kind = self.kind[brackets]
        step = np.zeros(len(self.at), dtype=np.int8)
        for number in range(len(BRACKETS)):
            these = np.flatnonzero((kind == OPEN + number) | (kind == CLOSE + number))
            opened, closed = paired(self.at[brackets[these]], kind[these] < CLOSE, block[these])
            step[brackets[these[opened]]] = 1
            step[brackets[these[closed]]] = -1
        return np.cumsum(step, dtype=np.int32)

    def _last_of_tail(self, mark: Int64) -> Int64:
        """For each of these marks the last of the marks, closing brackets and quotes in a row with it."""
        tail = (self.kind <= QUOTE) | (self.kind >= CLOSE)
        stops = np.ones(len(self.at), dtype=bool)
        stops[:-1] = ~(self.joined[1:-1] & tail[1:])
        number = np.cumsum(stops, dtype=np.int32)
        return np.flatnonzero(stops)[number[mark] - stops[mark]]

    def _ending(self, mark: Int64, last: Int64) -> Bool:
        """Which of these marks end a sentence if they are not inside brackets."""
        kind, corpus, texts = self.kind[mark], self.units.corpus, self.units.corpus.texts
        ends: Bool = kind == STOP
        for number, rule in ((WIDE_POINT, _wide_point_ends), (POINT, _point_ends), (MARK, _mark_ends)):
            these = np.flatnonzero(kind == number)
            place, behind = self.at[mark[these]], self.at[last[these]] + 1
            # What a rule looks back at begins with the unit.
            low = self.units.start[np.searchsorted(self.units.start, place, side="right") - 1]
            low = np.maximum(low, place - _LOOKS_BACK)
            document = corpus.document_of(place)
            columns = [(column - corpus.document_start[document]).tolist() for column in (low, place, behind)]
            ends[these] = [rule(texts[d], a, b, c) for d, a, b, c in zip(document.tolist(), *columns, strict=True)]
        return ends


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _WhiteSpace:
    r"""Unbroken runs of white space, none of them in two units.

    Attributes:
        run: int32[M], for a mark that is white space, which run it is in.
        head: int64[R], the first mark of each run.
        start, end: int64[R], on the axis.
        breaks: int64[R], its line breaks; `\r\n` is one.
        kept: int64[R], up to where it belongs to the sentence in front of it: its last line break, else all of it.
    """

    run: Int32
    head: Int64
    start: Int64
    end: Int64
    breaks: Int64
    kept: Int64

    @classmethod
    def of(cls, found: _Marks) -> _WhiteSpace:
        at, kind, blank, joined = found.at, found.kind, found.blank, found.joined[:-1]
        goes_on = joined & np.append(False, blank[:-1])
        is_head = blank & ~goes_on
        run = np.cumsum(is_head, dtype=np.int32) - np.int32(1)
        head = np.flatnonzero(is_head)
        spaces = np.flatnonzero(blank)
        # Positions increase, so the last assignment of a run is its last mark.
        end, kept = np.zeros((2, len(head)), dtype=np.int64)
        end[run[spaces]] = at[spaces] + 1
        lines = np.flatnonzero((kind >= RECORD) & (kind <= LF))
        kept[run[lines]] = at[lines] + 1
        halves = joined[lines] & (kind[lines] == LF) & (kind[lines - 1] == CR)
        breaks = np.bincount(run[lines[~halves]], minlength=len(head))
        return cls(run, head, at[head], end, breaks, np.where(kept > 0, kept, end))

    def between_text(self, units: Boundaries, cuts: Int64) -> Int64:
        """The increasing cuts that have more than white space before and behind them in their unit."""
        low, high = units.start, units.end
        # The white space that a unit starts and ends with.
        first, last = _at(self.start, low), _at(self.end, high)
        low = np.where(first < 0, low, np.append(self.end, 0)[first])
        high = np.where(last < 0, high, np.append(self.start, 0)[last])
        after, before = np.searchsorted(cuts, low, side="right"), np.searchsorted(cuts, high, side="left")
        before = np.maximum(before, after)
        inside: Int64 = np.repeat(after, before - after) + concatenated_ranges(before - after)
        return cuts[inside]


def _at(increasing: Int64, wanted: Int64) -> Int64:
    """Where each value stands, -1 for one that is not there."""
    place = np.searchsorted(increasing, wanted)
    place[np.append(increasing, -1)[place] != wanted] = -1
    return place


# Rules are given a text, how far to look back, where the mark is, and where the row of marks and closing brackets
# that it is in ends.
def _wide_point_ends(text: str, low: int, place: int, behind: int) -> bool:
    before, after = text[place - 1] if place > low else "", text[place + 1 : place + 2]
    if before == "．" or after == "．":
        return False
    return not (before.isdigit() and (after.isdigit() or _NUMBER.search(text[low:place])))


def _point_ends(text: str, low: int, place: int, behind: int) -> bool:
    before, after = text[place - 1] if place > low else "", text[behind : behind + 1]
    spaced = after.isspace()
    if before == "." or text[place + 1 : place + 2] == ".":
        return spaced and text[behind + 1 : behind + 2].isupper()
    if after and not spaced:
        return not before.isascii() and not after.isascii()
    if before.isdigit() and _NUMBER.search(text[low:place]):
        return False
    return not (text[behind + 1 : behind + 2].islower() or _ABBREVIATION.search(text[low:place]))


def _mark_ends(text: str, low: int, place: int, behind: int) -> bool:
    after = text[behind : behind + 1]
    return not after or after.isspace() or not after.isascii()
