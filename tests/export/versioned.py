"""Results folders whose every file says which version it belongs to; run as a script, a process that publishes them.

The script waits for `VERSION` lines, and for each forks a child that publishes VERSION, VERSION + 1, … until somebody
kills it. Forks, because a new interpreter for every kill would take most of the time.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from pathlib import Path

import pytest

from kugiri.errors import InputError
from kugiri.export.folder import replacing
from kugiri.export.manifest import MANIFEST, files_below, read_manifest, sha256, write_manifest

FILES = ("tables/sweep.json", "report.md")


def fill(new: Path, version: int) -> None:
    for name in FILES:
        (new / name).parent.mkdir(exist_ok=True)
        (new / name).write_bytes(json.dumps({"version": version}).encode())
    write_manifest(new, "sweep", version, [], [])


def publish(out: Path, version: int) -> None:
    with replacing(out) as new:
        fill(new, version)


def version_of(folder: Path) -> int | None:
    """The one version that every file of the folder says; None where there is no folder, or an empty one."""
    if not folder.exists() or not any(folder.iterdir()):
        return None
    manifest = read_manifest(folder)
    assert files_below(folder) == sorted([*FILES, MANIFEST])
    assert manifest.files == {name: sha256(folder / name) for name in sorted(FILES)}
    versions = {json.loads((folder / name).read_bytes())["version"] for name in FILES}
    assert versions == {int(manifest.made.duration_seconds)}
    return versions.pop()


def fill_folder(folder: Path, version: int) -> None:
    folder.mkdir()
    fill(folder, version)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def tree(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def refused(out: Path, *words: str) -> InputError:
    """Nothing is touched, the block never runs, and the error says these words."""
    with pytest.raises(InputError) as caught, replacing(out):
        pytest.fail("the block ran")
    for word in words:
        assert word in str(caught.value)
    assert caught.value.where
    assert caught.value.remedy
    return caught.value


def _publish_for_ever(out: Path, version: int) -> None:
    while True:
        with replacing(out) as new:
            fill(new, version)
            os.write(1, f"built {version}\n".encode())
        os.write(1, f"done {version}\n".encode())
        version += 1


if __name__ == "__main__":
    importlib.metadata.version = lambda library: "1"  # looked up, they take most of a publication
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os.write(1, f"pid {os.getpid()}\n".encode())
            _publish_for_ever(Path(sys.argv[1]), int(line))
        os.waitpid(child, 0)
        os.write(1, b"reaped\n")
