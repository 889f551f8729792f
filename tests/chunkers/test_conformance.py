"""`check_chunker`: every chunker of the catalogue passes it, and every check of it can fail."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from conforming_labels import ELSEWHERE, LABELS, OFTEN, SELDOM, SLOW_LABELS, Clusters, by_default, promises

import kugiri.testing
from kugiri import catalog
from kugiri.chunkers.external import external_chunker
from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.trimming import trimmed
from kugiri.errors import InputError
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import Indexed
from kugiri.testing import INVARIANTS, ConformanceError, check_chunker, conformance
from kugiri.testing.hostile import LONG, PIECES, corpus_of, drawn_corpus, growing_texts, hostile_corpora

FIRST_OF_EACH = [labels[0] for name, labels in OFTEN.items() if name in catalog.CATALOG["chunkers"]]


# ------------------------------------------------------------------------------------------------ ours
def test_every_chunker_of_the_catalogue_is_held_to_this() -> None:
    names = {label.partition("(")[0] for label in LABELS}
    assert names | ELSEWHERE >= set(catalog.CATALOG["chunkers"])
    assert {label.partition("(")[0] for label in by_default()}.isdisjoint(OFTEN)
    for name, labels in (*OFTEN.items(), *SELDOM.items()):
        assert all(label.startswith(f"{name}(") for label in labels)


@pytest.mark.parametrize("label", LABELS)
def test_a_chunker_of_ours_conforms(label: str) -> None:
    check_chunker(catalog.chunker(label), rounds=1, linear=False, **promises(label))


@pytest.mark.slow
@pytest.mark.parametrize("label", [*LABELS, *SLOW_LABELS])
def test_a_chunker_of_ours_conforms_on_many_texts(label: str) -> None:
    check_chunker(catalog.chunker(label), seed=7, rounds=60, **promises(label))


@pytest.mark.parametrize(
    "function",
    [
        lambda text: [(place, min(place + 50, len(text))) for place in range(0, len(text), 50)],
        lambda text: [text[place : place + 50] for place in range(0, len(text), 50)],
    ],
    ids=["offsets", "texts"],
)
def test_a_function_that_cuts_conforms(function: Callable[[str], Any]) -> None:
    check_chunker(external_chunker(function, "fifty"), gaps="none", size=50, rounds=2, linear=False)


@pytest.mark.slow
@pytest.mark.parametrize("label", [*LABELS, *SLOW_LABELS])
@pytest.mark.parametrize(
    "text",
    ["行\n" * 200_000 + "\n\n終", "\n" * 200_000, "# 一\n\n" + "段落。続き。\n\n" * 20_000, "「" * 200_000 + "。"],
    ids=["far break", "line ends", "one heading", "brackets"],
)
def test_a_long_text_takes_seconds(label: str, text: str) -> None:  # P122
    start = time.process_time()
    catalog.chunker(label).chunk(corpus_of({"long": text}))
    # "A few seconds" for code points; morphemes, phrases and embeddings of 200,000 characters take some more.
    assert time.process_time() - start < 30


# ------------------------------------------------------------------------------------------------ a third party's
@dataclasses.dataclass(frozen=True)
class Stops:
    """A third party's chunker: a chunk ends behind every full stop, in every document."""

    name = "stops"
    version = 1

    stop: str = "。"

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Corpus) -> Chunking:
        start, end = [], []
        for text, origin in zip(corpus.texts, corpus.document_start.tolist(), strict=False):
            low = 0
            for place, character in enumerate(text, start=1):
                if character == self.stop or place == len(text):
                    start.append(origin + low)
                    end.append(origin + place)
                    low = place
        return Chunking(corpus, np.array(start, dtype=np.int64), np.array(end, dtype=np.int64))


class Plain:
    """As little as there can be: no label, no name, no version."""

    def chunk(self, corpus: Corpus) -> Chunking:
        return Stops().chunk(corpus)


def test_a_chunker_of_a_third_party_conforms() -> None:
    check_chunker(Stops(), gaps="none", rounds=5)
    check_chunker(Stops("、"), gaps="none", rounds=1, linear=False)
    check_chunker(Plain(), rounds=1, linear=False)


def test_a_tokenizer_of_a_third_party_counts() -> None:
    check_chunker(Fixed(3, 1, "token", Clusters()), size=3, tokenizer=Clusters(), rounds=2, linear=False)


def test_nothing_but_kugiri_is_needed() -> None:
    script = (
        "import sys\n"
        "sys.modules['pytest'] = sys.modules['hypothesis'] = None\n"
        "import kugiri.testing\n"
        "assert 'numpy' not in sys.modules\n"
        "from kugiri import Fixed\n"
        "kugiri.testing.check_chunker(Fixed(5), gaps='none', size=5, rounds=1, linear=False)\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


def test_what_is_public() -> None:
    assert set(dir(kugiri.testing)) == set(kugiri.testing.__all__)
    assert all(getattr(kugiri.testing, name) is not None for name in kugiri.testing.__all__)
    with pytest.raises(AttributeError, match="no attribute 'check_chunkr'"):
        _ = kugiri.testing.check_chunkr


@pytest.mark.parametrize(
    ("chunker", "arguments", "where"),
    [
        (Fixed(3), {"gaps": "white"}, "gaps"),
        (Fixed(3), {"tokenizer": "gpt-5"}, "tokenizer"),
        (object(), {}, "check_chunker()"),
        ("fixed(size=3)", {}, "check_chunker()"),
    ],
)
def test_what_cannot_be_checked_is_refused(chunker: Any, arguments: dict[str, Any], where: str) -> None:
    with pytest.raises(InputError) as caught:
        check_chunker(chunker, **arguments)
    assert caught.value.where == where


# ------------------------------------------------------------------------------------------------ the texts
def every_text() -> Iterator[str]:
    for _, corpus in hostile_corpora():
        yield from corpus.texts


def test_the_texts_have_what_goes_wrong() -> None:
    together = "".join(every_text())
    hostile = "\u3099\u0301\u200d\ufe0f\u3000\u200b\ufeff\u2028\u2029\x85\x0b\u00a0🇯👩ｶﾞ㍿「」（）#|"
    assert set(hostile) <= set(together)
    assert "\r\n" in together
    lengths = {len(text) for text in every_text()}
    assert {0, 1, LONG} <= lengths
    corpora = dict(hostile_corpora())
    assert len(corpora["no documents"]) == 0
    assert len(corpora["many documents"]) == 20
    assert len(corpora["recorded paragraphs"].paragraph_start) > 10
    assert corpora["no separator"].texts[0].isalpha()
    assert all(len(first + repeated) for _, first, repeated in growing_texts())


def test_drawn_texts_are_those_of_the_seed() -> None:
    assert drawn_corpus(3, 4).texts == drawn_corpus(3, 4).texts != drawn_corpus(4, 3).texts
    drawn = [drawn_corpus(1, number) for number in range(200)]
    together = "".join("".join(corpus.texts) for corpus in drawn)
    assert all(piece in together for piece in PIECES)
    assert any("" in corpus.texts for corpus in drawn)
    assert any(len(corpus.paragraph_start) for corpus in drawn)


# ------------------------------------------------------------------------------------------------ broken ones
def raw(corpus: Corpus, start: Any, end: Any) -> Chunking:
    """A chunking that its constructor would refuse."""
    made = object.__new__(Chunking)
    for name, value in (("corpus", corpus), ("start", np.asarray(start)), ("end", np.asarray(end)), ("merged", 0)):
        object.__setattr__(made, name, value)
    return made


def edges(corpus: Corpus) -> tuple[Any, Any]:
    filled = np.flatnonzero(np.diff(corpus.document_start))
    return corpus.document_start[filled], corpus.document_start[filled + 1]


class Broken:
    """A chunker that is what a function makes of a corpus."""

    def __init__(self, function: Callable[[Corpus], Any], label: str = "broken()", **more: Any) -> None:
        self.function, self.label = function, label
        for name, value in more.items():
            setattr(self, name, value)

    def __str__(self) -> str:
        return self.label

    def chunk(self, corpus: Corpus) -> Any:
        return self.function(corpus)


def empty_chunks(corpus: Corpus) -> Chunking:
    start, _ = edges(corpus)
    return raw(corpus, start, start)


def beyond_the_text(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    return raw(corpus, start, end + (end == corpus.characters))


def before_the_text(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    return raw(corpus, start - (start == 0), end)


def two_documents(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    return raw(corpus, start[::2], np.append(end[1::2], end[-1:])[: len(start[::2])])


def backwards(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    return raw(corpus, start[::-1], end[::-1])


def nested(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    long = end - start > 2
    return raw(corpus, np.concatenate((start, start[long] + 1)), np.concatenate((end, end[long] - 1)))


def twice(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    return raw(corpus, np.repeat(start, 2), np.repeat(end, 2))


def without_the_last(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    end = end - (end - start > 1)
    return Chunking(corpus, start, end)


def without_white_space(corpus: Corpus) -> Chunking:
    return trimmed(Chunking(corpus, *edges(corpus)))


def another_corpus(corpus: Corpus) -> Chunking:
    return Fixed(3).chunk(Corpus.from_documents(corpus.info, [corpus.document(d) for d in range(len(corpus))]))


def refused_by_the_constructor(corpus: Corpus) -> Chunking:
    start, end = edges(corpus)
    return Chunking(corpus, start[::-1], end[::-1])


def raising(corpus: Corpus) -> Chunking:
    if any("\u3099" in text for text in corpus.texts):
        message = "no voicing marks,\nplease"
        raise ValueError(message)
    return Fixed(3).chunk(corpus)


def over_the_edge(corpus: Corpus) -> Chunking:
    """CRLF is found on the joined texts, where two documents may make one."""
    joined = "".join(corpus.texts)
    cuts = {*corpus.document_start.tolist()} | {place for place in range(len(joined)) if joined[place] == "\n"}
    cuts -= {place for place in range(1, len(joined)) if joined[place - 1 : place + 1] == "\r\n"}
    cuts |= set(corpus.document_start.tolist())
    sizes = sorted(cuts)
    if any(
        "\r\n" in joined[place - 1 : place + 1]
        for place in corpus.document_start.tolist()
        if 0 < place < corpus.characters
    ):
        return Fixed(2).chunk(corpus)
    return Chunking(corpus, np.array(sizes[:-1], dtype=np.int64), np.array(sizes[1:], dtype=np.int64))


def by_the_number_of_documents(corpus: Corpus) -> Chunking:
    return Fixed(5 if len(corpus) < 4 else 4).chunk(corpus)


def changing_metadata(corpus: Corpus) -> Chunking:
    for record in corpus.metadata:
        record["seen"] = True  # type: ignore[index]
    return Fixed(3).chunk(corpus)


def writing_on_the_axis(corpus: Corpus) -> Chunking:
    corpus.document_start.flags.writeable = True
    return Fixed(3).chunk(corpus)


def quadratic(corpus: Corpus) -> Chunking:
    for text in corpus.texts:
        if len(text) < LONG:
            for _ in range(len(text) ** 2 // 300):
                pass
    return Chunking(corpus, *edges(corpus))


class Alternating:
    """Its chunks depend on how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def chunk(self, corpus: Corpus) -> Chunking:
        self.asked += 1
        return Fixed(3 + self.asked % 2).chunk(corpus)


@dataclasses.dataclass
class Remembering:
    """Equal to another that was never changed, and cuts otherwise."""

    size: int
    changed: int = dataclasses.field(default=0, init=False, compare=False, repr=False)

    def chunk(self, corpus: Corpus) -> Chunking:
        return Fixed(self.size + self.changed).chunk(corpus)


@dataclasses.dataclass
class Counted:
    """Its label tells how many there are."""

    made = 0

    def __post_init__(self) -> None:
        type(self).made += 1
        self.number = self.made

    def __str__(self) -> str:
        return f"counted({self.number})"

    def chunk(self, corpus: Corpus) -> Chunking:
        return Fixed(3).chunk(corpus)


class Ranking:
    """A chunker with an index that is wrong."""

    def __init__(self, index: Callable[[Chunking], Any]) -> None:
        self.index = index

    def chunk(self, corpus: Corpus) -> Chunking:
        return Fixed(6).chunk(corpus)

    def indexed(self, chunking: Chunking) -> Any:
        return self.index(chunking)


def parents_of(chunking: Chunking, vectors: Chunking) -> np.ndarray:
    return np.searchsorted(chunking.start, vectors.start, side="right") - 1


def reaching_out(chunking: Chunking) -> Indexed:
    vectors = Fixed(4).chunk(chunking.corpus)
    return Indexed(chunking, vectors, parents_of(chunking, vectors))


def half(chunking: Chunking) -> Indexed:
    start, end = chunking.start, chunking.start + (chunking.lengths + 1) // 2
    return Indexed(chunking, Chunking(chunking.corpus, start, end), np.arange(len(chunking)))


def others(chunking: Chunking) -> Indexed:
    return Indexed.of(Fixed(7).chunk(chunking.corpus))


def numbers(chunking: Chunking) -> Indexed:
    return Indexed(chunking, chunking, context=tuple(range(len(chunking))))  # type: ignore[arg-type]


def changed() -> Remembering:
    made = Remembering(3)
    made.changed = 1
    return made


def unreadable() -> Paragraph:
    """A chunker of ours that was changed into one that no label writes."""
    made = Paragraph()
    object.__setattr__(made, "trim", 1)
    return made


class Contexts(Ranking):
    """Its contexts depend on the neighbours of a document."""

    def __init__(self) -> None:
        super().__init__(lambda c: Indexed(c, c, context=tuple(f"{len(c.corpus)}" for _ in range(len(c)))))


BROKEN: dict[str, tuple[str, Callable[[], Any], dict[str, Any]]] = {
    "its label has two lines": ("label", lambda: Broken(Fixed(3).chunk, "two\nlines"), {}),
    "its label is empty": ("label", lambda: Broken(Fixed(3).chunk, ""), {}),
    "its label counts": ("label", Counted, {}),
    "its label is not read back": ("label", unreadable, {}),
    "it raises": ("runs", lambda: Broken(raising), {}),
    "it decreases and the constructor says so": ("runs", lambda: Broken(refused_by_the_constructor), {}),
    "it changes metadata": ("untouched", lambda: Broken(changing_metadata), {}),
    "it makes the axis writable": ("untouched", lambda: Broken(writing_on_the_axis), {}),
    "it returns a list": ("chunking", lambda: Broken(lambda corpus: []), {}),
    "it returns nothing": ("chunking", lambda: Broken(lambda corpus: None), {}),
    "it cuts a copy": ("chunking", lambda: Broken(another_corpus), {}),
    "its columns are floats": ("chunking", lambda: Broken(lambda c: raw(c, edges(c)[0] * 1.0, edges(c)[1])), {}),
    "its columns differ": ("chunking", lambda: Broken(lambda c: raw(c, edges(c)[0][:-1], edges(c)[1])), {}),
    "its chunks are empty": ("bounds", lambda: Broken(empty_chunks), {}),
    "it goes beyond the text": ("bounds", lambda: Broken(beyond_the_text), {}),
    "it starts before the text": ("bounds", lambda: Broken(before_the_text), {}),
    "it joins documents": ("document", lambda: Broken(two_documents), {}),
    "it goes backwards": ("order", lambda: Broken(backwards), {}),
    "its chunks are nested": ("order", lambda: Broken(nested), {}),
    "it says everything twice": ("distinct", lambda: Broken(twice), {}),
    "it drops the last character": ("coverage", lambda: Broken(without_the_last), {}),
    "it drops white space": ("coverage", lambda: Broken(without_white_space), {"gaps": "none"}),
    "it drops what is not recorded": ("coverage", Paragraph, {}),
    "it drops what is recorded": ("coverage", lambda: Broken(without_the_last), {"gaps": "paragraphs"}),
    "its chunks are too large": ("size", lambda: Fixed(6), {"size": 5}),
    "its chunks have too many tokens": ("size", lambda: Fixed(6), {"size": 5, "tokenizer": "cl100k"}),
    "its chunks have too many clusters": ("size", lambda: Fixed(6), {"size": 5, "tokenizer": Clusters()}),
    "it trims nothing": ("trim", lambda: Broken(Fixed(3).chunk, trim=True), {}),
    "its index is none": ("indexed", lambda: Ranking(lambda chunking: [chunking]), {}),
    "its index delivers others": ("indexed", lambda: Ranking(others), {}),
    "its children reach out": ("indexed", lambda: Ranking(reaching_out), {}),
    "its children are half of it": ("indexed", lambda: Ranking(half), {}),
    "its contexts are numbers": ("indexed", lambda: Ranking(numbers), {}),
    "it alternates": ("repeatable", Alternating, {}),
    "it remembers": ("repeatable", changed, {}),
    "it counts documents": ("independent", lambda: Broken(by_the_number_of_documents), {}),
    "it joins what two documents make": ("independent", lambda: Broken(over_the_edge), {}),
    "its contexts count documents": ("independent", Contexts, {}),
    "it is quadratic": ("linear", lambda: Broken(quadratic), {"linear": True}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_chunker_is_caught_by_what_it_breaks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    invariant, made, arguments = BROKEN[name]
    # Smaller than they are: what is quadratic takes its time.
    for size, small in {"_SMALL": 1_000, "_LARGE": 8_000, "_LARGEST": 64_000, "_FAST": 0.002}.items():
        monkeypatch.setattr(conformance, size, small)
    with pytest.raises(ConformanceError) as caught:
        check_chunker(made(), **{"rounds": 1, "linear": False, **arguments})
    assert caught.value.invariant == invariant, caught.value
    assert f"breaks {invariant!r}" in caught.value.what
    assert INVARIANTS[invariant] in caught.value.remedy


def test_every_check_can_fail() -> None:
    assert {invariant for invariant, _, _ in BROKEN.values()} == set(INVARIANTS)


def test_an_error_tells_the_text_and_the_place() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_chunker(Broken(without_the_last), gaps="none", rounds=0, linear=False)
    error = caught.value
    assert error.what == "broken() breaks 'coverage': the character at [20, 21) is in no chunk"
    assert error.where.startswith("corpus 'joined characters', document 'combining marks' of 21 characters, around ")
    assert error.where.endswith("【。】")
    assert error.text == dict(hostile_corpora())["joined characters"].texts[0]
    assert len(str(error).splitlines()) == 3


def test_an_error_of_the_chunker_is_its_cause() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_chunker(Broken(raising), rounds=0, linear=False)
    assert isinstance(caught.value.__cause__, ValueError)
    assert "ValueError: no voicing marks,\\nplease" in caught.value.what


def test_a_gap_that_is_declared_is_none() -> None:
    check_chunker(Broken(without_the_last), gaps="declared", rounds=2, linear=False)
    check_chunker(Broken(without_white_space), rounds=2, linear=False)
    check_chunker(Ranking(half), gaps="declared", rounds=0, linear=False)
