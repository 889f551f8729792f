"""Cuts by embeddings, with embedders of which every vector is known."""

from __future__ import annotations

import dataclasses
import hashlib
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from topic_texts import COOKING, IN_ANOTHER_PROCESS, SEAMS, TEXT, cuts, demand_sound, repeated

from kugiri import catalog
from kugiri.chunkers import semantic
from kugiri.chunkers.semantic import Semantic
from kugiri.embedders.hashed import Hashed
from kugiri.embedders.protocol import Float32
from kugiri.errors import InputError, InvariantError
from kugiri.segmenters.sentences import Sentences
from kugiri.sweeps.file import read_sweep
from worlds import HOSTILE, World, corpus_of, local_chunks, worlds


@dataclasses.dataclass(frozen=True)
class Letters:
    """How often each of a few letters stands in a text: vectors that a person can see."""

    name: ClassVar[str] = "letters"
    version: ClassVar[int] = 1

    letters: str = "甲乙丙"

    def __str__(self) -> str:
        return "letters()"

    def embed(self, texts: Sequence[str]) -> Float32:
        counts = np.array([[text.count(letter) for letter in self.letters] for text in texts], dtype=np.float32)
        length = np.linalg.norm(counts, axis=1, keepdims=True)
        return counts / np.where(length > 0, length, 1)


@dataclasses.dataclass(frozen=True)
class Wrong:
    """Not what an embedder returns."""

    name: ClassVar[str] = "wrong"
    version: ClassVar[int] = 1

    vectors: Any = dataclasses.field(hash=False)

    def embed(self, texts: Sequence[str]) -> Any:
        return self.vectors


def written_cuts(text: str, model: Any, percentile: float, buffer: int) -> list[int]:
    """Where the distance is above the percentile, interpolated by hand; one place after the other."""
    found = Sentences().segment(corpus_of([text]))
    edges = [*found.start.tolist(), len(text)]
    distances = []
    for gap in range(1, len(edges) - 1):
        front, behind = edges[max(0, gap - buffer)], edges[min(len(edges) - 1, gap + buffer)]
        one, other = model.embed([text[front : edges[gap]], text[edges[gap] : behind]])
        cosine = sum(float(a) * float(b) for a, b in zip(one, other, strict=True))
        distances.append(round(1 - cosine, 6) if one.any() and other.any() else 0.0)
    if not distances:
        return []
    ordered, place = sorted(distances), (len(distances) - 1) * percentile / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    threshold = ordered[low] + (ordered[high] - ordered[low]) * (place - low)
    # What is above only by the error of the interpolation is not above.
    return [edges[gap + 1] for gap, distance in enumerate(distances) if distance > threshold + 1e-9]


# ------------------------------------------------------------------------------------------------ topics
def test_topics_are_cut_at_their_seams() -> None:
    text = "甲。甲甲。甲。甲。" + "乙。乙。乙乙。" + "丙。丙。丙。丙。"
    made = Semantic(100, Letters(), percentile=70, smallest=0, buffer=1).chunk(corpus_of([text, "甲。甲。甲。"]))
    assert cuts(made) == [9, 16]
    assert cuts(made, 1) == []


@pytest.mark.parametrize("percentile", [85, 90, 95])
def test_characters_alone_find_the_seams_of_clear_topics(percentile: float) -> None:
    found = cuts(Semantic(1000, percentile=percentile, smallest=50).chunk(corpus_of([TEXT])))
    assert set(found) & set(SEAMS)
    assert percentile == 95 or set(SEAMS) <= set(found)


def test_topics_larger_than_the_size_are_cut_at_sentences() -> None:
    made = Semantic(90, percentile=85, smallest=50).chunk(corpus_of([TEXT]))
    demand_sound(made, 90)
    starts = Sentences().segment(corpus_of([TEXT])).start.tolist()
    assert set(SEAMS) < set(cuts(made)) < set(starts)


def test_the_widest_distances_are_cut_first() -> None:
    text = "甲甲。甲甲。甲乙。丙丙。丙丙。"
    every = Semantic(100, Letters(), percentile=0, smallest=0, buffer=1).chunk(corpus_of([text]))
    assert cuts(every) == [6, 9]
    assert cuts(Semantic(100, Letters(), percentile=0, smallest=4, buffer=1).chunk(corpus_of([text]))) == [9]
    assert cuts(Semantic(100, Letters(), percentile=0, smallest=10, buffer=1).chunk(corpus_of([text]))) == []


def test_what_an_embedder_does_not_know_parts_from_nothing() -> None:
    text = "甲。甲。丁。甲。甲。"
    assert cuts(Semantic(100, Letters(), percentile=0, smallest=0, buffer=1).chunk(corpus_of([text]))) == []
    assert cuts(Semantic(100, Letters(), smallest=0).chunk(corpus_of(["丁。" * 9]))) == []


@pytest.mark.parametrize("at_once", [1, 4, 10_000])
@pytest.mark.parametrize("buffer", [1, 2, 3, 30])
@pytest.mark.parametrize("percentile", [0, 50, 90, 95.5, 100])
def test_cuts_are_those_of_the_oracle(
    monkeypatch: pytest.MonkeyPatch, percentile: float, buffer: int, at_once: int
) -> None:
    monkeypatch.setattr(semantic, "_AT_ONCE", at_once)
    for model in (Letters("鍋駅星の"), Hashed(64)):
        texts = [TEXT, HOSTILE, "", COOKING]
        made = Semantic(10_000, model, percentile, buffer, smallest=0).chunk(corpus_of(texts))
        for number, text in enumerate(texts):
            assert cuts(made, number) == written_cuts(text, model, percentile, buffer)


def test_documents_of_one_sentence_or_of_none() -> None:
    assert local_chunks(Semantic(10).chunk(corpus_of(["", "一文。", " \u3000\r\n"]))) == [(1, 0, 3), (2, 0, 4)]
    assert len(Semantic(10).chunk(corpus_of([]))) == 0


# ------------------------------------------------------------------------------------------------ properties
@settings(max_examples=100, deadline=None)
@given(
    worlds(),
    st.integers(1, 30),
    st.sampled_from([0, 50, 95]),
    st.integers(1, 3),
    st.sampled_from([0, 0.2, 1.0]),
    st.booleans(),
)
def test_chunks_are_sound(world: World, size: int, percentile: int, buffer: int, smallest: float, trim: bool) -> None:
    made = Semantic(size, Hashed(64), percentile, buffer, smallest, trim=trim).chunk(world.corpus())
    # A grapheme cluster is cut by nobody, so it may be larger than a small size.
    demand_sound(made, max(size, 5), trim)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from("甲乙丙"), min_size=1, max_size=30), st.integers(0, 20), st.integers(20, 60))
def test_topics_are_as_large_as_the_smallest(letters: list[str], smallest: int, size: int) -> None:
    text = "".join(f"{letter}。" for letter in letters)
    places = cuts(Semantic(200, Letters(), 0, 1, smallest).chunk(corpus_of([text])))
    every = cuts(Semantic(200, Letters(), 0, 1, 0).chunk(corpus_of([text])))
    assert set(places) <= set(every)
    ends = [0, *places, len(text)]
    assert all(b - a >= smallest for a, b in pairwise(ends)) or ends == [0, len(text)]
    # And no further one could have stayed.
    for other in set(every) - set(places):
        assert min(abs(other - end) for end in ends) < smallest


def test_sizes_may_be_tokens() -> None:
    made = Semantic(60, percentile=85, smallest=0.5, tokenizer="unidic").chunk(corpus_of([TEXT, HOSTILE]))
    demand_sound(made, len(TEXT))
    assert set(SEAMS) <= set(cuts(made))


def test_chunks_are_the_same_in_any_process(pytestconfig: pytest.Config) -> None:
    label = "semantic(size=100, model=hashed(dimensions=64))"
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
        Semantic(400).chunk(corpus)
        seconds.append(time.perf_counter() - begin)
    assert seconds[1] < 30 * seconds[0]


# ------------------------------------------------------------------------------------------------ labels and files
def test_one_meaning_has_one_label() -> None:
    assert str(Semantic(400)) == "semantic(size=400)"
    assert str(Semantic(400, Hashed(64), 90.0)) == "semantic(size=400, model=hashed(dimensions=64), percentile=90)"


def test_labels_name_an_embedder_inside() -> None:
    label = "semantic(size=400, model=hashed(dimensions=64, ngrams=[2]), percentile=90.5)"
    made = catalog.chunker(label)
    assert made == Semantic(400, Hashed(64, (2,)), 90.5)
    assert str(made) == label
    with pytest.raises(InputError, match="unknown embedder 'hashd'") as caught:
        catalog.chunker("semantic(size=4, model=hashd())")
    assert "'hashed'" in caught.value.remedy
    with pytest.raises(InputError, match="unknown embedder 'fixed'"):
        catalog.chunker("semantic(size=4, model=fixed(size=3))")
    with pytest.raises(InputError, match="no embedder"):
        catalog.chunker('semantic(size=4, model="hashed()")')


def test_a_sweep_file_gives_labels_of_embedders(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    head = 'title = "題"\ncorpus = "c"\n[[chunkers]]\nuse = "semantic"\nsize = 4\n'
    path.write_text(head + 'model = "hashed(dimensions=64)"\n', encoding="utf-8")
    assert [c.chunker for c in read_sweep(path).plan.configurations] == [Semantic(4, Hashed(64))]
    path.write_text(head + '[chunkers.grid]\nmodel = ["hashed()", "hashed(ngrams=[3])"]\n', encoding="utf-8")
    assert [str(c) for c in read_sweep(path).plan.configurations] == [
        "semantic(size=4)",
        "semantic(size=4, model=hashed(ngrams=[3]))",
    ]
    path.write_text(head + "model = 'static(path=\"nowhere\")'\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no config") as caught:
        read_sweep(path)
    assert "chunkers[0].model" in caught.value.where
    path.write_text(head + 'model = "hashed("\n', encoding="utf-8")
    with pytest.raises(InputError, match="not a label") as caught:
        read_sweep(path)
    assert "chunkers[0].model" in caught.value.where


@pytest.mark.parametrize(
    "wrong",
    [
        *({"size": 0}, {"model": None}, {"model": "hashed"}, {"percentile": 101}, {"percentile": -1}),
        *({"percentile": True}, {"buffer": 0}, {"buffer": True}, {"smallest": 11}),
    ],
)
def test_parameters_outside_their_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        Semantic(**{"size": 10, **wrong})
    assert caught.value.where == next(iter(wrong))


@pytest.mark.parametrize("vectors", [np.ones(3), np.ones((2, 3)), np.full((4, 3), np.nan), []])
def test_an_embedder_is_never_believed(vectors: Any) -> None:
    with pytest.raises(InvariantError):
        Semantic(10, Wrong(vectors), buffer=1).chunk(corpus_of(["甲。乙。丙。丁。"]))


def test_vectors_need_not_have_length_one() -> None:
    text = "甲。甲。乙。乙。"
    made = Semantic(10, Wrong(np.array([[5, 0], [9, 0], [0, 3], [0, 7]])), 0, 1, 0).chunk(corpus_of([text]))
    assert cuts(made) == [4]
