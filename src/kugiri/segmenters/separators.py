"""Separators: strings that a text may be cut behind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kugiri.model.columns import Int32, Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.characters import class_table, marks


def behind_separators(corpus: Corpus, levels: Sequence[Sequence[str]]) -> tuple[Int64, Int32]:
    r"""Where a separator ends: int64 increasing positions, and int32, how strong the strongest that ends there is.

    Those of the last level have strength 1, those of the level in front of it 2, and so on. Occurrences may overlap:
    behind three line breaks in a row, `"\n\n"` ends twice.

    Args:
        corpus: the documents; nothing is found across two of them.
        levels: separators, each of at least one character; at most 255 different characters in all.
    """
    characters = sorted({character for level in levels for separator in level for character in separator})
    number = {character: place for place, character in enumerate(characters, start=1)}
    at, kind = marks(corpus, class_table({place: character for character, place in number.items()}))
    single = np.zeros(len(number) + 1, dtype=np.int32)
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
    return at[some] + 1, found[some]


def _ending(corpus: Corpus, at: Int64, kind: np.ndarray[tuple[int], np.dtype[np.uint8]], wanted: list[int]) -> Int64:
    """The marks that are the last of these in a row, all in one document."""
    last = np.flatnonzero(kind == wanted[-1])
    for back, number in enumerate(wanted[-2::-1], start=1):
        last = last[last >= back]
        last = last[(kind[last - back] == number) & (at[last - back] == at[last] - back)]
    edges = corpus.document_start
    # The first edge behind the separator's start must not lie inside it.
    return last[edges[np.searchsorted(edges, at[last] - len(wanted) + 1, side="right")] > at[last]]
