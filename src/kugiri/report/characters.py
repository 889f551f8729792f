"""Chroma's character metrics beside our loss, and where a high recall of characters hides cut evidence."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kugiri.report.alignment import mean_column
from kugiri.report.grid import Grid, Row, column, shown
from kugiri.report.words import Code, Said, Share, Value, said

HIGH = 0.99
"""From this mean character recall on a configuration is named that loses questions with every character in chunks."""
_NAMED = 12


@dataclasses.dataclass(frozen=True, slots=True)
class Characters:
    """The four metrics side by side.

    Attributes:
        grid: a row a configuration.
        sentences: which configurations lose questions at a high character recall, what the one with the highest
            precision omega loses, and how many questions have no value.
        questions: those that have one.
    """

    grid: Grid
    sentences: tuple[Said, ...]
    questions: int


def characters(rows: Sequence[Row], configurations: Sequence[Row]) -> Characters | None:
    """The table `characters` over the rows of `Chunkings`; None of results that do not have it, or without a value."""
    found = {row["configuration"]: row for row in rows if row["questions"]}
    listed = [(row, found[row["label"]]) for row in configurations if row["label"] in found]
    if not listed:
        return None
    grid = shown(
        [
            column(said("column_number"), (row["number"] for row, _ in listed)),
            column(said("column_configuration"), (Code(row["configuration"]) for row, _ in listed), number=False),
            column(said("characters_recall"), (Share(one["recall"]) for _, one in listed)),
            column(said("characters_full_lost"), (one["recall_full_lost"] for _, one in listed)),
            column(said("column_lost"), (row["lost"] for row, _ in listed)),
            mean_column([row for row, _ in listed]),
            column(said("characters_precision"), (Share(one["precision"]) for _, one in listed)),
            column(said("characters_iou"), (Share(one["iou"]) for _, one in listed)),
            column(said("characters_omega"), (Share(one["precision_omega"]) for _, one in listed)),
        ]
    )
    questions = listed[0][1]["questions"]
    sentences = [_hidden(listed)]
    best, its = max(listed, key=lambda entry: entry[1]["precision_omega"])
    if its["recall_full_lost"]:
        omega, name, n = Share(its["precision_omega"]), Code(best["configuration"]), its["recall_full_lost"]
        sentences.append(said("characters_best_omega", omega=omega, configuration=name, n=n, questions=questions))
    left_out = listed[0][0]["questions"] - questions
    if left_out:
        sentences.append(said("characters_left_out", n=left_out))
    return Characters(grid, tuple(sentences), questions)


def _hidden(listed: Sequence[tuple[Row, Row]]) -> Said:
    """The configurations that lose questions at a high character recall, those that lose most first."""
    hiding = [(row, one) for row, one in listed if one["recall"] >= HIGH and one["recall_full_lost"]]
    if not hiding:
        return said("characters_hide_none", share=Share(HIGH))
    hiding.sort(key=lambda entry: -entry[1]["recall_full_lost"])
    names: list[Value] = [
        said("characters_hidden", configuration=Code(row["configuration"]), n=one["recall_full_lost"])
        for row, one in hiding[:_NAMED]
    ]
    if len(hiding) > _NAMED:
        names.append(said("and_more", n=len(hiding) - _NAMED))
    whole = all(one["recall"] == 1 for _, one in hiding)
    recall = Share(1.0) if whole else said("characters_high", share=Share(HIGH))
    return said("characters_hide", recall=recall, n=len(hiding), of=len(listed), configurations=tuple(names))
