"""Worker processes: the runs of a sweep, computed several at a time and the same for any number.

A worker gets the corpus by mapping a folder, chunks too; only retrievers and labels are pickled. It is started by
`spawn`, so that it inherits neither threads nor locks, and without the caller's script, which a plain `spawn` would run
again: so a script needs no `if __name__ == "__main__"`, and a notebook and `python -` may use workers. What cannot be
sent that way, such as a retriever whose class the script itself defines, is computed in this process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from kugiri.errors import InputError
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.retrievers.cache import RetrievalCache
from kugiri.store.objects import Store
from kugiri.sweeps.runs import Ended, FailedRun, RunJob, load_run, rank_into
from kugiri.sweeps.shared_corpus import AskedQuestions, write_index, write_shared
from kugiri.sweeps.worker_process import Done, Sent, claimed, packed, serve, starting

__all__ = ["FailedRun", "RunJob", "compute_runs", "load_run"]

_MOST_WORKERS = 61
"""Windows cannot wait for more processes at once."""

_NO_PROCESSES = (ImportError, NotImplementedError, OSError)
"""What Python raises where the system has no processes, or none to give."""

_Others = dict[Any, Any]
"""Workers that may still say something: the process by its connection."""


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

    if len({job.configuration for job in jobs}) < len(jobs) or any(
        job.indexed.vectors.corpus is not corpus for job in jobs
    ):
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
    cache = RetrievalCache()
    asked, here = AskedQuestions.of(questions), _tasks(missing)
    # A daemon, such as a worker of `multiprocessing.Pool`, may not have processes of its own.
    if workers > 1 and len(here) > 1 and not multiprocessing.current_process().daemon:
        here = _in_processes(here, corpus, asked, store, workers, ended, cache)
    for task in here:
        rank_into(store, task, asked, cache, ended)
    return failed


def _tasks(jobs: Sequence[RunJob]) -> list[list[RunJob]]:
    """Jobs with equal indexes together, the most to index first: a long task begun last would keep all waiting."""
    tasks: list[list[RunJob]] = []
    for job in jobs:
        task = next((task for task in tasks if task[0].indexed.same_as(job.indexed)), None)
        if task is None:
            tasks.append([job])
        else:
            task.append(job)

    def size(task: list[RunJob]) -> tuple[int, int]:
        return task[0].indexed.characters * len(task), len(task[0].indexed.vectors)

    return sorted(tasks, key=size, reverse=True)


def _in_processes(
    tasks: list[list[RunJob]],
    corpus: Corpus,
    asked: AskedQuestions,
    store: Store,
    workers: int,
    ended: Ended,
    cache: RetrievalCache,
) -> list[list[RunJob]]:
    """Computes the tasks in other processes; returns what is left to this one."""
    sent = [packed(number, task) for number, task in enumerate(tasks)]
    going = [task for task in sent if task.jobs]
    if not going:
        return tasks
    with (
        tempfile.TemporaryDirectory(prefix="kugiri-", ignore_cleanup_errors=True) as folder,
        _others(min(workers - 1, len(going)), folder, store, tasks) as others,
    ):
        if not others:
            return tasks
        try:
            # While the others start.
            write_shared(Path(folder), corpus, asked)
            for number, task in enumerate(tasks):
                write_index(Path(folder), number, task[0].indexed)
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

        def here_meanwhile(task: Sent) -> Callable[[], None] | None:
            jobs = tasks[task.number]
            # What a retriever of ours does is known; another's may end its process, which must not be this one.
            if len(task.jobs) < len(jobs) or not all(
                type(job.retriever).__module__.startswith("kugiri.") for job in jobs
            ):
                return None
            return lambda: rank_into(store, jobs, asked, cache, finished)

        # First what this process may not take: it would be idle in the end.
        _divided(sorted(going, key=lambda task: here_meanwhile(task) is not None), folder, others, done, here_meanwhile)
        # Memory is the usual reason why a worker dies, so what it left goes on one by one; that tells too whose fault
        # it was.
        for left in broken:
            for key, configuration, retriever in left.jobs:
                if load_run(store, key) is None:
                    with _others(1, folder, store, [tasks[left.number]]) as other:
                        if other:
                            _divided([Sent(left.number, ((key, configuration, retriever),))], None, other, alone)
                else:
                    finished(configuration, None)
    return _tasks(list(here.values()))


def _died(configuration: str) -> FailedRun:
    return FailedRun(
        "the process that computed the ranking ended without a word",
        configuration,
        "see whether memory ran out, and try with one worker, which is this process; the other rows are complete",
    )


@contextlib.contextmanager
def _others(count: int, folder: str, store: Store, tasks: Sequence[Sequence[RunJob]]) -> Iterator[_Others]:
    """Starts so many workers, or as many as can be had; ends those that are not through when the block ends."""
    spawn = multiprocessing.get_context("spawn")
    modules = {type(job.retriever).__module__ for task in tasks for job in task}
    ours = sorted(module for module in modules if module.startswith("kugiri."))
    started: _Others = {}
    others: _Others = {}
    try:
        with starting():
            for _ in range(min(count, _MOST_WORKERS)):
                try:
                    mine, its = spawn.Pipe()
                    with its:
                        process = spawn.Process(target=serve, args=(its, folder, str(store.root), ours))
                        process.start()
                except _NO_PROCESSES:
                    break
                started[mine] = others[mine] = process
        yield others
    finally:
        # Ctrl-C, or an error here: nobody waits for what is half done.
        for process in others.values():
            process.terminate()
        for connection, process in started.items():
            with contextlib.suppress(OSError):
                connection.send(None)
            process.join()
            connection.close()


def _divided(
    tasks: Sequence[Sent],
    folder: str | None,
    others: _Others,
    done: Callable[[Sent, Done | None], None],
    meanwhile: Callable[[Sent], Callable[[], None] | None] | None = None,
) -> None:
    """Has the others compute the tasks; `done` is told of each as it ends, with None where a process died instead.

    Whoever is free claims the first in the list that nobody has, in `folder`; without one, none need be claimed.
    `meanwhile` gives what computes a task in this process, None where it must not: this process is one of the workers,
    and has nothing to import.
    """
    left = {task.number: task for task in tasks}

    def receive(timeout: float | None) -> None:
        watched = {
            sign: connection for connection, process in others.items() for sign in (connection, process.sentinel)
        }
        for connection in dict.fromkeys(watched[sign] for sign in wait(list(watched), timeout)):
            # One that has died may have said something before. The last word of one that is through is None.
            try:
                said = connection.recv() if connection.poll() else None
            except (EOFError, OSError):
                said = None
            if said is None:
                del others[connection]
            else:
                number, result = said
                done(left.pop(number), result)

    for connection in others:
        # One that has died already is noticed below.
        with contextlib.suppress(OSError):
            connection.send((tasks, folder is not None))
    if meanwhile is not None and folder is not None:
        for task in tasks:
            compute = meanwhile(task)
            if compute is not None and claimed(folder, task.number):
                compute()
                del left[task.number]
                receive(0)
    while others:
        receive(None)
    for task in left.values():
        done(task, None)
