"""`needs`: the fewest chunks that complete an answer."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.evidence.loss import EvidenceLoss
from kugiri.model.columns import Int32, Int64
from kugiri.model.outcomes import Outcomes


@dataclasses.dataclass(frozen=True, slots=True)
class Needs:
    """The fewest chunks that complete an alternative of the question; undefined for lost and unanswerable questions.

    No ranking can answer a question with fewer chunks, so the share of questions with `needs <= k` is the ceiling that
    the cut leaves at k (DESIGN §7).
    """

    name: ClassVar[str] = "needs"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return self.name

    def of(self, loss: EvidenceLoss) -> Outcomes:
        """The value of every question."""
        evidence = loss.questions.evidence
        fewest = np.full(evidence.questions, np.inf)
        needed = fewest_piercing(
            loss.containment.first, loss.containment.last, evidence.alternative, len(evidence.question)
        )
        kept = np.flatnonzero(loss.kept_alternatives)
        np.minimum.at(fewest, evidence.question[kept], needed[kept])
        defined = np.isfinite(fewest)
        return Outcomes(str(self), np.where(defined, fewest, np.nan), defined)


def fewest_piercing(first: Int64, last: Int64, group: Int32 | Int64, groups: int) -> Int64:
    """int64[groups]: the fewest integers that hit every range `[first, last)` of each group; empty ranges are left out.

    The chunks that contain a span are a range of indices, so completing an alternative is piercing intervals: take the
    range that ends first, pierce it at its last point, drop all that this hits, repeat. One round of this for all
    groups at once; there are as many rounds as the hardest group needs points.
    """
    needed = np.zeros(groups, dtype=np.int64)
    open_ranges = np.flatnonzero(first < last)
    while len(open_ranges):
        point = np.full(groups, np.iinfo(np.int64).max)
        np.minimum.at(point, group[open_ranges], last[open_ranges] - 1)
        needed[np.unique(group[open_ranges])] += 1
        open_ranges = open_ranges[first[open_ranges] > point[group[open_ranges]]]
    return needed
