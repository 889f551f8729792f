"""Topics by vocabulary: TextTiling."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import scipy.sparse

from kugiri.chunkers.content_words import counted_words
from kugiri.chunkers.topics import SMALLEST, packed_topics, settle_smallest
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Float64, Int64, concatenated_ranges
from kugiri.model.corpus import Corpus
from kugiri.segmenters.sentences import LineBreaks, Sentences

_AT_ONCE = 8192
_DIGITS = 9
"""Scores are rounded, so that equal ones are equal."""


@dataclasses.dataclass(frozen=True, slots=True)
class Cohesion:
    """Whole sentences of one topic, as many as fit; a topic ends where the vocabulary changes.

    TextTiling with block comparison (Hearst, Computational Linguistics 23(1), 1997) over the content words of
    sentences. The score s of a gap between two sentences is the cosine of the word counts of the `window` sentences in
    front of it and behind it (fewer at the edges of a document), averaged with those of the two gaps beside it. Its
    depth is (l − s) + (r − s), where l and r are what scores rise to, going left and going right from it as long as
    they do not fall. A gap with a depth above mean − sd / 2 of the depths of the document is the end of a topic if
    scores rise on both sides of it (of several such gaps in a row with one score, the first). The averages tell where a
    topic ends only roughly: its end is put where the cosine is lowest of the three that were averaged.

    Every end of a topic is cut, unless the topic would be smaller than `smallest` (Hearst demands three sequences
    between two boundaries); the deepest are cut first. Topics larger than the size are cut behind the last sentence
    that fits. A sentence longer than the size is cut like `fixed`.

    Attributes:
        size: the largest chunk.
        window: sentences on each side that are compared.
        smallest: the smallest topic; a share of the size when a float. Documents, and the last chunks of topics that
            are larger than the size, may be smaller.
        newline: "boundary" where a line break ends a sentence, "wrap" where lines are wrapped text.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: a parameter outside its range.
    """

    name: ClassVar[str] = "cohesion"
    version: ClassVar[int] = 1

    size: int
    window: int = 10
    smallest: int | float = SMALLEST
    newline: LineBreaks = "boundary"
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        settle_smallest(self)
        if isinstance(self.window, bool) or not isinstance(self.window, int) or self.window < 1:
            raise InputError(f"window = {self.window!r} is no whole number of 1 or more", "window", "give 1 or more")

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The packed topics of every document."""
        sentences = Sentences(self.newline).segment(corpus)
        words = counted_words(sentences)
        document = corpus.document_of(sentences.start)
        return packed_topics(sentences, topic_ends(_cohesion(words, document, self.window), document), self)


def _cohesion(words: scipy.sparse.csr_matrix, document: Int64, window: int) -> Float64:
    """float64[N], how alike the blocks in front of and behind each gap are; gap i is in front of sentence i.

    The first gap of a document has nothing in front of it. Blocks without a word are like no other.
    """
    count = len(document)
    gap = np.arange(count)
    low = np.maximum(gap - window, np.searchsorted(document, document, side="left"))
    high = np.minimum(gap + window, np.searchsorted(document, document, side="right"))
    score = np.zeros(count)
    for first in range(0, count, _AT_ONCE):
        some = slice(first, min(first + _AT_ONCE, count))
        front, behind = _sums(words, low[some], gap[some]), _sums(words, gap[some], high[some])
        # Counts are whole numbers: their products and sums are exact.
        shared = np.asarray(front.multiply(behind).sum(axis=1), dtype=np.float64).ravel()
        squares = [np.asarray(m.multiply(m).sum(axis=1), dtype=np.float64).ravel() for m in (front, behind)]
        length = np.sqrt(squares[0]) * np.sqrt(squares[1])
        score[some] = np.round(shared / np.where(length > 0, length, 1), _DIGITS)
    return score


def _sums(rows: scipy.sparse.csr_matrix, low: Int64, high: Int64) -> scipy.sparse.csr_matrix:
    """The sums of rows `low[i]` to `high[i]` − 1."""
    counts, first = high - low, int(low.min())
    places = np.repeat(low - first, counts) + concatenated_ranges(counts)
    edges, ones = np.concatenate(([0], np.cumsum(counts))), np.ones(len(places), dtype=np.int64)
    some = rows[first : int(high.max())]
    return scipy.sparse.csr_matrix((ones, places, edges), (len(low), some.shape[0])) @ some


def topic_ends(score: Float64, document: Int64) -> Float64:
    """float64[N], the depth of the gap in front of each sentence where a topic ends there, else 0."""
    first = np.diff(document, prepend=-1) > 0
    depths = np.zeros(len(score))
    # The gaps inside documents, those of one document in a row.
    gaps = np.flatnonzero(~first)
    if not len(gaps):
        return depths
    own = document[gaps]
    new = np.diff(own, prepend=-1) > 0
    smooth = _smoothed(score[gaps], new)
    left = _climbed(smooth, new)
    right = _climbed(smooth[::-1], np.append(new[1:], True)[::-1])[::-1]
    depth = np.round((left - smooth) + (right - smooth), _DIGITS)
    counts = np.maximum(np.bincount(own), 1)
    mean = np.bincount(own, weights=depth) / counts
    sd = np.sqrt(np.bincount(own, weights=(depth - mean[own]) ** 2) / counts)
    valley = (left > smooth) & (right > smooth)
    # The first of a row: the one in front of it is higher.
    valley[1:] &= smooth[:-1] > smooth[1:]
    deep = np.flatnonzero(valley & (depth > np.round(mean - sd / 2, _DIGITS)[own]))
    np.maximum.at(depths, gaps[deep + _to_the_lowest(score[gaps], new)[deep]], depth[deep])
    return depths


def _smoothed(score: Float64, new: Bool) -> Float64:
    """The mean of each score and those beside it in the same document."""
    total, count = score.copy(), np.ones(len(score))
    beside = ~new[1:]
    total[1:] += np.where(beside, score[:-1], 0)
    total[:-1] += np.where(beside, score[1:], 0)
    count[1:] += beside
    count[:-1] += beside
    return np.round(total / count, _DIGITS)


def _to_the_lowest(score: Float64, new: Bool) -> Int64:
    """−1, 0 or 1: where the lowest score is of each and those beside it; itself, then the one in front, if equal."""
    before, after = np.full((2, len(score)), np.inf)
    before[1:], after[:-1] = np.where(new[1:], np.inf, [score[:-1], score[1:]])
    return np.where(score <= np.minimum(before, after), 0, np.where(before <= after, -1, 1))


def _climbed(score: Float64, new: Bool) -> Float64:
    """What scores rise to, going back from each as long as they do not fall, never beyond where `new` begins."""
    foot = new.copy()
    foot[1:] |= score[:-1] < score[1:]
    return score[np.maximum.accumulate(np.where(foot, np.arange(len(score)), 0))]
