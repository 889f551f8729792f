"""Wilson's score interval for a share."""

from __future__ import annotations

from math import sqrt

Z_975 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


def wilson(share: float, n: float, z: float = Z_975) -> tuple[float, float]:
    """The interval of all shares that a score test does not reject (Wilson 1927, JASA 22:209–212, formula 1).

    Args:
        share: the observed share, in [0, 1].
        n: observations, or effective observations where they are clustered; need not be whole; above 0.
        z: normal quantile of the two-sided level, 95 % by default.

    Returns:
        Lower and upper limit, within [0, 1].
    """
    centre = share + z**2 / (2 * n)
    margin = z * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low, high = (centre - margin) / (1 + z**2 / n), (centre + margin) / (1 + z**2 / n)
    # At 0 and at 1 the formula gives the limit exactly; rounding must not print −1e−17 for it.
    return 0.0 if share == 0 else max(0.0, low), 1.0 if share == 1 else min(1.0, high)
