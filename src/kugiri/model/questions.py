"""Questions: what is asked, and the evidence that answers it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from kugiri.errors import InputError
from kugiri.model.columns import Bool, Int64
from kugiri.model.corpus import Corpus, unusable_character
from kugiri.model.draw import drawn
from kugiri.model.evidence import Alternatives, Evidence, EvidenceSpan

_Value = TypeVar("_Value")

KINDS = ("single", "multiple", "confusable", "unanswerable")
SPLITS = ("development", "test")
UNITS = ("sentence", "paragraph")


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """One evaluation case.

    Attributes:
        evidence: alternatives of spans; `()` means unanswerable from this corpus.
        kind: one of `KINDS`, None where the source does not say.
        split: one of `SPLITS`, None where the source does not say.
        units: the same evidence widened to whole sentences or paragraphs (`UNITS`), where the source records it.
    """

    id: str
    question: str
    evidence: Alternatives
    kind: str | None = None
    tags: tuple[str, ...] = ()
    answer: str | None = None
    split: str | None = None
    units: Mapping[str, Alternatives] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class Excluded:
    """A question that an import could not keep, by name and reason."""

    id: str
    question: str
    reason: str


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """The questions of one corpus, column by column; question `i` is row `i` everywhere.

    Raises:
        InputError: no question at all; an id empty or used twice; a kind, split or unit that is not one of ours; an
            unanswerable question with evidence or another kind without; whatever `Evidence` refuses.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    kinds: tuple[str | None, ...]
    tags: tuple[tuple[str, ...], ...]
    answers: tuple[str | None, ...]
    splits: tuple[str | None, ...]
    evidence: Evidence
    units: Mapping[str, Evidence]
    excluded: tuple[Excluded, ...] = ()

    @classmethod
    def from_records(
        cls, corpus: Corpus, questions: Iterable[Question], excluded: Iterable[Excluded] = ()
    ) -> Questions:
        """The columns of these questions, in this order."""
        records = tuple(questions)
        _check_records(records)
        ids = tuple(record.id for record in records)
        evidence = Evidence.from_records(corpus, ids, [record.evidence for record in records])
        units = {
            unit: Evidence.from_records(corpus, ids, [record.units.get(unit, ()) for record in records])
            for unit in UNITS
            if any(unit in record.units for record in records)
        }
        return cls(
            ids,
            tuple(record.question for record in records),
            tuple(record.kind if record.evidence else "unanswerable" for record in records),
            tuple(record.tags for record in records),
            tuple(record.answer for record in records),
            tuple(record.split for record in records),
            evidence,
            MappingProxyType(units),
            tuple(excluded),
        )

    def __len__(self) -> int:
        """The number of questions, unanswerable ones included."""
        return len(self.ids)

    def __repr__(self) -> str:
        return f"Questions({len(self):,}, of which {int(self.answerable.sum()):,} answerable)"

    @property
    def answerable(self) -> Bool:
        """bool[Q], whether a question has evidence in this corpus."""
        return self.evidence.answerable

    def question(self, corpus: Corpus, index: int) -> Question:
        """The question at `index` as a record, its spans quoted from the corpus."""
        return self.select(np.array([index], dtype=np.int64)).records(corpus)[0]

    def records(self, corpus: Corpus) -> tuple[Question, ...]:
        """Every question as a record, its spans quoted from the corpus."""
        evidence = _alternatives(corpus, self.evidence)
        units = {unit: _alternatives(corpus, columns) for unit, columns in self.units.items()}
        return tuple(
            Question(
                self.ids[index],
                self.texts[index],
                evidence[index],
                self.kinds[index],
                self.tags[index],
                self.answers[index],
                self.splits[index],
                {unit: found[index] for unit, found in units.items() if found[index]},
            )
            for index in range(len(self))
        )

    def select(self, keep: Int64) -> Questions:
        """The questions at these indices (int64, ascending)."""
        rows = keep.tolist()

        def pick(column: tuple[_Value, ...]) -> tuple[_Value, ...]:
            return tuple(column[row] for row in rows)

        return Questions(
            pick(self.ids),
            pick(self.texts),
            pick(self.kinds),
            pick(self.tags),
            pick(self.answers),
            pick(self.splits),
            self.evidence.select(keep),
            (MappingProxyType({unit: columns.select(keep) for unit, columns in self.units.items()})),
            self.excluded,
        )

    def of_split(self, split: str) -> Questions:
        """The questions of one part (`development` or `test`).

        Raises:
            InputError: no question belongs to it.
        """
        keep = np.array([index for index, value in enumerate(self.splits) if value == split], dtype=np.int64)
        if not len(keep):
            raise InputError(
                f"no question belongs to the part {split!r}",
                "questions",
                f'give questions "split": {split!r}, or leave the part out of the sweep',
            )
        return self.select(keep)

    def sample(self, count: int, seed: int) -> Questions:
        """`count` of the answerable questions, drawn without replacement by `seed`, in file order.

        Raises:
            InputError: fewer than `count` questions are answerable, or `count` is negative.
        """
        answerable = np.flatnonzero(self.answerable)
        if not 0 <= count <= len(answerable):
            raise InputError(
                f"a sample of {count} questions was asked for, and {len(answerable)} are answerable",
                "questions",
                f"ask for at most {len(answerable)}, or leave the sample out",
            )
        chosen = drawn(seed, [self.ids[index] for index in answerable.tolist()], count)
        return self.select(np.sort(answerable[chosen]))


def _check_records(records: tuple[Question, ...]) -> None:
    if not records:
        raise InputError("there is no question", "questions", "give at least one question with its evidence")
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        where = f"question {record.id!r}" if record.id else f"question number {number}"
        if not record.id:
            raise InputError("a question has an empty id", where, "give every question an id")
        if record.id in seen:
            raise InputError(
                f"two questions have the id {record.id!r}",
                f"question number {number}",
                "give every question its own id",
            )
        seen.add(record.id)
        tags = (("tag", tag) for tag in record.tags)
        for what, text in (("id", record.id), ("text", record.question), ("answer", record.answer or ""), *tags):
            place = unusable_character(text)
            if place is not None:
                raise InputError(
                    f"the {what} has a NUL character or a lone surrogate at offset {place}", where, "remove it"
                )
        for what, value, known in (("kind", record.kind, KINDS), ("split", record.split, SPLITS)):
            if value is not None and value not in known:
                raise InputError(f"unknown {what} {value!r}", where, f"use one of: {', '.join(known)}")
        for unit in record.units:
            if unit not in UNITS:
                raise InputError(f"unknown unit {unit!r}", where, f"use one of: {', '.join(UNITS)}")
        if record.kind == "unanswerable" and record.evidence:
            raise InputError("an unanswerable question has evidence", where, "remove the evidence, or change the kind")
        if record.kind not in (None, "unanswerable") and not record.evidence:
            raise InputError(
                f"a question of kind {record.kind!r} has no evidence",
                where,
                'give its evidence, or make its kind "unanswerable"',
            )


def _alternatives(corpus: Corpus, evidence: Evidence) -> list[Alternatives]:
    """The evidence of every question as records, in file order."""
    spans = np.argsort(evidence.order, kind="stable")
    document = corpus.document_of(evidence.start[spans])
    origin = corpus.document_start[document]
    local = zip(
        evidence.alternative[spans].tolist(),
        document.tolist(),
        (evidence.start[spans] - origin).tolist(),
        (evidence.end[spans] - origin).tolist(),
        strict=True,
    )
    of_alternative: list[list[EvidenceSpan]] = [[] for _ in range(len(evidence.question))]
    for alternative, at, start, end in local:
        of_alternative[alternative].append(EvidenceSpan(corpus.ids[at], start, end, corpus.texts[at][start:end]))
    of_question: list[list[tuple[EvidenceSpan, ...]]] = [[] for _ in range(evidence.questions)]
    for question, found in zip(evidence.question.tolist(), of_alternative, strict=True):
        of_question[question].append(tuple(found))
    return list(map(tuple, of_question))
