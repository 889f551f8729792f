"""The second loss: evidence that a chunk contains and the embedding model never sees, because its input ends before.

A chunk is embedded from the beginning of its text, as many tokens as the model has room for; what lies behind is not
lost, since the chunk is delivered whole if it is retrieved, but nothing in the index speaks of it.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.evidence.containment import Containment, alternatives_kept, questions_kept
from kugiri.model.columns import Bool, Int64, concatenated_ranges
from kugiri.model.evidence import Evidence
from kugiri.model.indexed import Indexed
from kugiri.segmenters.tokenizers import Tokenizer


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Room:
    """How much of the vectors' text a model sees.

    Attributes:
        tokenizer: finds the tokens of each vector's text, by itself.
        tokens: int64[V], how many tokens of each vector's own text there is room for; none where 0 or less.
        counts: int64[V], how many tokens each vector's own text has.
    """

    tokenizer: Tokenizer
    tokens: Int64
    counts: Int64


def truncated(index: Indexed, evidence: Evidence, containment: Containment, room: Room) -> Bool:
    """bool[Q]: kept, but no alternative has every span inside the part of a chunk that the model sees (DESIGN §7).

    Another chunk that contains the span may show it. Of a delivered chunk with several vectors (parent and child) the
    part that is seen is the union of what is seen of them. A character is seen if no token behind the limit has any of
    it: byte-level tokens may divide one.

    Only chunks that contain evidence, and of those the vectors that do not fit, are tokenised.

    Args:
        index: what is ranked, and the delivered chunks of it.
        evidence: of the questions.
        containment: the delivered chunks that contain each span.
        room: how much of each vector is seen.
    """
    kept = questions_kept(evidence, alternatives_kept(evidence, containment.contained))
    seen = _spans_seen(index, evidence, containment, room)
    return np.asarray(kept & ~questions_kept(evidence, alternatives_kept(evidence, seen)))


def _spans_seen(index: Indexed, evidence: Evidence, containment: Containment, room: Room) -> Bool:
    """bool[S], whether some delivered chunk contains the span and shows all of it."""
    counts = np.maximum(containment.last - containment.first, 0)
    span = np.repeat(np.arange(len(evidence.start)), counts)
    delivered = np.repeat(containment.first, counts) + concatenated_ranges(counts)
    chunks, place = np.unique(delivered, return_inverse=True)
    start, end = _parts_seen(index, chunks, room)
    # Parts of different chunks are moved apart, so that one search serves all of them.
    width = index.delivered.corpus.characters + 1
    shift = place * width
    part = np.searchsorted(start, evidence.start[span] + shift, side="right") - 1
    holds = np.zeros(len(span), dtype=bool)
    some = part >= 0
    holds[some] = evidence.end[span[some]] + shift[some] <= end[part[some]]
    seen = np.zeros(len(evidence.start), dtype=bool)
    seen[span[holds]] = True
    return seen


def _parts_seen(index: Indexed, chunks: Int64, room: Room) -> tuple[Int64, Int64]:
    """The parts of these delivered chunks that are seen: disjoint, sorted, those of the n-th moved by n axes' width."""
    first, last = index.ranges(chunks, chunks + 1)
    vector = np.repeat(first, last - first) + concatenated_ranges(last - first)
    shift = np.repeat(np.arange(len(chunks)), last - first) * (index.delivered.corpus.characters + 1)
    start = index.vectors.start[vector] + shift
    end = start + _length_seen(index, vector, room)
    visible = start < end
    start, end = start[visible], np.maximum.accumulate(end[visible])
    # Starts never decrease: a part begins where a vector starts behind everything that is seen in front of it.
    begins = np.concatenate(([True], start[1:] > end[:-1]))[: len(start)]
    place = np.flatnonzero(begins)
    return start[place], end[np.append(place[1:], len(start))[: len(place)] - 1]


def _length_seen(index: Indexed, vector: Int64, room: Room) -> Int64:
    """How many characters are seen of each of these vectors."""
    vectors, length = index.vectors, index.vectors.lengths[vector]
    tokens = room.tokens[vector]
    length[tokens <= 0] = 0
    for number in np.flatnonzero((tokens > 0) & (room.counts[vector] > tokens)).tolist():
        low, high = int(vectors.start[vector[number]]), int(vectors.end[vector[number]])
        found, _ = room.tokenizer.spans(vectors.corpus.slice(low, high))
        if len(found) > tokens[number]:
            length[number] = found[tokens[number]]
    return length
