"""Retrievers of third parties, in a module that other processes can import; each ranks, and leaves a line in a log."""

from __future__ import annotations

import dataclasses
import os
import threading
from pathlib import Path
from typing import Any, ClassVar

from kugiri.errors import InputError
from kugiri.model.run import Run
from kugiri.retrievers.protocol import RetrievalTask
from kugiri.retrievers.random_order import RandomOrder


@dataclasses.dataclass(frozen=True)
class Logged:
    """random(seed) that says where and how often it ranked."""

    name: ClassVar[str] = "logged"
    version: ClassVar[int] = 1

    log: str
    seed: int = 1
    depth: int = 5

    def __str__(self) -> str:
        return f"logged(seed={self.seed})"

    def rank(self, task: RetrievalTask) -> Run:
        with Path(self.log).open("a", encoding="utf-8") as log:
            log.write(f"{os.getpid()} {self.seed} {os.environ.get('OMP_NUM_THREADS')}\n")
        return RandomOrder(self.seed, self.depth).rank(task)


class AwkwardError(Exception):
    """Cannot be pickled back, as a KugiriError cannot."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one}\n{other}")


class Raises(Logged):
    def rank(self, task: RetrievalTask) -> Run:
        raise AwkwardError("一行目", "二行目")


class Refuses(Logged):
    def rank(self, task: RetrievalTask) -> Run:
        raise InputError("何が", "どこ", "どうする", ("余り",))


class Exits(Logged):
    def rank(self, task: RetrievalTask) -> Run:
        raise SystemExit(5)


class Dies(Logged):
    def rank(self, task: RetrievalTask) -> Run:
        os._exit(9)


class NoRun(Logged):
    def rank(self, task: RetrievalTask) -> Any:
        return [[1, 2, 3]]


class OtherQuestions(Logged):
    def rank(self, task: RetrievalTask) -> Run:
        run = RandomOrder(self.seed, self.depth).rank(task)
        return Run(run.chunk[1:], run.score[1:], run.hits[1:], run.tied[1:])


class Unpicklable(Logged):
    """Holds a lock, as a client of some server does."""

    def __reduce__(self) -> Any:
        return type(self), (self.log, threading.Lock())


def _never() -> Any:
    raise ImportError("not on this machine")


class Unreadable(Logged):
    """Is pickled, and comes back nowhere."""

    def __reduce__(self) -> Any:
        return _never, ()
