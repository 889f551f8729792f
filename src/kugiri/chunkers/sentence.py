"""Whole sentences up to a size."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from kugiri.chunkers.parameters import packed, settle_overlap
from kugiri.chunkers.pieces import Pieces
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.segmenters.sentences import LineBreaks, Sentences


@dataclasses.dataclass(frozen=True, slots=True)
class Sentence:
    """As many whole sentences as fit; a sentence longer than the size is cut like `fixed`.

    Attributes:
        size: the largest chunk.
        overlap: whole sentences repeated from the chunk in front, at most so much; a share of the size when a float.
        newline: "boundary" where a line break ends a sentence, "wrap" where lines are wrapped text.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: as `kugiri.model.windows.Windows`.
    """

    name: ClassVar[str] = "sentence"
    version: ClassVar[int] = 1

    size: int
    overlap: int | float = 0
    newline: LineBreaks = "boundary"
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        settle_overlap(self)

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The packed sentences of every document."""
        return packed(Pieces.of(Sentences(self.newline).segment(corpus)), self)
