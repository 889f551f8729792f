from __future__ import annotations

import tempfile
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def lock_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lock files go to a temporary folder of this test's own."""
    folder = tmp_path_factory.mktemp("locks")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A results folder that does not exist yet, in a folder that holds nothing else."""
    (tmp_path / "reports").mkdir()
    return tmp_path / "reports" / "eight"
