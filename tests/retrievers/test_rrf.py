"""Fusion against a loop over dictionaries."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
from asked import found, scores, task_of
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.model.run import Run, ranked
from kugiri.retrievers.bm25 import Bm25
from kugiri.retrievers.protocol import RetrievalTask
from kugiri.retrievers.rrf import ReciprocalRankFusion, fused
from kugiri.retrievers.tfidf import Tfidf

Lists = list[list[int]]


@dataclasses.dataclass(frozen=True)
class Given:
    """A ranking that is what it is."""

    name: ClassVar[str] = "given"
    version: ClassVar[int] = 1
    order: tuple[int, ...]
    depth: int = 10
    asked: list[int] = dataclasses.field(default_factory=list, compare=False)

    def __str__(self) -> str:
        return f"given{self.order}"

    def rank(self, task: RetrievalTask) -> Run:
        self.asked.append(1)
        table = np.zeros((1, len(task.chunking)))
        for place, chunk in enumerate(self.order):
            table[0, chunk] = 1 / (place + 1)
        return ranked([table], self.depth, task.question_ids, task.chunking)


def written(lists: Lists, k: float) -> dict[int, float]:
    total: dict[int, float] = {}
    for ranking in lists:
        for rank, chunk in enumerate(dict.fromkeys(ranking), start=1):
            total[chunk] = total.get(chunk, 0.0) + 1 / (k + rank)
    return total


def table(lists: Lists, depth: int) -> np.ndarray:
    return np.array([[*ranking, *[-1] * (depth - len(ranking))] for ranking in lists], dtype=np.int32).reshape(
        -1, depth
    )


P, Q, R, S = range(4)


def test_ranks_count_from_one_and_what_is_absent_adds_nothing() -> None:  # I86
    run = ReciprocalRankFusion((Given((P, Q, R)), Given((R, P, S)))).rank(task_of(list("pqrs"), ["?"]))
    assert found(run) == [P, R, Q, S]
    assert np.round(run.score[0, :4], 6).tolist() == [0.032522, 0.032266, 0.016129, 0.015873]


def test_the_published_example() -> None:  # findings C: [A, B, C] + [C, A, D]
    run = ReciprocalRankFusion((Given((0, 1, 2)), Given((2, 0, 3)))).rank(task_of(list("ABCD"), ["?"]))
    assert found(run) == [0, 2, 1, 3]
    assert np.round(run.score[0, :4], 6).tolist() == [0.032522, 0.032266, 0.016129, 0.015873]


def test_scores_that_are_all_zero_are_an_empty_list() -> None:  # I88
    task = task_of(["猫", "犬", "鳥"], ["雨"])
    run = ReciprocalRankFusion((Bm25(), Given((2, 0, 1)))).rank(task)
    assert found(run) == [2, 0, 1]
    assert run.ties == 0
    assert found(ReciprocalRankFusion((Bm25(), Tfidf())).rank(task)) == []


def test_an_entry_that_comes_again_counts_once_and_pushes_nobody_down() -> None:  # I89
    x, y = 0, 1
    scored = fused([table([[x, x, y]], 3), table([[y]], 3)], 60, 2).toarray()[0]
    assert np.round(scored, 6).tolist() == [0.016393, 0.032522]


@settings(max_examples=200)
@given(
    st.lists(
        st.lists(st.lists(st.integers(0, 6), max_size=5), min_size=3, max_size=3),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from((60, 1, 0.5)),
)
def test_scores_are_those_of_a_loop(rankings: list[Lists], k: float) -> None:
    made = fused([table(lists, 5) for lists in rankings], k, 7).toarray()
    for row in range(3):
        expected = written([lists[row] for lists in rankings], k)
        np.testing.assert_allclose(made[row], [expected.get(chunk, 0.0) for chunk in range(7)], rtol=1e-12)


def test_the_same_ranks_in_other_lists_are_a_tie() -> None:
    """Added in the order of the lists, 1/61 + 1/62 + 1/67 differs from 1/67 + 1/61 + 1/62."""
    assert 1 / 61 + 1 / 62 + 1 / 67 != 1 / 67 + 1 / 61 + 1 / 62
    lists = (Given((0, 2, 3, 4, 5, 6, 1)), Given((1, 0, 7, 8, 9, 10, 2)), Given((2, 1, 11, 12, 13, 14, 0)))
    run = ReciprocalRankFusion(lists, depth=3).rank(task_of(list("abcdefghijklmno"), ["?"]))
    assert found(run) == [0, 1, 2]
    assert len(set(run.score[0].tolist())) == run.ties == 1


def test_several_questions_and_depths() -> None:
    documents = ["雨の東京", "東京の寿司", "寿司と雨", "京都"]
    questions = ["東京の雨", "寿司", "猫", "京都の雨"]
    parts = (Bm25(), Tfidf("bigram", depth=1))
    task = task_of(documents, questions)
    runs = [part.rank(task) for part in parts]
    run = ReciprocalRankFusion(parts, k=10, depth=3).rank(task)
    for row in range(4):
        expected = written([found(part, row) for part in runs], 10)
        order = sorted(expected, key=lambda chunk: (-expected[chunk], chunk))
        assert found(run, row) == order[:3]
        np.testing.assert_allclose(scores(run, 4)[row][order[:3]], [expected[chunk] for chunk in order[:3]])


def test_a_ranking_that_is_there_already_is_not_made_again() -> None:
    part, task = Given((1, 0)), task_of(list("ab"), ["?"])
    first = task.run_of(part)
    nested = ReciprocalRankFusion((part, ReciprocalRankFusion((part,))))
    assert found(task.run_of(nested)) == [1, 0]
    assert task.run_of(part) is first
    assert len(part.asked) == 1
