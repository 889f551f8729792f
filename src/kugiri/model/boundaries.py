"""Places where cutting is allowed, as the units between them."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.errors import InvariantError
from kugiri.model.columns import Bool, Int64, frozen
from kugiri.model.corpus import Corpus


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Boundaries:
    """Units of one kind (grapheme clusters, morphemes, paragraphs…) on the global axis; gaps between them are allowed.

    Attributes:
        start, end: int64[N], half-open; both strictly increasing, `end[i] <= start[i + 1]`, each unit in one document.

    Raises:
        InvariantError: a segmenter returned anything else.
    """

    corpus: Corpus
    start: Int64
    end: Int64

    def __post_init__(self) -> None:
        start, end = frozen(self.start), frozen(self.end)
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        ordered = len(start) == len(end) and bool((start < end).all() and (end[:-1] <= start[1:]).all())
        if ordered and len(start):
            ordered = bool(start[0] >= 0 and end[-1] <= self.corpus.characters)
        if ordered and len(start):
            # Asked of the documents' edges, of which there are few: no unit begins before one and ends behind it.
            edges = self.corpus.document_start
            unit = np.searchsorted(start, edges, side="left") - 1
            ordered = not bool(((unit >= 0) & (edges < end[unit])).any())
        if not ordered:
            raise InvariantError(
                "units overlap, are empty, unsorted or cross documents", "a segmenter's output", "correct the segmenter"
            )

    def __len__(self) -> int:
        """The number of units."""
        return len(self.start)

    def split_by(self, start: Int64, end: Int64) -> Bool:
        """bool[N], the units that an edge of some chunk `[start, end)` cuts in two."""
        split = np.zeros(len(self), dtype=bool)
        for edges in (start, end):
            # The last unit that starts before the edge is the only one that it can lie strictly inside.
            unit = np.searchsorted(self.start, edges, side="left") - 1
            inside = (
                (unit >= 0) & (edges < self.end[np.maximum(unit, 0)]) if len(self) else np.zeros(len(edges), dtype=bool)
            )
            split[unit[inside]] = True
        return split
