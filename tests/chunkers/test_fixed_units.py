"""Windows over clusters, morphemes and tokens, against a loop over the units of each document."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kugiri import catalog
from kugiri.chunkers.fixed import Fixed
from kugiri.errors import InputError, InvariantError
from kugiri.model.windows import Windows, windows_of
from kugiri.segmenters import unidic, units
from kugiri.segmenters.tokenizers import tokenizer
from kugiri.segmenters.units import UNITS, Units, units_of
from worlds import HOSTILE, World, corpus_of, fixed_windows, local_chunks, worlds


class Words:
    """A tokenizer of a third party: words between spaces."""

    name = "words"

    def __init__(self, words: str | None = None) -> None:
        self.pattern = regex.compile(r"\S+" if words is None else "|".join(words.split(",")))

    def spans(self, text: str) -> Any:
        found = [match.span() for match in self.pattern.finditer(text)]
        return np.array([s for s, _ in found], dtype=int), np.array([e for _, e in found], dtype=int)

    def count(self, text: str) -> int:
        return len(self.pattern.findall(text))


def cut(text: str, size: int, overlap: int | float = 0, unit: str = "morpheme", **more: Any) -> list[tuple[int, int]]:
    return [(s, e) for _, s, e in local_chunks(Fixed(size, overlap, unit, **more).chunk(corpus_of([text])))]


def unit_spans(text: str, unit: str, name: str = "cl100k") -> list[tuple[int, int]]:
    if unit == "char":
        return [(place, place + 1) for place in range(len(text))]
    if unit == "grapheme":
        return [match.span() for match in regex.finditer(r"\X", text, regex.DOTALL)]
    if unit == "morpheme":
        found = unidic.morphemes(text)
        return list(zip(found.start.tolist(), found.end.tolist(), strict=True))
    start, end = tokenizer(name).spans(text)
    return list(zip(start.tolist(), end.tolist(), strict=True))


def windows_over(spans: list[tuple[int, int]], size: int, overlap: int) -> list[tuple[int, int]]:
    made = [(spans[first][0], spans[last - 1][1]) for first, last in fixed_windows(len(spans), size, overlap)]
    return list(dict.fromkeys(made))


# ------------------------------------------------------------------------------------------------ cases
def test_the_overlap_is_converted_by_the_spans_of_the_tokens() -> None:  # A4
    text = "株式会社さくらは東京にある"
    words = Words("株式会社,さくら,は,東京,に,ある")
    assert cut(text, 3, 2, "token", tokenizer=words) == [(0, 8), (4, 10), (7, 11), (8, 13)]


def test_windows_of_words_do_not_drift() -> None:  # A5
    for unit, more in (("morpheme", {}), ("token", {"tokenizer": Words()}), ("token", {"tokenizer": "unidic"})):
        assert cut("one two three four", 2, 1, unit, **more) == [(0, 7), (4, 13), (8, 18)]


def test_clusters_are_never_split() -> None:  # D41, D43
    assert cut("👩\u200d🍳鍋", 1, 0, "grapheme") == [(0, 3), (3, 4)]
    assert cut("🇯🇵国", 1, 0, "grapheme") == [(0, 2), (2, 3)]
    assert cut("か\u3099き", 1, 0, "grapheme") == [(0, 2), (2, 3)]
    assert cut("か\u3099き\r\n🇯🇵", 2, 1, "grapheme") == [(0, 3), (2, 5), (3, 7)]


def test_japanese_is_cut_on_code_points_by_every_tokenizer() -> None:  # B13
    text = "寿司" * 40
    for name in ("cl100k", "o200k"):
        pieces = cut(text, 7, 0, "token", tokenizer=name)
        assert {place for s, e in pieces for place in range(s, e)} == set(range(len(text)))
        assert all(s2 <= e for (_, e), (s2, _) in pairwise(pieces))


def test_a_character_of_several_tokens_is_whole_in_every_window_that_touches_it() -> None:
    # 鮨 is three tokens: windows of one token would be three times the same chunk, and are one.
    made = Fixed(1, 0, "token").chunk(corpus_of(["鮨→"]))
    assert local_chunks(made) == [(0, 0, 1), (0, 1, 2)]
    assert made.merged == 2
    assert cut("鮨→", 2, 0, "token") == [(0, 1), (0, 2)]


def test_white_space_outside_the_units_belongs_to_no_window() -> None:
    assert cut("  甲 \n 乙 丙 ", 2) == [(2, 7), (8, 9)]
    assert cut(" \n\t", 2) == []


def test_no_window_of_nothing_but_overlap() -> None:  # E46, E47
    assert cut("か\u3099" * 8, 4, 2, "grapheme") == [(0, 8), (4, 12), (8, 16)]
    assert cut("か\u3099" * 9, 10, 3, "grapheme") == [(0, 18)]


def test_special_tokens_in_a_document_are_text() -> None:
    text = "始<|endoftext|>終"
    pieces = cut(text, 3, 0, "token")
    assert {place for s, e in pieces for place in range(s, e)} == set(range(len(text)))
    assert len(pieces) > 2


def test_a_parameter_is_the_share_of_units() -> None:
    text = "か\u3099き\u3000" * 30
    assert cut(text, 10, 0.2, "grapheme") == cut(text, 10, 2, "grapheme") != cut(text, 10, 0, "grapheme")


# ------------------------------------------------------------------------------------------------ properties
@settings(max_examples=250)
@given(worlds(), st.integers(1, 9), st.integers(0, 8), st.sampled_from(UNITS), st.sampled_from(("cl100k", "o200k")))
def test_windows_are_those_of_a_loop(world: World, size: int, overlap: int, unit: str, name: str) -> None:
    assume(overlap < size)
    more = {"tokenizer": name} if unit == "token" else {}
    chunking = Fixed(size, overlap, unit, **more).chunk(world.corpus())
    assert local_chunks(chunking) == [
        (d, s, e)
        for d, text in enumerate(world.texts)
        for s, e in windows_over(unit_spans(text, unit, name), size, overlap)
    ]


@settings(max_examples=150)
@given(worlds(), st.integers(1, 9), st.sampled_from(UNITS), st.booleans())
def test_what_is_no_white_space_is_in_some_chunk(world: World, size: int, unit: str, trim: bool) -> None:
    chunking = Fixed(size, 0, unit, trim=trim).chunk(world.corpus())
    chunks = local_chunks(chunking)
    for (d, s, e), (other, s2, e2) in pairwise(chunks):
        assert d < other or (s <= s2 and e <= e2 and (s, e) != (s2, e2))
    for d, text in enumerate(world.texts):
        covered = {place for number, s, e in chunks if number == d for place in range(s, e)}
        assert {place for place, character in enumerate(text) if not character.isspace()} <= covered
    for index, (d, s, e) in enumerate(chunks):
        text = chunking.chunk(index).text
        assert text == world.texts[d][s:e]
        assert not trim or text == text.strip()


@given(worlds(), st.integers(1, 9), st.sampled_from(UNITS))
def test_units_and_clusters_are_those_of_the_segmenter(world: World, size: int, unit: str) -> None:
    found = units_of(world.corpus(), unit, "o200k")
    assert found.edge.tolist()[-1] == len(found)
    for d, text in enumerate(world.texts):
        low, high = found.edge[d], found.edge[d + 1]
        origin = found.corpus.document_start[d]
        pairs = zip((found.start[low:high] - origin).tolist(), (found.end[low:high] - origin).tolist(), strict=True)
        assert list(pairs) == unit_spans(text, unit, "o200k")


def test_units_that_are_none_are_refused() -> None:
    corpus = corpus_of(["東京", "駅"])
    for start, end in (([1], [3]), ([0, 0], [2, 1]), ([1, 0], [2, 2]), ([0], [0]), ([-1], [1]), ([2], [4]), ([0], [])):
        with pytest.raises(InvariantError):
            Units(corpus, np.array(start, dtype=np.int64), np.array(end, dtype=np.int64))


def test_windows_of_many_sizes_find_the_units_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        units, "_tokens", lambda corpus, made, found=units._tokens: asked.append(1) or found(corpus, made)
    )
    corpus, other = corpus_of([HOSTILE]), corpus_of([HOSTILE])
    for size in range(1, 9):
        Fixed(size, 0, "token").chunk(corpus)
    assert len(asked) == 1
    Fixed(3, 0, "token").chunk(other)
    Fixed(3, 0, "token", "o200k").chunk(other)
    assert len(asked) == 3


# ------------------------------------------------------------------------------------------------ parameters
@pytest.mark.parametrize(
    "label",
    [
        'fixed(size=4, unit="grapheme")',
        'fixed(size=4, overlap=0.2, unit="morpheme", trim=true)',
        'fixed(size=4, unit="token")',
        'fixed(size=4, overlap=1, unit="token", tokenizer="o200k")',
        "fixed(size=4, trim=true)",
    ],
)
def test_a_label_is_a_chunker_and_a_chunker_its_label(label: str) -> None:
    made = catalog.chunker(label)
    assert str(made) == label
    assert catalog.chunker(str(made)) == made
    assert windows_of(made) is None


def test_defaults_are_left_out_of_the_label() -> None:
    assert str(Fixed(4, 0, "char", "cl100k", False)) == "fixed(size=4)"
    assert str(Fixed(4, 0, "token", "cl100k")) == 'fixed(size=4, unit="token")'
    assert str(Fixed(4, 0, "token", Words())) == 'fixed(size=4, unit="token", tokenizer="words")'


def test_only_untrimmed_windows_of_code_points_are_arithmetic_on_them() -> None:
    assert windows_of(Fixed(4, 1)) == Windows(4, 1)
    assert {windows_of(Fixed(4, 1, unit)) for unit in UNITS if unit != "char"} == {None}
    assert windows_of(Fixed(4, 1, trim=True)) is None


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ({"unit": "word"}, "unit"),  # E50
        ({"unit": ""}, "unit"),
        ({"tokenizer": "o200k"}, "tokenizer"),
        ({"unit": "morpheme", "tokenizer": "o200k"}, "tokenizer"),
        ({"unit": "grapheme", "tokenizer": Words()}, "tokenizer"),
        ({"unit": "token", "tokenizer": "gpt-5"}, "tokenizer"),
        ({"unit": "token", "tokenizer": "nowhere/tokenizer.json"}, "nowhere/tokenizer.json"),
        ({"unit": "token", "tokenizer": 5}, "tokenizer"),
        ({"trim": 1}, "trim"),
        ({"unit": "grapheme", "overlap": 4}, "overlap"),  # E44
    ],
)
def test_what_means_nothing_is_refused_before_any_work(arguments: dict[str, Any], where: str) -> None:
    with pytest.raises(InputError) as caught:
        Fixed(4, **arguments)
    assert caught.value.where == where


def test_code_points_are_still_never_looked_at() -> None:
    class Unreadable(str):
        def _refuse(self, *_: object) -> None:
            raise AssertionError("the text was read")

        __getitem__ = __iter__ = encode = _refuse  # type: ignore[assignment]

    blind = dataclasses.replace(corpus_of(["一二三四五"]), texts=(Unreadable("一二三四五"),))
    assert Fixed(2).chunk(blind).start.tolist() == [0, 2, 4]


def test_nothing_gives_nothing() -> None:
    for unit in UNITS:
        assert len(Fixed(3, 0, unit).chunk(corpus_of([]))) == len(Fixed(3, 0, unit).chunk(corpus_of(["", ""]))) == 0
        assert local_chunks(Fixed(3, 0, unit).chunk(corpus_of(["", "始", ""]))) == [(1, 0, 1)]
