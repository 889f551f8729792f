"""The command in this process, and one sweep over a hostile corpus that many tests look at."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from corpus_command import Kugiri, commands
from hostile_sweep import Swept, run_in, write_world


@pytest.fixture
def kugiri(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kugiri:
    return commands(capsys, monkeypatch, tmp_path)


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Swept:
    """The hostile sweep, run once by the real command in its default folder."""
    root = tmp_path_factory.mktemp("swept")
    write_world(root)
    return Swept(root, run_in(root, "sweep", Path("sweeps") / "hostile.toml"))


@pytest.fixture(scope="session")
def textless(tmp_path_factory: pytest.TempPathFactory, swept: Swept) -> Swept:
    """The same sweep with --no-text."""
    root = tmp_path_factory.mktemp("textless")
    write_world(root)
    return Swept(root, run_in(root, "sweep", Path("sweeps") / "hostile.toml", "--no-text"))


@pytest.fixture
def results(swept: Swept, tmp_path: Path) -> Path:
    """A copy of the results folder, `reports/hostile`, to be changed at will."""
    return Path(shutil.copytree(swept.results, tmp_path / "reports" / "hostile"))


@pytest.fixture
def unfigured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws no figures, which take seconds: for tests of everything else that a sweep does."""
    monkeypatch.setattr("kugiri.report.write.figures", lambda configurations: {})
    monkeypatch.setattr("kugiri.report.write.ranked_figures", lambda retrieval: {})
    monkeypatch.setattr("kugiri.report.write.heat_maps", lambda where: {})
    monkeypatch.setattr("kugiri.report.write.japanese_font", lambda: True)
    monkeypatch.setattr("kugiri.report.write.used_fonts", lambda: ())
