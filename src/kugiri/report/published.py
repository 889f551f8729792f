"""Figures of others beside ours, and which of them mean the same here and there."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from kugiri.report.grid import Grid, Row, column
from kugiri.report.words import Code, Real, Value, said


@dataclasses.dataclass(frozen=True, slots=True)
class Published:
    """What the sweep file states as published.

    Attributes:
        source: where.
        note: what is not comparable, and why, by language.
        grid: one row a figure.
    """

    source: str
    note: Mapping[str, str]
    grid: Grid


def published(stated: Mapping[str, Any] | None, configurations: Sequence[Row]) -> Published | None:
    """The figures stated in `sweep.json` beside those of these rows; None where nothing is stated."""
    if not stated:
        return None
    ours: dict[str, Row] = {}
    for row in configurations:
        ours.setdefault(row["chunker"], row)
    found = [
        (entry["chunker"], name, value, ours.get(entry["chunker"], {}).get(name))
        for entry in stated["rows"]
        for name, value in entry["values"].items()
    ]
    grid = Grid(
        (
            column(said("column_configuration"), (Code(chunker) for chunker, _, _, _ in found), number=False),
            column(said("published_value"), (Code(name) for _, name, _, _ in found), number=False),
            column(said("published_theirs"), (_figure(theirs) for _, _, theirs, _ in found)),
            column(said("published_ours"), (_figure(value) for _, _, _, value in found)),
            column(
                said("published_comparable"),
                (said("comparable" if name in stated["comparable"] else "not_comparable") for _, name, _, _ in found),
                number=False,
            ),
        )
    )
    return Published(stated["source"], stated["note"], grid)


def _figure(value: float | None) -> Value | None:
    if value is None:
        return None
    return int(value) if float(value).is_integer() else Real(float(value), 4)
