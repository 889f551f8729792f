"""How the parameters of retrievers are checked."""

from __future__ import annotations

from collections.abc import Iterable

from kugiri.errors import InputError
from kugiri.formats.strict import nearest


def demand_whole(key: str, value: object, least: int) -> None:
    """Refuses a parameter that is not a whole number of `least` or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{key} = {value!r} is no whole number of {least} or more", key, f"give {least} or more")


def demand_one_of(key: str, value: object, known: Iterable[str]) -> None:
    """Refuses a parameter that is none of the known values, naming the nearest."""
    names = tuple(known)
    if value not in names:
        near = nearest(value, names) if isinstance(value, str) else None
        raise InputError(
            f"{key} = {value!r} is unknown",
            key,
            f"did you mean {near!r}?" if near else f"use one of: {', '.join(names)}",
        )
