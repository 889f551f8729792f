"""The ceiling attains `needs`; the floor depends on the seed and the question alone."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from asked import evidence_task, found, task_of
from hypothesis import given, settings

import worlds
from kugiri.model.run import Run
from kugiri.retrievers.oracle import Oracle
from kugiri.retrievers.random_order import RandomOrder
from worlds import World

DRAWN = [[9, 2, 7, 5, 4], [0, 8, 6, 1, 5]]
"""The first five of ten chunks for q0 and q1, seed 1."""


def rank_of(world: World, run: Run, question: int) -> int | None:
    """The first place at which an alternative is complete, by looking at every prefix."""
    chunks = worlds.local_chunks(world.chunking())
    taken: list[worlds.Span] = []
    for place, chunk in enumerate(found(run, question), start=1):
        taken.append(chunks[chunk])
        if worlds.is_kept(taken, world.asked[question]):
            return place
    return None


@settings(max_examples=300)
@given(worlds.worlds(answerable=True))
def test_the_rank_of_the_oracle_is_needs(world: World) -> None:
    chunking = world.chunking()
    if not len(chunking):
        return
    run = Oracle().rank(evidence_task(chunking, world.questions()))
    chunks = worlds.local_chunks(chunking)
    for question, asked in enumerate(world.asked):
        needs = worlds.needs(chunks, asked)
        assert rank_of(world, run, question) == needs
        assert run.hits[question] == (needs or 0)
    assert run.ties == 0


def test_the_oracle_completes_the_first_of_the_alternatives_that_need_fewest() -> None:
    corpus = worlds.corpus_of(["abcdef"])
    chunking = worlds.chunking_of(corpus, [(0, at, at + 1) for at in range(6)])
    two, one, other = [(0, 0, 1), (0, 1, 2)], [(0, 5, 6)], [(0, 3, 4)]
    questions = worlds.questions_of(corpus, [[two, one, other], [[(0, 0, 2)]], [], [[(0, 4, 5), (0, 2, 3)]]])
    run = Oracle().rank(evidence_task(chunking, questions))
    assert [found(run, row) for row in range(4)] == [[5], [], [], [2, 4]]
    assert found(Oracle(depth=1).rank(evidence_task(chunking, questions)), 3) == [2]


def test_the_oracle_asks_for_the_evidence() -> None:
    with pytest.raises(ValueError, match="evidence"):
        Oracle().rank(task_of(["雨"], ["雨"]))


def test_the_drawn_order_is_this_one_for_good() -> None:
    """Philox4x64-10 from numpy's raw stream; changed numbers mean that published floors cannot be drawn again."""
    run = RandomOrder(depth=5).rank(task_of(["あ"] * 10, ["?", "?"]))
    assert [found(run, 0), found(run, 1)] == DRAWN
    digest = hashlib.sha256(b"1\nq0").digest()
    raw = np.random.Philox(key=int.from_bytes(digest[:16], "big")).random_raw(10)
    assert found(run, 0) == sorted(range(10), key=lambda chunk: -int(raw[chunk]))[:5]
    assert run.score[0, 0] == ((int(raw[found(run, 0)[0]]) >> 11) + 1) / 2**53


def test_every_chunk_is_a_hit_in_an_order_of_its_own() -> None:
    task = task_of(["あ"] * 50, ["同じ"] * 300)
    run = RandomOrder().rank(task)
    assert (run.hits == 50).all()
    assert all(sorted(found(run, row)) == list(range(50)) for row in range(300))
    assert len({tuple(found(run, row)) for row in range(300)}) == 300
    # Each chunk comes first about 6 times in 300.
    assert np.bincount(run.chunk[:, 0], minlength=50).max() < 20
    assert not np.array_equal(run.chunk, RandomOrder(seed=2).rank(task).chunk)
    assert np.array_equal(run.chunk, RandomOrder().rank(task).chunk)
    # Neither how many questions there are nor which come before changes the order of one.
    assert np.array_equal(run.chunk[:20], RandomOrder().rank(task_of(["あ"] * 50, ["別"] * 20)).chunk)
