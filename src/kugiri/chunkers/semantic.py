"""Topics by embeddings: cut where neighbouring sentences part."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from kugiri.chunkers.topics import SMALLEST, packed_topics, settle_smallest
from kugiri.embedders.hashed import Hashed
from kugiri.embedders.protocol import Embedder, Float32, unit_rows
from kugiri.errors import InputError, InvariantError
from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Float64, Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.sentences import LineBreaks, Sentences

_HASHED = Hashed()
_AT_ONCE = 2048
_DIGITS = 6


@dataclasses.dataclass(frozen=True, slots=True)
class Semantic:
    """Whole sentences of one topic, as many as fit; a topic ends where the embeddings of neighbouring sentences part.

    Between two sentences, the `buffer` sentences in front (as many of them as the document has) and the `buffer`
    behind are embedded as one text each. A topic ends where the two are further from each other (1 − cosine) than at
    `percentile` per cent of such places in the document, interpolated. Distances are rounded to 6 digits, as exact as
    embeddings are; where the embedder knows nothing of one of the texts, the distance is 0.

    The threshold is that of Kamradt's semantic splitter (2024), which LangChain and LlamaIndex have. There a sentence
    with its neighbours is compared with the next sentence and its neighbours: two texts that are the same but for one
    sentence at either end, so that distances are wide beside the place where topics part rather than at it.

    Every end of a topic is cut, unless the topic would be smaller than `smallest`; the widest distances are cut first.
    Topics larger than the size are cut behind the last sentence that fits. A sentence longer than the size is cut like
    `fixed`.

    Attributes:
        size: the largest chunk.
        model: an embedder: `hashed()` compares characters and needs no model, `static(path="…")` reads one.
        percentile: how many of 100 distances do not end a topic; from 0 to 100.
        buffer: sentences on each side that are embedded together, 1 or more.
        smallest: the smallest topic; a share of the size when a float. Documents, and the last chunks of topics that
            are larger than the size, may be smaller.
        newline: "boundary" where a line break ends a sentence, "wrap" where lines are wrapped text.
        tokenizer: what sizes count: "char" (code points), or a name of `kugiri.segmenters.tokenizers`.
        trim: without the white space at the edges.

    Raises:
        InputError: a parameter outside its range; a model that is no embedder.
        InvariantError: the model returns something else than a finite vector a text.
    """

    name: ClassVar[str] = "semantic"
    version: ClassVar[int] = 1

    size: int
    model: Any = _HASHED
    percentile: int | float = 95
    buffer: int = 3
    smallest: int | float = SMALLEST
    newline: LineBreaks = "boundary"
    tokenizer: str = "char"
    trim: bool = False

    def __post_init__(self) -> None:
        settle_smallest(self)
        if not callable(getattr(self.model, "embed", None)):
            raise InputError(f"{self.model!r} is no embedder", "model", "give one, as in model=hashed()")
        per_cent = self.percentile
        if isinstance(per_cent, bool) or not isinstance(per_cent, int | float) or not 0 <= per_cent <= 100:
            raise InputError(f"percentile = {per_cent!r} is no number from 0 to 100", "percentile", "give 95")
        if isinstance(per_cent, float) and per_cent.is_integer():
            object.__setattr__(self, "percentile", int(per_cent))
        if isinstance(self.buffer, bool) or not isinstance(self.buffer, int) or self.buffer < 1:
            raise InputError(f"buffer = {self.buffer!r} is no whole number of 1 or more", "buffer", "give 3")

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        """The packed topics of every document."""
        sentences = Sentences(self.newline).segment(corpus)
        edge = np.searchsorted(sentences.start, corpus.document_start)
        changes = np.zeros(len(sentences))
        for low, high in zip(edge[:-1].tolist(), edge[1:].tolist(), strict=True):
            if high - low > 1:
                apart = self._distances(sentences, low, high)
                changes[low + 1 : high] = np.where(apart > np.percentile(apart, self.percentile), apart, 0)
        return packed_topics(sentences, changes, self)

    def _distances(self, sentences: Boundaries, low: int, high: int) -> Float64:
        """float64[high − low − 1], at the places between the sentences of one document."""
        # Group i + buffer is right behind group i; at the edges of the document groups are smaller.
        first = np.arange(low - self.buffer + 1, high)
        start = sentences.start[np.maximum(first, low)]
        end = sentences.end[np.minimum(first + self.buffer, high) - 1]
        found, vectors = [], None
        for at in range(0, len(first), _AT_ONCE):
            some = slice(at, at + _AT_ONCE)
            made = _embedded(self.model, sentences.corpus, start[some], end[some])
            vectors = made if vectors is None else np.concatenate((vectors[-self.buffer :], made))
            found.append(_apart(vectors[: -self.buffer], vectors[self.buffer :]))
        return np.concatenate(found)


def _embedded(model: Embedder, corpus: Corpus, start: Int64, end: Int64) -> Float32:
    texts = [corpus.slice(a, b) for a, b in zip(start.tolist(), end.tolist(), strict=True)]
    vectors = np.asarray(model.embed(texts))
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise InvariantError(
            f"the embedder gives {vectors.shape} for {len(texts)} texts, or numbers that are not finite",
            str(model),
            "correct the embedder: it returns a vector of finite numbers for each text",
        )
    return unit_rows(vectors)


def _apart(front: Float32, behind: Float32) -> Float64:
    """float64[N], 1 − cosine of the vectors; 0 where one of them is zeros."""
    cosine = np.einsum("ij,ij->i", front.astype(np.float64), behind.astype(np.float64))
    return np.where(front.any(axis=1) & behind.any(axis=1), np.round(1 - cosine, _DIGITS), 0)
