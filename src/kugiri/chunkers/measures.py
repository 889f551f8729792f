"""How long a piece of text is: in code points, or in tokens of some tokenizer."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Protocol

import numpy as np

from kugiri.chunkers.cluster_cuts import cluster_cuts
from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows
from kugiri.segmenters.tokenizers import FindsTokens, Tokenizer, tokenizer
from kugiri.segmenters.units import units_of


class Measure(Protocol):
    """Sizes of slices of one corpus."""

    @property
    def adds_up(self) -> bool:
        """Whether every slice has by itself the size that it has in its document."""
        ...

    def until(self, start: Int64) -> Int64:
        """Units wholly before each position: what a slice that starts there leaves out."""
        ...

    def up_to(self, end: Int64) -> Int64:
        """Units that begin before each position; `up_to(end) - until(start)` is the size of `[start, end)`."""
        ...

    def alone(self, start: int, end: int) -> int:
        """The size of the slice `[start, end)` by itself."""
        ...

    def atoms(self, start: Int64, end: Int64, windows: Windows) -> Int64:
        """Where units `[start, end)` that are larger than a window may be cut: increasing, without their own edges."""
        ...


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class CodePoints:
    """Sizes in code points."""

    adds_up: ClassVar[bool] = True

    corpus: Corpus

    def until(self, start: Int64) -> Int64:
        """The position itself."""
        return start

    def up_to(self, end: Int64) -> Int64:
        """The position itself."""
        return end

    def alone(self, start: int, end: int) -> int:
        """Its length."""
        return end - start

    def atoms(self, start: Int64, end: Int64, windows: Windows) -> Int64:
        """The edges of windows over each unit, moved out of grapheme clusters."""
        return cluster_cuts(self.corpus, start, end, windows)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Sizes in tokens: those of the document that a slice touches, then the slice tokenised by itself.

    Attributes:
        start, end: int64[T], every token of every document on the axis, neither decreasing.
        trim: whether a slice by itself is measured without the white space at its edges, which is no simple part of its
            size: what is left may have more tokens than the whole.
    """

    adds_up: ClassVar[bool] = False

    corpus: Corpus
    tokenizer: Tokenizer
    start: Int64
    end: Int64
    trim: bool = False

    def until(self, start: Int64) -> Int64:
        """The number of tokens that end at or before each position."""
        return np.searchsorted(self.end, start, side="right")

    def up_to(self, end: Int64) -> Int64:
        """The number of tokens that start before each position."""
        return np.searchsorted(self.start, end, side="left")

    def alone(self, start: int, end: int) -> int:
        """Its tokens when it is tokenised by itself, as an embedding model would."""
        text = self.corpus.slice(start, end)
        return self.tokenizer.count(text.strip() if self.trim else text)

    def atoms(self, start: Int64, end: Int64, windows: Windows) -> Int64:
        """Where a token starts and every one in front of it has ended; in what is left of one, its own tokens count."""
        whole = self.start[_whole(self.start, self.end)]
        unit = np.maximum(np.searchsorted(start, whole, side="right") - 1, 0)
        inner = whole[(start[unit] < whole) & (whole < end[unit])]
        return np.sort(np.concatenate((inner, self._inside_tokens(start, end, inner, windows.size))))

    def _inside_tokens(self, start: Int64, end: Int64, inner: Int64, size: int) -> Int64:
        """Where the part of a token that the edge of a unit cuts off may be cut, if by itself it is too large."""
        first = np.minimum(np.append(inner, self.corpus.characters)[np.searchsorted(inner, start)], end)
        last = np.maximum(np.append(0, inner)[np.searchsorted(inner, end)], start)
        low, high = np.concatenate((start, last)), np.concatenate((first, end))
        cut = (self.up_to(low) > self.until(low)) | (self.up_to(high) > self.until(high))
        found = [np.empty(0, dtype=np.int64)]
        for a, b in sorted(set(zip(low[cut].tolist(), high[cut].tolist(), strict=True))):
            if self.alone(a, b) > size:
                starts, ends = self.tokenizer.spans(self.corpus.slice(a, b))
                places = starts[_whole(starts, ends)] + a
                found.append(places[places > a])
        return np.concatenate(found)


def _whole(start: Int64, end: Int64) -> Bool:
    """bool[T], the tokens in front of which every other has ended."""
    return np.concatenate(([True], end[:-1] <= start[1:]))[: len(start)]


def measure(corpus: Corpus, by: str | FindsTokens, trim: bool = False) -> Measure:
    """The measure that a tokenizer stands for, of slices that will be trimmed or not.

    Raises:
        InputError: as `kugiri.segmenters.tokenizers.tokenizer`.
    """
    if by == "char":
        return CodePoints(corpus)
    units = units_of(corpus, "token", by)
    return Tokens(corpus, tokenizer(by), units.start, units.end, trim)


def too_large(measured: Measure, start: Int64, end: Int64, size: int) -> Bool:
    """bool[N], the slices `[start, end)` that are larger than the size, in their document or by themselves."""
    large = measured.up_to(end) - measured.until(start) > size
    if not measured.adds_up:
        rest = np.flatnonzero(~large)
        pairs = zip(start[rest].tolist(), end[rest].tolist(), strict=True)
        large[rest] = [measured.alone(low, high) > size for low, high in pairs]
    return large
