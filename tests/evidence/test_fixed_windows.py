"""Loss over fixed windows by arithmetic, by the engine and by cutting again: three ways that must agree."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.evidence.containment import Containment
from kugiri.evidence.fixed_windows import contained_by_windows, size_needed
from kugiri.evidence.loss import evidence_loss
from kugiri.model.columns import Int64
from kugiri.model.windows import Windows, resolved
from worlds import corpus_of, fixed_windows, questions_of


def kept_by_cutting(length: int, start: int, end: int, size: int, overlap: int | float) -> bool:
    return any(s <= start and end <= e for s, e in fixed_windows(length, size, resolved(size, overlap)))


def agree(seed: int, cases: int) -> int:
    """Random documents, windows and spans: the closed form, the engine and a loop say the same of every span."""
    draw = random.Random(seed)
    done = 0
    while done < cases:
        lengths = [draw.choice((0, 1, draw.randint(1, 60), draw.randint(1, 400))) for _ in range(draw.randint(1, 5))]
        size = draw.choice((1, 2, draw.randint(1, 30), draw.randint(1, 500)))
        overlap: int | float = draw.choice((0, draw.randrange(size), draw.randrange(100) / 100))
        corpus = corpus_of(["あ" * length for length in lengths])
        spans = []
        for _ in range(20):
            d = draw.randrange(len(lengths))
            if lengths[d]:
                s = draw.choice((0, draw.randrange(lengths[d]), lengths[d] - 1))
                spans.append((d, s, draw.choice((s + 1, lengths[d], draw.randint(s + 1, lengths[d])))))
        document = np.array([d for d, _, _ in spans], dtype=np.int64)
        start = np.array([s for _, s, _ in spans], dtype=np.int64)
        end = np.array([e for _, _, e in spans], dtype=np.int64)
        chunker = Fixed(size, overlap)
        closed = contained_by_windows(start, end - start, chunker.windows)
        origin = corpus.document_start[document]
        engine = Containment.of(chunker.chunk(corpus), start + origin, end + origin).contained
        loop = [kept_by_cutting(lengths[d], s, e, size, overlap) for d, s, e in spans]
        assert closed.tolist() == engine.tolist() == loop, (lengths, size, overlap)
        done += len(spans)
    return done


def test_the_closed_form_the_engine_and_a_loop_agree() -> None:
    assert agree(seed=1, cases=2000) >= 2000


@pytest.mark.slow
def test_the_closed_form_the_engine_and_a_loop_agree_in_a_hundred_thousand_cases() -> None:
    assert agree(seed=2, cases=100_000) >= 100_000


def test_every_span_of_every_short_document_under_every_window() -> None:
    for length in range(1, 8):
        spans = [(s, e) for s in range(length) for e in range(s + 1, length + 1)]
        start, end = (np.array(column, dtype=np.int64) for column in zip(*spans, strict=True))
        for size in range(1, 10):
            for overlap in range(size):
                closed = contained_by_windows(start, end - start, Windows(size, overlap))
                assert closed.tolist() == [kept_by_cutting(length, s, e, size, overlap) for s, e in spans]


def smallest_size(length: int, start: int, end: int, size: int, overlap: int | float) -> int:
    """By cutting the document again with every larger size."""
    return next(
        larger for larger in range(size + 1, size + length + 2) if kept_by_cutting(length, start, end, larger, overlap)
    )


@settings(max_examples=300)
@given(st.integers(1, 40), st.data())
def test_the_size_needed_is_the_smallest_larger_size_that_keeps_the_span(length: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 20))
    overlap = data.draw(st.integers(0, size - 1) | st.sampled_from((0.0, 0.1, 0.2, 0.29, 0.5, 0.9)))
    start = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(start + 1, length))
    found = size_needed(np.array([start]), np.array([end - start]), Windows(size, overlap))
    assert found.tolist() == [smallest_size(length, start, end, size, overlap)]


def test_the_size_needed_is_found_far_away_and_for_many_spans_at_once() -> None:
    start = np.array([0, 5000, 123, 9_999], dtype=np.int64)
    length = np.array([2000, 3000, 1, 1], dtype=np.int64)
    found: Int64 = size_needed(start, length, Windows(10, 0))
    expected = [smallest_size(20_000, s, s + n, 10, 0) for s, n in zip(start.tolist(), length.tolist(), strict=True)]
    assert found.tolist() == expected
    assert found[0] == 2000


def test_a_larger_size_may_lose_again() -> None:
    # The size needed is no guarantee: it is not monotone in size.
    windows = [kept_by_cutting(12, 4, 7, size, 0) for size in range(4, 8)]
    assert windows == [True, False, False, True]
    assert size_needed(np.array([4]), np.array([3]), Windows(3, 0)).tolist() == [4]


@settings(max_examples=200)
@given(st.integers(1, 12), st.integers(0, 11), st.lists(st.integers(0, 25), min_size=1, max_size=3), st.data())
def test_rows_of_lost_questions_say_what_would_have_kept_them(
    size: int, overlap: int, lengths: list[int], data: st.DataObject
) -> None:
    assume(overlap < size)
    assume(any(lengths))
    corpus = corpus_of(["か\u3099\u3000🍣\r\n"[: length % 6] + "あ" * (length - length % 6) for length in lengths])
    lengths = [len(text) for text in corpus.texts]
    asked = []
    for d, length in enumerate(lengths):
        if length:
            s = data.draw(st.integers(0, length - 1))
            asked.append([[(d, s, data.draw(st.integers(s + 1, length)))]])
    rows = evidence_loss(corpus, questions_of(corpus, asked), Fixed(size, overlap)).rows
    lost = [a[0][0] for a in asked if not kept_by_cutting(lengths[a[0][0][0]], *a[0][0][1:], size, overlap)]
    assert rows.size_needed.tolist() == [smallest_size(lengths[d], s, e, size, overlap) for d, s, e in lost]
    assert rows.overlap_needed.tolist() == [e - s - 1 if e - s - 1 < size else -1 for _, s, e in lost]


def test_the_overlap_needed_keeps_the_span_wherever_it_stands() -> None:
    for size in range(1, 9):
        for length in range(1, size + 1):
            needed = length - 1
            assert all(kept_by_cutting(40, s, s + length, size, needed) for s in range(40 - length + 1))
            if needed:
                assert not all(kept_by_cutting(40, s, s + length, size, needed - 1) for s in range(40 - length + 1))


def test_the_overlap_needed_stops_where_it_would_be_the_whole_window() -> None:
    corpus = corpus_of(["始か\u3099🍣\u3000\r\n六七八"])
    asked = [[[(0, 1, 1 + length)]] for length in (3, 4, 5)]
    rows = evidence_loss(corpus, questions_of(corpus, asked), Fixed(4)).rows
    assert rows.overlap_needed.tolist() == [3, -1]
    assert rows.size_needed.tolist() == [5, 6]


def test_a_parameter_of_somebody_elses_chunker_is_not_taken_for_fixed_windows() -> None:
    class SentenceWindow:
        """A chunker of a third party that happens to have a parameter of that name."""

        name, version, windows = "sentence_window", 1, 3

        def chunk(self, corpus: object) -> object:
            return Fixed(2).chunk(corpus)  # type: ignore[arg-type]

        def __str__(self) -> str:
            return "sentence_window(windows=3)"

    corpus = corpus_of(["一二三四"])
    rows = evidence_loss(corpus, questions_of(corpus, [[[(0, 1, 3)]]]), SentenceWindow()).rows  # type: ignore[arg-type]
    assert (rows.overlap_needed.tolist(), rows.size_needed.tolist()) == ([-1], [-1])
