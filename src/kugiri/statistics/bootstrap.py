"""The bootstrap over clusters: C of C with replacement, the same draw for every configuration."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kugiri.model.columns import Float64
from kugiri.statistics.clusters import ClusterTotals

RESAMPLES = 10_000

_STREAM = 0
"""Separates these draws from the sign flips of the same seed."""

_CELLS = 1 << 18
"""Resamples × clusters handled at once: 2 MB a column of 64 bits, which a cache holds. It changes no result."""


def draw_weights(clusters: int, resamples: int, seed: int) -> NDArray[np.uint8]:
    """uint8[resamples, clusters]: how often each resample drew each cluster; every row sums to `clusters`.

    Drawn once and used for every configuration and metric, so that both systems of a pair meet the same questions
    (Efron 1979; for clusters Davison & Hinkley, *Bootstrap Methods*, 1997, §3.8). Same arguments, same bytes, on any
    machine: the draws are integer arithmetic on the raw 64-bit words of PCG64, whose stream NumPy guarantees (NEP 19),
    while it reserves the right to change what `Generator.integers` makes of them.

    Args:
        clusters: C, from 2 up to 2³² − 1.
        resamples: at least 1.
        seed: not negative.

    Raises:
        ValueError: an argument is out of range. One cluster alone would always give an interval of no width.
    """
    if not 2 <= clusters < 1 << 32 or resamples < 1 or seed < 0:
        message = f"two clusters or more, one resample or more, a seed from 0: not {clusters}, {resamples}, {seed}"
        raise ValueError(message)
    stream = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(_STREAM,)))
    words = (clusters + 1) // 2
    weights = np.empty((resamples, clusters), dtype=np.uint8)
    for first in range(0, resamples, rows := max(1, _CELLS // clusters)):
        block = weights[first : first + rows]
        raw = stream.random_raw(len(block) * words).reshape(len(block), words)
        halves = np.concatenate((raw >> np.uint64(32), raw & np.uint64(0xFFFFFFFF)), axis=1)[:, :clusters]
        # ⌊u · C / 2³²⌋ (Lemire 2019 without the rejection step): no probability is off by more than 2⁻³².
        drawn = (halves * np.uint64(clusters) >> np.uint64(32)).astype(np.int64)
        drawn += np.arange(len(block))[:, None] * clusters
        # 8 bits hold every count: that one cluster of C is drawn 256 times in C draws has a probability below 1e-500.
        block[:] = np.bincount(drawn.ravel(), minlength=block.size).reshape(block.shape)
    return weights


def resampled_means(weights: NDArray[np.uint8], totals: ClusterTotals) -> Float64:
    """float64[resamples, m]: the mean of each column in each resample, Σ_c w_c S_c / Σ_c w_c n_c.

    A ratio, because clusters differ in size and so do resamples. For a pair pass the totals of its difference: the
    difference of two quotients would round, and a resample that ties with what was observed would be missed.

    Args:
        weights: uint8[resamples, C] of `draw_weights`.
        totals: of the same C clusters.

    Raises:
        ValueError: the number of clusters differs.
    """
    if weights.shape[1] != len(totals.sizes):
        message = f"weights for {weights.shape[1]} clusters, totals of {len(totals.sizes)}"
        raise ValueError(message)
    columns = np.column_stack((totals.sums, totals.sizes.astype(np.float64)))
    drawn = np.empty((len(weights), columns.shape[1]))
    for first in range(0, len(weights), rows := max(1, _CELLS // weights.shape[1])):
        np.matmul(weights[first : first + rows].astype(np.float64), columns, out=drawn[first : first + rows])
    return np.asarray(drawn[:, :-1] / drawn[:, -1:])
