"""reports/eight as it is committed: what the README's first command makes, value by value; and other reports."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from clone import ROOT, Clone, run_in

COMMITTED = ROOT / "reports" / "eight"
TABLES = ("chunks", "comparisons", "configurations", "lost", "outcomes", "questions")


@pytest.fixture
def fresh(clone: Clone) -> Path:
    """The sweep of reports/eight, run again elsewhere."""
    return clone.folder / "reports" / "eight"


def same(a: Any, b: Any) -> bool:
    """Integers and texts exactly, floats to 1e-9."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


@pytest.mark.parametrize("table", TABLES)
def test_the_tables_have_the_values_of_a_fresh_run(fresh: Path, table: str) -> None:
    ours, again = (pq.read_table(folder / f"tables/{table}.parquet") for folder in (COMMITTED, fresh))
    assert ours.schema.equals(again.schema, check_metadata=True)
    assert ours.num_rows == again.num_rows > 0
    for number, (a, b) in enumerate(zip(ours.to_pylist(), again.to_pylist(), strict=True)):
        assert same(a, b), (number, {key: (a[key], b[key]) for key in a if not same(a[key], b[key])})


def test_the_facts_are_those_of_a_fresh_run(fresh: Path) -> None:
    ours, again = (json.loads((folder / "tables/sweep.json").read_text("utf-8")) for folder in (COMMITTED, fresh))
    assert same(ours, again), [key for key in ours if not same(ours[key], again.get(key))]


def test_the_report_is_that_of_a_fresh_run(fresh: Path) -> None:
    ours, again = ((folder / "report.md").read_text(encoding="utf-8") for folder in (COMMITTED, fresh))
    assert ours.splitlines() == again.splitlines()


def test_the_digests_of_the_corpus_are_recorded() -> None:
    """D37: a clone that changes line ends is found out, since every fixture has its recorded SHA-256."""
    facts = json.loads((COMMITTED / "tables/sweep.json").read_text(encoding="utf-8"))["corpus"]
    for name in ("documents", "questions"):
        data = (ROOT / "corpora" / "handbook" / f"{name}.jsonl").read_bytes()
        assert hashlib.sha256(data).hexdigest() == facts[f"{name}_sha256"]


@pytest.mark.parametrize("report", ["eight", "chroma"])
def test_the_manifest_fits_the_committed_files(report: str) -> None:
    folder = ROOT / "reports" / report
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name, digest in manifest["files"].items():
        path = folder / name
        # Pictures are not kept: they are there, and listed, only where the sweep ran with a Japanese font.
        if path.exists() or not name.endswith(".png"):
            assert hashlib.sha256(path.read_bytes()).hexdigest() == digest, name
    listed = {path.relative_to(folder).as_posix() for path in tracked() if folder in path.parents}
    assert listed - {"manifest.json"} == {name for name in manifest["files"] if not name.endswith(".png")}


def tracked() -> list[Path]:
    """The files of the repository, those about to be added too."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    found = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return [path for path in found if path.is_file()]


def test_no_file_of_the_repository_names_a_folder_of_the_machine_it_was_made_on() -> None:
    # Written in two halves, or this file would be one.
    places = ["/" + name + "/" for name in ("work", "tmp", "root", "home")]
    found = []
    for path in tracked():
        data = path.read_bytes()
        if path.suffix == ".parquet":
            data = str(pq.read_table(path).to_pylist()).encode() + str(pq.read_schema(path).metadata).encode()
        found += [(str(path.relative_to(ROOT)), place) for place in places if place.encode() in data]
    assert found == []


def test_line_ends_of_fixtures_are_left_alone() -> None:
    """D37: `-text` for whatever is digested."""
    names = [path.relative_to(ROOT).as_posix() for path in tracked()]
    fixed = [name for name in names if name.startswith(("corpora/", "reports/", "tests/golden/"))]
    assert len(fixed) > 3
    told = subprocess.run(
        ["git", "check-attr", "text", "-z", "--stdin"],
        cwd=ROOT,
        input="\0".join(fixed).encode(),
        capture_output=True,
        check=True,
    )
    fields = told.stdout.decode().split("\0")
    assert dict(zip(fields[0::3], fields[2::3], strict=False)) == dict.fromkeys(fixed, "unset")


@pytest.mark.slow
def test_the_strategies_are_those_of_a_fresh_run(tmp_path: Path) -> None:
    run_in(ROOT, "sweep", "sweeps/strategies.toml", "--out", str(tmp_path / "strategies"), "--workers", "2")
    for table in ("configurations", "comparisons"):
        ours, again = (
            pq.read_table(folder / f"tables/{table}.parquet").to_pylist()
            for folder in (ROOT / "reports" / "strategies", tmp_path / "strategies")
        )
        assert same(ours, again), table


CHROMA = ROOT / "reports" / "chroma"
RECURSIVE = r'recursive(size=200, separators=["\n\n", "\n", ".", "?", "!", " "])'


def test_of_chromas_corpora_no_text_is_committed_and_the_readme_says_what_was_found() -> None:
    questions = pq.read_table(CHROMA / "tables" / "questions.parquet")
    assert len(questions) > 0
    assert set(questions["question"].to_pylist()) == set(questions["passage"].to_pylist()) == {None}
    lost = pq.read_table(CHROMA / "tables" / "lost.parquet")
    assert set(lost["evidence_text"].to_pylist()) == set(lost["excerpt"].to_pylist()) == {None}
    rows = pq.read_table(CHROMA / "tables" / "characters.parquet").to_pylist()
    best = max(rows, key=lambda row: row["precision_omega"])
    assert (best["configuration"], best["questions"], best["recall_full_lost"]) == (RECURSIVE, 220, 69)
    assert {row["recall"] for row in rows} == {1.0}
    omega = f"{100 * best['precision_omega']:.1f}"
    told = (f"precision omega, {omega} %, and loses 69 of 220", f"precision omegaが最も高い（{omega}%）", "220問中69問")
    readme = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.ja.md"))
    plain = readme.replace("\n", " ")
    assert [words for words in told if words not in plain and words not in readme.replace("\n", "")] == []


@pytest.mark.slow
def test_chroma_is_that_of_a_fresh_run(tmp_path: Path) -> None:
    if not (ROOT / "corpora" / "chroma").is_dir():
        pytest.skip("corpora/chroma is not there: sweeps/chroma.toml says how to import it")
    run_in(ROOT, "sweep", "sweeps/chroma.toml", "--no-text", "--out", str(tmp_path / "chroma"))
    for table in ("configurations", "comparisons", "lost", "characters"):
        ours, again = (
            pq.read_table(folder / f"tables/{table}.parquet").to_pylist() for folder in (CHROMA, tmp_path / "chroma")
        )
        assert same(ours, again), table
    assert (CHROMA / "report.md").read_bytes() == (tmp_path / "chroma" / "report.md").read_bytes()
