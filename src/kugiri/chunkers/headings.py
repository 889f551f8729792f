"""Sections: cut at every heading of a level, and inside where a section is too large."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.chunkers.parameters import packed, settle_overlap
from kugiri.chunkers.pieces import MUST, Pieces
from kugiri.chunkers.trimming import trimmed
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Int32, Int64
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import Indexed
from kugiri.segmenters.blocks import block_lines, inside
from kugiri.segmenters.cuts import without_repeats
from kugiri.segmenters.headings import JOINED, Outline, heading_paths, outline, outline_of
from kugiri.segmenters.line_shapes import LineShapes
from kugiri.segmenters.sentences import Sentences

_IN_BLOCK, _UNDER_HEADING, _SENTENCE, _LINE, _PARAGRAPH, _HEADING = range(1, 7)
_HEADINGS = 8
"""Strengths of headings: those so many levels below the one that is always cut are as good as each other."""


@dataclasses.dataclass(frozen=True, slots=True)
class Headings:
    """Sections of a document: a chunk begins at every heading of `level` or stronger.

    Only a heading that directly follows a stronger one, with no text between them, begins no chunk of its own: a chunk
    of nothing but a heading would answer nothing.

    Levels are those of `kugiri.segmenters.headings`: Markdown by the number of #, 第○章 above 第○条, 1. above 1.1.

    With a size, a larger section is cut at weaker headings, else at paragraphs (recorded, or behind blank lines), at
    lines, at sentences, else like `fixed`. A heading stays with what follows it and fenced code and tables stay whole
    as long as they fit. What stands above the first heading is a section too, and white space there belongs to the
    first.

    Attributes:
        level: the weakest headings that are always cut at, 1 for the strongest only.
        size: the largest chunk; None makes every section one chunk.
        overlap: whole pieces repeated from the chunk in front, never across such a heading; a share when a float.
        context: whether the titles above a chunk are added to what is indexed (`contexts`). They are never part of the
            chunk's text, and sizes count the text alone.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: a level below 1; as `kugiri.model.windows.Windows`; an overlap or a tokenizer without a size.
    """

    name: ClassVar[str] = "headings"
    version: ClassVar[int] = 1

    level: int = 2
    size: int | None = None
    overlap: int | float = 0
    context: bool = False
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.level, bool) or not isinstance(self.level, int) or self.level < 1:
            raise InputError(
                f"level = {self.level!r}: levels of headings are counted from 1",
                "level",
                "give 1 for the strongest headings only, 2 to cut at those below them too",
            )
        if self.size is not None:
            settle_overlap(self)
        elif self.overlap != 0 or self.tokenizer != "char":
            raise InputError(
                "headings() without a size has no overlap and counts nothing", "size", "give a size, or neither"
            )

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The sections of every document."""
        places = _Places.of(corpus, self.level)
        if self.size is not None:
            return packed(places.pieces(self._uncut_size), self)
        start = places.lines.start[places.strength == MUST]
        chunking = Chunking(corpus, start, _following(start, corpus))
        return trimmed(chunking) if self.trim else chunking

    def contexts(self, chunking: Chunking) -> tuple[str, ...]:
        """For each chunk the titles above it, joined with " > ": context for an index; "" where there is none.

        A heading that the chunk begins with is text of the chunk already, and left out. Without `context` all are "".
        """
        if not self.context:
            return ("",) * len(chunking)
        return tuple(map(JOINED.join, heading_paths(outline(chunking.corpus), chunking.start, own=False)))

    def indexed(self, chunking: Chunking) -> Indexed:
        """The chunks with their contexts."""
        return Indexed(chunking, chunking, context=self.contexts(chunking) if self.context else None)

    @property
    def _uncut_size(self) -> int:
        """The characters of a line that no sentence need be found in.

        Where chunks only ever start at places, one that starts at a line reaches the next if the line fits, and that is
        the stronger place. Overlaps may start at any sentence, and tokens need not add up.
        """
        return self.size if self.size is not None and self.tokenizer == "char" and self.overlap == 0 else 0


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """The lines of every document and the strength of the place in front of each.

    Attributes:
        strength: int32[L].
        whole: bool[L], the lines in which no sentence is a place: headings, code and tables.
    """

    lines: LineShapes
    strength: Int32
    whole: Bool

    @classmethod
    def of(cls, corpus: Corpus, level: int) -> _Places:
        lines = LineShapes.of(corpus)
        first, last = block_lines(lines)
        covered = inside(lines, first, last)
        headings = outline_of(lines, covered)
        shown = ~lines.blank
        number = np.arange(len(lines))
        # The last line with text in front of each line, −1 where its document has none.
        before = np.concatenate(([-1], np.maximum.accumulate(np.where(shown, number, -1))))[: len(lines)]
        begins = np.diff(lines.document, prepend=-1) > 0
        before[before < np.maximum.accumulate(np.where(begins, number, 0))] = -1
        strength = np.full(len(lines), _LINE, dtype=np.int32)
        strength[shown & (before < number - 1)] = _PARAGRAPH
        strength[np.searchsorted(lines.start, corpus.paragraph_start)] = _PARAGRAPH
        _mark_headings(strength, lines, headings, before, level)
        # The first line of a block is a place like any other.
        covered_behind = covered.copy()
        covered_behind[first] = False
        strength[covered_behind] = _IN_BLOCK
        strength[begins] = MUST
        whole = covered.copy()
        alone = _last_lines(lines, headings)[headings.alone]
        whole[alone] = True
        return cls(lines, strength, whole)

    def pieces(self, uncut_size: int) -> Pieces:
        """The lines, cut at sentences where those between two firm places are longer than `uncut_size`."""
        corpus, start = self.lines.corpus, self.lines.start
        cuts = self._sentences(uncut_size)
        line = np.searchsorted(start, cuts, side="right") - 1
        cuts = cuts[(start[line] < cuts) & ~self.whole[line]]
        every = np.concatenate((start, cuts))
        strength = np.concatenate((self.strength, np.full(len(cuts), _SENTENCE, dtype=np.int32)))
        order = np.argsort(every, kind="stable")
        every = every[order]
        return Pieces(Boundaries(corpus, every, _following(every, corpus)), strength[order])

    def _sentences(self, uncut_size: int) -> Int64:
        corpus, start = self.lines.corpus, self.lines.start
        firm = np.flatnonzero(self.strength > _SENTENCE)
        long = firm[np.diff(start[firm], append=corpus.characters) > uncut_size]
        # Brackets pair inside a paragraph: it is looked at as a whole.
        apart = start[self.strength >= _PARAGRAPH]
        number = without_repeats(np.searchsorted(apart, start[long], side="right") - 1)
        return Sentences("wrap").ends_inside(Boundaries(corpus, apart[number], _following(apart, corpus)[number]))


def _mark_headings(strength: Int32, lines: LineShapes, headings: Outline, before: Int64, level: int) -> None:
    """Sets the strength in front of headings, and of what follows them."""
    at, last = np.searchsorted(lines.start, headings.start), _last_lines(lines, headings)
    weaker = np.minimum(headings.level - level, _HEADINGS)
    own = np.where(weaker <= 0, MUST, _HEADING + _HEADINGS - weaker)
    alone, of = np.full((2, len(lines)), -1, dtype=np.int64)
    alone[last[headings.alone]] = headings.level[headings.alone]
    of[at] = headings.level
    above = np.where(before >= 0, alone[before], -1)
    # Behind a heading: blank lines, text, and headings below it. One that is not below it leaves it empty.
    under = (above > 0) & ((of < 0) | (of > above))
    strength[at] = own
    strength[under] = _UNDER_HEADING
    # An article follows its caption.
    strength[last[last > at]] = _UNDER_HEADING
    # White space in front of the first heading is no section.
    strength[at[before[at] < 0]] = _UNDER_HEADING


def _last_lines(lines: LineShapes, headings: Outline) -> Int64:
    return np.searchsorted(lines.end, headings.end)


def _following(start: Int64, corpus: Corpus) -> Int64:
    """Where the next begins, for starts that cover the corpus."""
    return np.append(start[1:], corpus.characters)[: len(start)]
