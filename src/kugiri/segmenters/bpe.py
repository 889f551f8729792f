"""OpenAI's byte-level tokens, by bpe-openai: the vocabularies come in the package, nothing is fetched."""

from __future__ import annotations

import dataclasses
import functools
import warnings
from collections.abc import Callable
from importlib.metadata import version

import numpy as np

from kugiri.errors import InvariantError
from kugiri.model.columns import Int64
from kugiri.segmenters.pieces_of_text import pieces_of_text
from kugiri.visible import shortened

ENCODINGS = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
"""Our name → OpenAI's."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class BytePairs:
    """The tokens of one vocabulary.

    A token is a run of bytes and may begin or end inside a character. It is widened to whole characters on both sides
    and never decoded, so neighbours may share a character. Text that looks like a special token (`<|endoftext|>`) is
    text.

    Attributes:
        encode: text → token ids.
        length: int64[V], bytes of each token.
    """

    name: str
    version: str
    encode: Callable[[str], list[int]]
    length: Int64

    def spans(self, text: str) -> tuple[Int64, Int64]:
        """Start and end of every token in code points.

        Raises:
            InvariantError: the tokens have more or fewer bytes than the text.
        """
        starts, ends = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        origin = 0
        for piece in pieces_of_text(text):
            raw = np.frombuffer(piece.encode("utf-8"), dtype=np.uint8)
            length = self.length[np.array(self.encode(piece), dtype=np.int64)]
            behind = np.cumsum(length)
            if behind[-1] != len(raw):
                raise InvariantError(
                    "the bytes of the tokens laid end to end are not those of the text",
                    f"tokenizer {self.name!r} ({self.version}), text {shortened(piece)!r}",
                    "report the text to kugiri; no offset was guessed",
                )
            # Every byte but those that continue a character (10xxxxxx) begins one.
            character = np.cumsum((raw & 0xC0) != 0x80) + (origin - 1)
            starts.append(character[behind - length])
            ends.append(character[behind - 1] + 1)
            origin += len(piece)
        return np.concatenate(starts), np.concatenate(ends)

    def count(self, text: str) -> int:
        """The number of tokens."""
        return sum(len(self.encode(piece)) for piece in pieces_of_text(text))


@functools.cache
def byte_pairs(name: str) -> BytePairs:
    """The tokens of a vocabulary of `ENCODINGS`; the first takes a second to load."""
    with warnings.catch_warnings():
        # It opens its own data by a function that Python 3.11 deprecates.
        warnings.simplefilter("ignore", DeprecationWarning)
        # Here, because importing it reads the vocabularies.
        import bpe_openai

        encoding = bpe_openai.get_encoding(ENCODINGS[name])
    values = encoding.token_byte_values()
    length = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
    return BytePairs(name, f"bpe-openai {version('bpe-openai')}", encoding.encode_ordinary, length)
