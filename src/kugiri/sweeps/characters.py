"""Chroma's character metrics of the configurations of a sweep, and the lost questions that they do not see."""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.evidence.character_metrics import character_metrics
from kugiri.sweeps.results import ConfigurationResult, SweepResults


@dataclasses.dataclass(frozen=True, slots=True)
class CharacterRow:
    """The means of one configuration (`kugiri.evidence.character_metrics`); None where no question has a value.

    Attributes:
        questions: answerable ones of one alternative, on which the metrics are defined.
        recall_full_lost: how many of them are lost although every character of their evidence is in some chunk.
        recall_full_lost_ids: their ids, in file order.
    """

    configuration: str
    questions: int
    recall: float | None
    precision: float | None
    iou: float | None
    precision_omega: float | None
    recall_full_lost: int | None
    recall_full_lost_ids: list[str] | None


def character_rows(results: SweepResults) -> list[CharacterRow]:
    """A row a configuration; configurations with one chunker have the same numbers."""
    of_chunker: dict[str, CharacterRow] = {}
    rows: list[CharacterRow] = []
    for result in results.configurations:
        label = result.loss.label
        if label not in of_chunker:
            of_chunker[label] = _row(results, result)
        rows.append(dataclasses.replace(of_chunker[label], configuration=str(result.configuration)))
    return rows


def _row(results: SweepResults, result: ConfigurationResult) -> CharacterRow:
    name, loss = str(result.configuration), result.loss
    found = character_metrics(loss.chunking, results.questions.evidence)
    questions = int(found.defined.sum())
    if not questions:
        return CharacterRow(name, 0, None, None, None, None, None, None)
    means = found.means
    hidden = found.defined & (found.covered == found.evidence) & loss.lost
    ids = [results.questions.ids[question] for question in np.flatnonzero(hidden).tolist()]
    return CharacterRow(
        name, questions, means["recall"], means["precision"], means["iou"], means["omega"], len(ids), ids
    )
