"""Cause, cut, left, right and best chunk of every lost question, against loops over chunks."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings

from kugiri.evidence.loss import loss_of
from kugiri.evidence.lost import CAUSES
from worlds import (
    Span,
    World,
    best_chunk,
    cause,
    coverage,
    cut_at,
    deciding_span,
    is_lost,
    left_chunk,
    random_world,
    right_chunk,
    worlds,
)


def compare(world: World) -> None:
    questions, corpus, chunks = world.questions(), world.corpus(), list(world.chunks)
    rows = loss_of("drawn", world.chunking(), questions).rows
    origin = corpus.document_start.tolist()
    lost = [number for number, asked in enumerate(world.asked) if is_lost(chunks, asked)]
    assert rows.question.tolist() == lost

    def chunk(index: int) -> Span | None:
        return None if index < 0 else chunks[index]

    for row, number in enumerate(lost):
        span = deciding_span(chunks, world.asked[number])
        place = int(questions.evidence.start[rows.span[row]]), int(questions.evidence.end[rows.span[row]])
        assert place == (origin[span[0]] + span[1], origin[span[0]] + span[2])
        assert CAUSES[rows.cause[row]] == cause(chunks, span)
        assert chunk(rows.left[row]) == left_chunk(chunks, span)
        assert chunk(rows.right[row]) == right_chunk(chunks, span)
        assert chunk(rows.best[row]) == best_chunk(chunks, span)
        assert rows.best_coverage[row] == float(coverage(chunks, span))
        cut = cut_at(chunks, span)
        assert rows.cut_at[row] == (-1 if cut is None else origin[span[0]] + cut)
        assert cut is None or span[1] < cut < span[2]
        assert (rows.overlap_needed[row], rows.size_needed[row]) == (-1, -1)


@settings(max_examples=400)
@given(worlds())
def test_every_column_is_what_loops_over_chunks_say(world: World) -> None:
    compare(world)


def test_every_column_in_many_random_worlds() -> None:
    draw = random.Random(23)
    for _ in range(700):
        compare(random_world(draw.randrange(10**9), draw.randint(1, 4), draw.randint(1, 14), draw.randint(1, 5)))


def told(
    asked: list[list[Span]], *chunks: Span, texts: tuple[str, ...] = ("一二三四五六七八九十", "甲乙丙丁")
) -> tuple[Span, str]:
    """The deciding span and its cause, as the engine and the oracle agree on them."""
    world = World(texts, tuple(() for _ in texts), (asked,), chunks)
    compare(world)
    return deciding_span(chunks, asked), cause(chunks, deciding_span(chunks, asked))


@pytest.mark.parametrize(
    ("span", "chunks", "expected"),
    [
        ((0, 2, 5), [(0, 0, 3), (0, 3, 10)], "cut"),
        ((0, 2, 5), [(0, 0, 3), (0, 3, 5)], "cut"),
        ((0, 2, 6), [(0, 0, 3), (0, 3, 6)], "too_long"),
        ((0, 2, 5), [(0, 0, 3), (0, 4, 10)], "dropped"),
        ((0, 2, 5), [(0, 3, 10)], "dropped"),
        ((0, 2, 5), [(0, 0, 4)], "dropped"),
        ((0, 2, 5), [], "dropped"),
        ((0, 2, 5), [(1, 0, 4)], "dropped"),
        ((0, 0, 10), [(0, 0, 3), (0, 4, 10)], "dropped"),
        ((0, 0, 4), [(0, 0, 3), (0, 3, 6), (1, 0, 4)], "too_long"),
        ((0, 0, 10), [(0, 0, 9), (0, 1, 10)], "too_long"),
    ],
)
def test_the_first_cause_that_applies(span: Span, chunks: list[Span], expected: str) -> None:
    assert told([[span]], *chunks) == (span, expected)


def test_the_alternative_that_came_nearest_decides() -> None:
    chunks = (0, 0, 3), (0, 3, 10), (1, 0, 1)
    nearer, farther = [(0, 2, 5)], [(1, 0, 4)]
    assert told([farther, nearer], *chunks)[0] == nearer[0]
    assert told([nearer, farther], *chunks)[0] == nearer[0]


def test_the_least_covered_span_of_it_decides_and_a_kept_one_never() -> None:
    chunks = (0, 0, 3), (0, 3, 10), (1, 0, 1)
    assert told([[(0, 3, 5), (0, 2, 6), (0, 2, 4)]], *chunks)[0] == (0, 2, 4)
    assert told([[(0, 3, 5), (0, 2, 6)]], *chunks)[0] == (0, 2, 6)


def test_ties_take_the_first_in_file_order_not_on_the_axis() -> None:
    chunks = (0, 0, 2), (0, 2, 10), (1, 0, 2), (1, 2, 4)
    one, two = (1, 1, 3), (0, 1, 3)
    assert coverage(chunks, one) == coverage(chunks, two) == Fraction(1, 2)
    assert told([[one, two]], *chunks)[0] == one
    assert told([[two, one]], *chunks)[0] == two
    assert told([[one], [two]], *chunks)[0] == one
    assert told([[two], [one]], *chunks)[0] == two


def test_ties_between_equal_shares_of_different_lengths() -> None:
    chunks = (0, 0, 3), (0, 3, 10), (1, 0, 4)
    # 1/3 … of three characters and 2/6 … of six are the same share.
    three, six = (0, 2, 5), (0, 1, 7)
    assert coverage(chunks, three) == coverage(chunks, six) == Fraction(2, 3)
    assert told([[six], [three]], *chunks)[0] == six
    assert told([[three], [six]], *chunks)[0] == three


def test_of_equally_good_chunks_the_first_is_best() -> None:
    world = World(("一二三四五六",), ((),), ([[(0, 1, 5)]],), ((0, 0, 3), (0, 1, 4), (0, 3, 6)))
    compare(world)
    assert best_chunk(world.chunks, (0, 1, 5)) == (0, 1, 4)
    world = World(("一二三四五六",), ((),), ([[(0, 1, 5)]],), ((0, 0, 3), (0, 3, 6)))
    compare(world)
    assert best_chunk(world.chunks, (0, 1, 5)) == (0, 0, 3)


def test_spans_at_the_edges_of_neighbouring_documents() -> None:
    texts = ("一二", "", "三四", "五")
    chunks = (0, 0, 1), (0, 1, 2), (2, 0, 1), (2, 1, 2), (3, 0, 1)
    for span in ((0, 0, 2), (2, 0, 2)):
        assert told([[span]], *chunks, texts=texts) == (span, "too_long")
    assert told([[(0, 0, 2)]], (2, 0, 2), texts=texts) == ((0, 0, 2), "dropped")
    assert told([[(2, 0, 2)]], (0, 0, 2), (3, 0, 1), texts=texts) == ((2, 0, 2), "dropped")
