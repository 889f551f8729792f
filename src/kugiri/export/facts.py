"""`sweep.json`: what the report says that is not a number per configuration."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.statistics.bootstrap import RESAMPLES
from kugiri.sweeps.results import SweepResults

_LEFT_OUT = "the error is left out, because it may quote the corpus"


def sweep_facts(results: SweepResults, text: bool = True) -> dict[str, Any]:
    """The content of `sweep.json`; without `text` the report shows no text of the corpus."""
    from kugiri import __version__

    plan, corpus, asked = results.plan, results.corpus, results.questions
    answerable = int(asked.answerable.sum())
    return {
        "format": 1,
        "kugiri": __version__,
        "offset_unit": "codepoint",
        "title": plan.title,
        "text": text,
        "corpus": corpus_facts(corpus, (results.documents_sha256, results.questions_sha256)),
        "questions": {
            "answerable": answerable,
            "unanswerable": len(asked) - answerable,
            "sample": plan.sample,
            "split": plan.split,
            "merged_spans": asked.evidence.merged,
        },
        "seed": plan.seed,
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
        "excluded": excluded_facts(asked),
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


def corpus_facts(corpus: Corpus, digests: tuple[str, str]) -> dict[str, Any]:
    """What a report says of the corpus; the digests are of its documents and its questions."""
    info = corpus.info
    return {
        "name": info.name,
        "title": info.title,
        "language": info.language,
        "licence": info.licence,
        "source": info.source,
        "description": info.description,
        "documents": len(corpus),
        "characters": corpus.characters,
        "documents_sha256": digests[0],
        "questions_sha256": digests[1],
    }


def excluded_facts(questions: Questions) -> list[dict[str, Any]]:
    """The questions that an import could not keep, by reason."""
    counts = Counter(entry.reason for entry in questions.excluded)
    return [
        {"reason": reason, "count": count, "ids": [entry.id for entry in questions.excluded if entry.reason == reason]}
        for reason, count in sorted(counts.items())
    ]
