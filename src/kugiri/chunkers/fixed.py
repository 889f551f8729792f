"""Fixed length with overlap."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, ClassVar

import numpy as np

from kugiri.chunkers.trimming import trimmed
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.columns import concatenated_ranges
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows
from kugiri.segmenters.tokenizers import demand_tokenizer
from kugiri.segmenters.units import UNITS, units_of

_TOKENIZER = "cl100k"


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    """Windows of `size` units that start at unit 0, T, 2T, … of each document, T = size − overlap.

    The last window is the first that reaches the last unit of the document. A window runs from the start of its first
    unit to the end of its last: what lies between units belongs to it, white space outside them does not. A unit is
    never split. Code points are units too, so with `unit="char"` a cut may split a grapheme cluster; results say how
    many were.

    Attributes:
        size: units in a window.
        overlap: units shared by neighbours when an integer, a share of the size when a float.
        unit: `char` (code points), `grapheme` (clusters), `morpheme` (UniDic) or `token`. Byte-level tokens are widened
            to whole characters, so windows without overlap may share a character, and a window tokenised by itself may
            have a few tokens more than `size`.
        tokenizer: for `unit="token"`: a name, the path of a `tokenizer.json`, or an object
            (`kugiri.segmenters.tokenizers`).
        trim: whether white space at the edges of windows is left out.

    Raises:
        InputError: as `kugiri.model.windows.Windows` and `kugiri.segmenters.tokenizers.demand_tokenizer`; an unknown
            unit; a tokenizer where no tokens are counted.
    """

    name: ClassVar[str] = "fixed"
    version: ClassVar[int] = 1

    size: int
    overlap: int | float = 0
    unit: str = "char"
    tokenizer: Any = _TOKENIZER
    trim: bool = False

    def __post_init__(self) -> None:
        _ = self._arithmetic
        # One label for one meaning: no overlap is 0, and a share from numpy is the same share.
        plain = 0 if self.overlap == 0 else float(self.overlap) if isinstance(self.overlap, float) else self.overlap
        object.__setattr__(self, "overlap", plain)
        if self.unit not in UNITS:
            raise InputError(f"unit = {self.unit!r} is unknown", "unit", f"use one of: {', '.join(UNITS)}")
        if self.unit == "token":
            demand_tokenizer(self.tokenizer)
        elif self.tokenizer != _TOKENIZER:
            raise InputError(
                f"tokenizer = {self.tokenizer!r} means nothing with unit = {self.unit!r}",
                "tokenizer",
                'leave it out, or give unit="token"',
            )
        if not isinstance(self.trim, bool):
            raise InputError(f"trim = {self.trim!r} is neither true nor false", "trim", "give one of the two")

    def __str__(self) -> str:
        shown = copy.copy(self)
        if not isinstance(self.tokenizer, str):
            # A third party's object has a name to be known by, and no label.
            object.__setattr__(shown, "tokenizer", self.tokenizer.name)
        return component_label(shown)

    @property
    def windows(self) -> Windows | None:
        """The arithmetic of these windows over code points; None where they are counted otherwise, or trimmed."""
        return self._arithmetic if self.unit == "char" and not self.trim else None

    @property
    def _arithmetic(self) -> Windows:
        return Windows(self.size, self.overlap)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The windows over every document."""
        made = self._over_characters(corpus) if self.unit == "char" else self._over_units(corpus)
        return trimmed(made) if self.trim else made

    def _over_characters(self, corpus: Corpus) -> Chunking:
        windows = self._arithmetic
        counts = windows.counts(np.diff(corpus.document_start))
        start = np.repeat(corpus.document_start[:-1], counts) + windows.stride * concatenated_ranges(counts)
        end = np.minimum(start + windows.size, np.repeat(corpus.document_start[1:], counts))
        return Chunking(corpus, start, end)

    def _over_units(self, corpus: Corpus) -> Chunking:
        windows, units = self._arithmetic, units_of(corpus, self.unit, self.tokenizer)
        counts = windows.counts(np.diff(units.edge))
        first = np.repeat(units.edge[:-1], counts) + windows.stride * concatenated_ranges(counts)
        behind = np.minimum(first + windows.size, np.repeat(units.edge[1:], counts))
        return Chunking(corpus, units.start[first], units.end[behind - 1])
