"""Evidence that the model does not see, against loops over characters."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.parent_child import ParentChild
from kugiri.evidence.containment import Containment
from kugiri.evidence.truncation import Room, truncated
from kugiri.model.columns import Bool
from kugiri.model.indexed import Indexed, indexed_by
from kugiri.model.questions import Questions
from kugiri.segmenters.tokenizers import Tokenizer, tokenizer
from worlds import Asked, Span, World, corpus_of, is_lost, local_chunks, questions_of, worlds

NAMES = ("char", "unidic", "cl100k")


@dataclasses.dataclass
class Counting:
    """A tokenizer that remembers what it was asked for."""

    of: Tokenizer
    asked: list[str] = dataclasses.field(default_factory=list)
    name: str = "counting"
    version: str = "1"

    def spans(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        self.asked.append(text)
        return self.of.spans(text)

    def count(self, text: str) -> int:
        return self.of.count(text)

    def counts(self, texts: Sequence[str]) -> np.ndarray:
        return self.of.counts(texts)


def found(index: Indexed, questions: Questions, made: Tokenizer, tokens: Sequence[int]) -> Bool:
    vectors, evidence = index.vectors, questions.evidence
    texts = [vectors.corpus.slice(a, b) for a, b in zip(vectors.start.tolist(), vectors.end.tolist(), strict=True)]
    room = Room(made, np.array(tokens, dtype=np.int64), made.counts(texts))
    return truncated(index, evidence, Containment.of(index.delivered, evidence.start, evidence.end), room)


def seen_characters(text: str, made: Tokenizer, tokens: int) -> set[int]:
    """The characters of which no token behind the limit has any part, in front of every such token."""
    start, _ = made.spans(text)
    behind = start.tolist()[max(tokens, 0) :]
    return set(range(len(text) if not behind else min(behind))) if tokens > 0 else set()


def is_truncated(index: Indexed, texts: Sequence[str], asked: Asked, made: Tokenizer, tokens: Sequence[int]) -> bool:
    delivered, vectors = local_chunks(index.delivered), local_chunks(index.vectors)
    owner = range(len(vectors)) if index.parent is None else index.parent.tolist()
    seen: list[set[tuple[int, int]]] = [set() for _ in delivered]
    for (d, a, b), chunk, room in zip(vectors, owner, tokens, strict=True):
        seen[chunk] |= {(d, a + place) for place in seen_characters(texts[d][a:b], made, room)}

    def is_seen(span: Span) -> bool:
        d, s, e = span
        return any(
            (c == d and a <= s and e <= b) and {(d, place) for place in range(s, e)} <= part
            for (c, a, b), part in zip(delivered, seen, strict=True)
        )

    kept = bool(asked) and not is_lost(delivered, asked)
    return kept and not any(all(is_seen(span) for span in spans) for spans in asked)


def parents_and_children(world: World, draw: random.Random) -> Indexed:
    """Children of every shape: windows with overlap, and parts that leave some of their parent out."""
    delivered = Fixed(draw.randint(2, 12)).chunk(world.corpus())
    index = ParentChild(Fixed(12), Fixed(draw.randint(2, 5), draw.choice((0, 1)))).indexed(delivered)
    keep = np.array([draw.random() < 0.8 for _ in range(len(index.vectors))], dtype=bool)
    vectors = dataclasses.replace(index.vectors, start=index.vectors.start[keep], end=index.vectors.end[keep])
    return Indexed(index.delivered, vectors, index.parent[keep]) if index.parent is not None else index


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150)
@given(world=worlds(answerable=True), seed=st.integers(0, 10**6))
def test_truncated_questions_of_any_chunks(world: World, seed: int, name: str) -> None:
    draw, made = random.Random(seed), tokenizer(name)
    index = parents_and_children(world, draw) if draw.random() < 0.5 else Indexed.of(world.chunking())
    tokens = [draw.randint(-1, 6) for _ in range(len(index.vectors))]
    expected = [is_truncated(index, world.texts, asked, made, tokens) for asked in world.asked]
    assert found(index, world.questions(), made, tokens).tolist() == expected


@settings(max_examples=60)
@given(world=worlds(answerable=True), size=st.integers(1, 9))
def test_a_limit_that_every_chunk_fits_truncates_nothing(world: World, size: int) -> None:
    index, made = Indexed.of(Fixed(size).chunk(world.corpus())), Counting(tokenizer("char"))
    assert not found(index, world.questions(), made, [size] * len(index.vectors)).any()
    assert made.asked == []


def test_evidence_behind_the_limit_is_kept_and_truncated() -> None:  # K98
    corpus = corpus_of(["一二三四五六七八九十👩か"])
    index = Indexed.of(Fixed(12).chunk(corpus))
    questions = questions_of(corpus, [[[(0, 9, 11)]], [[(0, 6, 8)]], [[(0, 7, 9)]], [[(0, 9, 11)], [(0, 0, 1)]]])
    assert found(index, questions, tokenizer("char"), [8]).tolist() == [True, False, True, False]


def test_another_chunk_that_contains_the_span_may_show_it() -> None:
    corpus = corpus_of(["あいうえおかきくけこさしすせそ"])
    questions = questions_of(corpus, [[[(0, 6, 8)]], [[(0, 8, 9)]]])
    index = Indexed.of(Fixed(10, 5).chunk(corpus))
    assert found(index, questions, tokenizer("char"), [6, 2]).tolist() == [True, True]
    assert found(index, questions, tokenizer("char"), [6, 3]).tolist() == [False, True]
    assert found(index, questions, tokenizer("char"), [6, 4]).tolist() == [False, False]


def test_a_parent_shows_what_any_of_its_children_shows() -> None:
    corpus = corpus_of(["あいうえおかきくけこ"])
    chunker = ParentChild(Fixed(10), Fixed(5))
    index = indexed_by(chunker, chunker.chunk(corpus))
    questions = questions_of(corpus, [[[(0, 3, 7)]], [[(0, 4, 6)]], [[(0, 8, 10)]]])
    assert found(index, questions, tokenizer("char"), [5, 5]).tolist() == [False, False, False]
    assert found(index, questions, tokenizer("char"), [4, 4]).tolist() == [True, True, True]
    assert found(index, questions, tokenizer("char"), [5, 3]).tolist() == [False, False, True]


def test_a_character_that_the_limit_divides_is_not_seen() -> None:
    corpus, made = corpus_of(["a👩\u200d🍳z"]), tokenizer("cl100k")
    start, end = made.spans(corpus.texts[0])
    divided = next(i for i in range(1, len(start)) if start[i] < end[i - 1])
    place = int(start[divided])
    questions = questions_of(corpus, [[[(0, 0, place)]], [[(0, place, place + 1)]]])
    index = Indexed.of(Fixed(9).chunk(corpus))
    assert found(index, questions, made, [divided]).tolist() == [False, True]


def test_only_chunks_with_evidence_that_do_not_fit_are_tokenised() -> None:
    corpus = corpus_of(["短い。", "ここに根拠がある長い文。", "ここにはない長い文である。"])
    made = Counting(tokenizer("char"))
    index = Indexed.of(Fixed(100).chunk(corpus))
    found(index, questions_of(corpus, [[[(0, 0, 2)]], [[(1, 3, 5)]]]), made, [6, 6, 6])
    assert made.asked == ["ここに根拠がある長い文。"]


def test_no_chunk_and_no_answerable_question() -> None:
    corpus = corpus_of(["", "あ"])
    index = Indexed.of(Fixed(3).chunk(corpus))
    assert found(index, questions_of(corpus, [[]]), tokenizer("char"), [0]).tolist() == [False]
    empty = corpus_of([""])
    assert found(Indexed.of(Fixed(3).chunk(empty)), questions_of(empty, [[]]), tokenizer("char"), []).tolist() == [
        False
    ]
