"""TF-IDF with cosine similarity."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import scipy.sparse

from kugiri.labels import component_label
from kugiri.model.columns import Float64
from kugiri.model.run import Run
from kugiri.retrievers.lexical import Terms, best_by_terms
from kugiri.retrievers.parameters import demand_whole
from kugiri.retrievers.protocol import RetrievalTask
from kugiri.retrievers.tokens import Tokenizer, TokenLists


@dataclasses.dataclass(frozen=True, slots=True)
class Tfidf:
    """Cosine between question and chunk as vectors of tf × idf.

    tf is how often the token occurs, idf = ln((1 + N) / (1 + df)) + 1 with N chunks of which df have the token (the
    smoothed form that scikit-learn's TfidfVectorizer uses by default; the vectors are Salton and Buckley's, 1988).
    Tokens of the question that no chunk has are left out of its vector.

    Attributes:
        tokenizer, form, pos, fold: as `kugiri.retrievers.tokens.Tokenizer`.
        depth: how many chunks to rank.

    Raises:
        InputError: a parameter is unknown or outside its range.
    """

    name: ClassVar[str] = "tfidf"
    version: ClassVar[int] = 1

    tokenizer: str = "unidic"
    form: str = "surface"
    pos: tuple[str, ...] = ()
    fold: bool = True
    depth: int = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "pos", self.tokens.pos)
        demand_whole("depth", self.depth, 1)

    def __str__(self) -> str:
        return component_label(self)

    @property
    def tokens(self) -> Tokenizer:
        """How chunks and questions become tokens."""
        return Tokenizer(self.tokenizer, self.form, tuple(self.pos), self.fold)

    def rank(self, task: RetrievalTask) -> Run:
        """The best chunks for each question."""
        terms = Terms.of(task, self.tokens)
        chunks, questions, size = terms.chunks, terms.questions, terms.size
        occurrences = scipy.sparse.csr_matrix(
            (np.ones(len(chunks.ids)), chunks.ids, chunks.edge), shape=(len(chunks), size)
        )
        occurrences.sum_duplicates()
        df = np.bincount(occurrences.indices, minlength=size)
        idf = np.log((1 + len(chunks)) / (1 + df)) + 1
        weights = occurrences.data * idf[occurrences.indices]
        row = np.repeat(np.arange(len(chunks)), np.diff(occurrences.indptr))
        length = np.sqrt(np.bincount(row, weights=weights**2, minlength=len(chunks)))
        occurrences.data = weights / length[row]
        asked = idf[questions.ids] / np.repeat(_lengths(questions, idf, size), questions.counts)
        return best_by_terms(task, terms, asked, occurrences.T.tocsr(), self.depth)


def _lengths(lists: TokenLists, idf: Float64, size: int) -> Float64:
    """float64[N], the Euclidean length of each list's tf × idf vector."""
    row = np.repeat(np.arange(len(lists)), lists.counts)
    cell, tf = np.unique(row * size + lists.ids, return_counts=True)
    squares = (tf * idf[cell % max(size, 1)]) ** 2
    return np.sqrt(np.bincount(cell // max(size, 1), weights=squares, minlength=len(lists)))
