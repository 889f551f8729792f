"""Paths inside components of a sweep file: relative to the file, like every other path in it."""

from __future__ import annotations

import dataclasses
import os.path
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kugiri.errors import InputError
from kugiri.labels import Label, parse

_PATHS = ("file", "path")
_SOMETIMES = "tokenizer"
"""A name, or a file `tokenizer.json`."""
_NESTED = ("model", "parent", "child", "of")


def relocated(entry: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The entry of a component with its paths, and those of the labels nested in it, as seen from here.

    Args:
        entry: keys and values of the component, `grid` among them.
        folder: that of the sweep file.
    """
    return {
        key: relocated(value, folder) if key == "grid" and isinstance(value, dict) else _value(key, value, folder)
        for key, value in entry.items()
    }


def _value(key: str, value: Any, folder: Path) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_value(key, part, folder) for part in value)
    if isinstance(value, Label):
        arguments = tuple((name, _value(name, inner, folder)) for name, inner in value.arguments)
        return dataclasses.replace(value, arguments=arguments)
    if not isinstance(value, str):
        return value
    if key in _NESTED:
        try:
            return str(_value(key, parse(value), folder))
        except InputError:
            # What is no label is refused where the component is made, with its place in the file.
            return value
    if key in _PATHS or (key == _SOMETIMES and value.endswith(".json")):
        return Path(os.path.normpath(folder / value)).as_posix()
    return value
