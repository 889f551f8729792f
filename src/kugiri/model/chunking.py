"""All chunks that one strategy makes of one corpus."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.errors import InvariantError
from kugiri.labels import chunk_id
from kugiri.model.columns import Int64, first_false, frozen
from kugiri.model.corpus import Corpus, surroundings


@dataclasses.dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk as a record: `[start, end)` of a document, in its own code points, and the text there."""

    document: str
    start: int
    end: int
    text: str

    @property
    def id(self) -> str:
        """`document@start:end`."""
        return chunk_id(self.document, self.start, self.end)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Chunking:
    """Chunks on the global axis: two int64 each, the document is implied.

    Starts and ends both never decrease and no two chunks are equal, so the chunks that contain a span are exactly one
    range of indices, found by two binary searches (`kugiri.evidence.containment`).

    Attributes:
        start, end: int64[C]. Chunks equal to the one before them are merged on construction.
        merged: how many were.

    Raises:
        InvariantError: the columns are no int64 or differ in length; a chunk is empty or crosses documents; starts or
            ends decrease.
    """

    corpus: Corpus
    start: Int64
    end: Int64
    merged: int = 0

    def __post_init__(self) -> None:
        try:
            start, end = frozen(self.start), frozen(self.end)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvariantError(
                f"starts and ends are no columns of int64: {error}", "a chunker's output", "correct the chunker"
            ) from error
        if len(start) != len(end):
            raise InvariantError(
                f"{len(start)} starts and {len(end)} ends", "a chunker's output", "correct the chunker"
            )
        self._demand(start, end, start < end, "is empty or ends before it starts")
        self._demand(
            start,
            end,
            np.concatenate(([True], (start[1:] >= start[:-1]) & (end[1:] >= end[:-1])))[: len(start)],
            "starts or ends before the one in front of it",
        )
        self._demand(start, end, (start >= 0) & (end <= self.corpus.characters), "crosses the edge of a document")
        limits = self.corpus.document_start
        document = self.corpus.document_of(start)
        self._demand(
            start, end, end <= limits[np.minimum(document + 1, len(limits) - 1)], "crosses the edge of a document"
        )
        same = (start[1:] == start[:-1]) & (end[1:] == end[:-1])
        if same.any():
            keep = np.concatenate(([True], ~same))
            object.__setattr__(self, "merged", self.merged + int(same.sum()))
            start, end = frozen(start[keep]), frozen(end[keep])
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)

    def __len__(self) -> int:
        """The number of chunks."""
        return len(self.start)

    def __repr__(self) -> str:
        return f"Chunking({len(self):,} chunks of {self.corpus.info.name!r})"

    @property
    def lengths(self) -> Int64:
        """int64[C], characters in each chunk."""
        return self.end - self.start

    @property
    def document(self) -> Int64:
        """int64[C], the document of each chunk."""
        return self.corpus.document_of(self.start)

    def same_as(self, other: Chunking) -> bool:
        """Whether the other chunking has exactly the same chunks."""
        return np.array_equal(self.start, other.start) and np.array_equal(self.end, other.end)

    def chunk(self, index: int) -> Chunk:
        """The chunk at `index` as a record."""
        start, end = int(self.start[index]), int(self.end[index])
        document = int(self.corpus.document_of(self.start[index]))
        origin = int(self.corpus.document_start[document])
        return Chunk(self.corpus.ids[document], start - origin, end - origin, self.corpus.slice(start, end))

    def _demand(self, start: Int64, end: Int64, holds: np.ndarray[tuple[int], np.dtype[np.bool_]], what: str) -> None:
        bad = first_false(holds)
        if bad is None:
            return
        corpus, low, high = self.corpus, int(start[bad]), int(end[bad])
        where = "a corpus without documents"
        if len(corpus):
            # A chunk outside the axis is told from the document nearest to it.
            near = np.clip(start[bad], 0, max(corpus.characters - 1, 0))
            document = min(int(corpus.document_of(near)), len(corpus) - 1)
            origin, text = int(corpus.document_start[document]), corpus.texts[document]
            low, high = low - origin, high - origin
            where = (
                f"document {corpus.ids[document]!r} of {len(text)} characters, around {surroundings(text, low, high)}"
            )
        raise InvariantError(
            f"chunk [{low}, {high}) {what}",
            where,
            "correct the chunker: chunks lie in one document, are not empty, and neither starts nor ends decrease",
        )
