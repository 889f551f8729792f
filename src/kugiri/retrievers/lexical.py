"""What BM25 and TF-IDF have in common: terms of one chunking, and scores as a sparse product."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse

from kugiri.model.columns import Float64
from kugiri.model.run import Run, ranked
from kugiri.retrievers.protocol import RetrievalTask
from kugiri.retrievers.tokens import Tokenizer, TokenLists

_CELLS_AT_ONCE = 1 << 21


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Chunks and questions as tokens of one vocabulary: the tokens that occur in some chunk.

    Tokens are numbered in the order in which the chunks bring them, so nothing depends on what a cache held before.

    Attributes:
        chunks, questions: token ids; tokens of a question that no chunk has are left out.
        size: how many tokens there are.
    """

    chunks: TokenLists
    questions: TokenLists
    size: int

    @classmethod
    def of(cls, task: RetrievalTask, tokenizer: Tokenizer) -> Terms:
        """The terms of a task."""
        chunks = task.cache.chunk_tokens(tokenizer, task.chunking, task.context)
        questions = task.cache.question_tokens(tokenizer, task.question_texts)
        known, first = np.unique(chunks.ids, return_index=True)
        highest = max(int(known[-1]) if len(known) else -1, int(questions.ids.max(initial=-1)))
        number = np.full(highest + 1, -1, dtype=np.int32)
        number[known[np.argsort(first)]] = np.arange(len(known))
        asked = number[questions.ids]
        return cls(
            TokenLists(number[chunks.ids], chunks.edge),
            TokenLists(asked, questions.edge).kept(asked >= 0),
            len(known),
        )


def best_by_terms(
    task: RetrievalTask, terms: Terms, weights: Float64, term_scores: Any, depth: int, constant: Float64 | None = None
) -> Run:
    """The run whose scores are, for every question, the sum over its tokens of weight × the chunk's score for the term.

    Sums are made in float64, token by token in the question's order, then compared at the precision of float32: scores
    that the formula makes equal differ by 1e-16 according to the order of the additions, and a tie is not decided by
    that.

    Args:
        task: what to rank.
        terms: of the task.
        weights: float64[T], of each token of the questions.
        term_scores: scipy CSR [size, chunks].
        depth: how many chunks to keep.
        constant: float64[Q], added to the score of every chunk that shares a token with the question.
    """
    questions = terms.questions
    shape = (len(questions), terms.size)
    asked = scipy.sparse.csr_matrix((weights, questions.ids, questions.edge), shape=shape)
    step = max(1, _CELLS_AT_ONCE // len(task.chunking))

    def blocks() -> Iterator[Any]:
        for low in range(0, len(questions), step):
            product = asked[low : low + step] @ term_scores
            if constant is not None:
                product.data += np.repeat(constant[low : low + step], np.diff(product.indptr))
            # astype() of the matrix would sort its entries, which nobody needs.
            product.data = product.data.astype(np.float32)
            yield product

    return ranked(blocks(), depth, task.question_ids, task.chunking)
