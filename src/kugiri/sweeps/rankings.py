"""The second half of a sweep: every chunking ranked by every retriever, and what the rankings are worth."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from kugiri import catalog
from kugiri.errors import InputError
from kugiri.labels import label_of, parse
from kugiri.metrics.rank import Rank
from kugiri.metrics.ranking import Ranking
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import Indexed
from kugiri.model.outcomes import Outcomes
from kugiri.model.questions import Questions
from kugiri.model.run import Run
from kugiri.store.objects import JSON, Store, object_key
from kugiri.sweeps.plan import Plan
from kugiri.sweeps.results import ConfigurationResult, FailedConfiguration
from kugiri.sweeps.workers import RunJob, compute_runs, load_run

_LIBRARIES = ("bm25s", "fugashi", "numpy", "scipy", "unidic-lite")
"""Whose versions a ranking depends on."""


def rankings(
    plan: Plan,
    corpus: Corpus,
    asked: Questions,
    losses: Mapping[str, ConfigurationResult],
    documents_sha256: str,
    store: Store,
    workers: int,
    progress: Any,
) -> tuple[dict[str, ConfigurationResult], dict[str, FailedConfiguration]]:
    """The configurations with their rankings and metrics, by label; those already in the store are not ranked again."""
    keys = run_keys(plan, asked, losses, documents_sha256)
    jobs = [
        RunJob(keys[label], label, result.indexed, result.configuration.retriever) for label, result in losses.items()
    ]
    total, finished = len(plan.configurations), 0

    def told(label: str) -> None:
        nonlocal finished
        finished += 1
        progress(finished - 1, total, label)

    broken = compute_runs(jobs, corpus, asked, store, workers, told)
    done: dict[str, ConfigurationResult] = {}
    failed: dict[str, FailedConfiguration] = {}
    for label, result in losses.items():
        if label in broken:
            failed[label] = FailedConfiguration(label, broken[label].what, broken[label].where, broken[label].remedy)
            continue
        run = load_run(store, keys[label])
        if run is None:
            failed[label] = FailedConfiguration(
                label, "its ranking could not be read back", label, "run the sweep again"
            )
            continue
        try:
            done[label] = _measured(plan, result, run)
        except InputError as error:
            failed[label] = FailedConfiguration(label, error.what, error.where, error.remedy)
    return done, failed


def run_keys(
    plan: Plan, asked: Questions, losses: Mapping[str, ConfigurationResult], documents_sha256: str
) -> dict[str, str]:
    """The store's key of every configuration's ranking: of everything it depends on, and of nothing else."""
    questions = _questions_sha256(asked)
    libraries: dict[str, JSON] = {name: _version(name) for name in _LIBRARIES}
    return {
        label: object_key(
            {
                "what": "run",
                "documents": documents_sha256,
                "questions": questions,
                "chunks": _index_sha256(result.indexed),
                "retriever": label_of(result.configuration.retriever),
                "components": {part.name: part.version for part in components_of(result.configuration.retriever)},
                "libraries": libraries,
            }
        )
        for label, result in losses.items()
    }


def components_of(retriever: Any) -> list[Any]:
    """The retriever and those nested in it."""
    nested = getattr(retriever, "of", ())
    return [retriever, *(part for inner in nested for part in components_of(inner))]


def _measured(plan: Plan, result: ConfigurationResult, run: Run) -> ConfigurationResult:
    ranking = Ranking.of(result.loss, run)
    metrics = [catalog.metric(parse(label)) for label in plan.metrics if label not in ("rank", "needs")]
    outcomes: dict[str, Outcomes] = {}
    beyond: list[str] = []
    for metric in (Rank(), *metrics):
        try:
            outcomes[str(metric)] = metric.of(ranking)
        except InputError:
            # Chunks so small that the depth does not fill a budget: one value is unknown, not the configuration.
            if getattr(metric, "budget", None) is None or str(metric) == plan.primary:
                raise
            beyond.append(str(metric))
    return dataclasses.replace(result, ranking=ranking, outcomes=outcomes, beyond=tuple(beyond))


def _questions_sha256(asked: Questions) -> str:
    digest = hashlib.sha256()
    for identity, text in zip(asked.ids, asked.texts, strict=True):
        digest.update(f"{len(identity)} {len(text)} {identity}{text}".encode())
    evidence = asked.evidence
    for column in (evidence.start, evidence.end, evidence.alternative, evidence.question):
        digest.update(column.astype("<i8").tobytes())
    return digest.hexdigest()


def _index_sha256(index: Indexed) -> str:
    columns = [index.delivered.start, index.delivered.end]
    if index.parent is not None:
        columns += [index.vectors.start, index.vectors.end, index.parent]
    digest = hashlib.sha256(b"".join(column.astype("<i8").tobytes() for column in columns))
    for text in index.context or ():
        digest.update(f"{len(text)} {text}".encode())
    return digest.hexdigest()


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None
