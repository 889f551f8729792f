"""What texts are compared as."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from asked import whole
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.errors import InputError
from kugiri.retrievers.cache import RetrievalCache
from kugiri.retrievers.folding import folded
from kugiri.retrievers.tokens import Tokenizer, TokenLists


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("東\u200b京駅", "東京駅"),  # D40
        ("葛\U000e0100城", "葛城"),
        ("\ufeff東\u00ad京", "東京"),
        ("9時\uff5e17時", "9時\u301c17時"),  # C28: cp932 and Shift_JIS read the same bytes so
        ("1\u22122", "1\uff0d2"),
        ("\u2225", "\u2016"),
        ("\u2015", "\u2014"),
        ("ｶﾞｽ料金", "ガス料金"),  # J97
        ("か\u3099く", "がく"),
        ("２０２６年", "2026年"),
        ("ＡＢＣ", "abc"),
        ("Straße", "STRASSE"),
        ("㍿みどり", "株式会社みどり"),
        ("a\u3000b", "a b"),
    ],
)
def test_what_a_reader_takes_for_the_same_is_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_voicing_marks_stay() -> None:  # C25
    assert folded("バス") == "バス" != folded("ハス")
    assert folded("て") != folded("で")
    assert folded("ﾊﾞｽ") == folded("ハ\u3099ス") == "バス"


@settings(max_examples=300)
@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert unicodedata.is_normalized("NFKC", once)


def test_bigrams() -> None:
    assert Tokenizer("bigram").tokens("猫") == ["猫"]  # J94
    assert Tokenizer("bigram").tokens("東京駅、は 雨") == ["東京", "京駅", "は", "雨"]
    assert Tokenizer("bigram").tokens("A1_データー🍣々〇क्षि") == [
        "a1",
        "デー",
        "ータ",
        "ター",
        "々〇",
        "〇क",
        "क्",
        "्ष",
        "षि",
    ]
    assert Tokenizer("bigram").tokens("。、🍣 \n") == Tokenizer("bigram").tokens("") == []
    assert Tokenizer("bigram", fold=False).tokens("ＡＢ") == ["ＡＢ"]


def test_morphemes_by_form_and_part_of_speech() -> None:
    text = "寿司を食べました。"
    assert Tokenizer().tokens(text) == ["寿司", "を", "食べ", "まし", "た", "。"]
    assert Tokenizer(form="lemma", pos=("動詞",)).tokens(text) == ["食べる"]
    assert Tokenizer(pos=("動詞", "名詞")).tokens(text) == ["寿司", "食べ"]
    assert Tokenizer(pos=("動詞", "名詞", "動詞")) == Tokenizer(pos=("名詞", "動詞"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"name": "unidik"}, "unidic"),
        ({"form": "lemmma"}, "lemma"),
        ({"pos": ("noun",)}, "名詞"),
        ({"name": "bigram", "form": "lemma"}, "unidic"),
        ({"name": "bigram", "pos": ("名詞",)}, "unidic"),
    ],
)
def test_unknown_parameters_are_refused(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        Tokenizer(**arguments)  # type: ignore[arg-type]
    assert said in caught.value.remedy


LISTS = st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=6)


@settings(max_examples=100)
@given(LISTS, LISTS, st.randoms(use_true_random=False))
def test_token_lists_are_lists(one: list[list[int]], other: list[list[int]], draw: object) -> None:
    columns = TokenLists.of(one)
    assert columns.lists() == one
    assert columns.counts.tolist() == [len(tokens) for tokens in one]
    assert columns.followed_by(TokenLists.of(other)).lists() == one + other
    assert columns.kept(columns.ids > 2).lists() == [[token for token in tokens if token > 2] for tokens in one]
    rows = draw.choices(range(len(one)), k=5) if one else []  # type: ignore[attr-defined]
    assert columns.take(np.array(rows, dtype=np.int64)).lists() == [one[row] for row in rows]


def test_a_text_is_tokenised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def tokens(_: Tokenizer, text: str) -> list[str]:
        asked.append(text)
        return list(text)

    monkeypatch.setattr(Tokenizer, "tokens", tokens)
    cache, chunking = RetrievalCache(), whole(["甲乙", "乙丙", "甲乙"])
    first = cache.chunk_tokens(Tokenizer(), chunking)
    assert first.lists() == [[0, 1], [1, 2], [0, 1]]
    assert cache.chunk_tokens(Tokenizer(), chunking).lists() == first.lists()
    assert cache.question_tokens(Tokenizer(), ["丙丁", "丙丁"]).lists() == [[2, 3]] * 2
    assert asked == ["甲乙", "乙丙", "甲乙", "丙丁"]
    cache.chunk_tokens(Tokenizer("bigram"), chunking)
    assert len(asked) == 7


def test_a_cache_belongs_to_one_corpus() -> None:
    cache = RetrievalCache()
    cache.chunk_tokens(Tokenizer("bigram"), whole(["甲"]))
    with pytest.raises(ValueError, match="one corpus"):
        cache.chunk_tokens(Tokenizer("bigram"), whole(["甲"]))
