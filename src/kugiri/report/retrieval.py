"""What a report says of retrieval, in the order a reader needs it and in no language."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kugiri.report.contests import Contests, contests
from kugiri.report.duel import Duel, duel
from kugiri.report.equal_budget import EqualBudget, budget_metrics, equal_budget
from kugiri.report.grid import Grid, ReadsTables, Row, rows_of
from kugiri.report.outcomes import Outcomes
from kugiri.report.shortfall import Look, Shortfall, depths, look, shortfall
from kugiri.report.slices import Slices, slices
from kugiri.report.standings import Standings, best_grid, found, ranked_grid, standings, values_grid
from kugiri.report.words import Said, Text, said

_ROOM = 5
"""Metrics that the main table holds and still fits a page."""


@dataclasses.dataclass(frozen=True, slots=True)
class Retrieval:
    """Everything that a report says of retrieval; None where there is nothing to tell.

    Attributes:
        standings: the configurations that retrieve, and where they stand.
        answer: which of them may be the best.
        grid: the main table; `more` has the metrics without room in it.
        legend: what its marks mean.
        best: the primary metric with its intervals.
    """

    standings: Standings
    answer: Text
    grid: Grid
    more: Grid | None
    legend: Text
    look: Look
    shortfalls: tuple[Shortfall, ...]
    budget: EqualBudget | None
    contests: Contests | None
    best: Grid | None
    duel: Duel | None
    slices: Slices | None


def retrieval(results: ReadsTables, configurations: Sequence[Row], comparisons: Sequence[Row]) -> Retrieval | None:
    """The retrieval half of the report; None of a sweep without retrieval."""
    rows = [row for row in configurations if row["retriever"] is not None and row["rank_1"] is not None]
    if not rows or not rows[0]["questions"]:
        return None
    sweep = results.sweep
    metrics = [metric for metric in sweep["metrics"] if any(row.get(metric) is not None for row in rows)]
    placed = standings(rows, rows_of(results, "standings"), sweep["primary"], sweep["baseline"])
    outcomes = Outcomes(results)
    of_primary = [row for row in comparisons if row["metric"] == placed.primary]
    clusters = next((row["clusters"] for row in of_primary), None)
    budget = equal_budget(placed, metrics, rows_of(results, "budgets"))
    apart = {metric for _, metric in budget_metrics(metrics)} if budget is not None else set()
    apart.discard(placed.primary)
    shown = sorted((metric for metric in metrics if metric not in apart), key=lambda metric: metric != placed.primary)
    more = shown[_ROOM:]
    return Retrieval(
        standings=placed,
        answer=Text(found(placed, sweep["baseline"], clusters)),
        grid=ranked_grid(placed, shown[:_ROOM]),
        more=values_grid(placed, more) if more else None,
        legend=Text(tuple(_legend(placed))),
        look=look(outcomes, rows, placed.undistinguished),
        shortfalls=tuple(shortfall(outcomes, rows, k) for k in depths(metrics)),
        budget=budget,
        contests=contests(comparisons, placed, sweep),
        best=best_grid(placed),
        duel=duel(outcomes, placed, sweep["baseline"]),
        slices=slices(outcomes, placed),
    )


def _legend(placed: Standings) -> list[Said]:
    legend = []
    if placed.all_met and len(placed.rows) > 1 and placed.by_metric.get(placed.primary):
        legend.append(said("legend_marks", metric=placed.primary))
    legend.append(said("legend_ranks"))
    if len({row["chunk_chars_mean"] for row in placed.rows}) > 1:
        legend.append(said("legend_at_k"))
    return legend
