"""Losses under other rules of "contains", and what becomes of the order of the configurations."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kugiri.labels import parse
from kugiri.report.grid import Grid, Row, column
from kugiri.report.words import Code, Real, Said, said
from kugiri.statistics.rank_agreement import kendall_tau_b

_NAMES = {
    "any_alternative": "rule_any",
    "all_alternatives": "rule_all",
    "coverage": "rule_coverage",
    "touched": "rule_touched",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Rules:
    """The rules side by side.

    Attributes:
        grid: a row a configuration, a column a rule: lost questions.
        order: a row a rule other than ours: how its order of the configurations agrees with ours; None with one
            configuration.
        sentences: which rules reverse the order of a pair.
    """

    grid: Grid
    order: Grid | None
    sentences: tuple[Said, ...]


def rules(rows: Sequence[Row], configurations: Sequence[Row]) -> Rules | None:
    """The table `rules` over the rows of `Chunkings`; None of results that do not have it."""
    lost: dict[str, dict[str, int]] = {}
    for row in rows:
        lost.setdefault(row["rule"], {})[row["configuration"]] = row["lost"]
    shown = [row for row in configurations if any(row["label"] in found for found in lost.values())]
    if not shown:
        return None
    grid = Grid(
        (
            column(said("column_number"), (row["number"] for row in shown)),
            column(said("column_configuration"), (Code(row["configuration"]) for row in shown), number=False),
            *(column(_name(rule), (found.get(row["label"]) for row in shown)) for rule, found in lost.items()),
        )
    )
    # Identical chunkings are one thing to order, not several that happen to tie.
    distinct = [row["label"] for row in shown if row["identical_to"] is None]
    ours, *others = ([found[label] for label in distinct] for found in lost.values())
    if len(distinct) < 2 or not others:
        return Rules(grid, None, ())
    compared = [_order(np.array(ours), np.array(other)) for other in others]
    a, b = np.triu_indices(len(ours), 1)
    pairs = int((np.array(ours)[a] != np.array(ours)[b]).sum())
    names = [_name(rule) for rule in list(lost)[1:]]
    order = Grid(
        (
            column(said("rule"), names, number=False),
            column(said("rule_tau"), (None if one.tau is None else Real(one.tau, 3) for one in compared)),
            column(said("rule_reversed"), (one.reversed for one in compared)),
            column(said("rule_tied"), (one.tied for one in compared)),
        )
    )
    turned = [
        said("rules_turn", rule=name, n=one.reversed, pairs=pairs)
        for name, one in zip(names, compared, strict=True)
        if one.reversed
    ]
    return Rules(grid, order, tuple(turned) if turned else (said("rules_turn_none"),))


@dataclasses.dataclass(frozen=True, slots=True)
class _Order:
    tau: float | None
    reversed: int
    tied: int


def _order(ours: NDArray[np.int64], other: NDArray[np.int64]) -> _Order:
    a, b = np.triu_indices(len(ours), 1)
    here, there = np.sign(ours[a] - ours[b]), np.sign(other[a] - other[b])
    tau = kendall_tau_b(ours.astype(float), other.astype(float))
    return _Order(tau, int((here * there < 0).sum()), int(((here != 0) & (there == 0)).sum()))


def _name(rule: str) -> Said:
    label = parse(rule)
    share = dict(label.arguments).get("share")
    key = _NAMES.get(label.name)
    if key is None:
        return said("rule_other", rule=Code(rule))
    return said(key) if share is None else said(key, share=f"{100 * share:g}")
