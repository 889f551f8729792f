r"""Grapheme clusters against `\X` of the `regex` package over the whole text, which knows no short cut."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.model.corpus import Corpus
from kugiri.segmenters.graphemes import Graphemes
from worlds import HOSTILE, World, corpus_of, worlds

CLASSES = {
    "other": "あ漢A1。",
    "control": "\x01\x1b\u200b\u2028\u2029\u0085",
    "carriage return": "\r",
    "line feed": "\n",
    "extend": "\u3099\u309a\u0301\u20dd\ufe0f\U000e0100\U000e0061\uff9e\U0001f3fb",
    "joiner": "\u200d",
    "non-joiner": "\u200c",
    "regional": "\U0001f1ef\U0001f1f5\U0001f1e9",
    "prepend": "\u0600\u0605\u06dd\u08e2\U000110bd",
    "spacing mark": "\u0903\u093e\u0e33",
    "leading jamo": "\u1100\ua960",
    "vowel jamo": "\u1161\ud7b0",
    "trailing jamo": "\u11a8\ud7cb",
    "syllable LV": "가",
    "syllable LVT": "각",
    "pictograph": "👩🍳❤☕🍣👨",
    "conjunct consonant": "\u0915\u0937\u0995",
    "conjunct linker": "\u094d\u09cd",
    "space": " \u3000\u00a0\t",
}
ALPHABET = "".join(CLASSES.values())


def clusters(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in regex.finditer(r"\X", text, regex.DOTALL)]


def segmented(corpus: Corpus) -> list[tuple[int, int]]:
    units = Graphemes().segment(corpus)
    return list(zip(units.start.tolist(), units.end.tolist(), strict=True))


def long(corpus: Corpus) -> list[tuple[int, int]]:
    units = Graphemes().longer_than_one(corpus)
    return list(zip(units.start.tolist(), units.end.tolist(), strict=True))


@settings(max_examples=400)
@given(st.text(st.sampled_from(ALPHABET), max_size=12))
def test_the_short_cut_changes_nothing(text: str) -> None:
    corpus = corpus_of([text])
    assert segmented(corpus) == clusters(text)
    assert long(corpus) == [pair for pair in clusters(text) if pair[1] - pair[0] > 1]


def test_the_short_cut_changes_nothing_in_many_random_strings() -> None:
    draw = random.Random(1)
    texts = ["".join(draw.choices(ALPHABET, k=draw.randint(0, 60))) for _ in range(3000)]
    text = "あ".join(texts)
    assert segmented(corpus_of([text])) == clusters(text)


def test_every_class_beside_and_around_every_other() -> None:
    every = [character for characters in CLASSES.values() for character in characters]
    pairs = [(a, b) for a in every for b in every]
    texts = [text for a, b in pairs for text in (a + b, a + b + a, f"あ{a}{b}い", f"{a}あ{b}", a + a + b + b)]
    # A control character has a boundary on either side, so each text stays by itself.
    text = "\x01".join(texts)
    assert segmented(corpus_of([text])) == clusters(text)


def test_every_code_point_alone_and_after_a_kana() -> None:
    # One text for all of them; lone surrogates and NUL never get into a corpus.
    points = [chr(n) for n in range(1, 0x30000) if not 0xD800 <= n <= 0xDFFF]
    text = "".join(f"あ{point}" for point in points)
    assert segmented(corpus_of([text])) == clusters(text)


@settings(max_examples=100)
@given(worlds())
def test_clusters_cover_the_corpus_without_gaps_and_stay_in_their_document(world: World) -> None:
    origin, expected = 0, []
    for text in world.texts:
        expected += [(origin + s, origin + e) for s, e in clusters(text)]
        origin += len(text)
    assert segmented(world.corpus()) == expected


def test_a_cluster_never_joins_two_documents() -> None:
    assert segmented(corpus_of(["か", "\u3099く", "\r", "\n", "🇯", "🇵"])) == [(n, n + 1) for n in range(7)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("👩\u200d🍳鍋", [(0, 3), (3, 4)]),  # D41
        ("🇯🇵国", [(0, 2), (2, 3)]),
        ("か\u3099き", [(0, 2), (2, 3)]),  # D43
        ("\r\n\u3000", [(0, 2), (2, 3)]),
        ("🇯🇵🇯", [(0, 2), (2, 3)]),
        ("ｶﾞ", [(0, 2)]),
        ("葛\U000e0100城", [(0, 2), (2, 3)]),
        ("", []),
    ],
)
def test_what_a_reader_takes_for_one_character(text: str, expected: list[tuple[int, int]]) -> None:
    assert segmented(corpus_of([text])) == expected


def test_no_documents_and_empty_documents() -> None:
    assert segmented(corpus_of([])) == segmented(corpus_of(["", ""])) == []


def test_only_clusters_that_a_cut_can_split_are_kept_apart() -> None:
    assert [HOSTILE[s:e] for s, e in long(corpus_of([HOSTILE]))] == [
        "👩\u200d🍳",
        "か\u3099",
        "\r\n",
        "🇯🇵",
        "\r\n",
        "\r\n",
        "ㇷ゚",
    ]


@pytest.mark.parametrize(
    "text",
    ["か" + "\u3099" * 200_000, "\r\n" * 200_000, "👩\u200d" * 100_000, "한" * 200_000, "\u0915\u094d" * 100_000],
    ids=["marks", "line ends", "joiners", "Hangul", "conjuncts"],
)
def test_long_runs_of_one_class_end(text: str) -> None:  # P121
    units = Graphemes().segment(corpus_of([text]))
    assert units.start[0] == 0
    assert units.end[-1] == len(text)


@pytest.mark.slow
def test_a_long_run_of_flags_ends(pytestconfig: pytest.Config) -> None:  # P121
    # `\X` counts back to the first flag from each one: minutes for this text, and one pass is a fraction of a second.
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from worlds import corpus_of\nfrom kugiri.segmenters.graphemes import Graphemes\n"
        "print(len(Graphemes().segment(corpus_of([chr(0x1F1EF) * 200_000]))))"
    )
    command = [sys.executable, "-c", code, str(pytestconfig.rootpath / "tests")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.strip() == "100000"
