"""Tables that other tools wrote, read row by row: JSON Lines, CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from kugiri.errors import InputError
from kugiri.formats.csv_fields import long_fields
from kugiri.formats.reading import decoded, read_bytes
from kugiri.formats.strict import typed
from kugiri.formats.strict_json import read_jsonl
from kugiri.visible import shortened

_Typed = TypeVar("_Typed")
_EXAMPLES = 5


def read_table(
    path: Path, kind: type[_Typed], columns: Iterable[str], numbers: Iterable[str] = ()
) -> list[tuple[str, _Typed]]:
    """The rows of a table as values of `kind` (a msgspec Struct), each with its place; unknown columns are left out.

    Args:
        path: a file whose name ends in .jsonl, .ndjson, .csv or .parquet.
        kind: what a row is.
        columns: its fields.
        numbers: those of them that CSV, in which everything is text, holds as numbers.

    Raises:
        InputError: another kind of file; whatever keeps it from being read; a missing column; a wrong type.
    """
    readers: Mapping[str, Callable[[], Iterator[tuple[str, _Typed]]]] = {
        ".jsonl": lambda: _jsonl(path, kind),
        ".ndjson": lambda: _jsonl(path, kind),
        ".csv": lambda: _csv(path, kind, tuple(columns), frozenset(numbers)),
        ".parquet": lambda: _parquet(path, kind, tuple(columns)),
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"a file that ends in {path.suffix!r} is none that is read here",
            str(path),
            f"give a file that ends in {', '.join(readers)}",
        )
    return list(reader())


def examples(ids: Iterable[str]) -> str:
    """Some ids for a message, and how many more there are."""
    known = list(ids)
    shown = ", ".join(repr(shortened(one)) for one in known[:_EXAMPLES])
    return shown + (f" and {len(known) - _EXAMPLES:,} more" if len(known) > _EXAMPLES else "")


def _jsonl(path: Path, kind: type[_Typed]) -> Iterator[tuple[str, _Typed]]:
    for number, record in read_jsonl(path, kind):
        yield f"{path}:{number}", record


def _csv(
    path: Path, kind: type[_Typed], columns: tuple[str, ...], numbers: frozenset[str]
) -> Iterator[tuple[str, _Typed]]:
    rows = csv.reader(io.StringIO(decoded(read_bytes(path), path), newline=""), strict=True)
    try:
        # A chunk may be a whole document.
        with long_fields():
            names = next(rows, [])
            _demand_distinct(names, path)
            for row in rows:
                where = f"{path}:{rows.line_num}"
                if len(row) not in (0, len(names)):
                    raise InputError(
                        f"the row has {len(row)} values, and there are {len(names)} columns", where, "correct the row"
                    )
                cells = {name: cell for name, cell in zip(names, row, strict=False) if name in columns}
                if row:
                    given = {name: _number(cell) if name in numbers else cell for name, cell in cells.items()}
                    yield where, typed(given, kind, where)
    except csv.Error as error:
        raise InputError(
            f"not CSV: {error}", f"{path}:{rows.line_num}", "correct it, or write the table as JSON Lines"
        ) from None


def _demand_distinct(names: list[str], path: Path) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two columns are named {shortened(twice)!r}", f"{path}:1", "name every column once")


def _number(cell: str) -> float | str | None:
    """A cell as a number, None where it is empty; what is none stays text, and is refused with its key."""
    if not cell:
        return None
    for kind in (int, float):
        with suppress(ValueError):
            return kind(cell)
    return cell


def _parquet(path: Path, kind: type[_Typed], columns: tuple[str, ...]) -> Iterator[tuple[str, _Typed]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(read_bytes(path)))
        table = file.read(columns=[name for name in columns if name in file.schema_arrow.names])
        rows: list[dict[str, Any]] = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"not Parquet: {str(error).splitlines()[0]}", str(path), "write the file again") from None
    for number, row in enumerate(rows, start=1):
        where = f"{path}, row {number}"
        yield where, typed(row, kind, where)
