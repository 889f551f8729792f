"""The Pareto front of loss against vectors: which cuts are worth considering, and which are not."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kugiri.report.alignment import expected_said, loss_used, share_used
from kugiri.report.grid import Grid, Row, column, shown
from kugiri.report.words import Code, Said, Share, Text, Value, said

MOST_DOMINATED = 40
"""Dominated configurations that are listed."""
_NAMED = 12
TARGETS = (0.01, 0.001)
"""Shares of lost questions for which the cheapest configuration is named."""


@dataclasses.dataclass(frozen=True, slots=True)
class Pareto:
    """Which configurations no other dominates.

    Attributes:
        text: those on the front, from the fewest vectors on, and the fewest vectors for a loss of at most so much.
        dominated: the others, each with one on the front that dominates it; None where there are none.
        left_out: how many of those are not listed.
        note: what loss is meant.
    """

    text: Text
    dominated: Grid | None
    left_out: int
    note: Text


def front(rows: Sequence[Row]) -> list[Row]:
    """The rows that no other dominates, from the fewest vectors on; those with equal vectors and loss are all on it."""
    placed = [(row["chunks"], loss, row) for row in rows if (loss := loss_used(row)) is not None]
    found: list[Row] = []
    least = float("inf")
    for chunks, loss, row in sorted(placed, key=lambda entry: entry[:2]):
        same = bool(found) and (chunks, loss) == (found[-1]["chunks"], loss_used(found[-1]))
        if loss < least or same:
            found.append(row)
            least = min(least, loss)
    return found


def pareto(rows: Sequence[Row]) -> Pareto | None:
    """The front of these configurations; None of fewer than two with a loss."""
    placed = [row for row in rows if row["questions"] and loss_used(row) is not None]
    if len(placed) < 2:
        return None
    best = front(placed)
    on_it = {row["configuration"] for row in best}
    worse = [row for row in placed if row["configuration"] not in on_it]
    names: list[Value] = [named(row) for row in best[:_NAMED]]
    if len(best) > _NAMED:
        names.append(said("and_more", n=len(best) - _NAMED))
    sentences = [said("pareto_front", configurations=tuple(names)), *_targets(best)]
    expected = any(row.get("expected_lost") is not None for row in placed)
    note = (said("pareto_note"), said("pareto_expected" if expected else "pareto_observed"))
    grid = _dominated(worse[:MOST_DOMINATED], best) if worse else None
    return Pareto(Text(tuple(sentences)), grid, max(0, len(worse) - MOST_DOMINATED), Text(note))


def _targets(best: Sequence[Row]) -> list[Said]:
    """For each share the first on the front that loses no more; of one that serves several, the smallest share."""
    told: dict[str | None, Said] = {}
    for share in TARGETS:
        row = next((row for row in best if (share_used(row) or 0.0) <= share), None)
        if row is None:
            told.setdefault(None, said("pareto_no_target", share=Share(share)))
        else:
            told[row["configuration"]] = said("pareto_target", share=Share(share), configuration=named(row))
    return list(told.values())


def named(row: Row) -> Said:
    """A configuration with its vectors and the loss that targets go by."""
    return said("pareto_named", configuration=Code(row["configuration"]), chunks=row["chunks"], loss=_loss(row))


def _loss(row: Row) -> Said:
    expected = row.get("expected_lost")
    if expected is None:
        return said("loss_observed", loss=row["lost"])
    return said("loss_expected", loss=expected_said(expected))


def _dominated(rows: Sequence[Row], best: Sequence[Row]) -> Grid:
    by = [max((other for other in best if _dominates(other, row)), key=lambda other: other["chunks"]) for row in rows]
    return shown(
        [
            column(said("column_configuration"), (Code(row["configuration"]) for row in rows), number=False),
            column(said("column_chunks"), (row["chunks"] for row in rows)),
            column(said("column_loss_used"), map(_loss, rows)),
            column(said("column_dominated_by"), (Code(row["configuration"]) for row in by), number=False),
            column(said("column_chunks"), (row["chunks"] for row in by)),
            column(said("column_loss_used"), map(_loss, by)),
        ]
    )


def _dominates(row: Row, other: Row) -> bool:
    mine, its = loss_used(row), loss_used(other)
    if mine is None or its is None:
        return False
    no_worse = row["chunks"] <= other["chunks"] and mine <= its
    return no_worse and (row["chunks"] < other["chunks"] or mine < its)
