"""Containment: which chunks wholly hold a span, by two binary searches."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Int64
from kugiri.model.evidence import Evidence


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Containment:
    """The chunks that contain each span: exactly those with indices in `[first, last)`.

    A chunk contains [s, e) if it starts at or before s and ends at or after e; equality is allowed. Both starts and
    ends of a chunking never decrease, so the chunks that end early enough to fail form a prefix, those that start too
    late a suffix, and what lies between contains the span. A chunk never crosses documents, so one that contains a
    span is of its document.

    Attributes:
        first, last: int64[S].
    """

    first: Int64
    last: Int64

    @classmethod
    def of(cls, chunking: Chunking, start: Int64, end: Int64) -> Containment:
        """The chunks of `chunking` that contain each span `[start, end)` of the global axis."""
        return cls(
            np.searchsorted(chunking.end, end, side="left"), np.searchsorted(chunking.start, start, side="right")
        )

    @property
    def contained(self) -> Bool:
        """bool[S], whether a single chunk wholly holds the span."""
        return self.first < self.last


def alternatives_kept(evidence: Evidence, contained: Bool) -> Bool:
    """bool[A]: an alternative is kept if all of its spans are contained."""
    missing = np.bincount(evidence.alternative, weights=~contained, minlength=len(evidence.question))
    return np.asarray(missing == 0)


def questions_kept(evidence: Evidence, kept: Bool) -> Bool:
    """bool[Q]: a question is kept if an alternative is; unanswerable ones are not, and are not lost either."""
    question = np.zeros(evidence.questions, dtype=bool)
    question[evidence.question[kept]] = True
    return question
