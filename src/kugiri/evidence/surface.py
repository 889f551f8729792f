"""The loss surface: what fixed windows of every size and overlap lose, without a single chunk."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import numpy as np

from kugiri.evidence.alignment import AlignmentLoss, lost_phases
from kugiri.evidence.placed import PlacedEvidence
from kugiri.model.columns import Float64, Int64
from kugiri.model.windows import Windows


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """One row a pair of size and overlap, in the order in which they were asked for.

    Attributes:
        size, overlap: int64[N], in units.
        share: float64[N], the overlap as a share of the size, as it was asked for; NaN where units were.
        chunks: int64[N], the number of windows.
        indexed: int64[N], the units of all windows, overlap counted each time.
        lost: int64[N], the lost questions where the first window starts with the document.
        expected, deviation: float64[N], mean and population standard deviation of the lost questions over all phases;
            NaN where they were not asked for.
        least, most: int64[N], the fewest and the most at any phase; −1 where they were not asked for.
    """

    size: Int64
    overlap: Int64
    share: Float64
    chunks: Int64
    indexed: Int64
    lost: Int64
    expected: Float64
    deviation: Float64
    least: Int64
    most: Int64

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.size)


def loss_surface(placed: PlacedEvidence, pairs: Iterable[Windows], expected: bool = True) -> Surface:
    """The loss of each of these windows.

    Args:
        placed: the evidence, in the units of the windows.
        pairs: sizes and overlaps.
        expected: whether to compute the mean and spread over alignments too, which takes most of the time.
    """
    windows = list(pairs)
    size = np.array([one.size for one in windows], dtype=np.int64)
    overlap = np.array([one.overlap_units for one in windows], dtype=np.int64)
    chunks = _chunks(placed, size, overlap)
    mean, deviation = np.full((2, len(windows)), np.nan)
    least, most = np.full((2, len(windows)), -1, dtype=np.int64)
    if expected:
        for row, loss in _alignments(placed, size, overlap):
            mean[row], deviation[row] = loss.expected, loss.deviation
            least[row], most[row] = loss.least, loss.most
    return Surface(
        size,
        overlap,
        np.array([one.overlap if isinstance(one.overlap, float) else np.nan for one in windows], dtype=np.float64),
        chunks,
        placed.indexed(chunks, overlap),
        _lost(placed, size, size - overlap),
        mean,
        deviation,
        least,
        most,
    )


def _chunks(placed: PlacedEvidence, size: Int64, overlap: Int64) -> Int64:
    chunks = np.empty(len(size), dtype=np.int64)
    for rows in _alike(size):
        chunks[rows] = placed.chunks(int(size[rows[0]]), size[rows] - overlap[rows])
    return chunks


def _lost(placed: PlacedEvidence, size: Int64, stride: Int64) -> Int64:
    """The observed loss, by one pass over the evidence for each stride, whatever the sizes.

    A question is lost by every size below the one that is enough for it.
    """
    lost = np.empty(len(size), dtype=np.int64)
    for rows in _alike(stride):
        enough = np.sort(placed.enough(int(stride[rows[0]])))
        lost[rows] = len(enough) - np.searchsorted(enough, size[rows], side="right")
    return lost


def _alignments(placed: PlacedEvidence, size: Int64, overlap: Int64) -> Iterator[tuple[int, AlignmentLoss]]:
    """Row and loss, by rising overlap: questions that one overlap keeps at every alignment, larger ones keep too."""
    losing = placed
    for rows in _alike(overlap):
        kept = int(overlap[rows[0]])
        losing = losing.select(losing.longest() > kept + 1)
        for row in rows.tolist():
            circle = int(size[row]) - kept
            sets = lost_phases(losing, int(size[row]), kept)
            yield row, AlignmentLoss(circle, sets.counts(losing.questions), sets.totals(circle))


def _alike(values: Int64) -> list[Int64]:
    """The rows of each value, by rising value."""
    order = np.argsort(values, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(values[order])) + 1) if len(order) else []
