"""Packing: units joined under a size, cut at the strongest place within reach."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from kugiri.chunkers.measures import CodePoints, Measure, too_large
from kugiri.chunkers.pieces import MUST, Pieces
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int32, Int64
from kugiri.model.windows import Windows


def pack(pieces: Pieces, windows: Windows, measure: Measure | None = None) -> Chunking:
    """The chunks of these pieces, none larger than `windows.size`.

    From where a chunk starts, it runs to the strongest place that it can reach, the last of them where several are
    equally strong, and to the end of its document or section if that can be reached. The next chunk starts there, or
    before it by as many whole units as the overlap holds, in the same document or section; it always starts behind the
    start of the chunk in front of it and reaches further. A unit larger than the size is cut like `fixed`, at grapheme
    clusters or tokens. Only what cannot be cut, a cluster or token larger than the size, is ever larger than it.

    Where the chunk by itself has more tokens than it has in its document, it reaches as many fewer; where that leaves
    nothing further than the chunk in front of it, it repeats as many fewer of that.

    Args:
        pieces: the places.
        windows: size and overlap, in units of `measure`.
        measure: what sizes are counted in; None counts code points.
    """
    measured = measure if measure is not None else CodePoints(pieces.units.corpus)
    refined = _refined(pieces, windows, measured)
    low, high = _Path.of(refined, windows, measured).chunks()
    return Chunking(refined.units.corpus, refined.units.start[low], refined.units.end[high - 1])


def _refined(pieces: Pieces, windows: Windows, measure: Measure) -> Pieces:
    """The pieces with every unit larger than the size cut into units that are not, as far as they can be cut."""
    units, strength = pieces.units, pieces.strength
    large = too_large(measure, units.start, units.end, windows.size)
    if not large.any():
        return pieces
    inner = measure.atoms(units.start[large], units.end[large], windows)
    place = np.searchsorted(units.start, inner)
    start, end = np.insert(units.start, place, inner), np.insert(units.end, place - 1, inner)
    # Weaker than every place between units: a cut inside a unit is the last resort.
    level = np.insert(np.minimum(strength + 1, MUST), place, np.int32(1))
    return Pieces(Boundaries(units.corpus, start, end), level)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """From every place that a chunk may end at, where the next starts and how far that may run.

    A place is in front of a unit, or behind the last.

    Attributes:
        until: int64[N], sizes at the start of each unit.
        place: int64[K], the numbers of the units in front of which a chunk may end, the first 0, the last N.
        up_to: int64[K], sizes at the end of the unit in front of each place; of the first, at the start of the axis.
        last: for each strength in use, the strongest first, int64[K]: which of the places is the last at or before each
            that is at least so strong.
        section: int64[K], which is the first behind each where every chunk ends.
    """

    units: Boundaries
    windows: Windows
    measure: Measure
    until: Int64
    place: Int64
    up_to: Int64
    last: tuple[Int64, ...]
    section: Int64

    @classmethod
    def of(cls, pieces: Pieces, windows: Windows, measure: Measure) -> _Path:
        units = pieces.units
        until, up_to = measure.until(units.start), np.append(0, measure.up_to(units.end))
        strength = np.append(pieces.strength, np.int32(MUST))
        levels = np.flatnonzero(np.bincount(strength))[::-1].tolist()
        place = np.arange(len(strength))
        if measure.adds_up:
            place = _within_reach(strength, levels, up_to, windows.stride)
        up_to, strength = up_to[place], strength[place]
        number = np.arange(len(place))
        last = tuple(np.maximum.accumulate(np.where(strength >= level, number, 0)) for level in levels)
        must = np.flatnonzero(strength == MUST)
        section = np.append(np.repeat(must[1:], np.diff(must)), must[-1])
        return cls(units, windows, measure, until, place, up_to, last, section)

    def chunks(self) -> tuple[Int64, Int64]:
        """int64[C] each: the first unit of every chunk, and one past its last."""
        first, end = self._following()
        ends = _followed(end)
        low = first[ends[:-1]]
        if self.measure.adds_up and (low[1:] > low[:-1]).all():
            return low, self.place[ends[1:]]
        return self._step_by_step(first.data, end.data)

    def _step_by_step(self, first: Sequence[int], ends: Sequence[int]) -> tuple[Int64, Int64]:
        """The same where what follows a place depends on the chunk in front of it, or has to be measured by itself."""
        low, high, start, behind = [], [], -1, 0
        while behind < len(ends):
            begin, end = first[behind], ends[behind]
            if begin <= start:
                # The chunk in front is no larger than the overlap: start behind its start all the same.
                begin = start + 1
                end = self._end(behind, self._reach(behind, begin))
            if not self.measure.adds_up:
                begin, end = self._fitting(behind, begin, end)
            low.append(begin)
            high.append(end)
            start, behind = begin, end
        return np.array(low, dtype=np.int64), self.place[np.array(high, dtype=np.int64)]

    def _following(self) -> tuple[Int64, Int64]:
        """int64[K - 1] each: the unit that the chunk behind each place starts with, and the place that it runs to."""
        behind = np.arange(len(self.place) - 1)
        first = self.place[:-1]
        if self.windows.overlap_units:
            # What the overlap holds, but not so much that the place behind this one is out of reach.
            least = np.maximum(self.up_to[:-1] - self.windows.overlap_units, self.up_to[1:] - self.windows.size)
            first = np.clip(np.searchsorted(self.until, least), self.place[self.last[0][:-1]], first)
        reach = np.searchsorted(self.up_to, self.until[first] + self.windows.size, side="right") - 1
        reach = np.clip(reach, behind + 1, self.section[:-1])
        end = reach
        for last in reversed(self.last):
            found = last[reach]
            end = np.where(found > behind, found, end)
        return first, end

    def _reach(self, behind: int, first: int) -> int:
        """The last place behind this one that a chunk starting with this unit can reach."""
        reach = bisect_right(self.up_to, self.until[first] + self.windows.size) - 1
        return int(min(max(reach, behind + 1), self.section[behind]))

    def _end(self, behind: int, reach: int) -> int:
        """The strongest place behind the one and up to the other."""
        return next(int(last[reach]) for last in self.last if last[reach] > behind)

    def _fitting(self, behind: int, begin: int, end: int) -> tuple[int, int]:
        """The chunk from this unit to this place, or a smaller one that has no more tokens by itself than the size."""
        units, nearest, unit = self.units, behind + 1, int(self.place[behind])
        while begin < unit or end > nearest:
            alone = self.measure.alone(int(units.start[begin]), int(units.end[self.place[end] - 1]))
            excess = alone - self.windows.size
            if excess <= 0:
                break
            if end > nearest:
                reach = min(bisect_right(self.up_to, self.up_to[end] - excess), end) - 1
                end = self._end(behind, max(reach, nearest))
            else:
                begin = min(max(bisect_right(self.until, self.until[begin] + excess - 1), begin + 1), unit)
                end = self._end(behind, self._reach(behind, begin))
        return begin, end


def _followed(end: Int64) -> Int64:
    """The places that a path comes by which leads from each to the next, from the first to behind the last."""
    following, found = end.data, [0]
    while found[-1] < len(end):
        found.append(following[found[-1]])
    return np.array(found, dtype=np.int64)


def _within_reach(strength: Int32, levels: Sequence[int], up_to: Int64, stride: int) -> Int64:
    """The places that a chunk may end at.

    Between two stronger places that are no further apart than chunks advance, no place is the strongest within reach:
    whatever reaches it reaches the one behind it too, or has the one in front of it still before itself.
    """
    chosen = strength == MUST
    for level in levels[1:]:
        kept = np.flatnonzero(chosen)
        wide = np.diff(up_to[kept]) > stride
        if not wide.any():
            break
        chosen |= np.append(np.repeat(wide, np.diff(kept)), False) & (strength == level)
    return np.flatnonzero(chosen)
