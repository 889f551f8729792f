"""One writer at a time: a lock of the operating system on one folder, which ends with the process that holds it."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from kugiri.errors import InputError


@contextmanager
def locked(target: Path, patience: float = 0) -> Iterator[None]:
    """Holds the lock on this folder, which need not exist.

    Args:
        target: the folder, its path resolved.
        patience: seconds to wait for another writer.

    Raises:
        InputError: somebody else holds the lock, or lock files cannot be kept.
        OSError: the lock file cannot be opened.
    """
    lock = FileLock(_lock_file(target))
    try:
        lock.acquire(timeout=patience, poll_interval=0.01)
    except Timeout:
        raise InputError(
            "another kugiri is writing to this results folder",
            str(target),
            "wait until it has ended, or give another --out",
        ) from None
    try:
        yield
    finally:
        lock.release()


def _lock_file(target: Path) -> Path:
    # Not beside the results, where it would be left lying: a lock file that is deleted when it is released can be held
    # by two. Two users, or two settings of TMPDIR, do not see each other's locks; they still swap by renames.
    name = hashlib.sha256(os.fsencode(os.path.normcase(target))).hexdigest()
    return _lock_folder() / f"{name[:32]}.lock"


def _lock_folder() -> Path:
    # Windows has no user ids, and a temporary folder for each user.
    user = os.geteuid() if hasattr(os, "geteuid") else None
    folder = Path(tempfile.gettempdir()) / ("kugiri-locks" if user is None else f"kugiri-locks-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or user not in (None, found.st_uid):
        raise InputError(
            "the folder for lock files belongs to somebody else",
            str(folder),
            "remove it, or set TMPDIR to a folder of your own",
        )
    return folder
