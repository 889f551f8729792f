"""What a chunker is."""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable

from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows


class Chunker(Protocol):
    """A frozen dataclass whose fields are its parameters; its label is its text."""

    name: ClassVar[str]
    version: ClassVar[int]

    def chunk(self, corpus: Corpus) -> Chunking:
        """Every chunk of every document of the corpus, in order."""
        ...


@runtime_checkable
class FixedWindows(Protocol):
    """A chunker whose chunks are exactly `Windows` over code points: loss over it is arithmetic."""

    @property
    def windows(self) -> Windows:
        """The arithmetic of the windows."""
        ...
