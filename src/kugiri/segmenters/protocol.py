"""What a segmenter is."""

from __future__ import annotations

from typing import ClassVar, Protocol

from kugiri.model.boundaries import Boundaries
from kugiri.model.corpus import Corpus


class Segmenter(Protocol):
    """A frozen dataclass whose fields are its parameters."""

    name: ClassVar[str]
    version: ClassVar[int]

    def segment(self, corpus: Corpus) -> Boundaries:
        """The units of every document of the corpus, in order."""
        ...
