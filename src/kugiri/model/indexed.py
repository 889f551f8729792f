"""What an index holds of a chunking: one vector a chunk, or children that stand for their parents."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from kugiri.errors import InvariantError
from kugiri.labels import label_of
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int64, frozen
from kugiri.model.corpus import Corpus


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Indexed:
    """The chunks that are ranked, and the chunks that a hit delivers.

    Mostly both are the same. Of parent and child, the children are ranked and the parents delivered: containment, rank,
    k and budget are of the delivered chunks, the number of vectors is of the ranked ones.

    Attributes:
        delivered: the strategy's chunks.
        vectors: the chunks that are ranked.
        parent: int64[V], the delivered chunk of each vector, never decreasing; None where both are the same chunks.
        context: V texts that the index holds in front of each chunk's own, such as headings; None for none. Context is
            never part of a chunk: it contains no evidence.

    Raises:
        InvariantError: vectors of another corpus, or columns of another length or range.
    """

    delivered: Chunking
    vectors: Chunking
    parent: Int64 | None = None
    context: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        faults = [self.delivered.corpus is not self.vectors.corpus]
        if self.parent is None:
            faults.append(self.vectors is not self.delivered)
        else:
            parent = frozen(self.parent)
            object.__setattr__(self, "parent", parent)
            faults += [
                len(parent) != len(self.vectors),
                bool((np.diff(parent) < 0).any()),
                len(parent) > 0 and not 0 <= parent[0] <= parent[-1] < len(self.delivered),
            ]
        faults.append(self.context is not None and len(self.context) != len(self.vectors))
        if any(faults):
            raise InvariantError(
                "what is indexed does not belong to the chunks", "a chunker's `indexed`", "correct the chunker"
            )

    @classmethod
    def of(cls, chunking: Chunking) -> Indexed:
        """Every chunk by itself, and nothing else."""
        return cls(chunking, chunking)

    @property
    def characters(self) -> int:
        """Characters in the index: of every vector, overlap and context counted each time."""
        return int(self.vectors.lengths.sum()) + sum(map(len, self.context or ()))

    def same_as(self, other: Indexed) -> bool:
        """Whether the other holds exactly the same."""
        mine, its = self.parent, other.parent
        return (
            self.vectors.same_as(other.vectors)
            and self.delivered.same_as(other.delivered)
            and (mine is its or (mine is not None and its is not None and np.array_equal(mine, its)))
            and self.context == other.context
        )

    def ranges(self, first: Int64, last: Int64) -> tuple[Int64, Int64]:
        """The vectors of delivered chunks `[first, last)`, as ranges again."""
        if self.parent is None:
            return first, last
        edge = np.searchsorted(self.parent, np.arange(len(self.delivered) + 1))
        return edge[first], edge[last]


def chunks_by(chunker: Any, corpus: Corpus) -> Chunking:
    """The chunks that the chunker makes of the corpus, whoever wrote it.

    Raises:
        InvariantError: it returned something else, or chunks of another corpus.
    """
    made = chunker.chunk(corpus)
    if not isinstance(made, Chunking):
        raise InvariantError(
            f"chunk() returns {type(made).__name__} and no Chunking", label_of(chunker), "correct the chunker"
        )
    if made.corpus is not corpus:
        raise InvariantError(
            "the chunks are of another corpus", label_of(chunker), "correct the chunker: chunk the corpus that is given"
        )
    return made


def indexed_by(chunker: object, chunking: Chunking) -> Indexed:
    """What the chunker puts into an index of its chunks: its own say where it has one, else every chunk by itself.

    Raises:
        InvariantError: the chunker returned something else.
    """
    own = getattr(chunker, "indexed", None)
    found = own(chunking) if callable(own) else Indexed.of(chunking)
    if not isinstance(found, Indexed) or not found.delivered.same_as(chunking):
        raise InvariantError(
            f"indexed() returns {type(found).__name__} and no Indexed of the given chunks",
            label_of(chunker),
            "correct the chunker",
        )
    return found
