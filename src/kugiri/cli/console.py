"""Standard output for data, standard error for progress; neither gets an escape code unless it is a terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from kugiri.visible import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from kugiri.sweeps.run import Progress


def output() -> Console:
    """The console of standard output: as wide as the terminal or `COLUMNS`, plain where it is no terminal."""
    from rich.console import Console

    # NO_COLOR: rich would keep bold and dim, and a screen reader or a log wants no escape code at all.
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=False, color_system=colours)


def indented(console: Console, text: Text, indent: int) -> None:
    """Prints prose, wrapped between words, every line indented."""
    for line in text.wrap(console, max(console.width - indent, 20)):
        line.rstrip()
        console.print(" " * indent, line, sep="", no_wrap=True, crop=False, overflow="ignore")


def folded(console: Console, text: Text, indent: int) -> None:
    """Prints a passage, folded after any character, every line indented.

    Rich wraps at white space, U+3000 too, and would leave the number in front of an indent alone on its line; Japanese
    breaks anywhere.
    """
    from rich.cells import get_character_cell_size

    width = max(console.width - indent, 20)
    for line in text.split("\n", allow_blank=True):
        places, used = [], 0
        for place, character in enumerate(line.plain):
            cells = get_character_cell_size(character)
            if used + cells > width:
                places.append(place)
                used = 0
            used += cells
        for piece in line.divide(places):
            console.print(" " * indent, piece, sep="", no_wrap=True, crop=False, overflow="ignore")


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))  # noqa: T201


def note(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A progress callback: a bar with the time left on a terminal, plain lines elsewhere (and under `CI`)."""
    if sys.stderr.isatty() and not os.environ.get("CI"):
        with _bar(what) as told:
            yield told
    else:
        yield _lines()


@contextmanager
def _bar(what: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True, markup=False), transient=True) as bars:
        task = bars.add_task(one_line(what), total=None)

        def told(done: int, total: int, label: str) -> None:
            bars.update(task, completed=done, total=total, description=one_line(label or what))

        yield told


def _lines() -> Progress:
    began = time.monotonic()

    def told(done: int, total: int, label: str) -> None:
        passed = time.monotonic() - began
        if label:
            left = passed / done * (total - done) if done else 0.0
            note(f"[{done + 1}/{total}] {one_line(label)}" + (f", about {left:.0f} s left" if left >= 1 else ""))
        else:
            note(f"{total} configuration{'s' * (total != 1)} in {passed:.1f} s")

    return told
