"""How far two scores order the same things alike."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Float64


def kendall_tau_b(a: Float64, b: Float64) -> float | None:
    """Kendall's τ-b of two scores: 1 for the same order, −1 for the reverse, ties corrected for in both.

    (concordant − discordant) ÷ √((pairs − ties in a)(pairs − ties in b)); Kendall 1945, Biometrika 33:239–251.

    Args:
        a: float64[n], one score of each thing.
        b: float64[n], the other.

    Returns:
        None where it is undefined: fewer than two things, or all of one score tied.
    """
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    # Of the few configurations of a sweep; importing scipy.stats takes longer than all other statistics of one.
    first, second = np.sign(np.subtract.outer(a, a)), np.sign(np.subtract.outer(b, b))
    return float((first * second).sum() / np.sqrt(np.abs(first).sum() * np.abs(second).sum()))
