"""Confidence intervals from resampled means: percentile, and bias-corrected and accelerated (BCa)."""

from __future__ import annotations

import dataclasses
from statistics import NormalDist

import numpy as np

from kugiri.model.columns import Float64
from kugiri.statistics.clusters import ClusterTotals

_NORMAL = NormalDist()


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Two-sided confidence limits.

    Attributes:
        low, high: float64[m], the limits of each column; low ≤ high.
    """

    low: Float64
    high: Float64


def percentile_intervals(resampled: Float64, level: float = 0.95) -> Intervals:
    """The (1 − level)/2 and (1 + level)/2 quantiles of the resampled means (Efron & Tibshirani 1993, §13.3).

    Quantiles interpolate linearly between order statistics at position (B − 1) q (Hyndman & Fan 1996, type 7; NumPy's
    "linear"). Where all resamples are equal, both limits are that value.

    Args:
        resampled: float64[B, m] of `resampled_means`.
        level: the confidence level, above 0 and below 1.

    Raises:
        ValueError: the level is out of range.
    """
    low, high = np.quantile(resampled, _tails(level), axis=0, method="linear")
    return Intervals(low, high)


def bca_intervals(resampled: Float64, totals: ClusterTotals, level: float = 0.95) -> Intervals:
    """The BCa interval of each column (Efron 1987, JASA 82:171–185; Efron & Tibshirani 1993, eq. 14.9–14.15).

    Its limits are the quantiles Φ(z₀ + (z₀ + z)/(1 − a (z₀ + z))), of the same definition as in
    `percentile_intervals`, for z the normal quantile of each tail. The bias z₀ is Φ⁻¹ of the share of resamples below
    the observed mean, ties counted half (means of 0 and 1 tie often); the acceleration a comes from leaving out one
    cluster at a time.

    The correction does not exist where z₀ is infinite (every resample on one side of the observed mean) or
    1 − a (z₀ + z) is not positive: there the limits are those of `percentile_intervals`. Where all resamples are equal,
    both limits are that value.

    Args:
        resampled: float64[B, m] of `resampled_means`.
        totals: what was resampled, m columns.
        level: the confidence level, above 0 and below 1.

    Raises:
        ValueError: shapes that do not match, or the level is out of range.
    """
    if resampled.ndim != 2 or resampled.shape[1] != totals.sums.shape[1]:
        message = f"resamples of {resampled.shape[-1]} columns, totals of {totals.sums.shape[1]}"
        raise ValueError(message)
    tails = _tails(level)
    observed = totals.means
    below = (np.mean(resampled < observed, axis=0) + np.mean(resampled <= observed, axis=0)) / 2
    acceleration = _acceleration(totals)
    limits = np.empty((2, resampled.shape[1]))
    for column, (share, a) in enumerate(zip(below.tolist(), acceleration.tolist(), strict=True)):
        corrected = _corrected(tails, share, a)
        limits[:, column] = np.quantile(resampled[:, column], corrected, method="linear")
    return Intervals(limits[0], limits[1])


def _tails(level: float) -> tuple[float, float]:
    if not 0 < level < 1:
        message = f"a confidence level lies between 0 and 1, not {level}"
        raise ValueError(message)
    return (1 - level) / 2, (1 + level) / 2


def _corrected(tails: tuple[float, float], below: float, acceleration: float) -> tuple[float, float]:
    if not 0 < below < 1:
        return tails
    bias = _NORMAL.inv_cdf(below)
    shifted = [bias + _NORMAL.inv_cdf(tail) for tail in tails]
    divisors = [1 - acceleration * z for z in shifted]
    if min(divisors) <= 0:
        return tails
    low, high = (_NORMAL.cdf(bias + z / divisor) for z, divisor in zip(shifted, divisors, strict=True))
    return low, high


def _acceleration(totals: ClusterTotals) -> Float64:
    """float64[m]: Σ u³ / (6 (Σ u²)^1.5), u = mean of the jackknife means less each; 0 where they are all equal."""
    left_out = (totals.sums.sum(axis=0) - totals.sums) / (totals.sizes.sum() - totals.sizes)[:, None]
    influence = left_out.mean(axis=0) - left_out
    scale = np.sqrt(np.sum(influence**2, axis=0))
    # Divided before the cube: (Σ u²)^1.5 of tiny influences would underflow.
    return np.asarray(np.sum((influence / np.where(scale > 0, scale, 1.0)) ** 3, axis=0) / 6)
