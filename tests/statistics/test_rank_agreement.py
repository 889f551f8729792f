from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.rank_agreement import kendall_tau_b

SCORES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9)


def by_pairs(a: list[int], b: list[int]) -> float | None:
    pairs = [(i, j) for i in range(len(a)) for j in range(i)]
    signs = [(np.sign(a[i] - a[j]), np.sign(b[i] - b[j])) for i, j in pairs]
    free = [sum(sign[side] != 0 for sign in signs) for side in (0, 1)]
    return sum(x * y for x, y in signs) / sqrt(free[0] * free[1]) if all(free) else None


@given(SCORES)
def test_pair_by_pair(scores: list[tuple[int, int]]) -> None:
    a, b = map(list, zip(*scores, strict=True))
    found = kendall_tau_b(np.array(a, dtype=float), np.array(b, dtype=float))
    expected = by_pairs(a, b)
    assert (found is None) == (expected is None)
    assert found is None or found == pytest.approx(expected)


def test_undefined() -> None:
    one, same = np.array([1.0]), np.array([2.0, 2.0])
    assert kendall_tau_b(one, one) is None
    assert kendall_tau_b(same, np.array([1.0, 2.0])) is None
    assert kendall_tau_b(np.array([]), np.array([])) is None


def test_the_same_order_is_exactly_one() -> None:
    scores = np.array([0.1, 0.3, 0.3, 0.7])
    assert kendall_tau_b(scores, 2 * scores) == 1
    assert kendall_tau_b(scores, -scores) == -1


@pytest.mark.oracle
def test_scipy_says_the_same() -> None:
    from scipy.stats import kendalltau

    drawn = np.random.default_rng(5)
    for _ in range(200):
        a, b = drawn.integers(0, 6, (2, 20)).astype(float)
        assert kendall_tau_b(a, b) == pytest.approx(kendalltau(a, b).statistic, abs=1e-12)
