"""Static embeddings: one vector a token, in a folder as model2vec writes it."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse

from kugiri.embedders.protocol import Float32, unit_rows
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.columns import Int64
from kugiri.visible import shortened

REMEDY = "pip install 'kugiri[embeddings]'"
_PACKAGES = ("safetensors", "tokenizers")
_FILES = ("config.json", "model.safetensors", "tokenizer.json")
# A tokenizer's time may grow faster than the length of a text; a token that is cut in two moves a mean by nothing.
_PIECE = 8192


@dataclasses.dataclass(frozen=True, slots=True)
class Static:
    """The mean of the vectors of a text's tokens, by a static embedding model in model2vec's format.

    The folder holds `model.safetensors` with the tensor `embeddings` [V, d] (and, if the vocabulary was quantised,
    `mapping`, token → row, and `weights`, one a token), `tokenizer.json` and `config.json`. As in model2vec, special
    tokens are not added and unknown tokens are left out; other than there, long texts are not truncated. Nothing is
    downloaded: a name on the Hugging Face hub is not a path.

    Attributes:
        path: the folder.

    Raises:
        InputError: a file or a package is missing. When texts are embedded: a file is not what it should be.
    """

    name: ClassVar[str] = "static"
    version: ClassVar[int] = 1

    path: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", str(self.path))
        for name in _FILES:
            if not (Path(self.path) / name).is_file():
                raise InputError(
                    f"the embedding model has no {name}",
                    self.path,
                    "give the folder of a static model as model2vec saves it; nothing is downloaded",
                )
        for package in _PACKAGES:
            if importlib.util.find_spec(package) is None:
                raise InputError(f"reading an embedding model needs the package {package}", self.path, REMEDY)

    def __str__(self) -> str:
        return component_label(self)

    def embed(self, texts: Sequence[str]) -> Float32:
        """float32[N, d], a row a text."""
        model = _model(Path(self.path))
        tokens = [model.tokens(text) for text in texts]
        counts = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
        ids = np.fromiter((token for each in tokens for token in each), dtype=np.int64, count=int(counts.sum()))
        rows = np.repeat(np.arange(len(texts)), counts)
        # Sums and means have one direction.
        sums = scipy.sparse.csr_matrix(
            (model.weights[ids], (rows, model.rows[ids])), shape=(len(texts), len(model.vectors))
        )
        return unit_rows(sums @ model.vectors)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """A model as it is in memory.

    Attributes:
        tokenizer: a `tokenizers.Tokenizer`.
        unknown: the token that stands for what the vocabulary does not have.
        vectors: float32[R, d].
        rows, weights: for each token of the vocabulary, its row and what it is multiplied by.
    """

    tokenizer: Any
    unknown: int | None
    vectors: Float32
    rows: Int64
    weights: Float32
    path: Path

    def tokens(self, text: str) -> list[int]:
        found: list[int] = []
        for low in range(0, len(text), _PIECE):
            piece = text[low : low + _PIECE]
            try:
                found += self.tokenizer.encode(piece, add_special_tokens=False).ids
            except Exception as error:  # noqa: BLE001  the package raises nothing narrower
                raise InputError(
                    f"the tokenizer refuses the text {shortened(piece)!r}: {error}",
                    str(self.path / "tokenizer.json"),
                    "give a model whose vocabulary has a token for what it does not know",
                ) from None
        return [token for token in found if token != self.unknown]


def _model(folder: Path) -> _Model:
    try:
        states = [(folder / name).stat() for name in _FILES]
        return _loaded(folder, tuple((state.st_mtime_ns, state.st_size) for state in states))
    except OSError as error:
        raise InputError(
            f"the embedding model cannot be read: {error.strerror}", str(folder), "give a readable folder"
        ) from None


@functools.lru_cache(maxsize=2)
def _loaded(folder: Path, _state: tuple[tuple[int, int], ...]) -> _Model:
    """The model as its files were when they last changed."""
    tokenizer, unknown = _tokenizer(folder / "tokenizer.json")
    path = folder / "model.safetensors"
    tensors = _tensors(path)
    vectors = tensors.get("embeddings")
    if vectors is None or vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise _unusable(path, "it has no matrix of finite numbers named 'embeddings'")
    size = max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1) + 1
    rows = tensors.get("mapping", np.arange(len(vectors)))
    weights = tensors.get("weights", np.ones(len(rows)))
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or len(rows) < size or len(weights) < size:
        raise _unusable(path, f"it has {len(rows)} vectors and {len(weights)} weights for {size} tokens")
    if size and not 0 <= rows.min() <= rows.max() < len(vectors):
        raise _unusable(path, "'mapping' leads to rows that 'embeddings' does not have")
    if weights.ndim != 1 or not np.isfinite(weights).all():
        raise _unusable(path, "'weights' are not one finite number a token")
    return _Model(
        tokenizer, unknown, vectors.astype(np.float32), rows.astype(np.int64), weights.astype(np.float32), folder
    )


def _tensors(path: Path) -> dict[str, Any]:
    # Here, because the package is an extra.
    import safetensors
    import safetensors.numpy

    raw = path.read_bytes()
    try:
        return safetensors.numpy.load(raw)
    except (safetensors.SafetensorError, KeyError, TypeError, ValueError) as error:
        # A KeyError is a type of number that numpy does not have.
        raise _unusable(path, str(error)) from None


def _tokenizer(path: Path) -> tuple[Any, int | None]:
    """The tokenizer without truncation and padding, and its unknown token."""
    # Here, because the package is an extra.
    import tokenizers

    raw = path.read_bytes()
    try:
        made = tokenizers.Tokenizer.from_str(raw.decode("utf-8"))
    except Exception as error:  # noqa: BLE001  the package raises nothing narrower
        raise InputError(f"the file is no tokenizer: {error}", str(path), "give a tokenizer.json") from None
    made.no_truncation()
    made.no_padding()
    model = json.loads(raw)["model"]
    name = model.get("unk_token")
    return made, model.get("unk_id") if name is None else made.token_to_id(name)


def _unusable(path: Path, why: str) -> InputError:
    return InputError(f"the file is no static embedding model: {why}", str(path), "give a model as model2vec saves it")
