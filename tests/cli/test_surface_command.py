"""`kugiri surface`: what it prints and writes, how it fails, and what its numbers are by brute force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from corpus_command import Kugiri, refused, tree
from hostile_sweep import ANSI, ANSWERABLE, ASKED, BIDI, TEXTS, evidence_of, windows, write_corpus
from rich.cells import cell_len

RANGES = ("--size", "4:40:4", "--overlap", "0:0.5:0.1")
ROWS = 10 * 6


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_corpus(tmp_path / "難 題")
    return tmp_path / "難 題"


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No figures, which take seconds; those are tested with the report."""
    monkeypatch.setattr("kugiri.report.surface_write.surface_figures", lambda content: {})
    monkeypatch.setattr("kugiri.report.write.japanese_font", lambda: True)
    monkeypatch.setattr("kugiri.report.write.used_fonts", lambda: ())


def lost_by_brute_force(size: int, overlap: int) -> int:
    chunks = {name: windows(len(text), size, overlap) for name, text in TEXTS.items()}
    return sum(
        not any(
            all(any(a <= s and e <= b for a, b in chunks[d]) for d, s, e in spans) for spans in evidence_of(identity)
        )
        for identity in ASKED
        if evidence_of(identity)
    )


def rows_of(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / "tables" / "surface.parquet").to_pylist()
    return found


def test_every_pair_loses_what_brute_force_loses(kugiri: Kugiri, corpus: Path, tmp_path: Path) -> None:
    outcome = kugiri("surface", corpus, *RANGES)
    assert outcome.code == 0, outcome.err
    folder = tmp_path / "reports" / "難 題-surface"
    assert set(tree(folder)) == {
        "manifest.json",
        "report.html",
        "report.md",
        "tables/surface.json",
        "tables/surface.parquet",
    }
    found = rows_of(folder)
    assert len(found) == ROWS
    for row in found:
        assert row["lost"] == lost_by_brute_force(row["size"], row["overlap"])
        assert row["chunks"] == sum(len(windows(len(text), row["size"], row["overlap"])) for text in TEXTS.values())
        assert row["overlap"] == int(row["share"] * 10 + 0.5) * row["size"] // 10
        assert row["least"] <= min(row["lost"], row["expected"]) and max(row["lost"], row["expected"]) <= row["most"]


@pytest.mark.parametrize("width", [80, 160])
def test_it_fits_the_terminal_and_is_plain(
    kugiri: Kugiri, corpus: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    outcome = kugiri("surface", corpus, "--size", "4:60:1", "--overlap", "0:0.9:0.01", "--out", "o")
    lines = outcome.out.splitlines()
    assert max(map(cell_len, lines)) <= width
    assert ANSI not in outcome.out and BIDI not in outcome.out
    heading = next(line for line in lines if line.startswith("observed loss"))
    assert ("expected loss" in heading) == (width == 160)
    text = " ".join(" ".join(lines).split())
    assert "is luck" in text
    assert "keeps every question at every alignment" in text
    for keep in ("90 %", "95 %", "99 %", "99.9 %", "100 %"):
        assert sum(line.strip().startswith(f"{keep} ") for line in lines) >= 2


def test_json_is_all_of_it(kugiri: Kugiri, corpus: Path) -> None:
    outcome = kugiri("surface", corpus, *RANGES, "--json", "--out", "o", "--target", "0.25")
    told = json.loads(outcome.out)
    assert (told["results"], told["questions"], told["pairs"], told["unit"]) == ("o", ANSWERABLE, ROWS, "char")
    assert told["surface"] == rows_of(Path("o"))
    assert told["front"] == sorted((row for row in rows_of(Path("o")) if row["front"]), key=lambda row: row["chunks"])
    assert told["target"] == 0.25
    assert (
        told["guarantee"]
        == max(min(max(e - s for _, s, e in alt) for alt in evidence_of(i)) for i in ASKED if evidence_of(i)) - 1
    )
    for kept in told["keep"]:
        fitting = [row for row in told["surface"] if row["expected"] <= (1 - kept["keep"]) * ANSWERABLE + 1e-9]
        assert kept["chunks"] == min((row["chunks"] for row in fitting), default=None)
    assert outcome.err == ""


def test_a_target_is_taken_as_it_is_written(kugiri: Kugiri, corpus: Path) -> None:
    told = json.loads(kugiri("surface", corpus, *RANGES, "--json", "--out", "o", "--target", "1e-3").out)
    assert told["target"] == 0.001
    assert "0.1 %" in kugiri("surface", corpus, *RANGES, "--out", "o", "--target", "1e-3").out
    assert "0.0000000000001 %" in kugiri("surface", corpus, *RANGES, "--out", "o", "--target", "1e-15").out


@pytest.mark.parametrize("width", [80, 160])
def test_the_axis_names_few_sizes_each_below_its_column(
    kugiri: Kugiri, corpus: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = kugiri("surface", corpus, "--size", "4,9,1200", "--overlap", "0,1", "--out", "o").out.splitlines()
    axis = [line for line in lines if line.startswith("  size ")]
    assert axis
    assert all(line.split()[:4] == ["size", "4", "9", "1,200"] for line in axis)


def test_without_expected_loss_nothing_is_promised(kugiri: Kugiri, corpus: Path) -> None:
    outcome = kugiri("surface", corpus, *RANGES, "--no-expected", "--out", "o")
    assert outcome.code == 0, outcome.err
    assert "expected loss, overlap" not in outcome.out
    assert "is luck" in " ".join(outcome.out.split())
    for row in rows_of(Path("o")):
        assert [row[name] for name in ("expected", "sd", "least", "most", "front")] == [None] * 5
    told = json.loads(kugiri("surface", corpus, *RANGES, "--no-expected", "--out", "o", "--json").out)
    assert (told["keep"], told["front"], told["overlaps_enough"]) == ([], [], [])


@pytest.mark.parametrize("unit", ["grapheme", "morpheme", "token"])
def test_other_units(kugiri: Kugiri, corpus: Path, unit: str) -> None:
    outcome = kugiri("surface", corpus, "--size", "3:9:3", "--overlap", "0,1", "--unit", unit, "--json", "--out", "o")
    assert outcome.code == 0, outcome.err
    told = json.loads(outcome.out)
    assert (told["unit"], told["pairs"]) == (unit, 6)
    assert told["tokenizer"] == ("cl100k" if unit == "token" else None)
    assert [row["share"] for row in told["surface"]] == [None] * 6


def test_a_sweep_file_says_it_all(kugiri: Kugiri, corpus: Path, tmp_path: Path) -> None:
    head = f'title = "面"\ncorpus = "{corpus.name}"\n[surface]\nsize = "4:40:4"\noverlap = "0:0.5:0.1"\n'
    (tmp_path / "面.toml").write_bytes(head.encode())
    (tmp_path / "両.toml").write_bytes(f'{head}[[chunkers]]\nuse = "paragraph"\n'.encode())
    assert kugiri("surface", "面.toml").code == kugiri("surface", "両.toml").code == 0
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == ["両-surface", "面"]
    assert len(rows_of(tmp_path / "reports" / "面")) == ROWS
    assert kugiri("sweep", "両.toml", "--dry-run").code == 0
    refused(kugiri("sweep", "面.toml"), "kugiri surface")
    refused(kugiri("surface", "面.toml", "--size", "9"), "--size beside a sweep file")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("no sizes are given", "--size")),
        (("--size", "9:4"), ("ends before it begins", "--size")),
        (("--size", "x"), ("is no range", "--size")),
        (("--size", "0:4"), ("at least one unit",)),
        (("--size", "9", "--overlap", "1.0"), ("the whole window", "--overlap")),
        (("--size", "9", "--overlap", "9"), ("larger than the overlap",)),
        (("--size", "9", "--overlap", "0.1,3"), ("shares of the size and others units",)),
        (("--size", "9", "--target", "x"), ("no share of questions", "--target")),
        (("--size", "9", "--target", "1"), ("no share of questions", "--target")),
        (("--size", "9", "--unit", "word"), ("unknown", "--unit")),
        (("--size", "9", "--tokenizer", "cl100k"), ("means nothing", "--tokenizer")),
        (("--size", "9", "--unit", "token", "--tokenizer", "nope"), ("nope",)),
    ],
)
def test_bad_input_is_three_lines(
    kugiri: Kugiri, corpus: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    refused(kugiri("surface", corpus, *arguments), *words)
    assert not (corpus.parent / "reports").exists()


def test_a_foreign_folder_is_refused_before_anything_is_counted(kugiri: Kugiri, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "論文.txt").write_bytes(b"mine")
    refused(kugiri("surface", corpus, *RANGES, "--out", "o"), "is no results folder")
    assert tree(tmp_path / "o") == {"論文.txt": b"mine"}


def test_no_corpus_and_no_question(kugiri: Kugiri, corpus: Path) -> None:
    refused(kugiri("surface", "none", *RANGES), "there is no such corpus folder")
    lines = [
        line
        for line in (corpus / "questions.jsonl").read_text("utf-8").split("\n")
        if '"evidence": []' in line or '"evidence":[]' in line
    ]
    assert lines
    (corpus / "questions.jsonl").write_bytes("\n".join(lines).encode())
    refused(kugiri("surface", corpus, *RANGES), "no question is answerable")


def test_other_commands_say_that_a_surface_is_no_sweep(kugiri: Kugiri, corpus: Path) -> None:
    assert kugiri("surface", corpus, *RANGES, "--out", "o").code == 0
    refused(kugiri("lost", "o"), "results of `kugiri surface`", "give a results folder of `kugiri sweep`")
    refused(kugiri("check", "o", "--max-lost", 0), "results of `kugiri surface`")
