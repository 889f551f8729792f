from __future__ import annotations

import numpy as np
import pytest
from clustered_worlds import worlds
from hypothesis import assume, given

from kugiri.statistics.clusters import cluster_totals
from kugiri.statistics.power import PairedSpread, paired_spread, questions_needed, smallest_detectable_difference
from kugiri.statistics.standard_error import standard_errors


def test_the_smallest_detectable_difference_is_2_80_standard_errors() -> None:
    assert smallest_detectable_difference(0.01) == pytest.approx(0.028016, abs=1e-6)


@pytest.mark.parametrize("error", [0.0, -0.1, float("nan"), float("inf")])
def test_without_a_standard_error_nothing_is_known(error) -> None:
    with pytest.raises(ValueError, match="standard error"):
        smallest_detectable_difference(error)


@given(worlds(columns=1))
def test_the_smallest_detectable_difference_needs_the_questions_there_are(world) -> None:
    values, cluster = world
    spread = paired_spread(values[:, 0], cluster)
    assume(spread.design_effect >= 1 and spread.variance > 0)
    error = float(standard_errors(cluster_totals(values, cluster))[0])
    assert questions_needed(smallest_detectable_difference(error), spread) == len(cluster)


def test_half_the_difference_needs_four_times_the_questions_whatever_its_sign() -> None:
    spread = PairedSpread(variance=0.1, design_effect=1.5)
    assert questions_needed(0.05, spread) == 471  # 7.8489 · 0.1 · 1.5 / 0.0025 = 470.93
    assert questions_needed(-0.025, spread) == 1_884


def test_repeated_questions_are_a_design_effect_and_a_small_one_earns_nothing() -> None:
    values = np.array([0.0, 1.0, 0.0, 0.0, 1.0, 1.0])
    single = paired_spread(values, np.arange(6))
    tripled = paired_spread(np.repeat(values, 3), np.repeat(np.arange(6), 3))
    assert single.design_effect == pytest.approx(1)
    # 3 but for n − 1: (n − 1)/n of 18 against 6 questions.
    assert tripled.design_effect == pytest.approx(3 * (17 / 18) / (5 / 6))
    assert questions_needed(0.1, PairedSpread(0.1, 0.2)) == questions_needed(0.1, PairedSpread(0.1, 1.0))


def test_a_difference_of_0_is_refused() -> None:
    for stated in (0.0, -0.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="state a difference"):
            questions_needed(stated, PairedSpread(0.1, 1.0))


def test_questions_that_all_differ_alike_are_refused() -> None:
    spread = paired_spread(np.full(20, 0.1), np.arange(20) // 3)
    assert spread == PairedSpread(0.0, 1.0)
    with pytest.raises(ValueError, match="alike"):
        questions_needed(0.05, spread)


def test_what_cancels_within_clusters_still_varies() -> None:
    spread = paired_spread(np.array([-1.0, 1.0] * 5), np.repeat(np.arange(5), 2))
    assert spread == PairedSpread(pytest.approx(10 / 9), 0.0)
    assert questions_needed(0.5, spread) == 35  # 7.8489 · 1.1111 / 0.25 = 34.88


@pytest.mark.oracle
@pytest.mark.parametrize("stated", [0.02, 0.05, 0.2])
def test_equal_to_statsmodels_normal_power(stated) -> None:
    from statsmodels.stats.power import NormalIndPower

    theirs = NormalIndPower().solve_power(effect_size=stated / 0.4**0.5, alpha=0.05, power=0.8, ratio=0)
    # Theirs counts the other tail as well, which adds less than 1e-6 to the power.
    assert questions_needed(stated, PairedSpread(0.4, 1.0)) == pytest.approx(theirs, abs=1.001, rel=1e-5)


@pytest.mark.oracle
def test_the_clustered_standard_error_is_that_of_statsmodels() -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(31)
    cluster = rng.integers(0, 25, 90)
    values = rng.random(90) + rng.random(25)[cluster]
    fit = sm.OLS(values, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": cluster}, use_t=True)
    assert standard_errors(cluster_totals(values[:, None], cluster)) == pytest.approx(fit.bse, rel=1e-12)
