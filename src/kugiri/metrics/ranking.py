"""A run read against the evidence: where each span is first held, where each question is first answered."""

from __future__ import annotations

import dataclasses
from functools import cached_property

import numpy as np

from kugiri.errors import InputError
from kugiri.evidence.loss import EvidenceLoss
from kugiri.model.columns import Bool, Int64, frozen
from kugiri.model.run import Run

_CELLS_AT_ONCE = 1 << 22


@dataclasses.dataclass(frozen=True, eq=False)
class Ranking:
    """One configuration's run over the chunks whose loss is known.

    Attributes:
        rank: int64[Q], the first position (from 1) at which some alternative is complete: each of its spans wholly
            inside some chunk ranked so far; 0 where none is within the run's depth.
    """

    loss: EvidenceLoss
    run: Run
    rank: Int64

    @classmethod
    def of(cls, loss: EvidenceLoss, run: Run) -> Ranking:
        """The ranking of a run over the chunks of `loss`."""
        evidence, never = loss.questions.evidence, run.chunk.shape[1] + 1
        alternative = np.zeros(len(evidence.question), dtype=np.int64)
        np.maximum.at(alternative, evidence.alternative, _first_held(loss, run, never))
        question = np.full(evidence.questions, never, dtype=np.int64)
        np.minimum.at(question, evidence.question, alternative)
        return cls(loss, run, frozen(np.where(question < never, question, 0)))

    @property
    def depth(self) -> int:
        """How many ranks the run keeps."""
        return int(self.run.chunk.shape[1])

    @property
    def answerable(self) -> Bool:
        """bool[Q], whether a question has evidence: the questions of every mean, lost ones included."""
        return self.loss.questions.answerable

    def answered_within(self, ranks: int | Int64) -> Bool:
        """bool[Q], whether the question is answered within so many ranks (one number, or one a question)."""
        return (self.rank > 0) & (self.rank <= ranks)

    def demand_depth(self, k: int, metric: str) -> None:
        """Refuses a cut-off that the run does not reach.

        Raises:
            InputError: `k` is beyond the depth of the run, and there are chunks beyond it.
        """
        if k > self.depth and len(self.loss.chunking) > self.depth:
            raise InputError(
                f"{metric} looks beyond the depth of the run, {self.depth}",
                metric,
                f"give the retriever depth = {k} or more",
            )

    def within_budget(self, budget: int, metric: str, open_questions: Bool | None = None) -> Int64:
        """int64[Q]: the length of the longest prefix whose chunk lengths, overlap counted each time, sum to ≤ `budget`.

        Args:
            budget: characters.
            metric: the label of the metric that asks, for the message.
            open_questions: bool[Q], those whose value depends on what comes behind the depth of the run; None for all
                answerable ones.

        Raises:
            InputError: the ranking of an open question fills the depth of the run and not the budget.
        """
        used = np.cumsum(self.chunk_lengths(), axis=1)
        filled = (used <= budget) & (self.run.chunk >= 0)
        prefix: Int64 = filled.sum(axis=1)
        asked = self.answerable if open_questions is None else open_questions
        cut_short = asked & (prefix == self.depth) & (used.max(axis=1, initial=0) < budget)
        if 0 < self.depth < len(self.loss.chunking) and bool(cut_short.any()):
            most = int(used.max(axis=1, initial=0)[cut_short].min())
            raise InputError(
                f"{metric} looks beyond the depth of the run: {self.depth} chunks hold only {most} characters",
                metric,
                f"give the retriever a depth of about {-(-budget * self.depth // max(most, 1))} or more",
            )
        return prefix

    def chunk_lengths(self) -> Int64:
        """int64[Q, depth], characters of each ranked chunk, 0 where the run has none."""
        chunk = self.run.chunk
        if not len(self.loss.chunking):
            return np.zeros(chunk.shape, dtype=np.int64)
        return np.where(chunk >= 0, self.loss.chunking.lengths[np.maximum(chunk, 0)], 0)

    @cached_property
    def relevant(self) -> Bool:
        """bool[Q, depth]: whether the ranked chunk wholly contains a span of a kept alternative."""
        evidence, chunk = self.loss.questions.evidence, self.run.chunk
        found = np.zeros(chunk.shape, dtype=bool)
        counted = np.flatnonzero(self.loss.kept_alternatives[evidence.alternative])
        order = counted[np.argsort(evidence.span_question[counted], kind="stable")]
        for block in _blocks(order, chunk.shape[1]):
            question = evidence.span_question[block]
            held = (chunk[question] >= self.loss.containment.first[block, None]) & (
                chunk[question] < self.loss.containment.last[block, None]
            )
            np.logical_or.at(found, question, held)
        return found


def _first_held(loss: EvidenceLoss, run: Run, never: int) -> Int64:
    """int64[S], the first position at which a ranked chunk contains the span, `never` where none does."""
    evidence = loss.questions.evidence
    found = np.full(len(evidence.start), never, dtype=np.int64)
    for block in _blocks(np.flatnonzero(loss.containment.contained), run.chunk.shape[1]):
        chunk = run.chunk[evidence.span_question[block]]
        held = (chunk >= loss.containment.first[block, None]) & (chunk < loss.containment.last[block, None])
        if held.shape[1]:
            found[block] = np.where(held.any(axis=1), held.argmax(axis=1) + 1, never)
    return found


def _blocks(rows: Int64, depth: int) -> list[Int64]:
    """The rows in blocks whose tables of `depth` columns stay small."""
    step = max(1, _CELLS_AT_ONCE // max(depth, 1))
    return [rows[low : low + step] for low in range(0, len(rows), step)]
