"""Two configurations on the same questions: who loses what the other keeps."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.columns import Bool, Int64


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PairedLoss:
    """Paired events of two configurations.

    Attributes:
        only_a, only_b: int64, indices of the observations that only `a`, only `b` loses.
        ties: observations on which both do the same.
    """

    only_a: Int64
    only_b: Int64
    ties: int


def paired_loss(lost_a: Bool, lost_b: Bool) -> PairedLoss:
    """The observations that tell `a` from `b`; both are bool[n] over the same observations."""
    only_a, only_b = np.flatnonzero(lost_a & ~lost_b), np.flatnonzero(lost_b & ~lost_a)
    return PairedLoss(only_a, only_b, len(lost_a) - len(only_a) - len(only_b))
