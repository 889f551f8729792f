"""Tokens of a Hugging Face `tokenizer.json`, by the package `tokenizers`."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib.util
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kugiri.errors import InputError
from kugiri.model.columns import Int64
from kugiri.segmenters.pieces_of_text import pieces_of_text
from kugiri.visible import shortened

REMEDY = "pip install 'kugiri[tokenizers]'"


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class HuggingFace:
    """The tokens of one `tokenizer.json`, without special tokens, truncation and padding.

    Text that looks like a special token (`</s>`) is text. A token that stands for no character, as the mark that some
    models put in front of a text does, is widened to the character behind it.

    Attributes:
        name: the path of the file.
        version: the beginning of the file's SHA-256.
        model: the `tokenizers.Tokenizer`.
    """

    drops_characters: ClassVar[bool] = True
    """Normalisation may take characters out of the text: accents, U+200B, controls."""

    name: str
    version: str
    model: Any

    def spans(self, text: str) -> tuple[Int64, Int64]:
        """Start and end of every token in code points."""
        starts, ends = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        origin = 0
        for piece in pieces_of_text(text):
            places = np.array(self._encoded(piece).offsets, dtype=np.int64).reshape(-1, 2)
            start, end = places[:, 0], places[:, 1]
            nothing = start == end
            starts.append(np.where(nothing, np.minimum(start, len(piece) - 1), start) + origin)
            ends.append(np.where(nothing, np.minimum(end + 1, len(piece)), end) + origin)
            origin += len(piece)
        return np.concatenate(starts), np.concatenate(ends)

    def count(self, text: str) -> int:
        """The number of tokens."""
        return sum(len(self._encoded(piece)) for piece in pieces_of_text(text))

    def _encoded(self, piece: str) -> Any:
        try:
            return self.model.encode(piece, add_special_tokens=False)
        except Exception as error:  # noqa: BLE001  the package raises nothing narrower
            raise InputError(
                f"the tokenizer refuses the text {shortened(piece)!r}: {error}",
                self.name,
                "give a tokenizer whose vocabulary has a token for what it does not know",
            ) from None


def demand_readable(path: Path) -> None:
    """Refuses a file that is not there, and any where the package is missing; nothing is loaded.

    Raises:
        InputError: one of the two.
    """
    if not path.is_file():
        raise InputError("the tokenizer is not there", str(path), "give the path of a tokenizer.json")
    if importlib.util.find_spec("tokenizers") is None:
        raise InputError("reading a tokenizer.json needs the package tokenizers", str(path), REMEDY)


def hugging_face(path: Path) -> HuggingFace:
    """The tokens of that file.

    Raises:
        InputError: as `demand_readable`, or the file is no tokenizer.
    """
    demand_readable(path)
    try:
        state = path.stat()
        return _loaded(path, state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise InputError(f"the tokenizer cannot be read: {error.strerror}", str(path), "give a readable file") from None


@functools.lru_cache(maxsize=8)
def _loaded(path: Path, _changed: int, _size: int) -> HuggingFace:
    """The file as it was when it last changed."""
    raw = path.read_bytes()
    # Here, because the package is an extra.
    import tokenizers

    try:
        model = tokenizers.Tokenizer.from_str(raw.decode("utf-8"))
    except Exception as error:  # noqa: BLE001  the package raises nothing narrower
        raise InputError(f"the file is no tokenizer: {error}", str(path), "give a tokenizer.json") from None
    # The file may ask for a length; and a last step that only moves offsets off white space, or adds special tokens.
    model.no_truncation()
    model.no_padding()
    model.post_processor = None
    model.encode_special_tokens = True
    return HuggingFace(str(path), f"sha256 {hashlib.sha256(raw).hexdigest()[:12]}", model)
