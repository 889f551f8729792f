"""`ChunkRecall`, `ChunkPrecision`, `ChunkNDCG`: diagnostics over relevant chunks; overlap moves their denominators.

Relevant is every chunk that wholly contains a span of a kept alternative; none if the question is lost.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.evidence.loss import EvidenceLoss
from kugiri.metrics.at_rank import outcomes
from kugiri.metrics.ranking import Ranking
from kugiri.model.columns import Int64
from kugiri.model.outcomes import Outcomes
from kugiri.retrievers.parameters import demand_whole


@dataclasses.dataclass(frozen=True, slots=True)
class ChunkRecall:
    """The share of the relevant chunks that is within the first `k`; 0 if none is relevant."""

    name: ClassVar[str] = "ChunkRecall"
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
        found = ranking.relevant[:, : self.k].sum(axis=1)
        return outcomes(str(self), found / np.maximum(relevant_chunks(ranking.loss), 1), ranking)


@dataclasses.dataclass(frozen=True, slots=True)
class ChunkPrecision:
    """The share of relevant chunks among the first `k` places, empty places included."""

    name: ClassVar[str] = "ChunkPrecision"
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
        return outcomes(str(self), ranking.relevant[:, : self.k].sum(axis=1) / self.k, ranking)


@dataclasses.dataclass(frozen=True, slots=True)
class ChunkNDCG:
    """NDCG over relevant chunks with binary gain, log2 discount and the ideal cut at `k`; 0 if none is relevant.

    Järvelin & Kekäläinen (2002), as trec_eval's ndcg_cut computes it.
    """

    name: ClassVar[str] = "ChunkNDCG"
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
        discount = 1 / np.log2(2 + np.arange(max(self.k, ranking.depth)))
        found = ranking.relevant[:, : self.k]
        gain = found @ discount[: found.shape[1]]
        ideal = np.concatenate(([0.0], np.cumsum(discount[: self.k])))
        best = ideal[np.minimum(relevant_chunks(ranking.loss), self.k)]
        return outcomes(str(self), np.where(best > 0, gain / np.where(best > 0, best, 1), 0.0), ranking)


def relevant_chunks(loss: EvidenceLoss) -> Int64:
    """int64[Q], the number of relevant chunks: the size of the union of the containing ranges of each question."""
    evidence = loss.questions.evidence
    counted = np.flatnonzero(loss.kept_alternatives[evidence.alternative])
    question = evidence.span_question[counted].astype(np.int64)
    first, last = loss.containment.first[counted], loss.containment.last[counted]
    order = np.lexsort((first, question))
    # Ranges of different questions are moved apart, so that one running maximum serves all of them.
    apart = question[order] * (len(loss.chunking) + 1)
    first, last = first[order] + apart, last[order] + apart
    before = np.concatenate((apart[:1], np.maximum.accumulate(last)[:-1]))
    new = np.maximum(last - np.maximum(first, before), 0)
    return np.bincount(question[order], weights=new, minlength=evidence.questions).astype(np.int64)
