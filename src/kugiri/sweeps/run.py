"""Running a sweep: every configuration over one corpus, one failing without stopping the others."""

from __future__ import annotations

import dataclasses
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from kugiri.errors import KugiriError
from kugiri.evidence.clusters import question_clusters
from kugiri.evidence.loss import loss_of
from kugiri.formats.placement_checks import LEFT_OUT, share_left_out
from kugiri.labels import label_of
from kugiri.metrics.needs import Needs
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Float64, Int64
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import chunks_by, indexed_by
from kugiri.model.questions import Questions
from kugiri.segmenters.graphemes import Graphemes
from kugiri.statistics.bootstrap import RESAMPLES
from kugiri.statistics.effective_n import effective_n
from kugiri.statistics.wilson import wilson
from kugiri.store.objects import Store
from kugiri.sweeps.alignment import alignment_of
from kugiri.sweeps.contests import contested
from kugiri.sweeps.costs import costs
from kugiri.sweeps.plan import Configuration, Plan
from kugiri.sweeps.rankings import components_of, rankings, run_keys
from kugiri.sweeps.results import ConfigurationResult, FailedConfiguration, SweepResults

Progress = Callable[[int, int, str], None]
"""Called with the number of configurations done, of all, and the label of the next one ("" at the end)."""

MOSTLY_SINGLE = 0.5
"""From this share of one-chunk documents on, the results warn that a chunker hardly cuts at all."""


def run(
    plan: Plan,
    corpus: Corpus,
    questions: Questions,
    digests: tuple[str, str],
    progress: Progress | None = None,
    store: Store | None = None,
    workers: int = 1,
    resamples: int = RESAMPLES,
) -> SweepResults:
    """The results of every configuration of the plan.

    Args:
        plan: what to run.
        corpus: the documents.
        questions: all questions of the corpus; the plan chooses.
        digests: SHA-256 of documents and questions.
        progress: told before each configuration and at the end.
        store: where rankings are kept and found again; None keeps them for this sweep only.
        workers: processes that rank; they change no result.
        resamples: B of intervals and tests; 0 leaves them out.

    Raises:
        InputError: no question is left to ask; a model's tokenizer cannot be used. A failing component of a
            configuration raises nothing: it is recorded.
    """
    asked = plan.chosen(questions)
    answerable = asked.answerable
    clusters = {
        by: question_clusters(corpus, asked.evidence, by)[answerable] for by in ("paragraph", "document", "none")
    }
    told = progress if progress is not None and not plan.retrieves else _silent
    losses, failed = _losses(plan, corpus, asked, clusters, told)
    counted = costs(losses, plan.models)
    ranked: dict[str, ConfigurationResult] = {}
    if plan.retrieves:
        with _kept(store) as kept:
            made, broken = rankings(plan, corpus, asked, losses, digests[0], kept, workers, progress or _silent)
            ranked.update(made)
            failed.update(broken)
            refused = len(kept.refused)
    else:
        ranked, refused = losses, 0
    done = [ranked[str(entry)] for entry in plan.configurations if str(entry) in ranked]
    if progress is not None:
        progress(len(plan.configurations), len(plan.configurations), "")
    comparisons, standings = contested(plan, done, answerable, clusters[plan.cluster], resamples)
    return SweepResults(
        plan,
        corpus,
        asked,
        *digests,
        tuple(done),
        tuple(failed[str(entry)] for entry in plan.configurations if str(entry) in failed),
        tuple(comparisons),
        tuple(standings),
        {by: len(np.unique(clusters[by])) for by in ("paragraph", "document")},
        tuple(_warnings(plan, asked, done, refused)),
        _components(done),
        tuple(cost for cost in counted if cost.configuration in ranked),
    )


def _losses(
    plan: Plan, corpus: Corpus, asked: Questions, clusters: Mapping[str, Int64], told: Progress
) -> tuple[dict[str, ConfigurationResult], dict[str, FailedConfiguration]]:
    """The loss of every configuration by label; those with one chunker share it."""
    long_clusters = Graphemes().longer_than_one(corpus)
    of_chunker: dict[str, ConfigurationResult | FailedConfiguration] = {}
    done: dict[str, ConfigurationResult] = {}
    failed: dict[str, FailedConfiguration] = {}
    for number, configuration in enumerate(plan.configurations):
        label, chunker = str(configuration), label_of(configuration.chunker)
        told(number, len(plan.configurations), label)
        if chunker not in of_chunker:
            above = [result for result in of_chunker.values() if isinstance(result, ConfigurationResult)]
            try:
                of_chunker[chunker] = _result(
                    configuration, corpus, asked, above, long_clusters, clusters, plan.cluster
                )
            except KugiriError as error:
                of_chunker[chunker] = FailedConfiguration(label, error.what, error.where, error.remedy)
            except Exception as error:  # noqa: BLE001  a third party's component: its fault must not cost other rows
                what = f"{type(error).__name__}: {error}"
                of_chunker[chunker] = FailedConfiguration(
                    label, what, label, "correct the component; the other rows are complete"
                )
        result = of_chunker[chunker]
        if isinstance(result, FailedConfiguration):
            failed[label] = dataclasses.replace(result, configuration=label)
        else:
            done[label] = dataclasses.replace(result, configuration=configuration)
    return done, failed


@contextmanager
def _kept(store: Store | None) -> Iterator[Store]:
    if store is not None:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="kugiri-") as folder:
        yield Store(Path(folder))


def _silent(done: int, total: int, label: str) -> None:
    """Progress that nobody wants to see."""


def ranked_already(plan: Plan, corpus: Corpus, questions: Questions, documents_sha256: str, store: Store) -> set[str]:
    """The labels of the configurations whose ranking is in the store, so that a sweep would not compute it."""
    asked = plan.chosen(questions)
    clusters = {
        by: question_clusters(corpus, asked.evidence, by)[asked.answerable] for by in ("paragraph", "document", "none")
    }
    losses, _ = _losses(plan, corpus, asked, clusters, _silent)
    return {label for label, key in run_keys(plan, asked, losses, documents_sha256).items() if store.has(key)}


def chunk_counts(plan: Plan, corpus: Corpus) -> dict[str, int | None]:
    """How many chunks each configuration would make, by label; None where its chunker fails."""
    counts: dict[str, int | None] = {}
    for configuration in plan.configurations:
        try:
            counts[str(configuration)] = len(chunks_by(configuration.chunker, corpus))
        except Exception:  # noqa: BLE001  as in `run`: a third party's component fails alone
            counts[str(configuration)] = None
    return counts


def _result(
    configuration: Configuration,
    corpus: Corpus,
    asked: Questions,
    above: list[ConfigurationResult],
    long_clusters: Boundaries,
    clusters: Mapping[str, Int64],
    cluster: str,
) -> ConfigurationResult:
    began = time.perf_counter()
    chunking = chunks_by(configuration.chunker, corpus)
    index = indexed_by(configuration.chunker, chunking)
    chunked = time.perf_counter()
    loss = loss_of(configuration.chunker, chunking, asked)
    needs = Needs().of(loss)
    alignment = alignment_of(configuration.chunker, corpus, asked.evidence)
    ended = time.perf_counter()
    events = loss.lost[asked.answerable].astype(float)
    same = (other.loss.label for other in above if other.indexed.same_as(index))
    return ConfigurationResult(
        configuration,
        loss,
        index,
        needs,
        int(long_clusters.split_by(chunking.start, chunking.end).sum()),
        next(same, None),
        _single_chunk_share(corpus, chunking),
        _interval(events, clusters[cluster]),
        _interval(events, clusters["document"]),
        {"chunking": chunked - began, "evidence": ended - chunked},
        alignment=alignment,
    )


def _interval(events: Float64, cluster: Int64) -> tuple[float, float]:
    return wilson(float(events.mean()), effective_n(events, cluster))


def _single_chunk_share(corpus: Corpus, chunking: Chunking) -> float:
    counts = np.bincount(chunking.document, minlength=len(corpus))
    filled: Bool = np.diff(corpus.document_start) > 0
    return float((counts[filled] == 1).mean()) if filled.any() else 0.0


def _warnings(plan: Plan, asked: Questions, done: list[ConfigurationResult], refused: int) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for result in {entry.loss.label: entry for entry in done}.values():
        label = result.loss.label
        if result.single_chunk_share >= MOSTLY_SINGLE:
            found.append({"code": "single_chunk", "chunker": label, "share": result.single_chunk_share})
        if label.startswith("external("):
            share = share_left_out(result.loss.chunking)
            if share > LEFT_OUT:
                found.append({"code": "left_out", "chunker": label, "share": share})
        if result.identical_to is not None:
            found.append({"code": "identical", "chunker": label, "to": result.identical_to})
    distinct = len(set(asked.texts))
    if distinct < len(asked):
        found.append({"code": "repeated_questions", "questions": len(asked), "distinct": distinct})
    for result in done:
        ties = result.ranking.run.ties if result.ranking is not None else 0
        if ties:
            found.append({"code": "ties", "configuration": str(result.configuration), "questions": ties})
        label = str(result.configuration)
        found += [{"code": "beyond_depth", "configuration": label, "metric": metric} for metric in result.beyond]
    if refused:
        found.append({"code": "damaged_objects", "count": refused})
    if plan.retrieval_left_out:
        found.append({"code": "retrieval_left_out"})
    return found


def _components(done: list[ConfigurationResult]) -> Mapping[str, int | str]:
    parts = [Graphemes(), Needs()]
    for result in done:
        retriever = result.configuration.retriever
        parts += [result.configuration.chunker, *(components_of(retriever) if retriever is not None else [])]
    named = {str(getattr(part, "name", type(part).__name__)): getattr(part, "version", 0) for part in parts}
    return {name: version if isinstance(version, int) else str(version) for name, version in sorted(named.items())}
