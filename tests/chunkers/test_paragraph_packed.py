"""`paragraph` with a size: short ones packed, long ones cut; every paragraph read by itself and packed by hand."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_by_hand import Units, chunks_of

from kugiri.chunkers.paragraph import Paragraph
from kugiri.errors import InputError
from kugiri.segmenters.lines import Lines
from kugiri.segmenters.paragraphs import Paragraphs
from kugiri.segmenters.sentences import Sentences
from kugiri.segmenters.tokenizers import tokenizer
from worlds import HOSTILE, corpus_of, local_chunks

PARTS = ("あ", "漢字", "。", "。", "「", "」", "！", "\n", "\n\n", "\n\n", "\u3000", "🍣", "終わり。", "1.")


def cut(chunker: Any, text: str, recorded: tuple[tuple[int, int], ...] = ()) -> list[tuple[int, int]]:
    return [(s, e) for _, s, e in local_chunks(chunker.chunk(corpus_of([text], [recorded])))]


def by_hand(text: str, recorded: tuple[tuple[int, int], ...], size: int, overlap: int) -> list[tuple[int, int]]:
    units = Paragraphs().segment(corpus_of([text], [recorded]))
    spans, strength = [], []
    for low, high in zip(units.start.tolist(), units.end.tolist(), strict=True):
        alone = corpus_of([text[low:high]])
        places = {low + place: 1 for place in Sentences("wrap").segment(alone).start.tolist()}
        places |= {low + place: 2 for place in Lines().segment(alone).start.tolist()}
        places[low] = 3
        edges = [*sorted(places), high]
        spans += list(itertools.pairwise(edges))
        strength += [places[place] for place in sorted(places)]
    return chunks_of(Units(spans, strength), size, overlap)


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(PARTS), max_size=40).map("".join),
    st.sampled_from((1, 3, 6, 12, 30)),
    st.integers(0, 29),
    st.lists(st.integers(0, 40), max_size=4),
)
def test_chunks_are_what_paragraphs_packed_by_hand_give(
    text: str, size: int, overlap: int, recorded: list[int]
) -> None:
    overlap %= size
    edges = sorted({min(place, len(text)) for place in recorded})
    pairs = tuple(itertools.pairwise(edges))
    assert cut(Paragraph(size, overlap), text, pairs) == by_hand(text, pairs, size, overlap)


def test_short_paragraphs_are_packed_and_long_ones_cut() -> None:  # A2
    assert cut(Paragraph(8), "注意。\n\n注意。") == [(0, 8)]
    assert cut(Paragraph(7), "注意。\n\n注意。") == [(0, 3), (5, 8)]
    assert cut(Paragraph(6), "一。二。\n三。四。\n\n五。") == [(0, 5), (5, 9), (11, 13)]
    assert cut(Paragraph(6), "一。二。三。四。\n\n五。") == [(0, 6), (6, 12)]
    assert cut(Paragraph(6, 2), "一。二。三。四。\n\n五。") == [(0, 6), (4, 8), (6, 12)]
    assert cut(Paragraph(3), "あいうえお\n\nか") == [(0, 3), (3, 5), (7, 8)]


def test_what_lies_between_paragraphs_is_only_in_chunks_of_several() -> None:
    assert cut(Paragraph(100), "\n\n甲\n\n\n乙\n\n") == [(2, 7)]
    assert cut(Paragraph(5), "甲乙丙丁戊己", ((0, 2), (3, 4), (4, 6))) == [(0, 4), (4, 6)]


def test_a_paragraph_is_read_by_itself() -> None:
    text = "「一。二三四五。六」。七"
    assert cut(Paragraph(6), text, ((0, 3), (3, 12))) == [(0, 3), (3, 8), (8, 12)]
    assert cut(Paragraph(6), text, ((0, 12),)) == [(0, 6), (6, 12)]


def test_sizes() -> None:  # D41, E46, E47, E49, E53
    assert cut(Paragraph(1), "👩\u200d🍳鍋") == [(0, 3), (3, 4)]
    assert cut(Paragraph(10, 3), "一二三四五六七八九") == [(0, 9)]
    assert cut(Paragraph(4, 2), "一二三四五六七八") == [(0, 4), (2, 6), (4, 8)]
    assert [e - s for s, e in cut(Paragraph(100), "あ" * 500)] == [100] * 5
    assert cut(Paragraph(2), "一。二。三")[-1] == (4, 5)


@pytest.mark.parametrize("name", ["char", "unidic", "cl100k"])
def test_no_chunk_has_more_tokens_by_itself_than_the_size(name: str) -> None:  # E52
    count, text = tokenizer(name).count, "朝、起きて。昼は\n寝た。\n\n" * 9 + HOSTILE
    for overlap in (0, 5):
        for s, e in cut(Paragraph(12, overlap, tokenizer=name), text):
            assert count(text[s:e]) <= 12


@pytest.mark.parametrize("wrong", [{"size": 8, "overlap": 8}, {"size": 0}, {"overlap": 0.2}, {"tokenizer": "unidic"}])
def test_what_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:  # E44
    with pytest.raises(InputError):
        Paragraph(**wrong)


@pytest.mark.parametrize("overlap", [0, 0.2])
@pytest.mark.parametrize(
    "text",
    ["行\n" * 200_000 + "\n\n終", "あ" * 100_000, "「" * 300_000, "🇯🇵" * 50_000, "行\n\n" * 100_000],
    ids=["P122 lines", "nothing", "brackets", "flags", "paragraphs"],
)
def test_long_rows_of_one_kind_end(text: str, overlap: float) -> None:  # P121
    made = cut(Paragraph(400, overlap), text)
    assert made[0][0] == 0
    assert all(e - s <= 400 for s, e in made)


def test_nothing_but_white_space_is_no_paragraph() -> None:  # P122
    assert cut(Paragraph(400), "\n" * 200_000) == []


def test_an_overlap_repeats_the_last_sentence_of_a_paragraph_that_fits() -> None:
    text = "一文目。二文目。\n\n次の段落。また次。"
    assert cut(Paragraph(14, 5), text) == [(0, 8), (4, 15), (10, 19)]
    assert cut(Paragraph(14), text) == [(0, 8), (10, 19)]
