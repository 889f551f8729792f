"""A results folder as its readers see it: verified tables, whoever wrote them and wherever they were copied to."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from kugiri.errors import InputError
from kugiri.export.folder import recover, replacing
from kugiri.export.manifest import Manifest, files_below, read_manifest, sha256

_TABLES = "tables"
_FACTS = {"surface": f"{_TABLES}/surface.json"}
_SWEEP = f"{_TABLES}/sweep.json"


@dataclasses.dataclass(frozen=True, slots=True)
class Results:
    """The tables of one results folder; get one from `read_results`.

    Attributes:
        manifest: what made them, and the SHA-256 of every file.
        sweep: `tables/sweep.json`; of a loss surface `tables/surface.json`.
    """

    folder: Path
    manifest: Manifest
    sweep: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tables that this folder has."""
        paths = map(PurePosixPath, self.manifest.files)
        return tuple(path.stem for path in paths if str(path.parent) == _TABLES and path.suffix == ".parquet")

    def table(self, name: str) -> pa.Table:
        """One table, read and verified now.

        Raises:
            InputError: the folder has no such table, or it changed since `read_results`.
        """
        if name not in self.names:
            raise InputError(
                f"the results have no table {name!r}, only {', '.join(self.names) or 'none at all'}",
                str(self.folder),
                "run the sweep again with what fills it",
            )
        data = _verified(self.folder, self.manifest, f"{_TABLES}/{name}.parquet")
        return pq.ParquetFile(pa.BufferReader(data)).read()

    def copy_tables(self, to: Path) -> None:
        """Copies `tables/` into another folder, byte by byte.

        Raises:
            InputError: a table changed since `read_results`.
        """
        for name in _tables(self.manifest):
            data = _verified(self.folder, self.manifest, name)
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            (to / name).write_bytes(data)


def read_results(folder: Path) -> Results:
    """The results in this folder, put back first where a kill left them as `NAME.previous`.

    Report files may be missing or changed, since they are made from the tables.

    Raises:
        InputError: whatever `read_manifest` refuses; a file under `tables/` that is missing, that differs from its
            SHA-256 or that the manifest does not list; the facts are not among them.
    """
    recover(folder)
    manifest = read_manifest(folder)
    listed = _tables(manifest)
    for name in listed:
        _check(folder, name, manifest.files[name])
    unlisted = sorted({name for name in files_below(folder) if _is_table(name)}.difference(listed))
    if unlisted:
        raise InputError(
            f"the results have a file that the sweep did not write: {unlisted[0]}",
            str(folder / unlisted[0]),
            "move it out of the results folder, or run the sweep again",
        )
    facts = _FACTS.get(manifest.kind, _SWEEP)
    if facts not in listed:
        raise _damaged("is not in the manifest", folder, facts)
    return Results(folder, manifest, json.loads(_verified(folder, manifest, facts)))


@contextmanager
def redrawing(folder: Path) -> Iterator[tuple[Results, Path]]:
    """The results in a folder and a new one that replaces it, which already has their tables.

    The caller draws the report into the new folder and ends with `rewrite_manifest`.

    Raises:
        InputError: whatever `read_results` and `replacing` refuse.
    """
    # Both before the lock as well: a path that leads nowhere is told in a reader's words, and makes no folder.
    recover(folder)
    read_manifest(folder)
    # Read with the lock held: a sweep that ended in between would be overwritten by the tables before it.
    with replacing(folder) as new:
        results = read_results(folder)
        results.copy_tables(new)
        yield results, new


def _is_table(name: str) -> bool:
    return name.startswith(f"{_TABLES}/")


def _tables(manifest: Manifest) -> list[str]:
    return [name for name in manifest.files if _is_table(name)]


def _check(folder: Path, name: str, digest: str) -> None:
    try:
        same = sha256(folder / name) == digest
    except FileNotFoundError:
        raise _damaged("is missing", folder, name) from None
    except OSError as error:
        raise _damaged(f"cannot be read: {error.strerror}", folder, name) from error
    if not same:
        raise _damaged("is not the file that the sweep wrote (its SHA-256 differs)", folder, name)


def _verified(folder: Path, manifest: Manifest, name: str) -> bytes:
    # The bytes that are used are the bytes that were verified: the folder may be replaced while it is read.
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        raise _damaged("cannot be read any more", folder, name) from error
    if hashlib.sha256(data).hexdigest() != manifest.files[name]:
        raise _damaged("changed while it was read", folder, name)
    return data


def _damaged(how: str, folder: Path, name: str) -> InputError:
    return InputError(f"the results are damaged: {name} {how}", str(folder / name), "run the sweep again")
