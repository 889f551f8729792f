"""The chunks of one strategy as a file, ready to index: Parquet, JSON Lines or CSV.

A file has the columns that `kugiri.formats.foreign_chunks` reads, so what an index makes of it can be audited and
diagnosed. Texts are the documents' own characters in all three formats: CSV is UTF-8 without a byte order mark, and
nothing in it is guarded against spreadsheets (`kugiri export --format csv` is for those).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv

from kugiri.errors import InputError
from kugiri.export.parquet import write_table
from kugiri.export.schemas import Columns
from kugiri.export.whole_file import demand_file, whole_file
from kugiri.formats.corpus_folder import DOCUMENTS, EXCLUDED, INFO, QUESTIONS
from kugiri.labels import chunk_id
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int64
from kugiri.model.indexed import Indexed
from kugiri.segmenters.headings import JOINED, heading_paths, outline
from kugiri.segmenters.tokenizers import tokenizer

_TEXT, _COUNT = pa.string(), pa.int64()
_BATCH = 10_000

CHUNK_FILE: Columns = (
    ("id", _TEXT, "document@start:end, the document's id percent-encoded; the id of the chunk everywhere in kugiri."),
    ("document", _TEXT, "Id of the document."),
    ("start", _COUNT, "Start of the chunk in the document, in Unicode code points."),
    ("end", _COUNT, "End of the chunk in the document, not part of it."),
    ("text", _TEXT, "The document's own characters from start to end."),
    ("heading_path", _TEXT, "Titles of the sections that the chunk starts in, joined with ' > '; null where none."),
    ("context", _TEXT, "What the strategy has indexed in front of the text, no part of the chunk; null where nothing."),
    ("parent", _TEXT, "Id of the chunk that a hit delivers, where that is another one; null elsewhere."),
    ("characters", _COUNT, "Length of the text in code points."),
    ("tokens", _COUNT, "Tokens of the text by itself, by the tokenizer that the strategy counts with; else null."),
)


def chunk_table(indexed: Indexed, chunker: object = None) -> pa.Table:
    """The chunks as rows, in document order; of parent and child the children.

    Args:
        indexed: what an index of the strategy holds.
        chunker: the strategy, asked for its tokenizer.
    """
    chunking = indexed.vectors
    corpus, document = chunking.corpus, chunking.document
    origin = corpus.document_start[document]
    names = [corpus.ids[one] for one in document.tolist()]
    start, end = chunking.start - origin, chunking.end - origin
    texts = [
        corpus.texts[one][low:high]
        for one, low, high in zip(document.tolist(), start.tolist(), end.tolist(), strict=True)
    ]
    parents: Sequence[str | None] = [None] * len(chunking)
    if indexed.parent is not None:
        delivered = _ids(indexed.delivered)
        parents = [delivered[one] for one in indexed.parent.tolist()]
    columns: Mapping[str, Any] = {
        "id": _ids(chunking),
        "document": names,
        "start": start,
        "end": end,
        "text": texts,
        "heading_path": [JOINED.join(path) or None for path in heading_paths(outline(corpus), chunking.start)],
        "context": [text or None for text in indexed.context or [None] * len(chunking)],
        "parent": parents,
        "characters": chunking.lengths,
        "tokens": _tokens(chunker, texts),
    }
    fields = [pa.field(name, kind, metadata={"description": meaning}) for name, kind, meaning in CHUNK_FILE]
    schema = pa.schema(fields, metadata={"kugiri.table": "chunk_file", "kugiri.offset_unit": "codepoint"})
    return pa.table([pa.array(columns[field.name], type=field.type) for field in schema], schema=schema)


def check_file(to: Path) -> None:
    """Refuses, before anything is computed, what no chunks can be written to.

    Raises:
        InputError: a name that ends in none of the known ways; a folder, a device or anything else that is no file.
    """
    if to.suffix.lower() not in _WRITERS:
        raise InputError(
            f"chunks are not written to a file that ends in {to.suffix!r}",
            str(to),
            f"give a file that ends in {', '.join(_WRITERS)}",
        )
    demand_file(to, "chunks are", "--to")
    if to.name in (DOCUMENTS, QUESTIONS, EXCLUDED) and (to.resolve().parent / INFO).is_file():
        raise InputError("this is a file of a corpus, and chunks would replace it", str(to), "give another --to")


def write_chunks(to: Path, table: pa.Table) -> None:
    """Writes the table beside its place and puts it there whole, over an older file if there is one.

    Raises:
        InputError: as `check_file`; it cannot be written, and an older file is as it was.
    """
    check_file(to)
    with whole_file(to, "the chunks", "--to") as built:
        _WRITERS[to.suffix.lower()](built, table)


def _ids(chunking: Chunking) -> list[str]:
    corpus, document = chunking.corpus, chunking.document
    origin = corpus.document_start[document]
    columns = (document, chunking.start - origin, chunking.end - origin)
    return [
        chunk_id(corpus.ids[one], low, high)
        for one, low, high in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _tokens(chunker: object, texts: Sequence[str]) -> Int64 | list[None]:
    """Tokens of each text where the strategy counts tokens."""
    name = getattr(chunker, "tokenizer", None) or "char"
    if name == "char" or getattr(chunker, "unit", "token") != "token":
        return [None] * len(texts)
    return tokenizer(name).counts(texts)


def _write_lines(path: Path, table: pa.Table) -> None:
    with path.open("wb") as stream:
        for batch in table.to_batches(_BATCH):
            lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) for row in batch.to_pylist())
            stream.write("".join(f"{line}\n" for line in lines).encode())


def _write_csv(path: Path, table: pa.Table) -> None:
    with path.open("wb") as stream:
        csv.write_csv(table, stream, csv.WriteOptions(quoting_style="all_valid"))


_WRITERS: Mapping[str, Callable[[Path, pa.Table], None]] = {
    ".parquet": write_table,
    ".jsonl": _write_lines,
    ".csv": _write_csv,
}
