"""Brackets against a stack, one segment after the other."""

from __future__ import annotations

import random

import numpy as np

from kugiri.segmenters.brackets import LONGEST, paired


def by_stack(position: list[int], opens: list[bool], segment: list[int]) -> list[tuple[int, int]]:
    stack: list[int] = []
    found = []
    for index in range(len(position)):
        if index and segment[index] != segment[index - 1]:
            stack = []
        if opens[index]:
            stack.append(index)
        elif stack:
            partner = stack.pop()
            if position[index] - position[partner] <= LONGEST:
                found.append((partner, index))
    return sorted(found)


def pairs(position: list[int], opens: list[bool], segment: list[int]) -> list[tuple[int, int]]:
    left, right = paired(np.array(position, dtype=np.int64), np.array(opens, dtype=bool), np.array(segment, dtype=int))
    return sorted(zip(left.tolist(), right.tolist(), strict=True))


def test_brackets_pair_like_on_a_stack() -> None:
    draw = random.Random(1)
    for _ in range(5000):
        count = draw.randint(0, 14)
        opens = [draw.random() < 0.5 for _ in range(count)]
        position = np.cumsum([draw.choice((1, 1, 2, 130, 400)) for _ in range(count)]).tolist()
        segment = np.cumsum([draw.random() < 0.15 for _ in range(count)]).tolist()
        assert pairs(position, opens, segment) == by_stack(position, opens, segment), (position, opens, segment)


def test_a_partner_too_far_away_is_none() -> None:
    assert pairs([0, LONGEST], [True, False], [0, 0]) == [(0, 1)]
    assert pairs([0, LONGEST + 1], [True, False], [0, 0]) == []


def test_deep_nesting_and_a_row_that_never_closes() -> None:
    count = 100_000
    assert len(pairs(list(range(count)), [True] * count, [0] * count)) == 0
    assert len(pairs(list(range(count)), [False] * count, [0] * count)) == 0
    nested = pairs(list(range(2 * count)), [True] * count + [False] * count, [0] * 2 * count)
    assert len(nested) == (LONGEST + 1) // 2
    assert nested[-1] == (count - 1, count)
