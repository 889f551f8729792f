"""corpora/handbook read from its raw files, losses by brute force, and the tables of corpora/README.md."""

from __future__ import annotations

import json
import re
from typing import Any

from clone import ROOT

FOLDER = ROOT / "corpora" / "handbook"
PAGE = (ROOT / "corpora" / "README.md").read_text(encoding="utf-8")
KINDS = ("single", "multiple", "confusable", "unanswerable")
_BLOCK = re.compile(r"(?:(?!\r?\n[ \t\u3000]*\r?\n).)+", re.DOTALL)


def lines(name: str) -> list[dict[str, Any]]:
    """The records of one file; only \\n ends a line."""
    text = (FOLDER / name).read_bytes().decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def questions() -> list[dict[str, Any]]:
    """The questions, each with its tags, were it none."""
    return [{"tags": [], **record} for record in lines("questions.jsonl")]


DOCUMENTS, QUESTIONS, NEAREST = lines("documents.jsonl"), questions(), lines("nearest.jsonl")
TEXT: dict[str, str] = {document["id"]: document["text"] for document in DOCUMENTS}
PARAGRAPHS = {document["id"]: [(start, end) for start, end in document["paragraphs"]] for document in DOCUMENTS}
ANSWERABLE = [question for question in QUESTIONS if question["evidence"]]
SPANS = [span for question in QUESTIONS for spans in question["evidence"] for span in spans]
LENGTHS = [span["end"] - span["start"] for span in SPANS]
TAGS = ("exact-match", "paraphrase", "table", "list", "condition", "number", "date", "negation")

Chunks = dict[str, list[tuple[int, int]]]


def blocks(text: str) -> list[tuple[int, int]]:
    """What stands between blank lines, without the line breaks around it."""
    found = []
    for match in _BLOCK.finditer(text):
        start, end = match.span()
        while start < end and text[start] in "\r\n":
            start += 1
        while end > start and text[end - 1] in "\r\n":
            end -= 1
        if text[start:end].strip():
            found.append((start, end))
    return found


BLOCKS: Chunks = {identity: blocks(text) for identity, text in TEXT.items()}


def windows(size: int, overlap: int = 0) -> Chunks:
    """Fixed windows in code points, up to the first that reaches the end."""
    made: Chunks = {}
    for identity, text in TEXT.items():
        found, start = [(0, min(len(text), size))], size - overlap
        while found[-1][1] < len(text):
            found.append((start, min(len(text), start + size)))
            start += size - overlap
        made[identity] = found
    return made


def holds(chunks: Chunks, span: dict[str, Any]) -> bool:
    """Whether one single chunk has every position of the span, over sets."""
    wanted = set(range(span["start"], span["end"]))
    near = (range(s, e) for s, e in chunks[span["document"]] if s <= span["start"] < e)
    return any(not wanted.difference(chunk) for chunk in near)


def lost(chunks: Chunks, unit: str | None = None) -> int:
    """Questions that no alternative is kept of; with a unit, its alternatives in place of the evidence."""
    evidence = [question["units"][unit] if unit else question["evidence"] for question in ANSWERABLE]
    return sum(not any(all(holds(chunks, span) for span in spans) for spans in asked) for asked in evidence)


def table(heading: str) -> list[list[str]]:
    """The rows below the heading row that starts so, up to the next blank line, markup removed."""
    _, _, rest = PAGE.partition(f"\n| {heading} |")
    assert rest, heading
    rows = rest.split("\n\n")[0].splitlines()[2:]
    return [[re.sub(r"[*`,]", "", cell).strip() for cell in row.strip("|").split("|")] for row in rows]


def told(sentence: str) -> bool:
    """Whether the page says so, wherever its lines break."""
    return sentence in " ".join(PAGE.split())
