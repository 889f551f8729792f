"""Reciprocal rank fusion."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import scipy.sparse

from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.columns import Bool, Int32
from kugiri.model.run import Run, ranked
from kugiri.retrievers.parameters import demand_whole
from kugiri.retrievers.protocol import RetrievalTask, Retriever


@dataclasses.dataclass(frozen=True, slots=True)
class ReciprocalRankFusion:
    """The sum of 1 / (k + rank) over several rankings (Cormack, Clarke and Büttcher, SIGIR 2009).

    Ranks count from 1; a chunk that a ranking does not have gets nothing from it; a ranking without hits is empty and
    adds nothing. How deep each ranking goes is its own `depth`.

    Attributes:
        of: the retrievers whose rankings are fused, at least one.
        k: how much the first places differ; greater than 0.
        depth: how many chunks to rank.

    Raises:
        InputError: no retriever, something that is none, or a parameter outside its range.
    """

    name: ClassVar[str] = "rrf"
    version: ClassVar[int] = 1

    of: tuple[Any, ...]
    k: int | float = 60
    depth: int = 100

    def __post_init__(self) -> None:
        parts: Sequence[Any] = self.of
        if isinstance(parts, str) or not parts:
            raise InputError("rrf() fuses nothing", "of", "give retrievers, as in rrf(of=[bm25(), tfidf()])")
        object.__setattr__(self, "of", tuple(parts))
        for part in self.of:
            if not callable(getattr(part, "rank", None)):
                raise InputError(f"{part!r} is no retriever", "of", "give retrievers, as in rrf(of=[bm25(), tfidf()])")
        demand_whole("depth", self.depth, 1)
        if isinstance(self.k, bool) or not isinstance(self.k, int | float) or not 0 < self.k < np.inf:
            raise InputError(f"k = {self.k!r} is not greater than 0", "k", "give a number above 0, as in k=60")
        if isinstance(self.k, float) and self.k.is_integer():
            object.__setattr__(self, "k", int(self.k))

    def __str__(self) -> str:
        return component_label(self)

    def rank(self, task: RetrievalTask) -> Run:
        """The fused ranking of each question."""
        parts: tuple[Retriever, ...] = self.of
        scores = fused([task.run_of(part).chunk for part in parts], self.k, len(task.chunking))
        return ranked([scores], self.depth, task.question_ids, task.chunking)


def fused(rankings: Sequence[Int32], k: int | float, chunks: int) -> Any:
    """The fused scores as scipy CSR [Q, chunks].

    Args:
        rankings: int32[Q, depth] each (depths may differ), best first; −1 is no entry. An entry that its row had
            before is left out first, so it neither counts again nor pushes others down.
        k: of the formula.
        chunks: how many there are.
    """
    cells, shares = [], []
    for ranking in rankings:
        entry = _first_occurrences(ranking)
        rank = np.cumsum(entry, axis=1)
        row, place = np.nonzero(entry)
        cells.append(row * chunks + ranking[row, place])
        shares.append(1.0 / (k + rank[row, place]))
    cell, share = np.concatenate(cells), np.concatenate(shares)
    # Added from the smallest up, so that two chunks with the same ranks in different lists get the same sum.
    order = np.lexsort((share, cell))
    found, group = np.unique(cell[order], return_inverse=True)
    total = np.bincount(group, weights=share[order], minlength=len(found))
    edge = np.searchsorted(found, np.arange(len(rankings[0]) + 1) * chunks)
    return scipy.sparse.csr_matrix((total, found % chunks, edge), shape=(len(rankings[0]), chunks))


def _first_occurrences(ranking: Int32) -> Bool:
    """bool[Q, depth], where a chunk stands for the first time in its row."""
    order = np.argsort(ranking, axis=1, kind="stable")
    sorted_chunks = np.take_along_axis(ranking, order, axis=1)
    again = np.zeros(ranking.shape, dtype=bool)
    again[:, 1:] = sorted_chunks[:, 1:] == sorted_chunks[:, :-1]
    first = np.empty(ranking.shape, dtype=bool)
    np.put_along_axis(first, order, ~again, axis=1)
    return first & (ranking >= 0)
