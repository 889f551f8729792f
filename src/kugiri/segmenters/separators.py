"""Separators: strings that a text may be cut behind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kugiri.model.columns import Int32, Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.characters import class_table, marks
from kugiri.segmenters.cuts import is_among
from kugiri.segmenters.whole_clusters import behind_clusters, extending, may_go_on


def behind_separators(corpus: Corpus, levels: Sequence[Sequence[str]]) -> tuple[Int64, Int32]:
    r"""Where a separator ends: int64 increasing positions, and int32, how strong the strongest that ends there is.

    Those of the last level have strength 1, those of the level in front of it 2, and so on. Occurrences may overlap:
    behind three line breaks in a row, `"\n\n"` ends twice. A place inside a grapheme cluster moves behind it.

    Args:
        corpus: the documents; nothing is found across two of them.
        levels: separators, each of at least one character; at most 254 different characters in all.
    """
    characters = sorted({character for level in levels for separator in level for character in separator})
    number = {character: place for place, character in enumerate(characters, start=1)}
    # What extends a cluster is looked for too, so that no other character next to a separator need be read.
    extends = len(number) + 1
    at, kind = marks(corpus, class_table({extends: extending(), **{place: c for c, place in number.items()}}))
    single = np.zeros(len(number) + 2, dtype=np.int32)
    longer: list[tuple[int, list[int]]] = []
    for strength, level in enumerate(reversed(levels), start=1):
        for separator in level:
            if len(separator) == 1:
                single[number[separator]] = strength
            else:
                longer.append((strength, [number[character] for character in separator]))
    found = single.take(kind, mode="clip")
    for strength, wanted in longer:
        last = _ending(corpus, at, kind, wanted)
        found[last] = np.maximum(found[last], strength)
    some = np.flatnonzero(found)
    joins, goes_on = np.zeros((2, len(number) + 2), dtype=bool)
    joins[[extends, *(number[character] for character in characters if character in extending())]] = True
    goes_on[[number[character] for character in characters if may_go_on(character)]] = True
    joined = np.flatnonzero(joins.take(kind, mode="clip"))
    split = goes_on.take(kind[some], mode="clip")
    split |= is_among(at[some] + 1, at[joined])
    return _behind_clusters(corpus, at[some] + 1, found[some], np.flatnonzero(split))


def _behind_clusters(corpus: Corpus, cuts: Int64, strength: Int32, some: Int64) -> tuple[Int64, Int32]:
    """The cuts and their strengths, some of them moved out of clusters; the strongest of those that meet."""
    if not len(some):
        return cuts, strength
    document, edges = corpus.document_of(cuts[some] - 1), corpus.document_start
    cuts[some] = behind_clusters(corpus, cuts[some], edges[document], edges[document + 1])
    # One that moved may have gone past others: those lie in the same cluster, and so move too.
    first = np.flatnonzero(np.diff(cuts, prepend=-1) > 0)
    return cuts[first], np.maximum.reduceat(strength, first)


def _ending(corpus: Corpus, at: Int64, kind: np.ndarray[tuple[int], np.dtype[np.uint8]], wanted: list[int]) -> Int64:
    """The marks that are the last of these in a row, all in one document."""
    last = np.flatnonzero(kind == wanted[-1])
    for back, number in enumerate(wanted[-2::-1], start=1):
        last = last[last >= back]
        last = last[(kind[last - back] == number) & (at[last - back] == at[last] - back)]
    edges = corpus.document_start
    # The first edge behind the separator's start must not lie inside it.
    return last[edges[np.searchsorted(edges, at[last] - len(wanted) + 1, side="right")] > at[last]]
