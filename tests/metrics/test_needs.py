from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.evidence.loss import loss_of
from kugiri.metrics.needs import Needs
from kugiri.model.piercing import pierced
from worlds import Asked, Span, World, needs, random_world, worlds


def values(world: World) -> list[int | None]:
    outcomes = Needs().of(loss_of("drawn", world.chunking(), world.questions()))
    assert outcomes.metric == "needs"
    assert np.isnan(outcomes.value).tolist() == (~outcomes.defined).tolist()
    return [int(value) if defined else None for value, defined in zip(outcomes.value, outcomes.defined, strict=True)]


@settings(max_examples=300)
@given(worlds())
def test_the_fewest_chunks_by_trying_every_set_of_them(world: World) -> None:
    assert values(world) == [needs(world.chunks, asked) for asked in world.asked]


def test_the_fewest_chunks_in_many_random_worlds() -> None:
    draw = random.Random(31)
    seen: set[int | None] = set()
    for _ in range(700):
        world = random_world(draw.randrange(10**9), draw.randint(1, 3), draw.randint(1, 14), draw.randint(1, 5))
        expected = [needs(world.chunks, asked) for asked in world.asked]
        assert values(world) == expected, world
        seen |= set(expected)
    assert seen >= {None, 1, 2, 3}


CHUNKS: tuple[Span, ...] = ((0, 0, 4), (0, 2, 6), (0, 6, 10), (1, 0, 2))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ([[(0, 0, 2)]], 1),
        ([[(0, 0, 2), (0, 2, 4)]], 1),
        ([[(0, 2, 3), (0, 3, 6)]], 1),
        ([[(0, 0, 2), (0, 4, 6)]], 2),
        ([[(0, 0, 2), (0, 4, 6), (0, 6, 7)]], 3),
        ([[(0, 0, 2), (1, 0, 1)]], 2),
        ([[(0, 0, 2), (1, 0, 1)], [(0, 6, 7)]], 1),
        ([[(0, 0, 2), (0, 5, 7)], [(0, 0, 1), (0, 9, 10)]], 2),
        ([[(0, 5, 7)]], None),
        ([], None),
    ],
)
def test_alternatives_and_spans_needed_together(asked: Asked, expected: int | None) -> None:
    assert values(World(("一二三四五六七八九十", "甲乙"), ((), ()), (asked,), CHUNKS)) == [expected]


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5), st.integers(0, 2)), max_size=9))
def test_piercing_ranges_with_the_fewest_points(ranges: list[tuple[int, int, int]]) -> None:
    first = np.array([low for low, _, _ in ranges], dtype=np.int64)
    last = np.array([low + width for low, width, _ in ranges], dtype=np.int64)
    group = np.array([g for _, _, g in ranges], dtype=np.int32)
    expected = []
    for number in range(3):
        open_ranges = [set(range(low, low + width)) for low, width, g in ranges if g == number and width]
        points = sorted(set().union(*open_ranges)) if open_ranges else []
        best = 0
        while open_ranges and not _pierces(open_ranges, points, best):
            best += 1
        expected.append(best)
    assert pierced(first, last, group, 3).needed.tolist() == expected


def _pierces(ranges: list[set[int]], points: list[int], count: int) -> bool:
    """Whether some `count` points hit all ranges, by trying all of them."""
    if not ranges:
        return True
    return count > 0 and any(_pierces([r for r in ranges if point not in r], points, count - 1) for point in points)
