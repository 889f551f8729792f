from __future__ import annotations

import numpy as np
import pytest
from clustered_worlds import worlds
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.clusters import ClusterTotals, cluster_totals
from kugiri.statistics.equivalence import tost


def spread_around(mean: float, clusters: int = 100) -> ClusterTotals:
    """Differences of mean `mean` whose standard error is about 0.01 with 100 clusters."""
    noise = np.where(np.arange(clusters) % 2, 0.1, -0.1)
    return cluster_totals((noise + mean)[:, None], np.arange(clusters))


@pytest.mark.parametrize(
    ("mean", "equivalent"), [(0.0, True), (0.03, True), (0.04, False), (-0.03, True), (-0.04, False), (0.2, False)]
)
def test_equivalent_only_where_the_whole_interval_is_inside_the_margin(mean, equivalent) -> None:
    # t.95 with 99 degrees of freedom is 1.66: the interval is ± 0.0167 around the mean.
    result = tost(spread_around(mean), 0.05)
    assert result.equivalent.tolist() == [equivalent]
    assert result.high - result.low == pytest.approx([2 * 0.016687], abs=1e-5)


def test_no_difference_detected_is_not_equivalence() -> None:
    few = spread_around(0.0, 6)
    assert tost(few, 0.05).equivalent.tolist() == [False]
    assert few.means == pytest.approx([0.0])


@given(worlds(), st.sampled_from([0.01, 0.2, 0.6, 0.95]), st.sampled_from([0.01, 0.05, 0.2]))
def test_the_interval_and_the_p_agree(world, margin, alpha) -> None:
    totals = cluster_totals(*world)
    result = tost(totals, margin, alpha)
    inside = (result.low >= -margin) & (result.high <= margin)
    assert (result.p >= 0).all()
    assert (result.p <= 1).all()
    clear = np.abs(result.p - alpha) > 1e-9
    assert (result.equivalent == inside)[clear].all()


@given(worlds(columns=2), st.sampled_from([0.05, 0.3, 0.8]))
def test_swapping_a_and_b_mirrors_the_interval_and_keeps_p(world, margin) -> None:
    totals = cluster_totals(*world)
    one, two = np.array([0]), np.array([1])
    forward, backward = tost(totals.differences(one, two), margin), tost(totals.differences(two, one), margin)
    assert forward.p.tolist() == backward.p.tolist()
    assert forward.low.tolist() == (-backward.high).tolist()


@pytest.mark.parametrize(("clusters", "equivalent"), [(58, False), (59, True)])
def test_without_any_difference_only_enough_questions_show_equivalence(clusters, equivalent) -> None:
    # The rule of three: 0.95^58 = .0510, 0.95^59 = .0485.
    totals = cluster_totals(np.zeros((clusters, 1)), np.arange(clusters))
    result = tost(totals, 0.05)
    assert result.p == pytest.approx([0.95**clusters])
    assert result.equivalent.tolist() == [equivalent]
    assert (result.high[0] <= 0.05) == equivalent


def test_clusters_of_unequal_size_count_for_less_there() -> None:
    even = cluster_totals(np.zeros((80, 1)), np.arange(80) // 2)
    uneven = cluster_totals(np.zeros((80, 1)), np.maximum(np.arange(80) - 40, 0))
    assert (len(even.sizes), len(uneven.sizes)) == (40, 40)
    assert tost(even, 0.05).p == pytest.approx([0.95**40])
    assert tost(uneven, 0.05).p == pytest.approx([0.95 ** (80**2 / (41**2 + 39))])


def test_one_and_the_same_difference_beyond_the_margin_is_not_equivalent() -> None:
    result = tost(cluster_totals(np.full((500, 1), 0.1), np.arange(500)), 0.05)
    assert (result.p.tolist(), result.equivalent.tolist()) == ([1.0], [False])
    inside = tost(cluster_totals(np.full((500, 1), 0.01), np.arange(500)), 0.05)
    assert inside.p == pytest.approx([(1 - 0.04 / 1.01) ** 500])


@pytest.mark.parametrize(("margin", "alpha"), [(0.0, 0.05), (-0.1, 0.05), (float("nan"), 0.05), (0.1, 0.0), (0.1, 0.5)])
def test_refused(margin, alpha) -> None:
    with pytest.raises(ValueError, match="margin above 0"):
        tost(spread_around(0.0), margin, alpha)


def test_one_cluster_is_refused() -> None:
    with pytest.raises(ValueError, match="two"):
        tost(cluster_totals(np.zeros((5, 1)), np.zeros(5, dtype=int)), 0.1)


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(5))
def test_equal_to_statsmodels_and_scipy_where_every_question_is_its_own_cluster(seed) -> None:
    from scipy.stats import ttest_1samp
    from statsmodels.stats.weightstats import ttost_paired

    rng = np.random.default_rng(seed)
    a, b = rng.random((2, 35))
    ours = tost(cluster_totals((b - a)[:, None], np.arange(35)), 0.12)
    assert ours.p == pytest.approx([ttost_paired(b, a, -0.12, 0.12)[0]], rel=1e-10)
    interval = ttest_1samp(b - a, 0).confidence_interval(0.90)
    assert (ours.low[0], ours.high[0]) == pytest.approx((interval.low, interval.high), rel=1e-10)
    one_sided = (ttest_1samp(b - a, -0.12, alternative="greater"), ttest_1samp(b - a, 0.12, alternative="less"))
    assert ours.p == pytest.approx([max(side.pvalue for side in one_sided)], rel=1e-10)
