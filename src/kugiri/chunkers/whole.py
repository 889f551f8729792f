"""One chunk a document."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.chunkers.trimming import trimmed
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus


@dataclasses.dataclass(frozen=True, slots=True)
class Whole:
    """Every document uncut.

    Attributes:
        trim: without the white space at the edges.
    """

    name: ClassVar[str] = "whole"
    version: ClassVar[int] = 1

    trim: bool = False

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The documents; an empty one has no chunk."""
        edges = corpus.document_start
        filled = np.flatnonzero(np.diff(edges))
        chunking = Chunking(corpus, edges[filled], edges[filled + 1])
        return trimmed(chunking) if self.trim else chunking
