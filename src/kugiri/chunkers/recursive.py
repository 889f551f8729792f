"""Separators in order of preference."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from kugiri.chunkers.parameters import packed, settle_overlap
from kugiri.chunkers.pieces import Pieces
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.segmenters.separators import behind_separators

JAPANESE = (
    ("\n\n", "\r\n\r\n"),
    "\n",
    ("。", "｡", "．", "！", "？"),
    ("、", "､", "，"),
    (" ", "\u3000"),
)
"""The separators of `recursive` by default: blank line, line, sentence, clause, word."""


@dataclasses.dataclass(frozen=True, slots=True)
class Recursive:
    """Chunks cut behind the first of the separators that occurs within reach, as late as possible.

    A text that fits is not cut. Of one that does not, as much as the size holds is looked at: it is cut behind the last
    occurrence of the first separator that is there at all. Where none is, it is cut like `fixed`. A separator stays at
    the end of the chunk in front of it, so every character is in some chunk.

    Attributes:
        size: the largest chunk.
        overlap: whole pieces repeated from the chunk in front, at most so much; a share of the size when a float.
        separators: strings, the preferred first; those in a list of their own are preferred alike.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: as `kugiri.model.windows.Windows`; no separator, or an empty one.
    """

    name: ClassVar[str] = "recursive"
    version: ClassVar[int] = 1

    size: int
    overlap: int | float = 0
    separators: tuple[str | tuple[str, ...], ...] = JAPANESE
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        settle_overlap(self)
        if not all(self._levels) or not all(map(all, self._levels)) or not self._levels:
            raise InputError(
                "recursive() has no separator, or an empty one",
                "separators",
                "give strings of one character or more; where none of them occurs the text is cut anyway",
            )
        if any("\ud800" <= character <= "\udfff" for level in self._levels for text in level for character in text):
            raise InputError(
                "a separator has half of a surrogate pair, which no text has",
                "separators",
                "write the character itself",
            )
        if not len(self._levels) < 100 or len({c for level in self._levels for text in level for c in text}) > 254:
            raise InputError("recursive() has too many separators", "separators", "give fewer than 100 of them")

    def __str__(self) -> str:
        return component_label(self)

    @property
    def _levels(self) -> tuple[tuple[str, ...], ...]:
        return tuple((level,) if isinstance(level, str) else level for level in self.separators)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The chunks of every document."""
        return packed(Pieces.behind(corpus, *behind_separators(corpus, self._levels)), self)
