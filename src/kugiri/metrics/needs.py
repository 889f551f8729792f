"""`needs`: the fewest chunks that complete an answer."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.evidence.loss import EvidenceLoss
from kugiri.model.outcomes import Outcomes
from kugiri.model.piercing import pierced


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
        containment = loss.containment
        needed = pierced(containment.first, containment.last, evidence.alternative, len(evidence.question)).needed
        kept = np.flatnonzero(loss.kept_alternatives)
        np.minimum.at(fewest, evidence.question[kept], needed[kept])
        defined = np.isfinite(fewest)
        return Outcomes(str(self), np.where(defined, fewest, np.nan), defined)
