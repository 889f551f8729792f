"""Chunks of somebody else's index: ids with places in the documents of a corpus, proven where they bring their text."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from kugiri.errors import InputError
from kugiri.formats.chunk_audit import audited, unplaced_error
from kugiri.formats.foreign_tables import examples, read_table
from kugiri.formats.one_layer import one_layer
from kugiri.formats.placement import ForeignChunk
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus, surroundings
from kugiri.model.evidence import nearest_occurrence


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class ForeignChunks:
    """Chunks with the ids that an index gives them.

    Attributes:
        chunking: the chunks in our order; those with the same place are one.
        numbers: id → index into `chunking`.
        ambiguous: how many chunks without offsets could stand in several places, and were placed by their order.
    """

    chunking: Chunking
    numbers: Mapping[str, int]
    ambiguous: int = 0


class _Row(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str | int
    document: str | int
    start: int | None = None
    end: int | None = None
    text: str | None = None


class _TextRow(msgspec.Struct, frozen=True, omit_defaults=True):
    document: str | int
    text: str
    id: str | int | None = None
    start: int | None = None
    end: int | None = None


_COLUMNS, _NUMBERS = ("id", "document", "start", "end", "text"), ("start", "end")


def read_chunks(path: Path, corpus: Corpus) -> ForeignChunks:
    """The chunks in a file: JSON Lines, CSV or Parquet with id, document, and offsets, text or both.

    Offsets are code points of the document, half-open. Chunks without are placed by their text, in the order of the
    file (`kugiri.formats.placement`). Numbers as ids are the same ids as text; other columns are left out.

    Raises:
        InputError: whatever `read_table` refuses; no chunk; an id twice; an unknown document; a chunk outside its
            document, empty, or with a text that is not there; a chunk without offsets that cannot be placed by its
            text, or has none; chunks nested inside each other.
    """
    rows = read_table(path, _Row, _COLUMNS, _NUMBERS)
    if not rows:
        raise InputError("there is no chunk", str(path), "write one chunk a row: id, document, start, end")
    ids = [str(row.id) for _, row in rows]
    _demand_once(ids, path)
    number = {name: place for place, name in enumerate(corpus.ids)}
    _demand_known([str(row.document) for _, row in rows], number, path)
    stated = [None if _is_bare(row) else _place(row, where, corpus, number[str(row.document)]) for where, row in rows]
    places, ambiguous = _all_placed([row for _, row in rows], stated, corpus, path)
    chunking, order = one_layer(
        corpus, places, lambda place: f"{ids[place]!r} [{places[place][1]}, {places[place][2]})", str(path)
    )
    return ForeignChunks(chunking, dict(zip(ids, order.tolist(), strict=True)), ambiguous)


def read_lists(path: Path, corpus: Corpus) -> list[list[ForeignChunk]]:
    """The chunks in a file as it states them, a list for each document of the corpus, nothing proven yet.

    Args:
        path: JSON Lines, CSV or Parquet with document, text and, if it likes, start, end and id, in the order of the
            chunks in their documents.
        corpus: the documents.

    Raises:
        InputError: whatever `read_table` refuses; no chunk; an unknown document.
    """
    rows = read_table(path, _TextRow, _COLUMNS, _NUMBERS)
    if not rows:
        raise InputError("there is no chunk", str(path), "write one chunk a row: document, text")
    number = {name: place for place, name in enumerate(corpus.ids)}
    _demand_known([str(row.document) for _, row in rows], number, path)
    lists: list[list[ForeignChunk]] = [[] for _ in corpus.ids]
    for _, row in rows:
        name = None if row.id is None else str(row.id)
        lists[number[str(row.document)]].append(ForeignChunk(row.text, row.start, row.end, name))
    return lists


def _demand_once(ids: Sequence[str], path: Path) -> None:
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise InputError(
            f"{len(twice):,} chunk id{'s stand' if len(twice) > 1 else ' stands'} more than once: {examples(twice)}",
            str(path),
            "give every chunk its own id",
        )


def _demand_known(documents: Sequence[str], known: Mapping[str, int], path: Path) -> None:
    named = dict.fromkeys(documents)
    unknown = [name for name in named if name not in known]
    if len(unknown) == len(named):
        raise InputError(
            f"0 of {len(named):,} document ids match: the chunks have {examples(unknown)}, "
            f"the corpus {examples(known)}",
            str(path),
            "write the ids of the corpus's documents.jsonl in the column document",
        )
    if unknown:
        raise InputError(
            f"{len(unknown):,} of {len(named):,} documents are not in the corpus: {examples(unknown)}",
            str(path),
            "correct the ids, or use the corpus that was indexed",
        )


def _place(row: _Row, where: str, corpus: Corpus, document: int) -> tuple[int, int, int]:
    """The document's number and the chunk's local offsets, proven."""
    text, start, end = corpus.texts[document], row.start, row.end
    told = f"chunk {str(row.id)!r}"
    if start is None or end is None:
        has = "no offsets and no text" if start is None and end is None else "only one of its two offsets"
        raise InputError(
            f"{told} has {has}",
            where,
            "give start and end in code points of the document, or the chunk's own text, by which it is placed",
        )
    if not 0 <= start < end <= len(text):
        how = "is empty or ends before it starts" if 0 <= end <= start <= len(text) else "lies outside its document"
        raise InputError(
            f"{told} [{start}, {end}) {how}, {corpus.ids[document]!r} of {len(text)} characters",
            where,
            "offsets are code points, half-open: 0 ≤ start < end ≤ length of the document",
        )
    if row.text is not None and row.text != text[start:end]:
        near = nearest_occurrence(text, row.text, start)
        raise InputError(
            f"{told} [{start}, {end}) is not the text that it brings: there is {surroundings(text, start, end)}",
            where,
            "write the chunk's own characters, unchanged, and offsets in code points; "
            + ("the text is nowhere in the document" if near is None else f"the nearest place of the text is {near}"),
        )
    return document, start, end


def _is_bare(row: _Row) -> bool:
    """Whether the chunk brings its text and no offset."""
    return row.text is not None and row.start is None and row.end is None


def _all_placed(
    rows: Sequence[_Row], stated: Sequence[tuple[int, int, int] | None], corpus: Corpus, path: Path
) -> tuple[list[tuple[int, int, int]], int]:
    """The document's number and the offsets of every chunk, and how many of them were ambiguous.

    Chunks with offsets are proven already, and keep the order of those that are placed by their text.
    """
    places = {number: place for number, place in enumerate(stated) if place is not None}
    if len(places) == len(rows):
        return list(places.values()), 0
    document = {name: number for number, name in enumerate(corpus.ids)}
    lists: list[list[ForeignChunk]] = [[] for _ in corpus.ids]
    numbers: list[list[int]] = [[] for _ in corpus.ids]
    for number, (row, place) in enumerate(zip(rows, stated, strict=True)):
        at = document[str(row.document)]
        text = corpus.texts[at][place[1] : place[2]] if place is not None else row.text or ""
        start, end = (None, None) if place is None else place[1:]
        lists[at].append(ForeignChunk(text, start, end, str(row.id)))
        numbers[at].append(number)
    found = audited(corpus, lists)
    if found.unplaced:
        raise unplaced_error(found, str(path))
    ambiguous = 0
    for number, row_found in zip((one for some in numbers for one in some), found.rows, strict=True):
        placement = row_found.placement
        if number not in places and placement.start is not None and placement.end is not None:
            places[number] = (document[row_found.document], placement.start, placement.end)
            ambiguous += placement.status == "ambiguous"
    return [places[number] for number in range(len(rows))], ambiguous
