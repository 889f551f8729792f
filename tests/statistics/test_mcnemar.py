from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.mcnemar import mcnemar
from kugiri.statistics.sign_flip import sign_flip_test


def test_no_disagreement_is_no_difference() -> None:
    assert mcnemar(0, 0) == 1.0


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"), [(0, 1, 1.0), (0, 5, 2 / 32), (1, 5, 14 / 64), (4, 4, 1.0), (3, 4, 1.0)]
)
def test_small_counts(only_a, only_b, p) -> None:
    assert mcnemar(only_a, only_b) == p


@given(st.integers(0, 300), st.integers(0, 300))
def test_it_does_not_matter_which_is_a(only_a, only_b) -> None:
    assert mcnemar(only_a, only_b) == mcnemar(only_b, only_a)


@given(st.integers(0, 6), st.integers(0, 6))
def test_equal_to_all_sign_flips_of_single_questions(only_a, only_b) -> None:
    differences = np.array([-1.0] * only_a + [1.0] * only_b + [0.0])[:, None]
    assert mcnemar(only_a, only_b) == sign_flip_test(differences, 2**13, 1).p[0]


def test_p_is_never_0_and_many_disagreements_are_no_trouble() -> None:
    assert 0 < mcnemar(0, 5_000) < 1e-300
    assert mcnemar(10_000, 10_001) == pytest.approx(1.0)


@pytest.mark.parametrize("counts", [(-1, 3), (3, -1)])
def test_refused(counts) -> None:
    with pytest.raises(ValueError, match="not negative"):
        mcnemar(*counts)


@pytest.mark.oracle
@pytest.mark.parametrize(("only_a", "only_b"), [(0, 7), (12, 3), (40, 41), (150, 90), (500, 300)])
def test_equal_to_statsmodels(only_a, only_b) -> None:
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    assert mcnemar(only_a, only_b) == pytest.approx(theirs([[9, only_a], [only_b, 9]], exact=True).pvalue, rel=1e-11)
