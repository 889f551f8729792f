"""`Recall`, `MRR` and `nDCG`: three functions of `rank`, comparable between chunkings."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.errors import InputError
from kugiri.metrics.ranking import Ranking
from kugiri.model.columns import Float64
from kugiri.model.outcomes import Outcomes
from kugiri.retrievers.parameters import demand_whole


@dataclasses.dataclass(frozen=True, slots=True)
class Recall:
    """Whether the question is answered within the first `k` chunks, or within `budget` characters.

    Over questions with one relevant chunk this is recall; in general it is Success@k: one gain for one answer.
    A budget takes the longest prefix of the ranking whose chunk lengths, overlap counted each time, sum to at most so
    many characters, and no part of a chunk.
    """

    name: ClassVar[str] = "Recall"
    version: ClassVar[int] = 1

    k: int | None = None
    budget: int | None = None

    def __post_init__(self) -> None:
        if (self.k is None) == (self.budget is None):
            raise InputError("Recall takes a cut-off or a budget", "Recall", "write Recall@5 or Recall(budget=2000)")
        demand_whole("k", 1 if self.k is None else self.k, 1)
        demand_whole("budget", 1 if self.budget is None else self.budget, 1)

    def __str__(self) -> str:
        return f"{self.name}(budget={self.budget})" if self.k is None else f"{self.name}@{self.k}"

    def of(self, ranking: Ranking) -> Outcomes:
        """The value of every question.

        Raises:
            InputError: the cut-off or the budget lies beyond the depth of the run.
        """
        if self.budget is not None:
            # A lost question stays at 0 and an answered one is answered, whatever comes behind the depth.
            unanswered = ranking.answerable & ~ranking.loss.lost & (ranking.rank == 0)
            within = ranking.answered_within(ranking.within_budget(self.budget, str(self), unanswered))
            return outcomes(str(self), within.astype(float), ranking)
        ranking.demand_depth(self.k or 0, str(self))
        return outcomes(str(self), ranking.answered_within(self.k or 0).astype(float), ranking)


@dataclasses.dataclass(frozen=True, slots=True)
class MRR:
    """1 / rank, 0 beyond `k`."""

    name: ClassVar[str] = "MRR"
    version: ClassVar[int] = 1

    k: int

    def __post_init__(self) -> None:
        demand_whole("k", self.k, 1)

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"

    def of(self, ranking: Ranking) -> Outcomes:
        """The value of every question.

        Raises:
            InputError: the cut-off lies beyond the depth of the run.
        """
        ranking.demand_depth(self.k, str(self))
        value = np.where(ranking.answered_within(self.k), 1 / np.maximum(ranking.rank, 1), 0.0)
        return outcomes(str(self), value, ranking)


@dataclasses.dataclass(frozen=True, slots=True)
class NDCG:
    """1 / log2(1 + rank), 0 beyond `k`: one gain for one answer, so overlap cannot change the ideal.

    Equal to the usual nDCG (Järvelin & Kekäläinen 2002) where one chunk is relevant.
    """

    name: ClassVar[str] = "nDCG"
    version: ClassVar[int] = 1

    k: int

    def __post_init__(self) -> None:
        demand_whole("k", self.k, 1)

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"

    def of(self, ranking: Ranking) -> Outcomes:
        """The value of every question.

        Raises:
            InputError: the cut-off lies beyond the depth of the run.
        """
        ranking.demand_depth(self.k, str(self))
        value = np.where(ranking.answered_within(self.k), 1 / np.log2(1 + np.maximum(ranking.rank, 1)), 0.0)
        return outcomes(str(self), value, ranking)


def outcomes(metric: str, value: Float64, ranking: Ranking) -> Outcomes:
    """Values of all answerable questions, lost ones included at 0; undefined for the unanswerable."""
    return Outcomes(metric, np.where(ranking.answerable, value, np.nan), ranking.answerable)
