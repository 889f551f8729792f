"""TextTiling, against itself written out with dictionaries and loops."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from topic_texts import COOKING, IN_ANOTHER_PROCESS, SEAMS, STARS, TEXT, TRAINS, cuts, demand_sound, repeated

from kugiri import catalog
from kugiri.chunkers import cohesion
from kugiri.chunkers.cohesion import Cohesion, topic_ends
from kugiri.chunkers.content_words import counted_words
from kugiri.chunkers.topics import packed_topics
from kugiri.errors import InputError
from kugiri.segmenters import unidic
from kugiri.segmenters.sentences import Sentences
from worlds import HOSTILE, World, corpus_of, local_chunks, worlds


# ------------------------------------------------------------------------------------------------ the oracle
def written_scores(sentences: list[Counter[str]], window: int) -> list[float]:
    """The cosine of the two blocks around each gap; gap i is in front of sentence i, and there is none at 0."""
    scores = []
    for gap in range(1, len(sentences)):
        front: Counter[str] = sum(sentences[max(0, gap - window) : gap], Counter())
        behind: Counter[str] = sum(sentences[gap : gap + window], Counter())
        shared = sum(front[word] * behind[word] for word in front)
        squares = [sum(count**2 for count in block.values()) for block in (front, behind)]
        scores.append(round(shared / (sqrt(squares[0]) * sqrt(squares[1])), 9) if all(squares) else 0.0)
    return scores


def written_depths(scores: list[float]) -> list[float]:
    """The depth of each gap where a topic ends, else 0."""
    smooth = [
        round(sum(scores[max(0, i - 1) : i + 2]) / len(scores[max(0, i - 1) : i + 2]), 9) for i in range(len(scores))
    ]
    depths, sides = [], []
    for place, score in enumerate(smooth):
        peaks = []
        for way in (-1, 1):
            at = place
            while 0 <= at + way < len(smooth) and smooth[at + way] >= smooth[at]:
                at += way
            peaks.append(smooth[at])
        depths.append(round((peaks[0] - score) + (peaks[1] - score), 9))
        sides.append(min(peaks) > score and (place == 0 or smooth[place - 1] != score))
    mean = sum(depths) / max(1, len(depths))
    sd = sqrt(sum((depth - mean) ** 2 for depth in depths) / max(1, len(depths)))
    found = [0.0] * len(scores)
    for place, depth in enumerate(depths):
        if sides[place] and depth > round(mean - sd / 2, 9):
            near = [at for at in (place, place - 1, place + 1) if 0 <= at < len(scores)]
            lowest = min(near, key=scores.__getitem__)
            found[lowest] = max(found[lowest], depth)
    return found


def written_words(text: str) -> list[Counter[str]]:
    """The content words of each sentence, one sentence after the other."""
    corpus = corpus_of([text])
    words = []
    for sentence in local_chunks_of_sentences(corpus):
        written, lemmas, parts = unidic.words(sentence)
        words.append(
            Counter(
                lemma.casefold()
                for surface, lemma, part in zip(written, lemmas, parts, strict=True)
                if part in ("名詞", "動詞", "形容詞", "形状詞") and not surface.isnumeric()
            )
        )
    return words


def local_chunks_of_sentences(corpus: Any) -> list[str]:
    found = Sentences().segment(corpus)
    return [corpus.slice(a, b) for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)]


# ------------------------------------------------------------------------------------------------ topics
def test_topics_that_share_no_words_are_cut_at_their_seams() -> None:
    made = Cohesion(1000, window=4, smallest=100).chunk(corpus_of([TEXT, COOKING, STARS + COOKING]))
    assert cuts(made) == list(SEAMS)
    assert cuts(made, 1) == []
    assert cuts(made, 2) == [len(STARS)]


def test_topics_larger_than_the_size_are_cut_at_sentences() -> None:
    size = 90
    made = Cohesion(size, window=4).chunk(corpus_of([TEXT]))
    demand_sound(made, size)
    starts = Sentences().segment(corpus_of([TEXT])).start.tolist()
    assert set(SEAMS) < set(cuts(made)) < set(starts)


def test_a_topic_smaller_than_the_smallest_is_not_cut() -> None:
    corpus = corpus_of([TEXT])
    last = len(TEXT) - SEAMS[1]
    assert last < SEAMS[1] - SEAMS[0] < SEAMS[0]
    assert cuts(Cohesion(1000, window=4, smallest=last).chunk(corpus)) == list(SEAMS)
    # The clearest change is at the second seam.
    assert cuts(Cohesion(1000, window=4, smallest=last + 1).chunk(corpus)) == [SEAMS[0]]
    assert cuts(Cohesion(1000, window=4, smallest=SEAMS[0] + 1).chunk(corpus)) == []


def test_line_breaks_end_sentences_or_not() -> None:
    text = "".join(f"{sentence}\n" for sentence in ("鍋の出汁", "列車の駅", "鍋の醤油", "列車の線路"))
    assert len(Cohesion(8, window=1, smallest=0).chunk(corpus_of([text]))) == 4
    assert len(Sentences("wrap").segment(corpus_of([text]))) == 1
    demand_sound(Cohesion(8, newline="wrap").chunk(corpus_of([text])), 8)


@pytest.mark.parametrize("window", [1, 2, 3, 4, 10])
@pytest.mark.parametrize("text", [TEXT, COOKING + STARS, (COOKING + TRAINS) * 3, HOSTILE * 5, STARS + TRAINS])
def test_the_ends_of_topics_are_those_of_the_oracle(monkeypatch: pytest.MonkeyPatch, text: str, window: int) -> None:
    monkeypatch.setattr("kugiri.chunkers.content_words._GRAMMATICAL", frozenset())
    monkeypatch.setattr(cohesion, "_AT_ONCE", 7)
    corpus = corpus_of([HOSTILE, text, "", text])
    sentences = Sentences().segment(corpus)
    document = corpus.document_of(sentences.start)
    found = topic_ends(cohesion._cohesion(counted_words(sentences), document, window), document)
    for number in (1, 3):
        scores = written_scores(written_words(text), window)
        assert found[document == number].tolist()[1:] == pytest.approx(written_depths(scores), abs=1e-8)
    assert not found[np.diff(document, prepend=-1) > 0].any()


@settings(max_examples=300)
@given(st.lists(st.lists(st.sampled_from([0, 0.1, 0.2, 0.25, 0.5, 1]), max_size=12), min_size=1, max_size=4))
def test_depths_are_those_of_the_oracle(scores: list[list[float]]) -> None:
    document = np.repeat(np.arange(len(scores)), [len(each) + 1 for each in scores])
    found = topic_ends(np.array([x for each in scores for x in (0.7, *each)], dtype=np.float64), document)
    expected = [x for each in scores for x in (0, *written_depths(each))]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


def test_text_without_content_words_is_of_one_topic() -> None:
    assert len(Cohesion(100, smallest=0).chunk(corpus_of(["。" * 30, "です。ます。" * 5, "犬が走る。" * 9]))) == 3


def test_grammar_and_numerals_tell_no_topics_apart() -> None:
    corpus = corpus_of(["３人がいることになる。犬がいる。", "ＡＩとai"])
    assert counted_words(Sentences().segment(corpus)).toarray().sum(axis=1).tolist() == [0, 1, 2]


def test_features_are_asked_for_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpus_of([TEXT, "", HOSTILE])
    whole = Cohesion(100, window=3).chunk(corpus)
    monkeypatch.setattr("kugiri.chunkers.content_words._AT_ONCE", 40)
    assert local_chunks(Cohesion(100, window=3).chunk(corpus)) == local_chunks(whole)


# ------------------------------------------------------------------------------------------------ properties
@settings(max_examples=60, deadline=None)
@given(worlds(), st.integers(1, 30), st.integers(1, 4), st.sampled_from([0, 0.2, 1.0]), st.booleans())
def test_chunks_are_sound(world: World, size: int, window: int, smallest: float, trim: bool) -> None:
    corpus = world.corpus()
    made = Cohesion(size, window, smallest, trim=trim).chunk(corpus)
    # A grapheme cluster is cut by nobody, so it may be larger than a small size.
    demand_sound(made, max(size, 5), trim)


@pytest.mark.parametrize("tokenizer", ["unidic", "cl100k"])
def test_sizes_may_be_tokens(tokenizer: str) -> None:
    made = Cohesion(60, window=4, tokenizer=tokenizer).chunk(corpus_of([TEXT, HOSTILE]))
    demand_sound(made, len(TEXT))
    assert set(SEAMS) <= set(cuts(made))
    assert len(cuts(made)) > len(SEAMS)


def test_no_text_no_chunks() -> None:
    assert len(Cohesion(10).chunk(corpus_of([]))) == 0
    assert len(Cohesion(10).chunk(corpus_of(["", ""]))) == 0
    assert local_chunks(Cohesion(10).chunk(corpus_of(["", " \u3000\r\n"]))) == [(1, 0, 4)]


def test_chunks_are_the_same_in_any_process(pytestconfig: pytest.Config) -> None:
    label = "cohesion(size=100, window=3)"
    made = catalog.chunker(label).chunk(corpus_of([HOSTILE, "", TEXT]))
    expected = hashlib.sha256(repr([made.chunk(index).id for index in range(len(made))]).encode()).hexdigest()
    tests = pytestconfig.rootpath / "tests"
    command: list[Any] = [sys.executable, "-c", IN_ANOTHER_PROCESS, tests, tests / "chunkers", label]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env={"PYTHONHASHSEED": "77"}, check=True)
    assert done.stdout.strip() == expected


@pytest.mark.slow
def test_time_grows_with_the_length() -> None:
    seconds = []
    for characters in (30_000, 300_000):
        corpus = corpus_of([repeated(characters)])
        begin = time.perf_counter()
        Cohesion(400).chunk(corpus)
        seconds.append(time.perf_counter() - begin)
    assert seconds[1] < 30 * seconds[0]


# ------------------------------------------------------------------------------------------------ parameters
def test_one_meaning_has_one_label() -> None:
    assert str(Cohesion(400)) == "cohesion(size=400)"
    assert str(Cohesion(400, smallest=0.0)) == "cohesion(size=400, smallest=0)"
    assert catalog.chunker("cohesion(window=3, size=4, smallest=4)") == Cohesion(4, 3, 4)


@pytest.mark.parametrize(
    "wrong", [{"size": 0}, {"window": 0}, {"window": True}, {"smallest": -1}, {"smallest": 11}, {"smallest": 1.1}]
)
def test_parameters_outside_their_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        Cohesion(**{"size": 10, **wrong})
    assert caught.value.where == next(iter(wrong))


@pytest.mark.parametrize(("other", "is_cut"), [(6, True), (5, False), (2, False), (1, False)])
def test_a_topic_as_small_as_the_smallest_is_cut(other: int, is_cut: bool) -> None:
    changes = np.zeros(9)
    changes[[3, other]] = 2, 1
    made = packed_topics(Sentences().segment(corpus_of(["あ。" * 9])), changes, Cohesion(100, smallest=6))
    assert made.start.tolist() == sorted({0, 6} | ({2 * other} if is_cut else set()))
