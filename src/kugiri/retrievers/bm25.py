"""BM25 through bm25s."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import bm25s
import numpy as np
import scipy.sparse

from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.columns import Float64
from kugiri.model.run import Run
from kugiri.retrievers.lexical import Terms, best_by_terms
from kugiri.retrievers.parameters import demand_one_of, demand_whole
from kugiri.retrievers.protocol import RetrievalTask
from kugiri.retrievers.tokens import Tokenizer

METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")
_WITH_DELTA = ("bm25l", "bm25+")


@dataclasses.dataclass(frozen=True, slots=True)
class Bm25:
    """BM25 scores of bm25s, ranked by our tie rule; a chunk that shares no token with the question is no hit.

    Scores come from the library's index, made in float64 (its default, float32, loses up to 1e-6 of a score, and which
    of two equal chunks comes first then depends on the order of the question's words).

    Attributes:
        tokenizer, form, pos, fold: as `kugiri.retrievers.tokens.Tokenizer`.
        k1, b, delta: of the formula; delta is of the methods bm25l and bm25+ only.
        method: the variant of the formula, as Kamphuis et al. (ECIR 2020) compare them.
        depth: how many chunks to rank.

    Raises:
        InputError: a parameter is unknown or outside its range.
    """

    name: ClassVar[str] = "bm25"
    version: ClassVar[int] = 1

    tokenizer: str = "unidic"
    form: str = "surface"
    pos: tuple[str, ...] = ()
    fold: bool = True
    k1: float = 1.5
    b: float = 0.75
    method: str = "lucene"
    delta: float = 0.5
    depth: int = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "pos", self.tokens.pos)
        demand_one_of("method", self.method, METHODS)
        demand_whole("depth", self.depth, 1)
        for key, most in (("k1", None), ("b", 1), ("delta", None)):
            value = getattr(self, key)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not 0 <= value < math.inf or (most is not None and value > most):
                limit = "" if most is None else f", at most {most}"
                raise InputError(f"{key} = {value!r} is out of range", key, f"give a number of 0 or more{limit}")
            # 1 and 1.0 are one configuration with one label.
            object.__setattr__(self, key, float(value))
        if self.delta != 0.5 and self.method not in _WITH_DELTA:
            raise InputError(
                f"delta = {self.delta} means nothing to the method {self.method!r}",
                "delta",
                f"leave it out, or use method = {' or '.join(map(repr, _WITH_DELTA))}",
            )

    def __str__(self) -> str:
        return component_label(self)

    @property
    def tokens(self) -> Tokenizer:
        """How chunks and questions become tokens."""
        return Tokenizer(self.tokenizer, self.form, tuple(self.pos), self.fold)

    def rank(self, task: RetrievalTask) -> Run:
        """The best chunks for each question."""
        terms = Terms.of(task, self.tokens)
        index = self.index(terms)
        shape = (len(task.chunking), terms.size)
        columns = (index.scores["data"], index.scores["indices"], index.scores["indptr"])
        # The columns of the library's matrix are the rows of its transpose: no score is touched.
        by_term = scipy.sparse.csr_matrix(columns, shape=shape[::-1])
        constant: Float64 | None = None
        if index.nonoccurrence_array is not None:
            # bm25l and bm25+ store what a term adds over its absence; the score of the absent terms comes back here.
            absent = index.nonoccurrence_array[terms.questions.ids]
            row = np.repeat(np.arange(len(terms.questions)), terms.questions.counts)
            constant = np.bincount(row, absent, len(terms.questions)).astype(np.float64)
        return best_by_terms(task, terms, np.ones(len(terms.questions.ids)), by_term, self.depth, constant)

    def index(self, terms: Terms) -> Any:
        """The library's index over the chunks of these terms."""
        made = bm25s.BM25(k1=self.k1, b=self.b, delta=self.delta, method=self.method, dtype="float64")
        if not terms.size:
            # The library divides by the mean length, 0 here.
            none = np.empty(0, dtype=np.int32)
            made.scores = {"data": none.astype(float), "indices": none, "indptr": np.zeros(1, dtype=np.int64)}
            made.nonoccurrence_array = None
            return made
        vocabulary = {token: token for token in range(terms.size)}
        made.index((terms.chunks.lists(), vocabulary), create_empty_token=False, show_progress=False)
        return made
