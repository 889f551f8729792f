"""Paragraphs: as recorded, else between blank lines."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.cuts import first_places
from kugiri.segmenters.lines import line_breaks
from kugiri.segmenters.text_marks import CR, TAB, text_marks


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
        recorded = np.zeros(len(corpus), dtype=bool)
        recorded[corpus.document_of(corpus.paragraph_start)] = True
        if recorded[corpus.document_of(first_places(corpus))].all():
            return Boundaries(corpus, corpus.paragraph_start, corpus.paragraph_end)
        start, end = _between_blank_lines(corpus)
        found = ~recorded[corpus.document_of(start)]
        start = np.concatenate((corpus.paragraph_start, start[found]))
        end = np.concatenate((corpus.paragraph_end, end[found]))
        return Boundaries(corpus, np.sort(start, kind="stable"), np.sort(end, kind="stable"))


def _between_blank_lines(corpus: Corpus) -> tuple[Int64, Int64]:
    """Start and end of every run of lines that are not blank, in one document each."""
    at, kind = text_marks(corpus)[:2]
    places, spaces = first_places(corpus), at[(kind >= TAB) & (kind < CR)]
    before, behind = line_breaks(corpus, CR)
    # A document has one line more than line breaks, so lines and their ends pair in order.
    start = np.sort(np.concatenate((places, behind)), kind="stable")
    end = np.sort(np.concatenate((before, places[1:], [corpus.characters])), kind="stable")[: len(start)]
    text = end - start > np.searchsorted(spaces, end) - np.searchsorted(spaces, start)
    # Of lines that start at one place, the last is the first of a document; one in front of it is empty.
    opens = np.zeros(len(start) + 1, dtype=bool)
    opens[np.searchsorted(start, places, side="right") - 1] = True
    opens[-1] = True
    padded = np.concatenate(([False], text, [False]))
    return start[text & (opens[:-1] | ~padded[:-2])], end[text & (opens[1:] | ~padded[2:])]
