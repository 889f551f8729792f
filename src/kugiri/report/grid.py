"""A table of the report as data: both renderings draw the same one."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol

import pyarrow as pa

from kugiri.report.words import Value


class ReadsTables(Protocol):
    """A results folder, or anything that has its `sweep.json` and its tables (`kugiri.export.schemas.TABLES`)."""

    @property
    def sweep(self) -> Any:
        """The content of `sweep.json`."""
        ...

    @property
    def names(self) -> Collection[str]:
        """The names of the tables that there are: results of an earlier version have fewer."""
        ...

    def table(self, name: str) -> pa.Table:
        """One table by name."""
        ...


Row = dict[str, Any]
"""One row of an exported table."""


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """One column of a report table; a cell is None where there is nothing to say."""

    head: Value
    cells: tuple[Value | None, ...]
    number: bool = True


@dataclasses.dataclass(frozen=True, slots=True)
class Grid:
    """Columns of one length."""

    columns: tuple[Column, ...]

    @property
    def rows(self) -> tuple[tuple[Value | None, ...], ...]:
        """The cells row by row."""
        return tuple(zip(*(column.cells for column in self.columns), strict=True))


def column(head: Value, cells: Iterable[Value | None], *, number: bool = True) -> Column:
    """A column of these cells."""
    return Column(head, tuple(cells), number)


def shown(columns: Sequence[Column | None]) -> Grid:
    """The grid of those columns that have a cell with something in it: no empty columns."""
    return Grid(tuple(c for c in columns if c is not None and any(cell is not None for cell in c.cells)))


def rows_of(results: ReadsTables, name: str) -> list[Row]:
    """An exported table as rows."""
    rows: list[Row] = results.table(name).to_pylist()
    return rows


def rows_if_any(results: ReadsTables, name: str) -> list[Row]:
    """The same of a table that results of an earlier version do not have: no rows then."""
    return rows_of(results, name) if name in results.names else []
