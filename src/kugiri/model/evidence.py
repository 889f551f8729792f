"""Evidence as columns: alternatives of spans, sorted by start on the global axis."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from operator import index

import numpy as np

from kugiri.errors import InputError
from kugiri.model.columns import Int32, Int64, first_false, frozen
from kugiri.model.corpus import Corpus, surroundings


@dataclasses.dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """`[start, end)` of one document, in its own code points, and the text it quotes where the source quotes it."""

    document: str
    start: int
    end: int
    text: str | None = None


Alternatives = tuple[tuple[EvidenceSpan, ...], ...]
"""What proves an answer: any one alternative is enough, and all spans of it are needed together."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The evidence of Q questions: A alternatives of S spans, the spans sorted by start.

    Attributes:
        start, end: int64[S] on the global axis, half-open, `start` non-decreasing.
        alternative: int32[S], the alternative of each span; alternatives are numbered in file order.
        order: int32[S], the place of each span in file order.
        question: int32[A], the question of each alternative, non-decreasing.
        questions: Q, of which those without an alternative are unanswerable.
        merged_spans: int64[Q], how many spans of each question were left out because an identical one came before:
            twice in one alternative, or in an alternative with the same spans as an earlier one of the same question.
    """

    start: Int64
    end: Int64
    alternative: Int32
    order: Int32
    question: Int32
    questions: int
    merged_spans: Int64

    @classmethod
    def from_records(cls, corpus: Corpus, ids: Sequence[str], evidence: Sequence[Alternatives]) -> Evidence:
        """The columns of one entry of alternatives a question; identical spans and identical alternatives are merged.

        Raises:
            InputError: an unknown document, an alternative without a span, a span outside its document or empty, a
                quotation that is not what the span holds.
        """
        flat = _Flat.of(corpus, ids, evidence)
        _check_ranges(corpus, ids, flat)
        for row, quotation, question in zip(flat.rows.tolist(), flat.quoted, flat.span_question.tolist(), strict=True):
            if quotation is not None and corpus.texts[row[0]][row[1] : row[2]] != quotation:
                raise _mismatch(corpus, ids[question], row, quotation)
        keep, alternative, question_of = flat.merged()
        rows = flat.rows[keep]
        start = rows[:, 1] + corpus.document_start[rows[:, 0]]
        end = rows[:, 2] + corpus.document_start[rows[:, 0]]
        order = np.argsort(start, kind="stable")
        return cls(
            frozen(start[order]),
            frozen(end[order]),
            frozen(alternative[order], np.int32),
            frozen(order, np.int32),
            frozen(question_of, np.int32),
            len(ids),
            frozen(np.bincount(np.delete(flat.span_question, keep), minlength=len(ids))),
        )

    @property
    def merged(self) -> int:
        """How many spans were left out in all because an identical one came before."""
        return int(self.merged_spans.sum())

    @property
    def length(self) -> Int64:
        """int64[S], the number of characters of each span."""
        return self.end - self.start

    @property
    def span_question(self) -> Int32:
        """int32[S], the question of each span."""
        return self.question[self.alternative]

    @property
    def answerable(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """bool[Q], whether a question has any alternative."""
        mask = np.zeros(self.questions, dtype=bool)
        mask[self.question] = True
        return mask

    def first_span(self) -> Int64:
        """int64[Q], the index of each question's first span in file order, −1 where it has none."""
        first = np.full(self.questions, -1, dtype=np.int64)
        by_file_order = np.argsort(self.order, kind="stable")[::-1]
        # Later assignments win, so going backwards leaves the first one.
        first[self.span_question[by_file_order]] = by_file_order
        return first

    def select(self, keep: Int64) -> Evidence:
        """The evidence of the questions at these indices (int64, ascending), renumbered from 0."""
        new_question = np.full(self.questions, -1, dtype=np.int64)
        new_question[keep] = np.arange(len(keep))
        alternatives = np.flatnonzero(new_question[self.question] >= 0)
        new_alternative = np.full(len(self.question), -1, dtype=np.int64)
        new_alternative[alternatives] = np.arange(len(alternatives))
        spans = np.flatnonzero(new_alternative[self.alternative] >= 0)
        order = np.argsort(np.argsort(self.order[spans], kind="stable"), kind="stable")
        return Evidence(
            frozen(self.start[spans]),
            frozen(self.end[spans]),
            frozen(new_alternative[self.alternative[spans]], np.int32),
            frozen(order, np.int32),
            frozen(new_question[self.question[alternatives]], np.int32),
            len(keep),
            frozen(self.merged_spans[keep]),
        )


def nearest_occurrence(text: str, quotation: str, near: int) -> int | None:
    """Where the quotation occurs nearest to offset `near`, None if it does not occur (the earlier of two as near).

    For messages and refusals only: no offset of ours is ever found by search.
    """
    if not quotation:
        return None
    after = text.find(quotation, max(0, near))
    before = text.rfind(quotation, 0, max(0, near) + len(quotation))
    found = [place for place in (before, after) if place >= 0]
    return min(found, key=lambda place: abs(place - near)) if found else None


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    """Evidence as given, a row a span, before anything is merged."""

    rows: Int64  # [S, 3]: document, local start, local end; offsets outside the document clipped to just outside it
    given: list[tuple[int, int]]
    quoted: list[str | None]
    span_alternative: Int64
    alternative_question: Int64

    @classmethod
    def of(cls, corpus: Corpus, ids: Sequence[str], evidence: Sequence[Alternatives]) -> _Flat:
        document_of = {document: number for number, document in enumerate(corpus.ids)}
        rows: list[tuple[int, int, int]] = []
        given: list[tuple[int, int]] = []
        quoted: list[str | None] = []
        span_alternative: list[int] = []
        alternative_question: list[int] = []
        for question, alternatives in enumerate(evidence):
            for spans in alternatives:
                if not spans:
                    raise InputError(
                        "an alternative has no span",
                        f"question {ids[question]!r}",
                        "give the alternative its spans, or write [] as the evidence of an unanswerable question",
                    )
                for span in spans:
                    document = document_of.get(span.document)
                    if document is None:
                        raise _unknown_documents(ids, evidence, document_of)
                    limit = len(corpus.texts[document]) + 1
                    start, end = _whole(span, ids[question])
                    given.append((start, end))
                    # An offset too large for int64 is outside the document all the same: clipped, it stays refused.
                    rows.append((document, max(-1, min(start, limit)), max(-1, min(end, limit))))
                    quoted.append(span.text)
                span_alternative.extend([len(alternative_question)] * len(spans))
                alternative_question.append(question)
        return cls(
            np.array(rows, dtype=np.int64).reshape(-1, 3),
            given,
            quoted,
            np.array(span_alternative, dtype=np.int64),
            np.array(alternative_question, dtype=np.int64),
        )

    @property
    def span_question(self) -> Int64:
        return self.alternative_question[self.span_alternative]

    def merged(self) -> tuple[Int64, Int64, Int64]:
        """The rows to keep, their alternatives renumbered, and the question of each alternative kept."""
        keep: list[int] = []
        alternative: list[int] = []
        question_of: list[int] = []
        seen: set[tuple[int, frozenset[tuple[int, ...]]]] = set()
        bounds = np.searchsorted(self.span_alternative, np.arange(len(self.alternative_question) + 1)).tolist()
        triples = list(map(tuple, self.rows.tolist()))
        for question, low, high in zip(self.alternative_question.tolist(), bounds[:-1], bounds[1:], strict=True):
            first_at: dict[tuple[int, ...], int] = {}
            for row in range(low, high):
                first_at.setdefault(triples[row], row)
            identity = (question, frozenset(first_at))
            if identity not in seen:
                seen.add(identity)
                keep.extend(first_at.values())
                alternative.extend([len(question_of)] * len(first_at))
                question_of.append(question)
        return (
            np.array(keep, dtype=np.int64),
            np.array(alternative, dtype=np.int64),
            np.array(question_of, dtype=np.int64),
        )


def _whole(span: EvidenceSpan, question: str) -> tuple[int, int]:
    try:
        return index(span.start), index(span.end)
    except TypeError:
        raise InputError(
            f"evidence [{span.start}, {span.end}) has an offset that is no whole number",
            f"question {question!r}, document {span.document!r}",
            "offsets are code points, half-open, 0 ≤ start < end ≤ length of the document",
        ) from None


def _unknown_documents(ids: Sequence[str], evidence: Sequence[Alternatives], known: dict[str, int]) -> InputError:
    unknown = [
        (question, span.document)
        for question, alternatives in enumerate(evidence)
        for spans in alternatives
        for span in spans
        if span.document not in known
    ]
    pairs = [f"{ids[question]}->{document}" for question, document in unknown]
    shown = ", ".join(pairs[:5]) + (f" and {len(pairs) - 5} more" if len(pairs) > 5 else "")
    return InputError(
        f"evidence points to documents that the corpus does not have: {shown}",
        f"question {next(ids[question] for question, _ in unknown)!r}",
        "correct the document id, or add the document; nothing was scored",
    )


def _check_ranges(corpus: Corpus, ids: Sequence[str], flat: _Flat) -> None:
    document, start, end = flat.rows[:, 0], flat.rows[:, 1], flat.rows[:, 2]
    bad = first_false((start >= 0) & (start < end) & (end <= np.diff(corpus.document_start)[document]))
    if bad is None:
        return
    at, (low, high) = int(document[bad]), flat.given[bad]
    text = corpus.texts[at]
    inside = 0 <= low <= len(text) and 0 <= high <= len(text)
    raise InputError(
        f"evidence [{low}, {high}) " + ("is empty or ends before it starts" if inside else "lies outside its document"),
        f"question {ids[int(flat.span_question[bad])]!r}, document {corpus.ids[at]!r} of {len(text)} characters, "
        f"around {surroundings(text, low, high)}",
        "offsets are code points, half-open, 0 ≤ start < end ≤ length of the document",
    )


def _mismatch(corpus: Corpus, question: str, row: Sequence[int], quotation: str) -> InputError:
    document, start, end = row
    text = corpus.texts[document]
    nearest = nearest_occurrence(text, quotation, start)
    return InputError(
        f"evidence [{start}, {end}) is not the text it quotes: "
        f"text[{start}:{end}]={text[start:end]!r}, quoted {quotation!r}",
        f"question {question!r}, document {corpus.ids[document]!r}, around {surroundings(text, start, end)}",
        f"the nearest place where the quotation occurs is {nearest}; correct the offsets"
        if nearest is not None
        else "the quotation occurs nowhere in the document; correct it, or the document id",
    )
