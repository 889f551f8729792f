"""Ranked chunks per question, and the one rule that decides ties."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kugiri.errors import InvariantError
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Float64, Int32, concatenated_ranges, frozen

_CELLS_AT_ONCE = 1 << 21


class SparseRows(Protocol):
    """A scipy CSR matrix of scores [questions, chunks] without repeated entries; what it does not hold is no hit."""

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int]

    def toarray(self) -> Any:
        """The same scores as a dense array."""
        ...

    def __getitem__(self, rows: slice) -> Any:
        """Some of the rows."""
        ...


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Ranked chunks of one chunking, a question a row: scores never increase, equal scores in the chunks' own order.

    Attributes:
        chunk: int32[Q, depth], indices into the chunking; −1 behind the last hit.
        score: float64[Q, depth]; NaN behind the last hit.
        hits: int32[Q], how many chunks were found, at most `depth`.
        tied: bool[Q], whether the tie rule decided anything: two hits with one score, both within the depth or one at
            each side of its border.

    Raises:
        InvariantError: a retriever's output is anything else, or names a chunk twice in one row.
    """

    chunk: Int32
    score: Float64
    hits: Int32
    tied: Bool

    def __post_init__(self) -> None:
        chunk, score = _frozen_table(self.chunk, np.int32), _frozen_table(self.score, np.float64)
        hits, tied = frozen(self.hits, np.int32), frozen(self.tied, bool)
        for name, column in (("chunk", chunk), ("score", score), ("hits", hits), ("tied", tied)):
            object.__setattr__(self, name, column)
        if chunk.shape != score.shape or not len(chunk) == len(hits) == len(tied):
            raise _broken("the columns of a run differ in length")
        filled = np.arange(chunk.shape[1]) < hits[:, None]
        if bool((hits < 0).any() or (hits > chunk.shape[1]).any()):
            raise _broken("there are more hits than places")
        if not np.array_equal(chunk >= 0, filled) or bool((chunk[~filled] != -1).any()):
            raise _broken("places behind the last hit are −1, and no other place is negative")
        if not np.array_equal(np.isfinite(score), filled) or not np.isnan(score[~filled]).all():
            raise _broken("scores are finite up to the last hit and NaN behind it")
        ordered = np.sort(chunk, axis=1)
        if bool(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any()):
            raise _broken("a chunk is ranked twice for one question")
        falls = score[:, 1:] < score[:, :-1]
        stays = (score[:, 1:] == score[:, :-1]) & (chunk[:, 1:] > chunk[:, :-1])
        if not (falls | stays | ~filled[:, 1:]).all():
            raise _broken("scores increase, or equal scores are not in the order of the chunks")

    def __len__(self) -> int:
        """The number of questions."""
        return len(self.hits)

    def __repr__(self) -> str:
        return f"Run({len(self):,} questions, depth {self.depth}, {self.ties:,} with ties)"

    @property
    def depth(self) -> int:
        """How many places a question has; a metric at k beyond it is an error."""
        return int(self.chunk.shape[1])

    @property
    def ties(self) -> int:
        """The number of questions whose ranking the tie rule had a say in."""
        return int(self.tied.sum())


def ranked(
    blocks: Iterable[NDArray[np.floating[Any]] | SparseRows], depth: int, questions: Sequence[str], chunking: Chunking
) -> Run:
    """The `depth` best chunks of every question: by score descending, then document order, start, end.

    A chunking is sorted by document, start and end, so the second half of the rule is the chunk's index. Chunks with a
    score of 0 or less are no hits: what does not match is not found, and its order says nothing.

    Args:
        blocks: scores of consecutive questions over all chunks, dense [q, C] or CSR, of any number of rows; how the
            questions are cut into blocks changes nothing.
        depth: how many to keep.
        questions: ids of all questions, for messages.
        chunking: what the columns are.

    Raises:
        InvariantError: a score is NaN or infinite (question and chunk are named), or the shape is another.
    """
    parts: list[tuple[Int32, Float64, Int32, Bool]] = []
    row = 0
    for block in blocks:
        if len(block.shape) != 2 or block.shape[1] != len(chunking):
            raise _broken(f"scores of shape {tuple(block.shape)} for {len(chunking)} chunks")
        for values, chunk in _bounded(block):
            _demand_finite(values, chunk, row, questions, chunking)
            parts.append(_best(values, chunk, depth))
            row += len(values)
    if row != len(questions):
        raise _broken(f"scores of {row} questions where {len(questions)} were asked")
    if not parts:
        parts = [_best(np.zeros((0, len(chunking))), None, depth)]
    chunks, scores, hits, tied = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Run(chunks, scores, hits, tied)


def _bounded(block: Any) -> Iterator[tuple[NDArray[Any], Int32 | None]]:
    """The block in pieces of bounded size: values [q, W] and the chunk of each place (None: the place is the chunk)."""
    rows, chunks = block.shape
    step = max(1, _CELLS_AT_ONCE // max(1, chunks))
    for low in range(0, rows, step):
        piece = block[low : low + step]
        if isinstance(piece, np.ndarray):
            yield piece, None
        # A question that shares "の" with every chunk is a full row; only where rows are mostly empty does it pay to
        # leave the zeros out.
        elif piece.data.size * 8 > piece.shape[0] * chunks:
            yield piece.toarray(), None
        else:
            yield _squeezed(piece)


def _squeezed(piece: Any) -> tuple[NDArray[Any], Int32]:
    """The entries of each CSR row side by side, chunks ascending, padded with score 0."""
    counts = np.diff(piece.indptr).astype(np.int64)
    row = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((piece.indices, row))
    place = concatenated_ranges(counts)
    width = int(counts.max(initial=0))
    values = np.zeros((len(counts), width), dtype=piece.data.dtype)
    chunk = np.full((len(counts), width), -1, dtype=np.int32)
    values[row, place] = piece.data[order]
    chunk[row, place] = piece.indices[order]
    return values, chunk


def _best(values: NDArray[Any], chunk: Int32 | None, depth: int) -> tuple[Int32, Float64, Int32, Bool]:
    """The columns of a run over these values, whose places are in the order of the chunks."""
    rows, width = values.shape
    floor = np.full(rows, np.nextafter(values.dtype.type(0), values.dtype.type(1)))
    if width > depth:
        floor = np.maximum(floor, np.partition(values, width - depth, axis=1)[:, width - depth])
    # A partition alone picks any of the values that equal the last one taken. All of them are candidates here, and a
    # stable sort of the candidates, which come in the order of the chunks, picks the right ones.
    row, place = np.nonzero(values >= floor[:, None])
    counts = np.bincount(row, minlength=rows).astype(np.int64)
    beside = concatenated_ranges(counts)
    shape = (rows, max(depth, int(counts.max(initial=0))))
    # Negated and padded with infinity, so that ascending order is ours and the padding comes last.
    negated = np.full(shape, np.inf)
    negated[row, beside] = -values[row, place].astype(np.float64)
    found = np.full(shape, -1, dtype=np.int32)
    found[row, beside] = place if chunk is None else chunk[row, place]
    order = np.argsort(negated, axis=1, kind="stable")
    negated = np.take_along_axis(negated, order, axis=1)
    # Candidates beyond the depth are there only because they equal the last one within.
    tied = ((negated[:, 1:] == negated[:, :-1]) & np.isfinite(negated[:, 1:])).any(axis=1)
    score = np.where(np.isfinite(negated[:, :depth]), -negated[:, :depth], np.nan)
    hits = np.minimum(counts, depth).astype(np.int32)
    return np.take_along_axis(found, order, axis=1)[:, :depth], score, hits, tied


def _demand_finite(
    values: NDArray[Any], chunk: Int32 | None, row: int, questions: Sequence[str], chunking: Chunking
) -> None:
    finite = np.isfinite(values)
    if finite.all():
        return
    at, place = (int(index) for index in np.argwhere(~finite)[0])
    index = place if chunk is None else int(chunk[at, place])
    question = repr(questions[row + at]) if row + at < len(questions) else f"number {row + at + 1}"
    raise InvariantError(
        f"the score is {values[at, place]}",
        f"question {question}, chunk {chunking.chunk(index).id!r}",
        "correct the retriever: scores are finite numbers",
    )


def _frozen_table(values: Any, dtype: Any) -> Any:
    given = np.asarray(values)
    if given.ndim != 2 or not np.can_cast(given.dtype, dtype, "same_kind"):
        message = f"a run has a row a question, a column a place and {np.dtype(dtype)}, not {given.dtype}{given.shape}"
        raise TypeError(message)
    table: NDArray[Any] = given.astype(dtype, copy=True)
    table.flags.writeable = False
    return table


def _broken(what: str) -> InvariantError:
    return InvariantError(what, "a retriever's output", "correct the retriever")
