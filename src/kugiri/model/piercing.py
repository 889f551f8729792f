"""The fewest points that hit every range of a group, for all groups at once."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.columns import Int32, Int64


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Piercing:
    """Points that together hit every range of their group; no smaller set does.

    Attributes:
        point: int64[P], ascending inside each group.
        group: int64[P], non-decreasing.
        groups: how many groups there are; one without a point has no range.
    """

    point: Int64
    group: Int64
    groups: int

    @property
    def needed(self) -> Int64:
        """int64[groups], how many points each group needs."""
        return np.bincount(self.group, minlength=self.groups).astype(np.int64)


def pierced(first: Int64, last: Int64, group: Int32 | Int64, groups: int) -> Piercing:
    """The fewest integers that hit every range `[first, last)` of each group; empty ranges are left out.

    The chunks that contain a span are a range of indices, so completing an alternative is piercing intervals: take the
    range that ends first, pierce it at its last point, drop all that this hits, repeat (the greedy algorithm is
    optimal: whatever hits that range hits no range farther right than its last point does). One round of this for all
    groups at once; there are as many rounds as the hardest group needs points.
    """
    points: list[Int64] = []
    hit_groups: list[Int64] = []
    open_ranges = np.flatnonzero(first < last)
    while len(open_ranges):
        point = np.full(groups, np.iinfo(np.int64).max)
        np.minimum.at(point, group[open_ranges], last[open_ranges] - 1)
        hit = np.unique(group[open_ranges]).astype(np.int64)
        points.append(point[hit])
        hit_groups.append(hit)
        open_ranges = open_ranges[first[open_ranges] > point[group[open_ranges]]]
    none = np.empty(0, dtype=np.int64)
    point, of = np.concatenate([none, *points]), np.concatenate([none, *hit_groups])
    # Rounds find the points of a group from left to right.
    order = np.argsort(of, kind="stable")
    return Piercing(point[order], of[order], groups)
