"""Killed at any moment: the old results or the new, never a mixture, and the next command goes on from there."""

from __future__ import annotations

import importlib.metadata
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import versioned
from versioned import names, publish, version_of

from kugiri.errors import InputError
from kugiri.export.folder import recover

State = tuple[Any, ...]


class Killed(BaseException):
    """The process ended here."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions are not looked up, which takes most of a small publication."""
    monkeypatch.setattr(importlib.metadata, "version", lambda library: "1")


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in memory where the system has one: hundreds of trees are copied, and nothing is asked of the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else tmp_path) as folder:
        yield Path(folder)


@contextmanager
def failing(at: int, error: BaseException, for_ever: bool) -> Iterator[list[str]]:
    """Call number `at` of those that change the disk raises instead; `for_ever` every one after it too, as if killed.

    Yields the names of the calls so far.
    """
    calls: list[str] = []

    def counted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def change(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            if len(calls) == at or (for_ever and len(calls) > at):
                raise error
            return call(*arguments, **options)

        return change

    with pytest.MonkeyPatch.context() as patch:
        for name in ("rename", "mkdir", "rmdir", "unlink", "fsync"):
            patch.setattr(os, name, counted(name, getattr(os, name)))
        for name in ("write_bytes", "touch"):
            patch.setattr(Path, name, counted(name, getattr(Path, name)))
        yield calls


def state_of(out: Path) -> State:
    """All that the next command goes by. What stands as NAME or `previous` is whole, or this fails."""
    found = [
        (folder.exists(), version_of(folder) is not None) for folder in (out, out.with_name(f"{out.name}.previous"))
    ]
    partials = out.parent.glob(f"{out.name}.partial-*")
    return (*found, *sorted((partial / "swapping").exists() for partial in partials))


def copy_of(folder: Path, to: Path) -> None:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to)


def settled(out: Path) -> int | None:
    recover(out)
    return version_of(out)


@pytest.mark.usefixtures("quick")
def test_every_sequence_of_kills(memory: Path) -> None:
    """Breadth first over all states that kills can leave, each left again by a kill at every one of its calls."""
    out, saved = memory / "reports" / "eight", memory / "saved"
    seen: set[State] = set()
    queue: list[Path] = []

    def found(folder: Path) -> None:
        state = state_of(folder / out.name)
        if state not in seen:
            seen.add(state)
            queue.append(saved / str(len(seen)))
            shutil.copytree(folder, queue[-1])

    out.parent.mkdir()
    found(out.parent)
    out.mkdir()
    found(out.parent)
    publish(out, 0)
    found(out.parent)
    kills = 0
    while queue:
        origin = queue.pop(0)
        copy_of(origin, out.parent)
        old = settled(out)
        new = 1 - (old or 0)
        for at in itertools.count(1):
            copy_of(origin, out.parent)
            try:
                with failing(at, Killed(), for_ever=True):
                    publish(out, new)
            except Killed:
                kills += 1
                found(out.parent)
                assert settled(out) in (old, new)
            else:
                assert (version_of(out), names(out.parent)) == (new, ["eight"])
                break
    print(f"{len(seen)} states, {kills} kills")
    assert len(seen) >= 9
    assert kills >= 200


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("start", "error"),
    [
        *((start, OSError(5, "Input/output error")) for start in ("absent", "results", "between", "replaced")),
        *((start, KeyboardInterrupt()) for start in ("absent", "replaced")),
    ],
)
def test_every_single_failure(memory: Path, start: str, error: BaseException) -> None:
    """One call fails and the process lives: it says so, or succeeds, and either way old or new stands."""
    out, origin = memory / "reports" / "eight", memory / "origin"
    out.parent.mkdir()
    old = None if start == "absent" else 0
    if old is not None:
        publish(out, old)
    if start in ("between", "replaced"):
        partial = out.with_name("eight.partial-0123abcd")
        partial.mkdir()
        (partial / "swapping").touch()
        out.rename(out.with_name("eight.previous"))
        if start == "replaced":
            publish(memory / "other", 0)
            (memory / "other").rename(out)
    copy_of(out.parent, origin)
    outcomes: list[str] = []
    for at in itertools.count(1):
        copy_of(origin, out.parent)
        with failing(at, error, for_ever=False) as calls:
            try:
                publish(out, 1)
                outcomes.append("done")
            except (InputError, OSError, KeyboardInterrupt) as raised:
                outcomes.append(type(raised).__name__)
        if len(calls) < at:
            break
        standing = settled(out)
        assert standing in (old, 1)
        assert standing == 1 or outcomes[-1] != "done"
        publish(out, 2)
        assert (version_of(out), names(out.parent)) == (2, ["eight"])
    assert len(outcomes) > 15
    assert outcomes[-1] == "done"


@pytest.mark.usefixtures("quick")
@pytest.mark.skipif(sys.platform == "win32", reason="no fork, no SIGKILL")
def test_real_kills(out: Path, lock_folder: Path) -> None:
    """A process that publishes again and again, killed 40 times, half of them as soon as a swap is seen to begin."""
    drawn = random.Random(2)
    previous = out.with_name("eight.previous")
    command = [sys.executable, versioned.__file__, str(out)]
    environment = {**os.environ, "TMPDIR": str(lock_folder)}
    found: Counter[str] = Counter()
    version = 0
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, encoding="ascii"
    ) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for number in range(40):
            print(version, file=nursery.stdin, flush=True)
            child = int(nursery.stdout.readline().removeprefix("pid "))
            for _ in range(drawn.randrange(3)):
                nursery.stdout.readline()
            if number % 2:
                until = time.perf_counter() + 1
                while not previous.exists() and time.perf_counter() < until:
                    pass
            else:
                time.sleep(drawn.uniform(0, 0.02))
            os.kill(child, signal.SIGKILL)
            done = [line for line in iter(nursery.stdout.readline, "reaped\n") if line.startswith("done")]
            state = state_of(out)
            found[f"NAME={state[0][0]:d} previous={state[1][0]:d} swapping={list(map(int, state[2:]))}"] += 1
            standing = settled(out)
            if done:
                last = int(done[-1].removeprefix("done "))
                assert standing in (last, last + 1)
            else:
                assert standing is None if version == 0 else standing >= version - 1
            version = 0 if standing is None else standing + 1
            publish(out, version)
            assert (version_of(out), names(out.parent)) == (version, ["eight"])
            version += 1
        nursery.stdin.close()
    print(dict(found))
    assert nursery.returncode == 0
    assert version > 40
