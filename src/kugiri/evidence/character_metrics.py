r"""Chroma's character metrics without its retrieval: recall, precision, IoU, precision omega, question by question.

Source: Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma, 2024), and the code behind it,
`evaluation_framework/base_evaluation.py` of github.com/brandonstarxel/chunking_evaluation (`_full_precision_score` and
`_scores_from_dataset_and_retrievals`). With E the characters of a question's evidence and C those in any chunk:

    precision omega = |E ∩ C| ÷ (|union of the chunks that overlap or touch a span of E| + |E \ C|)

A chunk touches a span where it ends at the span's start or starts at its end: the code takes an empty intersection for
one, so that such a chunk counts although it holds nothing of the evidence. This is Chroma's number itself: it looks at
all chunks of the document and needs no retrieval. Chunks of other documents never touch.

Recall, precision and IoU are defined by Chroma over the chunks that a retriever gave: a fixed number, or as many as
overlap or touch the evidence. Without a retriever they are here taken over all chunks that hold a character of E:

    recall = |E ∩ C| ÷ |E|
    precision = |E ∩ C| ÷ sum of the lengths of these chunks
    IoU = |E ∩ C| ÷ (sum of the lengths of these chunks + |E \ C|)

As in Chroma's code lengths are summed: a character in two of the chunks counts twice. The three are what Chroma prints
where a retriever gives exactly these chunks. They are the figures of no real retriever, and not those of `retrieve=-1`
with a perfect one, which would also fetch the chunks that merely touch. The recall is the highest that any retriever
can reach; precision and IoU are no such limits, since leaving out a long chunk that holds little evidence raises them.
Where chunks do not overlap and none merely touches, omega and IoU are equal.

None of the four knows of a cut: a span spread over two chunks has the recall of one that a single chunk holds, and the
recall of every chunking that leaves no character out is 1. Cut evidence is counted by `kugiri.evidence.loss` alone.

Two differences from Chroma's code. Characters that excerpts of a question share count once in |E|, there as often as
they are given (in its own data never). Questions without exactly one alternative are undefined (its data has none).
"""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Float64, Int64
from kugiri.model.evidence import Evidence


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class CharacterMetrics:
    """The characters of every question, and the four shares of them; values are 0 and NaN where not defined.

    Attributes:
        defined: bool[Q], whether the question has exactly one alternative.
        evidence: int64[Q], characters of its evidence, each once.
        covered: int64[Q], those of them that are in some chunk.
        delivered: int64[Q], lengths of the chunks that hold any of them, summed.
        reached: int64[Q], characters in the union of the chunks that overlap or touch its spans.
    """

    defined: Bool
    evidence: Int64
    covered: Int64
    delivered: Int64
    reached: Int64

    @property
    def recall(self) -> Float64:
        """float64[Q], evidence in chunks ÷ evidence."""
        return self._share(self.evidence)

    @property
    def precision(self) -> Float64:
        """float64[Q], evidence in chunks ÷ lengths of the chunks that hold it; 0 where none does, as Chroma has it."""
        return self._share(self.delivered)

    @property
    def iou(self) -> Float64:
        """float64[Q], evidence in chunks ÷ lengths of the chunks that hold it, with the evidence in none."""
        return self._share(self.delivered + self.evidence - self.covered)

    @property
    def omega(self) -> Float64:
        """float64[Q], evidence in chunks ÷ union of the chunks that overlap or touch it, with the evidence in none."""
        return self._share(self.reached + self.evidence - self.covered)

    @property
    def means(self) -> dict[str, float]:
        """The mean of each over the questions where it is defined; NaN where there are none."""
        values = {"recall": self.recall, "precision": self.precision, "iou": self.iou, "omega": self.omega}
        if not self.defined.any():
            return dict.fromkeys(values, float("nan"))
        return {name: float(value[self.defined].mean()) for name, value in values.items()}

    def _share(self, of: Int64) -> Float64:
        empty = np.where(self.defined, 0.0, np.nan)
        return np.divide(self.covered, of, out=empty, where=self.defined & (of > 0))


def character_metrics(chunking: Chunking, evidence: Evidence) -> CharacterMetrics:
    """The characters of every question's evidence in the chunks, by a few binary searches over all spans at once."""
    defined = np.bincount(evidence.question, minlength=evidence.questions) == 1
    spans = np.flatnonzero(defined[evidence.span_question])
    # Spans are sorted by start; sorted by question too, those of a question follow each other.
    spans = spans[np.argsort(evidence.span_question[spans], kind="stable")]
    question = evidence.span_question[spans].astype(np.int64)
    start, end = evidence.start[spans], evidence.end[spans]
    new = np.clip(start, _reached_before(question, end, chunking.corpus.characters), end)
    covered = _covered_before(chunking, end) - _covered_before(chunking, new)

    def summed(values: Int64, of: Int64) -> Int64:
        return np.bincount(of, weights=values, minlength=evidence.questions).astype(np.int64)

    return CharacterMetrics(
        defined,
        summed(end - new, question),
        summed(covered, question),
        summed(*_lengths(chunking, question, *_overlapping(chunking, start, end))),
        summed(*_union(chunking, question, *_touching(chunking, start, end))),
    )


def _reached_before(question: Int64, high: Int64, width: int) -> Int64:
    """The largest `high` in front of each row among those of its question, negative where it is the first.

    Rows are sorted by question, and no `high` is larger than `width`.
    """
    # Questions are moved apart, so that one running maximum serves all of them.
    apart = question * (width + 1)
    return np.maximum.accumulate(np.concatenate(([-1], high + apart)))[:-1] - apart


def _fresh_start(chunking: Chunking) -> Int64:
    """int64[C], where the characters of each chunk begin that no chunk in front of it has."""
    return np.maximum(chunking.start, np.concatenate(([0], chunking.end[:-1]))[: len(chunking)])


def _covered_before(chunking: Chunking, place: Int64) -> Int64:
    """How many characters in front of each place are in some chunk."""
    fresh = _fresh_start(chunking)
    ahead = np.concatenate(([0], np.cumsum(chunking.end - fresh)))
    chunk = np.searchsorted(chunking.end, place, side="right")
    # Behind the last chunk nothing is fresh.
    inside = np.append(fresh, chunking.corpus.characters)[chunk]
    covered: Int64 = ahead[chunk] + np.maximum(place - inside, 0)
    return covered


def _overlapping(chunking: Chunking, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    """The range of chunks that share a character with each span."""
    return np.searchsorted(chunking.end, start, side="right"), np.searchsorted(chunking.start, end, side="left")


def _touching(chunking: Chunking, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    """The range of chunks of each span's document that overlap it, end where it starts, or start where it ends."""
    low = np.searchsorted(chunking.end, start, side="left")
    high = np.searchsorted(chunking.start, end, side="right")
    # On the axis the end of a document is the start of the next one.
    limits = np.searchsorted(chunking.start, chunking.corpus.document_start, side="left")
    document = chunking.corpus.document_of(start)
    return np.maximum(low, limits[document]), np.minimum(high, limits[document + 1])


def _lengths(chunking: Chunking, question: Int64, low: Int64, high: Int64) -> tuple[Int64, Int64]:
    """Rows whose sum over a question is the lengths of the chunks in its ranges, each chunk once; their questions."""
    some = low < high
    question, low, high = question[some], low[some], high[some]
    low = np.clip(low, _reached_before(question, high, len(chunking)), high)
    ahead = np.concatenate(([0], np.cumsum(chunking.lengths)))
    return ahead[high] - ahead[low], question


def _union(chunking: Chunking, question: Int64, low: Int64, high: Int64) -> tuple[Int64, Int64]:
    """Rows whose sum over a question is the characters in the union of the chunks in its ranges; their questions."""
    some = low < high
    question, low, high = question[some], low[some], high[some]
    behind = _reached_before(question, high, len(chunking))
    more = behind < high
    question, low, high, behind = question[more], np.maximum(low, behind)[more], high[more], behind[more]
    # Starts and ends never decrease: what a chunk adds to those in front of it begins where the last of these ends.
    fresh = _fresh_start(chunking)
    ahead = np.concatenate(([0], np.cumsum(chunking.end - fresh)))
    reached = np.where(behind > 0, chunking.end[np.maximum(behind - 1, 0)], 0)
    first = chunking.end[low] - np.maximum(chunking.start[low], reached)
    return first + ahead[high] - ahead[low + 1], question
