"""Windows over a unit that is larger than one: cut at code points, but not inside a grapheme cluster."""

from __future__ import annotations

import dataclasses
from collections import deque
from itertools import groupby

import numpy as np
import regex

from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Int64, concatenated_ranges
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows
from kugiri.segmenters.cuts import without_repeats
from kugiri.segmenters.graphemes import Graphemes

# Between two of these there is always a boundary (rule GB999), so all that a place needs to be read is next to it.
_APART = regex.compile(r"\p{GCB=Other}{2}", regex.DOTALL)
_APART_BEFORE = regex.compile(r"(?r)\p{GCB=Other}{2}", regex.DOTALL)


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
    split: set[int] = set()
    moved: list[int] = []
    for number, places in groupby(zip(unit.tolist(), cuts.tolist(), strict=True), key=lambda pair: pair[0]):
        clusters = _Clusters(corpus, int(start[number]), int(end[number]))
        if any(clusters.around(place) != (place, place) for _, place in places):
            split.add(number)
            moved += clusters.cuts(windows)
    if split:
        kept = ~np.isin(unit, np.array(sorted(split)))
        cuts = np.sort(np.concatenate((cuts[kept], np.array(moved, dtype=np.int64))))
    return without_repeats(cuts)


@dataclasses.dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of a unit that starts and ends between two clusters, and its clusters of two or more code points."""

    low: int
    high: int
    clusters: Boundaries


class _Clusters:
    """The clusters of the unit `[start, end)` by itself, found where they are asked for."""

    def __init__(self, corpus: Corpus, start: int, end: int) -> None:
        document = int(corpus.document_of(np.int64(start)))
        self.corpus, self.start, self.end = corpus, start, end
        self.text, self.origin = corpus.texts[document], int(corpus.document_start[document])
        # Windows look back by their overlap: what was looked at last but one may be asked for again.
        self.looked_at: deque[_Stretch] = deque(maxlen=3)

    def around(self, place: int) -> tuple[int, int]:
        """The cluster that the place lies inside, or twice the place where it lies between two."""
        local = place - self.origin
        if not self.start < place < self.end or _APART.match(self.text, local - 1, local + 1):
            return place, place
        clusters = self._stretch(place).clusters
        near = int(np.searchsorted(clusters.start, place)) - 1
        if near >= 0 and place < clusters.end[near]:
            return int(clusters.start[near]), int(clusters.end[near])
        return place, place

    def _stretch(self, place: int) -> _Stretch:
        for stretch in self.looked_at:
            if stretch.low < place < stretch.high:
                return stretch
        before = _APART_BEFORE.search(self.text, self.start - self.origin, place - self.origin)
        after = _APART.search(self.text, place - self.origin, self.end - self.origin)
        low = self.origin + before.start() + 1 if before else self.start
        high = self.origin + after.start() + 1 if after else self.end
        self.looked_at.append(_Stretch(low, high, Graphemes().longer_inside(self.corpus, *np.array([[low], [high]]))))
        return self.looked_at[-1]

    def cuts(self, windows: Windows) -> list[int]:
        """Where the windows start and end, one after the other."""
        found = []
        low = self.start
        while low + windows.size < self.end:
            before, behind = self.around(low + windows.size)
            high = before if before > low else behind
            # The next window starts behind the start of this one, whatever the overlap.
            low = max(self.around(high - windows.overlap_units)[1], self.around(low + 1)[1])
            found += [high, low]
        return [cut for cut in found if cut < self.end]
