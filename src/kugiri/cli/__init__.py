"""The command line: one file per noun, each cheap to import, the work imported where a command runs."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from kugiri.cli.commands import Commands

app = typer.Typer(
    name="kugiri",
    cls=Commands,
    help="区切り: which questions does each way of cutting your documents lose, and why? Counted before any retrieval.",
    no_args_is_help=True,
    add_completion=False,
    # Plain help: drawing it with rich took half the time of `kugiri --help`.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)


def _version(asked: bool) -> None:
    if asked:
        from kugiri import __version__

        typer.echo(f"kugiri {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """区切り: which questions does each way of cutting your documents lose, and why? Counted before any retrieval."""
    context.find_root().meta["kugiri.debug"] = debug


def _told_to_stop(*_: object) -> NoReturn:
    """SIGTERM is an exit like any other, so that no unfinished file and no worker is left behind."""
    raise SystemExit(128 + signal.SIGTERM)


def main() -> None:
    """The command `kugiri`: exit status 0 done, 1 our fault, 2 your input, 3 some configurations failed.

    4 is a `check` that did not hold (DESIGN §6).
    """
    from kugiri.cli.outcome import reported

    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Closed by who called (`>&-`): nobody reads, and that is no fault.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  for as long as we run
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot show a character (cp932 on Windows) must not end a command half-way.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # Once the work is done there is nothing to interrupt, and Python, as it ends, would let the signal kill it.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _told_to_stop)
    with reported("--debug" in sys.argv[1:], "--json" in sys.argv[1:]):
        app()
