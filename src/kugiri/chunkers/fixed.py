"""Fixed length with overlap."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.columns import concatenated_ranges
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    """Windows of `size` code points that start at 0, T, 2T, … of each document, T = size − overlap.

    The last window is the first that reaches the end of the document. Cuts fall on code points, so a grapheme cluster
    may be split; results say how many were.

    Attributes:
        size: characters in a window.
        overlap: characters shared by neighbours when an integer, a share of the size when a float.

    Raises:
        InputError: as `kugiri.model.windows.Windows`.
    """

    name: ClassVar[str] = "fixed"
    version: ClassVar[int] = 1

    size: int
    overlap: int | float = 0

    def __post_init__(self) -> None:
        _ = self.windows
        # One label for one meaning: no overlap is 0, and a share from numpy is the same share.
        plain = 0 if self.overlap == 0 else float(self.overlap) if isinstance(self.overlap, float) else self.overlap
        object.__setattr__(self, "overlap", plain)

    def __str__(self) -> str:
        return component_label(self)

    @property
    def windows(self) -> Windows:
        """The arithmetic of these windows."""
        return Windows(self.size, self.overlap)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The windows over every document."""
        windows = self.windows
        counts = windows.counts(np.diff(corpus.document_start))
        start = np.repeat(corpus.document_start[:-1], counts) + windows.stride * concatenated_ranges(counts)
        end = np.minimum(start + windows.size, np.repeat(corpus.document_start[1:], counts))
        return Chunking(corpus, start, end)
