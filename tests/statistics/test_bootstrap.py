from __future__ import annotations

import hashlib

import numpy as np
import pytest
from clustered_worlds import worlds
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics import bootstrap
from kugiri.statistics.bootstrap import draw_weights, resampled_means
from kugiri.statistics.bootstrap_intervals import bca_intervals, percentile_intervals
from kugiri.statistics.clusters import cluster_totals


@given(st.integers(2, 40), st.integers(1, 30), st.integers(0, 2**70))
def test_L100_every_resample_draws_as_many_clusters_as_there_are(clusters, resamples, seed) -> None:
    weights = draw_weights(clusters, resamples, seed)
    assert weights.shape == (resamples, clusters)
    assert weights.sum(axis=1, dtype=int).tolist() == [clusters] * resamples


def test_L100_with_replacement_each_cluster_as_often_as_any_other() -> None:
    weights = draw_weights(20, 10_000, 1)
    # One count is binomial (20, 1/20): mean 1, variance .95; absent with probability (19/20)^20 = .358.
    assert weights.mean(axis=0) == pytest.approx(np.ones(20), abs=0.05)
    assert weights.var() == pytest.approx(0.95, abs=0.02)
    assert np.mean(weights == 0) == pytest.approx(0.95**20, abs=0.01)


def test_L100_equal_differences_have_an_interval_without_width() -> None:
    totals = cluster_totals(np.full((20, 1), 0.1), np.arange(20))
    means = resampled_means(draw_weights(20, 1_000, 3), totals)
    assert set(means[:, 0].tolist()) == {float(totals.means[0])}
    assert float(totals.means[0]) == pytest.approx(0.1, abs=1e-15)
    for interval in (percentile_intervals(means), bca_intervals(means, totals)):
        assert interval.low.tolist() == interval.high.tolist() == totals.means.tolist()


def test_L100_both_systems_of_a_pair_meet_the_same_questions() -> None:
    rng = np.random.default_rng(2)
    first = rng.random(60)
    totals = cluster_totals(np.column_stack((first, first + 0.25)), rng.integers(0, 15, 60))
    means = resampled_means(draw_weights(15, 500, 4), totals)
    assert means[:, 0].std() > 0.01
    assert means[:, 1] - means[:, 0] == pytest.approx(np.full(500, 0.25), abs=1e-14)


def test_L103_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    assert draw_weights(50, 200, 9).tobytes() == draw_weights(50, 200, 9).tobytes()
    assert draw_weights(50, 200, 9).tobytes() != draw_weights(50, 200, 10).tobytes()


def test_L103_the_bytes_are_those_of_every_other_machine() -> None:
    digest = hashlib.sha256(draw_weights(1_145, 300, 1).tobytes()).hexdigest()
    assert digest == "0c405b067b0b56d0d90d4529050ba2adf5e1c4dcd11181b1efefbca3a23825da"


def test_L103_no_state_of_numpy_is_read_or_changed() -> None:
    np.random.seed(0)
    before = np.random.get_state()[1].tobytes()
    weights = draw_weights(30, 20, 7)
    assert np.random.get_state()[1].tobytes() == before
    np.random.seed(1)
    assert draw_weights(30, 20, 7).tobytes() == weights.tobytes()


def test_more_resamples_continue_the_same_draw() -> None:
    assert draw_weights(33, 90, 5)[:40].tobytes() == draw_weights(33, 40, 5).tobytes()


def test_blocks_change_nothing(monkeypatch) -> None:
    rng = np.random.default_rng(3)
    totals = cluster_totals(rng.random((200, 3)), rng.integers(0, 41, 200))
    clusters = len(totals.sizes)
    weights = draw_weights(clusters, 101, 6)
    means = resampled_means(weights, totals)
    for cells in (1, 41, 1_000):
        monkeypatch.setattr(bootstrap, "_CELLS", cells)
        assert draw_weights(clusters, 101, 6).tobytes() == weights.tobytes()
        assert resampled_means(weights, totals).tobytes() == means.tobytes()


@given(worlds())
def test_a_resampled_mean_is_the_mean_over_the_questions_drawn(world) -> None:
    values, cluster = world
    totals = cluster_totals(values, cluster)
    weights = draw_weights(len(totals.sizes), 20, 8)
    for row, mean in zip(weights, resampled_means(weights, totals), strict=True):
        drawn = np.repeat(np.arange(len(cluster)), row[cluster])
        assert mean == pytest.approx(values[drawn].mean(axis=0), abs=1e-14)


@given(worlds(), st.integers(1, 1_000))
def test_clusters_renamed_in_the_same_order_change_no_bit(world, gap) -> None:
    values, cluster = world
    totals, renamed = cluster_totals(values, cluster), cluster_totals(values, cluster * gap - 17)
    weights = draw_weights(len(totals.sizes), 20, 8)
    assert resampled_means(weights, totals).tobytes() == resampled_means(weights, renamed).tobytes()


@pytest.mark.parametrize(
    ("clusters", "resamples", "seed"), [(1, 10, 1), (0, 10, 1), (5, 0, 1), (5, 5, -1), (2**32, 1, 1)]
)
def test_refused(clusters, resamples, seed) -> None:
    with pytest.raises(ValueError, match="two clusters or more"):
        draw_weights(clusters, resamples, seed)


def test_weights_of_other_clusters_are_refused() -> None:
    with pytest.raises(ValueError, match="3 clusters, totals of 2"):
        resampled_means(draw_weights(3, 5, 1), cluster_totals(np.ones((2, 1)), np.arange(2)))
