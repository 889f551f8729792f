"""Totals per cluster: the common ground of resampling, sign flips and standard errors."""

from __future__ import annotations

import dataclasses
from math import ceil, log2

import numpy as np

from kugiri.model.columns import Float64, Int64


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class ClusterTotals:
    """What a mean over clustered questions needs to know of them.

    Attributes:
        sums: float64[C, m], the sum of the values of each column over the questions of each cluster.
        sizes: int64[C], the questions of each cluster, at least 1.
    """

    sums: Float64
    sizes: Int64

    @property
    def means(self) -> Float64:
        """float64[m]: the mean of each column over all questions."""
        return np.asarray(self.sums.sum(axis=0) / self.sizes.sum())

    def differences(self, a: Int64, b: Int64) -> ClusterTotals:
        """The totals of `b − a`, one column for each pair of columns of int64[pairs] `a` and `b`; exact."""
        return ClusterTotals(self.sums[:, b] - self.sums[:, a], self.sizes)


def cluster_totals(values: Float64, cluster: Int64) -> ClusterTotals:
    """The totals of each cluster, clusters in ascending order of their numbers.

    Sums are rounded to multiples of one power of two, coarse enough that C times the largest sum still fits into the
    53 bits of a float64. Every resample, flip and difference of them is then an integer number of such steps, computed
    without error: neither the order of addition nor the threads of a BLAS can change a bit of a result, and equal sums
    compare equal. Whole numbers and halves are not changed; others move by less than C · max |sum| · 2⁻⁵².

    Args:
        values: float64[n, m], finite; row i is question i.
        cluster: int64[n], the cluster of each question; any numbers.

    Raises:
        ValueError: no question, shapes that do not match, or a value that is not finite.
    """
    if values.ndim != 2 or cluster.ndim != 1 or len(values) != len(cluster) or not len(cluster):
        message = f"values[n, m] and cluster[n] with n above 0, not {values.shape} and {cluster.shape}"
        raise ValueError(message)
    if not np.isfinite(values).all():
        message = "an undefined outcome is left out, not counted as a number: every value must be finite"
        raise ValueError(message)
    _, index, sizes = np.unique(cluster, return_inverse=True, return_counts=True)
    sums = np.empty((len(sizes), values.shape[1]))
    for column in range(values.shape[1]):
        sums[:, column] = np.bincount(index, weights=values[:, column], minlength=len(sizes))
    largest = float(np.abs(sums).max(initial=0.0)) * len(sizes)
    if largest > 0:
        step = 2.0 ** (ceil(log2(largest)) - 52)
        sums = np.rint(sums / step) * step
    return ClusterTotals(sums, sizes.astype(np.int64))
