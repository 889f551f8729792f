"""What a set of questions can show: the smallest detectable difference, and how many questions a stated one needs."""

from __future__ import annotations

import dataclasses
from math import ceil, isfinite
from statistics import NormalDist

import numpy as np

from kugiri.model.columns import Float64, Int64
from kugiri.statistics.clusters import cluster_totals
from kugiri.statistics.standard_error import standard_errors

POWER_MARGIN = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.80)
"""z.975 + z.80 ≈ 2.80: standard errors between 0 and a difference found 4 times in 5 by a two-sided 5 % test."""


@dataclasses.dataclass(frozen=True, slots=True)
class PairedSpread:
    """How much the paired difference of two configurations varies from question to question.

    Attributes:
        variance: of one question's difference, with n − 1.
        design_effect: squared clustered standard error ÷ (variance / n); 1 where the variance is 0.
    """

    variance: float
    design_effect: float


def paired_spread(differences: Float64, cluster: Int64) -> PairedSpread:
    """The spread of float64[n] differences whose questions belong to int64[n] clusters.

    Raises:
        ValueError: fewer than two clusters, or as `cluster_totals`.
    """
    totals = cluster_totals(differences[:, None], cluster)
    error = float(standard_errors(totals)[0])
    variance = float(np.var(differences, ddof=1)) if np.ptp(differences) > 0 else 0.0
    if error == 0:
        # Equal cluster means: either nothing varies, or what varies cancels within clusters, which promises nothing.
        return PairedSpread(variance, 1.0 if variance == 0 else 0.0)
    return PairedSpread(variance, error**2 * len(differences) / variance)


def smallest_detectable_difference(standard_error: float) -> float:
    """The true difference that a two-sided 5 % test finds with 80 % power: (z.975 + z.80) × standard error.

    Cohen, *Statistical Power Analysis* (2nd ed. 1988), ch. 2, in its normal approximation; for one comparison, not
    for a family.

    Args:
        standard_error: clustered, of the paired difference.

    Raises:
        ValueError: it is not above 0: where no question tells the two apart, nothing is known about what would.
    """
    if not (isfinite(standard_error) and standard_error > 0):
        message = f"the standard error must be above 0, not {standard_error}"
        raise ValueError(message)
    return POWER_MARGIN * standard_error


def questions_needed(stated: float, spread: PairedSpread) -> int:
    """How many questions, clustered as these are, find a stated difference with 80 % power at 5 %, two-sided.

    ⌈(z.975 + z.80)² · variance · max(1, design effect) / stated²⌉ (Kish 1965, §8.2, for the design effect). The
    difference is one that would matter, stated before looking: with the observed one the answer restates its p
    (Hoenig & Heisey 2001, Am. Stat. 55:19–24).

    Args:
        stated: the difference, on the scale of the metric; its sign does not matter.
        spread: as observed.

    Raises:
        ValueError: the stated difference is 0 or not finite, or no question differs.
    """
    if stated == 0 or not isfinite(stated):
        message = f"state a difference other than 0 that would matter, not {stated}"
        raise ValueError(message)
    if not spread.variance > 0:
        message = "the questions all differ alike: their spread is unknown"
        raise ValueError(message)
    needed = POWER_MARGIN**2 * spread.variance * max(1.0, spread.design_effect) / stated**2
    # A whole number that rounding lifted by its last bits is still that number.
    return ceil(needed * (1 - 1e-12))
