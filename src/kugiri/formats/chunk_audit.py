"""Every chunk of an index placed and proven, and counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from kugiri.errors import InputError
from kugiri.formats.offset_units import fitting, in_code_points
from kugiri.formats.placement import STATUSES, ForeignChunk, Placement, place_chunks
from kugiri.formats.placement_checks import Checks, checks, overlaps
from kugiri.model.corpus import Corpus
from kugiri.visible import shortened


@dataclasses.dataclass(frozen=True, slots=True)
class AuditedChunk:
    """One chunk and what became of it.

    Attributes:
        document: the id of its document.
        number: its place in the list of the document's chunks, from 1.
        chunk: as its tool gives it, offsets in the tool's unit.
        overlap: characters that it shares with the chunk before it.
    """

    document: str
    number: int
    chunk: ForeignChunk
    placement: Placement
    overlap: int

    @property
    def named(self) -> str:
        """The chunk for a message: document, number, id and first characters."""
        name = "" if self.chunk.id is None else f" ({self.chunk.id!r})"
        return f"document {self.document!r}, chunk {self.number}{name}: {shortened(self.chunk.text)!r}"


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """All chunks of an index.

    Attributes:
        fits: how many chunks with wrong offsets have right ones in each other unit of offsets.
    """

    rows: Sequence[AuditedChunk]
    checks: Checks
    fits: Mapping[str, int]

    @property
    def counts(self) -> Mapping[str, int]:
        """Chunks of each status."""
        found: dict[str, int] = dict.fromkeys(STATUSES, 0)
        for row in self.rows:
            found[row.placement.status] += 1
        return found

    @property
    def details(self) -> Mapping[str, int]:
        """Damaged and missing chunks by what is wrong with them."""
        found: dict[str, int] = {}
        for row in self.rows:
            if row.placement.detail is not None:
                found[row.placement.detail] = found.get(row.placement.detail, 0) + 1
        return dict(sorted(found.items()))

    @property
    def unplaced(self) -> Sequence[AuditedChunk]:
        """The chunks that have no place."""
        return [row for row in self.rows if not row.placement.is_placed]

    @property
    def share_exact(self) -> float | None:
        """Share of the chunks that are placed exactly, None without any chunk."""
        return self.counts["exact"] / len(self.rows) if self.rows else None


def audited(
    corpus: Corpus, lists: Sequence[Sequence[ForeignChunk]], by_order: bool = True, unit: str = "codepoint"
) -> Audit:
    """The chunks of every document, placed.

    Args:
        corpus: the documents.
        lists: the chunks of each document, in the order of the corpus.
        by_order: as in `kugiri.formats.placement.place_chunks`.
        unit: what the stated offsets count.
    """
    rows: list[AuditedChunk] = []
    total = Checks()
    fits: dict[str, int] = {}
    for name, text, chunks in zip(corpus.ids, corpus.texts, lists, strict=True):
        read = in_code_points(text, chunks, unit)
        placements = place_chunks(text, read, by_order)
        total += checks(text, read, placements)
        wrong = [
            chunk
            for chunk, one in zip(chunks, placements, strict=True)
            if one.status != "exact" and chunk.stated_start is not None
        ]
        if wrong:
            for other, count in fitting(text, wrong, unit).items():
                fits[other] = fits.get(other, 0) + count
        rows += [
            AuditedChunk(name, number, chunk, one, overlap)
            for number, (chunk, one, overlap) in enumerate(
                zip(chunks, placements, overlaps(placements), strict=True), start=1
            )
        ]
    return Audit(rows, total, fits)


_REMEDIES = {
    "replacement character": "it was decoded from half a character: cut by characters, or by tokens that are widened",
    "white space": "its tool changes white space; let it keep the text as it is",
    "empty": "leave empty chunks out",
    "missing": "no slice of the document equals it: audit the index with the documents it was made from, each chunk "
    "without what was added to it (headings, summaries)",
    "ambiguous": "its text stands in several places: give its offsets, or let the order decide",
}


def unplaced_error(audit: Audit, where: str) -> InputError:
    """The error of an index that has chunks without a place: how many, and the first of them."""
    first = audit.unplaced[0]
    counts: dict[str, int] = {}
    for row in audit.unplaced:
        counts[row.placement.status] = counts.get(row.placement.status, 0) + 1
    told = ", ".join(f"{counts[status]:,} {status}" for status in STATUSES if status in counts)
    total = len(audit.rows)
    return InputError(
        f"{len(audit.unplaced):,} of {total:,} chunk{'s' * (total != 1)} cannot be placed: {told}",
        f"{where}, {first.named}",
        _REMEDIES[first.placement.detail or first.placement.status],
    )
