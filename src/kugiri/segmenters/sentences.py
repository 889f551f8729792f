"""Sentences, Japanese and English, by rules over a few classes of characters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np

from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Bool, Int32, Int64, concatenated_ranges
from kugiri.model.corpus import Corpus
from kugiri.segmenters.brackets import paired
from kugiri.segmenters.characters import UNKNOWN, Classes
from kugiri.segmenters.cuts import between_cuts, filled_documents, is_among, without_repeats
from kugiri.segmenters.going_on import (
    ASIDE,
    GOES_ON,
    LOOKS_AHEAD,
    LOOKS_BACK,
    SAID,
    mark_ends,
    point_ends,
    wide_point_ends,
)
from kugiri.segmenters.space_runs import SpaceRuns
from kugiri.segmenters.text_marks import (
    APOSTROPHE,
    BRACKETS,
    CLOSE,
    EXTENDS,
    GOES,
    LF,
    MARK,
    OPEN,
    POINT,
    QUOTE,
    RECORD,
    ROUND,
    SAYS,
    SHOUT,
    SPACE,
    TAB,
    WIDE_POINT,
    text_marks,
)
from kugiri.segmenters.whole_clusters import behind_clusters

LineBreaks = Literal["boundary", "wrap"]
"""What a line break is: the end of a sentence, or white space inside one. A blank line always ends a sentence."""

_QUOTATIONS = tuple(OPEN + number for number, kind in enumerate(BRACKETS) if kind[0] in "「『“‘〝")
_QUOTES = np.zeros(256, dtype=bool)
_QUOTES[list(_QUOTATIONS)] = True
_MAY_GO_ON = np.zeros(256, dtype=bool)
_MAY_GO_ON[[SAYS, GOES, SPACE, UNKNOWN]] = True


@dataclasses.dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences; together they cover every document.

    * 。｡！？‼⁇⁈⁉ end a sentence, and so does ．, but not after the number that a line or a sentence begins with. Of
      `.`, `!` and `?` only those before white space or between characters that are not ASCII; `.` not after an
      abbreviation (vol. and the like before a digit) or 第1章, nor before a lower-case letter, nor between ASCII and a
      particle (etc. です). No point ends one between digits, so 3.14, ３．１４ and URLs stay whole. … and ・ end
      nothing, and neither do points in a row, unless white space and a capital letter follow. ！ and ？ before と and
      って end nothing: すごい！と思った.
    * Further marks, closing brackets and quotes, emoji, and white space up to the last line break belong to the
      sentence they follow, and so do round brackets with 1 to 5 characters, such as （笑）, unless they hold a mark or
      number what comes next, as （2） does. No grapheme cluster is cut.
    * Inside brackets nothing ends. A quotation that itself ends in a mark ends the sentence, unless a comma or particle
      follows (と and って behind a space too), or other quotations and then one: 「はい。」と答えた。 is one sentence.
      `kugiri.segmenters.going_on` lists the particles, and words that only begin like one: とても, もし.
      A bracket pairs with another of its kind in the same block of lines, at most `kugiri.segmenters.brackets.LONGEST`
      characters away; any other bracket is an ordinary character. ASCII quotes are no brackets, but what the second of
      two in a line closes is a quotation: "もういい。"と言った。
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
        numeric: bool[M], which of them stand between two digits of their unit; others may as well.
        behind: uint8[M], the class of the character behind each, which may be in another unit.
        joined: bool[M + 1], whether a mark stands right behind the one in front of it, in the same unit.
        blank: bool[M], which of them are white space.
        first: int64[U], the first mark in or behind each unit.
    """

    units: Boundaries
    at: Int64
    kind: Classes
    numeric: Bool
    behind: Classes
    joined: Bool
    blank: Bool
    first: Int64

    @classmethod
    def of(cls, units: Boundaries) -> _Marks:
        at, kind, numeric, behind = text_marks(units.corpus)
        first = np.searchsorted(at, units.start)
        counts = np.searchsorted(at, units.end) - first
        if int(counts.sum()) < len(at):
            some = np.repeat(first, counts) + concatenated_ranges(counts)
            at, kind, numeric, behind = at[some], kind[some], numeric[some], behind[some]
            first = np.cumsum(counts) - counts
        joined = np.zeros(len(at) + 1, dtype=bool)
        joined[1:-1] = at[1:] == at[:-1] + 1
        joined[first[np.append(at, -1)[first] == units.start]] = False
        # A mark at the edge of a unit has a neighbour in another one.
        edges = (np.append(at, -1)[first] == units.start, np.append(-1, at)[first + counts] == units.end - 1)
        numeric = numeric.copy()
        numeric[first[edges[0]]] = False
        numeric[(first + counts - 1)[edges[1]]] = False
        return cls(units, at, kind, numeric, behind, joined, (kind >= TAB) & (kind <= LF), first)

    def cuts(self, newline: LineBreaks) -> Int64:
        """int64, where a sentence ends and the next begins: increasing, with text on either side in the unit."""
        if not len(self.at):
            return self.at
        white = SpaceRuns.of(self.at, self.kind, self.joined[:-1])
        depth = self._depth(white)
        candidates, last_of_tail = np.flatnonzero(self.kind <= MARK), self._last_of_tail()
        last = self._behind_asides(last_of_tail, candidates)
        ends = self._ending(candidates, last)
        candidates, last = candidates[ends], last[ends]
        free = depth[last] <= 0
        candidates, last = candidates[free], last[free]
        last = last[~self._going_on(candidates, last, depth, last_of_tail)]
        # White space behind the sentence is its own, up to the last line break.
        found = self.at[last] + 1
        spaced = np.flatnonzero(self.joined[last + 1] & np.append(self.blank, False)[last + 1])
        found[spaced] = white.kept[white.run[last[spaced] + 1]]
        lines = white.kept[(white.breaks > (0 if newline == "boundary" else 1)) & (depth[white.head] <= 0)]
        cuts = without_repeats(np.sort(np.concatenate((found, lines)), kind="stable"))
        return white.between_text(self.units, self._outside_clusters(cuts))

    def _outside_clusters(self, cuts: Int64) -> Int64:
        """The cuts, those inside a cluster moved behind it: what extends it stands in front of those, or behind."""
        extends = self.at[self.kind == EXTENDS]
        if not len(extends):
            return cuts
        some = np.flatnonzero(is_among(cuts, extends) | is_among(cuts, extends + 1))
        unit = np.searchsorted(self.units.start, cuts[some] - 1, side="right") - 1
        cuts[some] = behind_clusters(self.units.corpus, cuts[some], self.units.start[unit], self.units.end[unit])
        return without_repeats(cuts)

    def _depth(self, white: SpaceRuns) -> Int32:
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

    def _last_of_tail(self) -> Callable[[Int64], Int64]:
        """For some marks the last of the marks, closing brackets, quotes and emoji in a row with each."""
        tail = (self.kind <= APOSTROPHE) | (self.kind >= CLOSE)
        stops = np.ones(len(self.at), dtype=bool)
        stops[:-1] = ~(self.joined[1:-1] & tail[1:])
        number, last = np.cumsum(stops, dtype=np.int32), np.flatnonzero(stops)
        return lambda mark: last[number[mark] - stops[mark]]

    def _behind_asides(self, last_of_tail: Callable[[Int64], Int64], mark: Int64) -> Int64:
        """For each of these marks the end of its row, and of asides in brackets that follow it."""
        last = last_of_tail(mark)
        kind = np.append(self.kind, np.uint8(0))
        some = np.flatnonzero((kind[last + 1] == ROUND) & self.joined[last + 1])
        while len(some):
            found = [ASIDE.match(text) for text in self._following(last[some])]
            some = some[np.array([match is not None for match in found], dtype=bool)]
            closing = self.at[last[some]] + np.array([match.end() for match in found if match], dtype=np.int64)
            last[some] = last_of_tail(np.searchsorted(self.at, closing))
            some = some[(kind[last[some] + 1] == ROUND) & self.joined[last[some] + 1]]
        return last

    def _following(self, mark: Int64) -> list[str]:
        """What stands behind each of these marks in its unit, `LOOKS_AHEAD` characters at most."""
        corpus, place = self.units.corpus, self.at[mark]
        high = self.units.end[np.searchsorted(self.units.start, place, side="right") - 1]
        document = corpus.document_of(place)
        origin = corpus.document_start[document]
        low, high = place + 1 - origin, np.minimum(high, place + 1 + LOOKS_AHEAD) - origin
        columns = zip(document.tolist(), low.tolist(), high.tolist(), strict=True)
        return [corpus.texts[d][a:b] for d, a, b in columns]

    def _going_on(self, mark: Int64, last: Int64, depth: Int32, last_of_tail: Callable[[Int64], Int64]) -> Bool:
        """Which of these marks outside brackets, or at the end of a quotation, do not end the sentence all the same."""
        kind, behind, going_on = self.kind[mark], self.behind[last], np.zeros(len(mark), dtype=bool)
        may_say = (behind == SAYS) | (behind == UNKNOWN)
        shouts = np.flatnonzero(((kind == SHOUT) | (kind == MARK)) & may_say)
        going_on[shouts] = [SAID.match(text) is not None for text in self._following(last[shouts])]
        quoted = depth[mark] > 0
        quotes = np.flatnonzero(self.kind[last] == QUOTE)
        quoted[quotes] |= self._closes(last[quotes])
        some = np.flatnonzero(quoted & ~going_on)
        going_on[some] = self._quotations_go_on(last[some], depth, last_of_tail)
        return going_on

    def _closes(self, mark: Int64) -> Bool:
        """Which of these marks have an even number of ASCII quotes in their line up to themselves."""
        if not len(mark):
            return np.zeros(0, dtype=bool)
        quotes, lines = np.flatnonzero(self.kind == QUOTE), (self.kind >= RECORD) & (self.kind <= LF)
        edges = np.sort(np.concatenate((self.first, np.flatnonzero(lines))), kind="stable")
        line = np.append(-1, edges)[np.searchsorted(edges, mark, side="right")]
        count = np.searchsorted(quotes, mark, side="right") - np.searchsorted(quotes, line, side="left")
        return np.asarray(count % 2 == 0)

    def _quotations_go_on(self, last: Int64, depth: Int32, last_of_tail: Callable[[Int64], Int64]) -> list[bool]:
        """Whether the sentence goes on behind these marks; behind a row of quotations it is the last one that tells."""
        kind = np.append(self.kind, np.uint8(0))
        opens = _QUOTES.take(kind[last + 1]) & self.joined[last + 1]
        goes_on = np.zeros(len(last), dtype=bool)
        some = np.flatnonzero(_MAY_GO_ON[self.behind[last]])
        goes_on[some] = [GOES_ON.match(text) is not None for text in self._following(last[some])]
        found: list[bool] = goes_on.tolist()
        if not opens.any():
            return found
        closed = np.flatnonzero(depth <= 0)
        known: dict[int, bool] = {}
        for number in np.flatnonzero(opens)[::-1].tolist():
            row, place = [], int(last[number])
            while place not in known and kind[place + 1] in _QUOTATIONS and self.joined[place + 1]:
                row.append(place)
                # Unless the bracket has no partner, and so closes nowhere.
                behind = int(np.searchsorted(closed, place + 1))
                if depth[place + 1] <= 0 or behind == len(closed):
                    break
                place = int(last_of_tail(closed[behind : behind + 1])[0])
            else:
                known.setdefault(place, GOES_ON.match(self._following(np.array([place]))[0]) is not None)
            found[number] = known.get(place, False)
            known.update(dict.fromkeys(row, found[number]))
        return found

    def _ending(self, mark: Int64, last: Int64) -> Bool:
        """Which of these marks end a sentence if they are not inside brackets."""
        kind, corpus, texts = self.kind[mark], self.units.corpus, self.units.corpus.texts
        ends: Bool = kind <= SHOUT
        # A point between two digits is that of a number; texts have many.
        ruled = ~(self.numeric[mark] & (kind != MARK))
        for number, rule in ((WIDE_POINT, wide_point_ends), (POINT, point_ends), (MARK, mark_ends)):
            these = np.flatnonzero((kind == number) & ruled)
            place, behind = self.at[mark[these]], self.at[last[these]] + 1
            # What a rule looks back at begins with the unit.
            low = self.units.start[np.searchsorted(self.units.start, place, side="right") - 1]
            low = np.maximum(low, place - LOOKS_BACK)
            document = corpus.document_of(place)
            columns = [(column - corpus.document_start[document]).tolist() for column in (low, place, behind)]
            rows = zip(document.tolist(), *columns, self._following(last[these]), strict=True)
            ends[these] = [rule(texts[d], a, b, c, after) for d, a, b, c, after in rows]
        return ends
