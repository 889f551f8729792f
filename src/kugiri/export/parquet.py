"""Files whose bytes follow from their values alone: Parquet and JSON, written with every setting fixed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_PER_GROUP = 1 << 20


def write_table(path: Path, table: pa.Table) -> None:
    """Writes one table with its schema and field metadata; equal values give equal bytes under one version of pyarrow.

    Nothing in the file depends on the time, the place, the locale or how the table was put together.
    """
    # Here, because the manifest needs only `write_json`, and pyarrow is the slowest import of all.
    import pyarrow.parquet as pq

    # Page boundaries follow the pieces a column is made of: one piece, and the bytes follow the values alone.
    pq.write_table(
        table.combine_chunks(),
        path,
        row_group_size=_ROWS_PER_GROUP,
        version="2.6",
        data_page_version="1.0",
        data_page_size=1 << 20,
        compression="zstd",
        compression_level=3,
        use_dictionary=True,
        write_statistics=True,
        write_page_index=False,
        store_schema=True,
    )


def write_json(path: Path, value: Any) -> None:
    r"""Writes one value as JSON: UTF-8, characters as they are, two spaces, keys in the order given, `\n` at the end.

    Raises:
        ValueError: the value holds a NaN or an infinity, which JSON cannot say.
    """
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    # Bytes, not text: Windows would write `\r\n`.
    path.write_bytes(f"{text}\n".encode())
