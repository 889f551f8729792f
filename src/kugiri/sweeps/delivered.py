"""From ranked vectors to delivered chunks: a parent's place is its best child's."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from kugiri.model.indexed import Indexed
from kugiri.model.run import Run


def deep_enough(retriever: Any, index: Indexed) -> Any:
    """The retriever looking so deep that its vectors deliver as many chunks as it was asked for.

    The children of one parent may all come before the best child of the next. A retriever without a depth of its own is
    taken as it is, and so are the lists that a fusion fuses: what they do not hold is not found.
    """
    if index.parent is None or not len(index.parent) or not dataclasses.is_dataclass(retriever):
        return retriever
    depth = getattr(retriever, "depth", None)
    if not isinstance(depth, int):
        return retriever
    most = int(np.bincount(index.parent).max())
    # One more than the depth holds, so that a tie across its border is seen.
    deeper = min(depth * most + 1, len(index.vectors))
    return dataclasses.replace(retriever, depth=max(depth, deeper))  # type: ignore[type-var]


def delivered(run: Run, index: Indexed, depth: int) -> Run:
    """The run over delivered chunks, each at the place and with the score of its best vector, `depth` deep.

    Args:
        run: over the vectors.
        index: what they deliver.
        depth: how many chunks to keep.
    """
    if index.parent is None:
        return run
    found = run.chunk >= 0
    parent = np.where(found, index.parent[np.maximum(run.chunk, 0)], -1)
    # The first place of each parent in its row; a stable sort leaves it in front.
    order = np.argsort(parent, axis=1, kind="stable")
    ordered = np.take_along_axis(parent, order, axis=1)
    first = np.zeros(parent.shape, dtype=bool)
    new = np.ones(parent.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    np.put_along_axis(first, order, new, axis=1)
    first &= found
    place = np.cumsum(first, axis=1) - 1
    chunk = np.full((len(run), depth), -1, dtype=np.int32)
    score = np.full((len(run), depth), np.nan)
    row, column = np.nonzero(first & (place < depth))
    chunk[row, place[row, column]] = parent[row, column]
    score[row, place[row, column]] = run.score[row, column]
    hits = (first & (place < depth)).sum(axis=1)
    kept = np.nan_to_num(score, nan=-np.inf)
    tied = ((kept[:, 1:] == kept[:, :-1]) & np.isfinite(kept[:, 1:])).any(axis=1)
    # Beyond the depth: whether the first parent that is left out has the score of the last one kept.
    over = first & (place == depth)
    left_out = np.where(over.any(axis=1), np.where(over, run.score, -np.inf).max(axis=1), -np.inf)
    tied |= (left_out == kept[:, -1]) & np.isfinite(left_out) if depth else False
    return Run(chunk, score, hits.astype(np.int32), tied)
