"""The lines of a corpus folder: what a record looks like in JSON, and its one canonical form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from kugiri.model.corpus import Document
from kugiri.model.evidence import Alternatives, EvidenceSpan
from kugiri.model.questions import Excluded, Question

# Lines hold no references back, so the garbage collector need not look at them (gc=False): a large corpus loads faster.
# Written in the order of the fields, absent ones left out, nothing escaped that need not be: the canonical form.
_encode = msgspec.json.Encoder().encode


class DocumentLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A line of `documents.jsonl`."""

    id: str | int
    text: str
    title: str | None = None
    paragraphs: tuple[tuple[int, int], ...] = ()
    metadata: dict[str, Any] = {}

    def record(self) -> Document:
        """The document; a number as its id becomes text, here and in this line."""
        self.id = str(self.id)
        return Document(self.id, self.text, self.title, self.paragraphs, self.metadata)


class SpanLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One span inside a line of `questions.jsonl`."""

    document: str | int
    start: int
    end: int
    text: str | None = None

    def record(self) -> EvidenceSpan:
        """The span; a number as its document's id becomes text, here and in this line."""
        self.document = str(self.document)
        return EvidenceSpan(self.document, self.start, self.end, self.text)


_EvidenceLine = tuple[tuple[SpanLine, ...], ...]


class UnitsLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The evidence of a question widened to larger units; a unit that is not given differs from an empty one."""

    sentence: _EvidenceLine | msgspec.UnsetType = msgspec.UNSET
    paragraph: _EvidenceLine | msgspec.UnsetType = msgspec.UNSET

    def record(self) -> dict[str, Alternatives]:
        """The evidence of each unit that is given."""
        return {
            unit: _alternatives(evidence)
            for unit, evidence in (("sentence", self.sentence), ("paragraph", self.paragraph))
            if not isinstance(evidence, msgspec.UnsetType)
        }


class QuestionLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A line of `questions.jsonl`."""

    id: str | int
    question: str
    evidence: _EvidenceLine
    kind: str | None = None
    tags: tuple[str, ...] = ()
    answer: str | None = None
    split: str | None = None
    units: UnitsLine | None = None

    def record(self) -> Question:
        """The question; numbers as ids become text, here and in this line."""
        self.id = str(self.id)
        units = {} if self.units is None else self.units.record()
        evidence = _alternatives(self.evidence)
        return Question(self.id, self.question, evidence, self.kind, self.tags, self.answer, self.split, units)


class ExcludedLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A line of `excluded.jsonl`."""

    id: str | int
    question: str
    reason: str

    def record(self) -> Excluded:
        """The excluded question; a number as its id becomes text."""
        return Excluded(str(self.id), self.question, self.reason)


def _alternatives(evidence: _EvidenceLine) -> Alternatives:
    return tuple([tuple([span.record() for span in spans]) for spans in evidence])


def document_lines(documents: Iterable[Document]) -> bytes:
    """`documents.jsonl` in canonical form."""
    return canonical(
        DocumentLine(record.id, record.text, record.title, record.paragraphs, dict(record.metadata))
        for record in documents
    )


def question_lines(questions: Iterable[Question]) -> bytes:
    """`questions.jsonl` in canonical form."""
    return canonical(
        QuestionLine(
            record.id,
            record.question,
            _evidence_line(record.evidence),
            record.kind,
            record.tags,
            record.answer,
            record.split,
            UnitsLine(**{unit: _evidence_line(evidence) for unit, evidence in record.units.items()})
            if record.units
            else None,
        )
        for record in questions
    )


def excluded_lines(excluded: Iterable[Excluded]) -> bytes:
    """`excluded.jsonl` in canonical form."""
    return canonical(ExcludedLine(record.id, record.question, record.reason) for record in excluded)


def _evidence_line(evidence: Alternatives) -> _EvidenceLine:
    return tuple(
        tuple(SpanLine(span.document, span.start, span.end, span.text) for span in spans) for spans in evidence
    )


def canonical(records: Iterable[msgspec.Struct]) -> bytes:
    """Lines in canonical form."""
    return b"".join(_encode(record) + b"\n" for record in records)
