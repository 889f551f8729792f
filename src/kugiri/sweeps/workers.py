"""Worker processes: the runs of a sweep, computed several at a time and the same for any number.

A worker gets the corpus by mapping a folder, chunks too; only retrievers and labels are pickled. It is started by
`spawn`, so that it inherits neither threads nor locks, and without the caller's script, which a plain `spawn` would run
again: so a script needs no `if __name__ == "__main__"`, and a notebook and `python -` may use workers. What cannot be
sent that way, such as a retriever whose class the script itself defines, is computed in this process.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from kugiri.errors import InputError
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.retrievers.cache import RetrievalCache
from kugiri.store.objects import Store
from kugiri.sweeps.runs import Ended, FailedRun, RunJob, load_run, rank_into
from kugiri.sweeps.shared_corpus import AskedQuestions, write_chunking, write_shared
from kugiri.sweeps.worker_process import Done, Sent, begin, packed, starting, work

__all__ = ["FailedRun", "RunJob", "compute_runs", "load_run"]

_MOST_WORKERS = 61
"""Windows cannot wait for more processes at once."""

_NO_PROCESSES = (ImportError, NotImplementedError, OSError)
"""What Python raises where the system has no semaphores, or no process to give."""


def compute_runs(
    jobs: Sequence[RunJob],
    corpus: Corpus,
    questions: Questions,
    store: Store,
    workers: int,
    told: Callable[[str], None] | None = None,
) -> dict[str, FailedRun]:
    """Sees to it that the store has the run of every job; returns the failed ones by configuration.

    Args:
        jobs: what to compute; a run that the store has already is not computed again. Configurations differ.
        corpus: that of all their chunkings.
        questions: those to ask.
        store: where runs are kept, each as soon as it is there.
        workers: how many processes may compute; 1 is this one.
        told: called here with each configuration as it ends.

    Raises:
        InputError: the store cannot be written. A failing retriever raises nothing: it is returned.
        ValueError: a chunking is of another corpus, or two jobs have one configuration.
    """
    failed: dict[str, FailedRun] = {}

    def ended(configuration: str, failure: FailedRun | None) -> None:
        if failure is not None:
            failed[configuration] = failure
        if told is not None:
            told(configuration)

    if len({job.configuration for job in jobs}) < len(jobs) or any(job.chunking.corpus is not corpus for job in jobs):
        message = "jobs have one corpus, and each a configuration of its own"
        raise ValueError(message)
    missing: list[RunJob] = []
    for job in jobs:
        if load_run(store, job.key) is None:
            missing.append(job)
        else:
            ended(job.configuration, None)
    if not missing:
        return failed
    store.prepare()
    asked, here = AskedQuestions.of(questions), _tasks(missing)
    # A daemon, such as a worker of `multiprocessing.Pool`, may not have processes of its own.
    if workers > 1 and len(here) > 1 and not multiprocessing.current_process().daemon:
        here = _in_processes(here, corpus, asked, store, workers, ended)
    cache = RetrievalCache()
    for task in here:
        rank_into(store, task, asked, cache, ended)
    return failed


def _tasks(jobs: Sequence[RunJob]) -> list[list[RunJob]]:
    """Jobs with equal chunkings together, the most to index first: a long task begun last would keep all waiting."""
    tasks: list[list[RunJob]] = []
    for job in jobs:
        task = next((task for task in tasks if task[0].chunking.same_as(job.chunking)), None)
        if task is None:
            tasks.append([job])
        else:
            task.append(job)

    def size(task: list[RunJob]) -> tuple[int, int]:
        return int(task[0].chunking.lengths.sum()) * len(task), len(task[0].chunking)

    return sorted(tasks, key=size, reverse=True)


def _in_processes(
    tasks: list[list[RunJob]], corpus: Corpus, asked: AskedQuestions, store: Store, workers: int, ended: Ended
) -> list[list[RunJob]]:
    """Computes the tasks in other processes; returns what is left to this one."""
    with tempfile.TemporaryDirectory(prefix="kugiri-", ignore_cleanup_errors=True) as folder:
        try:
            write_shared(Path(folder), corpus, asked)
            for number, task in enumerate(tasks):
                write_chunking(Path(folder), number, task[0].chunking)
        except (OSError, ValueError):
            # No room for a second copy of the corpus, or one that only Python can hold: slower, and the same.
            return tasks
        here = {job.configuration: job for task in tasks for job in task}
        broken: list[Sent] = []

        def finished(configuration: str, failure: FailedRun | None) -> None:
            del here[configuration]
            ended(configuration, failure)

        def done(task: Sent, result: Done | None) -> None:
            if result is None:
                broken.append(task)
                return
            for configuration, failure in result.ended.items():
                finished(configuration, failure)
            if result.unwritable is not None:
                raise InputError(*result.unwritable)

        def alone(task: Sent, result: Done | None) -> None:
            done(task, result or Done({configuration: _died(configuration) for _, configuration, _ in task.jobs}))

        sent = [packed(number, task) for number, task in enumerate(tasks)]
        _pooled([task for task in sent if task.jobs], folder, store, workers, done)
        # A worker that dies takes the pool with it. Memory is the usual reason, so what it left goes on one by one;
        # that tells too whose fault it was.
        for left in broken:
            for key, configuration, retriever in left.jobs:
                if load_run(store, key) is None:
                    _pooled([Sent(left.number, ((key, configuration, retriever),))], folder, store, 1, alone)
                else:
                    finished(configuration, None)
    return _tasks(list(here.values()))


def _died(configuration: str) -> FailedRun:
    return FailedRun(
        "the process that computed the ranking ended without a word",
        configuration,
        "see whether memory ran out, and try with one worker, which is this process; the other rows are complete",
    )


def _pooled(
    tasks: Sequence[Sent], folder: str, store: Store, workers: int, done: Callable[[Sent, Done | None], None]
) -> None:
    """Has workers compute the tasks; `done` is told of each as it ends, with None where a process died instead.

    Where no process can be had, it is told nothing, and the tasks are left.
    """
    if not tasks:
        return
    spawn = multiprocessing.get_context("spawn")
    try:
        pool = ProcessPoolExecutor(min(workers, len(tasks), _MOST_WORKERS), spawn, begin, (folder,))
    except _NO_PROCESSES:
        return
    others = set(multiprocessing.active_children())
    started = set(others)
    running: dict[Future[Done], Sent] = {}
    unsent: list[Sent] = []
    whole = False
    try:
        with starting():
            for task in tasks:
                try:
                    running[pool.submit(work, folder, str(store.root), task)] = task
                except BrokenProcessPool:
                    unsent.append(task)
                except _NO_PROCESSES:
                    break
            started = set(multiprocessing.active_children())
        for task in unsent:
            done(task, None)
        for future in as_completed(running):
            died = isinstance(future.exception(), BrokenProcessPool)
            done(running[future], None if died else future.result())
        whole = True
    finally:
        if not whole:
            # Ctrl-C, or an error here: nobody waits for what is half done.
            for process in (started - others).intersection(multiprocessing.active_children()):
                process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
