"""Cuts: places between two units that cover every document."""

from __future__ import annotations

import numpy as np

from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus


def first_places(corpus: Corpus) -> Int64:
    """int64, where every document that has a character starts."""
    edges = corpus.document_start
    return edges[:-1][edges[:-1] < edges[1:]]


def filled_documents(corpus: Corpus) -> Boundaries:
    """The documents that have a character, as units."""
    start = first_places(corpus)
    return Boundaries(corpus, start, np.append(start[1:], corpus.characters)[: len(start)])


def is_edge(corpus: Corpus, position: Int64) -> Bool:
    """bool[P], whether a document starts or ends at each position of the axis."""
    edges = corpus.document_start
    place = np.minimum(np.searchsorted(edges, position), len(edges) - 1)
    return np.asarray(edges[place] == position)


def is_among(increasing: Int64, wanted: Int64) -> Bool:
    """bool, which of the first values are among the second; quick where these are few."""
    found = np.zeros(len(increasing) + 1, dtype=bool)
    place = np.searchsorted(increasing, wanted)
    found[place[np.append(increasing, -1)[place] == wanted]] = True
    return found[:-1]


def without_repeats(increasing: Int64) -> Int64:
    """Values that never decrease, each once."""
    return increasing[np.diff(increasing, prepend=-1) > 0]


def between_cuts(corpus: Corpus, cuts: Int64) -> Boundaries:
    """The units between these cuts and the edges of documents; unsorted or repeated cuts do no harm."""
    # Stable means merging: what is sorted already costs one pass.
    start = without_repeats(np.sort(np.concatenate((first_places(corpus), cuts)), kind="stable"))
    if len(start) and start[-1] == corpus.characters:
        start = start[:-1]
    return Boundaries(corpus, start, np.append(start[1:], corpus.characters)[: len(start)])
