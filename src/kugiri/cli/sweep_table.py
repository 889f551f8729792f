"""The table that a sweep prints: as many columns as the terminal is wide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from kugiri.sweeps.results import ConfigurationResult, SweepResults

_WIDE, _WIDEST = 120, 160
_SHOWN = 4
"""Metrics shown; the rest is in the report."""

Column = tuple[str, Callable[["ConfigurationResult"], str]]


def sweep_table(results: SweepResults, console: Console) -> Table:
    """A row a configuration; `*` marks those not distinguishable from the best in the primary metric."""
    from rich.table import Table

    from kugiri.visible import one_line

    columns = _loss_columns(results, console.width)
    if results.plan.retrieves:
        columns += _retrieval_columns(results, console.width >= _WIDE)
    table = Table(box=None, pad_edge=False, collapse_padding=True)
    table.add_column("configuration", overflow="fold")
    for heading, _ in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    alone = len({str(row.configuration.retriever) for row in results.configurations}) == 1
    for row in results.configurations:
        label = str(row.configuration.chunker) if alone else str(row.configuration)
        table.add_row(one_line(label), *(cell(row) for _, cell in columns))
    return table


def legend(results: SweepResults) -> str | None:
    """What `*` and a single retriever mean; None where there is nothing to explain."""
    retrievers = {str(row.configuration.retriever) for row in results.configurations} - {"None"}
    parts = [f"ranked by {next(iter(retrievers))}"] if len(retrievers) == 1 else []
    if any(row.alignment is not None for row in results.configurations):
        parts.append("expected: mean of lost over where windows may start")
    if any(cost.truncated is not None for cost in results.costs):
        parts.append("truncated: kept, but beyond what the embedding model sees")
    if _best(results):
        parts.append(f"* not distinguishable from the best in {results.plan.primary}")
    return "; ".join(parts) or None


def _loss_columns(results: SweepResults, width: int) -> list[Column]:
    wide = width >= _WIDE or not results.plan.retrieves
    characters = max(results.corpus.characters, 1)
    columns: list[Column] = [("chunks", lambda row: f"{len(row.indexed.vectors):,}")]
    if wide and (width >= _WIDE or not results.costs):
        columns.append(("redundancy", lambda row: f"{row.indexed.characters / characters:.2f}"))
    columns.append(("lost", lambda row: f"{int(row.loss.lost.sum()):,}"))
    columns += _alignment_columns(results, width >= _WIDEST)
    columns += _truncated_columns(results, width >= _WIDE)
    if wide:
        columns += [
            ("lost %", lambda row: f"{100 * row.loss.lost_rate:.1f}"),
            ("95 % interval", lambda row: f"{100 * row.interval[0]:.1f}–{100 * row.interval[1]:.1f}"),
        ]
    return columns


def _alignment_columns(results: SweepResults, widest: bool) -> list[Column]:
    """The expected loss, and how far it varies where there is room; none where no windows are fixed."""
    if all(row.alignment is None for row in results.configurations):
        return []

    def told(of: Callable[[Any], str]) -> Callable[[ConfigurationResult], str]:
        return lambda row: "—" if row.alignment is None else of(row.alignment)

    columns = [("expected", told(lambda alignment: f"{alignment.expected:,.1f}"))]
    if widest:
        columns += [
            ("± SD", told(lambda alignment: f"{alignment.deviation:,.1f}")),
            ("least–most", told(lambda alignment: f"{alignment.least:,}–{alignment.most:,}")),
        ]
    return columns


def _truncated_columns(results: SweepResults, wide: bool) -> list[Column]:
    """One a model with a limit: with its name where there are several, which need room."""
    from kugiri.visible import one_line

    counts: dict[str, dict[str, int]] = {}
    for cost in results.costs:
        if cost.truncated is not None:
            counts.setdefault(cost.model.name, {})[cost.configuration] = int(cost.truncated.sum())

    def told(of: dict[str, int]) -> Callable[[ConfigurationResult], str]:
        return lambda row: f"{of[str(row.configuration)]:,}"

    if len(counts) > 1 and not wide:
        return []
    alone = len(counts) == 1
    return [("truncated" if alone else one_line(f"truncated {name}"), told(of)) for name, of in counts.items()]


def _best(results: SweepResults) -> set[str]:
    """The configurations not distinguishable from the best; none where all were compared with a baseline alone."""
    if results.plan.baseline is not None:
        return set()
    return {
        row.configuration for row in results.standings if row.metric == results.plan.primary and row.not_distinguishable
    }


def _retrieval_columns(results: SweepResults, wide: bool) -> list[Column]:
    from kugiri.metrics.rank import rank_classes
    from kugiri.sweeps.contests import NOT_AVERAGED

    answerable = results.questions.answerable
    best = _best(results)

    def mean(metric: str) -> Callable[[Any], str]:
        def cell(row: ConfigurationResult) -> str:
            if metric not in row.outcomes:
                return "—"
            mark = "*" if metric == results.plan.primary and str(row.configuration) in best else ""
            return f"{row.outcomes[metric].value[answerable].mean():.3f}{mark}"

        return cell

    def classes(row: ConfigurationResult) -> str:
        return " · ".join(map(str, rank_classes(row.ranking))) if row.ranking is not None else ""

    averaged = [metric for metric in results.plan.metrics if metric not in NOT_AVERAGED]
    columns: list[Column] = [(metric, mean(metric)) for metric in averaged[:_SHOWN]]
    return [*columns, ("rank 1 · 2–5 · 6–20 · beyond", classes)] if wide else columns
