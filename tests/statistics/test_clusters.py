from __future__ import annotations

import numpy as np
import pytest
from clustered_worlds import worlds
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.clusters import cluster_totals
from kugiri.statistics.standard_error import standard_errors


def test_totals_are_sums_and_sizes_in_ascending_order_of_the_cluster_numbers() -> None:
    totals = cluster_totals(np.array([[1.0, 0.0], [0.5, 1.0], [0.25, 0.0], [1.0, 1.0]]), np.array([7, -2, 7, 3]))
    assert totals.sums.tolist() == [[0.5, 1.0], [1.0, 1.0], [1.25, 0.0]]
    assert totals.sizes.tolist() == [1, 1, 2]
    assert totals.means.tolist() == [2.75 / 4, 0.5]


@given(worlds())
def test_the_means_are_those_of_the_values(world) -> None:
    values, cluster = world
    assert cluster_totals(values, cluster).means == pytest.approx(values.mean(axis=0), abs=1e-14)


@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_the_questions_changes_no_bit_of_whole_and_half_scores(world, random) -> None:
    values, cluster = world
    values = np.rint(values * 2) / 2
    order = list(range(len(cluster)))
    random.shuffle(order)
    before, after = cluster_totals(values, cluster), cluster_totals(values[order], cluster[order])
    assert before.sums.tobytes() == after.sums.tobytes()
    assert before.sizes.tolist() == after.sizes.tolist()
    # … because the step of the rounding is finer than they are.
    assert before.sums.tolist() == [values[cluster == c].sum(axis=0).tolist() for c in range(len(before.sizes))]


def test_sums_add_up_without_error_in_any_order() -> None:
    rng = np.random.default_rng(5)
    sums = cluster_totals(rng.random((2_000, 1)) ** 3, rng.integers(0, 700, 2_000)).sums[:, 0]
    forward, backward = np.add.accumulate(sums)[-1], np.add.accumulate(sums[::-1])[-1]
    raw = rng.random(700) ** 3
    assert forward == backward == sum(sorted(sums.tolist()))
    assert np.add.accumulate(raw)[-1] != np.add.accumulate(raw[::-1])[-1]


def test_differences_are_b_less_a() -> None:
    totals = cluster_totals(np.array([[1.0, 0.25], [0.0, 1.0]]), np.array([0, 1]))
    difference = totals.differences(np.array([0, 1]), np.array([1, 1]))
    assert difference.sums.tolist() == [[-0.75, 0.0], [1.0, 0.0]]
    assert difference.sizes.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("values", "cluster"),
    [
        (np.zeros((0, 2)), np.zeros(0, dtype=int)),
        (np.zeros(3), np.zeros(3, dtype=int)),
        (np.zeros((3, 1)), np.zeros(2, dtype=int)),
        (np.array([[1.0], [np.nan]]), np.array([0, 1])),
        (np.array([[1.0], [np.inf]]), np.array([0, 1])),
    ],
)
def test_refused(values, cluster) -> None:
    with pytest.raises(ValueError, match="value"):
        cluster_totals(values, cluster)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=20))
def test_the_standard_error_without_clusters_is_s_over_root_n(scores) -> None:
    values = np.array(scores)[:, None]
    error = standard_errors(cluster_totals(values, np.arange(len(values))))
    assert error == pytest.approx(values.std(axis=0, ddof=1) / len(values) ** 0.5, abs=1e-15)


def test_questions_that_repeat_each_other_are_worth_one() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    single = standard_errors(cluster_totals(values[:, None], np.arange(5)))
    tripled = standard_errors(cluster_totals(np.repeat(values, 3)[:, None], np.repeat(np.arange(5), 3)))
    assert tripled == pytest.approx(single)


def test_no_spread_is_exactly_none() -> None:
    values = np.full((20, 1), 0.1)
    assert standard_errors(cluster_totals(values, np.arange(20) // 3)).tolist() == [0.0]
    values[0] = 0.1 + 1e-6
    assert standard_errors(cluster_totals(values, np.arange(20) // 3))[0] > 0


def test_one_cluster_has_no_standard_error() -> None:
    with pytest.raises(ValueError, match="two"):
        standard_errors(cluster_totals(np.ones((3, 1)), np.zeros(3, dtype=int)))
