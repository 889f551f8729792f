from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.parent_child import ParentChild
from kugiri.errors import InvariantError
from kugiri.evidence.loss import loss_of
from kugiri.metrics.needs import Needs
from kugiri.metrics.ranking import Ranking
from kugiri.model.indexed import Indexed
from kugiri.model.run import Run, ranked
from kugiri.retrievers.bm25 import Bm25
from kugiri.retrievers.cache import RetrievalCache
from kugiri.retrievers.oracle import Oracle
from kugiri.retrievers.protocol import RetrievalTask
from kugiri.sweeps.delivered import deep_enough, delivered
from kugiri.sweeps.shared_corpus import AskedQuestions
from worlds import World, corpus_of, worlds


def nested(texts: list[str], size: int) -> Indexed:
    chunker = ParentChild(Paragraph(), Fixed(size))
    return chunker.indexed(chunker.chunk(corpus_of(texts)))


def by_hand(scores: list[float], parent: list[int], depth: int) -> list[tuple[int, float]]:
    """Each parent's best score, best first, in the order of the parents where scores are equal."""
    best: dict[int, float] = {}
    for score, owner in zip(scores, parent, strict=True):
        if score > 0:
            best[owner] = max(best.get(owner, 0.0), score)
    return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:depth]


@settings(max_examples=100)
@given(data=st.data(), depth=st.integers(1, 6), lengths=st.lists(st.integers(1, 7), min_size=1, max_size=6))
def test_a_parent_stands_where_its_best_child_does(data: st.DataObject, depth: int, lengths: list[int]) -> None:
    index = nested(["\n\n".join("あ" * length for length in lengths)], 2)
    assert index.parent is not None
    count = len(index.vectors)
    rows = [[float(data.draw(st.integers(0, 4))) for _ in range(count)] for _ in range(3)]
    deep = deep_enough(Oracle(depth), index).depth
    run = ranked([np.array(rows)], deep, ["a", "b", "c"], index.vectors)
    found = delivered(run, index, depth)
    for row, scores in enumerate(rows):
        wanted = by_hand(scores, index.parent.tolist(), depth)
        hits = int(found.hits[row])
        assert list(zip(found.chunk[row, :hits].tolist(), found.score[row, :hits].tolist(), strict=True)) == wanted
        every = by_hand(scores, index.parent.tolist(), count)
        equal = [a[1] == b[1] for a, b in itertools.pairwise(every)][:depth]
        assert bool(found.tied[row]) == any(equal)


def test_without_children_nothing_changes() -> None:
    chunking = Paragraph().chunk(corpus_of(["あ\n\nい"]))
    run = Run(np.array([[1, 0]]), np.array([[2.0, 1.0]]), np.array([2]), np.array([False]))
    assert delivered(run, Indexed.of(chunking), 2) is run
    assert deep_enough(Oracle(7), Indexed.of(chunking)) == Oracle(7)


@settings(max_examples=100)
@given(world=worlds(answerable=True), size=st.integers(1, 5))
def test_the_oracle_needs_as_many_parents_as_the_evidence_does(world: World, size: int) -> None:
    chunker = ParentChild(Paragraph(), Fixed(size))
    questions = world.questions()
    chunking = chunker.chunk(world.corpus())
    if not len(chunking):
        return
    index = chunker.indexed(chunking)
    task = AskedQuestions.of(questions).task(index, RetrievalCache())
    loss = loss_of(chunker, chunking, questions)
    needs = Needs().of(loss)
    run = delivered(deep_enough(Oracle(), index).rank(task), index, 100)
    ranking = Ranking.of(loss, run)
    assert ranking.rank[needs.defined].tolist() == needs.value[needs.defined].tolist()


def test_context_is_indexed_and_contains_nothing() -> None:
    chunking = Paragraph().chunk(corpus_of(["一行目。\n\n二行目。"]))
    with_heading = Indexed(chunking, chunking, None, ("東京", "大阪"))
    assert with_heading.characters == 8 + 4
    task = RetrievalTask(chunking, ("q",), ("大阪は",), None, RetrievalCache(), with_heading.context)
    assert Bm25().rank(task).chunk[0].tolist()[:2] == [1, -1]
    bare = dataclasses.replace(task, context=None, cache=RetrievalCache())
    assert Bm25().rank(bare).hits.tolist() == [0]


def test_columns_that_belong_to_nothing_are_refused() -> None:
    chunking = Paragraph().chunk(corpus_of(["一。\n\n二。"]))
    other = Paragraph().chunk(corpus_of(["一。\n\n二。"]))
    for broken in (
        lambda: Indexed(chunking, other),
        lambda: Indexed(chunking, chunking, np.array([0])),
        lambda: Indexed(chunking, chunking, np.array([1, 0])),
        lambda: Indexed(chunking, chunking, np.array([0, 2])),
        lambda: Indexed(chunking, chunking, None, ("一つ",)),
    ):
        with pytest.raises(InvariantError):
            broken()
