from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.effective_n import design_effect, effective_n
from worlds import written_effective_n

CLUSTERED = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=25)


def columns(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([e for e, _ in pairs], dtype=float), np.array([c for _, c in pairs], dtype=np.int64)


@given(CLUSTERED)
def test_it_is_the_written_formula(pairs: list[tuple[int, int]]) -> None:
    expected = written_effective_n([e for e, _ in pairs], [c for _, c in pairs])
    assert effective_n(*columns(pairs)) == pytest.approx(expected, rel=1e-12)


@given(CLUSTERED)
def test_clustered_observations_are_worth_no_more_than_independent_ones(
    pairs: list[tuple[int, int]],
) -> None:
    worth = effective_n(*columns(pairs))
    assert 0 < worth <= len(pairs) + 1e-9


@given(CLUSTERED)
def test_what_counts_as_the_event_does_not_matter(pairs: list[tuple[int, int]]) -> None:
    events, cluster = columns(pairs)
    assert effective_n(events, cluster) == pytest.approx(effective_n(1 - events, cluster), rel=1e-9)


@given(CLUSTERED, st.randoms(use_true_random=False))
def test_neither_order_nor_names_of_clusters_matter(pairs: list[tuple[int, int]], draw: random.Random) -> None:
    shuffled = [(event, 1000 - 7 * cluster) for event, cluster in pairs]
    draw.shuffle(shuffled)
    assert effective_n(*columns(shuffled)) == pytest.approx(effective_n(*columns(pairs)), rel=1e-9)


def test_a_design_effect_by_hand() -> None:
    # p = 1/2; sums of x − p: (1/2 + 1/2) = 1, −1, 0 → 2; 3/2 · 2 / (6 · 1/4) = 2.
    events, cluster = columns([(1, 0), (1, 0), (0, 1), (0, 1), (1, 2), (0, 2)])
    assert design_effect(events, cluster) == pytest.approx(2.0)
    assert effective_n(events, cluster) == pytest.approx(3.0)


def test_another_by_hand_with_clusters_of_different_size() -> None:
    # p = 1/4; sums: 1 − 3/4 = 1/4, −1/4 → 1/8; 2/1 · 1/8 / (4 · 3/16) = 1/3: no more than n comes of it.
    events, cluster = columns([(1, 0), (0, 0), (0, 0), (0, 1)])
    assert design_effect(events, cluster) == pytest.approx(1 / 3)
    assert effective_n(events, cluster) == 4


@pytest.mark.parametrize("event", [0, 1])
@pytest.mark.parametrize("sizes", [[1], [5], [1, 1, 1], [3, 1], [2, 2, 6]])
def test_without_events_or_without_others_the_sizes_of_the_clusters_decide(event: int, sizes: list[int]) -> None:
    pairs = [(event, cluster) for cluster, size in enumerate(sizes) for _ in range(size)]
    expected = sum(sizes) ** 2 / sum(size**2 for size in sizes)
    assert effective_n(*columns(pairs)) == pytest.approx(expected)


def test_one_cluster_is_one_observation() -> None:
    assert effective_n(*columns([(1, 9), (0, 9), (0, 9)])) == pytest.approx(1.0)


def test_clusters_of_one_are_independent_observations() -> None:
    draw = random.Random(2)
    for _ in range(50):
        pairs = [(draw.randint(0, 1), number) for number in range(draw.randint(1, 40))]
        if len({event for event, _ in pairs}) == 2:
            # n / (n − 1): the small-sample factor is all that is left.
            n = len(pairs)
            assert design_effect(*columns(pairs)) == pytest.approx(n / (n - 1))
        assert len(pairs) - 1 - 1e-9 <= effective_n(*columns(pairs)) <= len(pairs)


@pytest.mark.parametrize("pairs", [[], [(1, 0)], [(1, 0), (0, 0)], [(1, 0), (1, 1)], [(0, 0), (0, 1)]])
def test_a_design_effect_that_does_not_exist_is_not_made_up(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="design effect"):
        design_effect(*columns(pairs))


def test_cluster_numbers_need_not_be_small() -> None:
    events = np.array([1.0, 0.0, 1.0, 0.0])
    assert effective_n(events, np.array([0, 0, 2**62, 2**62])) == effective_n(events, np.array([0, 0, 1, 1]))


@pytest.mark.oracle
def test_it_is_the_cluster_robust_variance_over_the_binomial_one() -> None:
    import statsmodels.api as sm

    draw = random.Random(8)
    compared = 0
    for _ in range(60):
        pairs = [(int(draw.random() < 0.3), draw.randrange(draw.randint(2, 12))) for _ in range(draw.randint(5, 80))]
        events, cluster = columns(pairs)
        if len(set(events.tolist())) < 2 or len(Counter(cluster.tolist())) < 2:
            continue
        fit = sm.OLS(events, np.ones(len(events)))
        # Without statsmodels' own small-sample factor the sandwich is the plain sum of squares.
        robust = fit.fit(cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}).cov_params()[0, 0]
        share, clusters = events.mean(), len(set(cluster.tolist()))
        expected = clusters / (clusters - 1) * robust / (share * (1 - share) / len(events))
        assert design_effect(events, cluster) == pytest.approx(expected, rel=1e-9)
        compared += 1
    assert compared > 30
