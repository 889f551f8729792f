"""Paragraphs: as recorded, else between blank lines."""

from __future__ import annotations

import dataclasses
import re
from typing import ClassVar

import numpy as np

from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.corpus import Corpus

# Atomic, or a single \r\n would be taken apart into two line breaks with a blank line between them.
_BREAK = r"(?>\r\n|\n|\r)"
# A line break with at least one blank line behind it, blank lines at the very start, or what ends the last line.
_BETWEEN = re.compile(rf"(?:\A|{_BREAK})(?:[^\S\r\n]*{_BREAK})+|{_BREAK}[^\S\r\n]*\Z")


@dataclasses.dataclass(frozen=True, slots=True)
class Paragraphs:
    """Recorded paragraphs of a document; where none are recorded, runs of lines between blank lines.

    A blank line holds nothing but white space. The line break that ends a paragraph does not belong to it, an indent
    (U+3000 too) does. Text outside recorded paragraphs belongs to no unit.
    """

    name: ClassVar[str] = "paragraphs"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return component_label(self)

    def segment(self, corpus: Corpus) -> Boundaries:
        """The paragraphs of every document."""
        start: list[int] = []
        end: list[int] = []
        has_recorded = np.zeros(len(corpus) + 1, dtype=bool)
        has_recorded[corpus.document_of(corpus.paragraph_start)] = True
        for text, origin, recorded in zip(
            corpus.texts, corpus.document_start.tolist(), has_recorded.tolist(), strict=False
        ):
            if not recorded:
                for low, high in _between_blank_lines(text):
                    start.append(origin + low)
                    end.append(origin + high)
        starts = np.concatenate((corpus.paragraph_start, np.array(start, dtype=np.int64)))
        ends = np.concatenate((corpus.paragraph_end, np.array(end, dtype=np.int64)))
        order = np.argsort(starts, kind="stable")
        return Boundaries(corpus, starts[order], ends[order])


def _between_blank_lines(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    low = 0
    for high, following in [*(match.span() for match in _BETWEEN.finditer(text)), (len(text), len(text))]:
        if text[low:high].strip():
            found.append((low, high))
        low = following
    return found
