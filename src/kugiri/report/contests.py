"""Comparisons of pairs: what was tested, and what was found, in the words that the statistics allow."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kugiri.report.grid import Grid, Row, column, shown
from kugiri.report.standings import Standings
from kugiri.report.words import Code, Real, Said, Share, Signed, Text, Value, said

MOST_PAIRS = 120
"""Pairs of one metric that a report lists."""
FEW_CLUSTERS = 30
"""Below this an interval is said to be unsure."""
_SMALLEST_P = 0.0001
_DECISIONS: Mapping[str | None, str] = {
    "differs": "decision_differs",
    "no difference detected": "decision_not_detected",
    "equivalent": "decision_equivalent",
    "nested": "decision_nested",
    None: "decision_not_tested",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Contest:
    """The comparisons of one metric.

    Attributes:
        metric: its label; `lost` said in words.
        grid: a row a pair.
        left_out: pairs that were not listed, none of which differs while some that do not are listed.
        pairs: how many were compared.
    """

    metric: Value
    grid: Grid
    left_out: int
    pairs: int


@dataclasses.dataclass(frozen=True, slots=True)
class Contests:
    """All comparisons.

    Attributes:
        primary: of the primary metric; None where nothing was compared.
        notes: what has to be known to read them.
        others: of the other metrics and the share lost.
        overview: a row a metric: how many pairs differ.
    """

    primary: Contest | None
    notes: Text
    others: tuple[Contest, ...]
    overview: Grid | None


def contests(comparisons: Sequence[Row], standings: Standings, sweep: Mapping[str, Any]) -> Contests | None:
    """Every metric's comparisons; None where there are none."""
    by_metric: dict[str, list[Row]] = {}
    for row in comparisons:
        by_metric.setdefault(row["metric"], []).append(row)
    if not by_metric:
        return None
    primary = by_metric.pop(standings.primary, [])
    lost = by_metric.pop("lost", [])
    margin = sweep.get("margin")
    others = [*by_metric.items(), *([("lost", lost)] if lost else [])]
    overview = [*([(standings.primary, primary)] if primary else []), *others]
    return Contests(
        _contest(standings.primary, primary, margin) if primary else None,
        Text(tuple(_notes(primary or overview[0][1], standings.primary, sweep))),
        tuple(_contest(metric, rows, margin) for metric, rows in others),
        _overview(overview, standings),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class LossContest:
    """The comparisons of the share lost, where there is no retrieval to compare."""

    contest: Contest
    notes: Text


def loss_contest(comparisons: Sequence[Row], sweep: Mapping[str, Any]) -> LossContest | None:
    """The comparisons of the share lost; None where nothing was tested."""
    tested = sum(row["p_adjusted"] is not None for row in comparisons)
    if not tested:
        return None
    notes = [said("family_lost", n=tested), *_sample_notes(comparisons, sweep)]
    if sweep.get("difference") is None:
        notes.append(said("needed_not_stated", setting=Code("difference")))
    return LossContest(_contest("lost", comparisons, sweep.get("margin")), Text(tuple(notes)))


def probability(value: float | None) -> Value | None:
    """A p with four decimals, never as zero."""
    if value is None:
        return None
    return Real(value, 4) if value >= _SMALLEST_P else said("p_below", p=Real(_SMALLEST_P, 4))


def _contest(metric: str, rows: Sequence[Row], margin: float | None) -> Contest:
    # Of too many pairs those that differ come before those that do not; the order of the sweep stays.
    ranked = sorted(range(len(rows)), key=lambda index: (rows[index]["decision"] != "differs", index))
    listed = [rows[index] for index in sorted(ranked[:MOST_PAIRS])]
    grid = shown(
        [
            column(said("pair_a"), (Code(row["a"]) for row in listed), number=False),
            column(said("pair_b"), (Code(row["b"]) for row in listed), number=False),
            column(said("pair_difference"), (_signed(row["difference"]) for row in listed)),
            column(said("column_interval_bca"), (_signed_limits(row["low"], row["high"]) for row in listed)),
            column(said("pair_p_adjusted"), (probability(row["p_adjusted"]) for row in listed)),
            column(said("pair_p_holm"), (probability(row["p_holm"]) for row in listed)),
            column(said("pair_wins"), (_wins(row) for row in listed)),
            column(said("pair_decision"), (_decision(row, margin) for row in listed), number=False),
            column(said("alignment_share"), (_share(row.get("alignment_share")) for row in listed)),
            column(said("pair_detectable"), (_real(row.get("smallest_detectable")) for row in listed)),
            column(said("pair_needed"), (row.get("questions_needed") for row in listed)),
        ]
    )
    return Contest(name(metric), grid, len(rows) - len(listed), len(rows))


def name(metric: str) -> Value:
    """A metric as a heading: the share lost has no label of its own."""
    return said("share_lost") if metric == "lost" else metric


def _notes(rows: Sequence[Row], primary: str, sweep: Mapping[str, Any]) -> list[Said]:
    tested = [row for row in rows if row["p_adjusted"] is not None]
    family = [said("family", metric=primary, n=len(tested))] if tested else []
    return [*family, *_sample_notes(rows, sweep)]


def _sample_notes(rows: Sequence[Row], sweep: Mapping[str, Any]) -> list[Said]:
    clusters = min((row["clusters"] for row in rows if row["clusters"] is not None), default=0)
    questions = max((row["questions"] for row in rows if row["questions"] is not None), default=0)
    notes = []
    if clusters:
        by = said(f"clusters_by_{sweep['cluster']}")
        facts = {"clusters": clusters, "questions": questions, "by": by, "seed": str(sweep["seed"])}
        notes.append(said("family_sample", resamples=sweep.get("resamples") or 0, **facts))
    if 0 < clusters < FEW_CLUSTERS:
        notes.append(said("family_few", n=clusters))
    if any(row["p_holm"] is not None for row in rows):
        notes.append(said("family_holm"))
    notes.append(said("family_not_detected"))
    if sweep.get("baseline") is not None:
        notes.append(said("found_baseline", baseline=Code(sweep["baseline"])))
    if sweep.get("difference") is not None:
        notes.append(said("family_needed", difference=_plain(sweep["difference"])))
    if sweep.get("margin") is not None:
        notes.append(said("family_margin", margin=_plain(sweep["margin"])))
    return notes


def _overview(metrics: Sequence[tuple[str, Sequence[Row]]], standings: Standings) -> Grid | None:
    if len(metrics) < 2:
        return None
    counts = [Counter(row["decision"] for row in rows) for _, rows in metrics]
    in_set = [sum(standings.in_set(m, row["configuration"]) for row in standings.rows) for m, _ in metrics]
    decisions = ("differs", "no difference detected", "equivalent", "nested")
    return shown(
        [
            column(said("overview_metric"), (name(metric) for metric, _ in metrics), number=False),
            column(said("overview_pairs"), (len(rows) for _, rows in metrics)),
            *(
                column(said(f"overview_{_DECISIONS[decision].removeprefix('decision_')}"), found)
                for decision in decisions
                if any(found := [count[decision] for count in counts]) or decision == "differs"
            ),
            *([column(said("overview_set"), in_set)] if standings.all_met else []),
        ]
    )


def _decision(row: Row, margin: float | None) -> Said:
    key = _DECISIONS.get(row["decision"], "decision_not_tested")
    return said(key, margin=_plain(margin or 0.0)) if key == "decision_equivalent" else said(key)


def _wins(row: Row) -> Said | None:
    if row["wins"] is None or row["losses"] is None:
        return None
    ties = row["ties"]
    return said("pair_wins_of", wins=row["wins"], ties=0 if ties is None else ties, losses=row["losses"])


def _plain(value: float) -> Real:
    """A number of the sweep file, with the decimals that it has there."""
    return Real(value, max(1, len(repr(value).partition(".")[2])))


def _real(value: float | None) -> Real | None:
    return None if value is None else Real(value, 3)


def _share(value: float | None) -> Share | None:
    return None if value is None else Share(value)


def _signed(value: float | None) -> Signed | None:
    return None if value is None else Signed(value)


def _signed_limits(low: float | None, high: float | None) -> Said | None:
    return None if low is None or high is None else said("limits_signed", low=Signed(low), high=Signed(high))
