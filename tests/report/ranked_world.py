"""Results with retrieval for the report's tests: ranks given by hand over the small document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pyarrow as pa
from report_world import TEXT, Asked, Given, given, windows

from kugiri.export.schemas import schema

QUESTIONS = (
    Asked("q1", "休暇は何日？", "d", 4, 14),
    Asked("q2", "誰が保管する？", "d", 17, 28),
    Asked("q3", "第何条？", "d", 0, 3),
)
CUTS = {
    "fixed(size=5)": {"d": windows(len(TEXT), 5)},
    "paragraph()": {"d": [(0, 15), (17, len(TEXT))]},
}
RANKS: Mapping[str, Sequence[int | None]] = {
    "fixed(size=5) + bm25()": (None, None, 1),
    "paragraph() + bm25()": (1, 7, None),
    "fixed(size=5) + tfidf()": (None, None, 2),
    "paragraph() + tfidf()": (3, 25, 1),
}
METRICS = ("Recall@5", "MRR@10", "Recall(budget=1000)")


def ranked(
    labels: Sequence[str] = tuple(RANKS), metrics: Sequence[str] = METRICS, *, text: bool = True, **facts: Any
) -> Given:
    """These configurations; every pair of the primary metric differs unless both means are the same."""
    chunkers = tuple(dict.fromkeys(label.partition(" + ")[0] for label in labels))
    warnings = [{"code": "ties", "configuration": labels[0], "questions": 1}, {"code": "damaged_objects", "count": 2}]
    stated = {"margin": 0.05, "difference": 0.1, "resamples": 10000, "primary": metrics[0] if metrics else "Recall@5"}
    base = given(
        {"d": TEXT},
        QUESTIONS,
        {chunker: CUTS[chunker] for chunker in chunkers},
        text=text,
        metrics=dict.fromkeys(metrics, 0.0),
        **{"warnings": warnings, **stated, **facts},
    )
    values = {
        label: {metric: [_value(metric, rank) for rank in RANKS[label]] for metric in metrics} for label in labels
    }
    by_chunker = {row["chunker"]: row for row in base.table("configurations").to_pylist()}
    lost_rows, needs = base.table("lost").to_pylist(), base.table("outcomes").to_pylist()
    rows: dict[str, list[dict[str, Any]]] = {"configurations": [], "lost": [], "outcomes": [], "budgets": []}
    rows["standings"], rows["comparisons"] = [], []
    for label in labels:
        chunker, _, retriever = label.partition(" + ")
        means = {metric: sum(values[label][metric]) / 3 for metric in metrics}
        found = [rank or 1000 for rank in RANKS[label]]
        bounds = {"rank_1": (1, 1), "rank_2_5": (2, 5), "rank_6_20": (6, 20), "rank_beyond": (21, 1000)}
        classes = {name: sum(low <= rank <= high for rank in found) for name, (low, high) in bounds.items()}
        own = {"configuration": label, "retriever": retriever}
        rows["configurations"].append(by_chunker[chunker] | own | means | classes)
        rows["lost"] += [row | {"configuration": label} for row in lost_rows if row["configuration"] == chunker]
        rows["outcomes"] += [row | {"configuration": label} for row in needs if row["configuration"] == chunker]
        for metric, each in (("rank", RANKS[label]), *values[label].items()):
            rows["outcomes"] += [
                {
                    "configuration": label,
                    "question_id": asked.id,
                    "metric": metric,
                    "value": value,
                    "defined": value is not None,
                }
                for asked, value in zip(QUESTIONS, each, strict=True)
            ]
        for metric in metrics:
            best = max(sum(values[other][metric]) / 3 for other in labels)
            standing = {"metric": metric, "configuration": label, "value": means[metric], "low": 0.1, "high": 0.9}
            spread = {"percentile_low": 0.2, "percentile_high": 0.8, "probability_best": 0.25}
            rows["standings"].append(standing | spread | {"not_distinguishable": means[metric] == best})
        rows["budgets"].append({"configuration": label, "budget": 1000, "chunks_mean": 2.5, "chars_mean": 29.6})
    for metric in metrics:
        for a, b in combinations(labels, 2):
            change = [y - x for x, y in zip(values[a][metric], values[b][metric], strict=True)]
            pair = {"metric": metric, "a": a, "b": b, "questions": 3, "clusters": 2, "difference": sum(change) / 3}
            spread = {"low": -0.5, "high": 0.5, "p": 0.2, "p_adjusted": 0.00005 if sum(change) else 0.6, "p_holm": 0.5}
            wins = {"wins": sum(c > 0 for c in change), "ties": change.count(0), "losses": sum(c < 0 for c in change)}
            decision = "differs" if sum(change) else "no difference detected"
            power = {"smallest_detectable": 0.25, "questions_needed": 40}
            rows["comparisons"].append(pair | spread | wins | power | {"decision": decision})
    first = {chunker: next(label for label in labels if label.startswith(chunker)) for chunker in chunkers}
    for row in base.table("comparisons").to_pylist():
        rows["comparisons"].append(row | {"a": first[row["a"]], "b": first[row["b"]], "clusters": 2, "questions": 3})
    tables = {name: pa.Table.from_pylist(entries, schema=schema(name, metrics)) for name, entries in rows.items()}
    asked = base.table("questions").to_pylist()
    for row, tags in zip(asked, (["number"], ["name"], ["number", "name"]), strict=True):
        row["tags"] = tags
    tables["questions"] = pa.Table.from_pylist(asked, schema=schema("questions"))
    return Given(base.sweep, {**base.tables, **tables})


def _value(metric: str, rank: int | None) -> float:
    if metric.startswith("Recall"):
        return float(rank is not None and rank <= (5 if "@" in metric else 10))
    return 1 / rank if rank is not None and rank <= 10 else 0.0
