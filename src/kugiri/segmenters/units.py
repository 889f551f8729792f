"""Units in which windows are counted: code points, grapheme clusters, morphemes or tokens."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from kugiri.errors import InvariantError
from kugiri.model.columns import Int64, frozen
from kugiri.model.corpus import Corpus
from kugiri.segmenters.graphemes import Graphemes
from kugiri.segmenters.tokenizers import FindsTokens, Tokenizer, tokenizer
from kugiri.segmenters.unidic import Unidic

UNITS = ("char", "grapheme", "morpheme", "token")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Units of one kind on the global axis; unlike `Boundaries`, they may overlap, as tokens that share a character do.

    Attributes:
        start, end: int64[N], half-open; neither decreases, each unit lies in one document.
        edge: int64[D + 1]; the units of document `d` are those with indices in `[edge[d], edge[d + 1])`.

    Raises:
        InvariantError: they decrease, are empty or cross documents.
    """

    corpus: Corpus
    start: Int64
    end: Int64
    edge: Int64 = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        start, end = frozen(self.start), frozen(self.end)
        limits = self.corpus.document_start
        good = len(start) == len(end) and bool(
            (start < end).all() and (start[1:] >= start[:-1]).all() and (end[1:] >= end[:-1]).all()
        )
        if good and len(start):
            good = bool(start[0] >= 0 and end[-1] <= self.corpus.characters)
        if good and len(start):
            good = bool((end <= limits[self.corpus.document_of(start) + 1]).all())
        if not good:
            raise InvariantError("units decrease, are empty or cross documents", "units", "correct what found them")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        object.__setattr__(self, "edge", frozen(np.searchsorted(start, limits, side="left")))

    def __len__(self) -> int:
        """The number of units."""
        return len(self.start)


def units_of(corpus: Corpus, unit: str, by: str | FindsTokens | None = None) -> Units:
    """The units of every document, `unit` one of `UNITS`; tokens by the tokenizer `by`.

    Those of the corpus that was asked for last are remembered: windows of many sizes over it find them once.

    Raises:
        InputError: as `kugiri.segmenters.tokenizers.tokenizer`.
    """
    made: Any = tokenizer(by) if unit == "token" and by is not None else None
    return _found(corpus, unit, made)


@functools.lru_cache(maxsize=1)
def _found(corpus: Corpus, unit: str, made: Any) -> Units:
    if made is not None:
        return _tokens(corpus, made)
    if unit == "char":
        places = np.arange(corpus.characters + 1)
        return Units(corpus, places[:-1], places[1:])
    found = (Graphemes() if unit == "grapheme" else Unidic()).segment(corpus)
    return Units(corpus, found.start, found.end)


def _tokens(corpus: Corpus, made: Tokenizer) -> Units:
    start, end = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for text, origin in zip(corpus.texts, corpus.document_start.tolist(), strict=False):
        low, high = made.spans(text)
        start.append(low + origin)
        end.append(high + origin)
    return Units(corpus, np.concatenate(start), np.concatenate(end))
