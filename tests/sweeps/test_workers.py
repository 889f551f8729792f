"""Worker processes: the same for any number; one that fails or dies costs its own row; what is there is not redone."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import strange_retrievers as strange

from kugiri.chunkers.fixed import Fixed
from kugiri.errors import InputError
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import Indexed
from kugiri.model.questions import Questions
from kugiri.retrievers.bm25 import Bm25
from kugiri.retrievers.oracle import Oracle
from kugiri.retrievers.random_order import RandomOrder
from kugiri.retrievers.rrf import ReciprocalRankFusion
from kugiri.retrievers.tfidf import Tfidf
from kugiri.store.objects import Store, object_key
from kugiri.sweeps import worker_process
from kugiri.sweeps.workers import FailedRun, RunJob, compute_runs, load_run
from sweep_worlds import small

BIGRAMS = Bm25("bigram")


def job(corpus: Corpus, size: int, retriever: Any, overlap: int = 0) -> RunJob:
    chunking = Fixed(size, overlap).chunk(corpus)
    label = f"{Fixed(size, overlap)} + {retriever}"
    parts = {"start": chunking.start.tolist(), "end": chunking.end.tolist(), "retriever": str(retriever)}
    return RunJob(object_key(parts), label, Indexed.of(chunking), retriever)


def contents(store: Store) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in store.root.iterdir()}


def lines(log: Path) -> list[list[str]]:
    return [line.split() for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


@pytest.fixture
def world() -> tuple[Corpus, Questions]:
    return small()


def test_results_are_the_same_for_any_number_of_workers(world: tuple[Corpus, Questions], tmp_path: Path) -> None:
    corpus, questions = world
    retrievers = (ReciprocalRankFusion((BIGRAMS, Tfidf())), BIGRAMS, Bm25(), Oracle(), RandomOrder())
    log = tmp_path / "log"
    jobs = [job(corpus, size, retriever, 1) for size in (4, 6, 9) for retriever in retrievers]
    jobs += [job(corpus, size, strange.Logged(str(log))) for size in (4, 6, 9)]
    environment, script, interrupted = dict(os.environ), sys.modules["__main__"], signal.getsignal(signal.SIGINT)
    found = []
    for workers in (1, 2, 3):
        store, told = Store(tmp_path / str(workers)), []
        assert compute_runs(jobs, corpus, questions, store, workers, told.append) == {}
        assert sorted(told) == sorted(job.configuration for job in jobs)
        found.append(contents(store))
        for made in jobs:
            run = load_run(store, made.key)
            assert run is not None
            assert len(run) == len(questions)
    assert len(found[0]) == len(jobs) + 1
    assert found[0] == found[1] == found[2]
    assert (dict(os.environ), sys.modules["__main__"]) == (environment, script)
    assert signal.getsignal(signal.SIGINT) is interrupted
    here = str(os.getpid())
    assert [line[0] == here for line in lines(log)] == [True] * 3 + [False] * 6
    assert {line[2] for line in lines(log)[3:]} == {"1"}
    assert not multiprocessing.active_children()


def test_what_is_there_is_not_computed_again_and_what_is_damaged_is(
    world: tuple[Corpus, Questions], tmp_path: Path
) -> None:  # M106
    corpus, questions = world
    log, store = tmp_path / "log", Store(tmp_path / "store")
    jobs = [job(corpus, 4, strange.Logged(str(log), seed)) for seed in range(5)]
    compute_runs(jobs, corpus, questions, store, 1)
    before = contents(store)
    told: list[str] = []
    compute_runs(jobs, corpus, questions, store, 1, told.append)
    assert len(lines(log)) == 5
    assert len(told) == 5
    for number, damage in enumerate(
        [lambda data: b"", lambda data: data[:-1], lambda data: data[:200] + b"?" + data[201:]]
    ):
        path = store.root / f"{jobs[number].key}.object"
        path.write_bytes(damage(path.read_bytes()))
    (store.root / f"{jobs[3].key}.object").unlink()
    assert compute_runs(jobs, corpus, questions, store, 1) == {}
    assert [line[1] for line in lines(log)[5:]] == ["0", "1", "2", "3"]
    assert contents(store) == before
    assert [refused.key for refused in store.refused] == [made.key for made in jobs[:3]]
    # Another overlap shares nothing with what is there.
    compute_runs([job(corpus, 4, made.retriever, 1) for made in jobs], corpus, questions, store, 1)
    assert len(lines(log)) == 14


def test_an_object_that_is_no_run_is_refused(world: tuple[Corpus, Questions], tmp_path: Path) -> None:
    corpus, questions = world
    store, made = Store(tmp_path), job(corpus, 4, RandomOrder())
    bad = {
        "chunk": np.zeros((1, 2), np.int32),
        "score": np.ones((1, 2)),
        "hits": np.array([2]),
        "tied": np.array([1 > 0]),
    }
    flat = {**bad, "chunk": np.zeros(2, np.int32)}
    for arrays in (bad, flat, {"chunk": bad["chunk"]}, {}):
        store.put(made.key, arrays)
        assert load_run(store, made.key) is None
        assert not store.has(made.key)
    assert len(store.refused) == 4
    assert "ranked twice" in store.refused[0].reason
    assert compute_runs([made], corpus, questions, store, 1) == {}
    assert load_run(store, made.key) is not None


@pytest.mark.parametrize("workers", [1, 2])
def test_a_retriever_that_fails_costs_its_own_row(
    workers: int, world: tuple[Corpus, Questions], tmp_path: Path
) -> None:
    corpus, questions = world
    log, store = str(tmp_path / "log"), Store(tmp_path / "store")
    good = [job(corpus, 4, RandomOrder()), job(corpus, 9, RandomOrder())]
    awkward = [strange.Unpicklable(log, 7), strange.Unreadable(log, 8)]
    kinds = (strange.Raises, strange.Refuses, strange.Exits, strange.NoRun, strange.OtherQuestions)
    bad = [job(corpus, 4, kind(log, seed)) for seed, kind in enumerate(kinds)]
    others = [job(corpus, 9, retriever) for retriever in awkward]
    failed = compute_runs([*bad, *good, *others], corpus, questions, store, workers)
    labels = [made.configuration for made in bad]
    assert set(failed) == set(labels)
    assert failed[labels[0]] == FailedRun(
        r"AwkwardError: 一行目\n二行目", labels[0], "correct the component; the other rows are complete"
    )
    assert failed[labels[1]] == FailedRun("何が", "どこ", "どうする")
    assert failed[labels[2]].what == "SystemExit: 5"
    assert failed[labels[3]].what == "a list is no run"
    assert "the run has 6 rows" in failed[labels[4]].what
    assert all(load_run(store, made.key) for made in (*good, *others))
    # What cannot travel is ranked here.
    assert {int(line[0]) for line in lines(tmp_path / "log")} == {os.getpid()}


def test_a_retriever_that_dies_costs_its_own_row(world: tuple[Corpus, Questions], tmp_path: Path) -> None:
    corpus, questions = world
    store, log = Store(tmp_path / "store"), str(tmp_path / "log")
    good = [job(corpus, 4, RandomOrder(1)), job(corpus, 9, RandomOrder(1))]
    dying, told = job(corpus, 4, strange.Dies(log, 2)), []
    failed = compute_runs([good[0], dying, good[1]], corpus, questions, store, 2, told.append)
    assert set(failed) == {dying.configuration}
    assert "ended without a word" in failed[dying.configuration].what
    assert sorted(told) == sorted(made.configuration for made in (*good, dying))
    assert all(load_run(store, made.key) for made in good)
    assert not multiprocessing.active_children()


def test_no_chunk_fails_the_rows_of_that_chunking_only(tmp_path: Path) -> None:
    corpus, questions = small()
    none = RunJob(
        object_key({}),
        "none + random()",
        Indexed.of(Chunking(corpus, *[np.array([], np.int64)] * 2)),
        RandomOrder(),
    )
    failed = compute_runs([none, job(corpus, 4, RandomOrder())], corpus, questions, Store(tmp_path), 1)
    assert failed[none.configuration].what == "there is no chunk to index"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_store_that_cannot_be_written_ends_it_before_it_begins(
    workers: int, world: tuple[Corpus, Questions], tmp_path: Path
) -> None:
    (tmp_path / "store").write_bytes(b"")
    log = tmp_path / "log"
    jobs = [job(world[0], size, strange.Logged(str(log))) for size in (4, 9)]
    with pytest.raises(InputError, match="cannot be kept"):
        compute_runs(jobs, *world, Store(tmp_path / "store"), workers)
    assert not lines(log)


def test_a_store_that_cannot_be_written_in_the_end_is_told_by_the_worker(
    world: tuple[Corpus, Questions], tmp_path: Path
) -> None:
    jobs = [job(world[0], size, RandomOrder()) for size in (4, 9)]
    for made in jobs:
        (tmp_path / f"{made.key}.object" / "inside").mkdir(parents=True)
    with pytest.raises(InputError) as caught:
        compute_runs(jobs, *world, Store(tmp_path), 2)
    assert caught.value.where == str(tmp_path)
    assert not multiprocessing.active_children()


def test_jobs_of_two_corpora_or_one_label_are_refused(world: tuple[Corpus, Questions], tmp_path: Path) -> None:
    made = job(world[0], 4, RandomOrder())
    for jobs in ([made, job(small()[0], 6, RandomOrder())], [made, made]):
        with pytest.raises(ValueError, match="one corpus"):
            compute_runs(jobs, *world, Store(tmp_path), 1)


def test_where_no_process_can_be_had_it_is_computed_here(
    world: tuple[Corpus, Questions], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*arguments: object) -> None:
        raise BlockingIOError("no process")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", refused)
    log = tmp_path / "log"
    jobs = [job(world[0], size, strange.Logged(str(log))) for size in (4, 9)]
    assert compute_runs(jobs, *world, Store(tmp_path / "store"), 2) == {}
    assert {line[0] for line in lines(log)} == {str(os.getpid())}


def test_a_corpus_that_cannot_be_shared_is_ranked_here_and_who_was_started_ends(
    world: tuple[Corpus, Questions], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def full(*arguments: object) -> None:
        assert len(multiprocessing.active_children()) == 1
        raise OSError("no room")

    monkeypatch.setattr("kugiri.sweeps.workers.write_shared", full)
    log, told = tmp_path / "log", []
    jobs = [job(world[0], size, strange.Logged(str(log))) for size in (4, 9)]
    assert compute_runs(jobs, *world, Store(tmp_path / "store"), 2, told.append) == {}
    assert {line[0] for line in lines(log)} == {str(os.getpid())}
    assert sorted(told) == sorted(made.configuration for made in jobs)
    assert not multiprocessing.active_children()
    assert capfd.readouterr() == ("", "")


def test_a_worker_that_dies_costs_no_other_worker_its_task(world: tuple[Corpus, Questions], tmp_path: Path) -> None:
    corpus, questions = world
    store, log, told = Store(tmp_path / "store"), tmp_path / "log", []
    good = [job(corpus, size, strange.Logged(str(log))) for size in (3, 5, 6, 7, 8)]
    dying = [job(corpus, size, strange.Dies(str(tmp_path / "dead"), 2)) for size in (4, 9)]
    failed = compute_runs([*dying, *good, job(corpus, 2, BIGRAMS)], corpus, questions, store, 3, told.append)
    assert set(failed) == {made.configuration for made in dying}
    assert len(told) == len(set(told)) == 8
    assert len(lines(log)) == 5
    assert str(os.getpid()) not in {line[0] for line in lines(log)}
    assert not multiprocessing.active_children()


def test_a_task_is_claimed_once(tmp_path: Path) -> None:
    claimed = [worker_process.claimed(str(tmp_path), number) for number in (1, 1, 2, 2)]
    assert claimed == [True, False, True, False]
    assert not worker_process.claimed(str(tmp_path / "gone"), 1)


def test_starting_puts_back_what_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    script = sys.modules["__main__"]
    with pytest.raises(ZeroDivisionError), worker_process.starting():
        assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "1"
        assert sys.modules["__main__"] is not script
        raise ZeroDivisionError
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert "MKL_NUM_THREADS" not in os.environ
    assert sys.modules["__main__"] is script


# ---------------------------------------------------------------------------------------- killed and interrupted
SCRIPT = """
import os, signal, sys
# A shell starts its background jobs deaf to it, the whole test run too.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path[:0] = sys.argv[1].split(os.pathsep)
from pathlib import Path
import strange_retrievers as strange
from test_workers import job
from kugiri.store.objects import Store
from kugiri.sweeps.workers import compute_runs
from sweep_worlds import small
folder, workers, kind, after, number = Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4], int(sys.argv[5]), 0
corpus, questions = small()
jobs = [job(corpus, size, strange.Logged(str(folder / "log"), size)) for size in (4, 5, 6, 7, 8)]

def told(label):
    global number
    number += 1
    if number == after:
        os.kill(os.getpid(), getattr(signal, kind))

print("started", compute_runs(jobs, corpus, questions, Store(folder / "store"), workers, told))
"""


def script(folder: Path, workers: int, kind: str = "SIGKILL", after: int = 9, **options: Any) -> Any:
    tests = Path(__file__).parent
    paths = os.pathsep.join([str(tests), str(tests.parent)])
    return subprocess.run(
        [sys.executable, "-", paths, str(folder), str(workers), kind, str(after)],
        input=SCRIPT,
        encoding="utf-8",
        capture_output=True,
        check=False,
        env={**os.environ, "TMPDIR": str(folder / "temporary")},
        **options,
    )


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 of POSIX")
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_after_three_of_five_the_rest_is_computed_and_no_more(workers: int, tmp_path: Path) -> None:  # M107
    (tmp_path / "temporary").mkdir()
    done = script(tmp_path, workers, after=3)
    assert done.returncode == -signal.SIGKILL
    # Workers notice, stop, and take the shared corpus with them.
    assert eventually(lambda: not list((tmp_path / "temporary").iterdir()))
    assert eventually(lambda: not any(map(alive, {int(line[0]) for line in lines(tmp_path / "log")})))
    kept = len(list((tmp_path / "store").glob("*.object")))
    assert 3 <= kept <= (3 if workers == 1 else 5)
    before = len(lines(tmp_path / "log"))
    corpus, questions = small()
    jobs = [job(corpus, size, strange.Logged(str(tmp_path / "log"), size)) for size in (4, 5, 6, 7, 8)]
    store, unbroken = Store(tmp_path / "store"), Store(tmp_path / "unbroken")
    assert compute_runs(jobs, corpus, questions, store, 1) == {}
    assert len(lines(tmp_path / "log")) - before == 5 - kept
    compute_runs(jobs, corpus, questions, unbroken, 1)
    objects = {name: data for name, data in contents(store).items() if ".partial-" not in name}
    assert objects == contents(unbroken)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_the_workers_without_a_word_of_theirs(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    done = script(tmp_path, 2, "SIGINT", 1)
    assert done.returncode == -signal.SIGINT
    assert done.stdout == ""
    assert done.stderr.count("KeyboardInterrupt") == 1
    assert done.stderr.count("Traceback") == 1
    assert not any(map(alive, {int(line[0]) for line in lines(tmp_path / "log")}))
    assert not list((tmp_path / "temporary").iterdir())


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    """From standard input and from a file, neither of which a spawned process could or should run again."""
    (tmp_path / "temporary").mkdir()
    done = script(tmp_path, 2)
    assert (done.stdout, done.stderr) == ("started {}\n", "")
    assert len(lines(tmp_path / "log")) == 5
    path = tmp_path / "sweep.py"
    path.write_text(SCRIPT, encoding="utf-8")
    tests = Path(__file__).parent
    (tmp_path / "again").mkdir()
    again = subprocess.run(
        [
            sys.executable,
            path,
            os.pathsep.join([str(tests), str(tests.parent)]),
            tmp_path / "again",
            "2",
            "SIGINT",
            "9",
        ],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (again.stdout, again.stderr) == ("started {}\n", "")
    assert len(lines(tmp_path / "again" / "log")) == 5
