"""The commands, each imported when it is run or asked for its help: `kugiri --help` starts as fast as typer does."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


def _sweep() -> Any:
    from kugiri.cli.sweep import sweep

    return sweep


def _surface() -> Any:
    from kugiri.cli.surface import surface

    return surface


def _lost() -> Any:
    from kugiri.cli.lost import lost

    return lost


def _explain() -> Any:
    from kugiri.cli.explain import explain

    return explain


def _report() -> Any:
    from kugiri.cli.report import report

    return report


def _compare() -> Any:
    from kugiri.cli.compare import compare

    return compare


def _check() -> Any:
    from kugiri.cli.check import check

    return check


def _diagnose() -> Any:
    from kugiri.cli.diagnose import diagnose

    return diagnose


def _audit() -> Any:
    from kugiri.cli.audit import audit

    return audit


def _export() -> Any:
    from kugiri.cli.export import export

    return export


def _chunk() -> Any:
    from kugiri.cli.chunk import chunk

    return chunk


def _list() -> Any:
    from kugiri.cli.list import list_components

    return list_components


def _corpus() -> Any:
    from kugiri.cli.corpus import app

    return app


COMMANDS: dict[str, tuple[Callable[[], Any], str]] = {
    "sweep": (_sweep, "Cut the corpus in every way of the sweep file and count which questions each way loses."),
    "surface": (_surface, "Count what fixed windows of thousands of sizes and overlaps lose, without making a chunk."),
    "lost": (_lost, "Read the lost questions of a sweep, each with its evidence and every cut drawn in."),
    "explain": (
        _explain,
        "Draw one question's evidence under several ways of cutting, and say whether each keeps it.",
    ),
    "report": (
        _report,
        "Write report.html, report.md and the figures of a results folder again, from its tables alone.",
    ),
    "compare": (
        _compare,
        "Compare two configurations on the same questions: by how much they differ, and on which questions.",
    ),
    "check": (_check, "Fail where a way of cutting loses more questions than it may: exit status 4, and their names."),
    "diagnose": (
        _diagnose,
        "Say at which stage the questions fail in an index and a ranking of your own: cut, candidates or ordering.",
    ),
    "audit": (_audit, "Prove where every chunk of an index stands: exact, ambiguous, drifted, damaged or missing."),
    "export": (_export, "Write the results as TREC qrels and runs, or every table as CSV for spreadsheets."),
    "chunk": (_chunk, "Write the chunks of one strategy with text, offsets and heading path, ready to index."),
    "list": (_list, "List what a sweep can use: its name, its parameters and what it is."),
    "corpus": (_corpus, "Import, check and look at corpora."),
}
"""Name → what imports it, a function or a group; and the first paragraph of its help, which `kugiri --help` shows."""


@functools.cache
def command(name: str) -> Any:
    """The command of that name, built from the function that it is."""
    found = COMMANDS[name][0]()
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(found)
        found = alone
    made = typer.main.get_command(found)
    made.name = name
    return made


class Group(TyperGroup):
    """A group of commands that lists each with the first paragraph of its help, not with its first words."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; None if there is none."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            found.short_help = " ".join((found.help or "").split("\n\n")[0].split())
        return found


class Commands(TyperGroup):
    """The group of all commands; listing them imports none."""

    _listing = False

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # What typer lists, and suggests the nearest of.
        self.commands: Any = dict.fromkeys(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, or while help is written only what it says of it; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(cmd_name, short_help=COMMANDS[cmd_name][1]) if self._listing else command(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help of the group."""
        self._listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._listing = False
