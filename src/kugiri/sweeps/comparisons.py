"""Pairs of configurations: who loses what the other keeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from kugiri.evidence.loss import EvidenceLoss
from kugiri.model.columns import Bool, Int64
from kugiri.model.windows import windows_of
from kugiri.statistics.pairs import paired_loss


@dataclasses.dataclass(frozen=True, slots=True)
class LossComparison:
    """The loss of configuration `b` against that of `a`, over the answerable questions.

    Attributes:
        wins, losses: questions that only `a`, only `b` loses.
        nested: whether one lost set must contain the other, so that a test would ask what is known.
    """

    a: str
    b: str
    questions: int
    clusters: int
    value_a: float
    value_b: float
    wins: int
    ties: int
    losses: int
    nested: bool


def loss_comparisons(
    losses: Sequence[tuple[str, Any, EvidenceLoss]], answerable: Bool, cluster: Int64, baseline: str | None
) -> list[LossComparison]:
    """Every pair of configurations in order, or every other one against the baseline.

    Args:
        losses: label, chunker and loss of each configuration.
        answerable: bool[Q].
        cluster: int64[Q], the cluster of each answerable question.
        baseline: label of the baseline, which is `a` of every pair; None for all pairs.
    """
    if baseline is None:
        pairs = list(combinations(losses, 2))
    else:
        first = next((entry for entry in losses if entry[0] == baseline), None)
        pairs = [] if first is None else [(first, other) for other in losses if other is not first]
    clusters = len(np.unique(cluster[answerable]))
    return [_compared(a, b, answerable, clusters) for a, b in pairs]


def _compared(
    a: tuple[str, Any, EvidenceLoss], b: tuple[str, Any, EvidenceLoss], answerable: Bool, clusters: int
) -> LossComparison:
    lost_a, lost_b = a[2].lost[answerable], b[2].lost[answerable]
    pair = paired_loss(lost_a, lost_b)
    windows_a, windows_b = windows_of(a[1]), windows_of(b[1])
    nested = windows_a is not None and windows_b is not None and windows_a.nests_with(windows_b)
    return LossComparison(
        a[0],
        b[0],
        len(lost_a),
        clusters,
        float(lost_a.mean()),
        float(lost_b.mean()),
        len(pair.only_a),
        pair.ties,
        len(pair.only_b),
        nested,
    )
