"""Where chunks of others stand in their document: each place proven by equality, or said not to be.

**The rule.** Chunks are looked for in the order of the list: each starts behind the one before it (at the same place
only if it is longer). If the whole list leaves a chunk one place only, that is its place; if it leaves several, the
chunk is ambiguous, and the order resolves it, or it is refused. A list that cannot be in order (some chunk would have
to stand in front of the one before it) proves nothing by its order: a chunk has its place only if its text stands once.

**Stated offsets.** If all are right and make a chunking of one layer, they are believed, however the list is sorted.
Otherwise equality alone would let a tool give repeated sentences the place of the first, so in a list that is in order
a stated offset has to go forward with the others, and if some chunk is stated inside another, and the texts can be
placed with none inside another, this is where they stand. Elsewhere equality is enough.

So for any true chunking, sorted by start, every chunk is placed truly or called ambiguous; with its offsets stated all
are exact, in any order, if none lies inside another. What equality and order cannot tell apart is a tool that states
repeated texts too close to each other, as one short sentence thirty times in chunks of five at 0, 4, 8, …: these are
places of overlapping chunks, and right ones for all that the texts show. Then the chunks leave a part of the document
out, and coverage tells (`kugiri.formats.placement_checks`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

from kugiri.formats.occurrences import Occurrences
from kugiri.formats.resolution import resolved
from kugiri.formats.stated_offsets import settled
from kugiri.formats.white_space_changes import places_without_white_space

Status = Literal["exact", "ambiguous", "drifted", "damaged", "missing"]
STATUSES: tuple[Status, ...] = ("exact", "ambiguous", "drifted", "damaged", "missing")
REPLACEMENT = "\ufffd"


@dataclasses.dataclass(frozen=True, slots=True)
class ForeignChunk:
    """A chunk as its tool gives it.

    Attributes:
        start, end: where the tool says it stands, in code points; None where it says nothing. Not trusted: −1 and
            offsets outside the document are offsets that are wrong.
        id: its name in the tool's index, if it has one.
    """

    text: str
    start: int | None = None
    end: int | None = None
    id: str | None = None

    @property
    def stated_start(self) -> int | None:
        """Where it starts, as far as the tool says."""
        return self.start if self.start is not None or self.end is None else self.end - len(self.text)


@dataclasses.dataclass(frozen=True, slots=True)
class Placement:
    """What became of one chunk.

    Attributes:
        status: `exact` (the stated offsets are right, or only one place is possible), `ambiguous` (several are),
            `drifted` (the stated offsets are wrong, and only one place is possible), `damaged` (no slice of the
            document equals it, and `detail` says what was done to it), `missing` (no slice equals it).
        start, end: the slice, None where there is none. It equals the text, but for white space if damaged.
        detail: of the damaged `replacement character` or `white space`, of the missing `empty`; None for others.
    """

    status: Status
    start: int | None = None
    end: int | None = None
    detail: str | None = None

    @property
    def is_placed(self) -> bool:
        """Whether the chunk has a place."""
        return self.start is not None


def place_chunks(text: str, chunks: Sequence[ForeignChunk], by_order: bool = True) -> list[Placement]:
    """The placement of every chunk of one document, in the order of the list.

    Args:
        text: the document.
        chunks: its chunks, as the tool lists them.
        by_order: whether an ambiguous chunk gets the place that `kugiri.formats.resolution.resolved` chooses, or none.
    """
    occurrences = Occurrences(text)
    # What was decoded from half a character is in no document that has no such mark of its own: no need to look.
    marks = REPLACEMENT in text
    wanted = [chunk.text if chunk.text and (marks or REPLACEMENT not in chunk.text) else None for chunk in chunks]
    possible, fixed = settled(occurrences, wanted, [chunk.stated_start for chunk in chunks])
    starts = resolved(occurrences, wanted, possible, fixed)
    found = [
        _found(chunk, start, possible.first[number] == possible.last[number], by_order)
        for number, (chunk, start) in enumerate(zip(chunks, starts, strict=True))
    ]
    changed = [number for number, placement in enumerate(found) if placement.status == "missing" and wanted[number]]
    if changed:
        alone = [first if first == last else None for first, last in zip(possible.first, possible.last, strict=True)]
        slices = places_without_white_space(text, [chunk.text for chunk in chunks], alone, changed)
        for number, slice_ in slices.items():
            found[number] = Placement("damaged", *slice_, detail="white space")
    return found


def _found(chunk: ForeignChunk, start: int | None, is_alone: bool, by_order: bool) -> Placement:
    if not chunk.text:
        return Placement("missing", detail="empty")
    if start is None:
        if REPLACEMENT in chunk.text:
            return Placement("damaged", detail="replacement character")
        return Placement("missing")
    end = start + len(chunk.text)
    if not is_alone:
        return Placement("ambiguous", start, end) if by_order else Placement("ambiguous")
    right = (chunk.start is None or chunk.start == start) and (chunk.end is None or chunk.end == end)
    return Placement("exact" if right else "drifted", start, end)
