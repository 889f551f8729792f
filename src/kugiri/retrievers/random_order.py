"""The floor: a retriever that knows nothing."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.columns import Float64
from kugiri.model.run import Run, ranked
from kugiri.retrievers.parameters import demand_whole
from kugiri.retrievers.protocol import RetrievalTask

_QUESTIONS_AT_ONCE = 256


@dataclasses.dataclass(frozen=True, slots=True)
class RandomOrder:
    """Every chunk, in an order drawn for each question: what a metric gives to pure chance.

    The order depends on the seed, the question's id and the number of the chunk, and on nothing else: neither on the
    other questions nor on the order in which they come.

    Attributes:
        seed: of the draw.
        depth: how many chunks to rank.
    """

    name: ClassVar[str] = "random"
    version: ClassVar[int] = 1

    seed: int = 1
    depth: int = 100

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise InputError(f"seed = {self.seed!r} is no whole number", "seed", "give a whole number")
        demand_whole("depth", self.depth, 1)

    def __str__(self) -> str:
        return component_label(self)

    def rank(self, task: RetrievalTask) -> Run:
        """The drawn order of each question's chunks."""

        def blocks() -> Iterator[Float64]:
            ids, chunks = task.question_ids, len(task.chunking)
            for low in range(0, len(ids), _QUESTIONS_AT_ONCE):
                yield np.stack(
                    [_drawn(self.seed, question, chunks) for question in ids[low : low + _QUESTIONS_AT_ONCE]]
                )

        return ranked(blocks(), self.depth, task.question_ids, task.chunking)


def _drawn(seed: int, question: str, count: int) -> Float64:
    """float64[count] in (0, 1]: Philox 4x64, keyed by 16 bytes of the SHA-256 of seed and question.

    numpy promises the raw stream of a bit generator for good (NEP 19), and promises nothing for what `Generator` makes
    of it; SHA-256 of every chunk, as `kugiri.model.draw` does it, would take a second per hundred questions.
    """
    digest = hashlib.sha256(f"{seed}\n{question}".encode()).digest()
    raw = np.random.Philox(key=int.from_bytes(digest[:16], "big")).random_raw(count)
    return ((np.asarray(raw) >> np.uint64(11)) + np.uint64(1)).astype(np.float64) * 2.0**-53
