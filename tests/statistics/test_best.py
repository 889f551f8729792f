from __future__ import annotations

import numpy as np
import pytest
from clustered_worlds import all_pairs, worlds
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.best import not_distinguishable_from_best, probability_of_being_best
from kugiri.statistics.bootstrap import draw_weights, resampled_means
from kugiri.statistics.clusters import cluster_totals
from kugiri.statistics.sign_flip import sign_flip_test


def test_whoever_is_beaten_by_anybody_is_left_out() -> None:
    a, b = all_pairs(3)  # (0, 1), (0, 2), (1, 2)
    kept = not_distinguishable_from_best(3, a, b, np.array([0.1, 0.3, 0.2]), np.array([0.4, 0.01, 0.2]))
    assert kept.tolist() == [False, True, True]
    # 1 is not told apart from 2, the highest, and stays although it does not beat 0 either.


def test_the_direction_of_a_pair_and_the_level_decide() -> None:
    a, b = np.array([1]), np.array([0])
    for difference, kept in ((0.2, [True, False]), (-0.2, [False, True])):
        assert not_distinguishable_from_best(2, a, b, np.array([difference]), np.array([0.05])).tolist() == kept
        assert not_distinguishable_from_best(2, a, b, np.array([difference]), np.array([0.0501])).tolist() == [
            True,
            True,
        ]
        strict = not_distinguishable_from_best(2, a, b, np.array([difference]), np.array([0.05]), alpha=0.01)
        assert strict.tolist() == [True, True]


@given(worlds(columns=4), st.sampled_from([0.05, 0.5, 1.0]))
def test_the_highest_mean_is_always_in_the_set(world, alpha) -> None:
    totals = cluster_totals(*world)
    a, b = all_pairs(4)
    pairs = totals.differences(a, b)
    p = sign_flip_test(pairs.sums, 10_000, 1).p_adjusted
    kept = not_distinguishable_from_best(4, a, b, pairs.means, p, alpha)
    assert kept[np.argmax(totals.means)]


def test_columns_of_different_lengths_and_a_missing_p_are_refused() -> None:
    one, two = np.array([0]), np.array([1])
    with pytest.raises(ValueError, match="one entry"):
        not_distinguishable_from_best(2, one, two, np.array([0.1, 0.2]), np.array([0.1]))
    with pytest.raises(ValueError, match="number"):
        not_distinguishable_from_best(2, one, two, np.array([0.1]), np.array([np.nan]))


def test_ties_are_split() -> None:
    resampled = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.0, 0.0, 1.0]])
    third = 1 / 3
    expected = [(0.5 + 1 + third) / 4, (0.5 + third) / 4, (third + 1) / 4]
    assert probability_of_being_best(resampled, np.arange(3)) == pytest.approx(expected)


def test_identical_configurations_are_one_contender() -> None:
    resampled = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    assert probability_of_being_best(resampled, np.array([4, 4, 9])).tolist() == [0.25, 0.25, 0.75]
    apart = probability_of_being_best(resampled, np.arange(3))
    assert apart == pytest.approx([1 / 6, 1 / 6, 2 / 3])


@given(worlds())
def test_the_groups_share_one_and_order_does_not_matter(world) -> None:
    totals = cluster_totals(*world)
    resampled = resampled_means(draw_weights(len(totals.sizes), 100, 1), totals)
    m = resampled.shape[1]
    share = probability_of_being_best(resampled, np.arange(m))
    assert share.sum() == pytest.approx(1)
    assert probability_of_being_best(resampled[:, ::-1], np.arange(m)) == pytest.approx(share[::-1])
    doubled = probability_of_being_best(np.hstack((resampled, resampled)), np.tile(np.arange(m), 2))
    assert doubled == pytest.approx(np.tile(share, 2))


def test_equal_totals_from_different_questions_tie_in_every_resample_that_draws_them_alike() -> None:
    # Column 1 is column 0 with the clusters' values exchanged in pairs: a resample that draws both alike is a tie.
    third, sixth = 1 / 3, 1 / 6
    totals = cluster_totals(np.array([[third, sixth], [sixth, third]]), np.arange(2))
    weights = draw_weights(2, 500, 1)
    resampled = resampled_means(weights, totals)
    alike = weights[:, 0] == weights[:, 1]
    assert alike.any()
    assert ((resampled[:, 0] == resampled[:, 1]) == alike).all()


@pytest.mark.parametrize("shape", [(0, 2), (5, 0), (5, 3)])
def test_resamples_without_content_or_of_another_number_are_refused(shape) -> None:
    with pytest.raises(ValueError, match="resampled"):
        probability_of_being_best(np.zeros(shape), np.arange(2 if shape != (5, 0) else 0))
