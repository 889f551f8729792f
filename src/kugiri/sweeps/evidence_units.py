"""The same questions with exact spans, enclosing sentences and enclosing paragraphs: what the wrong unit would say."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kugiri.evidence.containment import Containment, alternatives_kept, questions_kept
from kugiri.evidence.lost import CAUSES, lost_questions
from kugiri.evidence.widened import UnitEvidence, unit_evidence
from kugiri.model.questions import UNITS
from kugiri.sweeps.alignment import alignment_of
from kugiri.sweeps.results import ConfigurationResult, SweepResults

SPAN = "span"
"""The exact span, beside `kugiri.model.questions.UNITS`."""
WORTH = 0.01
"""The share of questions that a configuration may be expected to lose and still be chosen."""

_TOO_LONG = dict(zip(CAUSES, range(len(CAUSES)), strict=True))["too_long"]


@dataclasses.dataclass(frozen=True, slots=True)
class UnitRow:
    """What one configuration loses of the questions with their evidence in one unit.

    Attributes:
        unit: `span`, `sentence` or `paragraph`.
        recorded: whether the corpus records the unit; else it was computed from the spans.
        chars_mean: mean length of its evidence, over all of its spans.
        expected: mean of the lost questions over alignments; None where windows are not fixed.
        false_alarms: questions that it loses and that the exact spans keep.
        false_alarms_too_long: those of them whose unit is longer than every chunk of its document.
        missed: questions that it keeps and that the exact spans lose; 0 where units hold their spans.
        chosen: whether the fixed rule takes this configuration: the fewest vectors with an expected loss of at most
            `WORTH`, the observed loss where none is expected; the first of equals.
    """

    configuration: str
    unit: str
    recorded: bool
    chars_mean: float
    chunks: int
    lost: int
    lost_rate: float
    expected: float | None
    false_alarms: int
    false_alarms_too_long: int
    missed: int
    chosen: bool = False


def unit_rows(results: SweepResults) -> list[UnitRow]:
    """A row a configuration and unit; of configurations with one chunker, at most the first is chosen."""
    asked = [UnitEvidence(SPAN, True, results.questions.evidence)]
    asked += [unit_evidence(results.corpus, results.questions, unit) for unit in UNITS]
    of_chunker: dict[str, list[UnitRow]] = {}
    rows: list[list[UnitRow]] = []
    for result in results.configurations:
        label = result.loss.label
        if label not in of_chunker:
            of_chunker[label] = [_row(results, result, one) for one in asked]
        rows.append([dataclasses.replace(row, configuration=str(result.configuration)) for row in of_chunker[label]])
    answerable = int(results.questions.answerable.sum())
    for place in range(len(asked)):
        chosen = chosen_by_rule([configuration[place] for configuration in rows], answerable)
        if chosen is not None:
            rows[chosen][place] = dataclasses.replace(rows[chosen][place], chosen=True)
    return [row for configuration in rows for row in configuration]


def chosen_by_rule(rows: Sequence[UnitRow], answerable: int) -> int | None:
    """The index of the row with the fewest vectors among those that may be chosen; None where there is none."""
    losses = [row.lost if row.expected is None else row.expected for row in rows]
    worth = [index for index, loss in enumerate(losses) if loss <= WORTH * answerable]
    return min(worth, key=lambda index: rows[index].chunks, default=None)


def _row(results: SweepResults, result: ConfigurationResult, asked: UnitEvidence) -> UnitRow:
    evidence, chunking, answerable = asked.evidence, result.loss.chunking, results.questions.answerable
    contained = Containment.of(chunking, evidence.start, evidence.end).contained
    lost = answerable & ~questions_kept(evidence, alternatives_kept(evidence, contained))
    alarms = lost & ~result.loss.lost
    causes = np.bincount(lost_questions(chunking, evidence, alarms).cause, minlength=len(CAUSES))
    alignment = alignment_of(result.configuration.chunker, results.corpus, evidence)
    return UnitRow(
        str(result.configuration),
        asked.unit,
        asked.recorded,
        float(evidence.length.mean()),
        len(result.indexed.vectors),
        int(lost.sum()),
        int(lost.sum()) / int(answerable.sum()),
        None if alignment is None else alignment.expected,
        int(alarms.sum()),
        int(causes[_TOO_LONG]),
        int((result.loss.lost & ~lost).sum()),
    )
