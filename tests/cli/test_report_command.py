"""`kugiri report`: the report again, from the tables alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from corpus_command import Kugiri, refused, tree
from hostile_sweep import UNREPEATABLE, Swept, repeatable


def test_the_report_from_the_tables_alone_is_the_first_report(kugiri: Kugiri, swept: Swept, results: Path) -> None:
    for name in ("report.html", "report.md"):
        (results / name).unlink()
    shutil.rmtree(results / "figures")
    done = kugiri("report", results)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"report: {results / 'report.html'}\n"
    ours, again = repeatable(swept.results), repeatable(results)
    assert sorted(again) == sorted(ours)
    assert [name for name in ours if ours[name] != again[name]] == []
    # The tables are those of the sweep, the one about its machine too, and the manifest says who drew the report again.
    measured = UNREPEATABLE[1]
    assert (results / measured).read_bytes() == (swept.results / measured).read_bytes()
    before, after = (json.loads((folder / "manifest.json").read_text()) for folder in (swept.results, results))
    assert (before["redrawn"], after["made"]) == (None, before["made"])
    assert after["redrawn"]["host"] == before["made"]["host"]
    assert after["files"] == before["files"]
    assert [path.name for path in results.parent.iterdir()] == ["hostile"]


def test_a_language_changes_the_report_and_no_table(
    kugiri: Kugiri, swept: Swept, results: Path, unfigured: None
) -> None:
    found = {}
    for language in ("en", "ja"):
        assert kugiri("report", results, "--lang", language).code == 0
        found[language] = (results / "report.md").read_text(encoding="utf-8")
        page = (results / "report.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}"' in page
    assert "lost" in found["en"]
    assert "失われた質問" in found["ja"]
    assert "失われた質問" not in found["en"]
    assert found["ja"].splitlines()[0] == found["en"].splitlines()[0]
    tables = {name: data for name, data in tree(swept.results).items() if name.startswith("tables")}
    assert {name: data for name, data in tree(results).items() if name.startswith("tables")} == tables
    # Without --lang the corpus's language decides, as in the sweep.
    assert kugiri("report", results).code == 0
    assert (results / "report.md").read_text(encoding="utf-8") == found["ja"]


def test_json_names_the_report(kugiri: Kugiri, results: Path, unfigured: None) -> None:
    done = kugiri("report", "reports/hostile", "--json")
    assert json.loads(done.out) == {
        "results": str(Path("reports/hostile")),
        "report": str(Path("reports/hostile/report.html")),
    }


def test_a_folder_whose_tables_were_changed_is_refused_and_left_as_it_is(kugiri: Kugiri, results: Path) -> None:
    for name in sorted(path.name for path in (results / "tables").iterdir()):
        table = results / "tables" / name
        data = table.read_bytes()
        table.write_bytes(data + b"\n")
        before = tree(results.parent)
        done = kugiri("report", results)
        refused(done, name, "run the sweep again")
        assert done.out == ""
        assert tree(results.parent) == before
        table.write_bytes(data)


def test_a_file_of_somebody_else_in_the_folder_is_not_deleted(kugiri: Kugiri, results: Path) -> None:
    (results / "覚書.txt").write_bytes(b"mine")
    before = tree(results.parent)
    refused(kugiri("report", results), "覚書.txt")
    assert tree(results.parent) == before


@pytest.mark.parametrize("folder", ["nowhere", ".", "sweeps/hostile.toml"])
def test_what_is_no_results_folder(kugiri: Kugiri, tmp_path: Path, folder: str) -> None:
    (tmp_path / "sweeps").mkdir()
    (tmp_path / "sweeps" / "hostile.toml").write_bytes(b"")
    before = tree(tmp_path)
    refused(kugiri("report", folder))
    assert tree(tmp_path) == before


@pytest.mark.slow
def test_results_without_text_have_a_report_again(kugiri: Kugiri, textless: Swept, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(textless.results, tmp_path / "copied"))
    shutil.rmtree(copied / "figures")
    assert kugiri("report", copied).code == 0
    assert repeatable(copied) == repeatable(textless.results)
