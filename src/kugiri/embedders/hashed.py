"""Character n-grams hashed into a vector: no model, no file."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kugiri.embedders.protocol import Float32, unit_rows
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.columns import Bool, Int64

_LONGEST, _MOST = 10, 2**20
_AT_ONCE = 2**22
"""Cells of the matrix that is counted at once: 32 MB."""


@dataclasses.dataclass(frozen=True, slots=True)
class Hashed:
    """How often each character n-gram occurs, hashed into `dimensions` numbers.

    Texts are put into NFKC and case folded; n-grams lie in runs of letters, numbers and marks. Each adds 1 to the
    number that its hash chooses, or takes 1 away, as another bit of the hash says, so that n-grams that share a number
    cancel out on average (Weinberger et al., ICML 2009). The hash is FNV-1a over code points, finished like
    MurmurHash3: the same in every process and on every machine.

    Attributes:
        dimensions: the length of a vector.
        ngrams: the lengths of the n-grams, each once.

    Raises:
        InputError: a parameter outside its range.
    """

    name: ClassVar[str] = "hashed"
    version: ClassVar[int] = 1

    dimensions: int = 1024
    ngrams: tuple[int, ...] = (1, 2)

    def __post_init__(self) -> None:
        if not _whole(self.dimensions, _MOST):
            raise InputError(
                f"dimensions = {self.dimensions!r} is no whole number from 1 to {_MOST}", "dimensions", "give 1024"
            )
        lengths: Any = self.ngrams
        if isinstance(lengths, str) or not lengths or not all(_whole(n, _LONGEST) for n in lengths):
            raise InputError(
                f"ngrams = {self.ngrams!r} are no lengths from 1 to {_LONGEST}",
                "ngrams",
                "give them as in ngrams=[2, 3]",
            )
        # One set of lengths has one label, however it was written.
        object.__setattr__(self, "ngrams", tuple(sorted(set(lengths))))

    def __str__(self) -> str:
        return component_label(self)

    def embed(self, texts: Sequence[str]) -> Float32:
        """float32[N, dimensions], a row a text."""
        step = max(1, _AT_ONCE // self.dimensions)
        parts = [np.empty((0, self.dimensions), dtype=np.float32)]
        parts += [unit_rows(self._counts(texts[low : low + step])) for low in range(0, len(texts), step)]
        return np.concatenate(parts)

    def _counts(self, texts: Sequence[str]) -> NDArray[np.float64]:
        # Between texts stands a character that is in no run.
        folded = [unicodedata.normalize("NFKC", text).casefold() + "\0" for text in texts]
        codes = np.frombuffer("".join(folded).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
        row = np.repeat(np.arange(len(texts)), np.fromiter(map(len, folded), dtype=np.int64, count=len(folded)))
        in_run = _in_runs(codes)
        total = np.zeros(len(texts) * self.dimensions)
        behind = np.concatenate(([0], np.cumsum(in_run)))
        for n in self.ngrams:
            place = np.flatnonzero(behind[n:] - behind[:-n] == n)
            mixed = _hashes(codes, place, n)
            cell = row[place] * self.dimensions + (mixed % np.uint64(self.dimensions)).astype(np.int64)
            sign = 1.0 - 2.0 * (mixed >> np.uint64(63)).astype(np.float64)
            total += np.bincount(cell, weights=sign, minlength=len(total))
        return total.reshape(len(texts), self.dimensions)


def _whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _in_runs(codes: Int64) -> Bool:
    """bool[N], the letters, numbers and marks."""
    member = np.zeros(int(codes.max()) + 1, dtype=bool)
    known = np.flatnonzero(np.bincount(codes))
    member[known] = [unicodedata.category(chr(code))[0] in "LNM" for code in known.tolist()]
    return np.asarray(member[codes])


def _hashes(codes: Int64, place: Int64, n: int) -> NDArray[np.uint64]:
    """uint64, the hash of the n-gram that starts at each place; products wrap around at 64 bits."""
    mixed = np.full(len(place), 0xCBF29CE484222325, dtype=np.uint64)
    for offset in range(n):
        mixed = (mixed ^ codes[place + offset].astype(np.uint64)) * np.uint64(0x100000001B3)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(33))
