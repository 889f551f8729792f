"""One chunk a paragraph."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.segmenters.paragraphs import Paragraphs


@dataclasses.dataclass(frozen=True, slots=True)
class Paragraph:
    """Recorded paragraphs of a document; where none are recorded, runs of lines between blank lines."""

    name: ClassVar[str] = "paragraph"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The paragraphs of every document."""
        units = Paragraphs().segment(corpus)
        return Chunking(corpus, units.start, units.end)
