"""Equivalence inside a margin that was stated beforehand: two one-sided tests (TOST)."""

from __future__ import annotations

import dataclasses
from math import isfinite

import numpy as np
from scipy.special import stdtr, stdtrit

from kugiri.model.columns import Bool, Float64
from kugiri.statistics.clusters import ClusterTotals
from kugiri.statistics.standard_error import standard_errors


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Equivalence:
    """Whether paired differences lie inside a margin.

    Attributes:
        p: float64[pairs], the larger of the two one-sided p.
        low, high: float64[pairs], the interval of level 1 − 2α that lies inside the margin where p ≤ α.
        equivalent: bool[pairs], p ≤ α.
    """

    p: Float64
    low: Float64
    high: Float64
    equivalent: Bool


def tost(differences: ClusterTotals, margin: float, alpha: float = 0.05) -> Equivalence:
    """Two one-sided tests that each mean difference lies between −margin and margin.

    Schuirmann 1987 (J. Pharmacokinet. Biopharm. 15:657–680), on (difference ± margin) ÷ clustered standard error
    against Student's t with C − 1 degrees of freedom; with one question per cluster the paired t form. Not from
    bootstrap quantiles: with few clusters those are too narrow, and here a narrow interval is what makes the claim.

    Where all clusters have the same mean difference the standard error is 0 and would make anything equivalent. There
    the zero-event bound speaks: a population whose mean lies at the margin has a share of deviating clusters of at
    least q = (margin − |x̄|) / (1 + |x̄|), as no difference exceeds 1, and none was met in n²/Σ n_c² effective draws:
    p = (1 − q)^that, which is the rule of three at x̄ = 0 (Hanley & Lippman-Hand 1983, JAMA 249:1743–1745).

    Args:
        differences: totals of b − a, of a metric within [0, 1], one column for each pair.
        margin: above 0, on the scale of the metric.
        alpha: the level of each test.

    Raises:
        ValueError: a margin that is not above 0, an alpha outside (0, ½), or fewer than two clusters.
    """
    if not (isfinite(margin) and margin > 0 and 0 < alpha < 0.5):
        message = f"a margin above 0 and an alpha below one half, not {margin} and {alpha}"
        raise ValueError(message)
    error, mean = standard_errors(differences), differences.means
    freedom = len(differences.sizes) - 1
    spread = error > 0
    # Both tests at once: the one against the nearer margin has the larger p.
    distance = margin - np.abs(mean)
    p = np.asarray(stdtr(freedom, -distance / np.where(spread, error, 1.0)))
    effective = differences.sizes.sum() ** 2 / np.sum(differences.sizes.astype(np.float64) ** 2)
    reach = 1 + np.abs(mean)
    p = np.where(spread, p, (1 - np.clip(distance / reach, 0.0, 1.0)) ** effective)
    unseen = reach * (1 - alpha ** (1 / effective))
    half = np.where(spread, -stdtrit(freedom, alpha) * error, unseen)
    return Equivalence(p, mean - half, mean + half, p <= alpha)
