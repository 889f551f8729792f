"""The one tie rule against Python's `sorted`, and what a run refuses."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.errors import InvariantError
from kugiri.model import run as run_module
from kugiri.model.chunking import Chunking
from kugiri.model.run import Run, ranked
from worlds import chunking_of, corpus_of

Table = list[list[float]]
FEW = (-1.0, 0.0, 0.0, 0.0, 0.25, 0.5, 0.5, 1.0, 1e-300)


def cut(count: int) -> Chunking:
    """That many chunks of one character."""
    return chunking_of(corpus_of(["あ" * count]), [(0, place, place + 1) for place in range(count)])


def slow(table: Table, depth: int) -> list[list[tuple[int, float]]]:
    """Every row sorted in full: score descending, then the chunk's index; what is not above 0 is no hit."""
    return [
        sorted(((at, score) for at, score in enumerate(row) if score > 0), key=lambda pair: (-pair[1], pair[0]))[:depth]
        for row in table
    ]


def slow_ties(table: Table, depth: int) -> list[bool]:
    """Whether two hits with one score exist of which at least one is within the depth."""
    decided = []
    for row in table:
        hits = sorted((score for score in row if score > 0), reverse=True)
        decided.append(any(a == b for a, b in pairwise(hits[: depth + 1])))
    return decided


def rows(run: Run) -> list[list[tuple[int, float]]]:
    return [
        list(zip(run.chunk[row, :n].tolist(), run.score[row, :n].tolist(), strict=True))
        for row, n in enumerate(run.hits.tolist())
    ]


def ids(count: int) -> list[str]:
    return [f"q{number}" for number in range(count)]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    seed, height, width = draw(st.integers(0, 10**6)), draw(st.integers(0, 7)), draw(st.integers(1, 30))
    chance = random.Random(seed)
    pool = draw(st.sampled_from((FEW, (1.0,), (0.0, 1.0), tuple(range(50)))))
    return [[float(chance.choice(pool)) for _ in range(width)] for _ in range(height)]


@settings(max_examples=300)
@given(tables(), st.integers(1, 35), st.integers(1, 4), st.sampled_from(("dense", "csr", "float32")))
def test_ranks_are_those_of_a_full_sort(table: Table, depth: int, block: int, form: str) -> None:
    width = len(table[0]) if table else 3
    dense = np.array(table, dtype=np.float32 if form == "float32" else np.float64).reshape(len(table), width)
    made: Any = scipy.sparse.csr_matrix(dense) if form == "csr" else dense
    blocks = [made[low : low + block] for low in range(0, len(table), block)]
    run = ranked(blocks, depth, ids(len(table)), cut(width))
    assert rows(run) == slow(dense.tolist(), depth)
    assert run.tied.tolist() == slow_ties(dense.tolist(), depth)
    assert run.ties == sum(slow_ties(dense.tolist(), depth))
    assert run.depth == depth
    assert (run.chunk[np.isnan(run.score)] == -1).all()


@pytest.mark.parametrize("cells", [1, 7, 100, 1 << 21])
@pytest.mark.parametrize("share", [0.01, 0.9])
def test_the_size_of_the_pieces_changes_nothing(monkeypatch: pytest.MonkeyPatch, cells: int, share: float) -> None:
    chance = np.random.default_rng(4)
    dense = np.round(chance.random((40, 60)), 1) * (chance.random((40, 60)) < share)
    expected = slow(dense.tolist(), 9)
    monkeypatch.setattr(run_module, "_CELLS_AT_ONCE", cells)
    for blocks in ([dense], [scipy.sparse.csr_matrix(dense)], [dense[:3], scipy.sparse.csr_matrix(dense[3:])]):
        assert rows(ranked(blocks, 9, ids(40), cut(60))) == expected


def test_the_order_of_the_entries_of_a_sparse_row_changes_nothing() -> None:  # H79: shuffling the input
    chance = random.Random(5)
    entries = [(chunk, chance.choice((0.5, 1.0))) for chunk in range(0, 400, 11)]
    expected = None
    for _ in range(5):
        chance.shuffle(entries)
        data, indices = [score for _, score in entries], [chunk for chunk, _ in entries]
        matrix = scipy.sparse.csr_matrix((data, indices, [0, len(entries)]), shape=(1, 400))
        made = rows(ranked([matrix], 10, ["q"], cut(400)))
        expected = expected or made
        assert made == expected == slow(matrix.toarray().tolist(), 10)


def test_equal_scores_keep_the_order_of_the_documents() -> None:  # H79
    run = ranked([np.array([[1.0, 1.0, 1.0]])], 3, ["q"], cut(3))
    assert rows(run) == [[(0, 1.0), (1, 1.0), (2, 1.0)]]  # the relevant third one: 1/rank = 1/3, 1/log2(4) = 0.5
    assert run.ties == 1


def test_a_list_longer_than_the_corpus_ends_early() -> None:  # H82
    run = ranked([np.array([[0.2, 0.1]])], 10, ["q"], cut(2))
    assert run.hits.tolist() == [2]
    assert run.chunk[0].tolist() == [0, 1] + [-1] * 8
    assert np.isnan(run.score[0, 2:]).all()


def test_a_question_with_the_id_of_a_document_finds_it() -> None:  # H80
    corpus = corpus_of(["a", "b", "c", "d"])  # the fourth has the id "1"
    chunking = chunking_of(corpus, [(number, 0, 1) for number in range(4)])
    assert rows(ranked([np.array([[0, 0, 0, 1.0]])], 1, ["1"], chunking)) == [[(3, 1.0)]]


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_score_that_is_no_number_stops_the_run(wrong: float, sparse: bool) -> None:  # I91
    table = np.zeros((3, 40))
    table[:, :2] = 0.5
    table[2, 1] = wrong
    blocks: list[Any] = [table[:2], scipy.sparse.csr_matrix(table[2:]) if sparse else table[2:]]
    with pytest.raises(InvariantError, match=str(wrong).replace("-", "")) as caught:
        ranked(blocks, 5, ["甲", "乙", "丙"], cut(40))
    assert "'丙'" in caught.value.where
    assert "1:2" in caught.value.where


def test_a_shape_that_is_another_stops_the_run() -> None:  # I91
    for blocks in ([np.zeros((1, 2))], [np.zeros((1, 3))] * 2, [], [np.zeros(3)]):
        with pytest.raises(InvariantError):
            ranked(blocks, 5, ["q"], cut(3))


def test_no_questions() -> None:
    run = ranked([], 4, [], cut(3))
    assert (len(run), run.depth, run.ties) == (0, 4, 0)


GOOD: dict[str, Any] = {
    "chunk": [[3, 1, -1]],
    "score": [[2.0, 1.0, float("nan")]],
    "hits": [2],
    "tied": [False],
}


@pytest.mark.parametrize(
    "change",
    [
        {"hits": [3]},
        {"hits": [-1]},
        {"hits": [1]},
        {"hits": [4]},
        {"hits": [2, 2]},
        {"tied": []},
        {"chunk": [[3, 3, -1]]},
        {"chunk": [[3, 1, -2]]},
        {"chunk": [[3, -1, 1]]},
        {"chunk": [[3, 1]]},
        {"score": [[1.0, 2.0, float("nan")]]},
        {"score": [[1.0, 1.0, float("nan")]]},  # equal scores, 3 in front of 1
        {"score": [[1.0, float("nan"), float("nan")]]},
        {"score": [[2.0, 1.0, float("inf")]]},
        {"score": [[2.0, 1.0, 0.0]]},
    ],
)
def test_a_run_that_breaks_its_contract_is_refused(change: dict[str, Any]) -> None:
    def columns(given: dict[str, Any]) -> Run:
        return Run(np.array(given["chunk"]), np.array(given["score"]), np.array(given["hits"]), np.array(given["tied"]))

    assert rows(columns(GOOD)) == [[(3, 2.0), (1, 1.0)]]
    assert repr(columns(GOOD)) == "Run(1 questions, depth 3, 0 with ties)"
    with pytest.raises((InvariantError, TypeError)):
        columns({**GOOD, **change})


def test_columns_have_their_types_and_nobody_writes_to_them() -> None:
    given = np.array([[0.5, 0.7]])
    run = ranked([given], 2, ["q"], cut(2))
    given[:] = 0
    assert rows(run) == [[(1, 0.7), (0, 0.5)]]
    assert (run.chunk.dtype, run.score.dtype, run.hits.dtype, run.tied.dtype) == (np.int32, np.float64, np.int32, bool)
    for column in (run.chunk, run.score, run.hits, run.tied):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0
    with pytest.raises(TypeError):
        Run(np.array([0]), np.array([1.0]), np.array([1]), np.array([False]))
