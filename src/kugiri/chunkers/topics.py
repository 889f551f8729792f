"""Chunks of one topic: sentences packed between the places where the topic changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from kugiri.chunkers.measures import Measure, measure
from kugiri.chunkers.packing import pack
from kugiri.chunkers.pieces import MUST, Pieces
from kugiri.chunkers.trimming import trimmed
from kugiri.errors import InputError
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Float64
from kugiri.model.windows import Windows, resolved

SMALLEST = 0.2
"""The smallest topic by default, a share of the size."""


def settle_smallest(component: Any) -> None:
    """Check `size` and `smallest`, and give one label to one meaning: nothing at least is 0, a share a Python float.

    Raises:
        InputError: as `kugiri.model.windows.Windows`; a smallest topic that is no number from 0 to the size.
    """
    size, smallest = Windows(component.size).size, component.smallest
    known = isinstance(smallest, int | float) and not isinstance(smallest, bool)
    if not known or not 0 <= smallest <= (1 if isinstance(smallest, float) else size):
        raise InputError(
            f"smallest = {smallest!r} with size = {size}: a topic cannot have to be larger than a chunk may be",
            "smallest",
            "give units (80), at most the size, or a share of the size (0.2), at most 1.0",
        )
    plain = 0 if smallest == 0 else float(smallest) if isinstance(smallest, float) else smallest
    object.__setattr__(component, "smallest", plain)


def packed_topics(sentences: Boundaries, changes: Float64, component: Any) -> Chunking:
    """Sentences packed as the component's `size`, `tokenizer` and `trim` say, no chunk of two topics.

    A change of topic is a place that must be cut, however well both topics would fit into one chunk: packing alone
    would join them again. It is left out where the text between it and a clearer change, or an edge of the document,
    is smaller than `smallest`; of changes that are equally clear the first stays.

    Args:
        sentences: they cover every document.
        changes: float64[N], how clearly the topic changes in front of each sentence; 0 where it does not.
        component: a chunker with `size`, `smallest`, `tokenizer` and `trim`.
    """
    measured = measure(sentences.corpus, component.tokenizer, component.trim)
    strength = np.ones(len(sentences), dtype=np.int32)
    strength[_apart(sentences, changes, measured, resolved(component.size, component.smallest))] = MUST
    chunking = pack(Pieces(sentences, strength), Windows(component.size), measured)
    return trimmed(chunking) if component.trim else chunking


def _apart(sentences: Boundaries, changes: Float64, measured: Measure, smallest: int) -> Bool:
    """bool[N], the changes that stay, the edges of documents among them."""
    corpus = sentences.corpus
    edge = np.isin(sentences.start, corpus.document_start)
    place = np.flatnonzero(edge | (changes > 0))
    at = np.append(sentences.start[place], corpus.characters)
    # Which places are nearer than that, on either side; what lies behind the end of a document was refused by it.
    until, up_to = measured.until(at), measured.up_to(at)
    low = np.searchsorted(until, up_to - smallest, side="right").tolist()
    high = np.searchsorted(up_to, until + smallest, side="left").tolist()
    clearness = np.append(np.where(edge[place], np.inf, changes[place]), np.inf)
    refused, kept = np.zeros(len(at), dtype=bool), np.zeros(len(sentences), dtype=bool)
    for number in np.argsort(-clearness, kind="stable").tolist():
        if clearness[number] == np.inf or not refused[number]:
            refused[low[number] : high[number]] = True
            kept[place[number : number + 1]] = True
    return kept
