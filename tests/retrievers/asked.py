"""Small retrieval worlds: every text is a document of its own and, unless it is empty, one chunk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kugiri.evidence.containment import Containment
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.model.questions import Questions
from kugiri.model.run import Run
from kugiri.retrievers.cache import RetrievalCache
from kugiri.retrievers.protocol import EvidenceRanges, RetrievalTask

INFO = CorpusInfo("asked", "問い", "ja", "CC0-1.0", "tests/retrievers", "one chunk a document")


def whole(texts: Sequence[str]) -> Chunking:
    """Each text as one chunk."""
    corpus = Corpus.from_documents(INFO, [Document(str(number), text) for number, text in enumerate(texts)])
    start, end = corpus.document_start[:-1], corpus.document_start[1:]
    return Chunking(corpus, start[start < end], end[start < end])


def task_of(texts: Sequence[str], questions: Sequence[str], cache: RetrievalCache | None = None) -> RetrievalTask:
    ids = tuple(f"q{number}" for number in range(len(questions)))
    return RetrievalTask(whole(texts), ids, tuple(questions), cache=cache or RetrievalCache())


def evidence_task(chunking: Chunking, questions: Questions) -> RetrievalTask:
    """A task that says where the evidence is, as a sweep makes it."""
    evidence = questions.evidence
    found = Containment.of(chunking, evidence.start, evidence.end)
    ranges = EvidenceRanges(found.first, found.last, evidence.alternative, evidence.question)
    return RetrievalTask(chunking, questions.ids, questions.texts, ranges)


def found(run: Run, question: int = 0) -> list[int]:
    """The chunks of one question, best first."""
    return [int(chunk) for chunk in run.chunk[question, : run.hits[question]]]


def scores(run: Run, chunks: int) -> np.ndarray:
    """float64[Q, chunks], what a run says of every chunk, 0 where it was not found."""
    table = np.zeros((len(run), chunks))
    for row in range(len(run)):
        table[row, found(run, row)] = run.score[row, : run.hits[row]]
    return table
