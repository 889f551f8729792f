"""Small results for the report's tests: tables as the export writes them, from texts and cuts given by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from kugiri.export.schemas import schema
from kugiri.labels import chunk_id

Cuts = Mapping[str, Sequence[tuple[int, int]]]


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question with one span."""

    id: str
    text: str
    document: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Given:
    """What `write_report` reads, without a folder."""

    sweep: dict[str, Any]
    tables: dict[str, pa.Table]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.tables)

    def table(self, name: str) -> pa.Table:
        return self.tables[name]


def windows(length: int, size: int, overlap: int = 0) -> list[tuple[int, int]]:
    chunks, start = [], 0
    while True:
        chunks.append((start, min(start + size, length)))
        if start + size >= length:
            return chunks
        start += size - overlap


def given(
    texts: Mapping[str, str],
    questions: Sequence[Asked],
    chunkings: Mapping[str, Cuts],
    *,
    text: bool = True,
    nested: Sequence[tuple[str, str]] = (),
    metrics: Mapping[str, float] | None = None,
    **facts: Any,
) -> Given:
    """The tables and sweep.json of these cuts; `facts` replaces entries of sweep.json."""
    lost = {label: [q for q in questions if not _kept(cuts[q.document], q)] for label, cuts in chunkings.items()}
    characters = sum(map(len, texts.values()))
    asked = max(1, len(questions))
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("configurations", "lost", "questions", "chunks")}
    rows["outcomes"], rows["comparisons"] = [], []
    for label, cuts in chunkings.items():
        chunks = [(name, *chunk) for name in texts for chunk in cuts[name]]
        indexed = sum(end - start for _, start, end in chunks)
        share = len(lost[label]) / asked
        identical = next((other for other in chunkings if chunkings[other] == cuts and other != label), None)
        seen = [row["configuration"] for row in rows["configurations"]]
        rows["configurations"].append(
            {
                "configuration": label,
                "chunker": label,
                "chunks": len(chunks),
                "chunk_chars_mean": indexed / len(chunks),
                "indexed_chars": indexed,
                "redundancy": indexed / characters,
                "clusters_split": 0,
                "identical_to": identical if identical in seen else None,
                "questions": len(questions),
                "unanswerable": 0,
                "lost": len(lost[label]),
                "lost_rate": share if questions else None,
                "lost_low": max(0.0, share - 0.1) if questions else None,
                "lost_high": min(1.0, share + 0.1) if questions else None,
                "lost_low_document": max(0.0, share - 0.2) if questions else None,
                "lost_high_document": min(1.0, share + 0.2) if questions else None,
                **(metrics or {}),
            }
        )
        rows["chunks"] += [{"chunker": label, "document_id": n, "start": a, "end": b} for n, a, b in chunks]
        rows["lost"] += [_lost_row(label, question, texts, cuts, text) for question in lost[label]]
        rows["outcomes"] += [
            {
                "configuration": label,
                "question_id": question.id,
                "metric": "needs",
                "value": None if question in lost[label] else 1.0,
                "defined": question not in lost[label],
            }
            for question in questions
        ]
    labels = list(chunkings)
    for index, a in enumerate(labels):
        for b in labels[index + 1 :]:
            ids_a, ids_b = ({question.id for question in lost[label]} for label in (a, b))
            decision = "nested" if (a, b) in nested else None
            wins, losses = len(ids_a - ids_b), len(ids_b - ids_a)
            pair = {"metric": "lost", "a": a, "b": b, "wins": wins, "losses": losses, "decision": decision}
            rows["comparisons"].append(pair)
    rows["questions"] = [_question_row(question, texts, text) for question in questions]
    tables = {name: _table(name, entries, tuple(metrics or ())) for name, entries in rows.items()}
    return Given(_sweep(texts, questions, text, metrics, facts), tables)


def _table(name: str, rows: list[dict[str, Any]], metrics: Sequence[str]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=schema(name, metrics))


def _kept(chunks: Sequence[tuple[int, int]], question: Asked) -> bool:
    return any(start <= question.start and question.end <= end for start, end in chunks)


def _lost_row(label: str, question: Asked, texts: Mapping[str, str], cuts: Cuts, text: bool) -> dict[str, Any]:
    length = question.end - question.start
    shares = [
        (min(end, question.end) - max(start, question.start), start, end) for start, end in cuts[question.document]
    ]
    covered, start, end = max(shares, key=lambda share: share[0])
    return {
        "configuration": label,
        "question_id": question.id,
        "question": question.text if text else None,
        "kind": "single",
        "document_id": question.document,
        "evidence_start": question.start,
        "evidence_end": question.end,
        "evidence_text": texts[question.document][question.start : question.end] if text else None,
        "cause": "cut",
        "cut_at": next(end for start, end in cuts[question.document] if end > question.start),
        "best_chunk_id": chunk_id(question.document, start, end),
        "best_coverage": covered / length,
        "overlap_needed": length - 1,
    }


def _question_row(question: Asked, texts: Mapping[str, str], text: bool) -> dict[str, Any]:
    begin = max(0, question.start - 300)
    return {
        "question_id": question.id,
        "question": question.text if text else None,
        "kind": "single",
        "tags": [],
        "alternative": 0,
        "document_id": question.document,
        "start": question.start,
        "end": question.end,
        "passage_start": begin,
        "passage": texts[question.document][begin : question.end + 300] if text else None,
    }


def _sweep(
    texts: Mapping[str, str],
    questions: Sequence[Asked],
    text: bool,
    metrics: Mapping[str, float] | None,
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "format": 1,
        "kugiri": "0.1.0",
        "offset_unit": "codepoint",
        "title": "Ways to cut",
        "text": text,
        "corpus": {
            "name": "small",
            "title": "Small rules",
            "language": "en",
            "licence": "CC0-1.0",
            "source": "written for the test",
            "description": None,
            "documents": len(texts),
            "characters": sum(map(len, texts.values())),
            "documents_sha256": "d0",
            "questions_sha256": "f1",
        },
        "questions": {"answerable": len(questions), "unanswerable": 0, "sample": None, "split": None},
        "seed": 1,
        "metrics": list(metrics or ()),
        "primary": "Recall@5",
        "baseline": None,
        "cluster": "paragraph",
        "clusters": {"paragraph": 2, "document": 1},
        "excluded": [],
        "warnings": [],
        "components": {"fixed": 1},
        "failed": [],
        **facts,
    }


TEXT = "第1条　休暇は年に十日とする。\r\nか\u3099ぎは👩‍🔧が保管する。"
"""Japanese, U+3000, CRLF, a combining mark and an emoji of several code points."""


def small(**facts: Any) -> Given:
    """One document, two questions; the smaller windows lose both, the larger ones one, paragraphs none."""
    questions = (
        Asked("q1", "休暇は何日？", "d", 4, 14),
        Asked("q2", "誰が保管する？", "d", 17, 28),
    )
    cuts = {
        "fixed(size=5)": {"d": windows(len(TEXT), 5)},
        "fixed(size=10)": {"d": windows(len(TEXT), 10)},
        "paragraph()": {"d": [(0, 15), (17, len(TEXT))]},
    }
    return given({"d": TEXT}, questions, cuts, nested=[("fixed(size=5)", "fixed(size=10)")], **facts)
