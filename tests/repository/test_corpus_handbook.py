"""The bundled corpus: what issue 2 asks of it, and what its own page says of it, counted from the raw files."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from clone import ROOT, run_in

FOLDER = ROOT / "corpora" / "handbook"
PAGE = (ROOT / "corpora" / "README.md").read_text(encoding="utf-8")
KINDS = ("single", "multiple", "confusable", "unanswerable")


def lines(name: str) -> list[dict[str, Any]]:
    text = (FOLDER / name).read_bytes().decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


DOCUMENTS, QUESTIONS = lines("documents.jsonl"), lines("questions.jsonl")
TEXT = {document["id"]: document["text"] for document in DOCUMENTS}
SPANS = [span for question in QUESTIONS for spans in question["evidence"] for span in spans]
LENGTHS = [span["end"] - span["start"] for span in SPANS]


def table(heading: str) -> list[list[str]]:
    """The rows below the heading row that starts so, up to the next blank line, markup removed."""
    _, _, rest = PAGE.partition(f"\n| {heading} |")
    assert rest, heading
    rows = rest.split("\n\n")[0].splitlines()[2:]
    return [[re.sub(r"[*`,]", "", cell).strip() for cell in row.strip("|").split("|")] for row in rows]


def crossing_spans() -> list[dict[str, Any]]:
    """Evidence that no single paragraph holds."""
    paragraphs = {document["id"]: document["paragraphs"] for document in DOCUMENTS}
    return [
        span
        for span in SPANS
        if not any(s <= span["start"] and span["end"] <= e for s, e in paragraphs[span["document"]])
    ]


def test_it_is_as_large_as_the_issue_asks() -> None:
    assert len(DOCUMENTS) >= 6
    assert all(1_500 <= len(text) <= 4_000 for text in TEXT.values())
    assert len(QUESTIONS) >= 60
    assert min(LENGTHS) == 3
    assert 140 <= max(LENGTHS) <= 150
    assert {question["kind"] for question in QUESTIONS} == set(KINDS)


def test_it_has_what_breaks_tools() -> None:
    everything = "".join(TEXT.values())
    for what in ("\r\n", "\u3000", "\u200d", "\u3099", "\ufe0f", "０", "（"):
        assert what in everything, what
    assert sum("\r\n" in text for text in TEXT.values()) == 2
    assert not any("\r\n" in text and re.search("[^\r]\n", text) for text in TEXT.values())


def test_every_span_is_its_quotation_and_every_paragraph_a_block() -> None:
    for span in SPANS:
        assert TEXT[span["document"]][span["start"] : span["end"]] == span["text"]
    for document in DOCUMENTS:
        text = document["text"]
        blocks = [(m.start(), m.end()) for m in re.finditer(r"(?:(?!\r?\n[ \t\u3000]*\r?\n).)+", text, re.DOTALL)]
        outside = set(range(len(text))) - {
            place for start, end in document["paragraphs"] for place in range(start, end)
        }
        assert all(text[place].isspace() for place in outside)
        assert len(document["paragraphs"]) == len([pair for pair in blocks if text[slice(*pair)].strip()])


def test_answers_and_evidence_belong_together() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)
    for question in QUESTIONS:
        assert (question["kind"] == "unanswerable") == (question["evidence"] == [])
        assert question["split"] in ("development", "test")


def test_the_page_counts_the_documents_right() -> None:
    rows = table("document")
    for identity, _, characters, paragraphs, ends, _ in rows[:-1]:
        (document,) = [document for document in DOCUMENTS if document["id"] == identity]
        assert int(characters) == len(document["text"])
        assert int(paragraphs) == len(document["paragraphs"])
        assert ends == ("CRLF" if "\r\n" in document["text"] else "LF")
    assert [row[0] for row in rows[:-1]] == list(TEXT)
    assert int(rows[-1][2]) == sum(map(len, TEXT.values()))
    assert int(rows[-1][3]) == sum(len(document["paragraphs"]) for document in DOCUMENTS)


def test_the_page_counts_the_questions_right() -> None:
    counts = Counter((question["kind"], question["split"]) for question in QUESTIONS)
    for kind, development, test, both in table("questions")[:-1]:
        assert (int(development), int(test)) == (counts[kind, "development"], counts[kind, "test"])
        assert int(both) == int(development) + int(test)
    last = [int(cell) for cell in table("questions")[-1][1:]]
    splits = Counter(question["split"] for question in QUESTIONS)
    assert last == [splits["development"], splits["test"], len(QUESTIONS)]
    alternatives = sum(len(question["evidence"]) > 1 for question in QUESTIONS)
    together = sum(
        any(len({span["document"] for span in spans}) > 1 for spans in question["evidence"]) for question in QUESTIONS
    )
    told = " ".join(PAGE.split())
    assert f"{len(DOCUMENTS)} documents, {len(QUESTIONS)} questions" in told
    assert f"{alternatives} questions have more than one alternative" in told
    assert f"{together} need two documents together" in told
    assert f"the evidence of {len(crossing_spans())} crosses a blank line" in told


def test_the_page_counts_the_evidence_right() -> None:
    ((_, *cells),) = table("evidence length (characters)")
    bounds = [(3, 10), (11, 35), (36, 80), (81, 150)]
    assert [int(cell) for cell in cells] == [
        *(sum(low <= length <= high for length in LENGTHS) for low, high in bounds),
        len(LENGTHS),
    ]


def lost(size: int | None, overlap: int = 0) -> int:
    """Questions that no alternative is kept of, over sets of positions."""

    def chunks(document: dict[str, Any]) -> list[tuple[int, int]]:
        if size is None:
            return [tuple(pair) for pair in document["paragraphs"]]
        length, found, start = len(document["text"]), [], 0
        while not found or found[-1][1] < length:
            found.append((start, min(length, start + size)))
            start += size - overlap
        return found

    made = {document["id"]: chunks(document) for document in DOCUMENTS}

    def kept(spans: list[dict[str, Any]]) -> bool:
        return all(any(s <= x["start"] and x["end"] <= e for s, e in made[x["document"]]) for x in spans)

    return sum(bool(question["evidence"]) and not any(map(kept, question["evidence"])) for question in QUESTIONS)


def test_the_page_counts_the_losses_right() -> None:
    rows = {row[0]: [int(cell) for cell in row[1:]] for row in table("overlap")}
    sizes = (100, 200, 400, 800)
    assert rows["0"] == [lost(size) for size in sizes] == [70, 33, 12, 7]
    assert rows["20 %"] == [lost(size, size // 5) for size in sizes] == [48, 13, 4, 0]
    assert f"Recorded paragraphs: {lost(None)} lost" in PAGE
    assert lost(None) == 4


def test_the_command_counts_the_same_and_warns_of_nothing_unintended() -> None:
    told = json.loads(run_in(ROOT, "corpus", "check", "corpora/handbook", "--json"))
    answerable = sum(bool(question["evidence"]) for question in QUESTIONS)
    assert (told["documents"], told["characters"]) == (len(DOCUMENTS), sum(map(len, TEXT.values())))
    assert (told["questions"], told["answerable"], told["spans"]) == (len(QUESTIONS), answerable, len(SPANS))
    # Evidence across a blank line is there on purpose, and the corpus's page says how much.
    assert [(warning["code"], len(warning["places"])) for warning in told["warnings"]] == [
        ("crossing_paragraphs", len(crossing_spans()))
    ]


@pytest.mark.parametrize("name", ["corpus.toml", "documents.jsonl", "questions.jsonl"])
def test_the_files_end_their_lines_with_a_line_feed(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert b"\r" not in data
    assert data.endswith(b"\n")
