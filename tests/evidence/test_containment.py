from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings

from kugiri.evidence.containment import Containment, alternatives_kept, questions_kept
from kugiri.evidence.loss import loss_of
from worlds import World, chunking_of, corpus_of, holds, is_contained, is_kept, is_lost, random_world, worlds


def spans_of(world: World) -> list[tuple[int, int, int]]:
    return [span for asked in world.asked for spans in asked for span in spans]


@settings(max_examples=300)
@given(worlds())
def test_the_range_of_chunks_is_exactly_those_that_hold_the_span(world: World) -> None:
    chunking, spans = world.chunking(), spans_of(world)
    origin = world.corpus().document_start
    start = np.array([origin[d] + s for d, s, _ in spans], dtype=np.int64)
    end = np.array([origin[d] + e for d, _, e in spans], dtype=np.int64)
    found = Containment.of(chunking, start, end)
    for row, span in enumerate(spans):
        expected = [index for index, chunk in enumerate(world.chunks) if holds(chunk, span)]
        assert list(range(found.first[row], found.last[row])) == expected
        assert found.contained[row] == bool(expected)


@settings(max_examples=300)
@given(worlds())
def test_a_question_is_lost_when_no_alternative_has_all_its_spans_in_single_chunks(world: World) -> None:
    questions = world.questions()
    loss = loss_of("drawn", world.chunking(), questions)
    assert loss.lost.tolist() == [is_lost(world.chunks, asked) for asked in world.asked]
    assert loss.lost_ids == tuple(f"q{n}" for n, asked in enumerate(world.asked) if is_lost(world.chunks, asked))
    kept = questions_kept(questions.evidence, loss.kept_alternatives)
    assert kept.tolist() == [is_kept(world.chunks, asked) for asked in world.asked]
    assert not (kept & loss.lost).any()


def test_lost_questions_in_thousands_of_random_worlds() -> None:
    draw = random.Random(11)
    for _ in range(1500):
        world = random_world(draw.randrange(10**9), draw.randint(1, 4), draw.randint(0, 14), draw.randint(1, 5))
        lost = loss_of("drawn", world.chunking(), world.questions()).lost.tolist()
        assert lost == [is_lost(world.chunks, asked) for asked in world.asked], world


def test_several_spans_as_alternatives_or_together() -> None:  # G65
    corpus = corpus_of(["一二三四五六七八九十"])
    chunks = [(0, 0, 5), (0, 5, 9)]
    for asked, lost in (([[(0, 0, 2)], [(0, 8, 10)]], False), ([[(0, 0, 2), (0, 8, 10)]], True)):
        world = World(corpus.texts, ((),), (asked,), tuple(chunks))
        assert loss_of("drawn", world.chunking(), world.questions()).lost.tolist() == [lost]
        assert is_lost(chunks, asked) is lost


def test_spans_needed_together_may_lie_in_different_chunks_and_documents() -> None:
    world = World(
        ("一二三", "四五六"), ((), ()), ([[(0, 0, 2), (1, 1, 3)]], [[(0, 0, 2), (1, 0, 3)]]), ((0, 0, 2), (1, 1, 3))
    )
    assert loss_of("drawn", world.chunking(), world.questions()).lost.tolist() == [False, True]


@pytest.mark.parametrize(
    ("span", "contained"),
    [
        ((0, 0, 3), True),
        ((0, 0, 4), False),
        ((1, 0, 1), True),
        ((1, 2, 3), True),
        ((1, 0, 3), True),
        ((0, 3, 4), False),
    ],
)
def test_the_edges_of_documents_and_chunks(span: tuple[int, int, int], contained: bool) -> None:
    chunks = [(0, 0, 3), (1, 0, 3)]
    world = World(("一二三四", "五六七"), ((), ()), ([[span]],), tuple(chunks))
    assert loss_of("drawn", world.chunking(), world.questions()).lost.tolist() == [not contained]
    assert is_contained(chunks, span) is contained


def test_a_chunk_of_the_neighbour_document_holds_nothing_of_this_one() -> None:
    world = World(("一二", "", "三四"), ((), (), ()), ([[(0, 1, 2)]], [[(2, 0, 1)]]), ((2, 0, 2),))
    assert loss_of("drawn", world.chunking(), world.questions()).lost.tolist() == [True, False]


def test_questions_without_evidence_are_neither_kept_nor_lost() -> None:  # H77
    world = World(("一二三",), ((),), ([[(0, 0, 1)]], [], [[(0, 0, 3)]]), ((0, 0, 2),))
    loss = loss_of("drawn", world.chunking(), world.questions())
    assert loss.lost.tolist() == [False, False, True]
    assert loss.lost_rate == 0.5
    assert "1 of 2 questions lost" in repr(loss)


def test_without_any_evidence_there_is_no_rate() -> None:
    world = World(("一二三",), ((),), ([], []), ((0, 0, 2),))
    loss = loss_of("drawn", world.chunking(), world.questions())
    assert loss.lost.tolist() == [False, False]
    assert np.isnan(loss.lost_rate)
    assert len(loss.rows) == 0
    assert len(loss.to_pandas()) == 0


def test_without_any_chunk_every_answerable_question_is_lost() -> None:
    world = World(("一二三", ""), ((), ()), ([[(0, 0, 1)]], []), ())
    assert loss_of("drawn", world.chunking(), world.questions()).lost.tolist() == [True, False]


def test_nothing_at_all() -> None:
    corpus = corpus_of(["", ""])
    world = World(("", ""), ((), ()), ([],), ())
    loss = loss_of("drawn", chunking_of(corpus, []), world.questions())
    assert loss.lost.tolist() == [False]
    assert alternatives_kept(world.questions().evidence, loss.containment.contained).tolist() == []
