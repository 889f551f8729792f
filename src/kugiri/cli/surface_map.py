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
_MOST_ROWS, _NARROWEST, _MARGIN, _BETWEEN = 14, 24, 8, 3


def maps(console: Console, content: SurfaceContent) -> None:
    """Prints the map of what was observed and that of expected loss, side by side where there is room."""
    from rich.text import Text

    which = [("observed loss", "lost"), *([("expected loss", "expected")] if content.kept else [])]
    beside = console.width >= 2 * (_MARGIN + 56) + _BETWEEN and len(which) == 2
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

    sizes = _every(sorted({row["size"] for row in content.rows}), max(width - _MARGIN, _NARROWEST))
    overlaps = _every(sorted({axis_value(row) for row in content.rows}), _MOST_ROWS)
    shares = content.rows[0]["share"] is not None
    cells = {(axis_value(row), row["size"]): class_of(row[of], content.questions) for row in content.rows}
    lines = [Text(f"{heading}, overlap {'% of the size' if shares else 'in units'}", style="bold")]
    for overlap in reversed(overlaps):
        line = Text(f"{overlap:>{_MARGIN - 2},.{0 if overlap == int(overlap) else 1}f} ")
        for size in sizes:
            number = cells.get((overlap, size))
            line.append(" " if number is None else _SYMBOLS[number], "" if number is None else _style(number))
        lines.append(line)
    return [*lines, _axis(sizes)]


def _every(values: Sequence[_Value], most: int) -> Sequence[_Value]:
    """Every second value, every third, …, from the first on, so that there are at most so many."""
    return values[:: -(-len(values) // most)]


def _axis(sizes: Sequence[int]) -> Text:
    """Sizes below the columns they belong to, as many as there is room for."""
    from rich.text import Text

    line, last = " " * (_MARGIN - 1), f"{sizes[-1]:,}"
    room = len(line) + len(sizes)
    for column, size in enumerate(sizes):
        label = f"{size:,}"
        place = _MARGIN - 1 + column
        fits = place + len(label) < room - len(last) or len(sizes) == 1
        if column % 14 == 0 and fits and (not line.strip() or place > len(line)):
            line = f"{line:<{place}}{label}"
    if len(sizes) > 1:
        line = f"{line:<{max(room - len(last), len(line) + 1)}}{last}"
    return Text(f"{line}  size" if len(line) + 6 <= room + 1 else line, style="dim")


def _style(number: int) -> str:
    ink = "black" if number <= len(BOUNDS) // 2 else "white"
    return f"{ink} on {COLOURS[number]}"
