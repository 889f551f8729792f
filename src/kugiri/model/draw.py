"""Drawing by a seed, the same on every machine and with every version of every library."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from kugiri.model.columns import Int64


def shuffled(seed: int, keys: Sequence[str]) -> Int64:
    """int64[N], the indices of the (distinct) keys in an order that depends on the seed and the keys alone.

    Keys are ordered by SHA-256 of seed and key. Generators of numpy and the standard library do not promise the same
    draw in later versions, and a published sample has to be drawn again years later; nor does the order in which the
    keys come change what is drawn.
    """
    digests = [hashlib.sha256(f"{seed}\n{key}".encode()).digest() for key in keys]
    return np.array(sorted(range(len(keys)), key=digests.__getitem__), dtype=np.int64)


def drawn(seed: int, keys: Sequence[str], count: int) -> Int64:
    """int64[count], indices of `count` keys drawn without replacement."""
    return shuffled(seed, keys)[:count]
