"""Tokens for the libraries of others, which encode a text and decode pieces of it: characters, or OpenAI's tokens.

The vocabularies come with bpe-openai; none of these libraries brings its own, and most would fetch one.
"""

from __future__ import annotations

import dataclasses
import functools
import warnings
from collections.abc import Callable, Sequence

from kugiri.segmenters.bpe import ENCODINGS

TOKENIZERS = ("char", *ENCODINGS)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Codec:
    """A tokenizer as libraries want it.

    Attributes:
        encode: text → token ids.
        decode: token ids → text; half a character becomes U+FFFD, as everywhere else.
    """

    encode: Callable[[str], list[int]]
    decode: Callable[[Sequence[int]], str]

    def count(self, text: str) -> int:
        """The number of tokens."""
        return len(self.encode(text))


@functools.cache
def codec(name: str) -> Codec:
    """The tokenizer of that name, one of `TOKENIZERS`."""
    if name == "char":
        return Codec(lambda text: list(map(ord, text)), lambda ids: "".join(map(chr, ids)))
    with warnings.catch_warnings():
        # It opens its own data by a function that Python 3.11 deprecates.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        encoding = bpe_openai.get_encoding(ENCODINGS[name])
    return Codec(encoding.encode_ordinary, lambda ids: str(encoding.decode(list(ids))))
