"""Morphemes: where they are, and that nothing in the text can move them."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings

from kugiri.errors import InvariantError
from kugiri.segmenters import unidic
from kugiri.segmenters.unidic import Unidic, morphemes, surfaces, words
from worlds import HOSTILE, World, corpus_of, hostile_text, worlds

SKIPPED = "\t\n\x0b "


def walked(text: str, written: list[str]) -> list[tuple[int, int]]:
    """A cursor that skips what MeCab skips and demands each surface where it then stands."""
    places, cursor = [], 0
    for surface in written:
        while text[cursor] in SKIPPED:
            cursor += 1
        assert text.startswith(surface, cursor)
        places.append((cursor, cursor + len(surface)))
        cursor += len(surface)
    assert not text[cursor:].strip(SKIPPED)
    return places


def spans(text: str) -> list[tuple[int, int]]:
    found = morphemes(text)
    return list(zip(found.start.tolist(), found.end.tolist(), strict=True))


def test_white_space_that_mecab_swallows_moves_nothing() -> None:  # D29
    text = "赤 い\t花\u3000束 "
    assert [start for start, _ in spans(text)] == [0, 2, 4, 5, 6]
    assert spans(text)[-1] == (6, 7)  # the space at the end belongs to no token
    pieces, cursor = [], 0
    for start, end in spans(text):
        pieces += [text[cursor:start], text[start:end]]
        cursor = end
    assert "".join([*pieces, text[cursor:]]) == text
    assert len(text) == 8


@settings(max_examples=300)
@given(hostile_text(30))
def test_a_surface_is_where_a_cursor_finds_it(text: str) -> None:
    assert spans(text) == walked(text, surfaces(text))
    found = morphemes(text, features=True)
    assert list(found.surfaces) == surfaces(text) == [text[start:end] for start, end in spans(text)]
    assert found.lemmas is not None
    assert found.parts_of_speech is not None
    assert len(found.lemmas) == len(found.parts_of_speech) == len(found.surfaces)
    assert set(found.parts_of_speech) <= set(unidic.PARTS_OF_SPEECH)


@pytest.mark.parametrize("ending", ["\u3000", "\r", "\r\n", "\u00a0", "\u2028", "\x0c", "\u0085", " \u3000 "])
def test_white_space_at_either_end_is_neither_lost_nor_moved(ending: str) -> None:  # fugashi strips MeCab's line
    for text in (ending, f"花{ending}", f"{ending}花", f"花{ending}束{ending}"):
        assert spans(text) == walked(text, surfaces(text))
        assert "".join(surfaces(text)) == "".join(character for character in text if character not in SKIPPED)


@settings(max_examples=60)
@given(worlds())
def test_units_lie_in_their_documents(world: World) -> None:
    units = Unidic().segment(world.corpus())
    expected, origin = [], 0
    for text in world.texts:
        expected += [(origin + start, origin + end) for start, end in spans(text)]
        origin += len(text)
    assert list(zip(units.start.tolist(), units.end.tolist(), strict=True)) == expected


def test_a_long_text_is_fed_in_pieces_and_counted_from_its_start() -> None:  # J95
    units = Unidic().segment(corpus_of(["", "あいう。" * 5000, HOSTILE]))
    assert int(units.end[units.end <= 20_000].max()) == 20_000
    assert len(units) > 10_000


def test_pieces_are_the_text_and_no_longer_than_allowed() -> None:
    draw = random.Random(3)
    for parts in (("あ",), ("あ", "。"), ("行", "\n"), ("🍣", " ", "\n", "。"), ("\n",)):
        text = "".join(draw.choices(parts, weights=[40, *[1] * (len(parts) - 1)], k=50_000))
        pieces = list(unidic._pieces(text))
        assert "".join(pieces) == text
        assert max(map(len, pieces)) <= unidic._PIECE
        assert all(len(piece) >= unidic._PIECE // 2 for piece in pieces[:-1])
    assert [piece[-1] for piece in unidic._pieces(("あ" * 50 + "。" + "あ" * 50 + "\n") * 300)][:-1] == ["\n"] * 3


def test_where_a_line_ends_a_piece_the_morphemes_are_those_of_the_line() -> None:
    line = "東京駅で寿司を食べました。\n"
    assert surfaces(line * 2000) == surfaces(line) * 2000


@pytest.mark.parametrize("text", [" " * 70_000 + "東京", "\n" * 200_000 + "東京", "東京" + "\t" * 100_000])
def test_long_white_space_swallows_no_token(text: str) -> None:  # MeCab counts it in 16 bits
    assert surfaces(text) == ["東京"]
    assert text[spans(text)[0][0] : spans(text)[0][1]] == "東京"


def test_a_lemma_is_the_dictionary_form_and_the_surface_of_an_unknown_word() -> None:
    written, lemmas, parts = words("鮨を食べました🍣")
    assert written == ["鮨", "を", "食べ", "まし", "た", "🍣"]
    assert lemmas[1:] == ["を", "食べる", "ます", "た", "🍣"]
    assert parts == ["名詞", "助詞", "動詞", "助動詞", "助動詞", "補助記号"]


def test_surfaces_that_are_not_the_text_are_refused() -> None:
    with pytest.raises(InvariantError, match="end to end"):
        unidic._placed("東京駅", ["東京", "都"])
    with pytest.raises(InvariantError):
        unidic._placed("東京駅", ["東京"])


def test_nothing_at_all() -> None:
    assert spans("") == spans(" \n\t") == []
    assert len(Unidic().segment(corpus_of([]))) == len(Unidic().segment(corpus_of(["", " "]))) == 0
    assert str(Unidic()) == "unidic()"


@pytest.mark.slow
def test_what_mecab_skips_is_what_we_skip_for_every_code_point() -> None:
    tagger = unidic._tagger()
    skipped = [
        chr(point)
        for point in range(1, 0x110000)
        if not 0xD800 <= point <= 0xDFFF
        and "".join(tagger.parse(f"あ{chr(point)}い").split(" ")) != f"あ{chr(point)}い"
    ]
    assert "".join(skipped) == SKIPPED


@pytest.mark.slow
def test_time_is_linear_in_the_length() -> None:  # P121
    def seconds(text: str) -> float:
        began = time.process_time()
        morphemes(text)
        return time.process_time() - began

    text = "東京駅で寿司を食べました。" * 20_000
    once, four = (min(seconds(text * times) for _ in range(3)) for times in (1, 4))
    # A cost that grows with the square would be sixteen times as large.
    assert four <= 8 * once
    assert np.isfinite(seconds("ー" * 100_000))
