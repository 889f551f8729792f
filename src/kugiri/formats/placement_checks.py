"""What equality of text does not show: whether the places of chunks go forward, and how much of the text they cover."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kugiri.formats.placement import ForeignChunk, Placement
from kugiri.formats.white_space_changes import is_white
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int64

LEFT_OUT = 0.05
"""From more than this share of the characters in no chunk on, it is said: an index leaves little out on purpose."""


@dataclasses.dataclass(frozen=True, slots=True)
class Checks:
    """Counts over the chunks of one document, or, added up, of many.

    A tool that gives repeated sentences the place of the first passes every comparison of text; its starts go back,
    and its offsets cover little.

    Attributes:
        characters: those of the document that are no white space.
        covered, stated_covered: how many of them lie in the place of some chunk, and between the stated offsets of one.
        steps, stated_steps: neighbours in the list that both have a place, and a stated start.
        advancing, stated_advancing: those of them of which the second starts behind the first, or at the same place and
            ends behind it.
        overlapping: chunks that start inside the one before them.
    """

    characters: int = 0
    covered: int = 0
    stated_covered: int = 0
    steps: int = 0
    advancing: int = 0
    stated_steps: int = 0
    stated_advancing: int = 0
    overlapping: int = 0

    def __add__(self, other: Checks) -> Checks:
        """The counts of both."""
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)
        return Checks(*(one + another for one, another in pairs))

    @property
    def coverage(self) -> float | None:
        """Share of the characters that lie in the place of a chunk, None without any."""
        return self.covered / self.characters if self.characters else None

    @property
    def leaves_out(self) -> bool:
        """Whether so many characters are in no chunk that some chunks may stand elsewhere, or are not there."""
        return self.characters - self.covered > LEFT_OUT * self.characters

    @property
    def stated_coverage(self) -> float | None:
        """Share of the characters that lie between stated offsets, None without any."""
        return self.stated_covered / self.characters if self.characters else None

    @property
    def advance(self) -> float | None:
        """Share of the neighbours whose places go forward, None without any."""
        return self.advancing / self.steps if self.steps else None

    @property
    def stated_advance(self) -> float | None:
        """Share of the neighbours whose stated offsets go forward, None without any."""
        return self.stated_advancing / self.stated_steps if self.stated_steps else None


def checks(text: str, chunks: Sequence[ForeignChunk], placements: Sequence[Placement]) -> Checks:
    """The counts of one document."""
    placed = [(one.start, one.end) for one in placements if one.start is not None and one.end is not None]
    stated = [(start, _stated_end(chunk)) for chunk in chunks if (start := chunk.stated_start) is not None]
    kept = np.concatenate(([0], np.cumsum(~is_white(text), dtype=np.int64)))
    steps, advancing = _advance([(one.start, one.end) for one in placements])
    stated_steps, stated_advancing = _advance([(chunk.stated_start, _stated_end(chunk)) for chunk in chunks])
    return Checks(
        int(kept[-1]),
        _covered(kept, placed),
        _covered(kept, stated),
        steps,
        advancing,
        stated_steps,
        stated_advancing,
        sum(overlap > 0 for overlap in overlaps(placements)),
    )


def share_left_out(chunking: Chunking) -> float:
    """Share of the characters of a corpus, white space left out, that are in no chunk."""
    kept = np.concatenate(([0], np.cumsum(~is_white("".join(chunking.corpus.texts)), dtype=np.int64)))
    covered = _covered(kept, list(zip(chunking.start.tolist(), chunking.end.tolist(), strict=True)))
    return (int(kept[-1]) - covered) / int(kept[-1]) if kept[-1] else 0.0


def overlaps(placements: Sequence[Placement]) -> list[int]:
    """How many characters of each chunk lie in the one before it; a chunk that starts before that has none.

    A tool that copies the end of a chunk in front of the next one makes an overlap too, whatever its offsets say: the
    chunk is placed where its copied characters stand.
    """
    found: list[int] = []
    start = end = 0
    for one in placements:
        if one.start is None or one.end is None:
            found.append(0)
            start = end = 0
            continue
        found.append(max(0, min(end, one.end) - one.start) if one.start >= start else 0)
        start, end = one.start, one.end
    return found


def _stated_end(chunk: ForeignChunk) -> int | None:
    start = chunk.stated_start
    return chunk.end if chunk.end is not None or start is None else start + len(chunk.text)


def _advance(places: Sequence[tuple[int | None, int | None]]) -> tuple[int, int]:
    steps = advancing = 0
    for (start, end), (next_start, next_end) in pairwise(places):
        if start is not None and end is not None and next_start is not None and next_end is not None:
            steps += 1
            advancing += (start, end) < (next_start, next_end)
    return steps, advancing


def _covered(kept: Int64, places: Sequence[tuple[int, int | None]]) -> int:
    """How many of the characters that are no white space lie in some place; what lies outside the text is left out."""
    length, total, reached = len(kept) - 1, 0, 0
    # −1 says "not found": a place that starts there is none.
    for start, end in sorted((start, end) for start, end in places if end is not None and start >= 0):
        low, high = min(max(start, reached), length), min(end, length)
        if high > low:
            total += int(kept[high] - kept[low])
            reached = high
    return total
