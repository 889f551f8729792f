"""JSON and JSONL read strictly: what decoders let pass (duplicate keys, lone surrogates, NUL) is refused here."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from kugiri.errors import InputError
from kugiri.formats.reading import decoded, read_bytes
from kugiri.formats.strict import check_strings, too_deep, typed
from kugiri.visible import shortened

_Typed = TypeVar("_Typed")
# Escapes that may write a NUL or half of a surrogate pair; whether they do is seen once the string is parsed.
_DEEPEST = 200
_SUSPICIOUS = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class _RefusedError(ValueError):
    """A value that JSON can write and we do not take."""


def read_json(path: Path, kind: type[_Typed], encoding: str = "utf-8") -> _Typed:
    """A JSON file of somebody else's as a value of `kind`; `encoding` is what the user said with `--encoding`.

    Raises:
        InputError: whatever keeps the file from being read, decoded, parsed or typed.
    """
    text = decoded(read_bytes(path), path, encoding, option=True)
    return typed(
        _parsed(text, str(path), lambda error: f"{path}:{error.lineno}, column {error.colno}"), kind, str(path)
    )


def read_jsonl(path: Path, kind: type[_Typed]) -> list[tuple[int, _Typed]]:
    r"""The records of a JSONL file of ours, each with its line number from 1; blank lines are left out.

    Lines end with `\n` and nothing else: U+2028 and U+0085 are ordinary characters inside a string, and a `\r` before
    the `\n` is white space of JSON.

    Raises:
        InputError: whatever keeps the file from being read, decoded (UTF-8), parsed or typed.
    """
    raw = read_bytes(path)
    decoded(raw, path)
    decode, encode = msgspec.json.Decoder(kind).decode, msgspec.json.Encoder().encode
    records: list[tuple[int, _Typed]] = []
    for number, line in enumerate(raw.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1):
        try:
            record = decode(line)
            # A line that comes out again as it went in has no key twice and no escape but the necessary ones.
            if encode(record) == line and b"\\u0000" not in line:
                records.append((number, record))
                continue
        except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
            pass
        if line.strip(b" \t\r"):
            records.append((number, _carefully(line.decode(), kind, f"{path}:{number}")))
    return records


def _carefully(line: str, kind: type[_Typed], where: str) -> _Typed:
    """One line through the parser that sees every key and every place: slower, and able to say what is wrong."""
    return typed(_parsed(line, where, lambda error: f"{where}, column {error.colno}"), kind, where)


def _parsed(text: str, where: str, place: Callable[[json.JSONDecodeError], str]) -> Any:
    try:
        data = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        remedy = "correct the JSON there"
        if error.msg.startswith("Extra data"):
            remedy = "write one JSON value, in JSONL one a line"
        raise InputError(f"not JSON: {error.msg}", place(error), remedy) from None
    except _RefusedError as error:
        raise InputError(str(error), where, "correct the value") from None
    except RecursionError:
        raise too_deep(where) from None
    # How deep the parser itself goes differs between versions of Python.
    if text.count("[") + text.count("{") > _DEEPEST and _depth(data) > _DEEPEST:
        raise too_deep(where)
    if _SUSPICIOUS.search(text):
        check_strings(data, where)
    return data


def _depth(data: Any) -> int:
    """How many lists and objects lie inside each other, counted no further than one beyond the deepest allowed."""
    depth, level = 0, [data] if isinstance(data, dict | list) else []
    while level and depth <= _DEEPEST:
        level = [
            inner
            for value in level
            for inner in (value.values() if isinstance(value, dict) else value)
            if isinstance(inner, dict | list)
        ]
        depth += 1
    return depth


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        message = f"the key {shortened(twice)!r} stands twice in one object"
        raise _RefusedError(message)
    return found


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        # Python converts 4,300 digits at most.
        message = f"the number {shortened(digits)} is too large"
        raise _RefusedError(message) from None


def _decimal(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        message = f"the number {shortened(digits)} is too large"
        raise _RefusedError(message)
    return number


def _constant(name: str) -> NoReturn:
    message = f"{name} is not JSON"
    raise _RefusedError(message)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
)
