"""What a chunker is."""

from __future__ import annotations

from typing import ClassVar, Protocol

from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus


class Chunker(Protocol):
    """A frozen dataclass whose fields are its parameters; its label is its text."""

    name: ClassVar[str]
    version: ClassVar[int]

    def chunk(self, corpus: Corpus) -> Chunking:
        """Every chunk of every document of the corpus, in order."""
        ...
