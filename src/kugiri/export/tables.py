"""The results of a sweep as Arrow tables."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pyarrow as pa

from kugiri.evidence.lost import CAUSES
from kugiri.export.arrow import columns_as, table
from kugiri.export.cost_rows import cost_rows, expected_columns, lost_probability
from kugiri.export.rankings import budgets
from kugiri.export.schemas import RANK_CLASSES, schema
from kugiri.labels import chunk_id, label_of
from kugiri.metrics.rank import rank_classes
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int64
from kugiri.model.corpus import Corpus
from kugiri.model.evidence import Evidence
from kugiri.sweeps.characters import character_rows
from kugiri.sweeps.contests import NOT_AVERAGED
from kugiri.sweeps.evidence_units import unit_rows
from kugiri.sweeps.loss_slices import slice_rows
from kugiri.sweeps.results import ConfigurationResult, SweepResults
from kugiri.sweeps.rules import rule_rows

EXCERPT_MARGIN = 40
"""Characters of the document on either side of the evidence in `lost.excerpt`."""
PASSAGE_MARGIN = 300
"""Characters of the document on either side of the evidence in `questions.passage`."""


def tables(results: SweepResults, text: bool = True) -> dict[str, pa.Table]:
    """Every table of the results folder, by name; without `text` no column holds any text of the corpus."""
    return {
        "configurations": _configurations(results),
        "outcomes": _outcomes(results),
        "comparisons": table("comparisons", [dataclasses.asdict(pair) for pair in results.comparisons]),
        "standings": table("standings", [dataclasses.asdict(row) for row in results.standings]),
        "lost": _lost(results, text),
        "questions": _questions(results, text),
        "chunks": _chunks(results),
        "budgets": budgets(results),
        "costs": table("costs", cost_rows(results)),
        "rules": table("rules", [dataclasses.asdict(row) for row in rule_rows(results)]),
        "evidence_units": table("evidence_units", [dataclasses.asdict(row) for row in unit_rows(results)]),
        "characters": table("characters", [dataclasses.asdict(row) for row in character_rows(results)]),
        "loss_slices": table("loss_slices", [dataclasses.asdict(row) for row in slice_rows(results)]),
        "measured": table("measured", _measured_rows(results)),
    }


def _configurations(results: SweepResults) -> pa.Table:
    answerable = int(results.questions.answerable.sum())
    unknown = dict.fromkeys([*results.plan.metrics, *(name for name, _, _ in RANK_CLASSES)])
    rows = []
    for result in results.configurations:
        chunking, configuration, lost = result.loss.chunking, result.configuration, int(result.loss.lost.sum())
        size = _characters_allowed(configuration.chunker)
        indexed = result.indexed.characters
        rows.append(
            {
                "configuration": str(configuration),
                "chunker": label_of(configuration.chunker),
                "retriever": None if configuration.retriever is None else label_of(configuration.retriever),
                "chunks": len(result.indexed.vectors),
                "chunk_chars_mean": float(chunking.lengths.mean()) if len(chunking) else None,
                "indexed_chars": indexed,
                "redundancy": indexed / results.corpus.characters if results.corpus.characters else None,
                "clusters_split": result.clusters_split,
                "too_long_chunks": None if size is None else int((chunking.lengths > size).sum()),
                "identical_to": result.identical_to,
                "questions": answerable,
                "unanswerable": len(results.questions) - answerable,
                "lost": lost,
                "lost_rate": lost / answerable,
                "lost_low": result.interval[0],
                "lost_high": result.interval[1],
                "lost_low_document": result.interval_document[0],
                "lost_high_document": result.interval_document[1],
                **expected_columns(result.alignment),
                **(unknown | _means(results, result)),
            }
        )
    return table("configurations", rows, results.plan.metrics)


def _characters_allowed(chunker: object) -> int | None:
    """The chunker's own size where it counts code points; None where it has none or counts something else."""
    size = getattr(chunker, "size", None)
    counted = getattr(chunker, "unit", getattr(chunker, "tokenizer", "char"))
    return size if isinstance(size, int) and counted == "char" else None


def _means(results: SweepResults, result: ConfigurationResult) -> dict[str, Any]:
    """The means of the averaged metrics and the rank classes; nothing without retrieval."""
    if result.ranking is None:
        return {}
    answerable = results.questions.answerable
    means = {
        metric: float(result.outcomes[metric].value[answerable].mean())
        for metric in results.plan.metrics
        if metric not in NOT_AVERAGED and metric in result.outcomes
    }
    classes = zip((name for name, _, _ in RANK_CLASSES), rank_classes(result.ranking), strict=True)
    return {**means, **dict(classes)}


def _outcomes(results: SweepResults) -> pa.Table:
    count = len(results.questions)
    parts = [schema("outcomes").empty_table()]
    for result in results.configurations:
        for outcome in (result.needs, *result.outcomes.values()):
            columns = {
                "configuration": [str(result.configuration)] * count,
                "question_id": results.questions.ids,
                "metric": [outcome.metric] * count,
                "value": pa.array(outcome.value, mask=~outcome.defined),
                "defined": outcome.defined,
            }
            parts.append(columns_as("outcomes", columns))
    return pa.concat_tables(parts).combine_chunks()


def _lost(results: SweepResults, text: bool) -> pa.Table:
    return table("lost", [row for result in results.configurations for row in _lost_rows(results, result, text)])


def _lost_rows(results: SweepResults, result: ConfigurationResult, text: bool) -> list[dict[str, Any]]:
    corpus, asked, rows, chunking = results.corpus, results.questions, result.loss.rows, result.loss.chunking
    label = str(result.configuration)
    place = _Place(corpus, asked.evidence, rows.span)
    probability = lost_probability(result)
    made: list[dict[str, Any]] = []
    for row, (document, origin, start, end) in enumerate(place.local()):
        question, cut = int(rows.question[row]), _or_none(rows.cut_at[row])
        cut = None if cut is None else cut - origin
        made.append(
            {
                "configuration": label,
                "question_id": asked.ids[question],
                "question": asked.texts[question] if text else None,
                "kind": asked.kinds[question],
                "document_id": corpus.ids[document],
                "evidence_start": start,
                "evidence_end": end,
                "evidence_text": corpus.texts[document][start:end] if text else None,
                "cause": CAUSES[rows.cause[row]],
                "cut_at": cut,
                "left_chunk_id": _chunk_id(chunking, int(rows.left[row])),
                "right_chunk_id": _chunk_id(chunking, int(rows.right[row])),
                "best_chunk_id": _chunk_id(chunking, int(rows.best[row])),
                "best_coverage": float(rows.best_coverage[row]),
                "overlap_needed": _or_none(rows.overlap_needed[row]),
                "size_needed": _or_none(rows.size_needed[row]),
                "lost_probability": probability[row],
                "excerpt": _excerpt(corpus.texts[document], start, end, cut) if text else None,
            }
        )
    return made


def _questions(results: SweepResults, text: bool) -> pa.Table:
    corpus, asked = results.corpus, results.questions
    evidence = asked.evidence
    in_file_order = np.argsort(evidence.order, kind="stable")
    span_question = evidence.span_question[in_file_order]
    first_alternative = np.searchsorted(evidence.question, np.arange(evidence.questions))
    spans: dict[int, list[dict[str, Any]]] = {}
    local = _Place(corpus, evidence, in_file_order).local()
    for span, question, (document, _, start, end) in zip(
        in_file_order.tolist(), span_question.tolist(), local, strict=True
    ):
        begin = max(0, start - PASSAGE_MARGIN)
        spans.setdefault(question, []).append(
            {
                "alternative": int(evidence.alternative[span] - first_alternative[question]),
                "document_id": corpus.ids[document],
                "start": start,
                "end": end,
                "passage_start": begin,
                "passage": corpus.texts[document][begin : end + PASSAGE_MARGIN] if text else None,
            }
        )
    nothing = dict.fromkeys(("alternative", "document_id", "start", "end", "passage_start", "passage"))
    rows = [
        {
            "question_id": asked.ids[question],
            "question": asked.texts[question] if text else None,
            "kind": asked.kinds[question],
            "tags": list(asked.tags[question]),
            "split": asked.splits[question],
            **span,
        }
        for question in range(len(asked))
        for span in spans.get(question, [nothing])
    ]
    return table("questions", rows)


def _chunks(results: SweepResults) -> pa.Table:
    distinct = {result.loss.label: result.loss.chunking for result in results.configurations}
    parts = [schema("chunks").empty_table()]
    for label, chunking in distinct.items():
        document = chunking.document
        origin = chunking.corpus.document_start[document]
        ids = pa.array(results.corpus.ids, type=pa.string())
        parts.append(
            columns_as(
                "chunks",
                {
                    "chunker": [label] * len(chunking),
                    "document_id": ids.take(pa.array(document)),
                    "start": chunking.start - origin,
                    "end": chunking.end - origin,
                },
            )
        )
    return pa.concat_tables(parts).combine_chunks()


def _measured_rows(results: SweepResults) -> list[dict[str, Any]]:
    return [
        {"configuration": str(result.configuration), "stage": stage, "seconds": seconds}
        for result in results.configurations
        for stage, seconds in result.seconds.items()
    ]


class _Place:
    """Spans as document, the document's origin on the axis, and local offsets."""

    def __init__(self, corpus: Corpus, evidence: Evidence, spans: Int64) -> None:
        self.document = corpus.document_of(evidence.start[spans])
        self.origin = corpus.document_start[self.document]
        self.start, self.end = evidence.start[spans] - self.origin, evidence.end[spans] - self.origin

    def local(self) -> list[tuple[int, int, int, int]]:
        columns = (self.document, self.origin, self.start, self.end)
        return list(zip(*(column.tolist() for column in columns), strict=True))


def _chunk_id(chunking: Chunking, chunk: int) -> str | None:
    if chunk < 0:
        return None
    start, end = int(chunking.start[chunk]), int(chunking.end[chunk])
    document = int(chunking.corpus.document_of(chunking.start[chunk]))
    origin = int(chunking.corpus.document_start[document])
    return chunk_id(chunking.corpus.ids[document], start - origin, end - origin)


def _or_none(value: Any) -> int | None:
    return None if value < 0 else int(value)


def _excerpt(text: str, start: int, end: int, cut: int | None) -> str:
    inside = text[start:end] if cut is None else f"{text[start:cut]}｜{text[cut:end]}"
    return f"{text[max(0, start - EXCERPT_MARGIN) : start]}【{inside}】{text[end : end + EXCERPT_MARGIN]}"
