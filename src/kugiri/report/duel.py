"""The questions that tell the best configuration from the baseline, or from the second best."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from kugiri.report.grid import Grid, Row, column, shown
from kugiri.report.outcomes import Outcomes, Values
from kugiri.report.standings import Standings
from kugiri.report.words import Code, Real, Said, said


@dataclasses.dataclass(frozen=True, slots=True)
class DuelSide:
    """The questions that one of the two answers better."""

    sentence: Said
    rows: tuple[Row, ...]

    def grid(self, most: int) -> Grid:
        """The first of them; ranks of both."""
        rows = self.rows[:most]
        return shown(
            [
                column(said("question_id"), (Code(row["question_id"]) for row in rows), number=False),
                column(said("question"), (row["question"] for row in rows), number=False),
                column(said("duel_rank_best"), (row["rank_best"] for row in rows)),
                column(said("duel_rank_other"), (row["rank_other"] for row in rows)),
            ]
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Duel:
    """Two configurations by the primary metric."""

    sentence: Said
    sides: tuple[DuelSide, DuelSide]


def duel(outcomes: Outcomes, standings: Standings, baseline: str | None) -> Duel | None:
    """The best against the baseline, else (none, or it is the best) the second; None with one configuration."""
    best = standings.best
    if best is None:
        return None
    label, metric = best["configuration"], standings.primary
    others = [row for row in standings.rows if row is not best and row.get(metric) is not None]
    named = next((row for row in others if row["configuration"] == baseline), None)
    other = named or max(others, key=lambda row: row[metric], default=None)
    if other is None:
        return None
    against = other["configuration"]
    values = [outcomes.values(name, metric) for name in (label, against)]
    ranks = [outcomes.values(name, "rank") for name in (label, against)]
    lost = [np.isnan(outcomes.values(name, "needs")) for name in (label, against)]
    sides = [
        DuelSide(
            said("duel_side", configuration=Code(winner), n=int(better.sum())),
            _rows(outcomes, np.flatnonzero(better), ranks, lost),
        )
        for winner, better in ((label, values[0] > values[1]), (against, values[1] > values[0]))
    ]
    ties = int((values[0] == values[1]).sum())
    sentence = said(
        "duel_baseline" if named is not None else "duel_second",
        best=Code(label),
        other=Code(against),
        metric=metric,
        n=ties,
        values=(Real(best[metric], 3), Real(other[metric], 3)),
    )
    return Duel(sentence, (sides[0], sides[1]))


def _rows(
    outcomes: Outcomes, places: np.ndarray, ranks: Sequence[Values], lost: Sequence[np.ndarray]
) -> tuple[Row, ...]:
    rows = []
    for place in places.tolist():
        asked = outcomes.questions[place]
        shown_ranks = [_rank(rank[place], bool(gone[place])) for rank, gone in zip(ranks, lost, strict=True)]
        text = {"question_id": asked["question_id"], "question": asked["question"]}
        rows.append(text | {"rank_best": shown_ranks[0], "rank_other": shown_ranks[1]})
    return tuple(rows)


def _rank(rank: float, lost: bool) -> Said | int:
    if lost:
        return said("rank_lost")
    return said("rank_none") if np.isnan(rank) else int(rank)
