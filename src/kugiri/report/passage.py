"""A passage with the evidence and every edge of a chunk marked in it: what the report and the terminal both draw."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from kugiri.visible import one_line

Edge = Literal["cut", "start", "end"]
SYMBOLS: dict[Edge, str] = {"cut": "｜", "start": "⟨", "end": "⟩"}
Span = tuple[int, int]


@dataclasses.dataclass(frozen=True, slots=True)
class Piece:
    """A run of text without a mark in it.

    Attributes:
        text: as the document has it.
        evidence: whether it lies in an evidence span.
        covered: whether some chunk holds it; what is dropped, no chunk does.
    """

    text: str
    evidence: bool = False
    covered: bool = True

    @property
    def shown(self) -> str:
        r"""The text made safe to show: `⏎` before each line feed, other control characters as `\x1b`.

        A combining mark cut from its base stands on a dotted circle instead of on the mark before it.
        """
        lines = "⏎\n".join(map(one_line, self.text.split("\n")))
        return f"◌{lines}" if unicodedata.category(self.text[0]).startswith("M") else lines


@dataclasses.dataclass(frozen=True, slots=True)
class Mark:
    """An edge of chunks between two pieces.

    Attributes:
        edge: `cut` where one chunk ends exactly where the next one starts and none goes across; else a chunk's `start`
            or `end`.
        at: its offset in the document.
        evidence: whether it lies inside an evidence span, which is what loses a question.
    """

    edge: Edge
    at: int
    evidence: bool = False

    @property
    def symbol(self) -> str:
        """The character that draws it."""
        return SYMBOLS[self.edge]


Passage: TypeAlias = tuple[Piece | Mark, ...]


def drawn(text: str, start: int, evidence: Iterable[Span], chunks: Iterable[Span]) -> Passage:
    """The pieces and marks of a passage in order; without the marks, the pieces give the text back.

    Args:
        text: the passage.
        start: its offset in the document.
        evidence: half-open spans of the document, in any order.
        chunks: the chunks of the document that touch the passage, in any order; others do no harm.
    """
    end = start + len(text)
    spans = sorted({span for span in evidence if span[0] < end and start < span[1]})
    touching = sorted({chunk for chunk in chunks if chunk[0] < end and start < chunk[1]})
    stops = {start, end, *(edge for pair in (*spans, *touching) for edge in pair if start < edge < end)}
    parts: list[Piece | Mark] = []
    for place, following in pairwise(sorted(stops)):
        if place > start:
            parts += _marks(place, spans, touching)
        inside = any(a <= place < b for a, b in spans)
        covered = any(a <= place < b for a, b in touching)
        parts.append(Piece(text[place - start : following - start], inside, covered))
    return tuple(_joined(parts))


def clipped(passage: Passage, start: int, around: Span, context: int) -> tuple[Passage, bool, bool]:
    """The part of a passage within `context` characters of the span `around`; whether text was left out before, after.

    Args:
        passage: as `drawn` made it.
        start: the passage's offset in the document.
        around: a span of the document.
        context: characters kept on either side of it.
    """
    low, high = around[0] - context, around[1] + context
    parts: list[Piece | Mark] = []
    place = start
    for part in passage:
        if isinstance(part, Mark):
            if low < part.at < high:
                parts.append(part)
            continue
        kept = part.text[max(0, low - place) : max(0, high - place)]
        if kept:
            parts.append(dataclasses.replace(part, text=kept))
        place += len(part.text)
    return tuple(parts), low > start, high < place


def bracketed(passage: Passage) -> Iterator[str | Piece | Mark]:
    """The passage with `【` and `】` around its evidence; a mark at the very edge of the evidence stands outside."""
    inside = False
    for part in passage:
        if inside and not part.evidence:
            yield "】"
            inside = False
        if isinstance(part, Piece) and part.evidence and not inside:
            yield "【"
            inside = True
        yield part
    if inside:
        yield "】"


def _marks(place: int, spans: Sequence[Span], chunks: Sequence[Span]) -> list[Mark]:
    inside = any(a < place < b for a, b in spans)
    ends = any(b == place for _, b in chunks)
    starts = any(a == place for a, _ in chunks)
    # With an overlap of half the size a chunk also ends where the next but one starts: a chunk goes across, no cut.
    if ends and starts and not any(a < place < b for a, b in chunks):
        return [Mark("cut", place, inside)]
    return [Mark("end", place, inside)] * ends + [Mark("start", place, inside)] * starts


def _joined(parts: Iterable[Piece | Mark]) -> Iterable[Piece | Mark]:
    """Neighbouring pieces that differ in nothing (two spans that touch) as one."""
    last: Piece | None = None
    for part in parts:
        if isinstance(part, Piece) and last and (last.evidence, last.covered) == (part.evidence, part.covered):
            last = dataclasses.replace(last, text=last.text + part.text)
            continue
        if last:
            yield last
        last = part if isinstance(part, Piece) else None
        if isinstance(part, Mark):
            yield part
    if last:
        yield last
