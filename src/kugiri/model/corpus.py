"""Documents on one global axis of code points."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from kugiri.errors import InputError
from kugiri.model.columns import Int64, first_false, frozen
from kugiri.visible import shortened


@dataclasses.dataclass(frozen=True, slots=True)
class Document:
    """One text with an id, kept exactly as read.

    Attributes:
        paragraphs: recorded `[start, end)` pairs in the document's own code points; empty where none are recorded.
        metadata: whatever the source said of the document.
    """

    id: str
    text: str
    title: str | None = None
    paragraphs: tuple[tuple[int, int], ...] = ()
    metadata: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class CorpusInfo:
    """What a corpus says of itself (`corpus.toml`); `built` tells how it was made from its source."""

    name: str
    title: str
    language: str
    licence: str
    source: str
    description: str
    built: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def described(self) -> dict[str, str]:
        """Everything but how it was made, by the keys of `corpus.toml`, in their order there."""
        return {
            "name": self.name,
            "title": self.title,
            "language": self.language,
            "licence": self.licence,
            "source": self.source,
            "description": self.description,
        }


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents laid end to end on an arithmetic axis of code points.

    Texts stay one `str` per document: joining them would widen every character of the corpus because of one emoji.

    Attributes:
        document_start: int64[D + 1]; document `d` occupies `[document_start[d], document_start[d + 1])` of the axis.
        paragraph_start, paragraph_end: int64[P], recorded paragraphs on the axis, sorted and disjoint.

    Raises:
        InputError: an id is empty or used twice; a text has a NUL or a lone surrogate; paragraphs are empty, outside
            their document, unsorted or overlapping.
    """

    info: CorpusInfo
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    titles: tuple[str | None, ...]
    metadata: tuple[Mapping[str, Any], ...]
    document_start: Int64
    paragraph_start: Int64
    paragraph_end: Int64

    @classmethod
    def from_documents(cls, info: CorpusInfo, documents: Iterable[Document]) -> Corpus:
        """The corpus of these documents, in this order."""
        records = tuple(documents)
        lengths = np.fromiter((len(record.text) for record in records), dtype=np.int64, count=len(records))
        document_start = np.concatenate(([0], np.cumsum(lengths)))
        counts = [len(record.paragraphs) for record in records]
        _check_ids(records)
        _check_texts(records)
        local = np.array(
            # An offset too large for int64 is outside the document all the same: clipped, it stays refused.
            [(_clipped(a, record), _clipped(b, record)) for record in records for a, b in record.paragraphs],
            dtype=np.int64,
        ).reshape(-1, 2)
        _check_paragraphs(records, local, np.repeat(np.arange(len(records)), counts), lengths)
        offset = np.repeat(document_start[:-1], counts)
        return cls(
            info,
            tuple(record.id for record in records),
            tuple(record.text for record in records),
            tuple(record.title for record in records),
            tuple(record.metadata for record in records),
            frozen(document_start),
            frozen(local[:, 0] + offset),
            frozen(local[:, 1] + offset),
        )

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.ids)

    def __repr__(self) -> str:
        return f"Corpus({self.info.name!r}: {len(self):,} documents, {self.characters:,} characters)"

    @property
    def characters(self) -> int:
        """The number of code points of all documents."""
        return int(self.document_start[-1])

    def document_of(self, position: Int64) -> Int64:
        """The document that holds each position of the axis (int64 in, int64 out); empty documents hold none."""
        return np.searchsorted(self.document_start, position, side="right") - 1

    def slice(self, start: int, end: int) -> str:
        """The text of `[start, end)` of the axis, which must lie in one document."""
        document = int(np.searchsorted(self.document_start, start, side="right")) - 1
        origin = int(self.document_start[document])
        return self.texts[document][start - origin : end - origin]

    def document(self, index: int) -> Document:
        """The document at `index` as a record."""
        origin, end = int(self.document_start[index]), int(self.document_start[index + 1])
        # An empty document and the one after it start at the same place: paragraphs are told apart by their end.
        low, high = np.searchsorted(self.paragraph_end, [origin, end], side="right")
        pairs = zip(self.paragraph_start[low:high] - origin, self.paragraph_end[low:high] - origin, strict=True)
        paragraphs = tuple((int(a), int(b)) for a, b in pairs)
        return Document(self.ids[index], self.texts[index], self.titles[index], paragraphs, self.metadata[index])


def surroundings(text: str, start: int, end: int, margin: int = 12) -> str:
    """A piece of the text with `[start, end)` in 【 】, for messages."""
    start, end = max(0, min(start, len(text))), max(0, min(end, len(text)))
    before, after = max(0, start - margin), min(len(text), end + margin)
    inside = shortened(text[start:end], 60)
    return f"{shortened(text[before:start], margin)}【{inside}】{shortened(text[end:after], margin)}"


def _clipped(offset: int, record: Document) -> int:
    return max(-1, min(index(offset), len(record.text) + 1))


def _check_ids(records: Sequence[Document]) -> None:
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        if not record.id:
            raise InputError("a document has an empty id", f"document number {number}", "give every document an id")
        _check_characters("the id of a document", record.id, f"document number {number}")
        if record.id in seen:
            raise InputError(
                f"two documents have the id {record.id!r}",
                f"document number {number}",
                "give every document its own id",
            )
        seen.add(record.id)


def _check_texts(records: Sequence[Document]) -> None:
    for record in records:
        _check_characters("the text", record.text, f"document {record.id!r}")
        if record.title is not None:
            _check_characters("the title", record.title, f"document {record.id!r}")


def _check_characters(what: str, text: str, where: str) -> None:
    place = unusable_character(text)
    if place is not None:
        raise InputError(
            f"{what} has {'a NUL character' if text[place] == chr(0) else 'a lone surrogate'} at offset {place}",
            f"{where}, around {surroundings(text, place, place + 1)}",
            "remove it, or convert the file again from its source; kugiri never changes a text",
        )


def unusable_character(text: str) -> int | None:
    """The offset of the first NUL or lone surrogate of the text, None where there is none.

    Neither survives a trip through UTF-8, Parquet and a terminal, so a text with one is refused and never repaired.
    """
    null = text.find("\0")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            return error.start if null < 0 else min(null, error.start)
    return None if null < 0 else null


def _check_paragraphs(records: Sequence[Document], local: Int64, document: Int64, lengths: Int64) -> None:
    start, end = local[:, 0], local[:, 1]

    def refuse(holds: Any, what: str) -> None:
        bad = first_false(holds)
        if bad is not None:
            at = int(document[bad])
            record, pair = records[at], records[at].paragraphs[int(bad - np.searchsorted(document, at))]
            raise InputError(
                f"paragraph {list(pair)} {what}",
                f"document {record.id!r} of {len(record.text)} characters, around {surroundings(record.text, *pair)}",
                "record paragraphs as [start, end) in code points, sorted, disjoint and not empty",
            )

    refuse((start >= 0) & (end <= lengths[document]), "lies outside its document")
    refuse(start < end, "is empty or ends before it starts")
    follows = np.concatenate(([True], (document[1:] != document[:-1]) | (start[1:] >= end[:-1])))[: len(start)]
    refuse(follows, "starts before the one in front of it ends")
