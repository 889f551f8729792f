"""`kugiri report`: the report again, from the tables alone."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Language(StrEnum):
    """The languages of the report."""

    JA = "ja"
    EN = "en"


def report(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder.", show_default=False)],
    lang: Annotated[
        Language | None,
        typer.Option("--lang", help="Language of report.md and first one of the page; default: the corpus's."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Write report.html, report.md and the figures of a results folder again, from its tables alone."""
    from kugiri.cli.console import note, output, print_json
    from kugiri.publish import report_again

    for warning in report_again(results, None if lang is None else lang.value):
        note(f"warning: {warning}")
    if as_json:
        print_json({"results": str(results), "report": str(results / "report.html")})
    else:
        output().print(f"report: {results / 'report.html'}", soft_wrap=True)
