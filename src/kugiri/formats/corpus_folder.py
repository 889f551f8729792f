"""kugiri's own corpus folder: `corpus.toml`, `documents.jsonl`, `questions.jsonl`, `excluded.jsonl` (DESIGN §5)."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from kugiri.errors import InputError
from kugiri.formats.records import DocumentLine, ExcludedLine, QuestionLine, canonical
from kugiri.formats.strict import read_toml
from kugiri.formats.strict_json import read_jsonl
from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.model.questions import Excluded, Question, Questions
from kugiri.visible import one_line

INFO, DOCUMENTS, QUESTIONS, EXCLUDED = "corpus.toml", "documents.jsonl", "questions.jsonl", "excluded.jsonl"

_Record = TypeVar("_Record", Document, Question, Excluded)
_Built = TypeVar("_Built")


class _InfoFile(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    title: str
    language: str
    licence: str
    source: str
    description: str
    offset_unit: Literal["codepoint"] = "codepoint"
    built: dict[str, Any] = {}


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class LoadedCorpus:
    """A corpus folder in memory: `corpus, questions = load_corpus(folder)`.

    Attributes:
        documents_sha256, questions_sha256: of the canonical form of the records, so that they do not change with line
            ends, white space or the order of keys; for a folder that kugiri wrote, of the files themselves.
        unquoted: ids of the questions with a span that does not quote its text, whose offsets nothing confirms.
    """

    corpus: Corpus
    questions: Questions
    documents_sha256: str
    questions_sha256: str
    unquoted: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Corpus | Questions]:
        """The corpus, then its questions."""
        yield self.corpus
        yield self.questions

    def __repr__(self) -> str:
        return f"LoadedCorpus({self.corpus!r}, {self.questions!r})"


def read_corpus_info(folder: str | Path) -> CorpusInfo:
    """What the corpus folder says of itself.

    Raises:
        InputError: the folder or its `corpus.toml` is missing or not what it must be.
    """
    root = Path(folder)
    if not root.is_dir():
        previous = root.with_name(f"{root.name}.previous") if root.name else root
        raise InputError(
            "this is a file, and a corpus is a folder" if root.exists() else "there is no such corpus folder",
            str(root),
            f"an import was interrupted: rename {previous} to {root.name}, or import again"
            if not root.exists() and (previous / INFO).is_file()
            else f"give a folder with {INFO}, {DOCUMENTS} and {QUESTIONS}; `kugiri corpus import` makes one",
        )
    info = read_toml(root / INFO, _InfoFile)
    return CorpusInfo(info.name, info.title, info.language, info.licence, info.source, info.description, info.built)


def load_corpus(folder: str | Path) -> LoadedCorpus:
    """The corpus in a folder, every span of it verified.

    Raises:
        InputError: a file cannot be read; a record is not what DESIGN §5 says; ids collide; spans lie outside their
            document or differ from the text they quote; there is no document or no question.
    """
    root = Path(folder)
    info = read_corpus_info(root)
    document_lines = read_jsonl(root / DOCUMENTS, DocumentLine)
    question_lines = read_jsonl(root / QUESTIONS, QuestionLine)
    excluded_lines = read_jsonl(root / EXCLUDED, ExcludedLine) if (root / EXCLUDED).exists() else []
    documents = [(number, line.record()) for number, line in document_lines]
    questions = [(number, line.record()) for number, line in question_lines]
    excluded = [(number, line.record()) for number, line in excluded_lines]
    _check_ids(documents, root / DOCUMENTS, "documents", "document")
    _check_ids(questions, root / QUESTIONS, "questions", "question")
    _check_ids(excluded, root / EXCLUDED, "excluded questions", "excluded question")
    asked = {record.id for _, record in questions}
    for number, left_out in excluded:
        if left_out.id in asked:
            raise InputError(
                f"the question {left_out.id!r} is asked and excluded",
                f"{root / EXCLUDED}:{number}",
                f"remove it here or from {QUESTIONS}",
            )
    corpus = _at_line(lambda records: corpus_of(info, records), documents, root / DOCUMENTS)
    left_outs = [record for _, record in excluded]
    columns = _at_line(lambda records: Questions.from_records(corpus, records, left_outs), questions, root / QUESTIONS)
    return LoadedCorpus(
        corpus,
        columns,
        # The lines are canonical once their ids are text, which `record` has seen to.
        hashlib.sha256(canonical(line for _, line in document_lines)).hexdigest(),
        hashlib.sha256(canonical(line for _, line in question_lines)).hexdigest(),
        tuple(
            record.id
            for _, record in questions
            if any(span.text is None for spans in record.evidence for span in spans)
        ),
    )


def corpus_of(info: CorpusInfo, documents: Iterable[Document]) -> Corpus:
    """The corpus of these documents, whose ids must also differ once their characters are composed alike (NFC).

    Raises:
        InputError: there is no document; two ids look the same; whatever `Corpus` refuses.
    """
    records = tuple(documents)
    if not records:
        raise InputError("there is no document", "documents", "give at least one document with its text")
    composed: dict[str, str] = {}
    for record in records:
        other = composed.setdefault(unicodedata.normalize("NFC", record.id), record.id)
        if other != record.id:
            raise InputError(
                f"two document ids look the same and differ in how their characters are composed: "
                f"{other!a} and {record.id!a}",
                f"documents {other!r} and {record.id!r}",
                "rename one of them, or write both in NFC",
            )
    return Corpus.from_documents(info, records)


def _at_line(
    build: Callable[[Sequence[Any]], _Built], numbered: Sequence[tuple[int, Document | Question]], path: Path
) -> _Built:
    """What `build` makes of the records; an error gets the file, and the line of the record that causes it."""
    try:
        return build([record for _, record in numbered])
    except InputError as error:
        # The model names the record by its id, or by its place where it has none.
        place = re.match(r"(?:document|question) number (\d+)", error.where)
        lines = [numbered[int(place[1]) - 1][0]] if place else []
        for number, record in numbered:
            kind = "document" if isinstance(record, Document) else "question"
            if error.where.startswith(one_line(f"{kind} {record.id!r}")):
                lines.append(number)
        raise error.inside(f"{path}:{lines[0]}" if lines else str(path)) from None


def _check_ids(numbered: Sequence[tuple[int, _Record]], path: Path, several: str, one: str) -> None:
    seen: dict[str, int] = {}
    for number, record in numbered:
        first = seen.setdefault(record.id, number)
        if first != number:
            raise InputError(
                f"two {several} have the id {record.id!r}",
                f"{path}:{number}, first on line {first}",
                f'give every {one} its own id; the number 1 and the text "1" are the same id',
            )
