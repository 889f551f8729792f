"""What an embedder is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]


class Embedder(Protocol):
    """A frozen dataclass whose fields are its parameters; its label is its text."""

    name: ClassVar[str]
    version: ClassVar[int]

    def embed(self, texts: Sequence[str]) -> Float32:
        """float32[N, d], a vector of length 1 for each text; zeros where the embedder knows nothing of a text.

        The vector of a text does not depend on the other texts.
        """
        ...


def unit_rows(vectors: NDArray[np.floating]) -> Float32:
    """float32[N, d], every row at length 1; a row of zeros stays one."""
    exact = vectors.astype(np.float64, copy=False)
    length = np.sqrt(np.einsum("ij,ij->i", exact, exact))[:, np.newaxis]
    return (exact / np.where(length > 0, length, 1)).astype(np.float32)
