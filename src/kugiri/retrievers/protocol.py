"""What a retriever is, and what it is given."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Protocol

from kugiri.errors import InputError
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int32, Int64
from kugiri.model.corpus import Corpus
from kugiri.model.run import Run
from kugiri.retrievers.cache import RetrievalCache


class Retriever(Protocol):
    """A frozen dataclass whose fields are its parameters; its label is its text."""

    name: ClassVar[str]
    version: ClassVar[int]

    @property
    def depth(self) -> int:
        """How many chunks it ranks for a question."""
        ...

    def rank(self, task: RetrievalTask) -> Run:
        """The best chunks of the task's chunking for each of its questions."""
        ...


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class EvidenceRanges:
    """Where the answers are: for `oracle()` and for no other retriever.

    Attributes:
        first, last: int64[S]; the chunks that contain span `s` are `[first[s], last[s])`.
        alternative: int32[S], the alternative of each span.
        question: int32[A], the question of each alternative, non-decreasing.
    """

    first: Int64
    last: Int64
    alternative: Int32
    question: Int32


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class RetrievalTask:
    """Questions to ask of one chunking.

    Attributes:
        question_ids, question_texts: row `i` is question `i`, in the run too.
        ranges: the evidence, None where nobody may know it.
        cache: what is shared between tasks over the same corpus.
        context: a text for each chunk that the index holds in front of the chunk's own; None for none.

    Raises:
        InputError: the chunking has no chunk, so there is nothing to index.
        ValueError: the columns differ in length, or the cache belongs to another corpus.
    """

    chunking: Chunking
    question_ids: tuple[str, ...]
    question_texts: tuple[str, ...]
    ranges: EvidenceRanges | None = None
    cache: RetrievalCache = dataclasses.field(default_factory=RetrievalCache)
    context: tuple[str, ...] | None = None
    _runs: dict[str, Run] = dataclasses.field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.context is not None and len(self.context) != len(self.chunking):
            message = f"{len(self.context)} contexts for {len(self.chunking)} chunks"
            raise ValueError(message)
        if len(self.question_ids) != len(self.question_texts):
            message = f"{len(self.question_ids)} question ids and {len(self.question_texts)} texts"
            raise ValueError(message)
        if not len(self.chunking):
            raise InputError(
                "there is no chunk to index",
                f"corpus {self.corpus.info.name!r}",
                "give documents with text, or choose a chunker that leaves some of it",
            )
        self.cache.bind(self.corpus)

    @property
    def corpus(self) -> Corpus:
        """The documents that were cut."""
        return self.chunking.corpus

    def run_of(self, retriever: Retriever) -> Run:
        """The retriever's run, ranked once: a fusion and a row of the sweep may ask for the same one."""
        label = str(retriever)
        if label not in self._runs:
            self._runs[label] = retriever.rank(self)
        return self._runs[label]
