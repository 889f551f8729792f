"""Whole lines up to a size."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from kugiri.chunkers.parameters import packed, settle_overlap
from kugiri.chunkers.pieces import Pieces
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.segmenters.lines import Lines


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """As many whole lines as fit; a line longer than the size is cut like `fixed`.

    Attributes:
        size: the largest chunk.
        overlap: whole lines repeated from the chunk in front, at most so much; a share of the size when a float.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: as `kugiri.model.windows.Windows`.
    """

    name: ClassVar[str] = "line"
    version: ClassVar[int] = 1

    size: int
    overlap: int | float = 0
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        settle_overlap(self)

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The packed lines of every document."""
        return packed(Pieces.of(Lines().segment(corpus)), self)
