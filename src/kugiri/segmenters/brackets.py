"""Brackets that belong together, in columns."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Bool, Int64

LONGEST = 500
"""A bracket whose partner is further away than this many characters has none: one that was forgotten hides nothing."""


def paired(position: Int64, opens: Bool, segment: Int64) -> tuple[Int64, Int64]:
    """Which brackets of one kind have a partner.

    A closing bracket belongs to the last opening one before it that is still open, in the same segment; one that finds
    none, an opening one that is never closed, and pairs of more than `LONGEST` characters are left out.

    Args:
        position: int64[B], where the brackets stand, increasing.
        opens: bool[B], which of them open.
        segment: int64[B], non-decreasing; nothing is paired across segments.

    Returns:
        The indices of the opening and of the closing brackets, pair by pair.
    """
    if not len(position):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    # The level counts from nothing open; a closing bracket that lowers the floor met nothing open. Every segment begins
    # so far below the one in front of it that its floor is its own.
    new = np.concatenate(([True], segment[1:] != segment[:-1]))
    number = np.cumsum(new) - 1
    step = np.where(opens, 1, -1)
    level = np.cumsum(step)
    level -= (level - step)[new][number] + number * (2 * len(position) + 2)
    floor = np.minimum.accumulate(np.where(new, np.minimum(level, level - step), level))
    stray = ~opens & np.concatenate(([True], floor[1:] < floor[:-1]))
    depth = level - floor + ~opens
    # Of one depth, the brackets of a segment come as open, close, open, close, …; only the last may stay open.
    kept = np.flatnonzero(~stray)
    order = kept[np.argsort(depth[kept], kind="stable")]
    first, second = order[:-1], order[1:]
    together = (
        opens[first]
        & ~opens[second]
        & (number[first] == number[second])
        & (depth[first] == depth[second])
        & (position[second] - position[first] <= LONGEST)
    )
    return first[together], second[together]
