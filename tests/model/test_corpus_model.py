from __future__ import annotations

import pytest
from hypothesis import given, settings

from kugiri.errors import InputError
from kugiri.model.corpus import Corpus, Document, surroundings, unusable_character
from worlds import HOSTILE, IDS, INFO, World, corpus_of, worlds


@settings(max_examples=200)
@given(worlds())
def test_documents_come_out_as_they_went_in(world: World) -> None:
    corpus = world.corpus()
    assert [corpus.document(number).text for number in range(len(corpus))] == list(world.texts)
    assert [corpus.document(number).paragraphs for number in range(len(corpus))] == list(world.paragraphs)
    assert corpus.characters == sum(map(len, world.texts))


@settings(max_examples=100)
@given(worlds())
def test_every_position_of_the_axis_lies_in_the_document_that_has_it(world: World) -> None:
    corpus = world.corpus()
    expected = [number for number, text in enumerate(world.texts) for _ in text]
    assert [int(corpus.document_of(position)) for position in range(corpus.characters)] == expected
    assert "".join(corpus.slice(p, p + 1) for p in range(corpus.characters)) == "".join(world.texts)


def test_text_is_never_normalised() -> None:
    for text in (HOSTILE, "が", "か\u3099", "㍿", "ｶﾞ", "\ufeff始", "\r\n", " \u3000"):
        assert corpus_of([text]).document(0).text == text


def refused(*documents: Document) -> InputError:
    with pytest.raises(InputError) as caught:
        Corpus.from_documents(INFO, documents)
    return caught.value


def test_ids_are_given_and_given_once() -> None:
    assert "empty id" in refused(Document("甲", "一"), Document("", "二")).what
    error = refused(Document("甲", "一"), Document("乙", "二"), Document("甲", "三"))
    assert "'甲'" in error.what
    assert "3" in error.where


@pytest.mark.parametrize("character", ["\0", "\ud800", "\udfff"])
def test_characters_that_no_file_can_carry_are_refused_with_their_place(character: str) -> None:
    error = refused(Document("乙", f"か\u3099🍣\u3000\r\n{character}末"))
    assert "offset 6" in error.what
    assert "'乙'" in error.where
    assert "か\u3099🍣" in error.where
    refused(Document("乙", "本文", title=f"題{character}"))
    refused(Document(f"乙{character}", "本文"))


def test_the_first_of_several_unusable_characters_is_named() -> None:
    assert unusable_character("あ\ud800\0") == 1
    assert unusable_character("あ\0\ud800") == 1
    assert unusable_character("a\0") == 1
    assert unusable_character(HOSTILE) is None
    assert unusable_character("") is None


@pytest.mark.parametrize(
    ("paragraphs", "said"),
    [
        (((0, 5),), "[0, 5]"),
        (((-1, 2),), "[-1, 2]"),
        (((2, 2),), "[2, 2]"),
        (((3, 1),), "[3, 1]"),
        (((0, 3), (2, 4)), "[2, 4]"),
        (((2, 4), (0, 1)), "[0, 1]"),
        (((0, 2), (0, 2)), "[0, 2]"),
        (((0, 10**9),), "1000000000"),
        (((0, 10**30),), "1000000"),
        (((-(10**30), 2),), "-1000000"),
    ],
)
def test_paragraphs_are_sorted_disjoint_filled_and_inside(paragraphs: tuple[tuple[int, int], ...], said: str) -> None:
    error = refused(Document("甲", "前の文書", None, ((0, 4),)), Document("乙", "甲か\u3099丁", None, paragraphs))
    assert said in error.what
    assert "'乙'" in error.where
    assert "丁" in error.where


def test_an_empty_document_has_no_paragraph() -> None:
    refused(Document("甲", "", None, ((0, 0),)))
    refused(Document("甲", "", None, ((0, 1),)))


@pytest.mark.parametrize("pair", [(0.5, 2), (0, 1.5)])
def test_paragraph_offsets_are_whole_numbers(pair: tuple[float, float]) -> None:
    with pytest.raises((InputError, TypeError)):
        Corpus.from_documents(INFO, [Document("甲", "一二三", None, (pair,))])  # type: ignore[arg-type]


def test_adjacent_documents_keep_their_paragraphs_apart() -> None:
    corpus = corpus_of(["一二", "", "三四", ""], [((0, 2),), (), ((0, 1), (1, 2)), ()])
    assert [corpus.document(n).paragraphs for n in range(4)] == [((0, 2),), (), ((0, 1), (1, 2)), ()]


def test_a_corpus_of_nothing() -> None:
    assert len(corpus_of([])) == 0
    assert corpus_of([]).characters == 0
    assert corpus_of(["", ""]).characters == 0


def test_the_axis_cannot_be_written() -> None:
    corpus = corpus_of([HOSTILE, HOSTILE], [((0, 3),), ()])
    for column in (corpus.document_start, corpus.paragraph_start, corpus.paragraph_end):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
    assert corpus.ids == IDS[:2]


def test_surroundings_mark_the_place_on_one_line() -> None:
    assert surroundings("一二三四五", 1, 3) == "一【二三】四五"
    assert surroundings("一\r\n二", 1, 3) == "一【\\r\\n】二"
    assert surroundings("一二", -5, 10**9) == "【一二】"
    assert surroundings("", 0, 0) == "【】"
    assert len(surroundings("あ" * 1000, 400, 600)) < 100
