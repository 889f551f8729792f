"""The sign-flip test by cluster, and single-step max-T over a family of pairs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from kugiri.model.columns import Float64

_STREAM = 1
"""Separates these draws from the bootstrap of the same seed."""

_CELLS = 1 << 19
"""Flips × clusters (or pairs) handled at once: 4 MB of float64. It changes no result."""

TIE = 1e-9
"""Statistics are in standard errors; two that differ by less than a billionth of one are equal.

Sums that are equal on paper (1/3 + 1/6 and 1/2) may differ in their last bits; counting them as ties is the side on
which p does not become too small.
"""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SignFlipTest:
    """Two-sided tests of a family of paired differences.

    Attributes:
        statistic: float64[pairs], mean difference ÷ its standard error if the true difference were 0.
        p: float64[pairs], of each pair alone; above 0.
        p_adjusted: float64[pairs], for the whole family (max-T); at least `p`.
        flips: how many flips were compared, the observed one not counted unless `exact`.
        exact: whether these were all 2^C flips.
        seed: where the flips came from; without influence where `exact`.
    """

    statistic: Float64
    p: Float64
    p_adjusted: Float64
    flips: int
    exact: bool
    seed: int


def sign_flip_test(sums: Float64, resamples: int, seed: int) -> SignFlipTest:
    """Whether two configurations differ, for every pair of a family at once.

    If a pair does not differ, its two names could be exchanged in every cluster: the cluster's summed difference keeps
    its size and has either sign alike (Fisher 1935, §21; with clusters Canay, Romano & Shaikh 2017, Econometrica 85).
    One flip gives all pairs the same signs, so that their dependence is kept. p = (r + 1)/(B + 1), r = flips with
    |T*| ≥ |T| (Phipson & Smyth 2010), or r/2^C over all flips where there are no more than B. The adjusted p compares
    each |T| with the largest |T*| of the family (Westfall & Young 1993, ch. 2, single-step).

    T = Σ_c D_c / √(Σ_c D_c²): the cluster-robust standard error under the hypothesis, around 0 and not around the
    observed mean. Flips do not change it, so it need not be recomputed, is never 0 unless all D_c are, and a pair's own
    p is that of its mean difference; it only puts the pairs of a family on one scale. With clusters of one size
    the recomputed t of every flip is one increasing function of this |T| (Efron 1969, JASA 64:1278–1302), the
    same for all pairs, so that both p are identical.

    A pair whose D_c are all 0 has T = 0 and p = 1. One cluster gives p = 1: it has no second opinion.

    Args:
        sums: float64[C, pairs], the difference b − a summed over each cluster (`ClusterTotals.differences(…).sums`).
        resamples: B, at least 1.
        seed: not negative.

    Raises:
        ValueError: no cluster, a difference that is not finite, no resample, a negative seed.
    """
    if sums.ndim != 2 or not len(sums) or not np.isfinite(sums).all() or resamples < 1 or seed < 0:
        message = f"finite sums[C, pairs], one flip or more, a seed from 0: not {sums.shape}, {resamples}, {seed}"
        raise ValueError(message)
    clusters, pairs = sums.shape
    scale = np.sqrt(np.sum(sums**2, axis=0))
    scale = np.where(scale > 0, scale, 1.0)
    statistic = sums.sum(axis=0) / scale
    threshold = np.abs(statistic) - TIE
    exact = 1 << clusters <= resamples
    flips = 1 << clusters if exact else resamples
    alone, family = np.zeros(pairs, dtype=np.int64), np.zeros(pairs, dtype=np.int64)
    rows = max(1, _CELLS // max(clusters, pairs))
    for signs in _all_signs(clusters, rows) if exact else _random_signs(clusters, flips, seed, rows):
        flipped = np.abs(signs @ sums / scale)
        alone += np.sum(flipped >= threshold, axis=0)
        family += np.sum(flipped.max(axis=1, initial=0.0)[:, None] >= threshold, axis=0)
    observed = 0 if exact else 1
    total = flips + observed
    return SignFlipTest(statistic, (alone + observed) / total, (family + observed) / total, flips, exact, seed)


def _all_signs(clusters: int, rows: int) -> Iterator[Float64]:
    """Blocks of float64[≤ rows, clusters]: each of the 2^C combinations of −1 and 1 once."""
    for first in range(0, 1 << clusters, rows):
        number = np.arange(first, min(first + rows, 1 << clusters), dtype=np.int64)
        yield _signs(number[:, None] >> np.arange(clusters) & 1)


def _random_signs(clusters: int, flips: int, seed: int, rows: int) -> Iterator[Float64]:
    """Blocks of float64[≤ rows, clusters]: a fair −1 or 1 for each cluster, one bit of PCG64's guaranteed stream."""
    stream = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(_STREAM,)))
    words = -(-clusters // 64)
    for first in range(0, flips, rows):
        count = min(rows, flips - first)
        # Little-endian by decree, not by machine: the same flips everywhere.
        raw = stream.random_raw(count * words).astype("<u8").reshape(count, words).view(np.uint8)
        yield _signs(np.unpackbits(raw, axis=1, count=clusters, bitorder="little"))


def _signs(bits: NDArray[np.integer]) -> Float64:
    return np.asarray(1.0 - 2.0 * bits, dtype=np.float64)
