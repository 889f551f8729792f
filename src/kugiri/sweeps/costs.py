"""What each configuration costs with each embedding model, and what that model does not see of its evidence."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kugiri.evidence.truncation import Room, truncated
from kugiri.model.columns import Bool, Int64
from kugiri.model.indexed import Indexed
from kugiri.segmenters.tokenizers import Tokenizer, tokenizer
from kugiri.sweeps.models import EmbeddingModel

if TYPE_CHECKING:
    from kugiri.sweeps.results import ConfigurationResult

_PRICED = 1_000_000
"""Tokens that a price is of."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Cost:
    """One configuration with one model; None where the model does not say enough.

    Attributes:
        tokens: sent to the model: special tokens, prefix, context and text of every vector, each counted by itself, the
            text whole even where the model sees less of it.
        bytes: of the vectors' numbers.
        seconds: to embed them.
        price: of embedding them, in the model's currency.
        longer: vectors whose input is longer than the model's.
        truncated: bool[Q], the questions that are kept and not seen (`kugiri.evidence.truncation`).
    """

    configuration: str
    model: EmbeddingModel
    vectors: int
    characters: int
    tokens: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    price: float | None = None
    longer: int | None = None
    truncated: Bool | None = None


def costs(results: Mapping[str, ConfigurationResult], models: Sequence[EmbeddingModel]) -> tuple[Cost, ...]:
    """A row a configuration and model, the models of a configuration together.

    Raises:
        InputError, InvariantError: a tokenizer that is none, that refuses a text or whose output cannot be used.
    """
    made = {id(model): tokenizer(model.tokenizer) for model in models if model.tokenizer is not None}
    of_chunker: dict[str, list[Cost]] = {}
    rows: list[Cost] = []
    for label, result in results.items():
        # Retrievers over one chunker share its vectors, and models of one tokenizer its counts.
        if result.loss.label not in of_chunker:
            counts: dict[object, Int64] = {}
            of_chunker[result.loss.label] = [_cost(result, model, made.get(id(model)), counts) for model in models]
        rows += [dataclasses.replace(cost, configuration=label) for cost in of_chunker[result.loss.label]]
    return tuple(rows)


def _cost(
    result: ConfigurationResult, model: EmbeddingModel, made: Tokenizer | None, counts: dict[object, Int64]
) -> Cost:
    index, vectors = result.indexed, len(result.indexed.vectors)
    size = None if model.dimensions is None else vectors * model.dimensions * model.bytes_per_number
    cost = Cost(str(result.configuration), model, vectors, index.characters, bytes=size)
    if made is None:
        return cost
    if made not in counts:
        counts[made] = _own_tokens(index, made)
    own, added = counts[made], model.special_tokens + made.count(model.prefix) + _context_tokens(index, made)
    tokens = int((own + added).sum())
    cost = dataclasses.replace(
        cost,
        tokens=tokens,
        seconds=None if model.tokens_per_second is None else tokens / model.tokens_per_second,
        price=None if model.price is None else tokens / _PRICED * model.price,
    )
    if model.max_tokens is None:
        return cost
    room = Room(made, model.max_tokens - added, own)
    unseen = truncated(index, result.loss.questions.evidence, result.loss.containment, room)
    return dataclasses.replace(cost, longer=int((own + added > model.max_tokens).sum()), truncated=unseen)


def _own_tokens(index: Indexed, made: Tokenizer) -> Int64:
    """int64[V], the tokens of each vector's own text by itself."""
    start, end = index.vectors.start.tolist(), index.vectors.end.tolist()
    corpus = index.vectors.corpus
    counts = (made.count(corpus.slice(low, high)) for low, high in zip(start, end, strict=True))
    return np.fromiter(counts, dtype=np.int64, count=len(start))


def _context_tokens(index: Indexed, made: Tokenizer) -> Int64:
    """int64[V], the tokens of each vector's context: headings repeat, and are counted once."""
    if index.context is None:
        return np.zeros(len(index.vectors), dtype=np.int64)
    distinct, place = np.unique(np.array(index.context, dtype=object), return_inverse=True)
    return made.counts(distinct.tolist())[place] if len(distinct) else np.zeros(0, dtype=np.int64)
