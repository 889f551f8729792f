from __future__ import annotations

from math import isclose

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kugiri.statistics.wilson import Z_975, wilson
from worlds import written_wilson

SHARES = st.floats(0, 1)
COUNTS = st.floats(0.01, 1e6)


@given(SHARES, COUNTS)
def test_the_interval_holds_the_share_and_stays_within_bounds(share: float, n: float) -> None:
    low, high = wilson(share, n)
    assert 0 <= low <= high <= 1
    assert low <= share + 1e-12
    assert high >= share - 1e-12


@given(SHARES, COUNTS)
def test_its_limits_are_where_the_score_test_turns(share: float, n: float) -> None:
    low, high = wilson(share, n)
    expected = written_wilson(share, n)
    assert isclose(low, max(0.0, expected[0]), rel_tol=1e-6, abs_tol=1e-8)
    assert isclose(high, min(1.0, expected[1]), rel_tol=1e-6, abs_tol=1e-8)


@given(SHARES, COUNTS)
def test_events_and_non_events_are_mirror_images(share: float, n: float) -> None:
    low, high = wilson(share, n)
    other_low, other_high = wilson(1 - share, n)
    assert isclose(low, 1 - other_high, rel_tol=1e-9, abs_tol=1e-12)
    assert isclose(high, 1 - other_low, rel_tol=1e-9, abs_tol=1e-12)


@given(SHARES, SHARES, COUNTS)
def test_more_events_move_both_limits_up(one: float, two: float, n: float) -> None:
    assume(one <= two)
    assert wilson(one, n)[0] <= wilson(two, n)[0] + 1e-12
    assert wilson(one, n)[1] <= wilson(two, n)[1] + 1e-12


@given(SHARES, COUNTS, st.floats(1.01, 100))
def test_more_observations_narrow_it(share: float, n: float, more: float) -> None:
    few, many = wilson(share, n), wilson(share, n * more)
    assert many[1] - many[0] <= few[1] - few[0] + 1e-12


@pytest.mark.parametrize(
    ("events", "n", "low", "high"),
    # By hand from (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), z² = 3.841458820694124.
    [
        (0, 10, 0.0, 0.2775328),
        (5, 10, 0.2365931, 0.7634069),
        (10, 10, 0.7224672, 1.0),
        (1, 1, 0.2065493, 1.0),
        (20, 500, 0.0260408, 0.0609736),
    ],
)
def test_limits_by_hand(events: int, n: int, low: float, high: float) -> None:
    assert wilson(events / n, n) == pytest.approx((low, high), abs=5e-7)


def test_at_no_event_the_limit_is_zero_and_the_other_is_not() -> None:
    low, high = wilson(0.0, 4038)
    assert low == 0.0
    assert high == pytest.approx(Z_975**2 / (4038 + Z_975**2), rel=1e-12)
    assert wilson(1.0, 4038)[1] == 1.0
    assert str(wilson(0.0, 7)[0]) == "0.0"


@pytest.mark.oracle
def test_statsmodels_has_the_same_limits() -> None:
    from statsmodels.stats.proportion import proportion_confint

    for n in (1, 2, 3, 10, 57, 500, 4038):
        for events in {0, 1, n // 7, n // 2, n - 1, n}:
            expected = proportion_confint(events, n, alpha=0.05, method="wilson")
            assert wilson(events / n, n) == pytest.approx(expected, abs=1e-12)
