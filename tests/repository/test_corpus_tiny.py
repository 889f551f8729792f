"""The tiny corpus: what it has, and that corpora/README.md shows all of it."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from typing import Any

import pytest
from clone import ROOT, run_in
from handbook import PAGE, table

import kugiri

FOLDER = ROOT / "corpora" / "tiny"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_bytes().decode("utf-8").split("\n") if line]


DOCUMENTS, QUESTIONS = lines("documents.jsonl"), lines("questions.jsonl")
TEXT = {document["id"]: document["text"] for document in DOCUMENTS}


def test_it_is_small_and_has_everything() -> None:
    assert len(DOCUMENTS) == 2
    assert all(250 <= len(text) <= 330 for text in TEXT.values())
    assert len(QUESTIONS) == 8
    assert {question["kind"] for question in QUESTIONS} == {"single", "multiple", "confusable", "unanswerable"}
    assert {question["split"] for question in QUESTIONS} == {"development", "test"}
    assert any(len(question["evidence"]) == 2 for question in QUESTIONS)
    everything = "".join(TEXT.values())
    for what in ("\r\n", "\u3000", "\u200d", "\u3099", "\ufe0f", "\U0001f469", "１", "（１）"):
        assert what in everything, what
    assert [bool(re.search("[^\r]\n", text)) for text in TEXT.values()] == [True, False]


def test_quotations_occur_once_where_they_are() -> None:
    for question in QUESTIONS:
        for span in (span for spans in question["evidence"] for span in spans):
            text = TEXT[span["document"]]
            assert text[span["start"] : span["end"]] == span["text"]
            assert text.count(span["text"]) == 1


def test_the_command_warns_of_nothing() -> None:
    said = json.loads(run_in(ROOT, "corpus", "check", "corpora/tiny", "--json"))
    assert (said["documents"], said["questions"], said["answerable"], said["warnings"]) == (2, 8, 7, [])
    for name in ("documents", "questions"):
        data = (FOLDER / f"{name}.jsonl").read_bytes()
        assert hashlib.sha256(data).hexdigest() == said[f"{name}_sha256"]


@pytest.mark.parametrize(
    ("size", "overlap", "ids"),
    [
        (20, 0, ("q4", "q5", "q6", "q7")),
        (20, 0.5, ("q4", "q6", "q7")),
        (40, 0, ("q4", "q6")),
        (80, 0, ()),
        (80, 0.2, ("q4",)),
    ],
)
def test_small_windows_lose_some(size: int, overlap: float, ids: tuple[str, ...]) -> None:
    corpus, questions = kugiri.load_corpus(FOLDER)
    assert kugiri.evidence_loss(corpus, questions, kugiri.Fixed(size, overlap=overlap)).lost_ids == ids


def test_the_page_shows_the_whole_corpus() -> None:
    for text in TEXT.values():
        shown = text.replace("\r\n", "\n").rstrip("\n")
        assert f"```text\n{shown}\n```" in PAGE
    rows = [[cell.strip() for cell in row] for row in table("id")]
    assert rows == [
        [
            question["id"],
            question["kind"],
            question["question"],
            " or ".join(" and ".join(span["text"] for span in spans) for spans in question["evidence"]) or "none",
        ]
        for question in QUESTIONS
    ]


def test_the_page_shows_what_explain_prints() -> None:
    found = re.findall(r"^\$ kugiri (explain corpora/tiny [^\n]*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    for command, shown in found:
        assert run_in(ROOT, *shlex.split(command)).split() == shown.split()
