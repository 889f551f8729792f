from __future__ import annotations

import numpy as np
import pytest
from clustered_worlds import all_pairs, brute_force_max_t, worlds
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.clusters import cluster_totals
from kugiri.statistics.sign_flip import sign_flip_test


def noisy(clusters: int = 30, pairs: int = 4, seed: int = 21):
    return np.random.default_rng(seed).normal(0.2, 1.0, (clusters, pairs))


@given(worlds())
def test_all_flips_give_the_p_of_a_loop_over_all_flips(world) -> None:
    totals = cluster_totals(*world)
    test = sign_flip_test(totals.sums, 10_000, 1)
    alone, family = brute_force_max_t(totals.sums)
    assert (test.exact, test.flips) == (True, 2 ** len(totals.sizes))
    assert test.p.tolist() == alone
    assert test.p_adjusted.tolist() == family


@given(worlds(columns=3))
def test_with_clusters_of_one_size_recomputing_the_standard_error_changes_no_p(world) -> None:
    values, cluster = world
    _, first = np.unique(cluster, return_index=True)
    totals = cluster_totals(values[first], cluster[first])
    test = sign_flip_test(totals.sums, 10_000, 1)
    alone, family = brute_force_max_t(totals.sums, recompute=totals.sizes)
    assert test.p.tolist() == alone
    assert test.p_adjusted.tolist() == family


def test_random_flips_estimate_the_p_of_all_flips() -> None:
    sums = noisy(12)
    every, some = sign_flip_test(sums, 4_096, 1), sign_flip_test(sums, 4_095, 1)
    assert (every.exact, some.exact, some.flips) == (True, False, 4_095)
    # Four standard deviations of a share of 4,095.
    assert some.p == pytest.approx(every.p, abs=4 * 0.5 / 4_095**0.5)
    assert some.p_adjusted == pytest.approx(every.p_adjusted, abs=4 * 0.5 / 4_095**0.5)
    assert some.p.tolist() != every.p.tolist()


def test_the_statistic_is_the_mean_difference_in_standard_errors_around_0() -> None:
    sums = np.array([[3.0], [4.0], [-1.0]])
    assert sign_flip_test(sums, 10, 1).statistic == pytest.approx([6 / 26**0.5])


@given(worlds(columns=2), st.sampled_from([100, 10_000]))
def test_L101_swapping_a_and_b_negates_the_statistic_and_keeps_p(world, resamples) -> None:
    totals = cluster_totals(*world)
    one, two = np.array([0]), np.array([1])
    forward = sign_flip_test(totals.differences(one, two).sums, resamples, 1)
    backward = sign_flip_test(totals.differences(two, one).sums, resamples, 1)
    assert forward.statistic.tolist() == (-backward.statistic).tolist()
    assert forward.p.tolist() == backward.p.tolist()


@pytest.mark.parametrize("clusters", [3, 40])
def test_L101_identical_systems_have_p_1(clusters) -> None:
    values = np.random.default_rng(3).random((80, 2))
    values[:, 1] = values[:, 0]
    totals = cluster_totals(values, np.arange(80) % clusters).differences(np.array([0]), np.array([1]))
    test = sign_flip_test(totals.sums, 1_000, 1)
    assert (test.statistic.tolist(), test.p.tolist(), test.p_adjusted.tolist()) == ([0.0], [1.0], [1.0])


def test_L101_p_is_never_0() -> None:
    random = sign_flip_test(np.ones((60, 1)), 999, 1)
    assert random.p.tolist() == random.p_adjusted.tolist() == [1 / 1_000]
    exact = sign_flip_test(np.ones((6, 1)), 999, 1)
    assert exact.p.tolist() == exact.p_adjusted.tolist() == [2 / 64]


def test_L101_sums_that_tie_on_paper_tie() -> None:
    # 1/3 + 1/6 − 1/2 is −5.6e−17 here: the flips that give 0 on paper must count against an observed 0, and so on.
    values = np.array([[0, 1 / 3], [0, 1 / 6], [1 / 2, 0], [0, 1 / 3], [0, 1 / 6], [1 / 2, 0]])
    totals = cluster_totals(values, np.arange(6)).differences(np.array([0]), np.array([1]))
    assert sign_flip_test(totals.sums, 100, 1).p.tolist() == [1.0]
    whole = np.array([[2.0], [1.0], [-3.0], [2.0], [1.0], [3.0]])
    assert sign_flip_test(whole / 6, 100, 1).p.tolist() == sign_flip_test(whole, 100, 1).p.tolist()


@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_questions_and_the_names_of_clusters_do_not_matter(world, random) -> None:
    values, cluster = world
    order, names = list(range(len(cluster))), list(range(100, 100 + len(cluster)))
    random.shuffle(order)
    random.shuffle(names)
    before = sign_flip_test(cluster_totals(values, cluster).sums, 10_000, 1)
    after = sign_flip_test(cluster_totals(values[order], np.array(names)[cluster][order]).sums, 10_000, 1)
    assert after.p.tolist() == before.p.tolist()
    assert after.p_adjusted.tolist() == before.p_adjusted.tolist()


@given(worlds(), st.sampled_from([3, 50, 10_000]))
def test_adjusted_p_is_never_below_p_and_falls_as_the_statistic_grows(world, resamples) -> None:
    test = sign_flip_test(cluster_totals(*world).sums, resamples, 1)
    assert (test.p > 0).all()
    assert (test.p_adjusted <= 1).all()
    assert (test.p_adjusted >= test.p).all()
    order = np.argsort(np.abs(test.statistic))
    assert (np.diff(test.p_adjusted[order]) <= 0).all()


@given(worlds(columns=3), st.floats(0.001, 1_000))
def test_the_unit_of_the_metric_does_not_matter(world, unit) -> None:
    sums = cluster_totals(*world).sums
    assert (
        sign_flip_test(sums * unit, 10_000, 1).p_adjusted.tolist()
        == sign_flip_test(sums, 10_000, 1).p_adjusted.tolist()
    )


def test_a_pair_added_to_the_family_can_only_raise_the_adjusted_p() -> None:
    sums = noisy(25, 6)
    small, large = sign_flip_test(sums[:, :3], 2_000, 1), sign_flip_test(sums, 2_000, 1)
    assert large.p[:3].tolist() == small.p.tolist()
    assert (large.p_adjusted[:3] >= small.p_adjusted).all()
    assert (large.p_adjusted[:3] > small.p_adjusted).any()


def test_pairs_that_repeat_each_other_cost_nothing() -> None:
    sums = noisy(25, 1)
    test = sign_flip_test(np.repeat(sums, 5, axis=1), 2_000, 1)
    assert test.p_adjusted.tolist() == test.p.tolist()


def test_questions_that_repeat_each_other_in_a_cluster_are_no_evidence() -> None:
    values = np.array([0.9, -0.3, 0.5, 1.2, -0.8, 0.7, 0.1, 0.4, -0.2, 0.6, 0.3])
    once = sign_flip_test(cluster_totals(values[:, None], np.arange(11)).sums, 10_000, 1)
    often = sign_flip_test(cluster_totals(np.repeat(values, 9)[:, None], np.repeat(np.arange(11), 9)).sums, 10_000, 1)
    unclustered = sign_flip_test(cluster_totals(np.repeat(values, 9)[:, None], np.arange(99)).sums, 10_000, 1)
    assert often.p.tolist() == once.p.tolist()
    assert unclustered.p[0] < once.p[0] / 10


def test_one_cluster_shows_nothing_and_no_pair_no_p() -> None:
    assert sign_flip_test(np.array([[5.0]]), 100, 1).p.tolist() == [1.0]
    assert sign_flip_test(np.zeros((40, 0)), 100, 1).p_adjusted.tolist() == []


@pytest.mark.parametrize(
    ("sums", "resamples", "seed"),
    [
        (np.zeros((0, 1)), 10, 1),
        (np.zeros(4), 10, 1),
        (np.zeros((4, 1)), 0, 1),
        (np.zeros((4, 1)), 100, -1),
        (np.array([[np.nan]]), 10, 1),
    ],
)
def test_refused(sums, resamples, seed) -> None:
    with pytest.raises(ValueError, match="finite sums"):
        sign_flip_test(sums, resamples, seed)


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(8))
def test_equal_to_scipy_permutation_test_over_all_flips(seed) -> None:
    from scipy.stats import permutation_test

    rng = np.random.default_rng(seed)
    a, b = (rng.random((2, 10)) if seed % 2 else rng.integers(0, 2, (2, 10))).astype(float)
    theirs = permutation_test(
        (b, a),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative="two-sided",
    )
    totals = cluster_totals(np.column_stack((a, b)), np.arange(10)).differences(np.array([0]), np.array([1]))
    ours = sign_flip_test(totals.sums, 1_024, 1)
    assert ours.exact
    assert totals.means == pytest.approx([theirs.statistic])
    assert ours.p == pytest.approx([theirs.pvalue])


@pytest.mark.oracle
def test_equal_to_scipy_permutation_test_when_whole_clusters_are_exchanged() -> None:
    from scipy.stats import permutation_test

    rng = np.random.default_rng(14)
    totals = cluster_totals(rng.random((40, 3)), rng.integers(0, 9, 40))
    a, b = all_pairs(3)
    ours = sign_flip_test(totals.differences(a, b).sums, 512, 1)
    for pair in range(3):
        theirs = permutation_test(
            (totals.sums[:, b[pair]], totals.sums[:, a[pair]]),
            lambda x, y, axis: np.sum(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
        )
        assert ours.p[pair] == pytest.approx(theirs.pvalue)
