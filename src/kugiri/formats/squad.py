"""SQuAD 1.1 and 2.0 JSON, and JSQuAD, whose contexts are `title [SEP] body`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from kugiri.errors import InputError
from kugiri.formats.protocol import Source, SourceAnswer, SourceParagraph, SourceQuestion
from kugiri.formats.quotations import OFFSET_UNITS, mismatch, quoted_at
from kugiri.formats.strict import nearest
from kugiri.formats.strict_json import read_json
from kugiri.labels import component_label
from kugiri.model.questions import Excluded

ON_MISMATCH = ("refuse", "exclude")
_SEPARATOR = "[SEP]"


class _Answer(msgspec.Struct):
    text: str
    answer_start: int


class _Question(msgspec.Struct):
    id: str | int
    question: str
    answers: tuple[_Answer, ...] = ()
    is_impossible: bool = False


class _Paragraph(msgspec.Struct):
    context: str
    qas: tuple[_Question, ...]


class _Article(msgspec.Struct):
    paragraphs: tuple[_Paragraph, ...]
    title: str | None = None


class _File(msgspec.Struct):
    data: tuple[_Article, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Squad:
    """SQuAD 1.1 or 2.0 files; keys that SQuAD does not have are passed over.

    A question with `is_impossible` is unanswerable; one without answers and without it is excluded (`no_answer`).

    Attributes:
        encoding: of the files, never guessed.
        offset_unit: what `answer_start` counts, one of `OFFSET_UNITS`.
        on_mismatch: what happens where an answer is not the text at its place: `refuse` the files with the list of
            all such answers, or `exclude` the whole question by name (`offset_mismatch`).
    """

    encoding: str = "utf-8"
    offset_unit: str = "codepoint"
    on_mismatch: str = "refuse"

    name: ClassVar[str] = "squad"
    version: ClassVar[int] = 1
    language: ClassVar[str | None] = None
    licence: ClassVar[str | None] = None
    origin: ClassVar[str | None] = None

    def __post_init__(self) -> None:
        _check_choice("offset unit", self.offset_unit, OFFSET_UNITS, "--offset-unit")
        _check_choice("answer to a mismatch", self.on_mismatch, ON_MISMATCH, "--on-mismatch")

    def __str__(self) -> str:
        """The label of the format."""
        return component_label(self)

    def read(self, paths: Sequence[Path]) -> Source:
        """The paragraphs of these files, whole."""
        return _source(_paragraphs(paths, self.encoding), self.offset_unit, self.on_mismatch, _whole)


@dataclasses.dataclass(frozen=True, slots=True)
class JSquad:
    """JSQuAD files: SQuAD whose contexts start with the title, `[SEP]` and spaces, which are not part of the text.

    Answers that start in the title are dropped; a question left without any is excluded (`answer_in_title`).

    Attributes:
        encoding, offset_unit, on_mismatch: as in `Squad`; answers are compared before the title is taken away.
    """

    encoding: str = "utf-8"
    offset_unit: str = "codepoint"
    on_mismatch: str = "refuse"

    name: ClassVar[str] = "jsquad"
    version: ClassVar[int] = 1
    language: ClassVar[str | None] = "ja"
    licence: ClassVar[str | None] = "CC BY-SA 4.0"
    origin: ClassVar[str | None] = "JSQuAD (JGLUE): Yahoo Japan Corporation and Kawahara Lab, Waseda University"

    def __post_init__(self) -> None:
        _check_choice("offset unit", self.offset_unit, OFFSET_UNITS, "--offset-unit")
        _check_choice("answer to a mismatch", self.on_mismatch, ON_MISMATCH, "--on-mismatch")

    def __str__(self) -> str:
        """The label of the format."""
        return component_label(self)

    def read(self, paths: Sequence[Path]) -> Source:
        """The paragraphs of these files without their titles."""
        return _source(_paragraphs(paths, self.encoding), self.offset_unit, self.on_mismatch, _after_title)


def _check_choice(what: str, value: str, known: tuple[str, ...], where: str) -> None:
    if value not in known:
        near = nearest(value, known)
        remedy = f"use one of: {', '.join(known)}" + (f"; {near!r} is the nearest" if near else "")
        raise InputError(f"unknown {what} {value!r}", where, remedy)


@dataclasses.dataclass(frozen=True, slots=True)
class _Placed:
    """A paragraph as the file has it, and where that is."""

    paragraph: _Paragraph
    article: int
    title: str | None
    where: str


def _paragraphs(paths: Sequence[Path], encoding: str) -> list[_Placed]:
    found: list[_Placed] = []
    seen: dict[str, str] = {}
    articles = 0
    for path in paths:
        for number, article in enumerate(read_json(path, _File, encoding).data):
            for index, paragraph in enumerate(article.paragraphs):
                where = f"{path}: data[{number}].paragraphs[{index}]"
                for place, question in enumerate(paragraph.qas):
                    here = f"{where}.qas[{place}]"
                    first = seen.setdefault(str(question.id), here)
                    if first != here:
                        raise InputError(
                            f"two questions have the id {str(question.id)!r}",
                            f"{here}, first at {first}",
                            "give every question its own id, and every file once",
                        )
                found.append(_Placed(paragraph, articles, article.title, where))
            articles += 1
    return found


def _whole(context: str, where: str) -> int:
    del context, where
    return 0


def _after_title(context: str, where: str) -> int:
    """Where the body of a JSQuAD context starts: after `[SEP]` and the ASCII spaces that follow it, and no others."""
    title = context.find(_SEPARATOR)
    if title < 0:
        raise InputError(f"a context has no {_SEPARATOR}", where, "import files of another layout as `squad`")
    body = title + len(_SEPARATOR)
    return body + len(context[body:]) - len(context[body:].lstrip(" "))


def _source(placed: Sequence[_Placed], unit: str, on_mismatch: str, body_start: Callable[[str, str], int]) -> Source:
    paragraphs: list[SourceParagraph] = []
    excluded: list[Excluded] = []
    mismatches: list[str] = []
    for entry in placed:
        context = entry.paragraph.context
        cut = body_start(context, entry.where)
        kept: list[SourceQuestion] = []
        for question in entry.paragraph.qas:
            identity, text = str(question.id), question.question
            wrong = list(_mismatches(question, context, unit))
            mismatches += [f"{identity}: {line}, at {entry.where}" for line in wrong]
            reason, answers = ("offset_mismatch", ()) if wrong else _answers(question, context, unit, cut, entry.where)
            if reason:
                excluded.append(Excluded(identity, text, reason))
            else:
                kept.append(SourceQuestion(identity, text, answers))
        paragraphs.append(SourceParagraph(context[cut:], entry.article, entry.title, tuple(kept)))
    if not mismatches:
        return Source(tuple(paragraphs), tuple(excluded))
    fits = _unit_that_fits(placed, unit)
    if on_mismatch == "refuse":
        raise InputError(
            f"{len(mismatches)} answers are not the text at their place"
            if len(mismatches) > 1
            else "1 answer is not the text at its place",
            mismatches[0],
            f"every answer fits with --offset-unit {fits}"
            if fits
            else "correct the offsets, or leave the questions out by name with --on-mismatch exclude",
            tuple(mismatches),
        )
    hint = (f"every answer fits with --offset-unit {fits}",) if fits else ()
    return Source(tuple(paragraphs), tuple(excluded), (*mismatches, *hint))


def _mismatches(question: _Question, context: str, unit: str) -> Iterator[str]:
    for answer in question.answers:
        if quoted_at(context, answer.text, answer.answer_start, unit) is None:
            yield mismatch(context, answer.text, answer.answer_start, unit)


def _answers(
    question: _Question, context: str, unit: str, cut: int, where: str
) -> tuple[str | None, tuple[SourceAnswer, ...]]:
    """Why the question cannot be kept (None if it can), and its answers counted from the body's start."""
    if question.is_impossible:
        if question.answers:
            raise InputError(
                "a question is impossible and has answers",
                f"{where}, question {str(question.id)!r}",
                "remove the answers, or set is_impossible to false",
            )
        return None, ()
    starts = [quoted_at(context, answer.text, answer.answer_start, unit) for answer in question.answers]
    answers = [
        SourceAnswer(start - cut, start - cut + len(answer.text))
        for start, answer in zip(starts, question.answers, strict=True)
        if start is not None and start >= cut
    ]
    if answers:
        return None, tuple(dict.fromkeys(answers))
    return "answer_in_title" if question.answers else "no_answer", ()


def _unit_that_fits(placed: Sequence[_Placed], refused: str) -> str | None:
    """Another unit in which every answer of every paragraph is the text at its place, None where there is none."""
    for unit in OFFSET_UNITS:
        if unit != refused and not any(
            next(_mismatches(question, entry.paragraph.context, unit), None)
            for entry in placed
            for question in entry.paragraph.qas
        ):
            return unit
    return None
