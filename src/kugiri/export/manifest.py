"""`manifest.json`: the mark of a results folder, what made it and where, and the SHA-256 of every other file."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import msgspec

from kugiri.errors import InputError
from kugiri.export.parquet import write_json

MANIFEST = "manifest.json"
FORMAT = 1
"""Raised when a reader of the number before could misread a results folder."""

# What file managers leave in every folder that somebody looks into: nobody's work, so never in the way.
DROPPINGS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})

_LIBRARIES = ("kugiri", "numpy", "pandas", "pyarrow", "altair", "vl-convert-python", "regex", "msgspec")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Mark(msgspec.Struct, frozen=True):
    """What makes a folder ours: the number of its format, and the version of kugiri that wrote it."""

    format: int
    version: str | None = None


class Host(msgspec.Struct, frozen=True):
    """The machine, never its name: a manifest is published."""

    os: str
    architecture: str
    cpu_count: int | None


class Making(msgspec.Struct, frozen=True):
    """One piece of work: when and where, with which versions.

    Attributes:
        created: when it ended, UTC, ISO 8601.
        duration_seconds: how long it took, wall clock.
        versions: of Python and of the libraries; null where one is not installed.
        fonts: the fonts that the figures were drawn with.
        warnings: about the machine (no Japanese font, …), one sentence each.
    """

    created: str
    duration_seconds: float
    host: Host
    versions: dict[str, str | None]
    fonts: list[str]
    warnings: list[str]


class Manifest(msgspec.Struct, frozen=True):
    """A whole `manifest.json`.

    Attributes:
        kind: what the results are of: `sweep`, ….
        made: how the tables were made; `measured.parquet` is about this machine.
        redrawn: how the report was last drawn again from the tables; null where it never was.
        files: relative POSIX path → SHA-256 of every other file, sorted.
    """

    kugiri: Mark
    kind: str
    made: Making
    redrawn: Making | None
    files: dict[str, str]


class _Marked(msgspec.Struct, frozen=True):
    """The part of a manifest that every format has."""

    kugiri: Mark
    files: dict[str, str] = {}


def write_manifest(folder: Path, kind: str, seconds: float, fonts: Sequence[str], warnings: Sequence[str]) -> None:
    """Writes the manifest of a folder that is otherwise finished: call it last."""
    _write(folder, kind, _making(seconds, fonts, warnings), None)


def rewrite_manifest(
    folder: Path, before: Manifest, seconds: float, fonts: Sequence[str], warnings: Sequence[str]
) -> None:
    """Writes the manifest of a folder whose report was drawn again from the tables that `before` describes."""
    _write(folder, before.kind, before.made, _making(seconds, fonts, warnings))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a results folder.

    Raises:
        InputError: there is no such folder; it has no manifest; the manifest cannot be read, is of a format that this
            version does not know, or lists what is no file below the folder.
    """
    path = folder / MANIFEST
    try:
        if not folder.is_dir():
            what = "is a file, not a results folder" if folder.exists() else "does not exist"
            raise InputError(f"the results folder {what}", str(folder), "correct the path, or run the sweep")
        data = path.read_bytes()
        mark = msgspec.json.decode(data, type=_Marked).kugiri
        if mark.format != FORMAT:
            raise InputError(
                f"the results are of format {mark.format}, and this version of kugiri reads format {FORMAT}",
                str(path),
                "run the sweep again, or use the version of kugiri that wrote them",
            )
        manifest = msgspec.json.decode(data, type=Manifest)
    except FileNotFoundError:
        raise InputError(
            f"the folder is no results folder of kugiri's: it has no {MANIFEST}",
            str(folder),
            "correct the path, or run the sweep again",
        ) from None
    except OSError as error:
        raise InputError(f"the manifest cannot be read: {error.strerror}", str(path), "make it readable") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"the manifest is damaged: {error}", str(path), "run the sweep again") from None
    for name, digest in manifest.files.items():
        if not _is_below(name) or not _DIGEST.fullmatch(digest):
            raise InputError(
                f"the manifest is damaged: {name!r} with {digest!r} is no file below the folder with its SHA-256",
                str(path),
                "run the sweep again",
            )
    return manifest


def listed_files(folder: Path) -> frozenset[str] | None:
    """The files that a results folder of any format says are its own, itself included; None if it is none of ours."""
    try:
        marked = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=_Marked)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return frozenset({*marked.files, MANIFEST})


def files_below(folder: Path) -> list[str]:
    """Every file below the folder, symbolic links included and never followed: relative POSIX paths, sorted."""
    found: list[str] = []
    for root, folders, files in os.walk(folder):
        below = Path(root).relative_to(folder)
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        found += [(below / name).as_posix() for name in (*files, *links) if name not in DROPPINGS]
    return sorted(found)


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(folder: Path, kind: str, made: Making, redrawn: Making | None) -> None:
    files = {name: sha256(folder / name) for name in files_below(folder) if name != MANIFEST}
    manifest = Manifest(Mark(FORMAT, _version("kugiri")), kind, made, redrawn, files)
    write_json(folder / MANIFEST, msgspec.to_builtins(manifest))


def _making(seconds: float, fonts: Sequence[str], warnings: Sequence[str]) -> Making:
    return Making(
        datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        round(seconds, 3),
        Host(platform.system(), platform.machine(), os.cpu_count()),
        {"python": platform.python_version(), **{library: _version(library) for library in _LIBRARIES}},
        list(fonts),
        list(warnings),
    )


def _version(library: str) -> str | None:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


def _is_below(name: str) -> bool:
    # A manifest is input: a name that climbs out of the folder, or that Windows reads as a drive, is never opened.
    parts = PurePosixPath(name).parts
    return bool(parts) and name == "/".join(parts) and ".." not in parts and not re.search(r"[\\:\0]", name)
