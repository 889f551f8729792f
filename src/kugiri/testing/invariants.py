"""What every chunking obeys, as checks that can each fail."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal, Self

import numpy as np
import regex

from kugiri.errors import InvariantError
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Int64, first_false
from kugiri.model.corpus import Corpus, surroundings
from kugiri.model.indexed import Indexed
from kugiri.segmenters.tokenizers import Tokenizer
from kugiri.segmenters.white_space import white_runs
from kugiri.visible import shortened

Gaps = Literal["white space", "none", "paragraphs", "declared"]
GAPS = ("white space", "none", "paragraphs", "declared")

INVARIANTS: Mapping[str, str] = {
    "label": "a label is one line, that of an equal chunker too; one of the catalogue is read back as the same chunker",
    "runs": "every corpus is cut, whatever its texts are; nothing is raised",
    "untouched": "a corpus is never changed",
    "chunking": "chunk() returns a Chunking of the corpus that it was given",
    "bounds": "0 <= start < end <= length",
    "document": "a chunk lies in one document",
    "order": "neither starts nor ends ever decrease",
    "distinct": "no two chunks are equal",
    "coverage": "every character is in some chunk, white space excepted; `gaps` says where a strategy means otherwise",
    "size": "no chunk is larger than the size, measured as it is emitted; one cluster or token may be",
    "trim": "a chunker that trims leaves no white space at an edge",
    "indexed": "what indexed() ranks lies inside the chunks that it delivers, and they are those of chunk()",
    "repeatable": "the same chunks a second time, and of an equal chunker",
    "independent": "a document is cut the same whatever stands beside it",
    "linear": "time grows as the length of a text does",
}
"""The name of each invariant → what it demands."""

_CLUSTER = regex.compile(r"\X", regex.DOTALL)


class ConformanceError(InvariantError):
    """A chunker that breaks an invariant.

    Attributes:
        invariant: which, one of `INVARIANTS`.
        text: the document it was seen on, whole; None where it is not about one document.
    """

    def __init__(
        self,
        what: str,
        where: str,
        remedy: str,
        listing: tuple[str, ...] = (),
        invariant: str = "",
        text: str | None = None,
    ) -> None:
        super().__init__(what, where, remedy, listing)
        self.invariant, self.text = invariant, text


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A chunker on a corpus.

    Attributes:
        label: the chunker's.
        name: what the corpus is called.
    """

    label: str
    name: str
    corpus: Corpus

    def fault(self, invariant: str, how: str, document: int | None = None, around: str = "") -> ConformanceError:
        """The error that tells which invariant does not hold, on which text and how."""
        text = None if document is None else self.corpus.texts[document]
        where = f"corpus {self.name!r}"
        if document is not None and text is not None:
            where += f", document {self.corpus.ids[document]!r} of {len(text)} characters"
            where += f", around {around}" if around else f": {shortened(text)!r}"
        remedy = f"correct the chunker: {INVARIANTS[invariant]}"
        return ConformanceError(f"{self.label} breaks {invariant!r}: {how}", where, remedy, (), invariant, text)

    def fault_at(self, invariant: str, how: str, start: int, end: int) -> ConformanceError:
        """The error for `[start, end)` of the axis, told in offsets of the document; `how` may have a `{place}`."""
        if not len(self.corpus):
            return self.fault(invariant, how.format(place=f"[{start}, {end})"))
        near = np.array([min(max(start, 0), max(self.corpus.characters - 1, 0))])
        document = min(int(self.corpus.document_of(near)[0]), len(self.corpus) - 1)
        origin = int(self.corpus.document_start[document])
        low, high = start - origin, end - origin
        around = surroundings(self.corpus.texts[document], low, high)
        return self.fault(invariant, how.format(place=f"[{low}, {high})"), document, around)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """What a third party's chunker raises in this block is a fault of its own, on this text.

        Raises:
            ConformanceError: it raises.
        """
        if isinstance(error, Exception):
            how = f"{type(error).__name__}: {shortened(str(error), 200)}"
            raise self.fault("runs", how, 0 if len(self.corpus) == 1 else None) from error


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Demands:
    """What is demanded beyond what holds for every chunking.

    Attributes:
        gaps: which characters may be in no chunk.
        size: the largest chunk, in tokens of `tokenizer` or in code points without one.
        trim: whether no chunk may have white space at its edges.
    """

    gaps: Gaps
    size: int | None
    tokenizer: Tokenizer | None
    trim: bool


def check_chunking(subject: Subject, chunking: object, demands: Demands) -> None:
    """Whatever can be seen of the chunks alone.

    Raises:
        ConformanceError: an invariant does not hold.
    """
    if not isinstance(chunking, Chunking):
        raise subject.fault("chunking", f"chunk() returns {type(chunking).__name__}")
    if chunking.corpus is not subject.corpus:
        raise subject.fault("chunking", "the chunks are of another corpus")
    _check_columns(subject, chunking)
    white = _white(subject.corpus)
    missing = first_false(~_demanded(subject.corpus, white, demands.gaps) | _covered(chunking))
    if missing is not None:
        raise subject.fault_at("coverage", "the character at {place} is in no chunk", missing, missing + 1)
    if demands.trim:
        edge = first_false(~(white[chunking.start] | white[chunking.end - 1]))
        if edge is not None:
            raise _fault_of(subject, "trim", "chunk {place} has white space at an edge", chunking, edge)
    if demands.size is not None:
        _check_size(subject, chunking, demands.size, demands.tokenizer)


def check_indexed(subject: Subject, chunking: Chunking, indexed: object, gaps: Gaps) -> None:
    """What the chunker's `indexed` makes of these chunks.

    Raises:
        ConformanceError: an invariant does not hold.
    """
    if not isinstance(indexed, Indexed):
        raise subject.fault("indexed", f"indexed() returns {type(indexed).__name__}")
    if indexed.delivered.corpus is not subject.corpus or not indexed.delivered.same_as(chunking):
        raise subject.fault("indexed", "indexed() delivers other chunks than it was given")
    if not all(isinstance(text, str) for text in indexed.context or ()):
        raise subject.fault("indexed", "a context is no text")
    vectors, parent = indexed.vectors, indexed.parent
    _check_columns(subject, vectors)
    if parent is None:
        return
    inside = (vectors.start >= chunking.start[parent]) & (vectors.end <= chunking.end[parent])
    outside = first_false(inside)
    if outside is not None:
        raise _fault_of(subject, "indexed", "what is ranked, {place}, reaches out of its parent", vectors, outside)
    if gaps == "declared":
        return
    demanded = _demanded(subject.corpus, _white(subject.corpus), gaps) & _covered(chunking)
    missing = first_false(~demanded | _covered(vectors))
    if missing is not None:
        how = "the character at {place} is in a chunk that is delivered, and in nothing that is ranked"
        raise subject.fault_at("indexed", how, missing, missing + 1)


def _check_columns(subject: Subject, chunking: Chunking) -> None:
    start, end, corpus = chunking.start, chunking.end, subject.corpus
    if not all(isinstance(column, np.ndarray) and column.dtype == np.int64 for column in (start, end)):
        raise subject.fault("chunking", "starts and ends are no int64 arrays")
    if start.ndim != 1 or start.shape != end.shape:
        raise subject.fault("chunking", f"starts and ends have the shapes {start.shape} and {end.shape}")

    def demand(invariant: str, holds: Bool, how: str) -> None:
        bad = first_false(holds)
        if bad is not None:
            raise _fault_of(subject, invariant, how, chunking, bad)

    demand("bounds", (start >= 0) & (start < end) & (end <= corpus.characters), "chunk {place} is no slice of a text")
    limit = corpus.document_start[np.minimum(corpus.document_of(start) + 1, len(corpus))]
    demand("document", end <= limit, "chunk {place} goes on where its document ends")
    first = np.ones(min(len(start), 1), dtype=bool)
    rises = (start[1:] >= start[:-1]) & (end[1:] >= end[:-1])
    demand("order", np.concatenate((first, rises)), "chunk {place} starts or ends before the one in front of it")
    differs = (start[1:] > start[:-1]) | (end[1:] > end[:-1])
    demand("distinct", np.concatenate((first, differs)), "there are two chunks {place}")


def _fault_of(subject: Subject, invariant: str, how: str, chunking: Chunking, index: int) -> ConformanceError:
    return subject.fault_at(invariant, how, int(chunking.start[index]), int(chunking.end[index]))


def _white(corpus: Corpus) -> Bool:
    """bool[characters], which are white space."""
    start, end = white_runs(corpus)
    return _inside(corpus.characters, start, end)


def _covered(chunking: Chunking) -> Bool:
    """bool[characters], which are in some chunk."""
    return _inside(chunking.corpus.characters, chunking.start, chunking.end)


def _demanded(corpus: Corpus, white: Bool, gaps: Gaps) -> Bool:
    """bool[characters], which must be in some chunk."""
    if gaps == "declared":
        return np.zeros(corpus.characters, dtype=bool)
    if gaps == "none":
        return np.ones(corpus.characters, dtype=bool)
    if gaps == "white space":
        return ~white
    lengths = np.diff(corpus.document_start)
    recorded = np.zeros(len(corpus), dtype=bool)
    recorded[corpus.document_of(corpus.paragraph_start)] = True
    inside = _inside(corpus.characters, corpus.paragraph_start, corpus.paragraph_end)
    return np.asarray(~white & (inside | np.repeat(~recorded, lengths)))


def _inside(characters: int, start: Int64, end: Int64) -> Bool:
    """bool[characters], which lie in one of the slices."""
    count = characters + 1
    opened = np.bincount(start, minlength=count) - np.bincount(end, minlength=count)
    return np.asarray(np.cumsum(opened)[:characters] > 0)


def _check_size(subject: Subject, chunking: Chunking, size: int, counted: Tokenizer | None) -> None:
    pairs = list(zip(chunking.start.tolist(), chunking.end.tolist(), strict=True))
    texts = [subject.corpus.slice(low, high) for low, high in pairs]
    sizes = chunking.lengths if counted is None else counted.counts(texts)
    for index in np.flatnonzero(sizes > size).tolist():
        if not _uncuttable(texts[index], counted):
            how = f"chunk {{place}} has the size {int(sizes[index])}, and {size} is the largest"
            raise _fault_of(subject, "size", how, chunking, index)


def _uncuttable(text: str, counted: Tokenizer | None) -> bool:
    """Whether a text is one grapheme cluster, or has no place where one token ends and the next starts."""
    if _CLUSTER.fullmatch(text):
        return True
    if counted is None:
        return False
    start, end = counted.spans(text)
    return not bool((start[1:] >= end[:-1]).any())
