"""corpora/README.md on the bundled corpus: every figure of the page, counted from the raw files."""

from __future__ import annotations

from collections import Counter
from typing import Any

from clone import ROOT, run_in
from handbook import (
    ANSWERABLE,
    BLOCKS,
    DOCUMENTS,
    KINDS,
    PAGE,
    PARAGRAPHS,
    QUESTIONS,
    TAGS,
    TEXT,
    lost,
    table,
    told,
    windows,
)

SIZES = (100, 200, 400, 800)


def by_part(questions: list[dict[str, Any]]) -> list[int]:
    parts = Counter(question["split"] for question in questions)
    return [parts["development"], parts["test"], len(questions)]


def numbers(row: list[str]) -> list[int]:
    return [int(cell) for cell in row[1:]]


def test_the_page_counts_the_documents_right() -> None:
    part = {span["document"]: question["split"] for question in ANSWERABLE for s in question["evidence"] for span in s}
    rows = table("document")
    assert rows[:-1] == [
        [
            document["id"],
            document["metadata"]["kind"],
            str(len(document["text"])),
            str(len(document["paragraphs"])),
            "CRLF" if "\r\n" in document["text"] else "LF",
            part[document["id"]],
        ]
        for document in DOCUMENTS
    ]
    assert (rows[-1][2], rows[-1][3]) == (str(sum(map(len, TEXT.values()))), str(sum(map(len, PARAGRAPHS.values()))))


def test_the_page_counts_the_questions_right() -> None:
    rows = table("questions")
    assert [row[0] for row in rows] == [*KINDS, "all"]
    for row in rows[:-1]:
        assert numbers(row) == by_part([question for question in QUESTIONS if question["kind"] == row[0]]), row
    assert numbers(rows[-1]) == by_part(QUESTIONS)
    tags = table("tag")
    assert [row[0] for row in tags] == [*TAGS, "none"]
    for row in tags[:-1]:
        assert numbers(row) == by_part([question for question in QUESTIONS if row[0] in question["tags"]]), row
    assert numbers(tags[-1]) == by_part([question for question in QUESTIONS if not question["tags"]])


def test_the_page_counts_alternatives_right() -> None:
    def documents(spans: list[dict[str, Any]]) -> int:
        return len({span["document"] for span in spans})

    def paragraphs(spans: list[dict[str, Any]]) -> int:
        held = (
            (span["document"], start)
            for span in spans
            for start, end in PARAGRAPHS[span["document"]]
            if start <= span["start"] and span["end"] <= end
        )
        return len(set(held))

    several = [question for question in QUESTIONS if len(question["evidence"]) > 1]
    together = [question for question in QUESTIONS if any(documents(spans) > 1 for spans in question["evidence"])]
    multiple = [question for question in QUESTIONS if question["kind"] == "multiple"]
    close = [question for question in multiple if all(paragraphs(spans) == 1 for spans in question["evidence"])]
    widened = sum("units" in question for question in QUESTIONS)
    assert told(f"{len(DOCUMENTS)} documents, {len(QUESTIONS)} questions")
    assert told(f"{len(several)} questions have more than one alternative")
    assert told(f"{len(together)} need two documents together")
    assert told(f"{len(close)} of the `multiple` ones need pieces of one paragraph only")
    assert told(f"on all {widened} answerable questions") == (widened == len(ANSWERABLE))


def test_the_page_shows_the_histogram_that_the_command_prints() -> None:
    shown = run_in(ROOT, "corpus", "show", "corpora/handbook").split("\n\n")
    (histogram,) = [block for block in shown if block.startswith("evidence spans:")]
    assert f"```text\n{histogram}\n```" in PAGE


def test_the_page_counts_the_paragraphs_right() -> None:
    plain, recorded = (sum(map(len, chunks.values())) for chunks in (BLOCKS, PARAGRAPHS))
    assert told(f"the {plain} blocks between blank lines")
    assert told(f"({plain - recorded} joins, {recorded} paragraphs)")
    assert told(f"cuts at the blank lines and loses {lost(BLOCKS)}.")
    assert told(f"Recorded paragraphs: {lost(PARAGRAPHS)} lost. Blank lines: {lost(BLOCKS)} lost.")


def test_the_page_counts_the_losses_right() -> None:
    rows = {row[0]: numbers(row) for row in table("overlap")}
    told_of = {
        f"{overlap}{name}": [lost(windows(size, size * share // 5), unit) for size in SIZES]
        for name, unit in (("", None), (" sentences registered", "sentence"), (" paragraphs registered", "paragraph"))
        for overlap, share in (("0", 0), ("20 %", 1))
    }
    assert {label.replace(",", ""): losses for label, losses in rows.items()} == told_of
    assert rows["0"] == [430, 261, 124, 60]
    assert rows["20 %"] == [351, 176, 52, 6]
    assert told(f"Lost questions of the {len(ANSWERABLE)} answerable ones")
