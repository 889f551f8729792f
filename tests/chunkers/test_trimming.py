"""Trimming against `str.strip` on every chunk by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.trimming import trimmed
from kugiri.model.chunking import Chunking
from kugiri.segmenters.white_space import is_white, white_runs
from worlds import HOSTILE, Span, World, chunking_of, corpus_of, local_chunks, worlds


def stripped(texts: tuple[str, ...], chunks: list[Span] | tuple[Span, ...]) -> list[Span]:
    found = []
    for d, s, e in chunks:
        text = texts[d][s:e]
        if text.strip():
            found.append((d, s + len(text) - len(text.lstrip()), e - len(text) + len(text.rstrip())))
    return found


def test_both_ends_move() -> None:  # A11
    corpus = corpus_of(["  甲 乙\u3000"])
    off, on = Fixed(6).chunk(corpus), Fixed(6, trim=True).chunk(corpus)
    assert local_chunks(off) == [(0, 0, 6)]
    assert local_chunks(on) == [(0, 2, 5)]
    assert on.chunk(0).text == "甲 乙"


@settings(max_examples=400)
@given(worlds())
def test_every_chunk_is_stripped_and_nothing_else_happens(world: World) -> None:
    chunking = world.chunking()
    made = trimmed(chunking)
    expected = stripped(world.texts, local_chunks(chunking))
    assert local_chunks(made) == list(dict.fromkeys(expected))
    assert made.merged == len(expected) - len(made) + chunking.merged
    assert trimmed(made).same_as(made)


@settings(max_examples=300)
@given(st.text(st.sampled_from(" \u3000\n\r\u2028\u0085\u00a0\u200bあ甲"), max_size=14), st.integers(1, 5), st.data())
def test_windows_over_white_space_stay_in_order(text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    corpus = corpus_of([text, text[::-1], ""])
    untrimmed = Fixed(size, overlap).chunk(corpus)
    made = Fixed(size, overlap, trim=True).chunk(corpus)
    # The constructor refuses what decreases; what is equal stands side by side, so that it was merged.
    assert len(set(local_chunks(made))) == len(made)
    assert local_chunks(made) == list(dict.fromkeys(stripped(corpus.texts, local_chunks(untrimmed))))


@pytest.mark.parametrize("space", ["\u3000", "\u2028", "\u0085", "\u00a0", "\t", "\r\n", "\x1c", "\ufeff", "\u200b"])
def test_white_space_is_what_python_calls_so(space: str) -> None:
    text = f"{space}か\u3099{space}🍣{space}"
    made = trimmed(chunking_of(corpus_of([text]), [(0, 0, len(text))]))
    assert made.chunk(0).text == text.strip()
    assert (made.chunk(0).text == text) == (space in "\ufeff\u200b")


def test_white_space_of_every_code_point() -> None:
    text = "".join(chr(point) for point in range(1, 0x110000) if not 0xD800 <= point < 0xE000)
    assert is_white(text).tolist() == [character.isspace() for character in text]
    assert is_white("").tolist() == []


def test_chunks_of_white_space_alone_are_dropped_and_equal_ones_merged() -> None:
    corpus = corpus_of(["甲\n\n\n乙", " \u3000", "", "丙"])
    chunking = chunking_of(corpus, [(0, 0, 2), (0, 0, 3), (0, 1, 4), (0, 3, 5), (1, 0, 2), (3, 0, 1)])
    made = trimmed(chunking)
    assert local_chunks(made) == [(0, 0, 1), (0, 4, 5), (3, 0, 1)]
    assert made.merged == 1


def test_runs_go_on_where_documents_end_and_chunks_do_not() -> None:
    corpus = corpus_of(["甲 ", " 乙", "  ", " 丙 "])
    assert [column.tolist() for column in white_runs(corpus)] == [[1, 4, 8], [3, 7, 9]]
    whole = Chunking(corpus, corpus.document_start[:-1], corpus.document_start[1:])
    assert local_chunks(trimmed(whole)) == [(0, 0, 1), (1, 1, 2), (3, 1, 2)]


def test_nothing_to_trim_is_the_same_chunking() -> None:
    chunking = Fixed(2).chunk(corpus_of(["東京駅"]))
    assert trimmed(chunking) is chunking
    assert len(trimmed(Fixed(2).chunk(corpus_of([])))) == 0
    assert len(trimmed(Fixed(2).chunk(corpus_of(["", ""])))) == 0


def test_a_long_run_costs_no_loop() -> None:
    # 200,000 line ends under 200,000 windows: a loop over the characters of each would never end.
    text = "始" + "\n" * 200_000 + "終" + HOSTILE
    made = Fixed(100_000, 99_999, trim=True).chunk(corpus_of([text]))
    assert len(made) == len(HOSTILE) + 2 - sum(character.isspace() for character in HOSTILE)
    assert np.array_equal(local_chunks(made)[:2], [(0, 0, 1), (0, 200_001, 200_002)])


def test_what_was_merged_before_stays_counted() -> None:
    twice = Chunking(corpus_of(["甲 乙"]), np.array([0, 0, 0]), np.array([2, 2, 3]))
    assert twice.merged == 1
    assert trimmed(twice).merged == 1
