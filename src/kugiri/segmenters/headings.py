"""Headings: those of Markdown, and the numbers and marks that Japanese documents are ordered by."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.columns import Bool, Int32, Int64, frozen
from kugiri.model.corpus import Corpus
from kugiri.segmenters.blocks import block_lines, inside
from kugiri.segmenters.heading_lines import (
    ARTICLE,
    ITEMS,
    LONGEST,
    MARKDOWN,
    MARKED,
    NUMBERED,
    SHORT,
    HeadingLine,
    caption,
    heading_line,
)
from kugiri.segmenters.line_shapes import LineShapes
from kugiri.segmenters.text_marks import DIGIT, HASH, LENTICULAR, NTH, ROUND, SIGN

JOINED = " > "
"""What stands between the titles of a path."""
_WHITE_AT_END = 50
_ITEMS_FROM = (3, 4)
"""The strongest level of （１） and of (ア): mostly they number a list, whose article is not to be cut apart."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The headings of every document, in order, on the global axis.

    A heading is a line of its own, not in a block (`kugiri.segmenters.blocks`):

    * Markdown: one to six #, white space, a title of at most 200 characters; not indented like code.
    * 第○部 編 章 節 款 目 条, and 第○条の○, before white space, a bracket or the line's end. The text of an article may
      follow on its line. A caption in round brackets on the line in front of an article belongs to it.
    * 1. and １． before a title; 1.1 to six numbers; （１） (1) (一), and (ア) (a) with one letter.
    * ■ □ ◆ ◇ ● ▼ before a title, and lines that begin with 【…】.

    Markdown and articles apart, they are short (60 characters) and do not end like a sentence; a line that ends in dots
    and a page is a table of contents.

    Levels are each document's own. Markdown has as many as there are #. Below its deepest one, the other kinds that
    occur in the document count on, none left out: 部 編 章 節 款 目 条, then 1, 1.1, 1.1.1 …, then （１）, then (ア).
    The last two are never above levels 3 and 4, because mostly they number a list. A mark (■, 【…】 …) comes below the
    kinds of these that the document had before it, （１） and (ア) excepted, and above those it had not; marks among
    each other come in the order in which they first appear.

    Attributes:
        start, end: int64[H], the lines of each heading with the last one's line break.
        level: int32[H], 1 is the strongest.
        alone: bool[H], whether the lines have nothing but the heading.
        titles: without marks; numbers are part of them.
        parent: int64[H], the last heading in front of it in its document that is stronger; −1 where there is none.
    """

    corpus: Corpus
    start: Int64
    end: Int64
    level: Int32
    alone: Bool
    titles: tuple[str, ...]
    parent: Int64

    def __len__(self) -> int:
        """The number of headings."""
        return len(self.start)


def outline(corpus: Corpus) -> Outline:
    """The headings of these documents."""
    lines = LineShapes.of(corpus)
    return outline_of(lines, inside(lines, *block_lines(lines)))


def outline_of(lines: LineShapes, covered: Bool) -> Outline:
    """The headings among these lines, `covered` of which are in blocks (bool[L])."""
    # With white space at their ends; the text of an article may be as long as it likes.
    length = lines.end - lines.first
    candidates = np.isin(lines.kind, (DIGIT, ROUND, SIGN, LENTICULAR)) & (length <= SHORT + _WHITE_AT_END)
    candidates |= (lines.kind == HASH) & (length <= LONGEST + _WHITE_AT_END)
    at = np.flatnonzero((candidates | (lines.kind == NTH)) & ~covered)
    last: list[int] = []
    found: list[HeadingLine] = []
    for line, (indent, text) in zip(at.tolist(), lines.texts(at, LONGEST + _WHITE_AT_END), strict=True):
        heading = heading_line(text)
        if heading is not None and (heading.kind not in MARKDOWN or _is_no_code(indent)):
            last.append(line)
            found.append(heading)
    first, titles = _captioned(lines, covered, last, found)
    document = lines.document[last] if last else np.empty(0, dtype=np.int64)
    level = _levels(document, np.array([heading.kind for heading in found], dtype=np.int64))
    return Outline(
        lines.corpus,
        frozen(lines.start[first] if first else document),
        frozen(lines.end[last] if last else document),
        frozen(level, np.int32),
        np.array([heading.alone for heading in found], dtype=bool),
        tuple(titles),
        frozen(_parents(document.tolist(), level.tolist())),
    )


def heading_paths(found: Outline, position: Int64, own: bool = True) -> list[tuple[str, ...]]:
    """The titles above each position of the axis, the strongest first; none where no heading is above.

    Args:
        found: the headings.
        position: int64[P], starts of chunks, say, in any order.
        own: whether a heading counts for positions in its own lines, at its very start too.
    """
    if not len(found):
        return [()] * len(position)
    near = np.searchsorted(found.start, position, side="right") - 1
    document = found.corpus.document_of(found.start)
    near[(near >= 0) & (document[near] != found.corpus.document_of(position))] = -1
    if not own:
        within = (near >= 0) & (position < found.end[near])
        near[within] = found.parent[near[within]]
    parent = found.parent.tolist()
    paths: dict[int, tuple[str, ...]] = {-1: ()}
    for heading in np.unique(near).tolist():
        # Levels bound how many headings are above one; most of them are known already.
        above, one = [], heading
        while one not in paths:
            above.append(one)
            one = parent[one]
        for one in reversed(above):
            paths[one] = (*paths[parent[one]], found.titles[one])
    return [paths[heading] for heading in near.tolist()]


def _is_no_code(indent: str) -> bool:
    return len(indent) <= 3 and "\t" not in indent


def _captioned(
    lines: LineShapes, covered: Bool, last: list[int], found: list[HeadingLine]
) -> tuple[list[int], list[str]]:
    """The first line of every heading and its title: an article's caption may stand on the line in front of it."""
    first, titles = list(last), [heading.title for heading in found]
    taken = set(last)
    for number, (line, heading) in enumerate(zip(last, found, strict=True)):
        above = line - 1
        if heading.kind != ARTICLE or above < 0 or above in taken or covered[above]:
            continue
        if lines.kind[above] == ROUND and lines.document[above] == lines.document[line]:
            named = caption(lines.texts(np.array([above]), LONGEST)[0][1])
            if named is not None and named not in heading.title:
                first[number], titles[number] = above, _with_caption(heading, named)
    return first, titles


def _with_caption(heading: HeadingLine, named: str) -> str:
    number, _, behind = heading.title.partition("条")
    ordinal, *rest = (number + "条" + behind).split(maxsplit=1)
    return " ".join([ordinal + named, *rest]) if heading.alone else heading.title + named


def _levels(document: Int64, kind: Int64) -> Int32:
    """int32[H], the level of each heading from its kind and the kinds of its document."""
    if not len(kind):
        return np.empty(0, dtype=np.int32)
    kinds = MARKED.stop
    pair, first, own = np.unique(document * kinds + kind, return_index=True, return_inverse=True)
    of, which = pair // kinds, pair % kinds
    _, row = np.unique(of, return_inverse=True)
    seen = np.full((int(row[-1]) + 1, kinds), len(kind), dtype=np.int64)
    seen[row, which] = first
    is_markdown = which < MARKDOWN.stop
    deepest = np.zeros(len(seen), dtype=np.int64)
    np.maximum.at(deepest, row[is_markdown], which[is_markdown] + 1)
    slot, order = which.copy(), np.zeros(len(pair), dtype=np.int64)
    marks = np.flatnonzero(which >= MARKED.start)
    ranked = np.array([one for one in NUMBERED if one not in ITEMS])
    before = seen[row[marks]][:, ranked] < first[marks][:, None]
    slot[marks] = np.where(before, ranked, 0).max(axis=1, initial=0)
    order[marks] = first[marks] + 1
    level = which + 1
    others = np.flatnonzero(~is_markdown)
    others = others[np.lexsort((order[others], slot[others], row[others]))]
    place = np.arange(len(others)) - np.searchsorted(row[others], row[others], side="left")
    level[others] = deepest[row[others]] + place + 1
    for item, strongest in zip(sorted(ITEMS), _ITEMS_FROM, strict=True):
        level[which == item] = np.maximum(level[which == item], strongest)
    found: Int32 = level[own].astype(np.int32)
    return found


def _parents(document: list[int], level: list[int]) -> Int64:
    parent: list[int] = []
    above: list[int] = []
    for number, (of, depth) in enumerate(zip(document, level, strict=True)):
        while above and (level[above[-1]] >= depth or document[above[-1]] != of):
            above.pop()
        parent.append(above[-1] if above else -1)
        above.append(number)
    return np.array(parent, dtype=np.int64)
