"""Paragraphs: one a chunk, or packed up to a size."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.chunkers.measures import measure, too_large
from kugiri.chunkers.parameters import packed, settle_overlap
from kugiri.chunkers.pieces import Pieces
from kugiri.chunkers.trimming import trimmed
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows
from kugiri.segmenters.lines import line_breaks
from kugiri.segmenters.paragraphs import Paragraphs
from kugiri.segmenters.sentences import Sentences
from kugiri.segmenters.text_marks import LINE


@dataclasses.dataclass(frozen=True, slots=True)
class Paragraph:
    """Recorded paragraphs of a document; where none are recorded, runs of lines between blank lines.

    With a size, short paragraphs are packed and long ones cut at lines, else at sentences, else like `fixed`.

    Attributes:
        size: the largest chunk; None makes every paragraph one chunk.
        overlap: whole paragraphs, lines or sentences repeated from the chunk in front; a share when a float.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: as `kugiri.model.windows.Windows`; an overlap or a tokenizer without a size.
    """

    name: ClassVar[str] = "paragraph"
    version: ClassVar[int] = 1

    size: int | None = None
    overlap: int | float = 0
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        if self.size is not None:
            settle_overlap(self)
        elif self.overlap != 0 or self.tokenizer != "char":
            raise InputError(
                "paragraph() without a size has no overlap and counts nothing", "size", "give a size, or neither"
            )

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The paragraphs of every document."""
        units = Paragraphs().segment(corpus)
        if self.size is None:
            chunking = Chunking(corpus, units.start, units.end)
            return trimmed(chunking) if self.trim else chunking
        windows, measured = Windows(self.size, self.overlap), measure(corpus, self.tokenizer, self.trim)
        # Places inside a paragraph that fits are of use only to an overlap.
        cut = np.ones(len(units), dtype=bool)
        if not windows.overlap_units:
            cut = too_large(measured, units.start, units.end, windows.size)
        return packed(_cut_inside(units, cut), self, measured)


def _cut_inside(paragraphs: Boundaries, cut: Bool) -> Pieces:
    """The paragraphs, those to be cut in lines and sentences; both are weaker places than those between paragraphs."""
    if not cut.any():
        return Pieces.of(paragraphs)
    corpus = paragraphs.corpus
    long = Boundaries(corpus, paragraphs.start[cut], paragraphs.end[cut])
    places = (paragraphs.start, _inside(long, line_breaks(corpus, LINE)[1]), Sentences("wrap").ends_inside(long))
    start = np.concatenate(places)
    order = np.argsort(start, kind="stable")
    start, strength = start[order], np.repeat(np.array([3, 2, 1], dtype=np.int32), [*map(len, places)])[order]
    # Where a line and a sentence start together, the stable sort has the line first.
    first = np.diff(start, prepend=-1) > 0
    start, strength = start[first], strength[first]
    end = np.append(start[1:], corpus.characters)[: len(start)]
    # The last piece of a paragraph ends with it.
    end[np.append(strength[1:] == 3, True)[: len(start)]] = paragraphs.end
    return Pieces(Boundaries(corpus, start, end), strength)


def _inside(units: Boundaries, position: Int64) -> Int64:
    """The positions between two characters of one unit."""
    unit = np.searchsorted(units.start, position, side="left") - 1
    return position[(unit >= 0) & (position < units.end[unit])]
