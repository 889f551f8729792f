"""The primary metric by tag and by kind of question: what one group gains another may lose."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kugiri.report.grid import Grid, Row, column
from kugiri.report.outcomes import Outcomes
from kugiri.report.standings import Standings
from kugiri.report.words import Code, Real, Said, Value, said

MOST_CONFIGURATIONS = 16
"""Configurations that have a column."""


@dataclasses.dataclass(frozen=True, slots=True)
class Slices:
    """A table by tag and one by kind, and which configuration each number stands for."""

    tables: tuple[tuple[Said, Grid], ...]
    numbers: tuple[Said, ...]
    left_out: int


def slices(outcomes: Outcomes, standings: Standings) -> Slices | None:
    """Means of the primary metric; None where the corpus has neither tags nor more than one kind."""
    metric = standings.primary
    rows = [(number, row) for number, row in enumerate(standings.rows, 1) if row.get(metric) is not None]
    shown = sorted(sorted(rows, key=lambda pair: -pair[1][metric])[:MOST_CONFIGURATIONS], key=lambda pair: pair[0])
    tags: dict[str, list[int]] = {}
    kinds: dict[str, list[int]] = {}
    for place, asked in enumerate(outcomes.questions):
        for tag in dict.fromkeys(asked["tags"] or ()):
            tags.setdefault(tag, []).append(place)
        if asked["kind"] is not None:
            kinds.setdefault(asked["kind"], []).append(place)
    tables: list[tuple[Said, Grid]] = []
    if tags:
        ordered = sorted(tags, key=lambda tag: (-len(tags[tag]), tag))
        heads: list[Value] = [Code(tag) for tag in ordered]
        tables.append(
            (said("by_tag", metric=metric), _grid(heads, [tags[tag] for tag in ordered], outcomes, metric, shown))
        )
    if len(kinds) > 1:
        heads = [said(f"kind_{kind}") for kind in kinds]
        tables.append((said("by_kind", metric=metric), _grid(heads, list(kinds.values()), outcomes, metric, shown)))
    if not tables or not shown:
        return None
    numbers = tuple(
        said("slice_number", number=number, configuration=Code(row["configuration"])) for number, row in shown
    )
    return Slices(tuple(tables), numbers, len(rows) - len(shown))


def _grid(
    heads: Sequence[Value],
    groups: Sequence[Sequence[int]],
    outcomes: Outcomes,
    metric: str,
    shown: Sequence[tuple[int, Row]],
) -> Grid:
    def means(row: Row) -> list[Real | None]:
        values = outcomes.values(row["configuration"], metric)
        found = [values[list(group)] for group in groups]
        return [None if np.isnan(group).all() else Real(float(np.nanmean(group)), 3) for group in found]

    return Grid(
        (
            column(said("slice"), heads, number=False),
            column(said("slice_questions"), map(len, groups)),
            *(column(number, means(row)) for number, row in shown),
        )
    )
