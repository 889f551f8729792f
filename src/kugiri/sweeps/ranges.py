"""Ranges as people write them: `50:2000:10`, both ends included, in exact decimals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from kugiri.errors import InputError

MOST = 100_000
"""The most values of one axis."""
_SHARE_STEP = Decimal("0.01")
_DECIMAL = re.compile(r"(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,15}(?P<fraction>\.[0-9]{1,15})?", re.ASCII)

Written: TypeAlias = "str | int | float | Sequence[str | int | float]"
"""One axis as a command line (text) or a sweep file (text, number, or an array of either) gives it."""


def share(text: str, where: str) -> Fraction:
    """A share of the questions as it was written: 0.01 is a hundredth, which binary floating point cannot say.

    Raises:
        InputError: it is no decimal number from 0 to 1.
    """
    value = Fraction(text.strip()) if _DECIMAL.fullmatch(text.strip()) else None
    if value is None or value > 1:
        remedy = "give a decimal number from 0 to 1, as in 0.01 for 1 %"
        raise InputError(f"{text!r} is no share of questions", where, remedy)
    return value


def whole_numbers(written: Written, where: str) -> tuple[int, ...]:
    """The whole numbers of an axis, rising, each once.

    Raises:
        InputError: as `_values`; one of them is no whole number.
    """
    found = sorted(set(_values(written, where)))
    for value in found:
        if isinstance(value, float):
            raise InputError(f"{value} is not a whole number", where, "give whole numbers, as in 50:2000:10")
    return tuple(map(int, found))


def overlaps(written: Written, where: str) -> tuple[int | float, ...]:
    """The overlaps of an axis, rising, each once: shares of the size (all floats) or units (all integers); 0 is either.

    Raises:
        InputError: as `_values`; shares and units in one axis; a share of 1 or more.
    """
    found = sorted(set(_values(written, where)))
    shares = any(isinstance(value, float) for value in found)
    if shares and any(isinstance(value, int) and value for value in found):
        raise InputError(
            "some overlaps are shares of the size and others units",
            where,
            "give shares with a decimal point (0:0.5:0.01) or units without one (0:100:10)",
        )
    if shares and found[-1] >= 1:
        raise InputError(f"an overlap of {found[-1]} is the whole window", where, "give shares below 1.0, or units")
    return tuple(float(value) if shares else int(value) for value in found)


def _values(written: Written, where: str) -> Iterator[int | float]:
    """Every value of an axis: of a number itself, of text its ranges, separated by commas, of an array all of these.

    `low:high:step` has both ends; where the steps do not meet the higher one, the last is shorter. A step left out is
    1, or 0.01 between shares. Text with a decimal point anywhere in its range is shares.

    Raises:
        InputError: there is no value, or too many; a value is negative, not written as a number, or out of order.
    """
    parts = [written] if isinstance(written, str | int | float) else list(written)
    pieces = [piece for part in parts for piece in (part.split(",") if isinstance(part, str) else [part])]
    if not pieces:
        raise InputError("there is no value", where, "give at least one, or a range as in 50:2000:10")
    count = 0
    for piece in pieces:
        for value in _range(piece.strip(), where) if isinstance(piece, str) else [_number(piece, where)]:
            count += 1
            if count > MOST:
                raise InputError(f"more than {MOST:,} values", where, "take larger steps")
            yield value


def _range(piece: str, where: str) -> Iterator[int | float]:
    matches = [_NUMBER.fullmatch(text) for text in piece.split(":")]
    numbers = [Decimal(match[0]) for match in matches if match is not None]
    if len(numbers) < len(matches) or len(numbers) > 3:
        raise InputError(
            f"{piece!r} is no range", where, "write low:high:step or one number, as in 50:2000:10 or 0:0.5:0.01"
        )
    decimal = any(match is not None and match["fraction"] for match in matches)
    low, high = numbers[0], numbers[min(1, len(numbers) - 1)]
    step = numbers[2] if len(numbers) == 3 else _SHARE_STEP if decimal else Decimal(1)
    if low > high or not step:
        what = f"the range {piece} " + ("ends before it begins" if low > high else "makes no steps")
        raise InputError(what, where, "write low:high:step with low ≤ high and a step above 0")
    value = low
    while value < high:
        yield float(value) if decimal else int(value)
        value += step
    yield float(high) if decimal else int(high)


def _number(value: int | float, where: str) -> int | float:
    if isinstance(value, bool) or not 0 <= value < 10**15:
        raise InputError(f"{value!r} is no size and no overlap", where, "give numbers that are 0 or more")
    return value
