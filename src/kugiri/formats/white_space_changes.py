"""Chunks whose tool changed white space: the slices that equal them in everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kugiri.formats.occurrences import Occurrences
from kugiri.formats.order import possible_places
from kugiri.model.columns import Bool

_WHITE = np.array([chr(code).isspace() for code in range(0x3001)] + [False])
"""bool by code point; none behind U+3000 is white space."""


def places_without_white_space(
    text: str, chunks: Sequence[str], fixed: Sequence[int | None], changed: Sequence[int]
) -> Mapping[int, tuple[int, int]]:
    """The slice of each chunk of `changed`, from its first to its last character that is no white space.

    White space is what `str.isspace` calls so. Only where the order of all chunks leaves one single place; where it
    leaves several, or none, nothing is said.

    Args:
        text: the document.
        chunks: the texts of all its chunks, in their order.
        fixed: the starts of those that have one place only.
        changed: the numbers of the chunks that stand nowhere as they are.
    """
    kept = np.flatnonzero(~is_white(text))
    bare = [_without_white_space(chunk) or None for chunk in chunks]
    known = [
        None if place is None or alone is None else int(np.searchsorted(kept, place))
        for place, alone in zip(fixed, bare, strict=True)
    ]
    possible = possible_places(Occurrences(_without_white_space(text)), bare, known)
    found: dict[int, tuple[int, int]] = {}
    for number in changed:
        alone, first, last = bare[number], possible.first[number], possible.last[number]
        if alone is not None and first is not None and first == last:
            found[number] = (int(kept[first]), int(kept[first + len(alone) - 1]) + 1)
    return found


def is_white(text: str) -> Bool:
    """bool[len(text)], whether each character is white space, as `str.isspace` says."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    white: Bool = _WHITE[np.minimum(codes, len(_WHITE) - 1)]
    return white


def _without_white_space(text: str) -> str:
    return "".join(text.split())
