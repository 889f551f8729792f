"""The bundled corpus: what issue 4 asks of its size, its offsets and its parts, from the raw files."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from typing import Any

import pyarrow.parquet as pq
import pytest
from clone import ROOT, run_in
from handbook import (
    ANSWERABLE,
    BLOCKS,
    DOCUMENTS,
    FOLDER,
    KINDS,
    LENGTHS,
    NEAREST,
    PARAGRAPHS,
    QUESTIONS,
    SPANS,
    TAGS,
    TEXT,
    lost,
    windows,
)

Span = dict[str, Any]
SIZES = (100, 200, 400, 800)


def inside(inner: Span, outer: Span) -> bool:
    return outer["document"] == inner["document"] and outer["start"] <= inner["start"] and inner["end"] <= outer["end"]


def test_it_is_as_large_as_the_issue_asks() -> None:
    assert len(TEXT) == len(DOCUMENTS) >= 24
    assert sum(map(len, TEXT.values())) >= 90_000
    assert len(QUESTIONS) >= 500
    counts = Counter(question["kind"] for question in QUESTIONS)
    assert set(counts) == set(KINDS)
    assert all(counts[kind] >= least for kind, least in zip(KINDS, (300, 80, 70, 50), strict=True)), counts


def test_documents_and_evidence_are_short_and_long() -> None:
    sizes = sorted(map(len, TEXT.values()))
    assert 800 <= sizes[0] <= 1_000
    assert 11_000 <= sizes[-1] <= 12_000
    for low, high, least in ((2_000, 3_000, 6), (3_000, 5_000, 3), (5_000, 8_000, 4), (8_000, 12_001, 2)):
        assert sum(low <= size < high for size in sizes) >= least, (low, high)
    assert min(LENGTHS) == 2
    assert 270 <= max(LENGTHS) <= 300
    for low, high, share in ((2, 10, 0.2), (11, 35, 0.2), (36, 80, 0.15), (81, 150, 0.12), (151, 300, 0.08)):
        assert sum(low <= length <= high for length in LENGTHS) >= share * len(LENGTHS), (low, high)


def test_paragraphs_are_short_and_long() -> None:
    sizes = [end - start for paragraphs in PARAGRAPHS.values() for start, end in paragraphs]
    for low, high in ((1, 20), (20, 60), (60, 150), (150, 300), (300, 500), (600, 1_200)):
        assert sum(low <= size < high for size in sizes) >= 5, (low, high)


def test_it_has_what_breaks_tools() -> None:
    everything = "".join(TEXT.values())
    for what in (
        "\r\n",
        "\u3000",
        "\u200d",
        "\u3099",
        "\ufe0f",
        "\t",
        "```",
        "・",
        "（１）",
        "０",
        "0",
        "ただし",
        "｜",
    ):
        assert what in everything, what
    assert re.search("[\U0001f300-\U0001faff]", everything)
    assert sum("\r\n" in text for text in TEXT.values()) == 4
    assert not any("\r\n" in text and re.search("[^\r]\n", text) for text in TEXT.values())


def test_every_span_is_its_quotation() -> None:
    for span in SPANS:
        assert TEXT[span["document"]][span["start"] : span["end"]] == span["text"] == span["text"].strip()


def test_no_question_stands_twice() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({"".join(question["question"].split()) for question in QUESTIONS}) == len(QUESTIONS)


def test_answers_evidence_and_tags_belong_together() -> None:
    for question in QUESTIONS:
        assert (question["kind"] == "unanswerable") == (question["evidence"] == []), question["id"]
        assert bool(question.get("answer")) == bool(question["evidence"]), question["id"]
        assert set(question["tags"]) <= set(TAGS), question["id"]
        assert len(question["tags"]) == len(set(question["tags"])), question["id"]
    found = Counter(tag for question in QUESTIONS for tag in question["tags"])
    assert min(found[tag] for tag in TAGS) >= 50, found


def test_multiple_needs_pieces_from_different_places_and_nothing_else_does() -> None:
    for question in ANSWERABLE:
        for spans in question["evidence"]:
            assert (len(spans) >= 2) == (question["kind"] == "multiple"), question["id"]
            placed = sorted((span["document"], span["start"], span["end"]) for span in spans)
            for (document, _, end), (other, start, _) in itertools.pairwise(placed):
                assert document != other or start - end > 1, question["id"]


def test_alternatives_differ() -> None:
    for question in ANSWERABLE:
        keys = [
            tuple((span["document"], span["start"], span["end"]) for span in spans) for spans in question["evidence"]
        ]
        assert len(set(keys)) == len(keys), question["id"]


def test_a_document_belongs_to_one_part_and_all_evidence_of_a_question_too() -> None:
    parts: dict[str, set[str]] = {identity: set() for identity in TEXT}
    for question in QUESTIONS:
        assert question["split"] in ("development", "test"), question["id"]
        for spans in question["evidence"]:
            for span in spans:
                parts[span["document"]].add(question["split"])
    assert all(len(found) == 1 for found in parts.values()), parts
    for kind in KINDS:
        both = Counter(question["split"] for question in QUESTIONS if question["kind"] == kind)
        assert min(both["development"], both["test"]) >= 0.3 * both.total(), (kind, both)


def test_units_widen_the_evidence_and_stay_in_its_paragraph() -> None:
    widened = [question for question in QUESTIONS if "units" in question]
    assert len(widened) >= 200
    longer = 0
    for question in widened:
        assert set(question["units"]) == {"sentence", "paragraph"}, question["id"]
        for alternatives in question["units"].values():
            for spans in alternatives:
                for span in spans:
                    assert TEXT[span["document"]][span["start"] : span["end"]].strip(), question["id"]
                    held = PARAGRAPHS[span["document"]]
                    assert any(s <= span["start"] and span["end"] <= e for s, e in held), question["id"]
        for spans in question["evidence"]:
            for alternatives in question["units"].values():
                assert any(all(any(inside(x, y) for y in wide) for x in spans) for wide in alternatives), question["id"]
        for sentences, paragraphs in zip(question["units"]["sentence"], question["units"]["paragraph"], strict=False):
            longer += sum(map(_length, paragraphs)) > sum(map(_length, sentences))
    assert longer >= 200


def _length(span: Span) -> int:
    return int(span["end"] - span["start"])


def test_a_paragraph_is_a_block_or_the_blocks_that_evidence_runs_across() -> None:
    for identity, text in TEXT.items():
        starts, ends = ([edge[side] for edge in BLOCKS[identity]] for side in (0, 1))
        outside = set(range(len(text))).difference(*(range(s, e) for s, e in PARAGRAPHS[identity]))
        assert all(text[place].isspace() for place in outside)
        for start, end in PARAGRAPHS[identity]:
            first, last = starts.index(start), ends.index(end)
            for number in range(first, last):
                gap = {"document": identity, "start": ends[number], "end": starts[number + 1]}
                assert any(inside(gap, span) for span in SPANS), (identity, gap)


def test_losses_are_clear_for_small_windows_and_not_gone_with_overlap() -> None:
    """The corpus separates configurations: no two of the eight lose the same number."""
    plain, overlapped = ([lost(windows(size, size * share // 5)) for size in SIZES] for share in (0, 1))
    for losses in (plain, overlapped):
        assert losses == sorted(set(losses), reverse=True)
    assert all(few < many for few, many in zip(overlapped, plain, strict=True))
    assert plain[0] > 0.4 * len(ANSWERABLE)
    assert plain[1] > 0.2 * len(ANSWERABLE)
    assert overlapped[2] > 0.05 * len(ANSWERABLE)
    assert overlapped[3] > 0
    assert lost(BLOCKS) > 0
    assert lost(PARAGRAPHS) == 0


def test_loss_cost_and_rank_have_different_winners() -> None:
    """In the tables of reports/eight, which another test compares with a fresh run."""
    rows = {
        row["chunker"]: row
        for row in pq.read_table(ROOT / "reports/eight/tables/configurations.parquet").to_pylist()
        if row["retriever"] == "bm25()"
    }
    assert len(rows) == 9
    loss = min(rows, key=lambda label: rows[label]["lost"])
    cost = min(rows, key=lambda label: rows[label]["chunks"])
    for metric in ("Recall@5", "nDCG@10"):
        best = max(rows, key=lambda label: rows[label][metric])
        assert (loss, cost, best) == ("paragraph()", "fixed(size=800)", "fixed(size=800, overlap=0.2)"), metric
    assert max(rows, key=lambda label: rows[label]["Recall(budget=1000)"]) == "paragraph()"
    assert len({row["Recall@5"] for row in rows.values()}) == 9


def test_the_command_counts_the_same_and_warns_of_nothing() -> None:
    said = json.loads(run_in(ROOT, "corpus", "check", "corpora/handbook", "--json"))
    assert (said["documents"], said["characters"]) == (len(DOCUMENTS), sum(map(len, TEXT.values())))
    assert (said["questions"], said["answerable"], said["spans"]) == (len(QUESTIONS), len(ANSWERABLE), len(SPANS))
    assert said["warnings"] == []


@pytest.mark.parametrize("name", ["corpus.toml", "documents.jsonl", "questions.jsonl", "nearest.jsonl"])
def test_the_files_end_their_lines_with_a_line_feed(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert b"\r" not in data
    assert data.endswith(b"\n")


def test_every_unanswerable_question_has_its_nearest_passage() -> None:
    rows = {row["question"]: row for row in NEAREST}
    assert len(rows) == len(NEAREST)
    assert set(rows) == {question["id"] for question in QUESTIONS if question["kind"] == "unanswerable"}
    for row in NEAREST:
        assert TEXT[row["document"]][row["start"] : row["end"]] == row["text"] == row["text"].strip(), row["question"]
        assert len(row["text"]) >= 5, row["question"]
        assert len(row["why"]) >= 15, row["question"]
        assert row["why"].endswith("。"), row["question"]
    assert len({row["why"] for row in NEAREST}) == len(NEAREST)
