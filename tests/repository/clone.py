"""A copy of what the README's commands need of the repository, and the command in this process."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import shutil
import sys
from pathlib import Path

import pytest

from kugiri.cli import main

ROOT = Path(__file__).parents[2]


@dataclasses.dataclass(frozen=True)
class Clone:
    """A folder with `corpora/`, `sweeps/` and `reports/eight/`, and what the sweep printed."""

    folder: Path
    printed: str


def run_in(folder: Path, *arguments: str) -> str:
    """What `kugiri ARGUMENTS` prints in that folder, 160 columns wide; it must succeed."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("FORCE_COLOR", "NO_COLOR"):
            patch.delenv(name, raising=False)
        patch.setenv("COLUMNS", "80")
        patch.setattr(sys, "argv", ["kugiri", *arguments])
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main()
    assert not ended.value.code, (arguments, err.getvalue())
    return out.getvalue()


def cloned(folder: Path) -> Clone:
    """The README's first command, in a copy of the repository."""
    for name in ("corpora", "sweeps"):
        shutil.copytree(ROOT / name, folder / name)
    return Clone(folder, run_in(folder, "sweep", "sweeps/eight.toml"))
