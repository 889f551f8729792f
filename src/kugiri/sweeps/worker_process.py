"""The inside of a worker process, and the circumstances in which one is started."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import multiprocessing
import os
import pickle
import shutil
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kugiri.errors import InputError
from kugiri.model.corpus import Corpus
from kugiri.retrievers.cache import RetrievalCache
from kugiri.store.objects import Store
from kugiri.sweeps.runs import FailedRun, RunJob, attempted, rank_into
from kugiri.sweeps.shared_corpus import AskedQuestions, read_index, read_shared

# Two workers with as many threads each as there are cores would take turns on every core. Read when numpy is loaded.
_THREADS = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "RAYON_NUM_THREADS"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class Sent:
    """Jobs over one index as they travel.

    Attributes:
        number: of the index in the shared folder.
        jobs: key, configuration and pickled retriever of each.
    """

    number: int
    jobs: tuple[tuple[str, str, bytes], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Done:
    """What comes back, in plain values: a `KugiriError` takes more arguments than unpickling gives it.

    Attributes:
        ended: by configuration, why it failed if it did. One that is missing could not be unpickled here, and is the
            parent's to compute.
        unwritable: what, where and remedy, if the store cannot be written.
    """

    ended: dict[str, FailedRun | None]
    unwritable: tuple[str, str, str] | None = None


def packed(number: int, task: Sequence[RunJob]) -> Sent:
    """The task as it travels, without the retrievers that cannot."""
    jobs: list[tuple[str, str, bytes]] = []
    for job in task:
        retriever = attempted(job.configuration, functools.partial(pickle.dumps, job.retriever))
        if isinstance(retriever, bytes):
            jobs.append((job.key, job.configuration, retriever))
    return Sent(number, tuple(jobs))


def serve(connection: Any, folder: str, root: str, modules: Sequence[str]) -> None:
    """All that a worker does: told of tasks, it computes those that nobody else has claimed.

    Args:
        connection: brings the tasks, and whether they must be claimed; takes number and `Done` of each.
        folder: that of the corpus.
        root: that of the store.
        modules: what the tasks will need, to be imported while the parent still writes the corpus.
    """
    begin(folder)
    for module in modules:
        importlib.import_module(module)
    tasks, shared = _talk(folder, connection.recv)
    for task in tasks:
        if not shared or claimed(folder, task.number):
            _talk(folder, connection.send, (task.number, work(folder, root, task)))
    # Until the parent is through too: should it be killed, nobody else would remove the folder.
    _talk(folder, connection.send, None)
    _talk(folder, connection.recv)


def claimed(folder: str, number: int) -> bool:
    """Whether this process is the first to claim the task of that number: a file can be made only once."""
    try:
        (Path(folder) / f"claimed_{number}").touch(exist_ok=False)
    except OSError:
        return False
    return True


def work(folder: str, root: str, task: Sent) -> Done:
    """Computes the task, with the corpus in `folder` and the store in `root`: what a worker is asked for."""
    corpus, asked, cache = _opened(folder)
    index = read_index(Path(folder), task.number, corpus)
    jobs: list[RunJob] = []
    for key, configuration, sent in task.jobs:
        retriever: Any = attempted(configuration, functools.partial(pickle.loads, sent))
        if not isinstance(retriever, FailedRun):
            jobs.append(RunJob(key, configuration, index, retriever))
    ended: dict[str, FailedRun | None] = {}
    if jobs:
        try:
            rank_into(Store(Path(root)), jobs, asked, cache, ended.__setitem__)
        except InputError as error:
            return Done(ended, (error.what, error.where, error.remedy))
    return Done(ended)


def begin(folder: str) -> None:
    """The first thing that a worker does."""
    # Ctrl-C goes to the whole group of processes; this one is ended by its parent, not by a traceback of its own.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """In the parent, while workers are started: what they inherit."""
    environment = {name: os.environ.get(name) for name in _THREADS}
    script = sys.modules["__main__"]
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    # `spawn` has a worker run the script of its parent again, for functions that are pickled by name. Ours are in
    # modules, and a script without `if __name__ == "__main__"` would start workers again, for ever.
    sys.modules["__main__"] = types.ModuleType("__main__")
    # Until `begin` a worker is as deaf as afterwards; here the signal waits until the block ends.
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if sys.platform != "win32" else None
    try:
        yield
    finally:
        sys.modules["__main__"] = script
        for name, value in environment.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        if sys.platform != "win32" and masked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)


@functools.cache
def _opened(folder: str) -> tuple[Corpus, AskedQuestions, RetrievalCache]:
    return *read_shared(Path(folder)), RetrievalCache()


def _talk(folder: str, act: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return act(*arguments)
    except (EOFError, ConnectionError):
        # The parent has been killed, or is about to end this process.
        _end_with_parent(folder)
        raise


def _end_with_parent(folder: str) -> None:
    # A parent that is killed tells nobody, and a worker that waits for its next task would wait for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)
