"""The tables of a loss surface in a terminal: what keeps the questions, and what would be enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from kugiri.report.surface import SurfaceContent
from kugiri.report.surface_rows import overlap_of, percentage, written
from kugiri.report.words import Value, plain

if TYPE_CHECKING:
    from rich.console import Console

_WIDE, _FEW = 120, 3
_SAY = plain("en").say


def keep_table(console: Console, content: SurfaceContent) -> None:
    """For each share of the questions the pair with the fewest vectors that keeps it, expected."""
    unit = _SAY(content.unit)
    _say(console, "To keep so many of your questions, expected over alignments, by the fewest vectors:")
    columns: list[tuple[str, Callable[[Any], Value]]] = [
        ("size", lambda row: row["size"]),
        ("overlap", overlap_of),
        ("vectors", lambda row: row["chunks"]),
        (f"indexed {unit}", lambda row: row["indexed"]),
        ("expected", lambda row: f"{row['expected']:,.2f}"),
    ]
    if console.width >= _WIDE:
        columns += [
            ("sd", lambda row: f"{row['sd']:,.2f}"),
            ("least–most", lambda row: f"{row['least']:,}–{row['most']:,}"),
            ("observed", lambda row: row["lost"]),
        ]
    rows: list[Sequence[Value | None]] = []
    for kept in content.kept:
        found = [None] * len(columns) if kept.row is None else [cell(kept.row) for _, cell in columns]
        rows.append([percentage(kept.share), *found])
    _table(console, ["keep", *(heading for heading, _ in columns)], rows)


def limited_table(console: Console, content: SurfaceContent) -> None:
    """The same with windows no longer than some sizes."""
    grid = content.limited_grid
    limits = content.limits[-_FEW:] if console.width < _WIDE else content.limits
    shown = (grid.columns[0], *grid.columns[len(grid.columns) - len(limits) :])
    _say(console, "The same with windows of at most so many units, as size × overlap: vectors:")
    headings = ["keep", *(f"≤{limit:,}" for limit in limits)]
    _table(console, headings, list(zip(*(column.cells for column in shown), strict=True)))


def enough_tables(console: Console, content: SurfaceContent) -> None:
    """The smallest overlap for some sizes, and the smallest size for some overlaps."""
    target, costs = _SAY(content.target), ("vectors", f"indexed {_SAY(content.unit)}")
    _say(console, f"Smallest overlap with an expected loss of at most {target} (every whole number was tried):")
    rows = content.facts["overlaps_enough"]
    _table(
        console,
        ["size", "overlap", *costs],
        [[row["size"], row["overlap"], row["chunks"], row["indexed"]] for row in rows],
    )
    console.print()
    _say(console, f"Smallest size with an expected loss of at most {target}:")
    rows = content.facts["sizes_enough"]
    _table(
        console,
        ["overlap", "size", *costs],
        [[written(row["overlap"]), row["size"], row["chunks"], row["indexed"]] for row in rows],
    )


def _say(console: Console, sentence: str) -> None:
    from rich.text import Text

    from kugiri.cli.console import indented

    indented(console, Text(sentence), 0)


def _table(console: Console, headings: Sequence[str], rows: Sequence[Sequence[Value | None]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*("—" if value is None else _SAY(value) for value in row))
    console.print(table)
