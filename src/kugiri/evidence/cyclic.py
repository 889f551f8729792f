"""Sets of phases: unions and intersections of runs on a circle, group by group, without enumerating the circle."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.columns import Int64


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PhaseSets:
    """One set of phases for each group: disjoint intervals [low, high) of 0 … T − 1, by group, then by place.

    Attributes:
        group: int64[N], non-decreasing; a group without an interval is the empty set.
        low, high: int64[N].
    """

    group: Int64
    low: Int64
    high: Int64

    @classmethod
    def none(cls) -> PhaseSets:
        """Empty sets, however many."""
        empty = np.empty(0, dtype=np.int64)
        return cls(empty, empty, empty)

    @classmethod
    def runs(cls, group: Int64, start: Int64, count: Int64, circle: int) -> PhaseSets:
        """The union of the runs of each group: `count` phases from `start` on, around a circle of that many phases."""
        some = count > 0
        group, start, count = group[some], start[some], count[some]
        end = start + count
        around = end > circle
        group = np.concatenate((group, group[around]))
        low = np.concatenate((start, np.zeros(int(around.sum()), dtype=np.int64)))
        high = np.concatenate((np.minimum(end, circle), end[around] - circle))
        return _covered(group, low, high, 1)

    def shared(self, member: Int64, members: Int64) -> PhaseSets:
        """For each larger group the phases that all of its members have.

        Args:
            member: int64, the larger group of each group of this set.
            members: int64, how many groups each larger group has.
        """
        owner = member[self.group]
        return _covered(owner, self.low, self.high, members)

    def counts(self, groups: int) -> Int64:
        """int64[groups], how many phases each set has."""
        # Counts are far below 2**53, so that the sums are exact.
        return np.bincount(self.group, weights=self.high - self.low, minlength=groups).astype(np.int64)

    def totals(self, circle: int) -> Int64:
        """int64[T], in how many sets each phase is."""
        change = np.bincount(self.low, minlength=circle + 1) - np.bincount(self.high, minlength=circle + 1)
        return np.cumsum(change[:circle])


def _covered(group: Int64, low: Int64, high: Int64, times: Int64 | int) -> PhaseSets:
    """Where at least so many intervals of a group lie (`times`: for all groups, or for each)."""
    if not len(group):
        return PhaseSets(group, low, high)
    owner, place = np.concatenate((group, group)), np.concatenate((low, high))
    change = np.repeat(np.array([1, -1]), len(group))
    order = np.lexsort((place, owner))
    owner, place, depth = owner[order], place[order], np.cumsum(change[order])
    # Every interval of a group begins and ends in it, so that the depth is 0 where the next group begins.
    needed = times if isinstance(times, int) else times[owner]
    inside = (depth >= needed) & (np.append(place[1:], 0) > place)
    inside[:-1] &= owner[1:] == owner[:-1]
    inside[-1] = False
    found = np.flatnonzero(inside)
    return PhaseSets(owner[found], place[found], place[found + 1])
