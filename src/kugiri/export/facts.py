"""`sweep.json`: what the report says that is not a number per configuration."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kugiri.statistics.bootstrap import RESAMPLES
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.surface import SurfaceResults

_LEFT_OUT = "the error is left out, because it may quote the corpus"


def sweep_facts(results: SweepResults, text: bool = True) -> dict[str, Any]:
    """The content of `sweep.json`; without `text` the report shows no text of the corpus."""
    plan = results.plan
    return {
        **common_facts(results, text),
        "metrics": list(plan.metrics),
        "primary": plan.primary,
        "baseline": plan.baseline,
        "margin": plan.margin,
        "difference": plan.difference,
        "resamples": RESAMPLES,
        "published": plan.published,
        "models": [model.facts() for model in plan.models],
        "cluster": plan.cluster,
        "clusters": dict(results.clusters),
        "warnings": [dict(warning) for warning in results.warnings],
        "components": dict(results.components),
        "failed": [
            # An error quotes the text around its place: corpus text, wherever it comes from.
            {
                "configuration": entry.configuration,
                "what": entry.what if text else _LEFT_OUT,
                "where": entry.where if text else entry.configuration,
                "remedy": entry.remedy if text else "run it without --no-text to read the error",
            }
            for entry in results.failed
        ],
    }


def common_facts(results: SweepResults | SurfaceResults, text: bool) -> dict[str, Any]:
    """What the results of a sweep and of a surface both say of corpus and questions."""
    from kugiri import __version__

    plan, asked, info = results.plan, results.questions, results.corpus.info
    answerable = int(asked.answerable.sum())
    counts = Counter(entry.reason for entry in asked.excluded)
    return {
        "format": 1,
        "kugiri": __version__,
        "offset_unit": "codepoint",
        "title": plan.title,
        "text": text,
        "corpus": {
            **info.described(),
            "documents": len(results.corpus),
            "characters": results.corpus.characters,
            "documents_sha256": results.documents_sha256,
            "questions_sha256": results.questions_sha256,
        },
        "questions": {
            "answerable": answerable,
            "unanswerable": len(asked) - answerable,
            "sample": plan.sample,
            "split": plan.split,
            "merged_spans": asked.evidence.merged,
        },
        "excluded": [
            {"reason": reason, "count": count, "ids": [entry.id for entry in asked.excluded if entry.reason == reason]}
            for reason, count in sorted(counts.items())
        ],
        "seed": plan.seed,
    }
