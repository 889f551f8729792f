"""BM25 against the library's own scores and against the formula written out."""

from __future__ import annotations

import collections
import logging
import math
import random

import bm25s
import numpy as np
import pytest
from asked import found, scores, task_of

from kugiri.errors import InputError
from kugiri.retrievers.bm25 import METHODS, Bm25
from kugiri.retrievers.cache import RetrievalCache
from kugiri.retrievers.lexical import Terms

DOCUMENTS = [
    "東京駅で寿司を食べました。",
    "京都の寺で雨が降った。雨だった。",
    "寿司は東京の名物です。",
    "👩\u200d🍳は東\u200b京駅で働く。\r\n\u3000か\u3099くせい",
    "雨の東京、雨の京都。",
    "。",
]
QUESTIONS = ["東京の寿司は？", "雨が降ったのは京都ですか", "学生", "雨雨", "無関係XYZ", "", "。"]


def lucene(documents: list[list[str]], question: list[str], k1: float, b: float) -> list[float]:
    """The formula of Lucene: Σ ln(1 + (N − df + 0.5) / (df + 0.5)) · tf / (tf + k1 (1 − b + b · length / mean))."""
    mean = sum(map(len, documents)) / len(documents)
    of_each = []
    for tokens in documents:
        counts, total = collections.Counter(tokens), 0.0
        for token in question:
            df = sum(token in other for other in documents)
            if counts[token]:
                idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
                total += idf * counts[token] / (counts[token] + k1 * (1 - b + b * len(tokens) / mean))
        of_each.append(total)
    return of_each


@pytest.mark.parametrize("tokenizer", ["unidic", "bigram"])
@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (0.0, 1.0), (2.0, 0.0)])
def test_scores_are_those_of_the_formula(tokenizer: str, k1: float, b: float) -> None:
    retriever = Bm25(tokenizer, k1=k1, b=b)
    run = retriever.rank(task_of(DOCUMENTS, QUESTIONS))
    tokens = [retriever.tokens.tokens(text) for text in DOCUMENTS]
    expected = [lucene(tokens, retriever.tokens.tokens(text), k1, b) for text in QUESTIONS]
    np.testing.assert_allclose(scores(run, len(DOCUMENTS)), expected, rtol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_scores_are_those_of_the_library(method: str) -> None:
    draw = random.Random(8)
    documents = ["".join(draw.choices("雨東京寿司駅寺の", k=draw.randint(1, 30))) for _ in range(60)]
    questions = ["".join(draw.choices("雨東京寿司駅寺の学", k=draw.randint(1, 12))) for _ in range(40)]
    retriever = Bm25("bigram", method=method)
    task = task_of(documents, questions)
    terms = Terms.of(task, retriever.tokens)
    index = retriever.index(terms)
    table = scores(retriever.rank(task), len(documents))
    chunks = [set(tokens) for tokens in terms.chunks.lists()]
    for row, tokens in enumerate(terms.questions.lists()):
        given = index.get_scores_from_ids(tokens)
        shares = np.array([bool(chunk & set(tokens)) for chunk in chunks])
        np.testing.assert_allclose(table[row][shares], given[shares], rtol=1e-6)
        # bm25l and bm25+ give every chunk something for each absent token; sharing none is still no hit.
        assert not table[row][~shares].any()
        assert method in ("bm25l", "bm25+") or not given[~shares].any()


def test_the_library_in_its_own_way_gives_the_same() -> None:
    """Its tokens as strings, its float32, its default parameters: what a user's index holds."""
    retriever = Bm25()
    tokens = [retriever.tokens.tokens(text) for text in DOCUMENTS]
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)
    table = scores(retriever.rank(task_of(DOCUMENTS, QUESTIONS)), len(DOCUMENTS))
    for row, text in enumerate(QUESTIONS):
        asked = retriever.tokens.tokens(text)
        given = index.get_scores(asked) if index.get_tokens_ids(asked) else np.zeros(len(DOCUMENTS))
        np.testing.assert_allclose(table[row], given, rtol=1e-5)


def test_a_voicing_mark_is_not_stripped() -> None:  # C25
    for tokenizer in ("unidic", "bigram"):
        assert found(Bm25(tokenizer).rank(task_of(["バス停", "ハスの池"], ["ハス"]))) == [1]


def test_an_invisible_character_hides_nothing() -> None:  # D40
    for tokenizer in ("unidic", "bigram"):
        assert found(Bm25(tokenizer).rank(task_of(["大阪駅", "東\u200b京駅"], ["東京"]))) == [1]
    assert found(Bm25(fold=False).rank(task_of(["大阪駅", "東\u200b京駅"], ["東京"]))) == []


def test_half_width_kana_is_found_and_the_text_is_unchanged() -> None:  # J97
    for tokenizer in ("unidic", "bigram"):
        task = task_of(["ｶﾞｽ料金", "水道料金"], ["ガス料金"])
        assert found(Bm25(tokenizer).rank(task))[0] == 0
        assert task.chunking.chunk(0).text == "ｶﾞｽ料金"


def test_both_wave_dashes_are_one() -> None:  # C28
    run = Bm25(pos=("補助記号", "記号")).rank(task_of(["9時\uff5e17時", "9時17分"], ["3\u301c4"]))
    assert found(run) == [0]


def test_one_character_is_enough() -> None:  # J94
    for tokenizer in ("unidic", "bigram"):
        assert found(Bm25(tokenizer).rank(task_of(["猫", "犬"], ["犬"]))) == [1]


def test_documents_without_tokens_are_not_found_and_break_nothing() -> None:  # J92
    for tokenizer in ("unidic", "bigram"):
        assert found(Bm25(tokenizer).rank(task_of(["", "。。"], ["雨"]))) == []
        assert found(Bm25(tokenizer).rank(task_of(["", "。。", "雨"], ["雨", "", "学"]))) == [1]
    for method in METHODS:
        assert found(Bm25("bigram", method=method).rank(task_of(["。"], ["雨"]))) == []
    run = Bm25().rank(task_of(["雨"], []))
    assert len(run) == 0


def test_an_empty_corpus_is_an_error_that_says_so() -> None:  # J92
    with pytest.raises(InputError, match="no chunk"):
        task_of([], ["雨"])
    with pytest.raises(InputError, match="no chunk"):
        task_of([""], ["雨"])


def test_chunks_with_the_same_tokens_keep_their_order() -> None:  # H79
    run = Bm25().rank(task_of(["雨が降る", "晴れ", "雨が降る", "雨が降る"], ["雨"]))
    assert found(run) == [0, 2, 3]
    assert run.ties == 1


@pytest.mark.parametrize("pair", [("丙 甲 甲 乙", "丙 甲 乙 乙"), ("丙 甲 乙 乙", "丙 甲 甲 乙")])
def test_a_tie_of_the_formula_is_not_decided_by_the_order_of_the_additions(pair: tuple[str, str]) -> None:
    retriever, task = Bm25("bigram"), task_of([*pair, "雨 x", "雨 x", "甲 乙 x"], ["丙 甲 乙"])
    terms = Terms.of(task, retriever.tokens)
    given = retriever.index(terms).get_scores_from_ids(terms.questions.lists()[0])
    assert given[0] != given[1] == pytest.approx(given[0], rel=1e-15)
    run = retriever.rank(task)
    assert found(run) == [0, 1, 4]
    assert run.ties == 1


def test_terms_are_numbered_as_the_chunks_bring_them() -> None:
    task = task_of(["丙 甲", "乙 甲 丁"], ["丁 戊 丙", "乙 乙"])
    task.cache.question_tokens(Bm25("bigram").tokens, ["丁 乙 戊"])
    terms = Terms.of(task, Bm25("bigram").tokens)
    assert terms.chunks.lists() == [[0, 1], [2, 1, 3]]
    assert terms.questions.lists() == [[3, 0], [2, 2]]
    assert terms.size == 4


def test_what_the_cache_holds_changes_nothing() -> None:
    fresh = Bm25().rank(task_of(DOCUMENTS, QUESTIONS))
    task = task_of(DOCUMENTS, QUESTIONS, RetrievalCache())
    task.cache.question_tokens(Bm25().tokens, ["雨の中の学生", *reversed(QUESTIONS)])
    after = Bm25().rank(task)
    assert np.array_equal(fresh.chunk, after.chunk)
    assert np.array_equal(fresh.score, after.score, equal_nan=True)


def test_the_library_keeps_quiet(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        Bm25().rank(task_of(DOCUMENTS, QUESTIONS))
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test_depth() -> None:
    run = Bm25("bigram", depth=2).rank(task_of(["雨"] * 5, ["雨"]))
    assert (run.depth, found(run), run.ties) == (2, [0, 1], 1)
