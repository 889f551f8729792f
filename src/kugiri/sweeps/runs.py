"""Runs and the store: how one is computed, kept and found again, and what is said of one that failed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kugiri.errors import InvariantError, KugiriError
from kugiri.model.indexed import Indexed
from kugiri.model.run import Run
from kugiri.retrievers.cache import RetrievalCache
from kugiri.retrievers.protocol import RetrievalTask
from kugiri.store.objects import Store
from kugiri.sweeps.delivered import deep_enough, delivered
from kugiri.sweeps.shared_corpus import AskedQuestions
from kugiri.visible import one_line

_Value = TypeVar("_Value")
_COLUMNS = ("chunk", "score", "hits", "tied")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class RunJob:
    """A run to be computed.

    Attributes:
        key: where the store is to keep it; names everything that the run depends on.
        configuration: label of the row of the sweep that asks for it.
    """

    key: str
    configuration: str
    indexed: Indexed
    retriever: Any


@dataclasses.dataclass(frozen=True, slots=True)
class FailedRun:
    """Why there is no run, in three lines."""

    what: str
    where: str
    remedy: str


Ended = Callable[[str, FailedRun | None], None]
"""Called with each configuration as it ends, and why it failed if it did."""


def load_run(store: Store, key: str) -> Run | None:
    """The run that the store keeps under the key; None where there is none, or none that holds what a run promises."""
    arrays = store.get(key)
    if arrays is None:
        return None
    try:
        return Run(*(arrays[name] for name in _COLUMNS))
    except (KugiriError, KeyError, TypeError, ValueError, OverflowError, IndexError) as error:
        store.refuse(key, f"it is no run: {one_line(str(error))}")
        return None


def save_run(store: Store, key: str, run: Run) -> None:
    """Keeps a run.

    Raises:
        InputError: the store cannot be written.
    """
    store.put(key, {name: getattr(run, name) for name in _COLUMNS})


def rank_into(store: Store, jobs: Sequence[RunJob], asked: AskedQuestions, cache: RetrievalCache, ended: Ended) -> None:
    """Computes the runs of jobs over equal indexes as one task: a fusion need not make its parts again.

    Raises:
        InputError: the store cannot be written. A failing retriever raises nothing: `ended` is told.
    """
    task = attempted(jobs[0].configuration, lambda: asked.task(jobs[0].indexed, cache))
    for job in jobs:
        run = task if isinstance(task, FailedRun) else attempted(job.configuration, _ranking(job, task))
        if isinstance(run, FailedRun):
            ended(job.configuration, run)
        else:
            save_run(store, job.key, run)
            ended(job.configuration, None)


def attempted(configuration: str, work: Callable[[], _Value]) -> _Value | FailedRun:
    """What the work gives, or why it gives nothing: whatever a third party's retriever may raise."""
    try:
        return work()
    except KugiriError as error:
        return FailedRun(error.what, error.where, error.remedy)
    except (Exception, SystemExit) as error:  # noqa: BLE001  a third party's retriever: it must not cost the other rows
        what = one_line(f"{type(error).__name__}: {error}")
        return FailedRun(what, configuration, "correct the component; the other rows are complete")


def _ranking(job: RunJob, task: RetrievalTask) -> Callable[[], Run]:
    def rank() -> Run:
        run: object = task.run_of(deep_enough(job.retriever, job.indexed))
        if not isinstance(run, Run):
            raise InvariantError(f"a {type(run).__name__} is no run", job.configuration, "correct the retriever")
        rows, chunks = len(task.question_ids), len(task.chunking)
        if len(run) != rows or int(run.chunk.max(initial=-1)) >= chunks:
            raise InvariantError(
                f"the run has {len(run)} rows and chunks up to number {int(run.chunk.max(initial=-1))}, "
                f"for {rows} questions and {chunks} chunks",
                job.configuration,
                "correct the retriever",
            )
        return delivered(run, job.indexed, getattr(job.retriever, "depth", run.depth))

    return rank
