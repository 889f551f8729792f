"""Offsets of chunks in another unit: UTF-16 code units (JavaScript, Java) or UTF-8 bytes (Rust, Go)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from kugiri.errors import InputError
from kugiri.formats.placement import ForeignChunk
from kugiri.formats.quotations import OFFSET_UNITS
from kugiri.model.columns import Int64

NOWHERE = -1
"""An offset inside a character, or outside the text."""


def check_unit(unit: str, where: str) -> None:
    """Refuses what is no unit.

    Raises:
        InputError: naming the units.
    """
    if unit not in OFFSET_UNITS:
        raise InputError(f"{unit!r} is no unit of offsets", where, f"use one of: {', '.join(OFFSET_UNITS)}")


def in_code_points(text: str, chunks: Sequence[ForeignChunk], unit: str) -> Sequence[ForeignChunk]:
    """The chunks of one document with their offsets, given in `unit`, in code points."""
    if unit == "codepoint":
        return chunks
    edges = _edges(text, unit)
    return [
        dataclasses.replace(chunk, start=_converted(chunk.start, edges), end=_converted(chunk.end, edges))
        for chunk in chunks
    ]


def fitting(text: str, chunks: Sequence[ForeignChunk], unit: str) -> Mapping[str, int]:
    """How many of these chunks have offsets at which their text stands in each other unit, and not in `unit`.

    What fits is named, and never switched to silently (case B19). Where the text stands already, the unit is not at
    fault, though the place may be.
    """
    counts = {}
    right = [_stands(text, chunk) for chunk in in_code_points(text, chunks, unit)]
    for other in OFFSET_UNITS:
        if other != unit:
            read = in_code_points(text, chunks, other)
            counts[other] = sum(_stands(text, chunk) and not known for chunk, known in zip(read, right, strict=True))
    return counts


def _stands(text: str, chunk: ForeignChunk) -> bool:
    start = chunk.stated_start
    right_end = start is not None and chunk.end in (None, start + len(chunk.text))
    return right_end and start is not None and start >= 0 and bool(chunk.text) and text.startswith(chunk.text, start)


def _edges(text: str, unit: str) -> Int64:
    """int64[len(text) + 1], where each character begins, in units; the end of the text is last."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    if unit == "utf16":
        width = 1 + (codes > 0xFFFF)
    else:
        width = 1 + (codes > 0x7F) + (codes > 0x7FF).astype(np.int64) + (codes > 0xFFFF)
    return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(width, dtype=np.int64)))


def _converted(offset: int | None, edges: Int64) -> int | None:
    if offset is None:
        return None
    place = int(np.searchsorted(edges, min(max(offset, NOWHERE), int(edges[-1]) + 1)))
    return place if place < len(edges) and edges[place] == offset else NOWHERE
