"""`kugiri explain`: one question's evidence under several ways of cutting."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from corpus_command import Kugiri, corpus, refused
from hostile_sweep import (
    ANSI,
    ASKED,
    BIDI,
    LABELS,
    TEXTS,
    UNANSWERABLE,
    Swept,
    chunks_of,
    everything,
    evidence_of,
    lost_by_brute_force,
    windows,
)
from rich.cells import cell_len


def verdicts_of(out: str) -> dict[str, str]:
    return dict(re.findall(r"^(\S.*\)): (lost|kept|unanswerable)\b", out, re.MULTILINE))


@pytest.mark.parametrize("question", ASKED)
def test_the_verdict_of_every_strategy_is_that_of_brute_force(kugiri: Kugiri, swept: Swept, question: str) -> None:
    done = kugiri("explain", swept.corpus, question, *LABELS)
    assert (done.code, done.err) == (0, "")
    wanted = {label: "lost" if question in lost_by_brute_force(label) else "kept" for label in LABELS}
    if question == UNANSWERABLE:
        wanted = dict.fromkeys(LABELS, "unanswerable")
    assert verdicts_of(done.out) == wanted
    told = json.loads(kugiri("explain", swept.corpus, question, *LABELS, "--json").out)
    assert {row["chunker"]: row["verdict"] for row in told["strategies"]} == wanted
    assert told["question"] == ASKED[question][0]


@pytest.mark.parametrize("question", [name for name in ASKED if name != UNANSWERABLE])
def test_every_span_is_drawn_with_the_chunks_that_hold_it(kugiri: Kugiri, swept: Swept, question: str) -> None:
    told = json.loads(kugiri("explain", swept.corpus, question, *LABELS, "--json").out)
    for row in told["strategies"]:
        chunks = chunks_of(row["chunker"])
        assert row["chunks"] == sum(map(len, chunks.values()))
        wanted = [
            (number, name, start, end, [(s, e) for s, e in chunks[name] if s <= start and end <= e])
            for number, spans in enumerate(evidence_of(question))
            for name, start, end in spans
        ]
        found = [
            (
                span["alternative"],
                span["document_id"],
                span["start"],
                span["end"],
                [tuple(map(int, chunk.rpartition("@")[2].split(":"))) for chunk in span["chunks"]],
            )
            for span in row["spans"]
        ]
        assert found == wanted
        assert all(span["text"] == TEXTS[span["document_id"]][span["start"] : span["end"]] for span in row["spans"])
    shown = kugiri("explain", swept.corpus, question, *LABELS).out
    spans = sum(map(len, evidence_of(question)))
    # One bracket more on either side in the legend.
    assert (shown.count("【"), shown.count("】")) == (len(LABELS) * spans + 1, len(LABELS) * spans + 1)


@pytest.mark.parametrize("columns", [80, 160])
@pytest.mark.parametrize("question", ["q-朱", "q-絵文字", "q-長い", "q-段落越え", UNANSWERABLE])
def test_no_line_is_wider_than_the_terminal(
    kugiri: Kugiri, monkeypatch: pytest.MonkeyPatch, swept: Swept, question: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = kugiri("explain", swept.corpus, question, *LABELS)
    assert len(done.out.splitlines()) > len(LABELS)
    for line in done.out.split("\n"):
        assert cell_len(line) <= columns, line
    assert ANSI not in done.out
    assert BIDI not in done.out


def test_cuts_and_overlaps_are_marked_and_what_is_in_no_chunk_is_told(kugiri: Kugiri, swept: Swept) -> None:
    cut = kugiri("explain", swept.corpus, "q-繰越", "fixed(size=20)").out
    assert "【繰越は翌年｜度末日まで認める】" in cut
    assert "in no single chunk" in cut
    overlap = kugiri("explain", swept.corpus, "q-繰越", "fixed(size=20, overlap=0.5)").out
    assert "【繰越は翌年⟩⟨度末日まで認める】" in overlap
    assert "@10:30" in overlap
    across = kugiri("explain", swept.corpus, "q-段落越え", "paragraph()").out
    assert re.search(r"【保証は五箇年。⟩⏎\n\s*⏎\n\s*⟨照会先は内線】", across)


def test_labels_may_be_written_in_any_way_that_means_them(kugiri: Kugiri, swept: Swept) -> None:
    done = kugiri("explain", swept.corpus, "q-朱", "fixed(overlap=0.0,size=6)", " paragraph ( )", "paragraph")
    assert (done.code, done.err) == (0, "")
    assert list(verdicts_of(done.out)) == ["fixed(size=6)", "paragraph()"]


@pytest.mark.parametrize(
    ("question", "labels", "words"),
    [
        ("q-休日", ["paragraph()"], ["'q-休日'", "'q-休暇'"]),
        ("何か\x1b[2J", ["paragraph()"], [r"\x1b[2J", "questions.jsonl"]),
        ("q-朱", ["paragraf()"], ["'paragraf'", "'paragraph'"]),
        ("q-朱", ["paragraph()", "fixed(sise=6)"], ["'sise'", "'size'"]),
        ("q-朱", ["fixed()"], ["size"]),
        ("q-朱", ["fixed(size=8, overlap=8)"], ["overlap = 8", "size = 8"]),
        ("q-朱", ["fixed(size=8"], ["not a label"]),
        ("q-朱", ["fixed(size=8) + bm25()"], ["label"]),
        ("q-朱", ["Recall@5"], ["Recall"]),
        ("q-朱", ["\u202e"], [r"\u202e"]),
    ],
)
def test_what_is_refused_is_told_in_three_lines(
    kugiri: Kugiri, swept: Swept, tmp_path: Path, question: str, labels: list[str], words: list[str]
) -> None:
    done = kugiri("explain", swept.corpus, question, *labels)
    refused(done, *words)
    assert done.out == ""
    assert ANSI not in done.err
    assert BIDI not in done.err
    assert everything(tmp_path) == []


def test_a_folder_that_is_no_corpus(kugiri: Kugiri, swept: Swept, tmp_path: Path) -> None:
    refused(kugiri("explain", tmp_path / "nowhere", "q", "paragraph()"), "no such corpus folder")
    refused(kugiri("explain", swept.results, "q", "paragraph()"), "corpus.toml")
    corpus(tmp_path / "c", questions='{"id":"q","question":"?","evidence":[[]]}')
    refused(kugiri("explain", "c", "q", "paragraph()"), "questions.jsonl:1")


@pytest.mark.parametrize("question", [name for name in ASKED if name != UNANSWERABLE])
def test_the_cheapest_change_of_fixed_windows_is_found_by_trying(kugiri: Kugiri, swept: Swept, question: str) -> None:
    labels = ["fixed(size=6)", "fixed(size=20, overlap=0.5)", "paragraph()"]
    told = json.loads(kugiri("explain", swept.corpus, question, *labels, "--json").out)
    for row, (size, share) in zip(told["strategies"], [(6, 0.0), (20, 0.5), (0, 0.0)], strict=True):
        if row["verdict"] == "kept" or not size:
            assert row["change"] is None
            continue
        longest = max(map(len, TEXTS.values()))
        overlaps = ((size, units) for units in range(int(size * share) + 1, size))
        sizes = ((larger, int(larger * share)) for larger in range(size + 1, longest + 1))
        for what, pairs in (("overlap", overlaps), ("size", sizes)):
            found = next(((a, b) for a, b in pairs if _keeps(question, a, b)), None)
            assert row["change"][what] == (None if found is None else found[what == "overlap"])
            assert row["change"][f"{what}_chunks"] == (
                None if found is None else sum(len(windows(len(text), *found)) for text in TEXTS.values())
            )
        always = next(
            (units for units in range(size) if all(_keeps(question, size, units, shift) for shift in range(size))), None
        )
        # Enough wherever windows start; with alternatives perhaps more than that.
        told_always = row["change"]["overlap_always"]
        assert told_always == always or (len(evidence_of(question)) > 1 and always is not None)
        assert told_always is None or all(_keeps(question, size, told_always, shift) for shift in range(size))


def _keeps(question: str, size: int, overlap: int, shift: int = 0) -> bool:
    """Whether such windows hold the evidence; `shift` characters more in front of every document move them."""
    chunks = {
        name: [(a - shift, b - shift) for a, b in windows(shift + len(text), size, overlap)]
        for name, text in TEXTS.items()
    }
    return any(
        all(any(a <= s and e <= b for a, b in chunks[d]) for d, s, e in spans) for spans in evidence_of(question)
    )
