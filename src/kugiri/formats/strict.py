"""Typed data read strictly: an unknown key or a wrong type is an error that names its key path."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kugiri.errors import InputError
from kugiri.formats.reading import decoded, read_bytes
from kugiri.model.corpus import unusable_character
from kugiri.visible import shortened

_Typed = TypeVar("_Typed")
_AT = re.compile(r" - at `(?:key in )?\$(?P<path>[^`]*)`\Z")


_MANY = 5_000
"""Among more names than this none is looked for: the search is slow, and what it finds is chance."""


def nearest(key: str, known: Iterable[str]) -> str | None:
    """The known key that is most like `key`, None where none is like it."""
    by_lower_case = {name.lower(): name for name in known}
    if len(by_lower_case) > _MANY:
        return None
    found = difflib.get_close_matches(key.lower(), by_lower_case, n=1, cutoff=0.5)
    return by_lower_case[found[0]] if found else None


def unknown_key(key: str, known: Iterable[str], where: str) -> InputError:
    """The error of a key that is not one of `known`; `where` is the place of the key, its path included."""
    known = list(known)
    near = nearest(key, known)
    remedy = f"write {near!r} if that is meant" if near else "remove it"
    listed = f"known here: {', '.join(known)}" if known else "none is known here"
    return InputError(f"unknown key {shortened(key)!r}", where, f"{remedy}; {listed}")


def check_keys(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """Refuses a key of `given` that is not one of `known`.

    Raises:
        InputError: naming the key, its path below `where`, and the nearest known key.
    """
    known = list(known)
    for key in given:
        if key not in known:
            raise unknown_key(key, known, f"{where}.{key}")


def read_toml(path: Path, kind: type[_Typed]) -> _Typed:
    """The TOML file as a value of `kind` (a msgspec Struct).

    Raises:
        InputError: whatever keeps the file from being read, decoded (UTF-8), parsed or typed; duplicate keys, unknown
            keys of Structs that forbid them, and NUL characters are refused.
    """
    text = decoded(read_bytes(path), path)
    try:
        data = tomllib.loads(text)
        check_strings(data, str(path))
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = re.search(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)\Z", message)
        line = found["line"] if found else None
        raise InputError(
            f"not TOML: {message[: found.start()] if found else message}",
            f"{path}:{line}, column {found['column']}" if found and line else f"{path}, at its end",
            "correct the file; every key stands once",
        ) from None
    except RecursionError:
        raise too_deep(str(path)) from None
    except ValueError as error:
        # An integer of more digits than Python converts, a date that does not exist.
        raise InputError(f"not TOML: {error}", str(path), "correct the value") from None
    return typed(data, kind, str(path))


def typed(data: Any, kind: type[_Typed], where: str) -> _Typed:
    """Parsed data as a value of `kind`.

    Raises:
        InputError: an unknown key, a missing key, a wrong type; its place is `where` and the key path.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message = str(error)
    except RecursionError:
        raise too_deep(where) from None
    if "unknown field" in message:
        for path, key, known in _unknown(data, msgspec.inspect.type_info(kind), ""):
            raise unknown_key(key, known, f"{where}: {path}{key}")
    found = _AT.search(message)
    path = found["path"].removeprefix(".") if found else ""
    what = message[: found.start()] if found else message
    remedy = "add the key" if "missing" in what else "write the value in the type that is expected"
    raise InputError(what[:1].lower() + what[1:], f"{where}: {path}" if path else where, remedy)


def _unknown(data: Any, kind: msgspec.inspect.Type, path: str) -> Iterator[tuple[str, str, list[str]]]:
    """The unknown keys of the data: the path in front of each, the key, the keys that are known there."""
    if isinstance(kind, msgspec.inspect.UnionType):
        for choice in kind.types:
            yield from _unknown(data, choice, path)
    elif isinstance(kind, msgspec.inspect.StructType) and isinstance(data, dict):
        fields = {field.encode_name: field.type for field in kind.fields}
        for key, value in data.items():
            if key in fields:
                yield from _unknown(value, fields[key], f"{path}{key}.")
            elif kind.forbid_unknown_fields:
                yield path, key, list(fields)
    elif isinstance(kind, msgspec.inspect.ListType | msgspec.inspect.VarTupleType) and isinstance(data, list):
        for index, value in enumerate(data):
            yield from _unknown(value, kind.item_type, f"{path.removesuffix('.')}[{index}].")
    elif isinstance(kind, msgspec.inspect.DictType) and isinstance(data, dict):
        for key, value in data.items():
            yield from _unknown(value, kind.value_type, f"{path}{key}.")


def check_strings(data: Any, where: str) -> None:
    """Refuses a NUL character or a lone surrogate in any string of the data, keys included.

    Raises:
        InputError: naming the key path and the offset inside the string.
    """
    waiting: list[tuple[str, Any]] = [("", data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            place = unusable_character(value)
            if place is not None:
                what = "a NUL character" if value[place] == "\0" else "a lone surrogate"
                raise InputError(
                    f"a string has {what} at offset {place}",
                    f"{where}: {path}" if path else where,
                    "remove it, or convert the file again from its source; kugiri never changes a text",
                )
        elif isinstance(value, dict):
            for key, inner in reversed(value.items()):
                below = f"{path}.{key}" if path else key
                waiting += [(below, inner), (below, key)]
        elif isinstance(value, list):
            waiting += [(f"{path}[{index}]", inner) for index, inner in reversed(list(enumerate(value)))]


def too_deep(where: str) -> InputError:
    """The error of data nested deeper than can be followed."""
    return InputError("the data is nested too deeply", where, "flatten it; a few levels are enough for every file here")
