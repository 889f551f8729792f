"""The table of an audit: a row a chunk, figures only, no text."""

from __future__ import annotations

import pyarrow as pa

from kugiri.export.schemas import Columns
from kugiri.formats.chunk_audit import Audit, AuditedChunk
from kugiri.formats.placement import ForeignChunk

_TEXT, _COUNT = pa.string(), pa.int64()
_FARTHEST = 2**63 - 1

AUDIT: Columns = (
    ("document_id", _TEXT, "Document of the chunk."),
    ("number", _COUNT, "Place of the chunk in its tool's list for the document, from 1."),
    ("chunk_id", _TEXT, "Id of the chunk in its tool's index; null where it has none."),
    ("status", _TEXT, "exact, ambiguous, drifted, damaged or missing."),
    (
        "detail",
        _TEXT,
        "replacement character or white space where damaged, empty where the chunk is; null for all others.",
    ),
    ("start", _COUNT, "Start of the slice of the document; null where there is none."),
    ("end", _COUNT, "End of the slice; null where there is none."),
    ("stated_start", _COUNT, "Start as the tool states it, in its unit; null where it states none."),
    ("stated_end", _COUNT, "End as the tool states it, in its unit; null where it states none."),
    ("characters", _COUNT, "Characters of the chunk's text."),
    ("overlap", _COUNT, "Characters of the slice that lie in the slice of the chunk before it."),
)


def audit_table(audit: Audit, unit: str = "codepoint") -> pa.Table:
    """The rows of an audit; `unit` is what the stated offsets count."""
    fields = [pa.field(name, kind, metadata={"description": meaning}) for name, kind, meaning in AUDIT]
    metadata = {"kugiri.table": "audit", "kugiri.offset_unit": "codepoint", "kugiri.stated_offset_unit": unit}
    schema = pa.schema(fields, metadata=metadata)
    return pa.Table.from_pylist([_row(row, row.chunk) for row in audit.rows], schema=schema)


def _row(row: AuditedChunk, chunk: ForeignChunk) -> dict[str, str | int | None]:
    return {
        "document_id": row.document,
        "number": row.number,
        "chunk_id": chunk.id,
        "status": row.placement.status,
        "detail": row.placement.detail,
        "start": row.placement.start,
        "end": row.placement.end,
        "stated_start": _clipped(chunk.start),
        "stated_end": _clipped(chunk.end),
        "characters": len(chunk.text),
        "overlap": row.overlap,
    }


def _clipped(offset: int | None) -> int | None:
    """An offset that int64 cannot hold is wrong wherever it is clipped to."""
    return None if offset is None else max(-_FARTHEST, min(offset, _FARTHEST))
