"""Simulations: what the procedures promise about repeated sampling, within Monte-Carlo limits, on clustered worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from clustered_worlds import all_pairs
from numpy.typing import NDArray

from kugiri.statistics.bootstrap import draw_weights, resampled_means
from kugiri.statistics.bootstrap_intervals import bca_intervals, percentile_intervals
from kugiri.statistics.clusters import cluster_totals
from kugiri.statistics.equivalence import tost
from kugiri.statistics.holm import holm
from kugiri.statistics.power import smallest_detectable_difference
from kugiri.statistics.sign_flip import sign_flip_test
from kugiri.statistics.standard_error import standard_errors

pytestmark = pytest.mark.slow

WORLDS = 2_000
LIMIT = 3.3 * (0.05 * 0.95 / WORLDS) ** 0.5
"""3.3 standard deviations of a share of .05: a correct procedure stays inside 999 times in 1,000."""


def clustered(
    rng: np.random.Generator, configurations: int, effect: NDArray[Any] | float = 0.0
) -> tuple[NDArray[Any], NDArray[Any]]:
    """0/1 outcomes of 40 clusters of 1 to 6 questions whose difficulty each configuration shares within a cluster."""
    cluster = np.repeat(np.arange(40), rng.integers(1, 7, 40))
    ability = rng.normal(0.8, 1.0, (40, 1)) + rng.normal(0, 1.0, (40, configurations)) + effect
    return (rng.normal(0, 0.6, (len(cluster), configurations)) < ability[cluster]).astype(float), cluster


def test_max_t_rejects_anything_in_a_null_family_in_5_of_100_worlds_and_unclustered_flips_in_far_more() -> None:
    rng = np.random.default_rng(41)
    a, b = all_pairs(4)
    clustered_flips = naive_flips = unadjusted = stepwise = 0
    for world in range(WORLDS):
        values, cluster = clustered(rng, 4)
        sums = cluster_totals(values, cluster).differences(a, b).sums
        test = sign_flip_test(sums, 399, world)
        clustered_flips += test.p_adjusted.min() <= 0.05
        stepwise += holm(test.p).min() <= 0.05
        unadjusted += test.p.min() <= 0.05
        if world < 400:
            alone = cluster_totals(values, np.arange(len(cluster))).differences(a, b).sums
            naive_flips += sign_flip_test(alone, 399, world).p_adjusted.min() <= 0.05
    print(
        f"max-T {clustered_flips / WORLDS}, Holm {stepwise / WORLDS}, unadjusted {unadjusted / WORLDS}, "
        f"unclustered max-T {naive_flips / 400}"
    )
    # Whole-number sums tie, and ties count against rejecting: a little below .05 is expected.
    assert clustered_flips / WORLDS == pytest.approx(0.05, abs=LIMIT)
    assert stepwise <= clustered_flips
    assert unadjusted / WORLDS > 0.15
    assert naive_flips / 400 > 0.15


def test_max_t_holds_for_the_true_hypotheses_when_others_are_false() -> None:
    rng = np.random.default_rng(42)
    a, b = all_pairs(3)
    true = (a == 0) & (b == 1)
    false_rejections = found = 0
    for world in range(WORLDS):
        values, cluster = clustered(rng, 3, np.array([0.0, 0.0, 2.0]))
        p = sign_flip_test(cluster_totals(values, cluster).differences(a, b).sums, 399, world).p_adjusted
        false_rejections += p[true][0] <= 0.05
        found += (p[~true] <= 0.05).any()
    print(f"false {false_rejections / WORLDS}, found {found / WORLDS}")
    assert false_rejections / WORLDS <= 0.05 + LIMIT
    assert found / WORLDS > 0.5


def test_intervals_of_a_difference_cover_it_about_95_times_in_100() -> None:
    rng = np.random.default_rng(43)
    percentile = bca = naive = 0
    for world in range(WORLDS):
        values, cluster = clustered(rng, 2)
        pair = (np.array([0]), np.array([1]))
        totals = cluster_totals(values, cluster).differences(*pair)
        resampled = resampled_means(draw_weights(40, 999, world), totals)
        for_percentile, for_bca = percentile_intervals(resampled), bca_intervals(resampled, totals)
        percentile += for_percentile.low[0] <= 0 <= for_percentile.high[0]
        bca += for_bca.low[0] <= 0 <= for_bca.high[0]
        alone = cluster_totals(values, np.arange(len(cluster))).differences(*pair)
        naive += abs(alone.means[0]) <= 1.96 * standard_errors(alone)[0]
    print(f"percentile {percentile / WORLDS}, BCa {bca / WORLDS}, unclustered normal {naive / WORLDS}")
    # 40 clusters are few, and both are known to be a little narrow there.
    assert 0.915 < percentile / WORLDS < 0.965
    assert 0.91 < bca / WORLDS < 0.965
    assert naive / WORLDS < 0.85


def test_the_smallest_detectable_difference_is_detected_4_times_in_5() -> None:
    rng = np.random.default_rng(44)
    cluster = np.repeat(np.arange(80), rng.integers(1, 5, 80))
    true = smallest_detectable_difference((0.3**2 * np.sum(np.bincount(cluster) ** 2)) ** 0.5 / len(cluster))
    found = 0
    for world in range(WORLDS // 2):
        values = true + 0.3 * rng.normal(size=80)[cluster]
        found += sign_flip_test(cluster_totals(values[:, None], cluster).sums, 399, world).p[0] <= 0.05
    print(f"power {found / (WORLDS // 2)}")
    # 399 flips and an estimated standard error cost some of the 80 %.
    assert 0.74 < found / (WORLDS // 2) < 0.84


def test_equivalence_is_claimed_at_the_margin_in_at_most_5_of_100_worlds() -> None:
    rng = np.random.default_rng(45)
    claims = inside = 0
    for _ in range(WORLDS):
        cluster = np.repeat(np.arange(40), rng.integers(1, 7, 40))
        noise = 0.1 * rng.normal(size=40)[cluster]
        claims += bool(tost(cluster_totals((0.1 + noise)[:, None], cluster), 0.1).equivalent[0])
        inside += bool(tost(cluster_totals(noise[:, None], cluster), 0.1).equivalent[0])
    print(f"at the margin {claims / WORLDS}, at no difference {inside / WORLDS}")
    assert 0.02 < claims / WORLDS <= 0.05 + LIMIT
    assert inside / WORLDS > 0.9
