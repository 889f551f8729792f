"""The luck of alignment in words and tables: what fixed windows lose on the average of all places to start."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from kugiri.report.digits import measured
from kugiri.report.grid import Column, Grid, Row, column
from kugiri.report.words import Code, Real, Said, Share, Text, Value, said

MOST_REVERSIBLE = 40
"""Pairs that are listed; a sweep of 40 fixed windows has 780."""
_CERTAIN = 0.025
"""From this share on to what is left of 1, alignment alone can reverse an order (DESIGN §7)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Reversible:
    """Pairs of fixed windows whose order alignment alone can reverse.

    Attributes:
        text: how many of them there are, of how many.
        grid: those nearest to a half first; None where there are none.
        left_out: how many are not listed.
    """

    text: Text
    grid: Grid | None
    left_out: int


def loss_used(row: Row) -> float | None:
    """The lost questions that targets and the Pareto front go by: the expected ones, else those observed."""
    expected = row.get("expected_lost")
    lost = row["lost"] if expected is None else expected
    return None if lost is None else float(lost)


def share_used(row: Row) -> float | None:
    """The same as a share of the questions."""
    loss = loss_used(row)
    if loss is not None and row.get("expected_lost") is not None and row["questions"]:
        return loss / float(row["questions"])
    return None if row["lost_rate"] is None else float(row["lost_rate"])


def expected_said(expected: float) -> Real:
    """An expected loss: one decimal, more where that would print 0 for what is not."""
    return measured(expected, 1)


def mean_column(rows: Sequence[Row]) -> Column:
    """The expected losses alone."""
    return column(said("column_expected"), (_real(row.get("expected_lost")) for row in rows))


def alignment_columns(rows: Sequence[Row]) -> tuple[Column, Column]:
    """The expected losses with their deviation, and the fewest and most lost questions."""
    return (
        column(said("column_expected_sd"), map(_mean_and_deviation, rows)),
        column(said("column_alignment_range"), map(_range, rows)),
    )


def reversible(comparisons: Sequence[Row], configurations: Sequence[Row]) -> Reversible | None:
    """The pairs of the rows of `comparisons` that compare losses; None where no two are fixed windows."""
    rows = {row["configuration"]: row for row in configurations}
    compared = [
        row for row in comparisons if row.get("alignment_share") is not None and {row["a"], row["b"]} <= set(rows)
    ]
    if not compared:
        return None
    found = [row for row in compared if _can_reverse(row, rows)]
    if not found:
        return Reversible(Text((said("alignment_none", n=len(compared)),)), None, 0)
    listed = sorted(found, key=lambda row: abs(row["alignment_share"] - 0.5))[:MOST_REVERSIBLE]
    grid = Grid(
        (
            column(said("pair_a"), (Code(row["a"]) for row in listed), number=False),
            column(said("pair_b"), (Code(row["b"]) for row in listed), number=False),
            column(said("alignment_expected_a"), (_real(rows[row["a"]]["expected_lost"]) for row in listed)),
            column(said("alignment_expected_b"), (_real(rows[row["b"]]["expected_lost"]) for row in listed)),
            column(said("alignment_share"), (Share(row["alignment_share"]) for row in listed)),
        )
    )
    text = Text((said("alignment_some", pairs=len(compared), n=len(found)), said("alignment_some_note")))
    return Reversible(text, grid, len(found) - len(listed))


def _can_reverse(pair: Row, rows: Mapping[str, Row]) -> bool:
    """Whether either may lose less; where both always lose the same, ties make the share a half, and nothing turns."""
    a, b = rows[pair["a"]], rows[pair["b"]]
    either = a["lost_least"] < b["lost_most"] and b["lost_least"] < a["lost_most"]
    return bool(either) and bool(_CERTAIN <= pair["alignment_share"] <= 1 - _CERTAIN)


def _mean_and_deviation(row: Row) -> Said | None:
    mean, deviation = row.get("expected_lost"), row.get("expected_lost_sd")
    if mean is None or deviation is None:
        return None
    return said("mean_sd", mean=expected_said(mean), sd=expected_said(deviation))


def _range(row: Row) -> Said | None:
    least, most = row.get("lost_least"), row.get("lost_most")
    return None if least is None or most is None else said("alignment_range", least=least, most=most)


def _real(value: float | None) -> Value | None:
    return None if value is None else expected_said(value)
