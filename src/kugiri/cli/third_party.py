"""Whose fault it is when a chunker of another package fails: its own, and the three lines name it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kugiri.errors import InputError, InvariantError, KugiriError
from kugiri.labels import label_of


@contextmanager
def blaming(chunker: Any) -> Iterator[None]:
    """What fails inside is said to be the fault of the other package that the chunker is of; ours stays ours.

    Raises:
        InputError: what such a chunker raised or returned, with the class as it is registered.
    """
    theirs = _third_party(chunker)
    if theirs is None:
        yield
        return
    try:
        yield
    except InvariantError as error:
        raise InputError(error.what, f"{theirs}, {error.where}", error.remedy) from error
    except KugiriError:
        raise
    except Exception as error:
        raise InputError(
            f"the chunker fails: {type(error).__name__}: {error}",
            f"{theirs}, {label_of(chunker)}",
            "correct the chunker, or tell those who wrote it; --debug shows where it failed",
        ) from error


def _third_party(component: Any) -> str | None:
    """The class of another package that a component is of, or has inside; None where all are ours."""
    kind = type(component)
    if kind.__module__.partition(".")[0] != "kugiri" and hasattr(component, "version"):
        return f"{kind.__module__}:{kind.__qualname__}"
    fields = dataclasses.fields(component) if dataclasses.is_dataclass(component) else ()
    inside = (_third_party(getattr(component, field.name)) for field in fields)
    return next(filter(None, inside), None)
