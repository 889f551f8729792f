"""A folder that is not there yet: filled beside its place, then put there whole."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kugiri.errors import InputError
from kugiri.export.manifest import DROPPINGS


@contextmanager
def new_folder(to: Path) -> Iterator[Path]:
    """A folder to fill that becomes `to` when the block ends; if the block raises, nothing is left of it.

    Raises:
        InputError: `to` is a file or a folder with anything in it, or it cannot be written.
    """
    target = to.resolve()
    built = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        _demand_vacant(target, to)
        target.parent.mkdir(parents=True, exist_ok=True)
        built.mkdir()
        yield built
        _demand_vacant(target, to)
        if target.exists():
            shutil.rmtree(target)
        built.rename(target)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"the files cannot be written: {reason}", str(to), "choose another place with --to") from error
    finally:
        shutil.rmtree(built, ignore_errors=True)


def _demand_vacant(target: Path, to: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError("this is a file, and a new folder is needed", str(to), "choose another place with --to")
    if {entry.name for entry in target.iterdir()} - DROPPINGS:
        raise InputError("the folder is not empty", str(to), "choose a new folder with --to, or empty this one")
