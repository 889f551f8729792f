"""One grammar: what a retriever prints is what makes it again."""

from __future__ import annotations

from typing import Any

import pytest

from kugiri.errors import InputError
from kugiri.labels import Label, parse
from kugiri.retrievers.bm25 import Bm25
from kugiri.retrievers.oracle import Oracle
from kugiri.retrievers.random_order import RandomOrder
from kugiri.retrievers.rrf import ReciprocalRankFusion
from kugiri.retrievers.tfidf import Tfidf

CLASSES: dict[str, Any] = {made.name: made for made in (Bm25, Tfidf, ReciprocalRankFusion, Oracle, RandomOrder)}


def built(value: Any) -> Any:
    if isinstance(value, Label):
        return CLASSES[value.name](**{key: built(inner) for key, inner in value.arguments})
    return tuple(map(built, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    ("retriever", "label"),
    [
        (Bm25(), "bm25()"),
        (Bm25(depth=20), "bm25(depth=20)"),
        (Bm25(k1=1, b=0), "bm25(k1=1.0, b=0)"),
        (Bm25("bigram", fold=False), 'bm25(tokenizer="bigram", fold=false)'),
        (Bm25(form="lemma", pos=("動詞", "名詞")), 'bm25(form="lemma", pos=["名詞", "動詞"])'),
        (Bm25(pos=["名詞"]), 'bm25(pos=["名詞"])'),  # type: ignore[arg-type]
        (Bm25(method="bm25+", delta=1), 'bm25(method="bm25+", delta=1.0)'),
        (Tfidf("bigram"), 'tfidf(tokenizer="bigram")'),
        (Oracle(), "oracle()"),
        (RandomOrder(), "random()"),
        (RandomOrder(7), "random(seed=7)"),
        (ReciprocalRankFusion((Bm25(), Tfidf())), "rrf(of=[bm25(), tfidf()])"),
        (ReciprocalRankFusion([Bm25()], k=60.0), "rrf(of=[bm25()])"),  # type: ignore[arg-type]
        (
            ReciprocalRankFusion((ReciprocalRankFusion((Bm25(depth=20), Oracle()), k=0.5), Tfidf()), depth=9),
            "rrf(of=[rrf(of=[bm25(depth=20), oracle()], k=0.5), tfidf()], depth=9)",
        ),
    ],
)
def test_a_label_makes_the_same_retriever(retriever: Any, label: str) -> None:
    assert str(retriever) == label
    assert built(parse(label)) == retriever
    assert hash(built(parse(label))) == hash(retriever)
    assert retriever.version == 1


@pytest.mark.parametrize(
    ("made", "arguments", "named"),
    [
        (Bm25, {"tokenizer": "unidik"}, "'unidic'"),
        (Bm25, {"method": "lucen"}, "'lucene'"),
        (Bm25, {"method": None}, "lucene"),
        (Bm25, {"k1": -0.1}, "0 or more"),
        (Bm25, {"k1": float("nan")}, "0 or more"),
        (Bm25, {"k1": float("inf")}, "0 or more"),
        (Bm25, {"k1": True}, "0 or more"),
        (Bm25, {"b": 1.1}, "at most 1"),
        (Bm25, {"b": "0.5"}, "at most 1"),
        (Bm25, {"delta": 1.0}, "bm25+"),
        (Bm25, {"depth": 0}, "1 or more"),
        (Bm25, {"depth": True}, "1 or more"),
        (Bm25, {"pos": "名詞"}, "名詞"),
        (Tfidf, {"depth": 1.5}, "1 or more"),
        (Tfidf, {"form": "stem"}, "surface"),
        (Oracle, {"depth": -1}, "1 or more"),
        (RandomOrder, {"seed": 1.0}, "whole number"),
        (RandomOrder, {"depth": 0}, "1 or more"),
        (ReciprocalRankFusion, {"of": ()}, "bm25()"),
        (ReciprocalRankFusion, {"of": "bm25()"}, "bm25()"),
        (ReciprocalRankFusion, {"of": ("bm25()",)}, "bm25()"),
        (ReciprocalRankFusion, {"of": (Bm25(),), "k": 0}, "above 0"),  # findings C
        (ReciprocalRankFusion, {"of": (Bm25(),), "k": -60}, "above 0"),
        (ReciprocalRankFusion, {"of": (Bm25(),), "k": True}, "above 0"),
        (ReciprocalRankFusion, {"of": (Bm25(),), "k": float("inf")}, "above 0"),
        (ReciprocalRankFusion, {"of": (Bm25(),), "depth": 0}, "1 or more"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_refused(made: Any, arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as caught:
        made(**arguments)
    assert named in caught.value.remedy
    assert caught.value.where in {*arguments, "tokenizer"}
