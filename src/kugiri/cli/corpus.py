"""`kugiri corpus import | check | show`."""

from __future__ import annotations

import typer

app = typer.Typer(help="Import, check and look at corpora.", no_args_is_help=True)
