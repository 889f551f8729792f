"""Holm's step-down correction for several tests."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Float64


def holm(p: Float64) -> Float64:
    """float64[family]: adjusted p; rejecting where it is ≤ α keeps the chance of any false rejection at α.

    The j-th smallest of m is multiplied by m − j + 1, made non-decreasing and capped at 1 (Holm 1979, Scand. J.
    Statist. 6:65–70). It assumes nothing about the dependence of the tests.

    Args:
        p: float64[family], each within [0, 1].

    Raises:
        ValueError: a p outside [0, 1] or not a number.
    """
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        message = "p[family] must be one-dimensional and within [0, 1]"
        raise ValueError(message)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def holm_can_reject(family: int, resamples: int, exact: bool, alpha: float = 0.05) -> bool:
    """Whether Holm's adjusted p says anything beside max-T: p is exact, or family ≤ α (B + 1).

    The smallest p of B random flips is 1/(B + 1), and Holm's first step multiplies it by the size of the family: in a
    larger family nothing could be rejected, however large the difference.

    Args:
        family: tests in the family.
        resamples: B.
        exact: whether p came from all flips, so that more resamples would change nothing.
        alpha: the level.
    """
    return exact or family <= alpha * (resamples + 1)
