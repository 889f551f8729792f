"""Fixed length whose edges do not cut phrases."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Literal

from kugiri.chunkers.parameters import packed, settle_overlap
from kugiri.chunkers.pieces import Pieces
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.segmenters.phrases import Phrases
from kugiri.segmenters.unidic import Unidic
from kugiri.segmenters.whole_clusters import behind_clusters


@dataclasses.dataclass(frozen=True, slots=True)
class Phrase:
    """Windows of at most `size` whose edges move to the nearest phrase or word inside, never into a grapheme cluster.

    Attributes:
        size: the largest chunk.
        overlap: whole phrases repeated from the chunk in front, at most so much; a share of the size when a float.
        by: "budoux" for phrases (文節), "unidic" for morphemes; white space follows the morpheme in front of it.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: as `kugiri.model.windows.Windows`.
    """

    name: ClassVar[str] = "phrase"
    version: ClassVar[int] = 1

    size: int
    overlap: int | float = 0
    by: Literal["budoux", "unidic"] = "budoux"
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        settle_overlap(self)

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The windows over every document."""
        start = (Phrases().segment(corpus) if self.by == "budoux" else Unidic().segment(corpus)).start
        # Neither knows of grapheme clusters. Units as places: nothing between two morphemes may be lost.
        document, edges = corpus.document_of(start), corpus.document_start
        cuts = behind_clusters(corpus, start, edges[document], edges[document + 1])
        return packed(Pieces.between(corpus, [cuts]), self)
