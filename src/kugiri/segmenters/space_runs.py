"""Unbroken runs of white space among the marks of a text, and the line breaks in them."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Bool, Int32, Int64, concatenated_ranges
from kugiri.segmenters.characters import Classes
from kugiri.segmenters.text_marks import CR, LF, RECORD, TAB


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SpaceRuns:
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
    def of(cls, at: Int64, kind: Classes, joined: Bool) -> SpaceRuns:
        """The runs among marks, `joined` those that stand right behind the mark in front of them, in the same unit."""
        blank = (kind >= TAB) & (kind <= LF)
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
