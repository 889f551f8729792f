"""TF-IDF against the formula written out."""

from __future__ import annotations

import collections
import math

import numpy as np
import pytest
from asked import found, scores, task_of

from kugiri.retrievers.tfidf import Tfidf

DOCUMENTS = ["雨の東京、雨の京都。", "東京の寿司", "寿司は東京の名物です。\r\n\u3000🍣", "か\u3099くせい", "。", "雨"]
QUESTIONS = ["東京の寿司", "雨雨京都", "学生", "", "がくせい"]


def cosine(documents: list[list[str]], question: list[str]) -> list[float]:
    known = {token for tokens in documents for token in tokens}

    def vector(tokens: list[str]) -> dict[str, float]:
        made = {}
        for token, tf in collections.Counter(tokens).items():
            df = sum(token in other for other in documents)
            if token in known:
                made[token] = tf * (math.log((1 + len(documents)) / (1 + df)) + 1)
        return made

    asked = vector(question)
    values = []
    for tokens in documents:
        other = vector(tokens)
        product = sum(weight * other.get(token, 0.0) for token, weight in asked.items())
        lengths = math.sqrt(sum(w * w for w in asked.values())) * math.sqrt(sum(w * w for w in other.values()))
        values.append(product / lengths if product else 0.0)
    return values


@pytest.mark.parametrize("tokenizer", ["unidic", "bigram"])
def test_scores_are_those_of_the_formula(tokenizer: str) -> None:
    retriever = Tfidf(tokenizer)
    run = retriever.rank(task_of(DOCUMENTS, QUESTIONS))
    tokens = [retriever.tokens.tokens(text) for text in DOCUMENTS]
    expected = [cosine(tokens, retriever.tokens.tokens(text)) for text in QUESTIONS]
    np.testing.assert_allclose(scores(run, len(DOCUMENTS)), expected, rtol=1e-6)


def test_a_chunk_that_is_the_question_scores_one() -> None:
    run = Tfidf("bigram").rank(task_of(["甲乙丙", "甲乙丙丁", "甲乙丙"], ["甲乙丙"]))
    assert run.score[0, :2].tolist() == [1.0, 1.0]
    assert found(run) == [0, 2, 1]


def test_nothing_to_compare() -> None:  # J92
    assert found(Tfidf("bigram").rank(task_of(["", "。。"], ["雨"]))) == []
    assert found(Tfidf("bigram").rank(task_of(["。", "雨"], ["雨", ""]))) == [1]
    assert len(Tfidf().rank(task_of(["雨"], []))) == 0
