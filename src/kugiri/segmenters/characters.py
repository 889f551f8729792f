"""Every character of a corpus as one small number: what segmenters look at instead of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kugiri.model.columns import Int64
from kugiri.model.corpus import Corpus

Classes = NDArray[np.uint8]

_CODE_POINTS = 0x110000
UNKNOWN = 255
"""No class: what stands beyond the text that is looked at together."""
_BLOCK = 65_536
"""Characters looked at together: arrays that stay in the processor's cache, and many short documents in one call."""


def class_table(classes: Mapping[int, str]) -> Classes:
    """uint8[1,114,112]: the class of every code point; 0 for characters that no class names."""
    table = np.zeros(_CODE_POINTS, dtype=np.uint8)
    for number, characters in classes.items():
        table[code_points(characters)] = number
    return table


def code_points(text: str) -> NDArray[Any]:
    """The code points of a text: uint16 where all of them fit, else uint32."""
    # Two bytes a character are half of what numpy has to read; a surrogate pair would make the text longer.
    narrow = text.encode("utf-16-le")
    if len(narrow) == 2 * len(text):
        return np.frombuffer(narrow, dtype="<u2")
    return np.frombuffer(text.encode("utf-32-le"), dtype="<u4")


def character_classes(corpus: Corpus, table: Classes) -> Classes:
    """uint8[characters], the class of every character of the axis."""
    found = np.empty(corpus.characters, dtype=np.uint8)
    for text, origin in _blocks(corpus):
        # Clipping is what makes `take` read the narrow column as it is; no code point is beyond the table.
        np.take(table, code_points(text), out=found[origin : origin + len(text)], mode="clip")
    return found


def marks(corpus: Corpus, table: Classes) -> tuple[Int64, Classes]:
    """The characters that have a class other than 0: int64[M] positions on the axis, increasing; uint8[M] classes."""
    at, kind = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.uint8)]
    for text, origin in _blocks(corpus):
        classes = table.take(code_points(text), mode="clip")
        # Three times as fast as without the comparison: numpy counts true and false by another way than numbers.
        found = np.flatnonzero(classes != 0)
        at.append(found + origin)
        kind.append(classes[found])
    return np.concatenate(at), np.concatenate(kind)


def marks_and_neighbours(corpus: Corpus, table: Classes, silent: int) -> tuple[Int64, Classes, Classes, Classes]:
    """The same without classes from `silent` on, and uint8[M] twice, the class in front of each mark and behind it.

    `UNKNOWN` stands for what is not looked at; a neighbour may be a character of another document.
    """
    at, columns = [np.empty(0, dtype=np.int64)], [np.empty((3, 0), dtype=np.uint8)]
    for text, origin in _blocks(corpus):
        classes = np.full(len(text) + 2, UNKNOWN, dtype=np.uint8)
        inner = classes[1:-1]
        np.take(table, code_points(text), out=inner, mode="clip")
        found = np.flatnonzero((inner != 0) & (inner < silent))
        at.append(found + origin)
        columns.append(np.stack((inner[found], classes[found], classes[found + 2])))
    kind, before, behind = np.concatenate(columns, axis=1)
    return np.concatenate(at), kind, before, behind


def _blocks(corpus: Corpus) -> Iterator[tuple[str, int]]:
    """Every text with its place on the axis; short ones joined to about `_BLOCK` characters, long ones in parts."""
    edges, low = corpus.document_start, 0
    while low < len(corpus):
        origin, high = int(edges[low]), int(np.searchsorted(edges, edges[low] + _BLOCK, side="right")) - 1
        if high > low:
            yield "".join(corpus.texts[low:high]), origin
        else:
            high, text = low + 1, corpus.texts[low]
            for place in range(0, len(text), _BLOCK):
                yield text[place : place + _BLOCK], origin + place
        low = high


def characters_at(corpus: Corpus, positions: Int64) -> list[str]:
    """The character at each position of the axis, "" where a position is the end of its document or outside the axis.

    A position that equals the start of a document is that document's first character; give `positions` of the document
    you mean: this is for a few positions, and reads them one by one.
    """
    inside = (positions >= 0) & (positions < corpus.characters)
    document = corpus.document_of(np.where(inside, positions, 0))
    local = positions - corpus.document_start[document]
    texts = corpus.texts
    return [
        texts[d][p] if good else ""
        for d, p, good in zip(document.tolist(), local.tolist(), inside.tolist(), strict=True)
    ]
