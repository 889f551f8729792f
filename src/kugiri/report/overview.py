"""The report's first page: the answer in one paragraph, the table of configurations, and why questions are lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import pyarrow.compute as pc

from kugiri.report.alignment import alignment_columns, expected_said, loss_used
from kugiri.report.contests import FEW_CLUSTERS
from kugiri.report.costs import truncated_of
from kugiri.report.grid import Column, Grid, ReadsTables, Row, column, rows_if_any, shown
from kugiri.report.pareto import named
from kugiri.report.words import Code, Interval, Real, Said, Share, Text, Value, percent, said

CAUSES = ("cut", "too_long", "dropped")
_Item = TypeVar("_Item")
_NAMED = 12
"""Configurations that the answer names before it says how many more there are."""


def answer(
    results: ReadsTables, configurations: Sequence[Row], retrieving: int = 0, retrieved: Text | None = None
) -> tuple[Text, ...]:
    """What was found, in one paragraph, and what that means, in another.

    Args:
        results: the tables.
        configurations: the rows that lose questions: one a chunker where there is retrieval.
        retrieving: how many configurations there are with retrieval; 0 where there is none.
        retrieved: what was found of retrieval, a paragraph between the two.
    """
    corpus = results.sweep["corpus"]
    if not configurations:
        return (Text((said("answer_no_configurations"),)),)
    questions = configurations[0]["questions"]
    if not questions:
        return (Text((said("answer_no_questions"),)),)
    scope = said(
        "answer_scope_retrieval" if retrieving else "answer_scope",
        corpus=corpus["title"] or corpus["name"],
        documents=said("n_documents", n=corpus["documents"]),
        characters=corpus["characters"],
        questions=said("n_answerable", n=questions),
        configurations=said("n_configurations", n=retrieving or len(configurations)),
    )
    most, least = (_extreme(configurations, choose) for choose in (max, min))
    found: list[Said] = [scope]
    meaning: list[Said] = []
    if not most[0]["lost"]:
        found.append(said("answer_all_kept"))
        found += _luck(least)
    elif not least[0]["lost"]:
        found.append(_lossless(least))
    else:
        found.append(said("answer_all_lose", claim=_claims(least)))
    best, chosen = _recommended(configurations, least)
    found += chosen
    found += _truncated(results, least if best in least else [*least, best])
    if most[0]["lost"] > least[0]["lost"]:
        found.append(said("answer_most", claim=_claims(most)))
    if most[0]["lost"]:
        meaning += [said("answer_beyond_repair"), said("answer_interval_meaning")]
    if not least[0]["lost"]:
        meaning.append(_limit(least, results.sweep["cluster"]))
    clusters = results.sweep["clusters"][results.sweep["cluster"]]
    if clusters < FEW_CLUSTERS:
        meaning.append(said("answer_few_clusters", n=clusters))
    between = (retrieved,) if retrieved is not None and retrieved.sentences else ()
    return Text(tuple(found)), *between, Text(tuple(meaning))


def _limit(rows: Sequence[Row], cluster: str) -> Said:
    """How far the intervals of configurations that lose nothing reach; by document too where that is further."""
    high = max(row["lost_high"] for row in rows)
    document = max((row["lost_high_document"] for row in rows if row["lost_high_document"] is not None), default=high)
    if document <= high or percent(document) == percent(high):
        return said("answer_none_lost_limit", high=Share(high))
    by = said(f"clusters_by_{cluster}")
    return said("answer_none_lost_limits", high=Share(high), by=by, document=Share(document))


def _extreme(rows: Sequence[Row], choose: Callable[[Iterable[int]], int]) -> list[Row]:
    lost = choose(row["lost"] for row in rows)
    return [row for row in rows if row["lost"] == lost]


def _lossless(rows: Sequence[Row]) -> Said:
    if len(rows) == 1:
        return said("answer_one_lossless", configuration=_with_chunks(rows[0]))
    return said("answer_none_lost", configurations=_enumerated(rows, _with_chunks))


def _luck(rows: Sequence[Row]) -> list[Said]:
    """Those of the configurations that lose nothing which do lose questions at other alignments."""
    lucky = [row for row in rows if loss_used(row)]
    return [said("answer_luck", configurations=_enumerated(lucky, with_expected))] if lucky else []


def _recommended(rows: Sequence[Row], least: Sequence[Row]) -> tuple[Row, list[Said]]:
    """What to choose, by expected loss where there is one: what a single alignment loses would choose noise.

    Of those that are expected to lose nothing, the fewest vectors; where there is none, the smallest expected loss.
    Nothing is said where those with the smallest observed loss, which are named before, leave nothing to choose.
    """
    sure = [row for row in least if not loss_used(row)]
    if sure:
        cheapest = min(sure, key=lambda row: row["chunks"])
        key = "answer_fewest_chunks" if len(sure) == len(least) else "answer_fewest_chunks_expected"
        choice = said(key, configuration=Code(cheapest["configuration"]), chunks=cheapest["chunks"])
        return cheapest, [choice] if len(least) > 1 else []
    best = min(rows, key=lambda row: (loss_used(row) or 0.0, row["lost"], row["chunks"]))
    same = all(loss_used(row) == loss_used(best) for row in least)
    return best, [] if same else [said("answer_least_expected", configuration=named(best))]


def _truncated(results: ReadsTables, rows: Sequence[Row]) -> list[Said]:
    """What embedding models do not see of the configurations that are named."""
    told = truncated_of(results.sweep.get("models") or (), rows_if_any(results, "costs"), rows)
    return [said("answer_truncated", configurations=_enumerated(told, lambda one: one))] if told else []


def _enumerated(items: Sequence[_Item], name: Callable[[_Item], Value]) -> tuple[Value, ...]:
    more = (said("and_more", n=len(items) - _NAMED),) if len(items) > _NAMED else ()
    return (*map(name, items[:_NAMED]), *more)


def _with_chunks(row: Row) -> Said:
    expected, configuration = row.get("expected_lost"), Code(row["configuration"])
    if expected is None:
        return said("configuration_chunks", configuration=configuration, chunks=row["chunks"])
    facts: dict[str, Value] = {"chunks": row["chunks"], "expected": expected_said(expected)}
    return said("configuration_chunks_expected", configuration=configuration, **facts)


def with_expected(row: Row) -> Value:
    """The label of a configuration, with its expected loss where it has one."""
    expected, configuration = row.get("expected_lost"), Code(row["configuration"])
    if expected is None:
        return configuration
    return said("configuration_expected", configuration=configuration, expected=expected_said(expected))


def _claims(rows: Sequence[Row]) -> Text:
    return Text(tuple(map(claim, rows[:_NAMED])), "between_claims")


def claim(row: Row) -> Said:
    """What one configuration loses, with its interval."""
    expected = row.get("expected_lost")
    facts: dict[str, Value] = {} if expected is None else {"expected": expected_said(expected)}
    return said(
        "claim_loses" if expected is None else "claim_loses_expected",
        **facts,
        configuration=Code(row["configuration"]),
        n=row["lost"],
        questions=row["questions"],
        share=Share(row["lost_rate"]),
        interval=Interval(row["lost_low"], row["lost_high"]),
        chunks=row["chunks"],
    )


def configurations_grid(
    results: ReadsTables, rows: Sequence[Row], *, metrics: bool = True, truncated: Sequence[Column] = ()
) -> Grid:
    """A row a configuration; metrics, and whatever else no configuration has a value of, have no column.

    `truncated` are the questions that the models of the sweep do not see.
    """
    measured = results.sweep["metrics"] if metrics else ()
    cluster = results.sweep["cluster"]
    over_size = any(row["too_long_chunks"] for row in rows)
    by_document = [_interval(row["lost_low_document"], row["lost_high_document"]) for row in rows]
    return shown(
        [
            column(said("column_number"), (row.get("number", number) for number, row in enumerate(rows, 1))),
            _labels("configuration", rows),
            column(said("column_chunks"), (row["chunks"] for row in rows)),
            column(said("column_chunk_chars_mean"), (_real(row["chunk_chars_mean"], 1) for row in rows)),
            column(said("column_redundancy"), (_real(row["redundancy"], 2) for row in rows)),
            column(said("column_lost"), (row["lost"] for row in rows)),
            *alignment_columns(rows),
            *truncated,
            column(said("column_lost_rate"), (_share(row["lost_rate"]) for row in rows)),
            column(said(f"column_interval_{cluster}"), (_interval(row["lost_low"], row["lost_high"]) for row in rows)),
            None if cluster == "document" else column(said("column_interval_document"), by_document),
            *(column(metric, (_real(row[metric], 3) for row in rows)) for metric in measured),
            column(said("column_clusters_split"), (row["clusters_split"] for row in rows)),
            column(said("column_too_long_chunks"), (row["too_long_chunks"] for row in rows)) if over_size else None,
            _labels("identical_to", rows),
        ]
    )


def _labels(name: str, rows: Sequence[Row]) -> Column:
    cells = (None if row[name] is None else Code(row[name]) for row in rows)
    return column(said(f"column_{name}"), cells, number=False)


def causes_grid(configurations: Sequence[Row], lost: Sequence[Row]) -> Grid | None:
    """Lost questions by cause, for the configurations that lose any; None where none does."""
    losing = [row for row in configurations if row["lost"]]
    if not losing:
        return None
    counts = Counter((row["configuration"], row["cause"]) for row in lost)
    return Grid(
        (
            _labels("configuration", losing),
            column(said("column_lost"), (row["lost"] for row in losing)),
            *(
                column(said(f"cause_{cause}"), [counts[row["configuration"], cause] for row in losing])
                for cause in CAUSES
            ),
        )
    )


def needs_grid(results: ReadsTables, configurations: Sequence[Row]) -> Grid | None:
    """Kept questions by the fewest chunks they need; None where one chunk is enough for all of them."""
    outcomes = results.table("outcomes")
    outcomes = outcomes.filter(pc.and_(pc.equal(outcomes["metric"], "needs"), outcomes["defined"]))
    counted = outcomes.group_by(["configuration", "value"]).aggregate([([], "count_all")]).to_pylist()
    counts: Mapping[tuple[str, int], int] = {
        (row["configuration"], int(row["value"])): row["count_all"] for row in counted
    }
    needs = sorted({needed for _, needed in counts})
    if not needs or needs[-1] < 2:
        return None
    return Grid(
        (
            _labels("configuration", configurations),
            *(
                column(
                    said("needs_n", n=needed),
                    [counts.get((str(row.get("label", row["configuration"])), needed), 0) for row in configurations],
                )
                for needed in needs
            ),
            column(said("column_lost"), (row["lost"] for row in configurations)),
        )
    )


def _real(value: float | None, decimals: int) -> Real | None:
    return None if value is None else Real(value, decimals)


def _share(value: float | None) -> Share | None:
    return None if value is None else Share(value)


def _interval(low: float | None, high: float | None) -> Interval | None:
    return None if low is None or high is None else Interval(low, high)
