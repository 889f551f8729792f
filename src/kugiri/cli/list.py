"""`kugiri list chunkers|retrievers|metrics|embedders|formats`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Kind(StrEnum):
    """What can be listed."""

    CHUNKERS = "chunkers"
    RETRIEVERS = "retrievers"
    METRICS = "metrics"
    EMBEDDERS = "embedders"
    FORMATS = "formats"


def list_components(
    kind: Annotated[Kind, typer.Argument(help="What to list.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """List what a sweep can use: its name, its parameters and what it is."""
    from rich.table import Table
    from rich.text import Text

    from kugiri.cli.console import output, print_json

    rows = _metrics() if kind is Kind.METRICS else _components(kind.value)
    if as_json:
        print_json({kind.value: rows})
        return
    console = output()
    if not rows:
        console.print(f"this version has no {kind.value}")
        return
    table = Table(kind.value, "meaning", box=None, pad_edge=False)
    for row in rows:
        table.add_row(Text(row["label"]), row["meaning"])
    console.print(table)


def _components(kind: str) -> list[dict[str, str]]:
    import dataclasses
    import inspect

    from kugiri.catalog import known_class, known_names
    from kugiri.errors import InputError
    from kugiri.labels import value_text
    from kugiri.visible import one_line

    rows = []
    for name in known_names(kind):
        try:
            made = known_class(kind, name, "catalogue")
        except InputError as error:
            # One broken package of somebody's does not hide the others.
            rows.append({"label": name, "meaning": f"Cannot be used: {one_line(error.what)}"})
            continue
        parameters = ", ".join(
            field.name if field.default is dataclasses.MISSING else f"{field.name}={value_text(field.default)}"
            for field in dataclasses.fields(made)
            if field.init
        )
        rows.append({"label": f"{name}({parameters})", "meaning": _first_sentence(inspect.getdoc(made) or "")})
    return rows


def _metrics() -> list[dict[str, str]]:
    from kugiri.metrics.grammar import FORMS, written

    return [
        {"label": written(name), "meaning": form.meaning + ("" if form.from_spans else " Needs a ranking.")}
        for name, form in FORMS.items()
    ]


def _first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())
