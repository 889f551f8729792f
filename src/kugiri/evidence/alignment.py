"""The luck of alignment: what fixed windows lose when they start elsewhere (DESIGN §7).

Phase φ = 0 … T − 1 stands for φ units before every document, T = size − overlap; φ = 0 is what is observed. A span of
length ℓ that begins with unit s is lost iff ((s + φ) mod T) + ℓ > size, which is a run of clip(ℓ − 1 − overlap, 0, T)
phases on the circle that starts at (size − ℓ + 1 − s) mod T. A document no longer than the size is one chunk at every
phase. An alternative is lost where one of its spans is, a question where all of its alternatives are.
"""

from __future__ import annotations

import dataclasses
from math import sqrt

import numpy as np

from kugiri.evidence.cyclic import PhaseSets
from kugiri.evidence.placed import PlacedEvidence
from kugiri.model.columns import Float64, Int64
from kugiri.model.windows import Windows


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class AlignmentLoss:
    """The lost questions of one pair of size and overlap over all phases.

    Attributes:
        circle: T, the number of phases.
        phases: int64[Q], at how many of them each question is lost.
        totals: int64[T], how many questions are lost at each.
    """

    circle: int
    phases: Int64
    totals: Int64

    @property
    def probability(self) -> Float64:
        """float64[Q], each question's share of phases at which it is lost."""
        return self.phases / self.circle

    @property
    def observed(self) -> int:
        """Lost questions where the first window starts with the document."""
        return int(self.totals[0])

    @property
    def expected(self) -> float:
        """The mean of the totals, which is the sum of the probabilities."""
        return int(self.totals.sum()) / self.circle

    @property
    def deviation(self) -> float:
        """The population standard deviation of the totals."""
        total, squares = int(self.totals.sum()), int(self.totals @ self.totals)
        return sqrt(squares * self.circle - total * total) / self.circle

    @property
    def least(self) -> int:
        """The fewest lost questions at any phase."""
        return int(self.totals.min())

    @property
    def most(self) -> int:
        """The most lost questions at any phase."""
        return int(self.totals.max())

    def share_below(self, other: AlignmentLoss) -> float:
        """The share of pairs of phases, one of each, in which this one loses less; ties count half."""
        totals = np.sort(other.totals)
        below = len(totals) - np.searchsorted(totals, self.totals, side="right")
        equal = len(totals) - below - np.searchsorted(totals, self.totals, side="left")
        return float((below + equal / 2).sum() / (len(self.totals) * len(totals)))


def alignment_loss(placed: PlacedEvidence, windows: Windows) -> AlignmentLoss:
    """The loss of these windows at every phase, from the runs alone."""
    circle = windows.stride
    sets = lost_phases(placed, windows.size, windows.size - circle)
    return AlignmentLoss(circle, sets.counts(placed.questions), sets.totals(circle))


def lost_phases(placed: PlacedEvidence, size: int, overlap: int) -> PhaseSets:
    """For each question the phases at which windows of this size and overlap, in units, lose it."""
    circle = size - overlap
    count = np.minimum(np.maximum(placed.length - (1 + overlap), 0), circle)
    count[(placed.room <= size) & (placed.length <= placed.room)] = 0
    # Only a question of which every alternative can be lost can be lost.
    losing = placed.of_questions(count) > 0
    spans = np.flatnonzero(losing[placed.question[placed.alternative]] & (count > 0))
    if not len(spans):
        return PhaseSets.none()
    start = (size - placed.length[spans] + 1 - placed.start[spans]) % circle
    lost = PhaseSets.runs(placed.alternative[spans].astype(np.int64), start, count[spans], circle)
    members = np.bincount(placed.question, minlength=placed.questions)
    return lost.shared(placed.question.astype(np.int64), members)
