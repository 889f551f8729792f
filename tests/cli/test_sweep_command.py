"""`kugiri sweep`: what it prints, what it writes, and what changes neither."""

from __future__ import annotations

import html
import json
import math
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus_command import Kugiri, refused, tree
from hostile_sweep import (
    ANSI,
    ANSWERABLE,
    ASKED,
    BIDI,
    LABELS,
    SWEEP_TOML,
    TEXTS,
    UNANSWERABLE,
    UNREPEATABLE,
    Swept,
    chunks_of,
    everything,
    json_lines,
    lost_by_brute_force,
    process,
    repeatable,
    rows,
    write_corpus,
    write_world,
)
from rich.cells import cell_len

from kugiri import catalog
from kugiri.cli.console import progress

TABLES = {
    "budgets",
    "characters",
    "chunks",
    "comparisons",
    "configurations",
    "costs",
    "evidence_units",
    "loss_slices",
    "lost",
    "measured",
    "outcomes",
    "questions",
    "rules",
    "standings",
}
FILES = {"manifest.json", "report.html", "report.md", "tables/sweep.json", *(f"tables/{n}.parquet" for n in TABLES)}
FIGURES = ("loss", "cost", "length", "behind", "position")
WARNINGS = ("-W", "error::EncodingWarning", "-W", "ignore:UTF-8 Mode affects:EncodingWarning")


# ------------------------------------------------------------------------------------------------ what is written
def test_the_results_folder_has_every_file_of_the_design(swept: Swept) -> None:
    assert swept.outcome.code == 0, swept.outcome.err
    files = set(tree(swept.results))
    svgs = {f"figures/{name}.{language}.svg" for name in FIGURES for language in ("ja", "en")}
    assert files - {name for name in files if name.endswith(".png")} == FILES | svgs
    assert everything(swept.root / "reports")[0] == "hostile"
    assert [path.name for path in (swept.root / "reports").iterdir()] == ["hostile"]


def test_the_default_folder_is_reports_and_the_stem_below_the_current_folder(swept: Swept) -> None:
    assert sorted(path.name for path in swept.root.iterdir()) == ["corpora", "reports", "sweeps"]
    assert swept.results.is_dir()


@pytest.mark.parametrize("label", LABELS)
def test_every_configuration_loses_what_brute_force_loses(swept: Swept, label: str) -> None:
    (row,) = [row for row in rows(swept.results, "configurations") if row["configuration"] == label]
    lost = lost_by_brute_force(label)
    chunks = [(name, *chunk) for name, found in chunks_of(label).items() for chunk in found]
    assert (row["chunks"], row["lost"], row["questions"], row["unanswerable"]) == (
        len(chunks),
        len(lost),
        ANSWERABLE,
        1,
    )
    assert math.isclose(row["redundancy"], sum(e - s for _, s, e in chunks) / sum(map(len, TEXTS.values())))
    assert [r["question_id"] for r in rows(swept.results, "lost") if r["configuration"] == label] == lost
    written = [(r["document_id"], r["start"], r["end"]) for r in rows(swept.results, "chunks") if r["chunker"] == label]
    assert written == chunks


def test_lost_rows_quote_their_evidence_and_mark_it(swept: Swept) -> None:
    found = rows(swept.results, "lost")
    assert len(found) == sum(len(lost_by_brute_force(label)) for label in LABELS) > 10
    for row in found:
        text, (start, end) = TEXTS[row["document_id"]], (row["evidence_start"], row["evidence_end"])
        assert row["evidence_text"] == text[start:end]
        assert row["question"] == ASKED[row["question_id"]][0]
        inside = row["excerpt"].partition("【")[2].rpartition("】")[0]
        assert inside.replace("｜", "") == text[start:end]
        assert inside.count("｜") == (row["cut_at"] is not None)
        if row["cause"] == "cut":
            assert start < row["cut_at"] < end


def test_an_unanswerable_question_is_in_no_mean_and_counted(kugiri: Kugiri, tmp_path: Path, unfigured: None) -> None:
    """H77: 3 questions, one without evidence: n = 2, one unanswerable."""
    root = tmp_path / "c"
    write_corpus(root)
    lines = (root / "questions.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    kept = [line for line in lines if json.loads(line)["id"] in ("q-休暇", "q-繰越", UNANSWERABLE)]
    (root / "questions.jsonl").write_bytes("\n".join(kept).encode())
    (tmp_path / "s.toml").write_bytes(SWEEP_TOML.replace("../corpora/hostile", "c").encode())
    assert kugiri("sweep", "s.toml").code == 0
    results = tmp_path / "reports" / "s"
    assert {(row["questions"], row["unanswerable"]) for row in rows(results, "configurations")} == {(2, 1)}
    undefined = [row for row in rows(results, "outcomes") if row["question_id"] == UNANSWERABLE]
    assert [(row["defined"], row["value"]) for row in undefined] == [(False, None)] * len(LABELS)
    assert [row["start"] for row in rows(results, "questions") if row["question_id"] == UNANSWERABLE] == [None]
    facts = json.loads((results / "tables/sweep.json").read_text(encoding="utf-8"))
    assert (facts["questions"]["answerable"], facts["questions"]["unanswerable"]) == (2, 1)


def test_what_needs_retrieval_is_null_and_never_zero(swept: Swept) -> None:
    retrieval = ["Recall@5", "Recall@20", "nDCG@10", "MRR@10"]
    retrieval += [f"Recall(budget={budget})" for budget in (1000, 2000, 4000)]
    retrieval += ["retriever", "rank_1", "rank_2_5", "rank_6_20", "rank_beyond"]
    for row in rows(swept.results, "configurations"):
        assert {name: row[name] for name in retrieval} == dict.fromkeys(retrieval)
    assert {row["metric"] for row in rows(swept.results, "outcomes")} == {"needs"}
    assert {row["metric"] for row in rows(swept.results, "comparisons")} == {"lost"}


def test_every_export_names_the_unit_of_its_offsets(swept: Swept) -> None:
    """B17: `offset_unit: "codepoint"`."""
    for name in TABLES:
        metadata = pq.read_schema(swept.results / "tables" / f"{name}.parquet").metadata
        assert metadata[b"kugiri.offset_unit"] == b"codepoint"
    facts = json.loads((swept.results / "tables/sweep.json").read_text(encoding="utf-8"))
    assert facts["offset_unit"] == "codepoint"


def test_no_file_holds_a_path_of_this_machine(swept: Swept, textless: Swept) -> None:
    for made in (swept, textless):
        for name, data in tree(made.results).items():
            assert str(made.root).encode() not in data, name
        for name in TABLES:
            assert str(made.root) not in pq.read_table(made.results / "tables" / f"{name}.parquet").to_pandas().to_csv()


def test_two_sizes_longer_than_every_document_are_told_to_be_one(
    kugiri: Kugiri, tmp_path: Path, unfigured: None
) -> None:
    """E55: 3 documents of 50 characters, sizes 200 and 400."""
    root = write_corpus(tmp_path / "c")
    texts = {f"d{n}": ("短い文書か\u3099👩\u200d🍳\r\n\u3000" * 9)[:49] + str(n) for n in range(3)}
    assert {len(text) for text in texts.values()} == {50}
    (root / "documents.jsonl").write_bytes(json_lines([{"id": name, "text": text} for name, text in texts.items()]))
    asked = [{"id": "q", "question": "何？", "evidence": [[{"document": "d1", "start": 0, "end": 4}]]}]
    (root / "questions.jsonl").write_bytes(json_lines(asked))
    (tmp_path / "s.toml").write_bytes(
        b'title = "t"\ncorpus = "c"\n[[chunkers]]\nuse = "fixed"\n[chunkers.grid]\nsize = [200, 400]\n'
    )
    assert kugiri("sweep", "s.toml").code == 0
    results = tmp_path / "reports" / "s"
    facts = json.loads((results / "tables/sweep.json").read_text(encoding="utf-8"))
    assert [(w["chunker"], w["share"]) for w in facts["warnings"] if w["code"] == "single_chunk"] == [
        ("fixed(size=200)", 1.0),
        ("fixed(size=400)", 1.0),
    ]
    assert [row["identical_to"] for row in rows(results, "configurations")] == [None, "fixed(size=200)"]
    assert "100%" in (results / "report.md").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------ what is printed
def test_the_table_on_standard_output(swept: Swept) -> None:
    lines = swept.outcome.out.splitlines()
    assert lines[0] == f"難題 👩\u200d🍳: 難しい文書, {ANSWERABLE} answerable questions"
    assert lines[1].split()[:5] == ["configuration", "chunks", "redundancy", "lost", "expected"]
    for line, label in zip(lines[2:], LABELS, strict=False):
        chunks = [chunk for found in chunks_of(label).values() for chunk in found]
        lost = len(lost_by_brute_force(label))
        rate = f"{100 * lost / ANSWERABLE:.1f}"
        assert line.startswith(label)
        assert line.removeprefix(label).split()[0:1] == [str(len(chunks))]
        cells = line.removeprefix(label).split()
        assert [cells[2], cells[4]] == [str(lost), rate]
        assert (cells[3] == "—") == (label == "paragraph()")
    assert f"report: {Path('reports/hostile/report.html')}" in lines
    assert f"lost questions: kugiri lost {Path('reports/hostile')}" in lines


def test_progress_goes_to_standard_error_a_line_a_configuration(swept: Swept) -> None:
    lines = swept.outcome.err.splitlines()
    assert [line for line in lines if line.startswith("[")] == [f"[{n}/5] {label}" for n, label in enumerate(LABELS, 1)]
    assert not any(label in line for line in swept.outcome.out.splitlines()[7:] for label in LABELS)
    assert "\r" not in swept.outcome.err
    assert ANSI not in swept.outcome.err + swept.outcome.out
    assert BIDI not in swept.outcome.err + swept.outcome.out


@pytest.mark.parametrize("columns", [80, 160])
def test_no_line_of_the_table_is_wider_than_the_terminal(
    kugiri: Kugiri, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unfigured: None, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    write_world(tmp_path, SWEEP_TOML.replace("難題", "難題" * 60))
    done = kugiri("sweep", "sweeps/hostile.toml")
    assert done.code == 0
    assert len(done.out.splitlines()) > 8
    for line in done.out.splitlines():
        assert cell_len(line) <= columns, line


def test_json_is_one_object_with_the_lost_ids(kugiri: Kugiri, tmp_path: Path, unfigured: None) -> None:
    write_world(tmp_path)
    done = kugiri("sweep", "sweeps/hostile.toml", "--json", "--out", "out")
    told = json.loads(done.out)
    assert told["results"] == "out"
    assert {row["configuration"]: row["lost_questions"] for row in told["configurations"]} == {
        label: lost_by_brute_force(label) for label in LABELS
    }
    assert all(row["lost"] == len(row["lost_questions"]) for row in told["configurations"])
    assert all(row["lost_low"] <= row["lost_rate"] <= row["lost_high"] for row in told["configurations"])
    assert told["failed"] == []
    assert (tmp_path / "out/manifest.json").is_file()


def test_a_title_is_data_and_no_command_to_the_terminal(kugiri: Kugiri, tmp_path: Path, unfigured: None) -> None:
    file = write_world(tmp_path, SWEEP_TOML.replace("難題", r"赤\u001b[31m\u202e\n題[/b]"))
    info = tmp_path / "corpora/hostile/corpus.toml"
    info.write_bytes(info.read_bytes().replace("難しい".encode(), rb"\u001b[2J\u202e\n"))
    for options in ([], ["--dry-run"]):
        done = kugiri("sweep", file, *options)
        assert done.code == 0
        assert ANSI not in done.out + done.err
        assert BIDI not in done.out + done.err
        assert r"\x1b[31m" in done.out
        assert "[/b]" in done.out


def test_a_title_with_square_brackets_does_not_end_the_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress("題[/b] 👩\u200d🍳 \x1b[2J") as told:
        told(0, 2, "fixed(size=6)")
        told(1, 2, "odd(units=[1, 2])")
        told(2, 2, "")
    shown = sys.stderr.getvalue()
    assert "\x1b[2J" not in shown
    assert "fixed(size=6)" in shown or "2/2" in shown


def test_under_ci_a_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress("題") as told:
        told(0, 1, "fixed(size=6)")
        told(1, 1, "")
    assert sys.stderr.getvalue().splitlines()[0] == "[1/1] fixed(size=6)"
    assert "\x1b" not in sys.stderr.getvalue()


# ------------------------------------------------------------------------------------------------ --dry-run
def test_dry_run_counts_chunks_and_writes_nothing(kugiri: Kugiri, tmp_path: Path) -> None:
    file = write_world(tmp_path)
    before = everything(tmp_path)
    done = kugiri("sweep", file, "--dry-run")
    told = json.loads(kugiri("sweep", file, "--dry-run", "--json").out)
    assert (done.code, done.err) == (0, "")
    assert everything(tmp_path) == before
    counts = {label: sum(map(len, chunks_of(label).values())) for label in LABELS}
    assert {row["configuration"]: row["chunks"] for row in told["configurations"]} == counts
    assert (told["documents"], told["questions"]) == (2, ANSWERABLE)
    for label, count in counts.items():
        (line,) = [line for line in done.out.splitlines() if line.startswith(f"{label} ")]
        assert line.split()[-1] == str(count)


def test_dry_run_leaves_old_results_alone(kugiri: Kugiri, swept: Swept, results: Path) -> None:
    before = tree(results)
    assert kugiri("sweep", swept.file, "--dry-run").code == 0
    assert tree(results) == before


def test_dry_run_refuses_what_the_sweep_would_refuse(kugiri: Kugiri, tmp_path: Path) -> None:
    file = write_world(tmp_path, SWEEP_TOML.replace("size = [6, 20]", "size = [6, 0]"))
    refused(kugiri("sweep", file, "--dry-run"), "size")
    file.write_bytes(SWEEP_TOML.replace("\n[[", "\n[questions]\nsample = 99\n[[", 1).encode())
    refused(kugiri("sweep", file, "--dry-run"), "99", str(ANSWERABLE))


# ------------------------------------------------------------------------------------------------ --no-text
def test_no_text_leaks_no_six_characters_of_the_corpus(swept: Swept, textless: Swept) -> None:
    assert textless.outcome.code == 0, textless.outcome.err
    texts = [*TEXTS.values(), *(question for question, _ in ASKED.values())]
    pieces = {text[at : at + 6] for text in texts for at in range(len(text) - 5)}
    # The check itself: with text, the same search finds nearly every piece, in each kind of file.
    found = leaked(swept.results, pieces)
    assert len(set().union(*found.values())) > 0.9 * len(pieces)
    assert {"report.html", "report.md", "tables/lost.parquet", "tables/questions.parquet"} <= set(found)
    assert leaked(textless.results, pieces) == {}


def test_no_text_changes_no_number(swept: Swept, textless: Swept) -> None:
    assert [(path, len(data) > 0) for path, data in tree(textless.results).items() if path.endswith(".parquet")]
    for name in ("chunks", "comparisons", "configurations", "outcomes"):
        assert rows(textless.results, name) == rows(swept.results, name)
    texts = ("question", "evidence_text", "excerpt", "passage")
    for name in ("lost", "questions"):
        left_out = [{k: None if k in texts else v for k, v in row.items()} for row in rows(swept.results, name)]
        assert rows(textless.results, name) == left_out


def leaked(folder: Path, pieces: set[str]) -> dict[str, set[str]]:
    """The pieces that any file of the folder holds, by file: as they are, escaped for HTML, JSON or our own eyes."""
    found: dict[str, set[str]] = {}
    for name, data in tree(folder).items():
        if name.endswith(".parquet"):
            table = pq.read_table(folder / name)
            shown = "\n".join(str(value) for column in table.columns for value in column.to_pylist())
            shown += str(table.schema.metadata) + "".join(str(field.metadata) for field in table.schema)
        else:
            shown = html.unescape(data.decode("utf-8", "replace"))
        for piece in pieces:
            # Line ends and controls are drawn in several ways: what stands between them is what would be read.
            variants = {piece, piece.encode("unicode_escape").decode(), json.dumps(piece)[1:-1]}
            if any(variant in shown or variant.encode() in data for variant in variants):
                found.setdefault(name, set()).add(piece)
    return found


# ------------------------------------------------------------------------------------------------ --no-retrieval
def test_a_sweep_that_asks_for_retrieval_runs_without_it_when_told(
    kugiri: Kugiri, tmp_path: Path, unfigured: None
) -> None:
    file = write_world(tmp_path, SWEEP_TOML + '\n[[retrievers]]\nuse = "bm25"\n')
    assert kugiri("sweep", file, "--no-retrieval").code == 0
    results = tmp_path / "reports/hostile"
    assert [row["configuration"] for row in rows(results, "configurations")] == list(LABELS)
    facts = json.loads((results / "tables/sweep.json").read_text(encoding="utf-8"))
    assert {"code": "retrieval_left_out"} in facts["warnings"]


# ------------------------------------------------------------------------------------------------ the same bytes
def test_the_number_of_workers_changes_no_byte(kugiri: Kugiri, tmp_path: Path, unfigured: None) -> None:
    file = write_world(tmp_path)
    made = []
    for workers in (1, 2, 7):
        assert kugiri("sweep", file, "--out", f"out{workers}", "--workers", workers).code == 0
        made.append(repeatable(tmp_path / f"out{workers}"))
    assert made[0] == made[1] == made[2]
    assert len(made[0]) == len(FILES) - len(UNREPEATABLE)


@pytest.mark.slow
def test_another_zone_locale_hash_seed_folder_and_process_the_same_bytes(swept: Swept, tmp_path: Path) -> None:
    """O115 and O119 as well: no file is opened in the encoding of the machine, nothing moves on standard error."""
    elsewhere = tmp_path / "他所"
    elsewhere.mkdir()
    shutil.copytree(swept.root / "corpora", tmp_path / "深い" / "corpora")
    shutil.copytree(swept.root / "sweeps", tmp_path / "深い" / "sweeps")
    done = process(
        "sweep",
        Path("..") / "深い" / "sweeps" / "hostile.toml",
        "--workers",
        "7",
        cwd=elsewhere,
        # The library `regex` asks for the encoding of the machine when it is loaded, and opens nothing with it.
        options=["-X", "warn_default_encoding", *WARNINGS],
        TZ="Asia/Tokyo",
        LC_ALL="C",
        PYTHONHASHSEED="77",
        OMP_NUM_THREADS="1",
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"\r" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    ours, others = repeatable(swept.results), repeatable(elsewhere / "reports" / "hostile")
    assert sorted(ours) == sorted(others)
    assert [name for name in ours if ours[name] != others[name]] == []


# ------------------------------------------------------------------------------------------------ the results folder
def test_running_again_replaces_the_results(kugiri: Kugiri, tmp_path: Path, unfigured: None) -> None:
    file = write_world(tmp_path)
    results = tmp_path / "reports" / "hostile"
    assert kugiri("sweep", file).code == 0
    first = repeatable(results)
    file.write_bytes(SWEEP_TOML.replace("[6, 20]", "[7]").encode())
    assert kugiri("sweep", file).code == 0
    assert rows(results, "configurations")[0]["configuration"] == "fixed(size=7)"
    file.write_bytes(SWEEP_TOML.encode())
    assert kugiri("sweep", file).code == 0
    assert repeatable(results) == first
    assert [path.name for path in results.parent.iterdir()] == ["hostile"]


@pytest.mark.parametrize("obstacle", ["foreign folder", "file", "foreign file among results", "parent is a file"])
def test_what_is_not_ours_is_never_replaced(kugiri: Kugiri, tmp_path: Path, results: Path, obstacle: str) -> None:
    file = write_world(tmp_path)
    out = {
        "foreign folder": tmp_path / "mine",
        "file": tmp_path / "mine.txt",
        "foreign file among results": results,
        "parent is a file": tmp_path / "mine.txt" / "below",
    }[obstacle]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "覚書.txt").write_bytes(b"mine")
    (tmp_path / "mine.txt").write_bytes(b"mine")
    (results / "tables" / "note.txt").write_bytes(b"mine")
    before = tree(tmp_path)
    done = kugiri("sweep", file, "--out", out)
    refused(done, "--out")
    assert done.out == ""
    assert tree(tmp_path) == before


def test_the_corpus_path_is_relative_to_the_sweep_file(kugiri: Kugiri, tmp_path: Path) -> None:
    write_world(tmp_path / "away")
    write_corpus(tmp_path / "corpora" / "hostile", 'name="decoy"\ntitle="おとり"\nlanguage="ja"\nlicence=1')
    assert kugiri("sweep", "away/sweeps/hostile.toml", "--dry-run").code == 0
    absolute = SWEEP_TOML.replace("../corpora/hostile", (tmp_path / "away/corpora/hostile").as_posix())
    (tmp_path / "absolute.toml").write_bytes(absolute.encode())
    assert kugiri("sweep", "absolute.toml", "--dry-run").code == 0


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_sweep_file(kugiri: Kugiri, tmp_path: Path) -> None:
    file = write_world(tmp_path)
    plain = kugiri("sweep", file, "--dry-run", "--json")
    file.write_bytes(b"\xef\xbb\xbf" + SWEEP_TOML.replace("\n", "\r\n").encode())
    marked = kugiri("sweep", file, "--dry-run", "--json")
    assert (marked.code, marked.out, marked.err) == (0, plain.out, "")


def test_a_sample_and_a_split_choose_the_questions(kugiri: Kugiri, tmp_path: Path, unfigured: None) -> None:
    file = write_world(tmp_path, SWEEP_TOML.replace("\n[[", "\n[questions]\nsample = 3\n[[", 1))
    assert kugiri("sweep", file).code == 0
    results = tmp_path / "reports" / "hostile"
    drawn = {row["question_id"] for row in rows(results, "questions")}
    assert len(drawn) == 3
    assert UNANSWERABLE not in drawn
    for row in rows(results, "configurations"):
        lost = drawn & set(lost_by_brute_force(row["configuration"]))
        assert (row["questions"], row["lost"]) == (3, len(lost))


# ------------------------------------------------------------------------------------------------ exit status 3
BROKEN = '\n[[chunkers]]\nuse = "broken"\n[chunkers.grid]\nhow = ["raises", "refuses", "returns nothing"]\n'


@pytest.fixture
def with_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    chunkers = {**catalog.CATALOG["chunkers"], "broken": "hostile_sweep:Broken"}
    monkeypatch.setattr(catalog, "CATALOG", {**catalog.CATALOG, "chunkers": chunkers})


@pytest.mark.usefixtures("with_broken", "unfigured")
def test_a_failed_configuration_costs_no_other_row(kugiri: Kugiri, tmp_path: Path, swept: Swept) -> None:
    head, paragraph = SWEEP_TOML.split('\n[[chunkers]]\nuse = "paragraph"\n')
    file = write_world(tmp_path, f'{head}{BROKEN}\n[[chunkers]]\nuse = "paragraph"\n{paragraph}')
    done = kugiri("sweep", file)
    assert done.code == 3
    results = tmp_path / "reports" / "hostile"
    for name in ("chunks", "comparisons", "configurations", "lost", "outcomes", "questions"):
        assert rows(results, name) == rows(swept.results, name), name
    facts = json.loads((results / "tables/sweep.json").read_text(encoding="utf-8"))
    names = [f'broken(how="{how}")' for how in ("raises", "refuses", "returns nothing")]
    assert [entry["configuration"] for entry in facts["failed"]] == names
    assert facts["failed"][1]["what"] == "the chunks are 逆順"
    assert all(entry["what"] and entry["where"] and entry["remedy"] for entry in facts["failed"])
    report = (results / "report.md").read_text(encoding="utf-8")
    for entry in facts["failed"]:
        assert entry["configuration"] in report
        assert any(line.startswith(f"failed: {entry['configuration']}: ") for line in done.out.splitlines())
    assert "the chunks are 逆順" in report
    assert ANSI not in done.out + report
    assert BIDI not in done.out + report
    assert (results / "report.html").stat().st_size > 10_000


@pytest.mark.usefixtures("with_broken", "unfigured")
def test_a_failed_configuration_in_json_and_in_a_dry_run(kugiri: Kugiri, tmp_path: Path) -> None:
    file = write_world(tmp_path, SWEEP_TOML + BROKEN)
    planned = kugiri("sweep", file, "--dry-run", "--json")
    assert planned.code == 0
    assert [row["chunks"] for row in json.loads(planned.out)["configurations"]][-3:] == [None] * 3
    done = kugiri("sweep", file, "--json")
    assert done.code == 3
    told = json.loads(done.out)
    assert [row["configuration"] for row in told["configurations"]] == list(LABELS)
    assert len(told["failed"]) == 3


@pytest.mark.usefixtures("with_broken")
def test_a_sweep_of_which_everything_fails_still_has_a_report(kugiri: Kugiri, tmp_path: Path) -> None:
    head = SWEEP_TOML.split("\n[[chunkers]]")[0]
    file = write_world(tmp_path, head + BROKEN)
    done = kugiri("sweep", file)
    assert done.code == 3, done.err
    results = tmp_path / "reports" / "hostile"
    assert rows(results, "configurations") == []
    assert pq.read_schema(results / "tables/lost.parquet").field("evidence_start").type == pa.int64()
    assert 'broken(how="refuses")' in (results / "report.md").read_text(encoding="utf-8")
    assert kugiri("lost", results).code == 0
    assert kugiri("report", results).code == 0
