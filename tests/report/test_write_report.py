from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from report_world import small

from kugiri.report import write as writing
from kugiri.report.write import write_report

FILES = {
    "report.html",
    "report.md",
    *(f"figures/{n}.{language}.svg" for n in ("loss", "cost") for language in ("ja", "en")),
}


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder).as_posix()): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_same_tables_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn_once: dict[Any, Any]
) -> None:
    monkeypatch.setattr(writing, "japanese_font", lambda: False)
    for name in ("a", "b"):
        drawn_once.clear()
        (tmp_path / name).mkdir()
        write_report(small(), tmp_path / name)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert set(files(tmp_path / "a")) == FILES


def test_the_language_is_the_corpus_s_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "figures", lambda rows: {})
    results = small()
    write_report(results, tmp_path)
    assert "## The answer" in (tmp_path / "report.md").read_text(encoding="utf-8")
    write_report(results, tmp_path, "ja")
    assert "## 結論" in (tmp_path / "report.md").read_text(encoding="utf-8")
    results.sweep["corpus"]["language"] = "ja"
    write_report(results, tmp_path)
    assert '<html lang="ja">' in (tmp_path / "report.html").read_text(encoding="utf-8")
    write_report(results, tmp_path, "en")
    assert '<html lang="en">' in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_with_a_japanese_font_there_are_pictures_and_no_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "japanese_font", lambda: True)
    told = write_report(small(), tmp_path)
    assert told.warnings == ()
    pictures = sorted((tmp_path / "figures").glob("*.png"))
    assert len(pictures) == 4
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    # Drawn again where there is none: no old picture beside a new figure.
    monkeypatch.setattr(writing, "japanese_font", lambda: False)
    assert write_report(small(), tmp_path).warnings
    assert set(files(tmp_path)) == FILES


@pytest.mark.slow
@pytest.mark.parametrize("configuration", ["<fontconfig/>", "<fontconfig><dir>{folder}</dir></fontconfig>", ""])
def test_with_an_empty_fontconfig_there_are_figures_no_pictures_and_a_warning(
    tmp_path: Path, configuration: str
) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "fonts.conf").write_text(configuration.format(folder=tmp_path / "none"), encoding="utf-8")
    code = (
        "import json, sys; from pathlib import Path; from report_world import small;"
        "from kugiri.report.write import write_report; told = write_report(small(), Path(sys.argv[1]));"
        "print(json.dumps([told.warnings, told.fonts]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "out")],
        cwd=Path(__file__).parent,
        env={**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "HOME": str(tmp_path / "none")},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    warnings, fonts = json.loads(done.stdout)
    sentence = (
        "no Japanese font was found, so the figures have no PNG (their SVG is there): "
        "on Debian install the package fonts-noto-cjk"
    )
    assert warnings == [sentence]
    assert all(isinstance(name, str) for name in fonts)
    assert set(files(tmp_path / "out")) == FILES
