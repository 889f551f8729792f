from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from clustered_worlds import worlds
from hypothesis import given

from kugiri.statistics.bootstrap import draw_weights, resampled_means
from kugiri.statistics.bootstrap_intervals import bca_intervals, percentile_intervals
from kugiri.statistics.clusters import ClusterTotals, cluster_totals


def skewed(clusters: int = 60, columns: int = 3) -> ClusterTotals:
    rng = np.random.default_rng(11)
    values = (rng.random((3 * clusters, columns)) < 0.08).astype(float)
    return cluster_totals(values, np.arange(3 * clusters) % clusters * rng.integers(1, 3, 3 * clusters))


def test_the_percentile_limits_interpolate_between_order_statistics() -> None:
    resampled = np.array([[3.0], [0.0], [1.0], [2.0]])
    interval = percentile_intervals(resampled, level=0.8)
    # Positions 3 · 0.1 and 3 · 0.9 of 0, 1, 2, 3.
    assert interval.low == pytest.approx([0.3])
    assert interval.high == pytest.approx([2.7])


def test_bca_moves_towards_the_long_tail_of_a_rare_event() -> None:
    totals = skewed()
    resampled = resampled_means(draw_weights(len(totals.sizes), 4_000, 1), totals)
    percentile, bca = percentile_intervals(resampled), bca_intervals(resampled, totals)
    assert (bca.low > percentile.low).all()
    assert (bca.high > percentile.high).all()


def test_bca_is_the_percentile_interval_where_there_is_neither_bias_nor_skew() -> None:
    totals = ClusterTotals(np.array([[-1.0], [1.0], [-2.0], [2.0]]), np.ones(4, dtype=np.int64))
    half = resampled_means(draw_weights(4, 500, 1), totals)
    resampled = np.concatenate((half, -half))
    percentile, bca = percentile_intervals(resampled), bca_intervals(resampled, totals)
    assert bca.low == pytest.approx(percentile.low)
    assert bca.high == pytest.approx(percentile.high)


def test_ties_with_the_observed_mean_count_half() -> None:
    totals = ClusterTotals(np.array([[-1.0], [0.0], [1.0]]), np.ones(3, dtype=np.int64))
    resampled = np.array([[0.0]] * 90 + [[-0.5]] * 5 + [[0.5]] * 5)
    # Counted whole, the bias would be Φ⁻¹(.05) or Φ⁻¹(.95) and one limit would fall on the ties.
    interval = bca_intervals(resampled, totals, level=0.98)
    assert (interval.low.tolist(), interval.high.tolist()) == ([-0.5], [0.5])


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_without_a_finite_bias_the_limits_are_the_percentile_ones(side) -> None:
    totals = skewed(columns=1)
    resampled = totals.means + side * (0.1 + np.random.default_rng(1).random((200, 1)))
    percentile, bca = percentile_intervals(resampled), bca_intervals(resampled, totals)
    assert (bca.low.tolist(), bca.high.tolist()) == (percentile.low.tolist(), percentile.high.tolist())


def test_where_the_correction_diverges_the_limits_are_the_percentile_ones() -> None:
    # One cluster that differs: a is near its largest value, 1/6; z₀ above 4.05 then takes the divisor below 0.
    sums = np.zeros((4_000, 1))
    sums[0] = 1
    totals = ClusterTotals(sums, np.ones(4_000, dtype=np.int64))
    resampled = np.full((400_000, 1), -1.0)
    resampled[:5] = 1.0
    resampled[5:20_000] = np.linspace(-2, -1, 19_995)[:, None]
    percentile, bca = percentile_intervals(resampled), bca_intervals(resampled, totals)
    assert (bca.low.tolist(), bca.high.tolist()) == (percentile.low.tolist(), percentile.high.tolist())
    assert bca.low < bca.high


@given(worlds())
def test_the_limits_are_in_order_and_within_the_resamples(world) -> None:
    totals = cluster_totals(*world)
    resampled = resampled_means(draw_weights(len(totals.sizes), 200, 2), totals)
    for interval in (percentile_intervals(resampled), bca_intervals(resampled, totals)):
        assert (interval.low <= interval.high).all()
        assert (resampled.min(axis=0) <= interval.low).all()
        assert (interval.high <= resampled.max(axis=0)).all()


@given(worlds(columns=2))
def test_swapping_a_and_b_mirrors_the_intervals(world) -> None:
    totals = cluster_totals(*world)
    weights = draw_weights(len(totals.sizes), 200, 2)
    one, two = np.array([0]), np.array([1])
    forward, backward = totals.differences(one, two), totals.differences(two, one)
    resampled = resampled_means(weights, forward)
    assert (resampled_means(weights, backward) == -resampled).all()
    for f, b in (
        (percentile_intervals(resampled), percentile_intervals(-resampled)),
        (bca_intervals(resampled, forward), bca_intervals(-resampled, backward)),
    ):
        assert f.low == pytest.approx(-b.high, abs=1e-12)
        assert f.high == pytest.approx(-b.low, abs=1e-12)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, float("nan")])
def test_a_level_outside_0_to_1_is_refused(level) -> None:
    totals = skewed(10, 1)
    resampled = np.zeros((5, 1))
    with pytest.raises(ValueError, match="level"):
        percentile_intervals(resampled, level)
    with pytest.raises(ValueError, match="level"):
        bca_intervals(resampled, totals, level)


def test_resamples_of_other_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="2 columns, totals of 3"):
        bca_intervals(np.zeros((5, 2)), skewed())


@pytest.mark.oracle
@pytest.mark.parametrize("method", ["percentile", "BCa"])
@pytest.mark.parametrize("level", [0.95, 0.9])
def test_equal_to_scipy_bootstrap_on_the_same_resamples(method, level) -> None:
    from scipy.stats import bootstrap

    totals = skewed()
    clusters = len(totals.sizes)
    resampled = resampled_means(draw_weights(clusters, 3_000, 7), totals)
    interval = (
        percentile_intervals(resampled, level) if method == "percentile" else bca_intervals(resampled, totals, level)
    )
    for column in range(resampled.shape[1]):

        def ratio(index, axis, column=column):
            return totals.sums[index, column].sum(axis=axis) / totals.sizes[index].sum(axis=axis)

        theirs = bootstrap(
            (np.arange(clusters),),
            ratio,
            n_resamples=0,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=resampled[:, column]),
            method=method,
            confidence_level=level,
        ).confidence_interval
        assert interval.low[column] == pytest.approx(theirs.low, rel=1e-12)
        assert interval.high[column] == pytest.approx(theirs.high, rel=1e-12)


@pytest.mark.oracle
def test_near_scipy_bootstrap_on_resamples_of_its_own() -> None:
    from scipy.stats import bootstrap

    values = np.random.default_rng(12).random(80) ** 2
    totals = cluster_totals(values[:, None], np.arange(80))
    resampled = resampled_means(draw_weights(80, 200_000, 3), totals)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=200_000, batch=10_000, method="BCa", rng=np.random.default_rng(5)
    )
    ours = bca_intervals(resampled, totals)
    # Four standard deviations of the difference: 0.012 standard errors with 200,000 resamples each.
    tolerance = 0.05 * theirs.standard_error
    assert ours.low[0] == pytest.approx(theirs.confidence_interval.low, abs=tolerance)
    assert ours.high[0] == pytest.approx(theirs.confidence_interval.high, abs=tolerance)
