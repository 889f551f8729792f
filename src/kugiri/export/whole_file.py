"""One file, put in its place whole: an older one is replaced or stays as it was."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kugiri.errors import InputError


@contextmanager
def whole_file(to: Path, what: str, option: str) -> Iterator[Path]:
    """A path beside `to` to write to; the file there takes the place of `to` when the block ends well.

    Args:
        to: the file; a link is followed, folders above it are made.
        what: what is written, for messages ("the chunks").
        option: the option that named the file ("--to").

    Raises:
        InputError: it cannot be written, and an older file is as it was.
    """
    target = to.resolve()
    built = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield built
        built.replace(target)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"{what} cannot be written: {reason}", str(to), f"give another {option}") from error
    finally:
        with suppress(OSError):
            built.unlink()


def demand_file(to: Path, what: str, option: str) -> None:
    """Refuses, before anything is computed, what is there and no file.

    Raises:
        InputError: a folder, a device or anything else that is no regular file.
    """
    if to.exists() and not to.is_file():
        kind = "a folder" if to.is_dir() else "no regular file"
        raise InputError(f"this is {kind}, and {what} written to a file", str(to), f"give another {option}")
