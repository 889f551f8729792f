"""Why a question is lost: the span that decides it, the cut through it, and what would have kept it."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.evidence.containment import Containment
from kugiri.evidence.fixed_windows import size_needed
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Float64, Int64, concatenated_ranges
from kugiri.model.evidence import Evidence
from kugiri.model.windows import Windows

CAUSES = ("dropped", "too_long", "cut")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class LostQuestions:
    """One row a lost question, in question order; −1 stands for null in every integer column.

    The row tells of the least-covered lost span of the alternative with the highest minimum coverage; ties take the
    first in file order.

    Attributes:
        question, span: int64[L], indices of the question and of that span.
        cause: int64[L], index into `CAUSES`, the first that applies: a character in no chunk; longer than every chunk
            of its document; cut.
        cut_at: int64[L] on the global axis, the end of `left`; null if dropped.
        left: int64[L], the last chunk that starts at or before the span, null if its document has none.
        right: int64[L], the first chunk that ends at or after the span's end, null if its document has none.
        best: int64[L], the chunk with the largest share of the span, null at 0.
        best_coverage: float64[L], that share.
        overlap_needed, size_needed: int64[L], null for other strategies than fixed windows (DESIGN §7).
    """

    question: Int64
    span: Int64
    cause: Int64
    cut_at: Int64
    left: Int64
    right: Int64
    best: Int64
    best_coverage: Float64
    overlap_needed: Int64
    size_needed: Int64

    def __len__(self) -> int:
        """The number of lost questions."""
        return len(self.question)


def lost_questions(chunking: Chunking, evidence: Evidence, lost: Bool, windows: Windows | None = None) -> LostQuestions:
    """The rows of the questions marked in `lost` (bool[Q]); `windows` where the chunking is fixed windows."""
    spans = np.flatnonzero(lost[evidence.span_question])
    start, end = evidence.start[spans], evidence.end[spans]
    containment = Containment.of(chunking, start, end)
    best, covered = best_chunk(chunking, start, end)
    coverage = covered / (end - start)
    deciding = _deciding_spans(evidence, spans, coverage)
    spans, start, end = spans[deciding], start[deciding], end[deciding]
    best, coverage = best[deciding], coverage[deciding]

    document = chunking.corpus.document_of(start)
    left = _of_document(chunking, containment.last[deciding] - 1, document)
    right = _of_document(chunking, containment.first[deciding], document)
    length = end - start
    dropped = _has_a_gap(chunking, start, end)
    too_long = length > _longest_chunk(chunking)[document]
    cause = np.select([dropped, too_long], [0, 1], 2)
    none = np.full(len(spans), -1, dtype=np.int64)
    overlap, size = none, none
    if windows is not None:
        overlap = np.where(length <= windows.size, length - 1, -1)
        size = size_needed(start - chunking.corpus.document_start[document], length, windows)
    return LostQuestions(
        evidence.span_question[spans].astype(np.int64),
        spans,
        cause,
        np.where(dropped | (left < 0), -1, chunking.end[left] if len(chunking) else none),
        left,
        right,
        np.where(coverage > 0, best, -1),
        coverage,
        overlap,
        size,
    )


def _overlapping(chunking: Chunking, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    """The range of chunks that share a character with each span: they end after it starts and start before it ends."""
    low = np.searchsorted(chunking.end, start, side="right")
    high = np.searchsorted(chunking.start, end, side="left")
    return low, np.maximum(low, high)


def best_chunk(chunking: Chunking, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    """For each span the chunk that shares most of its characters (the first such), and how many; −1 and 0 for none."""
    low, high = _overlapping(chunking, start, end)
    counts = high - low
    best, covered = np.full(len(start), -1, dtype=np.int64), np.zeros(len(start), dtype=np.int64)
    touched = np.flatnonzero(counts)
    if not len(touched):
        return best, covered
    counts = counts[touched]
    chunk = np.repeat(low[touched], counts) + concatenated_ranges(counts)
    shared = np.minimum(chunking.end[chunk], np.repeat(end[touched], counts)) - np.maximum(
        chunking.start[chunk], np.repeat(start[touched], counts)
    )
    groups = np.cumsum(counts) - counts
    covered[touched] = np.maximum.reduceat(shared, groups)
    is_best = shared == np.repeat(covered[touched], counts)
    best[touched] = np.minimum.reduceat(np.where(is_best, chunk, len(chunking)), groups)
    return best, covered


def _deciding_spans(evidence: Evidence, spans: Int64, coverage: Float64) -> Int64:
    """One index into `spans` a lost question, in question order."""
    alternative = evidence.alternative[spans]
    minimum = np.full(len(evidence.question), np.inf)
    np.minimum.at(minimum, alternative, coverage)
    # Within a question: the alternative with the highest minimum, the first of those; within it the least-covered span,
    # the first in file order. It is a lost one: a contained span has coverage 1, a lost one less.
    order = np.lexsort(
        (evidence.order[spans], coverage, alternative, -minimum[alternative], evidence.question[alternative])
    )
    question = evidence.question[alternative[order]]
    return order[np.concatenate(([True], question[1:] != question[:-1]))[: len(order)]]


def _of_document(chunking: Chunking, chunk: Int64, document: Int64) -> Int64:
    """The chunk indices, −1 where there is no such chunk or it lies in another document."""
    if not len(chunking):
        return np.full(len(chunk), -1, dtype=np.int64)
    exists = (chunk >= 0) & (chunk < len(chunking))
    inside = np.where(exists, chunk, 0)
    return np.where(exists & (chunking.corpus.document_of(chunking.start[inside]) == document), inside, -1)


def _has_a_gap(chunking: Chunking, start: Int64, end: Int64) -> Bool:
    """Whether some character of each span is in no chunk.

    Ends never decrease, so a character is uncovered exactly where one chunk ends before the next one starts.
    """
    low, high = _overlapping(chunking, start, end)
    touched = low < high
    if not touched.any():
        return ~touched
    gaps = np.concatenate(([0], np.cumsum(chunking.start[1:] > chunking.end[:-1])))
    first, last = np.where(touched, low, 0), np.where(touched, high - 1, 0)
    between = gaps[last] > gaps[first]
    return ~touched | (chunking.start[first] > start) | (chunking.end[last] < end) | between


def _longest_chunk(chunking: Chunking) -> Int64:
    """int64[D], the length of the longest chunk of each document, 0 where it has none."""
    longest = np.zeros(len(chunking.corpus), dtype=np.int64)
    np.maximum.at(longest, chunking.document, chunking.lengths)
    return longest
