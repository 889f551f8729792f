"""The tables of a results folder as CSV for spreadsheets.

UTF-8 with a byte order mark, so that Excel reads Japanese; every value in quotes, null as nothing between two commas.
A text that starts with `=`, `+`, `-`, `@`, a tab or a line end, full-width forms included, would be run as a formula;
it gets a `'` in front, and so does one that starts with `'`: whoever reads the files back takes one away and has the
text again. Numbers are left alone.
"""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv

from kugiri.export.new_folder import new_folder
from kugiri.export.results import Results

_GUARDED = tuple("=+-@\t\r\n＝＋－＠'")


def write_csv(results: Results, to: Path) -> tuple[str, ...]:
    """Writes every table as `NAME.csv` into the new folder `to`; returns the names of the files.

    Raises:
        InputError: as `new_folder`, or a table changed since the results were read.
    """
    names = tuple(f"{name}.csv" for name in results.names)
    with new_folder(to) as folder:
        for name, file in zip(results.names, names, strict=True):
            with (folder / file).open("wb") as stream:
                stream.write(codecs.BOM_UTF8)
                csv.write_csv(_guarded(results.table(name)), stream, csv.WriteOptions(quoting_style="all_valid"))
    return names


def _guarded(table: pa.Table) -> pa.Table:
    """The table with texts that no spreadsheet runs, and lists as JSON."""
    columns = [_cells(table.column(name)) for name in table.column_names]
    return pa.table(columns, names=table.column_names)


def _cells(column: pa.ChunkedArray) -> Any:
    if pa.types.is_list(column.type):
        lists = (None if value is None else json.dumps(value, ensure_ascii=False) for value in column.to_pylist())
        return pa.array(lists, type=pa.string())
    if pa.types.is_string(column.type):
        return pa.array(map(guarded, column.to_pylist()), type=pa.string())
    return column


def guarded(text: str | None) -> str | None:
    """The text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text is not None and text.startswith(_GUARDED) else text
