"""The heat map of a loss surface in a terminal: a character a cell, coloured where there is a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from kugiri.report.loss_classes import BOUNDS, COLOURS, class_of
from kugiri.report.surface import SurfaceContent
from kugiri.report.surface_figures import axis_value

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_SYMBOLS = ".1234567"
"""A class by its place in `BOUNDS`, readable without colour."""
_Value = TypeVar("_Value")
_MOST_ROWS, _NARROWEST, _BESIDE, _BETWEEN, _APART = 14, 24, 64, 3, 14
_AXIS = "  size "
"""In front of the sizes below a map, and as wide as what stands in front of its rows."""


def maps(console: Console, content: SurfaceContent) -> None:
    """Prints the map of what was observed and that of expected loss, side by side where there is room."""
    from rich.text import Text

    which = [("observed loss", "lost"), *([("expected loss", "expected")] if content.kept else [])]
    beside = console.width >= 2 * _BESIDE + _BETWEEN and len(which) == 2
    width = (console.width - _BETWEEN) // 2 if beside else console.width
    drawn = [_map(content, heading, of, width - 1) for heading, of in which]
    if beside:
        for left, right in zip(*drawn, strict=True):
            left.pad_right(max(width - left.cell_len, 0) + _BETWEEN)
            console.print(left + right, no_wrap=True, crop=False)
    else:
        for lines in drawn:
            for line in lines:
                console.print(line, no_wrap=True, crop=False)
    names = ("none", *(f"≤{100 * bound:g}%" for bound in BOUNDS[1:]), f">{100 * BOUNDS[-1]:g}%")
    legend = Text("lost:")
    for number, (symbol, name) in enumerate(zip(_SYMBOLS, names, strict=True)):
        legend.append("  ").append(symbol, _style(number)).append(f" {name}")
    console.print(legend)


def _map(content: SurfaceContent, heading: str, of: str, width: int) -> list[Text]:
    from rich.text import Text

    known = sorted({row["size"] for row in content.rows})
    longest = len(f"{known[-1]:,}")
    # The label of the last size begins below its column and reaches further.
    room = max(width - len(_AXIS) - longest + 1, _NARROWEST)
    sizes = _every(known, room)
    cell = max(1, min(longest + 1, room // len(sizes)))
    overlaps = _every(sorted({axis_value(row) for row in content.rows}), _MOST_ROWS)
    shares = content.rows[0]["share"] is not None
    cells = {(axis_value(row), row["size"]): class_of(row[of], content.questions) for row in content.rows}
    lines = [Text(f"{heading}, overlap {'% of the size' if shares else 'in units'}", style="bold")]
    for overlap in reversed(overlaps):
        line = Text(f"{overlap:>{len(_AXIS) - 1},.{0 if overlap == int(overlap) else 1}f} ")
        for size in sizes:
            number = cells.get((overlap, size))
            symbol = " " if number is None else _SYMBOLS[number]
            line.append(symbol.ljust(cell), "" if number is None else _style(number))
        lines.append(line)
    return [*lines, Text(_axis(sizes, cell), style="dim")]


def _every(values: Sequence[_Value], most: int) -> Sequence[_Value]:
    """Every second value, every third, …, from the first on, so that there are at most so many."""
    return values[:: -(-len(values) // most)]


def _axis(sizes: Sequence[int], cell: int) -> str:
    """Sizes, each from the column on that it belongs to: all where there is room, else the first, some and the last."""
    labels = [f"{size:,}" for size in sizes]
    step = 1 if cell > len(labels[-1]) else -(-max(_APART, len(labels[-1]) + 2) // cell)
    last = len(_AXIS) + cell * (len(sizes) - 1)
    line = _AXIS
    for number in range(0, len(sizes) - 1, step):
        place = len(_AXIS) + cell * number
        if place + len(labels[number]) < last:
            line = f"{line:<{place}}{labels[number]}"
    return f"{line:<{last}}{labels[-1]}"


def _style(number: int) -> str:
    ink = "black" if number <= len(BOUNDS) // 2 else "white"
    return f"{ink} on {COLOURS[number]}"
