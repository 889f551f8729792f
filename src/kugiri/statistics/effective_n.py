"""Effective sample size of a share whose observations come in clusters."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Float64, Int64


def design_effect(events: Float64, cluster: Int64) -> float:
    """How many times larger the variance of a share is than that of independent observations.

    C/(C − 1) · Σ_c (Σ_{i∈c} (x_i − p))² / (n p (1 − p)) over C clusters: the linearised (with-replacement, ultimate
    cluster) variance of a ratio mean over the binomial one; Kish, *Survey Sampling* (1965), §8.2.

    Args:
        events: float64[n] of 0 and 1.
        cluster: int64[n], the cluster of each observation.

    Raises:
        ValueError: it is undefined: no observation, all of them equal, or fewer than two clusters.
    """
    n, share = len(events), float(np.mean(events)) if len(events) else 0.0
    _, index = np.unique(cluster, return_inverse=True)
    clusters = int(index.max()) + 1 if n else 0
    if clusters < 2 or not 0 < share < 1:
        message = "the design effect needs two clusters, an event and a non-event"
        raise ValueError(message)
    totals = np.bincount(index, weights=np.asarray(events) - share)
    return float(clusters / (clusters - 1) * np.sum(totals**2) / (n * share * (1 - share)))


def effective_n(events: Float64, cluster: Int64) -> float:
    """How many independent observations the n clustered ones are worth.

    n / max(1, design effect); with no event, no non-event or one cluster n² / Σ m², m = observations in a cluster.

    The second form is the design effect under complete dependence within clusters, the cautious reading where the data
    cannot say (Kish's approximation for equal weights).

    Args:
        events: float64[n] of 0 and 1, n ≥ 1.
        cluster: int64[n], the cluster of each observation.
    """
    n = len(events)
    sizes = np.unique(cluster, return_counts=True)[1]
    if len(sizes) < 2 or not 0 < float(np.sum(events)) < n:
        return n**2 / float(np.sum(sizes.astype(float) ** 2))
    return n / max(1.0, design_effect(events, cluster))
