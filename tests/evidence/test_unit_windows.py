"""Loss over windows of any units by arithmetic, by the engine and by a loop: three ways that must agree."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.evidence.containment import Containment
from kugiri.evidence.fixed_windows import contained_by_windows
from kugiri.evidence.unit_windows import contained_by_unit_windows
from kugiri.model.chunking import Chunking
from kugiri.model.windows import Windows
from kugiri.segmenters.units import UNITS, Units, units_of
from worlds import World, corpus_of, fixed_windows, is_contained, local_chunks, worlds


def spans_of(world: World) -> tuple[list[tuple[int, int, int]], Any, Any]:
    """Every span of every short document: as the document's own, and as columns of the axis."""
    corpus = world.corpus()
    spans = [
        (d, s, e)
        for d, text in enumerate(world.texts)
        for s in range(len(text))
        for e in {s + 1, min(s + 2, len(text)), min(s + 5, len(text)), len(text)}
    ]
    origin = corpus.document_start[[d for d, _, _ in spans]] if spans else np.empty(0, dtype=np.int64)
    start = origin + np.array([s for _, s, _ in spans], dtype=np.int64)
    return spans, start, origin + np.array([e for _, _, e in spans], dtype=np.int64)


@settings(max_examples=300)
@given(worlds(), st.integers(1, 9), st.integers(0, 8), st.sampled_from(UNITS), st.sampled_from(("cl100k", "o200k")))
def test_the_closed_form_and_the_chunks_agree(world: World, size: int, overlap: int, unit: str, name: str) -> None:
    assume(overlap < size)
    more = {"tokenizer": name} if unit == "token" else {}
    chunker = Fixed(size, overlap, unit, **more)
    chunking = chunker.chunk(world.corpus())
    spans, start, end = spans_of(world)
    closed = contained_by_unit_windows(
        units_of(chunking.corpus, unit, chunker.tokenizer), start, end, Windows(size, overlap)
    )
    assert closed.dtype == np.bool_
    assert closed.tolist() == Containment.of(chunking, start, end).contained.tolist()
    chunks = local_chunks(chunking)
    assert closed.tolist() == [is_contained(chunks, span) for span in spans]


def random_units(draw: random.Random, length: int) -> list[tuple[int, int]]:
    """Units that overlap, repeat, leave gaps: whatever neither decreases nor is empty."""
    pairs = [(s, draw.randint(s + 1, length)) for s in (draw.randrange(length) for _ in range(draw.randint(0, 8)))]
    return list(zip(sorted(s for s, _ in pairs), sorted(e for _, e in pairs), strict=True))


def agree(seed: int, cases: int) -> None:
    draw = random.Random(seed)
    for _ in range(cases):
        lengths = [draw.choice((0, 1, draw.randint(1, 9))) for _ in range(draw.randint(1, 4))]
        corpus = corpus_of(["か\u3099\u3000🍣\r\nあいう"[:length] for length in lengths])
        origin = corpus.document_start.tolist()
        found = [random_units(draw, length) if length else [] for length in lengths]
        columns = [(origin[d] + s, origin[d] + e) for d, pairs in enumerate(found) for s, e in pairs]
        array = np.array(columns, dtype=np.int64).reshape(-1, 2)
        units = Units(corpus, array[:, 0], array[:, 1])
        size = draw.randint(1, 6)
        overlap = draw.randrange(size)
        made = [
            (origin[d] + pairs[first][0], origin[d] + pairs[last - 1][1])
            for d, pairs in enumerate(found)
            for first, last in fixed_windows(len(pairs), size, overlap)
        ]
        chunks = np.array(made, dtype=np.int64).reshape(-1, 2)
        spans = [
            (origin[d] + s, origin[d] + e)
            for d, length in enumerate(lengths)
            for s in range(length)
            for e in range(s + 1, length + 1)
        ]
        asked = np.array(spans, dtype=np.int64).reshape(-1, 2)
        closed = contained_by_unit_windows(units, asked[:, 0], asked[:, 1], Windows(size, overlap))
        engine = Containment.of(Chunking(corpus, chunks[:, 0], chunks[:, 1]), asked[:, 0], asked[:, 1]).contained
        loop = [any(s <= low and high <= e for s, e in made) for low, high in spans]
        assert closed.tolist() == engine.tolist() == loop, (found, size, overlap)


def test_units_of_any_shape() -> None:
    agree(seed=3, cases=1500)


@pytest.mark.slow
def test_units_of_any_shape_in_thirty_thousand_worlds() -> None:
    agree(seed=4, cases=30_000)


@given(worlds(), st.integers(1, 9), st.integers(0, 8))
def test_code_points_are_units_like_any_other(world: World, size: int, overlap: int) -> None:
    assume(overlap < size)
    corpus, windows = world.corpus(), Windows(size, overlap)
    spans, start, end = spans_of(world)
    local = np.array([s for _, s, _ in spans], dtype=np.int64)
    assert np.array_equal(
        contained_by_unit_windows(units_of(corpus, "char"), start, end, windows),
        contained_by_windows(local, end - start, windows),
    )


def test_a_span_outside_every_unit_is_in_no_window() -> None:
    corpus = corpus_of([" 甲  乙 ", ""])
    units = units_of(corpus, "morpheme")
    spans = np.array([(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 5), (1, 5), (5, 6), (4, 6)], dtype=np.int64)
    kept = contained_by_unit_windows(units, spans[:, 0], spans[:, 1], Windows(2))
    assert kept.tolist() == [False, False, True, True, True, True, True, False, False]
    kept = contained_by_unit_windows(units, spans[:, 0], spans[:, 1], Windows(1))
    assert kept.tolist() == [False, False, True, False, False, False, False, False, False]


def test_no_units_at_all() -> None:
    corpus = corpus_of([" \n", "甲"])
    units = Units(corpus, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    assert contained_by_unit_windows(units, np.array([0, 2]), np.array([1, 3]), Windows(3)).tolist() == [False, False]
    none = np.empty(0, dtype=np.int64)
    assert contained_by_unit_windows(units, none, none, Windows(3)).tolist() == []
