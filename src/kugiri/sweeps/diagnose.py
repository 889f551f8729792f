"""Where a retrieval system fails, whoever built it: its chunks and its ranking against the evidence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kugiri.errors import InputError
from kugiri.evidence.loss import loss_of
from kugiri.formats.foreign_chunks import ForeignChunks
from kugiri.formats.foreign_runs import ForeignRun, Hit, matched
from kugiri.metrics.at_rank import MRR, NDCG, Recall
from kugiri.metrics.needs import Needs
from kugiri.metrics.rank import rank_classes
from kugiri.metrics.ranking import Ranking
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions

if TYPE_CHECKING:
    import pandas as pd

Retrieve = Callable[[str, int], Iterable[Any]]
"""`retrieve(question, k) -> chunk ids`, best first; the question is its text."""

DEPTH = 100
"""How many chunks a callable is asked for, as many as our own retrievers keep."""

SEEN, NEAR = 20, 5
"""Ranks within which evidence counts as found, and within which it counts as near the top."""

STAGES = {
    "cut": "no chunk holds the evidence: the cut",
    "candidates": "a chunk holds it, and it is not among the first {seen}: candidate generation",
    "ordering": "among the first {seen}, and not first: ordering",
}
"""The stages at which a question fails, in the order to look at them."""

_REMEDIES = {
    "cut": "the cut, which no model or reranker repairs: kugiri sweep tries others on the same questions",
    "candidates": "candidate generation (embedding model, retrieval method): a reranker never sees what is missing",
    "ordering": "ordering (fusion, reranking): the evidence is there, behind other chunks",
}


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """How far the evidence of each question comes.

    A run says nothing beyond its depth: where it is less deep than a metric looks, the metric has no value, and `seen`
    is its depth.

    Attributes:
        notes: what was dropped, what is missing, one sentence each.
    """

    ranking: Ranking
    notes: tuple[str, ...]

    @property
    def questions(self) -> int:
        """Answerable questions: the denominator of everything."""
        return int(self.ranking.answerable.sum())

    @property
    def seen(self) -> int:
        """The ranks within which evidence counts as found: 20, or as many as the run has."""
        return SEEN if self._reaches(SEEN) else self.ranking.depth

    @property
    def stages(self) -> dict[str, int]:
        """How many questions fail at the cut, in candidate generation, in ordering; lost, not found, found late."""
        stage = self._stages()
        return {name: stage.count(name) for name in STAGES}

    @property
    def ordering(self) -> tuple[int, int]:
        """The questions that fail in ordering: found at ranks 2 to 5, and behind."""
        rank = self.ranking.rank
        return int(((rank > 1) & (rank <= NEAR)).sum()), int(((rank > NEAR) & (rank <= self.seen)).sum())

    @property
    def look_first(self) -> tuple[str, ...]:
        """The stage at which most questions fail, several where they are even; none where all are answered first."""
        stages = self.stages
        most = max(stages.values())
        return tuple(name for name, count in stages.items() if count == most) if most else ()

    @property
    def metrics(self) -> dict[str, float | None]:
        """Recall@5, Recall@20, MRR@10, nDCG@10, lost questions included at 0; None beyond the run's depth."""
        answerable = self.ranking.answerable
        return {
            str(metric): float(metric.of(self.ranking).value[answerable].mean()) if self._reaches(metric.k) else None
            for metric in (Recall(NEAR), Recall(SEEN), MRR(10), NDCG(10))
        }

    @property
    def rank_classes(self) -> dict[str, int]:
        """How many questions are answered at rank 1, 2–5, 6–20 and beyond (or never)."""
        return dict(zip(("1", "2-5", "6-20", "beyond"), rank_classes(self.ranking), strict=True))

    def rows(self) -> list[dict[str, Any]]:
        """A row a question: its stage (None where unanswerable, `first` where at rank 1), rank and fewest chunks."""
        asked, needs = self.ranking.loss.questions, Needs().of(self.ranking.loss)
        columns = zip(
            asked.ids,
            asked.texts,
            self._stages(),
            self.ranking.rank.tolist(),
            needs.value.tolist(),
            needs.defined.tolist(),
            strict=True,
        )
        return [
            {
                "question_id": identity,
                "question": text,
                "stage": stage,
                "rank": rank or None,
                "needs": int(fewest) if defined else None,
            }
            for identity, text, stage, rank, fewest, defined in columns
        ]

    def facts(self) -> dict[str, Any]:
        """Everything as one JSON object."""
        near, late = self.ordering
        return {
            "chunks": len(self.ranking.loss.chunking),
            "depth": self.ranking.depth,
            "questions": self.questions,
            "unanswerable": len(self.ranking.answerable) - self.questions,
            "seen": self.seen,
            "stages": self.stages,
            "ordering": {"2-5": near, f"6-{self.seen}": late},
            "look_first": list(self.look_first),
            "metrics": self.metrics,
            "rank_classes": self.rank_classes,
            "notes": list(self.notes),
            "per_question": self.rows(),
        }

    def advice(self) -> str:
        """What to look at first, in one sentence."""
        first = self.look_first
        if not first:
            return "nothing: every question is answered at rank 1"
        return "; and as much at ".join(_REMEDIES[name] for name in first)

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def __repr__(self) -> str:
        counts = [f"  {count:,} {STAGES[name].format(seen=self.seen)}" for name, count in self.stages.items()]
        head = (
            f"{self.questions:,} questions, {len(self.ranking.loss.chunking):,} chunks, run {self.ranking.depth} deep"
        )
        return "\n".join([head, *counts, f"look first at {self.advice()}"])

    def _reaches(self, k: int | None) -> bool:
        return (k or 0) <= self.ranking.depth or len(self.ranking.loss.chunking) <= self.ranking.depth

    def _stages(self) -> list[str | None]:
        rank, lost, answerable = self.ranking.rank, self.ranking.loss.lost, self.ranking.answerable
        found = (rank > 0) & (rank <= self.seen)
        number = np.select([~answerable, lost, ~found, rank > 1], [0, 1, 2, 3], 4)
        return [(None, *STAGES, "first")[one] for one in number.tolist()]


def diagnose(
    corpus: Corpus,
    questions: Questions,
    chunking: Chunking | ForeignChunks,
    retrieve: Retrieve,
    depth: int = DEPTH,
    ids: Sequence[str] | None = None,
) -> Diagnosis:
    """Where a retrieval system fails on these questions.

    Args:
        corpus: the documents.
        questions: the questions; `corpus, questions = kugiri.load_corpus(folder)`.
        chunking: the chunks that the system ranks.
        retrieve: called with the text of each question and `depth`; returns chunk ids, best first, at most so many
            being looked at. None and −1 are dropped.
        depth: how many chunks to ask for.
        ids: the id of each chunk of `chunking`; default: `document@start:end`.

    Raises:
        InputError: the chunking is of another corpus; no question is answerable; an id that no chunk has, or a chunk
            twice for one question.
    """
    if depth < 1:
        raise InputError(f"depth = {depth} is no number of chunks", "diagnose", "give a whole number of 1 or more")
    chunks = chunking if isinstance(chunking, ForeignChunks) else ForeignChunks(chunking, _numbered(chunking, ids))
    if not _same_documents(chunks.chunking.corpus, corpus):
        raise InputError("the chunks are of another corpus", repr(chunks.chunking), "give the corpus that was chunked")
    hits = [
        Hit(identity, None if chunk is None else str(chunk), rank, None)
        for identity, text in zip(questions.ids, questions.texts, strict=True)
        for rank, chunk in enumerate(list(retrieve(text, depth))[:depth], start=1)
    ]
    return diagnosis(questions, chunks, ForeignRun(hits, "what retrieve returned"), depth)


def diagnosis(questions: Questions, chunks: ForeignChunks, run: ForeignRun, depth: int | None = None) -> Diagnosis:
    """The diagnosis of a run that is there already; `depth` as in `kugiri.formats.foreign_runs.matched`.

    Raises:
        InputError: no question is answerable; whatever `matched` refuses.
    """
    if not questions.answerable.any():
        raise InputError("no question has evidence", "questions", "give a question whose evidence is in the corpus")
    found = matched(run, questions, chunks.numbers, depth)
    loss = loss_of("chunks", chunks.chunking, questions)
    made = Diagnosis(Ranking.of(loss, found.run), found.notes)
    if made.seen < SEEN:
        note = f"the run is {made.seen} deep, so what comes at {made.seen + 1} to {SEEN} is unknown"
        made = dataclasses.replace(made, notes=(*made.notes, note))
    return made


def _numbered(chunking: Chunking, ids: Sequence[str] | None) -> Mapping[str, int]:
    names = [chunking.chunk(index).id for index in range(len(chunking))] if ids is None else list(ids)
    numbers = {name: index for index, name in enumerate(names)}
    if len(names) != len(chunking) or len(numbers) != len(names):
        raise InputError(
            f"{len(numbers)} different ids for {len(chunking)} chunks", "diagnose", "give every chunk its own id"
        )
    return numbers


def _same_documents(one: Corpus, other: Corpus) -> bool:
    return one is other or (one.ids == other.ids and one.texts == other.texts)
