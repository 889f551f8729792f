"""Where each configuration stands in a metric, and what the answer says of the primary one."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from kugiri.report.alignment import mean_column
from kugiri.report.grid import Grid, Row, column, shown
from kugiri.report.words import Code, Real, Said, Share, Value, said

_NAMED = 12
"""Configurations that a sentence names before it says how many more there are."""


@dataclasses.dataclass(frozen=True, slots=True)
class Standings:
    """The standings of every metric by metric and configuration, and the rows of the configurations that retrieve.

    Attributes:
        all_met: whether every pair was tested. Where all are compared with a baseline alone, the others never meet, and
            nothing is said of who is distinguishable from the best.
    """

    rows: tuple[Row, ...]
    by_metric: Mapping[str, Mapping[str, Row]]
    primary: str
    all_met: bool = True

    def of(self, metric: str, configuration: str) -> Row | None:
        """One standing; None where there is none."""
        return self.by_metric.get(metric, {}).get(configuration)

    def in_set(self, metric: str, configuration: str) -> bool:
        """Whether it is not distinguishable from the best, as far as all were compared."""
        standing = self.of(metric, configuration)
        return self.all_met and standing is not None and bool(standing["not_distinguishable"])

    @property
    def best(self) -> Row | None:
        """The row with the highest value of the primary metric, the first of them; None without any value."""
        ranked = [row for row in self.rows if row.get(self.primary) is not None]
        return max(ranked, key=lambda row: row[self.primary], default=None)

    @property
    def undistinguished(self) -> tuple[Row, ...]:
        """The rows not distinguishable from the best in the primary metric; the best alone where nothing was tested."""
        found = tuple(row for row in self.rows if self.in_set(self.primary, row["configuration"]))
        return found or ((self.best,) if self.best is not None else ())


def standings(rows: Sequence[Row], table: Sequence[Row], primary: str, baseline: str | None = None) -> Standings:
    """The standings of these configurations, compared with one another or with a baseline alone."""
    by_metric: dict[str, dict[str, Row]] = {}
    for row in table:
        by_metric.setdefault(row["metric"], {})[row["configuration"]] = row
    return Standings(tuple(rows), by_metric, primary, baseline is None)


def limits(low: float | None, high: float | None) -> Said | None:
    """An interval of a mean."""
    return None if low is None or high is None else said("limits", low=Real(low, 3), high=Real(high, 3))


def found(standings: Standings, baseline: str | None, clusters: int | None) -> tuple[Said, ...]:
    """Which configurations may be the best by the primary metric, and which of those is cheapest."""
    best = standings.best
    if best is None:
        return ()
    metric, label = standings.primary, best["configuration"]
    standing = standings.of(metric, label)
    interval = None if standing is None else limits(standing["low"], standing["high"])
    facts: dict[str, Value] = {
        "metric": metric,
        "configuration": Code(label),
        "value": Real(best[metric], 3),
        "questions": best["questions"],
    }
    sentences: list[Said] = []
    if interval is None or clusters is None:
        sentences.append(said("found_value", **facts))
    else:
        sentences.append(said("found_best", interval=interval, clusters=clusters, **facts))
    if standing is None or len(standings.rows) == 1:
        return tuple(sentences)
    if baseline is not None:
        return (*sentences, said("found_baseline", baseline=Code(baseline)))
    chosen = standings.undistinguished
    others = [row for row in chosen if row is not best]
    if not others:
        return (*sentences, said("found_alone"))
    names: list[Value] = [Code(row["configuration"]) for row in others[:_NAMED]]
    if len(others) > _NAMED:
        names.append(said("and_more", n=len(others) - _NAMED))
    cheapest = min(chosen, key=lambda row: (row["chunks"], -row[metric]))
    return (
        *sentences,
        said("found_set", configurations=tuple(names), questions=best["questions"]),
        said("found_cheapest", configuration=Code(cheapest["configuration"]), chunks=cheapest["chunks"]),
    )


def ranked_grid(standings: Standings, metrics: Sequence[str]) -> Grid:
    """A row a configuration: chunks, lost, metrics, rank classes; the primary metric first, with its interval."""
    rows, primary = standings.rows, standings.primary
    labels = [row["configuration"] for row in rows]
    ordered = [*([primary] if primary in metrics else []), *(metric for metric in metrics if metric != primary)]
    columns = [
        column(said("column_number"), range(1, len(rows) + 1)),
        column(said("column_configuration"), map(Code, labels), number=False),
        column(said("column_chunks"), (row["chunks"] for row in rows)),
        column(said("column_lost"), (row["lost"] for row in rows)),
        mean_column(rows),
    ]
    for metric in ordered:
        columns.append(column(metric, (marked(standings, metric, row) for row in rows)))
        if metric == primary:
            places = [standings.of(metric, label) for label in labels]
            cells = [None if place is None else limits(place["low"], place["high"]) for place in places]
            columns.append(column(said("column_interval_bca"), cells))
    columns += [
        column(said(f"column_{name}"), (row[name] for row in rows)) for name in ("rank_1", "rank_2_5", "rank_6_20")
    ]
    columns.append(column(said("column_rank_beyond"), map(_beyond, rows)))
    return shown(columns)


def values_grid(standings: Standings, metrics: Sequence[str]) -> Grid:
    """The metrics that have no room in the table above."""
    rows = standings.rows
    return shown(
        [
            column(said("column_number"), range(1, len(rows) + 1)),
            column(said("column_configuration"), (Code(row["configuration"]) for row in rows), number=False),
            *(column(metric, (marked(standings, metric, row) for row in rows)) for metric in metrics),
        ]
    )


def marked(standings: Standings, metric: str, row: Row) -> Value | None:
    """A value, with its mark where no other configuration beats it."""
    if row.get(metric) is None:
        return None
    value = Real(row[metric], 3)
    if not standings.in_set(metric, row["configuration"]):
        return value
    return said("marked_primary" if metric == standings.primary else "marked", value=value)


def best_grid(standings: Standings) -> Grid | None:
    """The standings of the primary metric, with both intervals and the share of resamples won."""
    metric = standings.primary
    places = standings.by_metric.get(metric)
    if not places or len(standings.rows) < 2:
        return None
    rows = [(row, places[row["configuration"]]) for row in standings.rows if row["configuration"] in places]
    rows.sort(key=lambda pair: -pair[1]["value"])
    percentile = [limits(place["percentile_low"], place["percentile_high"]) for _, place in rows]
    return shown(
        [
            column(said("column_configuration"), (Code(row["configuration"]) for row, _ in rows), number=False),
            column(metric, (marked(standings, metric, row) for row, _ in rows)),
            column(said("column_interval_bca"), (limits(place["low"], place["high"]) for _, place in rows)),
            column(said("column_interval_percentile"), percentile),
            column(
                said("column_probability_best"),
                (None if p["probability_best"] is None else Share(p["probability_best"]) for _, p in rows),
            ),
            column(said("column_chunks"), (row["chunks"] for row, _ in rows)),
        ]
    )


def _beyond(row: Row) -> Value | None:
    beyond = row["rank_beyond"]
    if beyond is None or not row["lost"]:
        return beyond if isinstance(beyond, int) else None
    return said("rank_beyond_lost", beyond=beyond, lost=row["lost"])
