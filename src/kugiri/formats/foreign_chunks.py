"""Chunks of somebody else's index: ids with places in the documents of a corpus, proven where they bring their text."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from kugiri.errors import InputError
from kugiri.formats.foreign_tables import examples, read_table
from kugiri.model.chunking import Chunking
from kugiri.model.columns import first_false
from kugiri.model.corpus import Corpus, surroundings
from kugiri.model.evidence import nearest_occurrence


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class ForeignChunks:
    """Chunks with the ids that an index gives them.

    Attributes:
        chunking: the chunks in our order; those with the same place are one.
        numbers: id → index into `chunking`.
    """

    chunking: Chunking
    numbers: Mapping[str, int]


class _Row(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str | int
    document: str | int
    start: int | None = None
    end: int | None = None
    text: str | None = None


def read_chunks(path: Path, corpus: Corpus) -> ForeignChunks:
    """The chunks in a file: JSON Lines, CSV or Parquet with id, document, start, end and, if it likes, text.

    Offsets are code points of the document, half-open. Numbers as ids are the same ids as text; other columns are left
    out.

    Raises:
        InputError: whatever `read_table` refuses; no chunk; an id twice; an unknown document; a chunk without offsets,
            outside its document, empty, or with a text that is not there; chunks nested inside each other.
    """
    rows = read_table(path, _Row, ("id", "document", "start", "end", "text"), ("start", "end"))
    if not rows:
        raise InputError("there is no chunk", str(path), "write one chunk a row: id, document, start, end")
    ids = [str(row.id) for _, row in rows]
    _demand_once(ids, path)
    number = {name: place for place, name in enumerate(corpus.ids)}
    _demand_known([str(row.document) for _, row in rows], number, path)
    places = [_place(row, where, corpus, number[str(row.document)]) for where, row in rows]
    return _sorted(ids, places, corpus, path)


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
        has = "a text and no offsets" if row.text is not None else "no offsets"
        raise InputError(
            f"{told} has {has}",
            where,
            "give start and end in code points of the document; this version places no text by itself",
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


def _sorted(ids: Sequence[str], places: Sequence[tuple[int, int, int]], corpus: Corpus, path: Path) -> ForeignChunks:
    columns = np.array(places, dtype=np.int64).reshape(-1, 3)
    origin = corpus.document_start[columns[:, 0]]
    start, end = columns[:, 1] + origin, columns[:, 2] + origin
    order = np.lexsort((end, start))
    nested = first_false(end[order][1:] >= end[order][:-1])
    if nested is not None:
        outer, inner = int(order[nested]), int(order[nested + 1])
        shown = [f"{ids[one]!r} [{places[one][1]}, {places[one][2]})" for one in (inner, outer)]
        raise InputError(
            f"chunk {shown[0]} lies inside chunk {shown[1]}: the index has several layers",
            f"{path}, document {corpus.ids[places[inner][0]]!r}",
            "give one layer at a time (parents or children); this version diagnoses no several layers together",
        )
    new = np.ones(len(order), dtype=bool)
    new[1:] = (start[order][1:] != start[order][:-1]) | (end[order][1:] != end[order][:-1])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return ForeignChunks(Chunking(corpus, start[order], end[order]), dict(zip(ids, number.tolist(), strict=True)))
