"""What is missing to full recall, split by the stage at which it is missing, and which stage to look at first."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import numpy as np

from kugiri.report.grid import Grid, Row, column
from kugiri.report.outcomes import Outcomes
from kugiri.report.words import Code, Real, Said, Value, said

STAGES = ("cut", "candidates", "ordering")
_AT_RANK = re.compile(r"(\w+)@([1-9][0-9]*)")
_SEEN = 20
"""Ranks within which a question's evidence counts as found: what comes after is a matter of order."""


@dataclasses.dataclass(frozen=True, slots=True)
class Shortfall:
    """1 − Recall@k in questions, of each configuration."""

    k: int
    grid: Grid


@dataclasses.dataclass(frozen=True, slots=True)
class Look:
    """Where questions fail, and what to look at first.

    Attributes:
        grid: the classes of each configuration.
        sentences: the largest class of each configuration that is not distinguishable from the best.
    """

    grid: Grid
    sentences: tuple[Said, ...]


def depths(metrics: Sequence[str]) -> tuple[int, ...]:
    """The k of every Recall@k of the sweep, else of any metric at k, else 5."""
    found = [match for metric in metrics if (match := _AT_RANK.fullmatch(metric)) is not None]
    recall = [int(match[2]) for match in found if match[1] == "Recall"]
    return tuple(dict.fromkeys(recall or [int(match[2]) for match in found] or [5]))


def shortfall(outcomes: Outcomes, rows: Sequence[Row], k: int) -> Shortfall:
    """The split at one k: lost, needs more than k chunks, kept but not found within k."""
    missed, lost, many, late = [], [], [], []
    for row in rows:
        rank, needs = (outcomes.values(row["configuration"], metric) for metric in ("rank", "needs"))
        late_or_never = ~(rank <= k)
        gone = np.isnan(needs)
        more = needs > k
        missed.append(int(late_or_never.sum()))
        lost.append(int(gone.sum()))
        many.append(int(more.sum()))
        late.append(int((late_or_never & ~gone & ~more).sum()))
    asked = len(outcomes)
    recall = [Real(1 - count / asked, 3) if asked else None for count in missed]
    grid = Grid(
        (
            column(said("column_configuration"), (Code(row["configuration"]) for row in rows), number=False),
            column(f"Recall@{k}", recall),
            column(said("shortfall_missed"), missed),
            column(said("shortfall_lost"), lost),
            column(said("shortfall_many", k=k), many),
            column(said("shortfall_late", k=k), late),
        )
    )
    return Shortfall(k, grid)


def look(outcomes: Outcomes, rows: Sequence[Row], chosen: Sequence[Row]) -> Look:
    """The classes of failure of each configuration, in the order to look at them."""
    counts = [_counts(outcomes, row["configuration"]) for row in rows]
    first = [_first(count) for count in counts]
    grid = Grid(
        (
            column(said("column_configuration"), (Code(row["configuration"]) for row in rows), number=False),
            column(said("look_cut"), (count[0] for count in counts)),
            column(said("look_candidates"), (count[1] for count in counts)),
            column(said("look_ordering_late"), (count[2] for count in counts)),
            column(said("look_ordering_near"), (count[3] for count in counts)),
            column(said("look_first"), map(_named, first), number=False),
        )
    )
    labels = {row["configuration"] for row in chosen}
    sentences = [
        said(
            f"look_at_{stages[0]}" if len(stages) == 1 else "look_at_several" if stages else "look_at_nothing",
            configuration=Code(row["configuration"]),
            n=_most(count),
            questions=len(outcomes),
            stages=_named(stages),
        )
        for row, count, stages in zip(rows, counts, first, strict=True)
        if row["configuration"] in labels
    ]
    return Look(grid, tuple(sentences))


def _counts(outcomes: Outcomes, configuration: str) -> tuple[int, int, int, int]:
    rank, needs = (outcomes.values(configuration, metric) for metric in ("rank", "needs"))
    gone = np.isnan(needs)
    found = rank <= _SEEN
    return (
        int(gone.sum()),
        int((~gone & ~found).sum()),
        int((found & (rank > 5)).sum()),
        int(((rank > 1) & (rank <= 5)).sum()),
    )


def _by_stage(counts: tuple[int, int, int, int]) -> tuple[int, int, int]:
    return counts[0], counts[1], counts[2] + counts[3]


def _most(counts: tuple[int, int, int, int]) -> int:
    return max(_by_stage(counts))


def _first(counts: tuple[int, int, int, int]) -> tuple[str, ...]:
    """The stages with most questions; none where every question is answered at rank 1."""
    most = _most(counts)
    by_stage = zip(STAGES, _by_stage(counts), strict=True)
    return tuple(stage for stage, count in by_stage if count == most) if most else ()


def _named(stages: Sequence[str]) -> Value:
    return tuple(said(f"stage_{stage}") for stage in stages) if stages else said("stage_nothing")
