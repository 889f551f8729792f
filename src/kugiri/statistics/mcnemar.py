"""McNemar's exact test of two paired shares."""

from __future__ import annotations

from sys import float_info


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p that two configurations have the same share, from the questions on which they disagree.

    min(1, 2 P(X ≤ min(only_a, only_b))) with X binomial of n = only_a + only_b and ½ (McNemar 1947, Psychometrika
    12:153–157, in its exact form). Without a disagreement 1. Valid for independent questions only: with clusters, flip
    signs by cluster.

    Args:
        only_a: questions with the event in `a` alone.
        only_b: questions with the event in `b` alone.

    Raises:
        ValueError: a negative count.
    """
    if only_a < 0 or only_b < 0:
        message = f"counts are not negative: {only_a}, {only_b}"
        raise ValueError(message)
    n = only_a + only_b
    # Whole numbers throughout, so that nothing is lost before the one division.
    term = tail = 1
    for k in range(min(only_a, only_b)):
        term = term * (n - k) // (k + 1)
        tail += term
    # Beyond 1,022 disagreements that all point one way the quotient would underflow to 0, and no p is 0.
    return max(min(1.0, 2 * tail / (1 << n)), float_info.min)
