"""Places to cut: the units that a strategy keeps together, and how good the place in front of each is."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kugiri.errors import InvariantError
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Int32, Int64, frozen
from kugiri.model.corpus import Corpus
from kugiri.segmenters.cuts import first_places

MUST = 255
"""The strength of a place that every chunking cuts: an edge of a document, a heading of the level asked for."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Units in a row, and the strength of the place in front of each.

    Packing joins neighbours up to a size; where it must cut, it prefers the strongest place within reach. A chunk of
    several units runs from the start of its first to the end of its last, so what lies between two units (blank lines)
    is part of a chunk that holds both and of no other.

    Attributes:
        units: the pieces that are cut only where one alone is larger than a chunk may be.
        strength: int32[N], 1 to `MUST`; the first unit of a document always has `MUST`.

    Raises:
        InvariantError: a strategy gave another number of strengths, or one out of range.
    """

    units: Boundaries
    strength: Int32

    def __post_init__(self) -> None:
        strength = np.array(self.strength, dtype=np.int32)
        if len(strength) != len(self.units) or (len(strength) and not 1 <= strength.min() <= strength.max() <= MUST):
            raise InvariantError(
                f"{len(strength)} strengths for {len(self.units)} units, or one outside 1 to {MUST}",
                "a chunker's pieces",
                "give each unit the strength of the place in front of it",
            )
        first = np.searchsorted(self.units.start, first_places(self.units.corpus))
        strength[first[first < len(strength)]] = MUST
        object.__setattr__(self, "strength", frozen(strength, np.int32))

    @classmethod
    def of(cls, units: Boundaries) -> Pieces:
        """Units between which every place is as good as any other."""
        return cls(units, np.ones(len(units), dtype=np.int32))

    @classmethod
    def between(cls, corpus: Corpus, cuts: Sequence[Int64]) -> Pieces:
        """The pieces between cuts of several levels; they cover every document.

        Args:
            corpus: the documents.
            cuts: int64 positions on the axis for each level, the strongest level first; unsorted, or again at a weaker
                level, they do no harm. Cuts at the edges of documents say nothing new.
        """
        levels = np.arange(len(cuts), 0, -1, dtype=np.int32)
        position = np.concatenate((np.empty(0, dtype=np.int64), *cuts))
        order = np.argsort(position, kind="stable")
        position, strength = position[order], np.repeat(levels, [len(level) for level in cuts])[order]
        # Of equal positions the first is of the strongest level, because sorting is stable.
        first = np.diff(position, prepend=-1) > 0
        return cls.behind(corpus, position[first], strength[first])

    @classmethod
    def behind(cls, corpus: Corpus, position: Int64, strength: Int32) -> Pieces:
        """The pieces between increasing positions on the axis, each of its own strength; they cover every document."""
        edges = corpus.document_start
        place = np.searchsorted(position, edges)
        known = place[np.append(position, -1)[place] == edges]
        position, strength = np.delete(position, known), np.delete(strength, known)
        edges = first_places(corpus)
        place = np.searchsorted(position, edges)
        start = np.insert(position, place, edges)
        end = np.append(start[1:], corpus.characters)[: len(start)]
        return cls(Boundaries(corpus, start, end), np.insert(strength, place, np.int32(MUST)))

    def __len__(self) -> int:
        """The number of units."""
        return len(self.units)
