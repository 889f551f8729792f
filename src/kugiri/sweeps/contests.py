"""Which comparisons a sweep makes: the share lost between chunkers, every metric between configurations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kugiri.model.columns import Bool, Int64
from kugiri.model.windows import windows_of
from kugiri.sweeps.alignment import with_alignment
from kugiri.sweeps.comparisons import Comparison, Contest, Judgement, Standing, drawn, judged, pairs_of
from kugiri.sweeps.plan import Plan
from kugiri.sweeps.results import ConfigurationResult

NOT_AVERAGED = ("rank", "needs")
"""Metrics that are undefined for some answerable questions: no mean of them compares configurations."""


def contested(
    plan: Plan, done: Sequence[ConfigurationResult], answerable: Bool, cluster: Int64, resamples: int
) -> tuple[list[Comparison], list[Standing]]:
    """Comparisons and standings of the share lost and of every averaged metric.

    Args:
        plan: the sweep.
        done: the configurations that did not fail.
        answerable: bool[Q].
        cluster: int64[n], the cluster of each answerable question.
        resamples: B; 0 leaves intervals, tests and standings out.
    """
    judgement = Judgement(plan.seed, resamples, plan.cluster == "none", plan.margin, plan.difference)
    weights = drawn(cluster, judgement)
    comparisons: list[Comparison] = []
    standings: list[Standing] = []
    for contest in _contests(plan, done, answerable, cluster):
        if len(contest.labels):
            rows, placed = judged(contest, judgement, weights)
            comparisons += rows
            standings += placed
    return with_alignment(comparisons, done), standings


def _contests(plan: Plan, done: Sequence[ConfigurationResult], answerable: Bool, cluster: Int64) -> list[Contest]:
    # Retrievers over one chunking lose the same questions: the share lost is compared once a chunker.
    chunkers = list({result.loss.label: result for result in reversed(done)}.values())[::-1]
    lost = [result.loss.lost[answerable].astype(float) for result in chunkers]
    found = [_contest(plan, "lost", chunkers, lost, cluster, more_is_better=False)]
    if plan.retrieves:
        for metric in plan.metrics:
            if metric not in NOT_AVERAGED:
                ranked = [result for result in done if metric in result.outcomes]
                values = [result.outcomes[metric].value[answerable] for result in ranked]
                found.append(_contest(plan, metric, ranked, values, cluster, more_is_better=True))
    return found


def _contest(
    plan: Plan,
    metric: str,
    entries: Sequence[ConfigurationResult],
    values: Sequence[np.ndarray[tuple[int], np.dtype[np.float64]]],
    cluster: Int64,
    more_is_better: bool,
) -> Contest:
    labels = tuple(str(entry.configuration) for entry in entries)
    baseline = _baseline(plan, entries, labels)
    a, b = pairs_of(len(entries), baseline) if plan.baseline is None or baseline is not None else pairs_of(0, None)
    windows = [windows_of(entry.configuration.chunker) for entry in entries]
    nested = [
        not more_is_better and first is not None and second is not None and first.nests_with(second)
        for first, second in ((windows[x], windows[y]) for x, y in zip(a.tolist(), b.tolist(), strict=True))
    ]
    same: dict[tuple[str, str], int] = {}
    identical = [
        same.setdefault((entry.identical_to or entry.loss.label, str(entry.configuration.retriever)), number)
        for number, entry in enumerate(entries)
    ]
    table = np.column_stack(values) if values else np.zeros((len(cluster), 0))
    return Contest(
        metric,
        labels,
        table,
        cluster,
        more_is_better,
        a,
        b,
        np.array(nested, dtype=bool),
        np.array(identical, dtype=np.int64),
    )


def _baseline(plan: Plan, entries: Sequence[ConfigurationResult], labels: Sequence[str]) -> int | None:
    """Where the baseline stands: the configuration itself, for the share lost the first with its chunker."""
    if plan.baseline is None:
        return None
    place = next((number for number, label in enumerate(labels) if label == plan.baseline), None)
    if place is not None:
        return place
    chunker = next(str(entry.chunker) for entry in plan.configurations if str(entry) == plan.baseline)
    return next((number for number, entry in enumerate(entries) if entry.loss.label == chunker), None)
