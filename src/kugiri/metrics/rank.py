"""`rank`: the first position at which the question is answered."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.metrics.ranking import Ranking
from kugiri.model.outcomes import Outcomes

CLASSES = ((1, 1), (2, 5), (6, 20))
"""The rank classes 1 · 2–5 · 6–20; everything else is beyond, lost questions included."""


@dataclasses.dataclass(frozen=True, slots=True)
class Rank:
    """The first position at which some alternative is complete; undefined where lost or not found within the depth."""

    name: ClassVar[str] = "rank"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return self.name

    def of(self, ranking: Ranking) -> Outcomes:
        """The value of every question."""
        defined = ranking.rank > 0
        return Outcomes(str(self), np.where(defined, ranking.rank, np.nan), defined)


def rank_classes(ranking: Ranking) -> tuple[int, int, int, int]:
    """How many answerable questions are answered at rank 1, 2–5, 6–20 and beyond; they add up to all of them."""
    counts = [int(((ranking.rank >= low) & (ranking.rank <= high)).sum()) for low, high in CLASSES]
    return counts[0], counts[1], counts[2], int(ranking.answerable.sum()) - sum(counts)
