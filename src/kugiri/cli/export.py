"""`kugiri export`: the tables of a results folder in formats of other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """What a results folder can be exported as."""

    TREC = "trec"
    CSV = "csv"


def export(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder.", show_default=False)],
    to_format: Annotated[
        Format, typer.Option("--format", help="trec: qrels and runs; csv: every table.", show_default=False)
    ],
    to: Annotated[Path, typer.Option("--to", metavar="PATH", help="A new folder.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Write the results as TREC qrels and runs, or every table as CSV for spreadsheets."""
    from kugiri.cli.console import output, print_json
    from kugiri.export.results import read_results

    found = read_results(results)
    if to_format is Format.TREC:
        from kugiri.export.trec import write_trec

        files = write_trec(found, to)
    else:
        from kugiri.export.csv_files import write_csv

        files = write_csv(found, to)
    if as_json:
        print_json({"results": str(results), "to": str(to), "files": list(files)})
        return
    output().print(f"{len(files)} files: {to}", soft_wrap=True)
