"""What would be enough: overlaps and sizes of fixed windows that keep the evidence, expected, guaranteed or as it lies.

Targets are about expected loss, the mean over alignments. An observed loss of 0 at one alignment is found by luck, and
is gone as soon as a line is added at the top of a document.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np

from kugiri.evidence.alignment import lost_phases
from kugiri.evidence.placed import PlacedEvidence
from kugiri.model.columns import Bool, Int64
from kugiri.model.windows import LARGEST, Windows, resolved

_NEARLY = 1e-9
"""What rounding may add to a bound: sizes ruled out by less are looked at exactly."""


def guarantee(placed: PlacedEvidence) -> int | None:
    """An overlap that keeps every question at every alignment, whatever the size; None if no unit holds some evidence.

    One less than the longest span, of each question's alternative whose longest span is shortest. It is enough, and
    where a question has several alternatives it need not be the smallest.
    """
    longest = int(placed.longest().max(initial=1))
    return None if longest > LARGEST else longest - 1


def meets(placed: PlacedEvidence, size: int, overlap: int, most: Fraction) -> bool:
    """Whether so many questions are lost on average over alignments, or fewer; compared without rounding."""
    lost = lost_phases(placed, size, overlap)
    return int((lost.high - lost.low).sum()) <= most * (size - overlap)


def smallest_overlap(placed: PlacedEvidence, size: int, target: Fraction) -> int | None:
    """The smallest overlap, in units, with which windows of this size have at most this share as expected loss.

    None if none has. Every whole number is looked at: with several alternatives or spans, expected loss may rise with
    the overlap.
    """
    most = target * placed.questions
    for overlap in range(size):
        # What this overlap keeps at every alignment, larger ones keep too.
        placed = placed.select(placed.longest() > overlap + 1)
        if meets(placed, size, overlap, most):
            return overlap
    return None


def smallest_size(placed: PlacedEvidence, overlap: int | float, target: Fraction) -> int | None:
    """The smallest size that has at most this share as expected loss, with the overlap as written: units or a share.

    None if none has. Expected loss may rise with the size, so sizes are looked at one by one, from the first that a
    bound that only falls does not rule out. At the length of the longest document nothing is cut any more.
    """
    most = target * placed.questions
    low = overlap + 1 if isinstance(overlap, int) else 1
    last = high = max(low, int(placed.documents.max(initial=1)))
    while low < high:
        middle = (low + high) // 2
        if _at_least(placed, middle, resolved(middle, overlap)) > float(most) + _NEARLY:
            low = middle + 1
        else:
            high = middle
    return next((size for size in range(low, last + 1) if meets(placed, size, resolved(size, overlap), most)), None)


def _at_least(placed: PlacedEvidence, size: int, overlap: int) -> float:
    """A number of questions that expected loss does not fall below, and that never rises with size, overlap as written.

    The share of phases that lose a span falls as size and overlap grow; a union of such sets is no smaller than its
    largest part, and an intersection no smaller than what the complements leave.
    """
    share = np.clip((placed.length - 1 - overlap) / (size - overlap), 0, 1)
    share[(placed.room <= size) & (placed.length <= placed.room)] = 0
    kept = 1 - np.maximum.reduceat(share, placed.first_span) if len(share) else share
    return float(np.maximum(1 - np.bincount(placed.question, weights=kept, minlength=placed.questions), 0).sum())


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """For each question (int64[Q]) two changes of fixed windows that keep it where it lies, and what they cost.

    Attributes:
        overlap: the smallest larger overlap at the same size, in units; −1 where none keeps it.
        overlap_chunks: the windows over all documents then; −1 likewise.
        size: the smallest larger size with the overlap as written; −1 where none keeps it.
        size_chunks: the windows over all documents then; −1 likewise.
    """

    overlap: Int64
    overlap_chunks: Int64
    size: Int64
    size_chunks: Int64

    @property
    def raises_size(self) -> Bool:
        """bool[Q], whether raising the size is the change with fewer windows; overlap wins ties.

        It nearly always is: larger windows are never more, and a larger overlap never makes them fewer. What a larger
        size costs, its chunks being longer, is not in this count.
        """
        return (self.size_chunks >= 0) & ((self.overlap_chunks < 0) | (self.size_chunks < self.overlap_chunks))


def cheapest_change(placed: PlacedEvidence, windows: Windows) -> Changes:
    """The two changes of these windows for each question that they lose; −1 throughout for one that they keep.

    At the alignment that is observed, which is no guarantee for others (an overlap of `PlacedEvidence.longest` − 1 is).
    """
    now = placed.enough(windows.stride) > windows.size
    overlap, size = np.full((2, placed.questions), -1, dtype=np.int64)
    open_questions, rest = np.flatnonzero(now), placed.select(now)
    for stride in range(windows.stride - 1, 0, -1):
        if not len(open_questions):
            break
        kept = rest.enough(stride) <= windows.size
        if kept.any():
            overlap[open_questions[kept]] = windows.size - stride
            open_questions, rest = open_questions[~kept], rest.select(~kept)
    open_questions, rest = np.flatnonzero(now), placed.select(now)
    for larger in range(windows.size + 1, int(placed.documents.max(initial=0)) + 1):
        if not len(open_questions):
            break
        kept = rest.enough(larger - resolved(larger, windows.overlap)) <= larger
        if kept.any():
            size[open_questions[kept]] = larger
            open_questions, rest = open_questions[~kept], rest.select(~kept)
    overlap_chunks, size_chunks = overlap.copy(), size.copy()
    for units in np.unique(overlap[overlap >= 0]).tolist():
        overlap_chunks[overlap == units] = placed.chunks(windows.size, np.array([windows.size - units]))[0]
    for larger in np.unique(size[size >= 0]).tolist():
        stride = larger - resolved(larger, windows.overlap)
        size_chunks[size == larger] = placed.chunks(larger, np.array([stride]))[0]
    return Changes(overlap, overlap_chunks, size, size_chunks)
