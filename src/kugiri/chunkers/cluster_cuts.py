"""Windows over a unit that is larger than one: cut at code points, but not inside a grapheme cluster."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections import deque

import numpy as np

from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Int64, concatenated_ranges
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows
from kugiri.segmenters.cuts import without_repeats
from kugiri.segmenters.graphemes import Graphemes
from kugiri.segmenters.whole_clusters import apart, between_clusters, suspicious


def cluster_cuts(corpus: Corpus, start: Int64, end: Int64, windows: Windows) -> Int64:
    """int64, increasing: where windows over each of the disjoint units `[start, end)` start and end, inside it.

    A window that would end inside a cluster of its unit ends in front of it, one that would start there starts behind
    it, and one that is smaller than a cluster holds it whole.
    """
    counts = windows.counts(end - start)
    first = np.repeat(start, counts) + windows.stride * concatenated_ranges(counts)
    unit = np.repeat(np.arange(len(start)), counts)
    cuts, unit = np.concatenate((first, first + windows.size)), np.concatenate((unit, unit))
    inside = np.flatnonzero((cuts > start[unit]) & (cuts < end[unit]))
    order = inside[np.argsort(cuts[inside], kind="stable")]
    cuts, unit = cuts[order], unit[order]
    known = _Stretches.of(corpus, suspicious(corpus, cuts, start[unit], end[unit]))
    near = np.searchsorted(known.clusters.start, cuts, side="left") - 1
    split = without_repeats(unit[(near >= 0) & (cuts < np.append(known.clusters.end, 0)[near])])
    if len(split):
        columns = zip(
            corpus.document_of(start[split]).tolist(), start[split].tolist(), end[split].tolist(), strict=True
        )
        moved = [cut for d, low, high in columns for cut in _Unit(corpus, d, low, high, known).windows(windows)]
        kept = np.ones(len(start), dtype=bool)
        kept[split] = False
        cuts = np.sort(np.concatenate((cuts[kept[unit]], np.array(moved, dtype=np.int64))), kind="stable")
    return without_repeats(cuts)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Stretches:
    """Disjoint stretches `[low, high)` of the axis, increasing, and their clusters of two or more code points."""

    low: list[int]
    high: list[int]
    clusters: Boundaries

    @classmethod
    def of(cls, corpus: Corpus, stretches: list[tuple[int, int]]) -> _Stretches:
        columns = np.array(stretches, dtype=np.int64).reshape(-1, 2).T
        return cls(columns[0].tolist(), columns[1].tolist(), Graphemes().longer_inside(corpus, *columns))

    def hold(self, place: int) -> bool:
        """Whether the place lies inside one of them."""
        near = bisect_left(self.low, place) - 1
        return near >= 0 and place < self.high[near]


class _Unit:
    """The clusters of one unit by itself, found where they are asked for."""

    def __init__(self, corpus: Corpus, document: int, start: int, end: int, known: _Stretches) -> None:
        self.corpus, self.start, self.end = corpus, start, end
        self.text, self.origin = corpus.texts[document], int(corpus.document_start[document])
        # Windows look back by their overlap: what was looked at last but one may be asked for again.
        self.known = deque([known], maxlen=4)

    def windows(self, windows: Windows) -> list[int]:
        """Where they start and end, one after the other."""
        found, low = [], self.start
        while low + windows.size < self.end:
            before, behind = self._around(low + windows.size)
            high = before if before > low else behind
            # The next window starts behind the start of this one, whatever the overlap.
            low = max(self._around(high - windows.overlap_units)[1], self._around(low + 1)[1])
            found += [high, low]
        return [cut for cut in found if cut < self.end]

    def _around(self, place: int) -> tuple[int, int]:
        """The cluster that the place lies inside, or twice the place where it lies between two."""
        local = place - self.origin
        if not self.start < place < self.end or apart(self.text, local):
            return place, place
        clusters = self._clusters_at(place)
        near = int(np.searchsorted(clusters.start, place)) - 1
        if near >= 0 and place < clusters.end[near]:
            return int(clusters.start[near]), int(clusters.end[near])
        return place, place

    def _clusters_at(self, place: int) -> Boundaries:
        for stretches in self.known:
            if stretches.hold(place):
                return stretches.clusters
        origin = self.origin
        low, high = between_clusters(self.text, place - origin, self.start - origin, self.end - origin)
        self.known.append(_Stretches.of(self.corpus, [(low + origin, high + origin)]))
        return self.known[-1].clusters
