"""Drawn outcomes of clustered questions, and the tests' own brute force over every flip."""

from __future__ import annotations

from itertools import product
from math import log2
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

SCORES = [0.0, 1.0, 0.5, 1 / 3, 1 / 6, 1 / log2(3), 1 / log2(5), 0.1]
"""Values of Recall, MRR and nDCG: whole, dyadic, and neither; 1/3 + 1/6 ties with 1/2 on paper only."""


def outcomes(draw: Any, columns: int | None = None, clusters: int = 7) -> tuple[NDArray[Any], NDArray[Any]]:
    """values[n, m] and cluster[n] with every cluster number from 0 present."""
    count = draw(st.integers(2, clusters))
    m = columns or draw(st.integers(1, 4))
    more = draw(st.lists(st.integers(0, count - 1), max_size=8))
    cluster = np.array([*range(count), *more])
    n = len(cluster)
    rows = draw(st.lists(st.lists(st.sampled_from(SCORES), min_size=m, max_size=m), min_size=n, max_size=n))
    return np.array(rows), cluster


@st.composite
def worlds(draw: Any, columns: int | None = None, clusters: int = 7) -> tuple[NDArray[Any], NDArray[Any]]:
    return outcomes(draw, columns, clusters)


def all_pairs(m: int) -> tuple[NDArray[Any], NDArray[Any]]:
    a, b = np.triu_indices(m, 1)
    return a, b


def brute_force_max_t(sums: NDArray[Any], *, recompute: NDArray[Any] | None = None) -> tuple[list[float], list[float]]:
    """p and max-T p of every column of sums[C, pairs], one flip at a time.

    With `recompute` (cluster sizes) the standard error is computed anew, around the mean, for every flip.
    """

    def t(column: list[float]) -> float:
        if recompute is None:
            scale = sum(x * x for x in column) ** 0.5
        else:
            mean = sum(column) / sum(recompute)
            scale = sum((x - n * mean) ** 2 for x, n in zip(column, recompute, strict=True)) ** 0.5
        total = abs(sum(column))
        if total < 1e-12:
            return 0.0
        # A spread that is rounding is no spread: t is infinite, and equal to every other infinite t.
        return total / scale if scale > 1e-12 else float("inf")

    columns = sums.T.tolist()
    observed = [t(column) for column in columns]
    flips = list(product((1, -1), repeat=len(sums)))
    alone, family = [0] * len(columns), [0] * len(columns)
    for signs in flips:
        flipped = [t([s * x for s, x in zip(signs, column, strict=True)]) for column in columns]
        for j, seen in enumerate(observed):
            alone[j] += flipped[j] >= seen - 1e-9
            family[j] += max(flipped) >= seen - 1e-9
    return [r / len(flips) for r in alone], [r / len(flips) for r in family]
