"""Every sentence with its neighbours."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.chunkers.trimming import trimmed
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.segmenters.sentences import LineBreaks, Sentences


@dataclasses.dataclass(frozen=True, slots=True)
class SentenceWindow:
    """One chunk a sentence: the sentence with those before and after it in the same document.

    Windows that are equal at the edges of a document are one chunk.

    Attributes:
        before, after: how many neighbours.
        newline: "boundary" where a line break ends a sentence, "wrap" where lines are wrapped text.
        trim: without the white space at the edges.

    Raises:
        InputError: a negative number of neighbours.
    """

    name: ClassVar[str] = "sentence_window"
    version: ClassVar[int] = 1

    before: int = 1
    after: int = 1
    newline: LineBreaks = "boundary"
    trim: bool = False

    def __post_init__(self) -> None:
        for key in ("before", "after"):
            if getattr(self, key) < 0:
                raise InputError(f"{key} = {getattr(self, key)} is no number of sentences", key, "give 0 or more")

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The windows of every document."""
        units = Sentences(self.newline).segment(corpus)
        number = np.arange(len(units))
        document = corpus.document_of(units.start)
        first = np.searchsorted(document, document, side="left")
        last = np.searchsorted(document, document, side="right") - 1
        # More neighbours than there are sentences are all of them.
        low = np.maximum(number - min(self.before, len(units)), first)
        high = np.minimum(number + min(self.after, len(units)), last)
        chunking = Chunking(corpus, units.start[low], units.end[high])
        return trimmed(chunking) if self.trim else chunking
