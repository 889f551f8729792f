"""What an import format is, and what it reads: paragraphs in file order with the questions about each, or documents."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Protocol

from kugiri.model.corpus import Document
from kugiri.model.questions import Excluded, Question


@dataclasses.dataclass(frozen=True, slots=True)
class SourceAnswer:
    """`[start, end)` of its paragraph in code points; its text has been compared with what the source quotes."""

    start: int
    end: int


@dataclasses.dataclass(frozen=True, slots=True)
class SourceQuestion:
    """A question about one paragraph; without an answer it is unanswerable."""

    id: str
    question: str
    answers: tuple[SourceAnswer, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class SourceParagraph:
    """One text of the source.

    Attributes:
        article: the running number of the article it belongs to, over all files.
        title: the article's title, None where the source gives none.
    """

    text: str
    article: int
    title: str | None
    questions: tuple[SourceQuestion, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """What a format read: paragraphs that are to be joined, or documents that are whole already.

    Attributes:
        excluded: the questions that could not be kept, by name and reason, in file order.
        warnings: what the user should know of them, one line each.
        documents, questions: of a source that has no paragraphs to join.
        files: what was read, where the paths given were folders; empty where it was the paths themselves.
    """

    paragraphs: tuple[SourceParagraph, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    warnings: tuple[str, ...] = ()
    documents: tuple[Document, ...] = ()
    questions: tuple[Question, ...] = ()
    files: tuple[Path, ...] = ()


class Format(Protocol):
    """A frozen dataclass whose fields are its parameters; they are recorded in the `corpus.toml` it leads to.

    Attributes:
        language: of the texts (BCP 47), None where the format does not say.
        licence, origin: of the data, None where the format does not say.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    language: ClassVar[str | None]
    licence: ClassVar[str | None]
    origin: ClassVar[str | None]

    def read(self, paths: Sequence[Path]) -> Source:
        """The paragraphs and questions of these files, in this order."""
        ...
