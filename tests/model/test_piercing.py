"""The fewest points that hit every range, against trying every set of points."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.model.piercing import pierced

Range = tuple[int, int]
RANGES = st.tuples(st.integers(0, 7), st.integers(0, 4)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def fewest(ranges: list[Range]) -> int:
    filled = [(low, high) for low, high in ranges if low < high]
    points = range(12)
    return next(
        count
        for count in range(len(filled) + 1)
        if any(
            all(any(low <= p < high for p in chosen) for low, high in filled) for chosen in combinations(points, count)
        )
    )


@settings(max_examples=300)
@given(st.lists(st.lists(RANGES, max_size=5), max_size=4), st.randoms(use_true_random=False))
def test_points_hit_every_range_and_no_fewer_do(groups: list[list[Range]], draw: object) -> None:
    flat = [(low, high, group) for group, ranges in enumerate(groups) for low, high in ranges]
    draw.shuffle(flat)  # type: ignore[attr-defined]
    first, last, group = (
        (np.array(column, dtype=np.int64) for column in zip(*flat, strict=True))
        if flat
        else (np.empty(0, np.int64),) * 3
    )
    found = pierced(first, last, group, len(groups))
    assert found.needed.tolist() == [fewest(ranges) for ranges in groups]
    assert (np.diff(found.group) >= 0).all()
    for number, ranges in enumerate(groups):
        points = found.point[found.group == number].tolist()
        assert points == sorted(set(points))
        assert all(any(low <= point < high for point in points) for low, high in ranges if low < high)


def test_nothing_to_hit() -> None:
    none = np.empty(0, dtype=np.int64)
    found = pierced(none, none, none, 2)
    assert (found.needed.tolist(), len(found.point)) == ([0, 0], 0)
