"""What `pack` does, place by place: written from its docstring."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

from kugiri.chunkers.pieces import MUST
from worlds import fixed_windows

Span = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Units:
    """One section as plain values: units and the strength of the place in front of each but the first."""

    spans: list[Span]
    strength: list[int]


def packed(section: Units, size: int, overlap: int) -> list[Span]:
    """The chunks of one section, place by place; sizes are characters."""
    spans, count = section.spans, len(section.spans)
    chunks: list[Span] = []
    start, behind = -1, 0
    while behind < count:
        begins = [
            unit
            for unit in range(start + 1, behind + 1)
            if unit == behind
            or (spans[behind - 1][1] - spans[unit][0] <= overlap and spans[behind][1] - spans[unit][0] <= size)
        ]
        begin = begins[0]
        ends = [end for end in range(behind + 1, count + 1) if spans[end - 1][1] - spans[begin][0] <= size]
        end = max(ends or [behind + 1], key=lambda place: (MUST if place == count else section.strength[place], place))
        chunks.append((spans[begin][0], spans[end - 1][1]))
        start, behind = begin, end
    return chunks


def refined(section: Units, size: int, overlap: int) -> Units:
    """Units larger than the size cut like `fixed`; those cuts are weaker than all others."""
    spans, strength = [], []
    for (low, high), level in zip(section.spans, section.strength, strict=True):
        edges = {low, high}
        if high - low > size:
            edges |= {low + edge for window in fixed_windows(high - low, size, overlap) for edge in window}
        spans += list(pairwise(sorted(edges)))
        strength += [level + 1, *[1] * (len(edges) - 2)]
    return Units(spans, strength)


def chunks_of(section: Units, size: int, overlap: int) -> list[Span]:
    """The chunks of one document that is one section."""
    return packed(refined(section, size, overlap), size, overlap) if section.spans else []
