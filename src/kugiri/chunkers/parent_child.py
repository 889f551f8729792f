"""Small chunks are ranked, the large chunks around them are delivered."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int64, concatenated_ranges, first_false
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import Indexed, chunks_by, indexed_by
from kugiri.model.windows import Windows, windows_of


@dataclasses.dataclass(frozen=True, slots=True)
class ParentChild:
    """Two chunkings, one configuration: the children of a parent are what `child` makes of its text alone.

    A question is lost if no parent contains its evidence. A parent's place in a ranking is its best child's.

    Attributes:
        parent: the strategy whose chunks are delivered; they must not overlap.
        child: the strategy whose chunks are ranked.

    Raises:
        InputError: one of them is no chunker, or stands for two chunkings itself.
    """

    name: ClassVar[str] = "parent_child"
    version: ClassVar[int] = 1

    parent: Any
    child: Any

    def __post_init__(self) -> None:
        for key in ("parent", "child"):
            given = getattr(self, key)
            if not callable(getattr(given, "chunk", None)) or isinstance(given, ParentChild):
                raise InputError(
                    f"{key} = {given} is no chunker of one layer",
                    f"parent_child(), {key}",
                    "write it like parent_child(parent=paragraph(), child=fixed(size=100))",
                )

    def __str__(self) -> str:
        return component_label(self)

    @property
    def windows(self) -> Windows | None:
        """The arithmetic of the parents, where they are fixed windows over code points."""
        return windows_of(self.parent)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The parents.

        Raises:
            InputError: two of them overlap, so that a child would have two; the parent strategy itself has something
                else indexed than its chunks.
        """
        parents = chunks_by(self.parent, corpus)
        own = indexed_by(self.parent, parents)
        if own.parent is not None or own.context is not None:
            raise InputError(
                f"{self.parent} has more indexed than its chunks, and of a parent nothing is indexed",
                str(self),
                "give the parent no context; the child may have one",
            )
        apart = first_false(parents.start[1:] >= parents.end[:-1])
        if apart is not None:
            raise InputError(
                f"parents overlap: {parents.chunk(apart).id!r} and {parents.chunk(apart + 1).id!r}",
                str(self),
                "give the parent no overlap (tokens that share a character overlap too); the child may have one",
            )
        return parents

    def indexed(self, chunking: Chunking) -> Indexed:
        """The children, the parent of each, and whatever context the child strategy adds.

        Raises:
            InputError: the child strategy itself ranks something else than its chunks.
            InvariantError: as `kugiri.model.indexed.chunks_by`.
        """
        parents = _as_documents(chunking)
        children = chunks_by(self.child, parents)
        own = indexed_by(self.child, children)
        if own.parent is not None:
            raise InputError(f"{self.child} is two chunkings already", str(self), "give a child of one layer")
        parent: Int64 = children.document
        shift = chunking.start[parent] - parents.document_start[parent]
        vectors = Chunking(chunking.corpus, children.start + shift, children.end + shift)
        return Indexed(chunking, vectors, parent, own.context)


def _as_documents(chunking: Chunking) -> Corpus:
    """The chunks as a corpus, with what they have of recorded paragraphs."""
    corpus, start, end = chunking.corpus, chunking.start, chunking.end
    edges = np.concatenate(([0], np.cumsum(end - start)))
    first = np.searchsorted(corpus.paragraph_end, start, side="right")
    last = np.searchsorted(corpus.paragraph_start, end, side="left")
    owner = np.repeat(np.arange(len(chunking)), last - first)
    paragraph = np.repeat(first, last - first) + concatenated_ranges(last - first)
    shift = edges[owner] - start[owner]
    count = len(chunking)
    return Corpus(
        corpus.info,
        tuple(map(str, range(count))),
        tuple(corpus.slice(a, b) for a, b in zip(start.tolist(), end.tolist(), strict=True)),
        (None,) * count,
        ({},) * count,
        edges,
        np.maximum(corpus.paragraph_start[paragraph], start[owner]) + shift,
        np.minimum(corpus.paragraph_end[paragraph], end[owner]) + shift,
    )
