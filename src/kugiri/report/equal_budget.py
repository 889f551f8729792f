"""Recall at equal k beside recall at an equal number of characters: the first favours large chunks."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from kugiri.report.grid import Column, Grid, Row, column
from kugiri.report.standings import Standings, marked
from kugiri.report.words import Code, Real, Said, said

_BUDGET = re.compile(r"Recall\(budget=([1-9][0-9]*)\)")
_AT = re.compile(r"Recall@[1-9][0-9]*")
_NAMED = 3
"""Pairs whose order differs that a sentence names."""


@dataclasses.dataclass(frozen=True, slots=True)
class EqualBudget:
    """Both kinds of recall.

    Attributes:
        at: the label of the Recall@k.
        budgets: the metrics by budget, smallest first.
        grid: both, with the characters and chunks used.
        orders: for each budget, whether the order of configurations is another one.
        differs: whether it is for any.
    """

    at: str
    budgets: tuple[tuple[int, str], ...]
    grid: Grid
    orders: tuple[Said, ...]
    differs: bool


def at_rank(metrics: Sequence[str], primary: str) -> str | None:
    """The Recall@k that stands for the sweep: the primary metric if it is one, else the first."""
    found = [metric for metric in metrics if _AT.fullmatch(metric)]
    return primary if primary in found else next(iter(found), None)


def budget_metrics(metrics: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """The sweep's Recall(budget=B) by budget."""
    return tuple(
        sorted((int(match[1]), metric) for metric in metrics if (match := _BUDGET.fullmatch(metric)) is not None)
    )


def equal_budget(standings: Standings, metrics: Sequence[str], used: Sequence[Row]) -> EqualBudget | None:
    """Both kinds side by side; None where the sweep measures only one of them."""
    at, budgets = at_rank(metrics, standings.primary), budget_metrics(metrics)
    rows = [row for row in standings.rows if at is not None and row.get(at) is not None]
    budgets = tuple((budget, metric) for budget, metric in budgets if all(row.get(metric) is not None for row in rows))
    if at is None or not budgets or not rows:
        return None
    spent = {(row["configuration"], row["budget"]): row for row in used}
    columns: list[Column] = [
        column(said("column_configuration"), (Code(row["configuration"]) for row in rows), number=False),
        column(said("column_chunk_chars_mean"), (Real(row["chunk_chars_mean"] or 0.0, 1) for row in rows)),
        column(at, (marked(standings, at, row) for row in rows)),
    ]
    for budget, metric in budgets:
        columns.append(column(metric, (marked(standings, metric, row) for row in rows)))
        columns.append(column(said("column_used"), (_used(spent, row, budget) for row in rows)))
    orders, differs = [], False
    for _, metric in budgets:
        sentence, reversed_pairs = _order(rows, at, metric)
        orders.append(sentence)
        differs = differs or reversed_pairs > 0
    return EqualBudget(at, budgets, Grid(tuple(columns)), tuple(orders) if len(rows) > 1 else (), differs)


def _used(spent: Mapping[tuple[str, int], Row], row: Row, budget: int) -> Said | None:
    use = spent.get((row["configuration"], budget))
    if use is None or use["chars_mean"] is None:
        return None
    return said("used", chars=Real(use["chars_mean"], 0), chunks=Real(use["chunks_mean"], 1))


def _order(rows: Sequence[Row], at: str, metric: str) -> tuple[Said, int]:
    """How many pairs stand in another order by `metric` than by `at`, in which of those `at` prefers larger chunks."""
    turned = []
    for first, second in combinations(rows, 2):
        by_rank, by_budget = first[at] - second[at], first[metric] - second[metric]
        if by_rank * by_budget < 0:
            better, worse = (first, second) if by_rank > 0 else (second, first)
            turned.append((min(abs(by_rank), abs(by_budget)), better, worse))
    pairs = len(rows) * (len(rows) - 1) // 2
    if not turned:
        return said("order_kept", at=at, metric=metric, pairs=pairs), 0
    larger = sum(better["chunk_chars_mean"] > worse["chunk_chars_mean"] for _, better, worse in turned)
    widest = sorted(turned, key=lambda pair: -pair[0])[:_NAMED]
    named = tuple(
        said("order_pair", better=Code(better["configuration"]), worse=Code(worse["configuration"]))
        for _, better, worse in widest
    )
    more = (said("and_more", n=len(turned) - _NAMED),) if len(turned) > _NAMED else ()
    sentence = said(
        "order_turned", at=at, metric=metric, n=len(turned), pairs=pairs, larger=larger, named=(*named, *more)
    )
    return sentence, len(turned)
