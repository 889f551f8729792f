"""Placed chunks as one chunking: neither starts nor ends go back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kugiri.errors import InputError
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int64, first_false
from kugiri.model.corpus import Corpus


def one_layer(
    corpus: Corpus, places: Sequence[tuple[int, int, int]], named: Callable[[int], str], where: str
) -> tuple[Chunking, Int64]:
    """The chunking of these chunks, and the index that each of them has there.

    Args:
        corpus: the documents.
        places: document number, start and end of each chunk, in any order; those with one place become one chunk.
        named: the chunk at an index of `places`, for messages.
        where: the file or the label, for messages.

    Raises:
        InputError: a chunk lies inside another, and neither starts nor ends where it does.
    """
    columns = np.array(places, dtype=np.int64).reshape(-1, 3)
    origin = corpus.document_start[columns[:, 0]]
    start, end = columns[:, 1] + origin, columns[:, 2] + origin
    order = np.lexsort((end, start))
    nested = first_false(end[order][1:] >= end[order][:-1])
    if nested is not None:
        outer, inner = int(order[nested]), int(order[nested + 1])
        raise InputError(
            f"chunk {named(inner)} lies inside chunk {named(outer)}: the index has several layers",
            f"{where}, document {corpus.ids[places[inner][0]]!r}",
            "give one layer at a time (parents or children); this version takes no several layers together",
        )
    new = np.ones(len(order), dtype=bool)
    new[1:] = (start[order][1:] != start[order][:-1]) | (end[order][1:] != end[order][:-1])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return Chunking(corpus, start[order], end[order]), number
