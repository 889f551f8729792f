from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.errors import InputError
from kugiri.model.corpus import Corpus
from kugiri.segmenters.graphemes import Graphemes
from worlds import HOSTILE, World, corpus_of, fixed_windows, local_chunks, worlds


def cut(text: str, size: int, overlap: int | float = 0) -> list[tuple[int, int]]:
    return [(s, e) for _, s, e in local_chunks(Fixed(size, overlap).chunk(corpus_of([text])))]


def split(text: str, size: int, overlap: int | float = 0) -> int:
    """How many grapheme clusters the windows cut in two."""
    corpus = corpus_of([text])
    chunking = Fixed(size, overlap).chunk(corpus)
    return int(Graphemes().longer_than_one(corpus).split_by(chunking.start, chunking.end).sum())


def test_repeated_text_keeps_its_places() -> None:  # A1
    assert cut("トマトトマトトマト", 3) == [(0, 3), (3, 6), (6, 9)]


def test_the_overlap_belongs_to_the_chunk_and_to_its_offsets() -> None:  # A8
    corpus = corpus_of(["一二三四五六七八九十"])
    chunking = Fixed(6, 2).chunk(corpus)
    assert local_chunks(chunking) == [(0, 0, 6), (0, 4, 10)]
    assert chunking.chunk(1).text == "五六七八九十"


def test_japanese_is_cut_on_code_points() -> None:  # B13
    text = "寿司" * 40
    pieces = [text[s:e] for s, e in cut(text, 7)]
    assert len(pieces) == 12
    assert "".join(pieces) == text


def test_no_chunk_of_nothing_but_overlap() -> None:  # E47
    assert cut("一二三四五六七八", 4, 2) == [(0, 4), (2, 6), (4, 8)]
    assert cut("一二三四五六七八九", 4, 2) == [(0, 4), (2, 6), (4, 8), (6, 9)]


def test_a_short_document_is_one_chunk() -> None:  # E46
    assert cut("一二三四五六七八九", 10, 3) == [(0, 9)]
    assert cut("一", 1) == [(0, 1)]
    assert cut("一二三", 3, 2) == [(0, 3)]
    assert cut("一二三四", 3, 2) == [(0, 3), (1, 4)]


def test_the_share_and_the_units_it_stands_for_cut_alike() -> None:
    text = HOSTILE * 20
    assert cut(text, 100, 0.29) == cut(text, 100, 29) != cut(text, 100, 28)
    assert cut(text, 3, 0.2) == cut(text, 3)


@pytest.mark.parametrize(
    ("text", "size", "count"),
    [
        ("👩\u200d🍳鍋", 1, 1),
        ("🇯🇵国", 1, 1),
        ("か\u3099き", 1, 1),
        ("👩\u200d🍳鍋", 3, 0),
        ("か\u3099き", 2, 0),
        ("あ\r\nい", 2, 1),
    ],
)
def test_cuts_fall_on_code_points_and_split_clusters_are_counted(text: str, size: int, count: int) -> None:  # D41, D43
    assert cut(text, size) == fixed_windows(len(text), size, 0)
    assert split(text, size) == count


def test_a_cluster_split_twice_counts_once() -> None:
    assert split("👩\u200d🍳", 1) == 1
    assert split("か\u3099" * 3, 2, 1) == 3


@settings(max_examples=200)
@given(worlds(), st.integers(1, 12), st.integers(0, 11))
def test_windows_start_at_multiples_of_the_stride_and_stop_at_the_end(world: World, size: int, overlap: int) -> None:
    assume(overlap < size)
    chunking = Fixed(size, overlap).chunk(world.corpus())
    assert local_chunks(chunking) == [
        (d, s, e) for d, text in enumerate(world.texts) for s, e in fixed_windows(len(text), size, overlap)
    ]
    assert chunking.merged == 0


def test_adjacent_documents_never_share_a_window() -> None:
    chunking = Fixed(4, 1).chunk(corpus_of(["一二", "", "三四五六七", ""]))
    assert local_chunks(chunking) == [(0, 0, 2), (2, 0, 4), (2, 3, 5)]


@pytest.mark.parametrize("size", [2**31, 2**62, 2**63 - 1, 2**63, 2**64, 10**30])
def test_a_window_larger_than_any_document_is_one_chunk_a_document_or_refused_at_once(size: int) -> None:
    try:
        chunker = Fixed(size)
    except InputError:
        return
    assert local_chunks(chunker.chunk(corpus_of(["一二", "", "三四五"]))) == [(0, 0, 2), (2, 0, 3)]


def test_a_window_of_almost_nothing_but_overlap_advances() -> None:
    assert cut("一二三四五", 4, 3) == [(0, 4), (1, 5)]
    assert len(cut("あ" * 10_000, 1000, 0.999)) == 9001


def test_cost_is_one_pass_over_the_chunks_that_come_out() -> None:  # P121, by counting
    corpora = [corpus_of(["行\r\n" * n]) for n in (1000, 2000)]
    counts = [len(Fixed(100, 0.2).chunk(corpus)) for corpus in corpora]
    assert counts[1] <= 2 * counts[0] + 1


def test_the_text_is_never_looked_at() -> None:
    class Unreadable(str):
        def _refuse(self, *_: object) -> None:
            raise AssertionError("the text was read")

        __getitem__ = __iter__ = find = index = encode = _refuse  # type: ignore[assignment]

    corpus = corpus_of(["一二三四五"])
    blind = dataclasses.replace(corpus, texts=(Unreadable("一二三四五"),))
    assert isinstance(blind, Corpus)
    assert Fixed(2).chunk(blind).start.tolist() == [0, 2, 4]


def test_the_same_input_gives_the_same_chunks() -> None:
    one, two = (Fixed(7, 0.3).chunk(corpus_of([HOSTILE, HOSTILE])) for _ in range(2))
    assert one.same_as(two)
    assert np.array_equal(one.start, two.start)


def test_no_documents_no_chunks() -> None:
    assert len(Fixed(3).chunk(corpus_of([]))) == 0
    assert len(Fixed(3).chunk(corpus_of(["", ""]))) == 0


def test_a_chunker_is_a_value() -> None:
    assert Fixed(4, 0.0) == Fixed(4) == Fixed(4, 0)
    assert hash(Fixed(4, 0.0)) == hash(Fixed(4))
    assert Fixed(4, 1) != Fixed(4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Fixed(4).size = 5  # type: ignore[misc]
