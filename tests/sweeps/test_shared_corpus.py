"""Corpus and questions through files: the same comes back."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.indexed import Indexed
from kugiri.model.questions import Question, Questions
from kugiri.retrievers.cache import RetrievalCache
from kugiri.retrievers.oracle import Oracle
from kugiri.sweeps.shared_corpus import AskedQuestions, read_index, read_shared, write_index, write_shared
from worlds import HOSTILE, World, worlds

INFO = CorpusInfo("共有", "題", "ja", "CC0-1.0", "tests", "hostile", {"join": "article", "seed": None})


def assert_same(one: Corpus, other: Corpus) -> None:
    for field in dataclasses.fields(Corpus):
        mine, its = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            np.testing.assert_array_equal(mine, its, strict=True)
        elif field.name == "metadata":
            assert list(map(dict, mine)) == list(map(dict, its))
        else:
            assert mine == its


def test_hostile_texts_come_back(tmp_path: Path) -> None:
    texts = [
        "",
        HOSTILE,
        "",
        "\r\n",
        "か\u3099\u200d",
        "👩\u200d🍳" * 3,
        "\ufeff始",
        "\u2028\x85\x0c",
        "𠮷\U0010ffff",
        "",
    ]
    corpus = Corpus.from_documents(
        INFO,
        [
            Document(
                f"文書:{number}@\r\n🍣",
                text,
                None if number % 2 else f"題\u3000{number}",
                ((0, len(text)),) if text else (),
                {"書誌": [1, 2.5, None, {"深": "い"}], "number": number},
            )
            for number, text in enumerate(texts)
        ],
    )
    asked = [
        Question("問\n1", "始\u3000は？", ((EvidenceSpan(corpus.ids[1], 0, 3),),)),
        Question("問2", "", ()),
    ]
    questions = AskedQuestions.of(Questions.from_records(corpus, asked))
    write_shared(tmp_path, corpus, questions)
    again, asked_again = read_shared(tmp_path)
    assert_same(corpus, again)
    assert_asked(questions, asked_again)
    assert not again.document_start.flags.writeable
    assert not isinstance(again.document_start, np.memmap)
    assert not again.document_start.flags.owndata


def assert_asked(one: AskedQuestions, other: AskedQuestions) -> None:
    assert (one.ids, one.texts) == (other.ids, other.texts)
    for name in ("start", "end", "alternative", "question"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), strict=True)


@settings(max_examples=25)
@given(world=worlds(answerable=True))
def test_worlds_come_back_and_rank_the_same(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("shared")
    chunking, asked = world.chunking(), AskedQuestions.of(world.questions())
    write_shared(folder, chunking.corpus, asked)
    write_index(folder, 3, Indexed.of(chunking))
    corpus, asked_again = read_shared(folder)
    assert_same(chunking.corpus, corpus)
    assert_asked(asked, asked_again)
    again = read_index(folder, 3, corpus)
    assert again.same_as(Indexed.of(chunking))
    assert again.vectors.merged == chunking.merged
    if len(chunking):
        one = Oracle().rank(asked.task(Indexed.of(chunking), RetrievalCache()))
        other = Oracle().rank(asked_again.task(again, RetrievalCache()))
        np.testing.assert_array_equal(one.chunk, other.chunk)


@pytest.mark.parametrize("value", [(1, 2), {1: 2}, {1, 2}, b"bytes", float("nan")])
def test_metadata_that_would_change_are_refused(value: object, tmp_path: Path) -> None:
    corpus = Corpus.from_documents(INFO, [Document("甲", HOSTILE, None, (), {"value": value})])
    questions = Questions.from_records(corpus, [Question("問", "何？", ((EvidenceSpan("甲", 0, 1),),))])
    with pytest.raises(ValueError, match=r"\w"):
        write_shared(tmp_path, corpus, AskedQuestions.of(questions))
