"""Tokenizers by name: where tokens are, and how many there are."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import numpy as np

from kugiri.errors import InputError, InvariantError
from kugiri.model.columns import Int64, first_false
from kugiri.model.corpus import surroundings
from kugiri.segmenters import unidic
from kugiri.segmenters.bpe import ENCODINGS, byte_pairs
from kugiri.segmenters.hugging_face import demand_readable, hugging_face
from kugiri.segmenters.white_space import is_white

NAMES = ("char", "unidic", *ENCODINGS)
"""The tokenizers that have a name; any other is a `tokenizer.json` by its path, or an object."""


class FindsTokens(Protocol):
    """What a third party writes: any object with a name that finds tokens.

    Where it has an attribute `drops_characters` that is true, characters that are no white space may belong to no
    token.
    """

    @property
    def name(self) -> str:
        """What messages and labels call it."""
        ...

    def spans(self, text: str) -> tuple[Int64, Int64]:
        """Start and end of every token, in code points of the text; neither decreases, tokens may overlap."""
        ...

    def count(self, text: str) -> int:
        """The number of tokens."""
        ...


class Tokenizer(FindsTokens, Protocol):
    """A tokenizer as `tokenizer` gives it, its output checked."""

    @property
    def version(self) -> str:
        """What made the tokens: a package and its version, or a file and its digest."""
        ...

    def counts(self, texts: Sequence[str]) -> Int64:
        """int64[N], the number of tokens of each text by itself."""
        ...


def tokenizer(name: str | FindsTokens) -> Tokenizer:
    """The tokenizer of that name: `char` (code points), `unidic` (morphemes), `cl100k`, `o200k`, or the path of a file.

    An object of a third party is taken as it is. Whatever finds the tokens, they are whole characters, in order and
    inside the text, and every character that is no white space belongs to one.

    Raises:
        InputError: as `demand_tokenizer`, or the file is no tokenizer.
    """
    demand_tokenizer(name)
    if not isinstance(name, str):
        return _Checked(name)
    if name in ENCODINGS:
        return _Checked(byte_pairs(name))
    if name not in NAMES:
        return _Checked(hugging_face(Path(name)))
    return _Checked(_CODE_POINTS if name == "char" else _MORPHEMES)


def demand_tokenizer(name: object) -> None:
    """Refuses what is no tokenizer, without loading one.

    Raises:
        InputError: an unknown name, a file that is not there, a package that is not installed, or an object that finds
            no tokens.
    """
    if isinstance(name, str):
        if name in NAMES:
            return
        if not name.endswith(".json"):
            raise InputError(
                f"tokenizer = {name!r} is unknown",
                "tokenizer",
                f"use one of: {', '.join(NAMES)}, or the path of a tokenizer.json",
            )
        demand_readable(Path(name))
        return
    called = getattr(name, "name", None)
    if not (isinstance(called, str) and all(callable(getattr(name, found, None)) for found in ("spans", "count"))):
        raise InputError(
            f"tokenizer = {name!r} is neither a name nor an object that finds tokens",
            "tokenizer",
            "give an object with `name`, `spans(text)` and `count(text)`",
        )


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _CodePoints:
    """Every code point is a token."""

    name: str = "char"
    version: str = "1"

    def spans(self, text: str) -> tuple[Int64, Int64]:
        places = np.arange(len(text) + 1)
        return places[:-1], places[1:]

    def count(self, text: str) -> int:
        return len(text)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Morphemes:
    """Every morpheme is a token."""

    name: str = "unidic"

    @property
    def version(self) -> str:
        return f"unidic-lite {version('unidic-lite')}"

    def spans(self, text: str) -> tuple[Int64, Int64]:
        found = unidic.morphemes(text)
        return found.start, found.end

    def count(self, text: str) -> int:
        return len(unidic.surfaces(text))


_CODE_POINTS, _MORPHEMES = _CodePoints(), _Morphemes()


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Checked:
    """A tokenizer that is never believed: every output is checked, and refused with the tokenizer's name."""

    of: FindsTokens

    # One tokenizer found twice is the same, whether or not its own class can be compared.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Checked) and self.of is other.of

    def __hash__(self) -> int:
        return id(self.of)

    @property
    def name(self) -> str:
        return self.of.name

    @property
    def version(self) -> str:
        return str(getattr(self.of, "version", ""))

    def spans(self, text: str) -> tuple[Int64, Int64]:
        start, end = self._columns(text)
        in_order = np.ones(len(start), dtype=bool)
        in_order[1:] = (start[1:] >= start[:-1]) & (end[1:] >= end[:-1])
        for holds, what in (
            ((start >= 0) & (end <= len(text)), "lies outside the text"),
            (start < end, "is empty or ends before it starts"),
            (in_order, "starts or ends before the one in front of it"),
        ):
            bad = first_false(holds)
            if bad is not None:
                low, high = int(start[bad]), int(end[bad])
                raise self._error(f"the token [{low}, {high}) {what}", self._around(text, low, high))
        return self._covering(text, start, end)

    def count(self, text: str) -> int:
        found = self.of.count(text)
        if isinstance(found, bool) or not isinstance(found, int | np.integer) or found < 0:
            raise self._error(f"it counts {found!r} tokens", self._around(text, 0, len(text)))
        return int(found)

    def counts(self, texts: Sequence[str]) -> Int64:
        return np.fromiter(map(self.count, texts), dtype=np.int64, count=len(texts))

    def _columns(self, text: str) -> tuple[Int64, Int64]:
        found = self.of.spans(text)
        columns = [np.asarray(column) for column in found] if isinstance(found, tuple) else []
        if len(columns) != 2 or columns[0].ndim != 1 or columns[0].shape != columns[1].shape:
            raise self._error("spans() gives no pair of starts and ends", self._around(text, 0, len(text)))
        if any(column.size and column.dtype.kind not in "iu" for column in columns):
            raise self._error("starts and ends are no integers", self._around(text, 0, len(text)))
        return columns[0].astype(np.int64, copy=False), columns[1].astype(np.int64, copy=False)

    def _covering(self, text: str, start: Int64, end: Int64) -> tuple[Int64, Int64]:
        """The tokens; where characters were dropped, the token in front of them has them (the first those before it).

        So nothing but white space lies between tokens, and no window of tokens loses text that can be evidence.
        """
        low, high = np.append(0, end), np.append(start, len(text))
        gap = np.flatnonzero(low < high)
        if not len(gap):
            return start, end
        visible = np.append(0, np.cumsum(~is_white(text)))
        gap = gap[visible[high[gap]] > visible[low[gap]]]
        if not len(gap) or (not len(start) and self._drops):
            return start, end
        if not self._drops:
            a, b = int(low[gap[0]]), int(high[gap[0]])
            raise self._error(f"the characters [{a}, {b}) belong to no token", self._around(text, a, b))
        start, end = start.copy(), end.copy()
        # The first and the last visible character of a gap: where their count leaves and reaches that at its ends.
        first = np.searchsorted(visible, visible[low[gap]], side="right") - 1
        last = np.searchsorted(visible, visible[high[gap]], side="left")
        front = gap == 0
        start[:1] = first[front] if front.any() else start[:1]
        end[gap[~front] - 1] = last[~front]
        return start, end

    @property
    def _drops(self) -> bool:
        return bool(getattr(self.of, "drops_characters", False))

    def _around(self, text: str, low: int, high: int) -> str:
        return f"a text of {len(text)} characters, around {surroundings(text, low, high)}"

    def _error(self, what: str, where: str) -> InvariantError:
        return InvariantError(
            f"tokenizer {self.name!r}: {what}", where, "correct the tokenizer; it counts in code points of the text"
        )
