"""The checks that every chunker must pass, ours and third parties'."""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from kugiri import catalog
from kugiri.errors import InputError
from kugiri.evidence.loss import MakesChunks
from kugiri.labels import label_of
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import Indexed
from kugiri.segmenters.tokenizers import FindsTokens
from kugiri.segmenters.tokenizers import tokenizer as tokenizer_of
from kugiri.testing.hostile import LONG, corpus_of, drawn_corpus, growing_texts, hostile_corpora
from kugiri.testing.invariants import GAPS, Demands, Gaps, Subject, check_chunking, check_indexed
from kugiri.visible import one_line

_SMALL, _LARGE, _LARGEST = 2_500, 40_000, 320_000
_ALLOWED = 3
_FAST = 0.05
"""Seconds of a processor in which nothing is called slow: below, clocks tell little."""
_PLAIN = (str, int, float, bool, type(None))


def check_chunker(
    chunker: MakesChunks,
    *,
    gaps: Gaps = "white space",
    size: int | None = None,
    tokenizer: str | FindsTokens | None = None,
    seed: int = 1,
    rounds: int = 20,
    linear: bool = True,
) -> None:
    """Run the chunker over hostile texts and check every invariant of `kugiri.testing.INVARIANTS`.

    The texts come with kugiri (`kugiri.testing.hostile`); further ones are drawn from the seed, the same for the same
    seed. Nothing else is needed, no test framework either.

    Args:
        chunker: anything with `chunk(corpus)`. Where it has `trim = True`, white space at edges is a fault; where it
            has `indexed`, what that returns is checked too.
        gaps: the characters that may be in no chunk: "white space", "none" of them, those between recorded "paragraphs"
            and white space, or any, because the strategy leaves text out and says so ("declared").
        size: the largest chunk; None does not look at sizes.
        tokenizer: what the size counts (`kugiri.segmenters.tokenizers`); None counts code points.
        seed: of the drawn texts.
        rounds: how many corpora are drawn.
        linear: whether time is measured: 16 times the text may take 48 times as long, in processor time, the best of
            several (a loop inside a loop takes 256), and where it takes longer, so may 8 times that text not take 24
            times as long; what takes less than 0.05 s is not looked at.

    Raises:
        ConformanceError: an invariant does not hold: which, on which text and how.
        InputError: an unknown `gaps` or `tokenizer`; the chunker is none.
    """
    if gaps not in GAPS:
        raise InputError(f"gaps = {gaps!r} is unknown", "gaps", f"use one of: {', '.join(GAPS)}")
    if not callable(getattr(chunker, "chunk", None)):
        raise InputError(f"{chunker!r} is no chunker", "check_chunker()", "give an object with chunk(corpus)")
    counted = None if tokenizer is None else tokenizer_of(tokenizer)
    demands = Demands(gaps, size, counted, getattr(chunker, "trim", False) is True)
    equals = _equals(chunker)
    for name, corpus in _corpora(seed, rounds):
        subject = Subject(label_of(chunker), name, corpus)
        made = _cut(subject, chunker, demands)
        # The long text costs as much as all the others together, and shows nothing new of what follows.
        if corpus.characters < LONG:
            _check_repeatable(subject, chunker, equals, made)
            _check_independent(subject, chunker, made)
    if linear:
        _check_linear(chunker)


def _corpora(seed: int, rounds: int) -> Iterator[tuple[str, Corpus]]:
    yield from hostile_corpora()
    for number in range(rounds):
        yield f"drawn, seed {seed}, round {number}", drawn_corpus(seed, number)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """What a chunker makes of a corpus."""

    chunking: Chunking
    indexed: Indexed | None

    @classmethod
    def by(cls, chunker: Any, corpus: Corpus) -> _Made:
        chunking = chunker.chunk(corpus)
        own = getattr(chunker, "indexed", None)
        return cls(chunking, own(chunking) if callable(own) and isinstance(chunking, Chunking) else None)

    def of_document(self, document: int) -> tuple[Any, ...]:
        """All of it for one document, in the document's own offsets."""
        chunking, indexed = self.chunking, self.indexed
        low, high = chunking.corpus.document_start[document : document + 2].tolist()
        first, last = np.searchsorted(chunking.start, (low, high)).tolist()
        chunks = (chunking.start[first:last] - low).tolist(), (chunking.end[first:last] - low).tolist()
        if indexed is None:
            return chunks
        vectors = indexed.vectors
        one, behind = np.searchsorted(vectors.start, (low, high)).tolist()
        ranked = (vectors.start[one:behind] - low).tolist(), (vectors.end[one:behind] - low).tolist()
        parents = None if indexed.parent is None else (indexed.parent[one:behind] - first).tolist()
        return *chunks, *ranked, parents, None if indexed.context is None else indexed.context[one:behind]

    def same_as(self, other: _Made) -> bool:
        """Whether the other is the same, of the same corpus."""
        if self.indexed is None or other.indexed is None:
            return self.indexed is other.indexed and self.chunking.same_as(other.chunking)
        return self.chunking.same_as(other.chunking) and self.indexed.same_as(other.indexed)


def _cut(subject: Subject, chunker: Any, demands: Demands) -> _Made:
    corpus = subject.corpus
    before = _remembered(corpus)
    with subject:
        made = _Made.by(chunker, corpus)
    if not _is_as(corpus, before):
        raise subject.fault("untouched", "the corpus is another after chunk()")
    check_chunking(subject, made.chunking, demands)
    if callable(getattr(chunker, "indexed", None)):
        check_indexed(subject, made.chunking, made.indexed, demands.gaps)
    return made


def _remembered(corpus: Corpus) -> tuple[Any, ...]:
    columns = (corpus.document_start, corpus.paragraph_start, corpus.paragraph_end)
    texts = (corpus.info, corpus.ids, corpus.texts, corpus.titles, copy.deepcopy(corpus.metadata))
    return texts, tuple(column.copy() for column in columns)


def _is_as(corpus: Corpus, before: tuple[Any, ...]) -> bool:
    texts, columns = _remembered(corpus)
    same: bool = texts == before[0] and all(map(np.array_equal, columns, before[1]))
    return same and not any(
        column.flags.writeable for column in (corpus.document_start, corpus.paragraph_start, corpus.paragraph_end)
    )


def _equals(chunker: Any) -> list[Any]:
    """Chunkers that are equal to this one: made again from its fields, and read from its label where it is of ours.

    Raises:
        ConformanceError: their labels differ, or the label is read as another chunker.
    """
    label = label_of(chunker)
    subject = Subject(label, "no documents", corpus_of({}))
    if not isinstance(label, str) or not label or one_line(label) != label:
        raise subject.fault("label", f"{label!r} is no line of text")
    fields = dataclasses.is_dataclass(chunker) and not isinstance(chunker, type)
    with subject:
        again = dataclasses.replace(chunker) if fields else copy.copy(chunker)
    if label_of(again) != label:
        raise subject.fault("label", f"an equal chunker has the label {label_of(again)!r}")
    if not (_catalogued(chunker) and _written(chunker)):
        return [again]
    try:
        read = catalog.chunker(label)
    except InputError as error:
        raise subject.fault("label", f"it is not read back: {error.what}") from error
    if read != chunker:
        raise subject.fault("label", f"it is read back as {read!r}")
    return [again, read]


def _catalogued(component: Any) -> bool:
    """Whether a component is one of the catalogue's own."""
    name = getattr(component, "name", None)
    return any(
        name in names and type(component) is catalog.known_class(kind, name, "check_chunker()")
        for kind, names in catalog.CATALOG.items()
        if isinstance(name, str)
    )


def _written(value: Any) -> bool:
    """Whether a label can write the value: a third party's tokenizer, for one, has a name and no label."""
    if isinstance(value, _PLAIN):
        return True
    if isinstance(value, tuple):
        return all(map(_written, value))
    return _catalogued(value) and all(_written(getattr(value, field.name)) for field in dataclasses.fields(value))


def _check_repeatable(subject: Subject, chunker: Any, equals: list[Any], made: _Made) -> None:
    for other, who in ((chunker, "a second time"), *((equal, "by an equal chunker") for equal in equals)):
        with subject:
            again = _Made.by(other, subject.corpus)
        if not isinstance(again.chunking, Chunking) or not made.same_as(again):
            raise subject.fault("repeatable", f"other chunks {who}")


def _check_independent(subject: Subject, chunker: Any, made: _Made) -> None:
    corpus = subject.corpus
    for number in range(len(corpus) if len(corpus) > 1 else 0):
        alone = corpus_of([corpus.document(number)])
        with Subject(subject.label, subject.name, alone):
            cut = _Made.by(chunker, alone)
        if cut.of_document(0) != made.of_document(number):
            raise subject.fault("independent", "other chunks when the document is alone", number)


def _check_linear(chunker: Any) -> None:
    for name, first, repeated in growing_texts():
        text = first + repeated * (_LARGEST // len(repeated))
        small, large = text[:_SMALL], text[:_LARGE]
        known = _seconds(chunker, large)
        # Where the small text shows growth, the larger must too: pieces of bounded length may cost what they like.
        if known > _FAST and _grows(chunker, small, large, known) and (seen := _grows(chunker, large, text)):
            how = f"{_LARGE} characters take {seen[0]:.3f} s, {_LARGEST} take {seen[1]:.3f} s"
            raise Subject(label_of(chunker), name, corpus_of({"growing": text})).fault("linear", how, 0)


def _grows(chunker: Any, small: str, large: str, known: float | None = None) -> tuple[float, float] | None:
    """The seconds of both, where those of the large text are too many more; None where they are not.

    What looks slow is measured again: a machine with other work has its moments.
    """
    allowed = _ALLOWED * len(large) / len(small)
    short = _seconds(chunker, small)
    long = _seconds(chunker, large) if known is None else known
    for _ in range(3):
        if long <= allowed * short:
            return None
        short, long = min(short, _seconds(chunker, small)), min(long, _seconds(chunker, large))
    return (short, long) if long > allowed * short else None


def _seconds(chunker: Any, text: str) -> float:
    """Processor time for one text, of a corpus that nobody has seen, so that nothing is remembered of it."""
    corpus = corpus_of({"growing": text})
    with Subject(label_of(chunker), "growing", corpus):
        start = time.process_time()
        chunker.chunk(corpus)
        return time.process_time() - start
