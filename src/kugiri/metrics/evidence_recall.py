"""`EvidenceRecall(budget=B)`: how much of the evidence the first B characters hold, pieces included."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.metrics.at_rank import outcomes
from kugiri.metrics.ranking import Ranking
from kugiri.model.columns import Float64, Int64
from kugiri.model.evidence import Evidence
from kugiri.model.outcomes import Outcomes
from kugiri.retrievers.parameters import demand_whole


@dataclasses.dataclass(frozen=True, slots=True)
class EvidenceRecall:
    """The best alternative's share of characters inside the union of the chunks that fit into `budget` characters.

    It credits pieces, so it may exceed 0 for a lost question, and never ranks configurations.
    """

    name: ClassVar[str] = "EvidenceRecall"
    version: ClassVar[int] = 1

    budget: int

    def __post_init__(self) -> None:
        demand_whole("budget", self.budget, 1)

    def __str__(self) -> str:
        return f"{self.name}(budget={self.budget})"

    def of(self, ranking: Ranking) -> Outcomes:
        """The value of every question.

        Raises:
            InputError: the budget lies beyond the depth of the run.
        """
        evidence = ranking.loss.questions.evidence
        start, length = _disjoint(evidence, ranking.loss.chunking.corpus.characters)
        prefix = ranking.within_budget(self.budget, str(self))
        covered = _covered(ranking, prefix, start, start + length)
        alternatives = len(evidence.question)
        held = np.bincount(evidence.alternative, weights=covered, minlength=alternatives)
        whole = np.bincount(evidence.alternative, weights=length, minlength=alternatives)
        best = np.zeros(evidence.questions)
        np.maximum.at(best, evidence.question, held / np.maximum(whole, 1))
        return outcomes(str(self), best, ranking)


def _disjoint(evidence: Evidence, characters: int) -> tuple[Int64, Int64]:
    """Starts and lengths of the spans (int64[S]) without what an earlier span of the same alternative has already."""
    order = np.lexsort((evidence.start, evidence.alternative))
    # Alternatives are moved apart, so that one running maximum serves all of them.
    apart = evidence.alternative[order].astype(np.int64) * (characters + 1)
    reached = np.maximum.accumulate(np.concatenate(([0], evidence.end[order] + apart)))[:-1]
    start, length = np.empty_like(evidence.start), np.empty_like(evidence.start)
    start[order] = np.maximum(evidence.start[order], reached - apart)
    length[order] = np.maximum(evidence.end[order] - start[order], 0)
    return start, length


def _covered(ranking: Ranking, prefix: Int64, start: Int64, end: Int64) -> Float64:
    """float64[S], characters of each `[start, end)` inside the union of the first `prefix` chunks of its question."""
    evidence, chunking = ranking.loss.questions.evidence, ranking.loss.chunking
    covered = np.zeros(len(evidence.start))
    if not len(chunking):
        return covered
    inside = np.arange(ranking.depth) < prefix[:, None]
    # In file order starts and ends of chunks never decrease, so what a chunk adds to the union of those before it
    # begins where the one before it ends. Places behind the prefix become empty chunks at the very end.
    chunk = np.sort(np.where(inside, ranking.run.chunk, len(chunking)), axis=1)
    end_of_corpus = chunking.corpus.characters
    starts, ends = np.append(chunking.start, end_of_corpus)[chunk], np.append(chunking.end, end_of_corpus)[chunk]
    begins = np.maximum(starts, np.concatenate([np.zeros((len(ends), 1), dtype=np.int64), ends[:, :-1]], axis=1))
    step = max(1, (1 << 22) // max(ranking.depth, 1))
    for low in range(0, len(covered), step):
        spans = slice(low, low + step)
        question = evidence.span_question[spans]
        shared = np.minimum(ends[question], end[spans, None]) - np.maximum(begins[question], start[spans, None])
        covered[spans] = np.maximum(shared, 0).sum(axis=1)
    return covered
