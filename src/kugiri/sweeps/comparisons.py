"""Pairs of configurations on the same questions: how far apart they are, and whether the questions can tell."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from kugiri.model.columns import Bool, Float64, Int64
from kugiri.statistics.best import not_distinguishable_from_best, probability_of_being_best
from kugiri.statistics.bootstrap import RESAMPLES, draw_weights, resampled_means
from kugiri.statistics.bootstrap_intervals import bca_intervals, percentile_intervals
from kugiri.statistics.clusters import ClusterTotals, cluster_totals
from kugiri.statistics.equivalence import tost
from kugiri.statistics.holm import holm, holm_can_reject
from kugiri.statistics.mcnemar import mcnemar
from kugiri.statistics.power import paired_spread, questions_needed, smallest_detectable_difference
from kugiri.statistics.sign_flip import sign_flip_test
from kugiri.statistics.standard_error import standard_errors

ALPHA = 0.05


@dataclasses.dataclass(frozen=True, slots=True)
class Judgement:
    """How differences are judged: stated before anything is looked at.

    Attributes:
        seed: of resamples and flips.
        resamples: B; 0 leaves intervals, tests and standings out.
        unclustered: whether every question is its own cluster, so that exact McNemar holds.
        margin: inside which two configurations count as equivalent, on the scale of the metric; None claims none.
        difference: one that would matter, for the number of questions that finds it; None asks for none.
    """

    seed: int = 1
    resamples: int = RESAMPLES
    unclustered: bool = False
    margin: float | None = None
    difference: float | None = None


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """One metric over the same questions for several configurations.

    Attributes:
        labels: of the m configurations.
        values: float64[n, m], the value of each question in each.
        cluster: int64[n], the cluster of each question.
        more_is_better: False for the share lost.
        a, b: int64[pairs], the pairs of the family.
        nested: bool[pairs], where one lost set must contain the other: known, so never tested.
        identical: int64[m], equal for configurations that cannot differ.
    """

    metric: str
    labels: tuple[str, ...]
    values: Float64
    cluster: Int64
    more_is_better: bool
    a: Int64
    b: Int64
    nested: Bool
    identical: Int64


@dataclasses.dataclass(frozen=True, slots=True)
class Comparison:
    """Configuration `b` against `a` in one metric; None where something was not computed.

    Attributes:
        difference: value_b − value_a.
        low, high: BCa interval of the difference; percentile_low, percentile_high the percentile one (95 %).
        p, p_adjusted, p_holm: two-sided; adjusted over the family by max-T, by Holm where it can reject.
        wins, ties, losses: questions on which b does better, the same, worse.
        decision: `differs`, `no difference detected`, `equivalent`, `nested`.
        smallest_detectable: the true difference that these questions find with 80 % power.
        questions_needed: how many questions find the stated difference.
        alignment_share: of the share lost between fixed windows: in what share of pairs of alignments, one of each, `a`
            loses less, ties half.
    """

    metric: str
    a: str
    b: str
    questions: int
    clusters: int
    value_a: float
    value_b: float
    difference: float
    wins: int
    ties: int
    losses: int
    low: float | None = None
    high: float | None = None
    percentile_low: float | None = None
    percentile_high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    p_holm: float | None = None
    decision: str | None = None
    smallest_detectable: float | None = None
    questions_needed: int | None = None
    alignment_share: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Standing:
    """One configuration in one metric: its mean with intervals, and whether it may be the best.

    Attributes:
        not_distinguishable: no other configuration beats it significantly in the family.
        probability_best: share of resamples in which it is the best, ties split; not a posterior probability.
    """

    metric: str
    configuration: str
    value: float
    low: float
    high: float
    percentile_low: float
    percentile_high: float
    not_distinguishable: bool
    probability_best: float


def pairs_of(count: int, baseline: int | None) -> tuple[Int64, Int64]:
    """Every pair of `count` configurations in order, or the baseline with every other one; `a` is the baseline."""
    if baseline is None:
        a, b = np.triu_indices(count, 1)
        return a.astype(np.int64), b.astype(np.int64)
    others = np.array([index for index in range(count) if index != baseline], dtype=np.int64)
    return np.full(len(others), baseline, dtype=np.int64), others


def judged(
    contest: Contest, judgement: Judgement, weights: NDArray[np.uint8] | None
) -> tuple[list[Comparison], list[Standing]]:
    """The comparisons and standings of one metric.

    Args:
        contest: the values.
        judgement: how to judge them.
        weights: of `drawn`, shared by every metric; None leaves intervals, tests and standings out.
    """
    totals = cluster_totals(contest.values, contest.cluster)
    plain = _counted(contest, totals)
    if weights is None or not len(contest.labels):
        return plain, []
    differences = totals.differences(contest.a, contest.b)
    tested = np.flatnonzero(~contest.nested)
    p, adjusted, p_holm = _tests(contest, differences, tested, judgement)
    resampled = resampled_means(weights, differences)
    percentile, bca = percentile_intervals(resampled), bca_intervals(resampled, differences)
    errors = standard_errors(differences)
    equivalent = np.zeros(len(contest.a), dtype=bool)
    if judgement.margin is not None:
        equivalent = tost(differences, judgement.margin).equivalent
    full = [
        dataclasses.replace(
            row,
            low=float(bca.low[pair]),
            high=float(bca.high[pair]),
            percentile_low=float(percentile.low[pair]),
            percentile_high=float(percentile.high[pair]),
            p=_number(p[pair]),
            p_adjusted=_number(adjusted[pair]),
            p_holm=_number(p_holm[pair]),
            decision=_decision(bool(contest.nested[pair]), adjusted[pair], bool(equivalent[pair])),
            smallest_detectable=smallest_detectable_difference(errors[pair]) if errors[pair] > 0 else None,
            questions_needed=_needed(contest, pair, judgement),
        )
        for pair, row in enumerate(plain)
    ]
    return full, _standings(contest, totals, weights, tested, adjusted)


def drawn(cluster: Int64, judgement: Judgement) -> NDArray[np.uint8] | None:
    """The resamples that all configurations and metrics share; None for none, or with fewer than two clusters."""
    clusters = len(np.unique(cluster))
    return draw_weights(clusters, judgement.resamples, judgement.seed) if judgement.resamples and clusters > 1 else None


def _counted(contest: Contest, totals: ClusterTotals) -> list[Comparison]:
    means, differences = totals.means, totals.differences(contest.a, contest.b).means
    rows = []
    for pair, (a, b) in enumerate(zip(contest.a.tolist(), contest.b.tolist(), strict=True)):
        change = contest.values[:, b] - contest.values[:, a]
        better, worse = int((change > 0).sum()), int((change < 0).sum())
        wins, losses = (better, worse) if contest.more_is_better else (worse, better)
        rows.append(
            Comparison(
                contest.metric,
                contest.labels[a],
                contest.labels[b],
                len(change),
                len(totals.sizes),
                float(means[a]),
                float(means[b]),
                float(differences[pair]),
                wins,
                len(change) - wins - losses,
                losses,
                decision="nested" if contest.nested[pair] else None,
            )
        )
    return rows


def _tests(
    contest: Contest, differences: ClusterTotals, tested: Int64, judgement: Judgement
) -> tuple[Float64, Float64, Float64]:
    """p, p by max-T, p by Holm of every pair; NaN for nested pairs, and for Holm where it cannot reject."""
    p, adjusted, p_holm = (np.full(len(contest.a), np.nan) for _ in range(3))
    if not len(tested):
        return p, adjusted, p_holm
    flips = sign_flip_test(differences.sums[:, tested], judgement.resamples, judgement.seed)
    p[tested], adjusted[tested] = flips.p, flips.p_adjusted
    exact = flips.exact
    if judgement.unclustered and bool(np.isin(contest.values, (0.0, 1.0)).all()):
        change = contest.values[:, contest.b[tested]] - contest.values[:, contest.a[tested]]
        p[tested] = [mcnemar(int((column < 0).sum()), int((column > 0).sum())) for column in change.T]
        exact = True
    if holm_can_reject(len(tested), judgement.resamples, exact):
        p_holm[tested] = holm(p[tested])
    return p, adjusted, p_holm


def _standings(
    contest: Contest, totals: ClusterTotals, weights: NDArray[np.uint8], tested: Int64, adjusted: Float64
) -> list[Standing]:
    sign = 1.0 if contest.more_is_better else -1.0
    resampled = resampled_means(weights, totals)
    percentile, bca = percentile_intervals(resampled), bca_intervals(resampled, totals)
    difference = totals.differences(contest.a, contest.b).means * sign
    # A nested pair is no test, and needs none: the finer cut loses what the coarser loses, and where it loses more, it
    # is beaten for certain.
    certain = np.where(contest.nested & (difference != 0), 0.0, np.where(contest.nested, 1.0, adjusted))
    best = not_distinguishable_from_best(len(contest.labels), contest.a, contest.b, difference, certain, ALPHA)
    share = probability_of_being_best(resampled * sign, contest.identical)
    return [
        Standing(
            contest.metric,
            label,
            float(totals.means[index]),
            float(bca.low[index]),
            float(bca.high[index]),
            float(percentile.low[index]),
            float(percentile.high[index]),
            bool(best[index]),
            float(share[index]),
        )
        for index, label in enumerate(contest.labels)
    ]


def _decision(nested: bool, adjusted: float, equivalent: bool) -> str:
    if nested:
        return "nested"
    if adjusted <= ALPHA:
        return "differs"
    return "equivalent" if equivalent else "no difference detected"


def _needed(contest: Contest, pair: int, judgement: Judgement) -> int | None:
    if judgement.difference is None:
        return None
    spread = paired_spread(contest.values[:, contest.b[pair]] - contest.values[:, contest.a[pair]], contest.cluster)
    return questions_needed(judgement.difference, spread) if spread.variance > 0 else None


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
