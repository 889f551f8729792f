"""A gate: what a configuration loses against the limits that somebody set beforehand."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from decimal import Decimal, Inexact, localcontext
from fractions import Fraction
from typing import Any

from kugiri.labels import chunk_id
from kugiri.visible import one_line

SHOWN = 20
"""How many lost questions of a configuration are named where a person reads."""
_DIGITS = 1_000


@dataclasses.dataclass(frozen=True, slots=True)
class LostQuestion:
    """One lost question: the span that decides, in its document's code points, and the cause."""

    question_id: str
    document_id: str
    start: int
    end: int
    cause: str

    def __str__(self) -> str:
        """The question's id, `document@start:end` and the cause, on one line."""
        return one_line(f"{self.question_id}  {chunk_id(self.document_id, self.start, self.end)}  {self.cause}")


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """The largest values that are allowed; None where there is no such limit.

    Attributes:
        lost: questions.
        rate, expected: exact shares of the answerable questions.
    """

    lost: int | None = None
    rate: Fraction | None = None
    expected: Fraction | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Verdict:
    """One limit against one configuration.

    Attributes:
        limit: `max-lost`, `max-lost-rate` or `max-expected`.
        said: the figure and the limit in words, without the configuration.
    """

    limit: str
    figure: Fraction
    at_most: Fraction
    said: str

    @property
    def holds(self) -> bool:
        """Whether the figure is at most the limit."""
        return self.figure <= self.at_most

    def __str__(self) -> str:
        """The figure, the limit, and whether it holds."""
        return f"{self.said}: {'holds' if self.holds else 'does not hold'}"


@dataclasses.dataclass(frozen=True, slots=True)
class Checked:
    """What one configuration loses, and what the limits make of it.

    Attributes:
        questions: the answerable ones, at least one.
        lost: in question order.
        expected: the expected number of lost questions over all alignments; None where nobody asks for it or wrote it.
    """

    configuration: str
    questions: int
    lost: tuple[LostQuestion, ...]
    expected: Fraction | None
    verdicts: tuple[Verdict, ...]

    @classmethod
    def of(
        cls,
        configuration: str,
        questions: int,
        lost: Sequence[LostQuestion],
        expected: Fraction | None,
        limits: Limits,
    ) -> Checked:
        """The configuration, judged by each of the limits."""
        verdicts = tuple(_verdicts(questions, len(lost), expected, limits))
        return cls(configuration, questions, tuple(lost), expected, verdicts)

    @property
    def holds(self) -> bool:
        """Whether every limit holds."""
        return all(verdict.holds for verdict in self.verdicts)

    def named(self, most: int | None = None) -> list[str]:
        """A line for each lost question; past `most` of them, how many more there are."""
        lines = list(map(str, self.lost[:most]))
        left = len(self.lost) - len(lines)
        return [*lines, f"and {left:,} more"] if left else lines

    def facts(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "configuration": self.configuration,
            "holds": self.holds,
            "questions": self.questions,
            "lost": len(self.lost),
            "lost_rate": len(self.lost) / self.questions,
            "expected_lost": None if self.expected is None else float(self.expected),
            "limits": [
                {
                    "limit": verdict.limit,
                    "figure": _plain(verdict.figure),
                    "at_most": _plain(verdict.at_most),
                    "holds": verdict.holds,
                }
                for verdict in self.verdicts
            ],
            "lost_questions": [dataclasses.asdict(question) for question in self.lost],
        }


def _verdicts(questions: int, lost: int, expected: Fraction | None, limits: Limits) -> list[Verdict]:
    made = []
    if limits.lost is not None:
        said = f"lost {lost:,} of {questions:,} questions, at most {limits.lost:,}"
        made.append(Verdict("max-lost", Fraction(lost), Fraction(limits.lost), said))
    if limits.rate is not None:
        share = Fraction(lost, questions)
        shown = f"share lost {_beside(share, limits.rate)} ({lost:,} of {questions:,} questions)"
        made.append(Verdict("max-lost-rate", share, limits.rate, f"{shown}, at most {_exactly(limits.rate)}"))
    if limits.expected is not None and expected is not None:
        share = expected / questions
        total = _beside(expected, limits.expected * questions)
        shown = f"expected share lost {_beside(share, limits.expected)} ({total} of {questions:,} questions)"
        made.append(Verdict("max-expected", share, limits.expected, f"{shown}, at most {_exactly(limits.expected)}"))
    return made


def _beside(figure: Fraction, limit: Fraction) -> str:
    """The figure with four digits, or as many more as leave it on its side of the limit."""
    for digits in range(4, 17):
        text = f"{float(figure):.{digits}g}"
        shown = Fraction(text)
        if (shown <= limit) == (figure <= limit) and (shown < limit) == (figure < limit):
            return text
    return f"{'just above' if figure > limit else 'just below'} {_exactly(limit)}"


def _exactly(number: Fraction) -> str:
    """The number in decimals, all of them where they end, as those of every limit that was written do."""
    with localcontext(prec=_DIGITS) as context:
        context.clear_flags()
        shown = str(Decimal(number.numerator) / Decimal(number.denominator)).lower()
        return repr(float(number)) if context.flags[Inexact] else shown


def _plain(number: Fraction) -> int | float:
    return number.numerator if number.denominator == 1 else float(number)
