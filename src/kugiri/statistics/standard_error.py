"""The standard error of a mean whose questions come in clusters."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Float64
from kugiri.statistics.clusters import ClusterTotals

NO_SPREAD = 1e-9
"""A standard error below this share of the root mean square is rounding, not data."""


def standard_errors(totals: ClusterTotals) -> Float64:
    """float64[m]: the cluster-robust standard error of the mean of each column.

    √(C/(C − 1) · Σ_c (S_c − n_c x̄)²) / n: the linearised variance of a ratio mean under sampling of whole clusters
    (Cochran, *Sampling Techniques*, 3rd ed. 1977, ch. 9A; Liang & Zeger 1986, Biometrika 73:13–22, with the factor
    C/(C − 1)). With one question per cluster it is s/√n. Exactly 0 where every cluster has the same mean: there the
    data show no spread, which is no proof that there is none.

    Raises:
        ValueError: fewer than two clusters.
    """
    clusters = len(totals.sizes)
    if clusters < 2:
        message = "a standard error over clusters needs two of them"
        raise ValueError(message)
    residuals = totals.sums - totals.sizes[:, None] * totals.means
    error = np.sqrt(clusters / (clusters - 1) * np.sum(residuals**2, axis=0)) / totals.sizes.sum()
    uncentred = np.sqrt(np.sum(totals.sums**2, axis=0)) / totals.sizes.sum()
    return np.asarray(np.where(error <= NO_SPREAD * uncentred, 0.0, error))
