from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.holm import holm, holm_can_reject

families = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(np.array)


def test_the_smallest_is_multiplied_by_all_and_the_next_by_those_left() -> None:
    assert holm(np.array([0.04, 0.01, 0.03])) == pytest.approx([0.06, 0.03, 0.06])
    assert holm(np.array([])).tolist() == []


@given(families)
def test_adjusted_p_keeps_the_order_lies_above_p_and_never_above_bonferroni(p) -> None:
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(1, p * len(p) + 1e-15)).all()
    assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()


@given(families, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_does_not_matter(p, random) -> None:
    order = list(range(len(p)))
    random.shuffle(order)
    assert holm(p[order]).tolist() == holm(p)[order].tolist()


@pytest.mark.parametrize("p", [[0.5, float("nan")], [-0.1], [1.1], [[0.1]]])
def test_refused(p) -> None:
    with pytest.raises(ValueError, match="within"):
        holm(np.array(p))


@pytest.mark.parametrize(
    ("family", "resamples", "exact", "can"),
    [
        (500, 10_000, False, True),
        (501, 10_000, False, False),
        (501, 10_000, True, True),
        (5, 99, False, True),
        (6, 99, False, False),
    ],
)
def test_holm_can_reject_where_the_smallest_p_survives_the_first_step(family, resamples, exact, can) -> None:
    assert holm_can_reject(family, resamples, exact) is can
    if not exact:
        smallest = np.full(family, 1.0)
        smallest[0] = 1 / (resamples + 1)
        assert bool(holm(smallest)[0] <= 0.05) is can


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(5))
def test_equal_to_statsmodels(seed) -> None:
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(seed).random(28) ** 3
    p[3] = p[4]
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-14)
