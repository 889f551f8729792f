"""Where slices of one text equal others: forward searches, and an index once those have cost more than one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kugiri.model.columns import Int64

_LONGEST = 8
"""Characters in a window of the index: longer slices are looked for by their rarest window."""

_PATIENCE = 16
"""So many times the length of the text is searched through before an index is made."""

_BASE = np.uint64(0x9E3779B97F4A7C15)


class _Windows(NamedTuple):
    """Every window of one length, sorted by hash, then by place."""

    hashes: np.ndarray[tuple[int], np.dtype[np.uint64]]
    place: Int64


class Occurrences:
    """The places of a text at which a given slice stands, each proven by equality.

    Searches that go forward from one chunk to the next cost the length of the text in all. Those that look through the
    whole of it for every chunk (chunks that are not there, chunks out of order) would cost its square (case P121); when
    they have cost as much as an index, an index is made: windows of a few characters, hashed and sorted.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._left = _PATIENCE * (len(text) + 1)
        self._windows: dict[int, _Windows] = {}
        self._asked: str | None = None
        self._candidates: Int64 = np.empty(0, dtype=np.int64)

    def first(self, slice_: str, low: int = 0, high: int | None = None) -> int | None:
        """The first place in `[low, high]` at which the slice, which is not empty, stands; None if there is none."""
        high = len(self.text) - len(slice_) if high is None else high
        if low > high:
            return None
        if self._left > 0:
            found = self.text.find(slice_, low, high + len(slice_))
            self._left -= (high if found < 0 else found) - low + 1
            return None if found < 0 else found
        return next(self._places(slice_, low, high, forward=True), None)

    def last(self, slice_: str, high: int | None = None, low: int = 0) -> int | None:
        """The last place in `[low, high]` at which the slice, which is not empty, stands; None if there is none."""
        end = len(self.text) - len(slice_)
        high = end if high is None else min(high, end)
        if low > high:
            return None
        if self._left > 0:
            found = self.text.rfind(slice_, low, high + len(slice_))
            self._left -= high - max(found, low) + 1
            return None if found < 0 else found
        return next(self._places(slice_, low, high, forward=False), None)

    def stands(self, slice_: str, place: int) -> bool:
        """Whether the slice, which is not empty, stands at that place."""
        return 0 <= place <= len(self.text) - len(slice_) and self.text.startswith(slice_, place)

    def _places(self, slice_: str, low: int, high: int, forward: bool) -> Iterator[int]:
        if self._asked != slice_:
            self._asked, self._candidates = slice_, self._candidates_of(slice_)
        candidates = self._candidates
        begin, end = np.searchsorted(candidates, low, side="left"), np.searchsorted(candidates, high, side="right")
        inside = candidates[begin:end] if forward else candidates[begin:end][::-1]
        return (place for place in map(int, inside) if self.text.startswith(slice_, place))

    def _candidates_of(self, slice_: str) -> Int64:
        """The places, ascending, at which the rarest window of the slice stands where it would in the slice."""
        length = min(len(slice_), _LONGEST)
        windows = self._windows_of(length)
        # Windows side by side, and the last one, hold every character: a window that is nowhere proves that the slice
        # is not.
        offset = np.append(np.arange(0, len(slice_) - length, length), len(slice_) - length)
        asked = _hashes(slice_, length)[offset]
        left = np.searchsorted(windows.hashes, asked, side="left")
        counts = np.searchsorted(windows.hashes, asked, side="right") - left
        rarest = int(np.argmin(counts))
        candidates: Int64 = windows.place[left[rarest] : left[rarest] + counts[rarest]] - offset[rarest]
        return candidates

    def _windows_of(self, length: int) -> _Windows:
        if length not in self._windows:
            hashes = _hashes(self.text, length)
            order = np.argsort(hashes, kind="stable")
            self._windows[length] = _Windows(hashes[order], order)
        return self._windows[length]


def _hashes(text: str, length: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """uint64, a hash of every window of `length` characters; equal windows have equal hashes."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    count = max(0, len(codes) - length + 1)
    hashes = np.zeros(count, dtype=np.uint64)
    for position in range(length):
        hashes *= _BASE
        hashes += codes[position : position + count] + np.uint64(1)
    return hashes
