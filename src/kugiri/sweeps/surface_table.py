"""`[surface]` in a sweep file: the ranges of a loss surface."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from kugiri.sweeps.paths import relocated
from kugiri.sweeps.ranges import overlaps, whole_numbers
from kugiri.sweeps.surface import SurfacePlan


class SurfaceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which sizes and overlaps to look at: ranges as text, numbers, or arrays of both.

    Attributes:
        unit: what windows count: `char`, `grapheme`, `morpheme` or `token`.
        tokenizer: for tokens: a name, or the path of a `tokenizer.json`.
        target: the share of questions whose expected loss is accepted.
    """

    size: str | int | list[str | int]
    overlap: str | int | float | list[str | int | float] = 0
    unit: str = "char"
    tokenizer: str | None = None
    target: float = 0.01

    def plan(self, title: str, folder: Path | None = None, **more: Any) -> SurfacePlan:
        """The checked plan of these ranges.

        Args:
            title: of the report.
            folder: what the path of a tokenizer is relative to; None leaves it as it is.
            more: whatever else `SurfacePlan` takes.

        Raises:
            InputError: as `kugiri.sweeps.ranges` and `SurfacePlan`.
        """
        found = self.tokenizer
        if folder is not None and found is not None:
            found = str(relocated({"tokenizer": found}, folder)["tokenizer"])
        return SurfacePlan(
            title,
            whole_numbers(self.size, "size"),
            overlaps(self.overlap, "overlap"),
            self.unit,
            found,
            Fraction(repr(self.target)),
            **more,
        )
