"""Which configurations may be the best: by test, and by share of resamples won."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Bool, Float64, Int64


def not_distinguishable_from_best(
    configurations: int, a: Int64, b: Int64, difference: Float64, p_adjusted: Float64, alpha: float = 0.05
) -> Bool:
    """bool[m]: the configurations that no other beats significantly in the family.

    The one with the highest mean is always among them. The set is about the pairs given: in a family of comparisons
    with a baseline the others never meet each other, and leave each other in. From all pairs, the truly best is in the
    set with probability ≥ 1 − α, since only a false rejection, or one in the wrong direction, leaves it out (Hsu 1996,
    *Multiple Comparisons*, ch. 4, for the idea).

    Args:
        configurations: m.
        a: int64[pairs], the first configuration of each pair.
        b: int64[pairs], the second.
        difference: float64[pairs], mean of b less mean of a, of a metric of which more is better.
        p_adjusted: float64[pairs], for the family.
        alpha: a pair differs where p_adjusted ≤ alpha.

    Raises:
        ValueError: the columns differ in length, or a p is not a number.
    """
    if not len(a) == len(b) == len(difference) == len(p_adjusted) or np.isnan(p_adjusted).any():
        message = "a, b, difference and p_adjusted have one entry for each pair, and every p is a number"
        raise ValueError(message)
    differs = p_adjusted <= alpha
    best = np.ones(configurations, dtype=np.bool_)
    best[a[differs & (difference > 0)]] = False
    best[b[differs & (difference < 0)]] = False
    return best


def probability_of_being_best(resampled: Float64, identical: Int64) -> Float64:
    """float64[m]: the share of resamples in which each configuration has the highest mean.

    A resample that several win is divided among them equally. Identical configurations are one contender, and each of
    them shows its share, so that the sum over groups is 1. It describes the spread of these questions; it is not
    the posterior probability of anything.

    Args:
        resampled: float64[B, m] of `resampled_means`, of a metric of which more is better.
        identical: int64[m], equal for configurations that cannot differ; any numbers.

    Raises:
        ValueError: no resample, no configuration, or the numbers of configurations differ.
    """
    if resampled.ndim != 2 or not resampled.size or resampled.shape[1] != len(identical):
        message = f"resampled[B, m] and identical[m], not {resampled.shape} and {identical.shape}"
        raise ValueError(message)
    _, first, group = np.unique(identical, return_index=True, return_inverse=True)
    contenders = resampled[:, first]
    won = contenders == contenders.max(axis=1, keepdims=True)
    share = np.mean(won / won.sum(axis=1, keepdims=True), axis=0)
    return np.asarray(share[group])
