"""`kugiri lost`: the lost questions of a results folder, every cut drawn in."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corpus_command import Kugiri, Outcome, refused
from hostile_sweep import (
    ANSI,
    ASKED,
    BIDI,
    LABELS,
    TEXTS,
    Swept,
    chunks_of,
    evidence_of,
    lost_by_brute_force,
    process,
    rows,
    run_in,
)
from rich.cells import cell_len

CUT, START, END = "｜", "⟨", "⟩"


def blocks_of(out: str) -> dict[tuple[str, str], str]:
    """What is drawn of each lost question, by configuration and question."""
    found: dict[tuple[str, str], str] = {}
    label = identity = ""
    for line in out.split("\n"):
        if re.fullmatch(r"\S.*: (?:\d+ )?lost", line):
            label, identity = line.rpartition(": ")[0], ""
        elif re.match(r"  \S", line):
            identity = line.split()[0]
            found[label, identity] = line.removeprefix("  ")
        elif line.startswith("    "):
            found[label, identity] += "\n" + line.removeprefix("    ")
    return found


def undrawn(text: str) -> str:
    """A passage as the terminal draws it, without its line ends and marks."""
    return re.sub(r"[｜⟨⟩【】◌⏎\n]", "", text)


def drawn_as(text: str) -> str:
    """A text of the corpus, its control characters as they are drawn and without its line feeds."""
    return "".join(
        char.encode("unicode_escape").decode() if char in "\r\x1b\u202e\u202c" else char
        for char in text
        if char != "\n"
    )


def test_every_lost_question_is_named_under_its_configuration(kugiri: Kugiri, swept: Swept) -> None:
    done = kugiri("lost", swept.results)
    assert (done.code, done.err) == (0, "")
    assert list(blocks_of(done.out)) == [(label, name) for label in LABELS for name in lost_by_brute_force(label)]
    for label in LABELS:
        assert f"{label}: {len(lost_by_brute_force(label))} lost" in done.out.splitlines()


@pytest.mark.parametrize("columns", [80, 160])
def test_no_line_is_wider_than_the_terminal(
    kugiri: Kugiri, monkeypatch: pytest.MonkeyPatch, swept: Swept, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = kugiri("lost", swept.results).out.split("\n")
    assert len(lines) > 60
    assert max(map(cell_len, lines)) <= columns
    # Nor is the width wasted: some passage fills it but for half a full-width character.
    assert max(map(cell_len, lines)) > min(columns, 140) - 2


@pytest.mark.parametrize("columns", [80, 160])
@pytest.mark.parametrize("label", LABELS[:4])
def test_every_cut_of_the_evidence_is_marked_where_it_is(
    kugiri: Kugiri, monkeypatch: pytest.MonkeyPatch, swept: Swept, label: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    blocks = blocks_of(kugiri("lost", swept.results, "--configuration", label).out)
    found = [row for row in rows(swept.results, "lost") if row["configuration"] == label]
    assert len(found) == len(blocks) > 0
    for row in found:
        block = blocks[label, row["question_id"]]
        start, end, text = row["evidence_start"], row["evidence_end"], TEXTS[row["document_id"]]
        passage = block[block.index("【") + 1 : block.rindex("】")].replace("\n", "")
        # An oracle of its own: the evidence, character by character, with what begins or ends in front of each.
        chunks = chunks_of(label)[row["document_id"]]
        wanted = ""
        for at in range(start, end):
            if at > start:
                ends, starts = any(e == at for _, e in chunks), any(s == at for s, _ in chunks)
                across = any(s < at < e for s, e in chunks)
                wanted += CUT if ends and starts and not across else END * ends + START * starts
            wanted += "⏎" if text[at] == "\n" else drawn_as(text[at])
        assert passage.replace("◌", "") == wanted


def test_the_passage_is_the_text_around_the_evidence(kugiri: Kugiri, swept: Swept) -> None:
    blocks = blocks_of(kugiri("lost", swept.results).out)
    for row in rows(swept.results, "lost"):
        around = TEXTS[row["document_id"]][max(0, row["evidence_start"] - 55) : row["evidence_end"] + 55]
        assert drawn_as(around) in undrawn(blocks[row["configuration"], row["question_id"]])


def test_the_evidence_stands_in_brackets_once(kugiri: Kugiri, swept: Swept) -> None:
    for block in blocks_of(kugiri("lost", swept.results).out).values():
        assert (block.count("【"), block.count("】")) == (1, 1)


def test_the_reason_says_place_cause_and_what_would_be_enough(kugiri: Kugiri, swept: Swept) -> None:
    blocks = blocks_of(kugiri("lost", swept.results).out)
    said = {"cut": "cut at {cut_at}", "too_long": "longer than every chunk", "dropped": "in no chunk"}
    causes = set()
    for row in rows(swept.results, "lost"):
        block = " ".join(blocks[row["configuration"], row["question_id"]].split())
        causes.add(row["cause"])
        assert f"[{row['evidence_start']}, {row['evidence_end']})" in block
        assert said[row["cause"]].format(**row) in block
        for key, words in (("overlap_needed", "overlap of"), ("size_needed", "size of")):
            assert (row[key] is not None) == (words in block)
            assert row[key] is None or f"{words} {row[key]}" in block
    assert causes == {"cut", "too_long", "dropped"}


def test_texts_of_the_corpus_are_no_commands_to_the_terminal(kugiri: Kugiri, swept: Swept) -> None:
    out = kugiri("lost", swept.results).out
    assert ANSI not in out
    assert BIDI not in out
    assert "\r" not in out
    assert r"\x1b[2J\u202e" in out
    assert r"\x1b" in out


@pytest.mark.parametrize("label", LABELS)
def test_one_configuration_alone(kugiri: Kugiri, swept: Swept, label: str) -> None:
    done = kugiri("lost", swept.results, "--configuration", label)
    assert [name for _, name in blocks_of(done.out)] == lost_by_brute_force(label)
    assert {found for found, _ in blocks_of(done.out)} == {label}


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("fixed(size=6,overlap=0.0)", "fixed(size=6)"),
        ("fixed(size=6, overlap=0)", "fixed(size=6)"),
        ("fixed( overlap = 0.5 , size = 20 )", "fixed(size=20, overlap=0.5)"),
        ("fixed(size=6, overlap=0.50)", "fixed(size=6, overlap=0.5)"),
        ("paragraph", "paragraph()"),
        (" paragraph ( ) ", "paragraph()"),
    ],
)
def test_a_label_may_be_written_in_any_way_that_means_it(
    kugiri: Kugiri, swept: Swept, written: str, label: str
) -> None:
    done = kugiri("lost", swept.results, "--configuration", written)
    assert done.code == 0, done.err
    assert done.out == kugiri("lost", swept.results, "--configuration", label).out


def test_one_question_alone(kugiri: Kugiri, swept: Swept) -> None:
    done = kugiri("lost", swept.results, "--question", "q-朱")
    assert list(blocks_of(done.out)) == [(label, "q-朱") for label in LABELS if "q-朱" in lost_by_brute_force(label)]
    kept = kugiri("lost", swept.results, "--question", "q-休暇")
    assert (kept.code, blocks_of(kept.out)) == (0, {})
    assert "no configuration here loses q-休暇" in kept.out


def test_json_is_the_table(kugiri: Kugiri, swept: Swept) -> None:
    told = json.loads(kugiri("lost", swept.results, "--json").out)
    assert told["lost"] == rows(swept.results, "lost")
    one = json.loads(kugiri("lost", swept.results, "--json", "--configuration", LABELS[1], "--question", "q-朱").out)
    assert one["lost"] == [
        row for row in told["lost"] if (row["configuration"], row["question_id"]) == (LABELS[1], "q-朱")
    ]
    assert len(one["lost"]) == 1


def test_results_without_text_are_told_without_drawings(kugiri: Kugiri, textless: Swept) -> None:
    done = kugiri("lost", textless.results)
    assert (done.code, done.err) == (0, "")
    assert list(blocks_of(done.out)) == [(label, name) for label in LABELS for name in lost_by_brute_force(label)]
    assert "cut at 20" in done.out
    assert "【" not in done.out
    for text in (*TEXTS.values(), *(question for question, _ in ASKED.values())):
        assert text[2:8] not in done.out


# ------------------------------------------------------------------------------------------------ refused
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--configuration", "fixed(size=5)"], ["'fixed(size=5)'", "fixed(size=6)"]),
        (["--configuration", "fixed(size=20, overlap=0.6)"], ["overlap=0.6", "'fixed(size=20, overlap=0.5)'"]),
        (["--configuration", "paragraf()"], ["'paragraph"]),
        (["--configuration", "fixed(size="], ["not a label", "fixed(size="]),
        (["--configuration", ""], ["not a label"]),
        (["--configuration", "x\x1b[31m"], [r"\x1b"]),
        (["--question", "q-休日"], ["'q-休日'", "'q-休暇'"]),
        (["--question", "nothing\u202e"], [r"nothing\u202e", "questions.parquet"]),
    ],
)
def test_unknown_labels_and_ids_name_the_nearest(
    kugiri: Kugiri, swept: Swept, arguments: list[str], words: list[str]
) -> None:
    done = kugiri("lost", swept.results, *arguments)
    refused(done, *words)
    assert done.out == ""
    assert ANSI not in done.err
    assert BIDI not in done.err


def damaged(kind: str, folder: Path) -> None:
    table = folder / "tables" / "lost.parquet"
    manifest = folder / "manifest.json"
    if kind == "changed table":
        data = bytearray(table.read_bytes())
        data[len(data) // 2] ^= 1
        table.write_bytes(data)
    elif kind == "cut table":
        table.write_bytes(table.read_bytes()[:-1])
    elif kind == "missing table":
        table.unlink()
    elif kind == "table of another sweep":
        shutil.copy(folder / "tables" / "chunks.parquet", table)
    elif kind == "changed facts":
        facts = folder / "tables" / "sweep.json"
        facts.write_bytes(facts.read_bytes().replace(b"hostile", b"hospice"))
    elif kind == "a table too many":
        shutil.copy(table, table.with_name("runs.parquet"))
    elif kind == "no manifest":
        manifest.unlink()
    elif kind == "broken manifest":
        manifest.write_bytes(manifest.read_bytes()[:-3])
    elif kind == "format of the future":
        manifest.write_bytes(manifest.read_bytes().replace(b'"format": 1', b'"format": 2'))
    else:
        shutil.rmtree(folder)


DAMAGES = {
    "changed table": "lost.parquet",
    "cut table": "lost.parquet",
    "missing table": "lost.parquet",
    "table of another sweep": "lost.parquet",
    "changed facts": "sweep.json",
    "a table too many": "runs.parquet",
    "no manifest": "manifest.json",
    "broken manifest": "manifest.json",
    "format of the future": "format 2",
    "no folder": "does not exist",
}


@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("command", ["lost", "report"])
def test_damaged_results_are_refused(kugiri: Kugiri, results: Path, kind: str, command: str) -> None:
    damaged(kind, results)
    before = sorted(path.name for path in results.parent.iterdir())
    done = kugiri(command, results)
    refused(done, DAMAGES[kind])
    assert done.out == ""
    assert sorted(path.name for path in results.parent.iterdir()) == before


# ------------------------------------------------------------------------------------------------ errors of ours
def test_an_unexpected_error_gives_three_lines_and_says_it_is_our_fault(
    kugiri: Kugiri, monkeypatch: pytest.MonkeyPatch, swept: Swept
) -> None:
    def broken(folder: Path) -> None:
        raise ZeroDivisionError("三\x1b[31m\n行")

    monkeypatch.setattr("kugiri.export.results.read_results", broken)
    done = kugiri("lost", swept.results)
    assert (done.code, done.out) == (1, "")
    lines = done.err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["error", "where", "do"]
    assert "ZeroDivisionError" in lines[0]
    assert r"三\x1b[31m\n行" in lines[0]
    assert "test_lost_command.py" in lines[1]
    assert "--debug" in lines[2]


def test_debug_shows_the_traceback_above_the_three_lines(
    kugiri: Kugiri, monkeypatch: pytest.MonkeyPatch, swept: Swept
) -> None:
    def broken(folder: Path) -> None:
        raise ZeroDivisionError("区切り")

    plain = kugiri("lost", swept.root)
    assert "Traceback" not in plain.err
    told = kugiri("--debug", "lost", swept.root)
    assert (told.code, "Traceback" in told.err) == (2, True)
    assert told.err.splitlines()[-3:] == plain.err.splitlines()
    monkeypatch.setattr("kugiri.export.results.read_results", broken)
    done = kugiri("--debug", "lost", swept.results)
    assert done.code == 1
    assert "Traceback" in done.err
    assert [line.split(":")[0] for line in done.err.splitlines()[-3:]] == ["error", "where", "do"]


# ------------------------------------------------------------------------------------------------ the terminal
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")
def test_colours_on_a_terminal_and_none_with_no_color_or_in_a_pipe(swept: Swept) -> None:
    piped = process("lost", "reports/hostile", cwd=swept.root).stdout.decode()
    coloured = on_a_terminal(swept.root, "lost", "reports/hostile")
    plain = on_a_terminal(swept.root, "lost", "reports/hostile", NO_COLOR="1")
    assert ANSI not in piped + plain
    assert re.search("\x1b\\[[0-9;]*m【", coloured)
    assert re.search("\x1b\\[[0-9;]*m｜", coloured)
    # Colours are all that a terminal adds: nothing but them stands behind an escape.
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain == piped


def on_a_terminal(folder: Path, *arguments: str, columns: int = 80, **environment: str) -> str:
    """What the command prints where its standard output is a terminal of so many columns."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    left_out = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "CI", "COLORTERM")
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    settings = {**inherited, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}
    command = [sys.executable, "-c", "from kugiri.cli import main; main()", *arguments]
    running = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, cwd=folder, env=settings)
    os.close(theirs)
    data = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the last writer has gone.
            break
        if not piece:
            break
        data += piece
    os.close(ours)
    assert running.wait(timeout=60) == 0
    return data.decode().replace("\r\n", "\n")


def test_a_results_folder_is_found_from_anywhere(swept: Swept, tmp_path: Path) -> None:
    there: Outcome = run_in(tmp_path, "lost", swept.results)
    assert there.out == run_in(swept.root, "lost", "reports/hostile").out


def test_evidence_of_the_fixture_is_what_the_tests_think(swept: Swept) -> None:
    spans = {
        (row["question_id"], row["document_id"], row["start"], row["end"])
        for row in rows(swept.results, "questions")
        if row["start"] is not None
    }
    assert spans == {(name, *span) for name in ASKED for spans in evidence_of(name) for span in spans}
