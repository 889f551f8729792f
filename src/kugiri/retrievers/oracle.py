"""The ceiling: a retriever that knows the answers."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import scipy.sparse

from kugiri.labels import component_label
from kugiri.model.columns import concatenated_ranges
from kugiri.model.piercing import pierced
from kugiri.model.run import Run, ranked
from kugiri.retrievers.parameters import demand_whole
from kugiri.retrievers.protocol import EvidenceRanges, RetrievalTask


@dataclasses.dataclass(frozen=True, slots=True)
class Oracle:
    """The fewest chunks that complete an alternative, and nothing else: `rank` equals `needs`.

    No ranking does better at any k, so what is missing to a perfect score is the cut's fault. Where several
    alternatives need equally few chunks it completes the first in file order.

    Attributes:
        depth: how many chunks to rank.
    """

    name: ClassVar[str] = "oracle"
    version: ClassVar[int] = 1

    depth: int = 100

    def __post_init__(self) -> None:
        demand_whole("depth", self.depth, 1)

    def __str__(self) -> str:
        return component_label(self)

    def rank(self, task: RetrievalTask) -> Run:
        """A smallest sufficient set of chunks for each question that is not lost, the first chunk first.

        Raises:
            ValueError: the task does not say where the evidence is.
        """
        if task.ranges is None:
            message = "oracle() needs a task with the ranges of chunks that contain the evidence"
            raise ValueError(message)
        question, chunk = _smallest_sets(task.ranges, len(task.question_ids))
        counts = np.bincount(question, minlength=len(task.question_ids))
        # 1, 1/2, 1/3, …: any falling scores would do.
        score = 1.0 / (1 + concatenated_ranges(counts))
        edge = np.concatenate(([0], np.cumsum(counts)))
        scores = scipy.sparse.csr_matrix((score, chunk, edge), shape=(len(counts), len(task.chunking)))
        return ranked([scores], self.depth, task.question_ids, task.chunking)


def _smallest_sets(ranges: EvidenceRanges, questions: int) -> tuple[np.ndarray, np.ndarray]:
    """The chosen chunks and the question of each, by question, chunks ascending."""
    alternatives = len(ranges.question)
    piercing = pierced(ranges.first, ranges.last, ranges.alternative, alternatives)
    kept = np.ones(alternatives, dtype=bool)
    kept[ranges.alternative[ranges.first >= ranges.last]] = False
    candidates = np.flatnonzero(kept)
    order = candidates[np.lexsort((candidates, piercing.needed[candidates], ranges.question[candidates]))]
    _, first = np.unique(ranges.question[order], return_index=True)
    chosen = np.zeros(alternatives, dtype=bool)
    chosen[order[first]] = True
    # Alternatives are numbered question by question, so their points come in the order of the questions.
    points = chosen[piercing.group]
    return ranges.question[piercing.group[points]], piercing.point[points]
