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
    against: Annotated[
        Path | None, typer.Option("--against", metavar="OLD", help="Say what changed since these results.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Write report.html, report.md and the figures of a results folder again, from its tables alone."""
    from kugiri.cli.against import as_json as changes_json
    from kugiri.cli.against import read_changes, show_changes
    from kugiri.cli.console import note, output, print_json
    from kugiri.publish import report_again

    # Before anything is written: results that cannot be compared leave the report as it is.
    changes = None if against is None else read_changes(results, against)
    for warning in report_again(results, None if lang is None else lang.value):
        note(f"warning: {warning}")
    if as_json:
        told = {} if changes is None else {"against": changes_json(changes)}
        print_json({"results": str(results), "report": str(results / "report.html"), **told})
    else:
        if changes is not None:
            show_changes(output(), changes)
        output().print(f"report: {results / 'report.html'}", soft_wrap=True)
