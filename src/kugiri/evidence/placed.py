"""Evidence counted in the units of its documents: all that fixed windows ask of it."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.columns import Bool, Int32, Int64
from kugiri.model.corpus import Corpus
from kugiri.model.evidence import Evidence
from kugiri.model.windows import LARGEST
from kugiri.segmenters.units import Units


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PlacedEvidence:
    """Spans as unit numbers, alternative by alternative, of the answerable questions only.

    Attributes:
        start: int64[S], the number of the first unit that a span touches, counted from its document's first.
        length: int64[S], how many units it touches; more than any window has where no unit holds part of the span.
        room: int64[S], the number of units of the span's document.
        alternative: int32[S], non-decreasing; every alternative has a span.
        question: int32[A], non-decreasing, 0 to `questions` − 1; every question has an alternative.
        questions: Q, the answerable questions.
        documents: int64[L], the lengths that documents have, in units, ascending, and
        documents_of_length: int64[L], how many have each.
        first_span: int64[A], the place of each alternative's first span.
    """

    start: Int64
    length: Int64
    room: Int64
    alternative: Int32
    question: Int32
    questions: int
    documents: Int64
    documents_of_length: Int64
    first_span: Int64 = dataclasses.field(init=False, repr=False)
    _first_alternative: Int64 = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "first_span", np.flatnonzero(np.diff(self.alternative, prepend=-1)))
        object.__setattr__(self, "_first_alternative", np.flatnonzero(np.diff(self.question, prepend=-1)))

    @classmethod
    def of(cls, corpus: Corpus, evidence: Evidence, units: Units | None = None) -> PlacedEvidence:
        """The evidence in code points, or in other units."""
        order = np.argsort(evidence.alternative, kind="stable")
        start, end = evidence.start[order], evidence.end[order]
        document = corpus.document_of(start)
        if units is None:
            edge = corpus.document_start
            first, length = start - edge[document], end - start
        else:
            edge = units.edge
            low, high = edge[document], edge[document + 1]
            touched = np.searchsorted(units.start, start, side="right") - 1
            last = np.searchsorted(units.end, end, side="left")
            first, length = touched - low, last - touched + 1
            nowhere = (touched < low) | (last >= high)
            first, length = np.where(nowhere, 0, first), np.where(nowhere, LARGEST + 1, length)
        lengths = np.diff(edge)
        distinct, counts = np.unique(lengths, return_counts=True)
        _, question = np.unique(evidence.question, return_inverse=True)
        return cls(
            first,
            length,
            lengths[document],
            evidence.alternative[order],
            question.astype(np.int32),
            int(evidence.answerable.sum()),
            distinct,
            counts,
        )

    @property
    def units(self) -> int:
        """The units of all documents."""
        return int((self.documents * self.documents_of_length).sum())

    def chunks(self, size: int, stride: Int64) -> Int64:
        """int64[N]: the number of windows of this size over all documents, for each stride (int64[N])."""
        room = self.documents > 0
        longer = self.documents > size
        more, of_length = self.documents[longer] - size, self.documents_of_length[longer]
        beyond_the_first = -(-more // stride[:, None]) @ of_length
        return np.asarray(beyond_the_first + self.documents_of_length[room].sum())

    def indexed(self, chunks: Int64, overlap: Int64) -> Int64:
        """int64[N]: the units of that many windows, overlap counted each time.

        Every window but the first of its document shares exactly the overlap with the one in front of it.
        """
        return self.units + (chunks - int(self.documents_of_length[self.documents > 0].sum())) * overlap

    def enough(self, stride: int) -> Int64:
        """int64[Q]: the smallest size of windows with this stride, the first at unit 0, that keeps each question.

        A span is kept iff (s mod T) + ℓ ≤ size; a question needs all spans of some alternative.
        """
        return self.of_questions(self.start % stride + self.length)

    def longest(self) -> Int64:
        """int64[Q], the longest span of the alternative whose longest span is shortest.

        An overlap of one less keeps the question at every alignment; with several alternatives less may do.
        """
        return self.of_questions(self.length)

    def of_questions(self, of_span: Int64) -> Int64:
        """int64[Q]: the least over alternatives of the greatest over their spans."""
        if not len(of_span):
            return np.empty(0, dtype=np.int64)
        if len(self.first_span) < len(of_span):
            of_span = np.maximum.reduceat(of_span, self.first_span)
        return np.minimum.reduceat(of_span, self._first_alternative)

    def select(self, keep: Bool) -> PlacedEvidence:
        """The evidence of the questions marked in `keep` (bool[Q]), renumbered from 0; the documents stay all."""
        alternatives = keep[self.question]
        spans = alternatives[self.alternative]
        question, alternative = np.cumsum(keep) - 1, np.cumsum(alternatives) - 1
        return PlacedEvidence(
            self.start[spans],
            self.length[spans],
            self.room[spans],
            alternative[self.alternative[spans]].astype(np.int32),
            question[self.question[alternatives]].astype(np.int32),
            int(keep.sum()),
            self.documents,
            self.documents_of_length,
        )
