"""Fixed windows as arithmetic: where they start, and where they stop."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np

from kugiri.errors import InputError
from kugiri.model.columns import Int64

LARGEST = 2**48
"""The largest size of a window: far beyond any document, and sums of a few stay inside int64."""


@dataclasses.dataclass(frozen=True, slots=True)
class Windows:
    """Windows of `size` units that start at 0, T, 2T, … of each document, T = size − overlap.

    They stop with the first that reaches the end of the document.

    Attributes:
        size: units in a window.
        overlap: units shared by neighbours when an integer, a share of the size when a float; a share resolves by
            flooring the exact decimal product (100 × 0.29 is 29, which binary floating point makes 28).

    Raises:
        InputError: unless `1 <= size <= LARGEST` and `0 <= overlap < size` (or `0 <= overlap < 1` for a share).
    """

    size: int
    overlap: int | float = 0

    def __post_init__(self) -> None:
        size, overlap = self.size, self.overlap
        if isinstance(size, bool) or not isinstance(size, int):
            raise InputError(
                f"size = {size!r} is not a whole number", "size", "give the window a whole number of units"
            )
        if isinstance(overlap, bool) or not isinstance(overlap, int | float):
            raise InputError(
                f"overlap = {overlap!r} is not a number", "overlap", "give units (20) or a share of the size (0.2)"
            )
        if size > LARGEST:
            raise InputError(
                f"size = {size} is more than any document has", "size", f"give a size of at most {LARGEST}"
            )
        if size < 1:
            raise InputError(
                f"size = {size} with overlap = {overlap}: a window holds at least one unit",
                "size",
                "give a size of 1 or more",
            )
        limit = 1 if isinstance(overlap, float) else size
        if not 0 <= overlap < limit:
            raise InputError(
                f"overlap = {overlap} with size = {size}: the overlap must be at least 0 and less than "
                + ("1, the whole window" if isinstance(overlap, float) else "the size"),
                "overlap",
                f"give less than {size} units as an integer, or a share below 1.0 as a decimal number",
            )

    @property
    def overlap_units(self) -> int:
        """The overlap in units."""
        return resolved(self.size, self.overlap)

    @property
    def stride(self) -> int:
        """T, the distance between the starts of neighbouring windows."""
        return self.size - self.overlap_units

    def nests_with(self, other: Windows) -> bool:
        """Whether the lost questions of one must contain those of the other.

        Without overlap, windows are cut at the multiples of their size. Where one size is a whole multiple of the
        other, every cut of the larger is a cut of the smaller, so whatever the larger loses the smaller loses too.
        """
        small, large = sorted((self.size, other.size))
        return self.overlap_units == other.overlap_units == 0 and small < large and large % small == 0

    def counts(self, lengths: Int64) -> Int64:
        """int64[D], the number of windows over documents of these lengths; an empty document has none."""
        more = np.maximum(lengths - self.size, 0)
        return np.where(lengths > 0, 1 + -(-more // self.stride), 0)


def resolved(size: int, overlap: int | float) -> int:
    """The overlap in units of windows of this size: integers as they are, shares by the exact decimal product."""
    return overlap if isinstance(overlap, int) else int(Fraction(repr(float(overlap))) * size)


def windows_of(chunker: object) -> Windows | None:
    """The windows of a chunker that is exactly fixed windows over code points; None for every other chunker."""
    found = getattr(chunker, "windows", None)
    return found if isinstance(found, Windows) else None
