"""`sentence`, `sentence_window`, `line`, `phrase` and `whole`: their cases, and their units packed by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_by_hand import Units, chunks_of

from kugiri.chunkers.line import Line
from kugiri.chunkers.phrase import Phrase
from kugiri.chunkers.sentence import Sentence
from kugiri.chunkers.sentence_window import SentenceWindow
from kugiri.chunkers.whole import Whole
from kugiri.errors import InputError
from kugiri.segmenters.lines import Lines
from kugiri.segmenters.phrases import Phrases
from kugiri.segmenters.sentences import Sentences
from kugiri.segmenters.tokenizers import tokenizer
from worlds import HOSTILE, corpus_of, hostile_text, local_chunks

PLAIN = (
    "".join(("今日は晴れ。", "明日は雨が降るらしい。\n", "「傘。いる？」と聞いた。", "はい。", "\u3000終わり🍣。\r\n"))
    * 3
)
"""Nothing that a cut at a code point could split, but line breaks, and those end lines and sentences."""


def cut(chunker: Any, *texts: str) -> list[tuple[int, int]]:
    return [(s, e) for _, s, e in local_chunks(chunker.chunk(corpus_of(texts)))]


def pieces(chunker: Any, text: str) -> list[str]:
    return [text[s:e] for s, e in cut(chunker, text)]


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from((*PLAIN, "。", "文。", "\n")), max_size=60).map("".join),
    st.sampled_from((1, 3, 8, 20, 60)),
    st.integers(0, 59),
)
def test_chunks_are_units_packed_by_hand(text: str, size: int, overlap: int) -> None:
    text, overlap = text.replace("\r", ""), overlap % size
    corpus = corpus_of([text])
    for chunker, segmenter in (
        (Sentence(size, overlap), Sentences()),
        (Sentence(size, overlap, "wrap"), Sentences("wrap")),
        (Line(size, overlap), Lines()),
        (Phrase(size, overlap), Phrases()),
    ):
        units = segmenter.segment(corpus)  # type: ignore[attr-defined]
        spans = list(zip(units.start.tolist(), units.end.tolist(), strict=True))
        assert cut(chunker, text) == chunks_of(Units(spans, [1] * len(spans)), size, overlap)


def test_repeated_sentences_keep_their_places() -> None:  # A1, A7
    assert cut(Sentence(3), "晴れ。晴れ。晴れ。") == [(0, 3), (3, 6), (6, 9)]
    assert cut(Sentence(6), "晴れ。雨。") == [(0, 5)]
    assert pieces(Sentence(6), "晴れ。雨。") == ["晴れ。雨。"]


def test_the_overlap_belongs_to_the_chunk_and_to_its_offsets() -> None:  # A4, A8
    assert cut(Sentence(6, 3), "一二。三四。五六。七八。") == [(0, 6), (3, 9), (6, 12)]
    assert pieces(Sentence(6, 0.5), "一二。三四。五六。") == ["一二。三四。", "三四。五六。"]
    assert pieces(Sentence(6, 2), "一二。三四。五六。") == ["一二。三四。", "五六。"]


@pytest.mark.parametrize("chunker", [Sentence(3), Line(3), Phrase(3), Sentence(3, 2), Sentence(3, tokenizer="cl100k")])
def test_japanese_is_cut_on_code_points(chunker: Any) -> None:  # B13
    text = "寿司" * 40
    covered = {place for s, e in cut(chunker, text) for place in range(s, e)}
    assert covered == set(range(80))


def test_lines() -> None:  # A11, B16, D31
    assert cut(Line(5), "# 説明\nx=1\n") == [(0, 5), (5, 9)]
    assert cut(Line(4), "\u3000序章\n本文") == [(0, 4), (4, 6)]
    assert cut(Line(4, trim=True), "\u3000序章\n本文") == [(1, 3), (4, 6)]
    assert cut(Line(100), "甲\r\n乙\n") == [(0, 5)]


@pytest.mark.parametrize("make", [Sentence, Line, Phrase])
def test_trimming_moves_both_ends(make: Any) -> None:  # A11
    assert cut(make(6, trim=True), "  甲 乙\u3000") == [(2, 5)]
    assert cut(make(6), "  甲 乙\u3000") == [(0, 6)]


def test_nothing_of_a_row_of_marks_is_lost() -> None:  # D34
    assert cut(Sentence(5), "え？！本当。。。終") == [(0, 3), (3, 8), (8, 9)]


def test_no_cluster_is_split() -> None:  # D41, D43
    assert cut(Sentence(1), "👩\u200d🍳鍋") == [(0, 3), (3, 4)]
    assert cut(Line(1), "🇯🇵国") == [(0, 2), (2, 3)]
    assert cut(Sentence(1), "か\u3099き") == [(0, 2), (2, 3)]


@pytest.mark.parametrize("make", [Sentence, Line, Phrase])
@pytest.mark.parametrize(("size", "overlap"), [(8, 8), (8, -1), (0, 0), (8, 1.0), (8, 9)])
def test_windows_that_do_not_advance_are_refused_with_both_values(make: Any, size: int, overlap: float) -> None:  # E44
    with pytest.raises(InputError) as caught:
        make(size, overlap)
    assert str(size) in caught.value.what
    assert str(overlap) in caught.value.what


@pytest.mark.parametrize("make", [Sentence, Line, Phrase])
def test_an_unknown_tokenizer_is_refused_before_any_work(make: Any) -> None:
    with pytest.raises(InputError):
        make(8, tokenizer="words")


def test_a_sentence_between_the_stride_and_the_size_ends() -> None:  # E46
    assert cut(Sentence(10, 3), "一二三四五六七八九") == [(0, 9)]
    assert cut(Sentence(10, 3), "一二三四五六七八。" * 3) == [(0, 9), (9, 18), (18, 27)]


def test_no_chunk_of_nothing_but_overlap() -> None:  # E47
    assert cut(Sentence(4, 2), "一。二。三。四。") == [(0, 4), (2, 6), (4, 8)]


def test_a_text_without_sentences_is_cut_hard() -> None:  # E49, E50
    assert [e - s for s, e in cut(Sentence(100), "あ" * 500)] == [100] * 5
    assert max(e - s for s, e in cut(Sentence(100), "雨が降る" * 300)) == 100


@pytest.mark.parametrize("name", ["char", "unidic", "cl100k", "o200k"])
@pytest.mark.parametrize("make", [Sentence, Line, Phrase])
def test_no_chunk_has_more_tokens_by_itself_than_the_size(make: Any, name: str) -> None:  # E52
    count = tokenizer(name).count
    for trim in (False, True):
        for chunk in pieces(make(12, 4, tokenizer=name, trim=trim), PLAIN + HOSTILE):
            assert count(chunk) <= 12


def test_the_last_sentence_is_there() -> None:  # E53
    assert cut(Sentence(2), "一。二。三")[-1] == (4, 5)


def test_sentences_of_the_cases() -> None:  # F58, F59, F61
    assert cut(Sentence(5), "終わり。」次。") == [(0, 5), (5, 7)]
    assert cut(Sentence(6), "「未閉。\n\n次。") == [(0, 6), (6, 8)]
    assert cut(Sentence(11), "円周率は３．１４です。次です。") == [(0, 11), (11, 15)]
    assert cut(Sentence(4), "見出し\n本文。") == [(0, 4), (4, 7)]
    assert cut(Sentence(7, newline="wrap"), "見出し\n本文。") == [(0, 7)]


# ------------------------------------------------------------------------------------------------ windows, documents
@settings(max_examples=100)
@given(st.lists(hostile_text(8), max_size=3), st.integers(0, 3), st.integers(0, 3))
def test_a_window_is_a_sentence_with_its_neighbours(texts: list[str], before: int, after: int) -> None:
    expected = []
    for number, text in enumerate(texts):
        units = Sentences().segment(corpus_of([text]))
        spans = list(zip(units.start.tolist(), units.end.tolist(), strict=True))
        for index in range(len(spans)):
            window = spans[max(0, index - before) : index + after + 1]
            expected.append((number, window[0][0], window[-1][1]))
    made = SentenceWindow(before, after).chunk(corpus_of(texts))
    assert local_chunks(made) == list(dict.fromkeys(expected))
    assert made.merged == len(expected) - len(set(expected))


def test_a_window_of_a_negative_number_is_refused() -> None:
    with pytest.raises(InputError):
        SentenceWindow(-1)


def test_whole_documents() -> None:
    assert local_chunks(Whole().chunk(corpus_of(["甲\n乙", "", " 丙 "]))) == [(0, 0, 3), (2, 0, 3)]
    assert local_chunks(Whole(trim=True).chunk(corpus_of(["甲\n乙", "\u3000", " 丙 "]))) == [(0, 0, 3), (2, 1, 2)]


@pytest.mark.parametrize("text", ["赤 い\t花\u3000束 ", HOSTILE])
def test_morphemes_leave_nothing_out(text: str) -> None:  # D29
    covered = {place for s, e in cut(Phrase(3, by="unidic"), text) for place in range(s, e)}
    assert covered == set(range(len(text)))
    assert cut(Phrase(3, by="unidic"), "赤 い\t花\u3000束 ") == [(0, 2), (2, 5), (5, 8)]


def test_labels_say_what_was_asked_for() -> None:
    assert str(Sentence(400, 0.2)) == "sentence(size=400, overlap=0.2)"
    assert str(Sentence(400, 0.0)) == "sentence(size=400)"
    assert str(Phrase(8, by="unidic")) == 'phrase(size=8, by="unidic")'
    assert str(SentenceWindow()) == "sentence_window()"
    assert str(Whole()) == "whole()"
