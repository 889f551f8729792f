"""Two commands at once, and what a killed one leaves."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from versioned import fill, fill_folder, names, publish, refused, version_of

from kugiri.errors import InputError
from kugiri.export import folder as folder_module
from kugiri.export.folder import recover, replacing
from kugiri.export.lock import locked


@pytest.mark.parametrize("alias", [False, True])
def test_two_writers(out: Path, tmp_path: Path, alias: bool) -> None:
    other = out
    if alias:
        other = tmp_path / "alias" / "eight"
        (tmp_path / "alias").symlink_to(out.parent)
    with replacing(out) as new:
        began = time.perf_counter()
        refused(other, "another kugiri", "wait")
        # It does not wait for the other to end.
        assert time.perf_counter() - began < 30
        publish(out.with_name("nine"), 1)
        fill(new, 2)
    publish(other, 3)
    with pytest.raises(RuntimeError), replacing(other):
        raise RuntimeError
    publish(out, 4)
    assert version_of(out) == 4


def test_a_lock_folder_that_somebody_else_made(out: Path, lock_folder: Path) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("Windows has a temporary folder for each user")
    (lock_folder / f"kugiri-locks-{os.geteuid()}").symlink_to(out.parent)
    refused(out, "lock files", "TMPDIR")


def between(out: Path) -> None:
    fill_folder(out.with_name("eight.previous"), 1)
    partial = out.with_name("eight.partial-0123abcd")
    partial.mkdir()
    fill_folder(partial / "new", 2)
    (partial / "swapping").touch()


def building(out: Path) -> None:
    fill_folder(out, 1)
    out.with_name("eight.partial-0123abcd").mkdir()
    (out.with_name("eight.partial-0123abcd") / "new").mkdir()


def replaced(out: Path) -> None:
    between(out)
    (out.with_name("eight.partial-0123abcd") / "new").rename(out)


def discarding(out: Path) -> None:
    replaced(out)
    out.with_name("eight.previous").rename(out.with_name("eight.partial-0123abcd") / "old-0123abcd")
    (out.with_name("eight.partial-0123abcd") / "old-0123abcd" / "manifest.json").unlink()


def previous_alone(out: Path) -> None:
    fill_folder(out.with_name("eight.previous"), 1)


def previous_and_an_empty_folder(out: Path) -> None:
    previous_alone(out)
    out.mkdir()


def nothing(out: Path) -> None:
    assert not out.exists()


def first_building(out: Path) -> None:
    out.with_name("eight.partial-0123abcd").mkdir()


@pytest.mark.parametrize(
    ("state", "version"),
    [
        (nothing, None),
        (first_building, None),
        (building, 1),
        (between, 1),
        (replaced, 2),
        (discarding, 2),
        (previous_alone, 1),
        (previous_and_an_empty_folder, 1),
    ],
)
def test_every_state_that_a_kill_can_leave(out: Path, state: Callable[[Path], None], version: int | None) -> None:
    state(out)
    recover(out)
    recover(out)
    assert version_of(out) == version
    with pytest.raises(RuntimeError), replacing(out):
        assert version_of(out) == version
        raise RuntimeError
    assert (version_of(out), names(out.parent)) == (version, [] if version is None else ["eight"])
    publish(out, 3)
    assert (version_of(out), names(out.parent)) == (3, ["eight"])


def test_an_empty_folder_comes_back_between_the_renames(out: Path) -> None:
    partial = out.with_name("eight.partial-0123abcd")
    partial.mkdir()
    (partial / "swapping").touch()
    out.with_name("eight.previous").mkdir()
    recover(out)
    assert names(out.parent) == ["eight", partial.name]
    publish(out, 1)
    assert (version_of(out), names(out.parent)) == (1, ["eight"])


def test_what_a_person_renamed_is_not_put_back_unless_it_is_ours(out: Path) -> None:
    other = out.with_name("eight.previous")
    other.mkdir()
    (other / "notes.txt").write_bytes(b"mine")
    recover(out)
    refused(out, str(other))
    assert names(out.parent) == ["eight.previous"]


def test_a_reader_does_not_disturb_a_writer(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "_PATIENCE_SECONDS", 0.05)
    for version in (1, 2):
        with replacing(out) as new:
            recover(out)
            fill(new, version)
        assert version_of(out) == version
    out.rename(out.with_name("aside"))
    between(out)
    with locked(out), pytest.raises(InputError, match="another kugiri"):
        recover(out)
    recover(out)
    assert version_of(out) == 1
