"""What a reader has to know beside the numbers: left-out questions, warnings, failures, definitions, provenance."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from kugiri.report.grid import ReadsTables
from kugiri.report.words import Code, Said, Share, Value, said

Fact = tuple[Value, Value]


@dataclasses.dataclass(frozen=True, slots=True)
class Excluded:
    """Questions that the import could not keep, for one reason."""

    sentence: Said
    ids: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Failed:
    """A configuration without results, and the error in three lines."""

    configuration: str
    facts: tuple[tuple[Said, str], ...]


def excluded(results: ReadsTables) -> tuple[Excluded, ...]:
    """The excluded questions by reason."""
    return tuple(
        Excluded(said("excluded", n=entry["count"], reason=Code(entry["reason"])), tuple(entry["ids"]))
        for entry in results.sweep["excluded"]
    )


def failed(results: ReadsTables) -> tuple[Failed, ...]:
    """The failed configurations."""
    return tuple(
        Failed(
            entry["configuration"],
            tuple((said(f"failed_{part}"), entry[part]) for part in ("what", "where", "remedy")),
        )
        for entry in results.sweep["failed"]
    )


def warnings(results: ReadsTables) -> tuple[Said, ...]:
    """The sweep's warnings in words."""
    return tuple(warning(entry) for entry in results.sweep["warnings"])


def warning(entry: Mapping[str, Any]) -> Said:
    """One warning of `sweep.json` in words; one that this version does not know as its code and its fields."""
    match entry:
        case {"code": "single_chunk", "chunker": str(chunker), "share": float() | int() as share}:
            return said("warning_single_chunk", chunker=Code(chunker), share=Share(share))
        case {"code": "left_out", "chunker": str(chunker), "share": float() | int() as share}:
            return said("warning_left_out", chunker=Code(chunker), share=Share(share))
        case {"code": "identical", "chunker": str(chunker), "to": str(other)}:
            return said("warning_identical", chunker=Code(chunker), other=Code(other))
        case {"code": "repeated_questions", "questions": int(count), "distinct": int(distinct)}:
            return said("warning_repeated_questions", n=count, distinct=distinct)
        case {"code": "pairs_left_out", "pairs": int(count)}:
            return said("warning_pairs_left_out", n=count)
        case {"code": "merged_spans", "spans": int(count)}:
            return said("warning_merged_spans", n=count)
        case {"code": "ties", "configuration": str(configuration), "questions": int(count)}:
            return said("warning_ties", configuration=Code(configuration), n=count)
        case {"code": "beyond_depth", "configuration": str(configuration), "metric": str(metric)}:
            return said("warning_beyond_depth", configuration=Code(configuration), metric=Code(metric))
        case {"code": "damaged_objects", "count": int(count)}:
            return said("warning_damaged_objects", n=count)
        case {"code": "retrieval_left_out"}:
            return said("warning_retrieval_left_out")
    detail = tuple(f"{key} {value}" for key, value in entry.items() if key != "code")
    return said("warning_other", code=Code(str(entry.get("code"))), detail=detail)


def definitions(
    results: ReadsTables, *, retrieval: bool = False, more: Sequence[str] = ()
) -> tuple[tuple[Said, Said], ...]:
    """The terms of the report and what they mean; those of retrieval only where there is any, `more` of the loss."""
    clusters = results.sweep["clusters"]
    known = ("kept", *more, "cause", "needed", "interval")
    terms = [(said(f"term_{term}"), said(f"meaning_{term}")) for term in known]
    terms.append((said("term_effective_n"), said("meaning_effective_n")))
    by = said(
        f"meaning_clusters_{results.sweep['cluster']}", paragraph=clusters["paragraph"], document=clusters["document"]
    )
    ranked = ("rank", "budget", "best", "bootstrap") if retrieval else ()
    return (*terms, (said("term_clusters"), by), *((said(f"term_{term}"), said(f"meaning_{term}")) for term in ranked))


def provenance(results: ReadsTables) -> tuple[Fact, ...]:
    """What was measured, on what, with what."""
    sweep, corpus, asked = results.sweep, results.sweep["corpus"], results.sweep["questions"]
    sample: Said = (
        said("source_sample_all", seed=str(sweep["seed"]))
        if asked["sample"] is None
        else said("source_sample_drawn", n=asked["sample"], seed=str(sweep["seed"]))
    )
    components = tuple(
        said("source_component", name=Code(name), version=version)
        for name, version in sorted(sweep["components"].items())
    )
    documents = said(
        "source_documents_count",
        documents=said("n_documents", n=corpus["documents"]),
        characters=corpus["characters"],
    )
    questions = said("source_questions_count", answerable=asked["answerable"], unanswerable=asked["unanswerable"])
    facts: list[tuple[str, Value | None]] = [
        ("corpus", _titled(corpus)),
        ("language", corpus["language"] or None),
        ("licence", corpus["licence"] or None),
        ("source", corpus["source"] or None),
        ("description", corpus["description"] or None),
        ("documents", documents),
        ("documents_sha256", Code(corpus["documents_sha256"])),
        ("questions", questions),
        ("questions_sha256", Code(corpus["questions_sha256"])),
        ("sample", sample),
        ("split", asked["split"]),
        ("baseline", None if sweep["baseline"] is None else Code(sweep["baseline"])),
        ("components", components or None),
        ("offsets", Code(sweep["offset_unit"])),
    ]
    return tuple((said(f"source_{name}"), value) for name, value in facts if value is not None)


def _titled(corpus: Mapping[str, Any]) -> Value:
    title, name = corpus["title"], corpus["name"]
    return (title, Code(name)) if title and title != name else Code(name)
