"""White space: what `str.isspace` calls so, U+3000, U+2028 and NBSP too, U+200B not."""

from __future__ import annotations

import functools

import numpy as np

from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.characters import Classes, character_classes, class_table, code_points

_LAST = 0x3000
"""The last code point that is white space."""


@functools.cache
def _table() -> Classes:
    return class_table({1: "".join(filter(str.isspace, map(chr, range(_LAST + 1))))})


def is_white(text: str) -> Bool:
    """bool[len(text)], whether each character is white space."""
    return np.asarray(_table()[code_points(text)] == 1)


def white_runs(corpus: Corpus) -> tuple[Int64, Int64]:
    """Start and end of every run of white space on the axis; a run does not stop where a document does."""
    white = np.zeros(corpus.characters + 2, dtype=np.int8)
    white[1:-1] = character_classes(corpus, _table())
    edges = np.flatnonzero(np.diff(white))
    return edges[::2], edges[1::2]
