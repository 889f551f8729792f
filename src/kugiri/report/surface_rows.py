"""Rows of a loss surface: which are chosen from it, and how they are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from kugiri.report.digits import as_written
from kugiri.report.grid import Column, Row, column
from kugiri.report.words import Real, Said, Value, said

_ROUNDING = 1e-9

_Value = TypeVar("_Value")


def cheapest(rows: Iterable[Row], share: float, questions: int) -> Row | None:
    """The pair with the fewest vectors whose expected loss leaves this share of the questions; None if none does.

    Of several the one with the fewest indexed units, then the smallest size.
    """
    most = (1 - share) * questions + (_ROUNDING if share < 1 else 0)
    keeping = (row for row in rows if row["expected"] <= most)
    return min(keeping, key=lambda row: (row["chunks"], row["indexed"], row["size"]), default=None)


def front_of(rows: Iterable[Row]) -> list[Row]:
    """The rows that no other one beats in vectors and expected loss, by rising vectors; of equal ones the first."""
    found: list[Row] = []
    for row in sorted(rows, key=lambda row: (row["chunks"], row["expected"], row["indexed"], row["size"])):
        if not found or row["expected"] < found[-1]["expected"]:
            found.append(row)
    return found


def cell(row: Row | None) -> Said | None:
    """Size × overlap and vectors of a row, in few characters."""
    if row is None:
        return None
    overlap = written(row["overlap"] if row["share"] is None else row["share"])
    return said("surface_cell", size=row["size"], overlap=overlap, chunks=row["chunks"])


def pair(row: Mapping[str, Any]) -> Said:
    """Size and overlap of a row in words."""
    return said("surface_pair", size=row["size"], overlap=overlap_of(row))


def overlap_of(row: Mapping[str, Any]) -> Value:
    """The overlap of a row: as a share, with the units in brackets, or in units."""
    if row["share"] is None or not row["overlap"]:
        return int(row["overlap"])
    return said("surface_overlap_share", share=percentage(row["share"]), overlap=row["overlap"])


def written(overlap: float) -> Value:
    """An overlap as it was asked for; none at all is 0, of the size as in units."""
    return percentage(overlap) if isinstance(overlap, float) and overlap else int(overlap)


def percentage(share: float) -> Said:
    """A share that somebody chose, in per cent with the decimals that it has."""
    return said("surface_percent", n=as_written(100 * share))


def thinned(values: Sequence[_Value], most: int) -> list[_Value]:
    """At most so many of the values, as evenly as their number allows, the ends among them."""
    if len(values) <= most:
        return list(values)
    return [values[round(step * (len(values) - 1) / (most - 1))] for step in range(most)]


def pair_columns(rows: Sequence[Row | None], unit: Said) -> list[Column]:
    """Size, overlap, costs and losses of these rows, in this unit; None is a row with nothing to say."""

    def cells(of: str) -> list[Any]:
        return [None if row is None else row[of] for row in rows]

    return [
        column(said("column_surface_size"), cells("size")),
        column(said("column_surface_overlap"), (None if row is None else overlap_of(row) for row in rows)),
        *cost_columns([{} if row is None else row for row in rows], unit),
        column(said("column_surface_expected"), (None if row is None else Real(row["expected"], 2) for row in rows)),
        column(said("column_surface_sd"), (None if row is None else Real(row["sd"], 2) for row in rows)),
        column(
            said("column_surface_range"),
            (None if row is None else said("surface_range", least=row["least"], most=row["most"]) for row in rows),
        ),
        column(said("column_surface_lost"), cells("lost")),
    ]


def cost_columns(rows: Sequence[Mapping[str, Any]], unit: Said) -> list[Column]:
    """What these rows cost, in vectors and in this unit; a row without costs has nothing to say."""
    return [
        column(said("column_surface_chunks"), (row.get("chunks") for row in rows)),
        column(said("column_surface_indexed", unit=unit), (row.get("indexed") for row in rows)),
    ]
