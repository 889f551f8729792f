"""A content-addressed store: arrays under a key that names everything they were computed from."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kugiri.errors import InputError

JSON: TypeAlias = "str | int | float | bool | list[JSON] | tuple[JSON, ...] | dict[str, JSON] | None"
Arrays: TypeAlias = dict[str, NDArray[Any]]

FORMAT = 1
"""Of keys and files. Whoever changes either counts it up: nothing older is found then, or is used."""

_MAGIC = f"kugiri-store {FORMAT}\n".encode("ascii")
_DIGEST = 64
_ENDING = ".object"
_KEY = re.compile(r"[0-9a-f]{64}")
_PARTIAL = re.compile(r".+\.partial-[0-9a-f]{8}")
# Nobody takes an hour to write a file: a killed process left it.
_STALE_SECONDS = 3600


def object_key(parts: Mapping[str, JSON]) -> str:
    """The key of what is computed from these parts: SHA-256 of their canonical JSON, in hexadecimal.

    Raises:
        TypeError: a part is no JSON value.
        ValueError: a number is NaN or infinite.
    """
    return hashlib.sha256(_canonical({"format": FORMAT, "parts": dict(parts)})).hexdigest()


@dataclass(frozen=True, slots=True)
class Refused:
    """An object that could not be trusted, and why."""

    key: str
    reason: str


class Store:
    """A folder of objects, one file each: whole under its key or not there, whoever is killed while writing.

    A file carries its key and the SHA-256 of its content, and is used only if both hold. Nothing is ever changed in
    place, and equal arrays make equal files, so any number of processes may write the same key at once.

    Attributes:
        root: the folder; made when the first object is put.
        refused: objects that were not what they should be, in the order in which they were met. Each was removed.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.refused: list[Refused] = []
        self._swept = False

    def has(self, key: str) -> bool:
        """Whether `get` would find the object. Nothing is removed or counted."""
        try:
            return _unpacked(key, self._path(key).read_bytes()) is not None
        except (OSError, _DamagedError):
            return False

    def get(self, key: str) -> Arrays | None:
        """The arrays, read-only; None where there are none, or where what is there had to be refused."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                seen = os.fstat(file.fileno())
                return _unpacked(key, file.read())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.refuse(key, f"it cannot be read: {error.strerror or error}")
        except _DamagedError as error:
            self.refuse(key, str(error), seen)
        return None

    def refuse(self, key: str, reason: str, seen: os.stat_result | None = None) -> None:
        """Counts and removes an object that is not what its key promises.

        Args:
            key: of the object.
            reason: why, for a warning.
            seen: which file was read, if known: another that has taken its place since is not removed.
        """
        self.refused.append(Refused(key, reason))
        path = self._path(key)
        # What cannot be removed is refused again next time; `put` says so if it cannot be replaced either.
        with suppress(OSError):
            if seen is None or os.path.samestat(seen, path.stat()):
                path.unlink()

    def put(self, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keeps the arrays under the key, in place of whatever is there.

        Raises:
            InputError: the folder cannot be written.
            TypeError: an array holds anything but booleans and numbers.
        """
        path, content = self._path(key), _packed(key, arrays)
        self.prepare()
        try:
            self._publish(path, content)
        except OSError as error:
            # On Windows a file that somebody reads cannot be replaced; the same object is there already then.
            if not self.has(key):
                raise self._unwritable(error) from error

    def prepare(self) -> None:
        """Makes the folder, if need be: for finding out before a long computation that it cannot be kept.

        Raises:
            InputError: the folder cannot be written.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            # A folder that holds anything is somebody's: no .gitignore of ours may hide it.
            if next(self.root.iterdir(), None) is None:
                self._publish(self.root / ".gitignore", b"*\n")
            if not self._swept:
                self._swept = True
                self._remove_stale()
            if not os.access(self.root, os.W_OK | os.X_OK):
                raise PermissionError(None, "Permission denied")
        except OSError as error:
            raise self._unwritable(error) from error

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            message = f"{key!r} is no key of a store: 64 hexadecimal digits"
            raise ValueError(message)
        return self.root / f"{key}{_ENDING}"

    def _publish(self, path: Path, content: bytes) -> None:
        partial = path.with_name(f"{path.name}.partial-{secrets.token_hex(4)}")
        try:
            # No fsync: a kill does not need it, and after a power failure a torn file is refused by its SHA-256 and
            # computed again, which costs less than waiting for the disk at every object.
            partial.write_bytes(content)
            partial.replace(path)
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)

    def _remove_stale(self) -> None:
        before = time.time() - _STALE_SECONDS
        for path in self.root.iterdir():
            if _PARTIAL.fullmatch(path.name):
                with suppress(OSError):
                    if path.stat().st_mtime < before:
                        path.unlink()

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(
            f"what is computed cannot be kept: {error.strerror or error}",
            str(self.root),
            "make room or permission there, or move what is in the way",
        )


class _DamagedError(Exception):
    """A file is not the object that its name promises."""


def _packed(key: str, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The file: magic line, SHA-256 of the rest, a line of JSON that names key and arrays, the arrays end to end."""
    plain: Arrays = {}
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        if array.dtype.kind not in "biuf":
            message = f"array {name!r} of {array.dtype}: a store keeps booleans and numbers"
            raise TypeError(message)
        plain[name] = array.astype(array.dtype.newbyteorder("<"), copy=False)
    header = {"key": key, "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in plain.items()]}
    body = b"".join([_canonical(header), b"\n", *(array.tobytes() for array in plain.values())])
    return b"".join([_MAGIC, hashlib.sha256(body).hexdigest().encode("ascii"), b"\n", body])


def _unpacked(key: str, content: bytes) -> Arrays:
    start = len(_MAGIC) + _DIGEST + 1
    if not content.startswith(_MAGIC) or content[start - 1 : start] != b"\n":
        raise _DamagedError("it is empty, torn or no object of this store")
    view = memoryview(content)
    if hashlib.sha256(view[start:]).hexdigest().encode("ascii") != content[len(_MAGIC) : start - 1]:
        raise _DamagedError("its content is not what its SHA-256 says")
    header, _, _ = content[start:].partition(b"\n")
    found: Arrays = {}
    offset = start + len(header) + 1
    try:
        described = json.loads(header)
        if described["key"] != key:
            raise _DamagedError("it belongs to another key")
        for name, kind, shape in described["arrays"]:
            flat = np.frombuffer(content, np.dtype(kind), int(np.prod(shape, dtype=np.int64)), offset)
            found[name] = flat.reshape(shape)
            offset += flat.nbytes
    except (ValueError, KeyError, TypeError) as error:
        raise _DamagedError("its arrays are not described as they should be") from error
    return found


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")
