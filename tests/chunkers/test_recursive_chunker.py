"""`recursive`: its cases, and its separators found by `str.endswith` and packed by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_by_hand import Units, chunks_of

from kugiri.chunkers.recursive import JAPANESE, Recursive
from kugiri.errors import InputError
from kugiri.segmenters.tokenizers import tokenizer
from worlds import HOSTILE, corpus_of, local_chunks

PARTS = ("あ", "漢字", "。", "。", "！", "、", "、", " ", "\u3000", "\n", "\n\n", "🍣", "𠮷野家", "終わり。")


def cut(chunker: Any, *texts: str) -> list[tuple[int, int]]:
    return [(s, e) for _, s, e in local_chunks(chunker.chunk(corpus_of(texts)))]


def pieces(chunker: Any, text: str) -> list[str]:
    return [text[s:e] for s, e in cut(chunker, text)]


def by_hand(text: str, size: int, overlap: int, levels: Any) -> list[tuple[int, int]]:
    edges, strength = [0], [1]
    for end in range(1, len(text)):
        found = [len(levels) - n for n, level in enumerate(levels) if text[:end].endswith(level)]
        if found:
            edges.append(end)
            strength.append(max(found))
    spans = list(zip(edges, [*edges[1:], len(text)], strict=True)) if text else []
    return chunks_of(Units(spans, strength[: len(spans)]), size, overlap)


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(PARTS), max_size=40).map("".join),
    st.sampled_from((1, 2, 5, 9, 20)),
    st.integers(0, 19),
    st.sampled_from((JAPANESE, ("。",), ("\n", ("あ", "字。")))),
)
def test_chunks_are_what_separators_packed_by_hand_give(text: str, size: int, overlap: int, separators: Any) -> None:
    overlap %= size
    assert cut(Recursive(size, overlap, separators), text) == by_hand(text, size, overlap, separators)


def test_a_separator_is_a_string_and_stays_at_the_end() -> None:  # B14
    assert cut(Recursive(2, separators=("。",)), "朝。昼。夜") == [(0, 2), (2, 4), (4, 5)]
    assert cut(Recursive(3, separators=("。",)), "朝。昼。夜") == [(0, 2), (2, 5)]


def test_the_first_separator_within_reach_is_where_it_is_cut() -> None:
    assert pieces(Recursive(7), "一、二。三、四五") == ["一、二。", "三、四五"]
    assert pieces(Recursive(9), "一。\n二。三。四。五") == ["一。\n", "二。三。四。五"]
    assert pieces(Recursive(6), "一。二\n\n三。四。五。") == ["一。二\n\n", "三。四。五。"]
    assert pieces(Recursive(4), "一\r\n\r\n二三四") == ["一\r\n", "\r\n", "二三四"]
    assert pieces(Recursive(5), "一\r\n\r\n二三四") == ["一\r\n\r\n", "二三四"]


def test_nothing_vanishes_between_words() -> None:  # D35
    assert pieces(Recursive(11), "alpha beta gamma") == ["alpha beta ", "gamma"]
    assert pieces(Recursive(11, trim=True), "alpha beta gamma") == ["alpha beta", "gamma"]


def test_tabs_and_blank_lines_of_markdown_stay() -> None:  # D32
    text = "# A\n\n段落1\n\n\t段落2\u00a0x\n"
    assert "".join(pieces(Recursive(8), text)) == text
    assert pieces(Recursive(8), text) == ["# A\n\n", "段落1\n\n", "\t段落2\u00a0x\n"]


def test_repeats_places_and_overlap() -> None:  # A1, A8
    assert cut(Recursive(3), "トマトトマトトマト") == [(0, 3), (3, 6), (6, 9)]
    assert cut(Recursive(6, 2), "一二三四五六七八九十") == [(0, 6), (4, 10)]
    assert pieces(Recursive(6, 4), "一。二。三。四。") == ["一。二。三。", "二。三。四。"]


def test_sizes() -> None:  # D41, D43, E46, E47, E49
    assert cut(Recursive(1), "👩\u200d🍳鍋") == [(0, 3), (3, 4)]
    assert cut(Recursive(1), "か\u3099き") == [(0, 2), (2, 3)]
    assert cut(Recursive(10, 3), "一二三四五六七八九") == [(0, 9)]
    assert cut(Recursive(4, 2), "一二三四五六七八") == [(0, 4), (2, 6), (4, 8)]
    assert [e - s for s, e in cut(Recursive(100), "あ" * 500)] == [100] * 5


@pytest.mark.parametrize("name", ["char", "unidic", "cl100k", "o200k"])
def test_no_chunk_has_more_tokens_by_itself_than_the_size(name: str) -> None:  # E52
    count = tokenizer(name).count
    for overlap in (0, 5):
        for chunk in pieces(Recursive(12, overlap, tokenizer=name), "朝、起きて。昼\n" * 9 + HOSTILE):
            assert count(chunk) <= 12


@pytest.mark.parametrize(
    ("separators", "size", "overlap"),
    [((), 5, 0), (("",), 5, 0), ((("。", ""),), 5, 0), (((),), 5, 0), (("。",) * 100, 5, 0), (JAPANESE, 5, 5)],
)
def test_what_separates_nothing_is_refused(separators: Any, size: int, overlap: int) -> None:  # E44
    with pytest.raises(InputError):
        Recursive(size, overlap, separators)


@pytest.mark.parametrize("overlap", [0, 0.2])
@pytest.mark.parametrize(
    "text",
    ["行\n" * 200_000 + "\n\n終", "\n" * 200_000, "あ" * 100_000, "「" * 300_000, "🇯🇵" * 50_000],
    ids=["P122 lines", "P122 breaks", "nothing", "brackets", "flags"],
)
def test_long_rows_of_one_kind_end(text: str, overlap: float) -> None:  # P121
    made = cut(Recursive(400, overlap), text)
    assert made[0][0] == 0
    assert made[-1][1] == len(text)
    assert all(e - s <= 400 for s, e in made)
