"""Lengths drawn from a log-normal distribution by whole numbers, the same on every machine."""

from __future__ import annotations

import dataclasses
import decimal
import functools
import re
from contextlib import AbstractContextManager
from decimal import Decimal
from statistics import NormalDist

from kugiri.errors import InputError

QUANTILES = 4096
"""How many different lengths a distribution has at most; one of them is as likely as another."""

_MILLIONTHS = 1_000_000
_WIDEST = 3
# The 99th percentile of the normal distribution: one span in a hundred would be longer than the longest, and has its
# length instead.
_Z_99 = Decimal("2.326348")


@dataclasses.dataclass(frozen=True, slots=True)
class LengthOption:
    """`FIRST` or `FIRST:SECOND` as it is typed; without the second number every length is the first.

    Attributes:
        option: the name of the option, for messages.
    """

    option: str
    first: int
    second: int | None = None

    def __str__(self) -> str:
        return str(self.first) if self.second is None else f"{self.first}:{self.second}"

    def spread(self, least: int) -> tuple[int, ...]:
        """Lengths with the mean `first` and the standard deviation `second`, none below `least`.

        Raises:
            InputError: the mean is below `least`, or the standard deviation above three times the mean.
        """
        mean, deviation = self.first, self.second or 0
        if mean < least:
            raise InputError(f"a mean length of {mean} is too small", self.option, f"give {least} characters or more")
        if deviation > _WIDEST * mean:
            raise InputError(
                f"a standard deviation of {deviation} is more than {_WIDEST} times the mean, {mean}",
                self.option,
                f"give MEAN:SPREAD with a spread of at most {_WIDEST * mean}",
            )
        if not deviation:
            return (mean,)
        with _exactly():
            # Of a log-normal distribution: variance of the logarithm = ln(1 + (deviation / mean)²).
            ratio = 1 + (Decimal(deviation) / mean) ** 2
            median, sigma = mean / ratio.sqrt(), ratio.ln().sqrt()
        return tuple(max(least, length) for length in _log_normal(median, sigma))

    def longest(self) -> tuple[int, ...]:
        """Lengths with the median `first`, of which one in a hundred has the greatest length, `second`.

        Raises:
            InputError: the median is below 1, or the greatest length below the median.
        """
        median, longest = self.first, self.first if self.second is None else self.second
        if median < 1 or longest < median:
            raise InputError(
                f"no lengths have the median {median} and the greatest length {longest}",
                self.option,
                "give MEDIAN:LONGEST, both 1 or more and the longest not below the median",
            )
        if longest == median:
            return (median,)
        with _exactly():
            sigma = (Decimal(longest) / median).ln() / _Z_99
        return tuple(min(longest, max(1, length)) for length in _log_normal(Decimal(median), sigma))


def parse_lengths(text: str, option: str) -> LengthOption:
    """The lengths that `FIRST` or `FIRST:SECOND` writes.

    Raises:
        InputError: it is neither.
    """
    found = re.fullmatch(r"([0-9]{1,9})(?::([0-9]{1,9}))?", text)
    if not found:
        raise InputError(
            f"no length: {text!r}", option, "write one or two whole numbers of characters, such as 200 or 200:150"
        )
    return LengthOption(option, int(found[1]), int(found[2]) if found[2] else None)


def _exactly() -> AbstractContextManager[decimal.Context]:
    """Decimal arithmetic is rounded correctly everywhere; `exp` and `log` of the platform are not."""
    return decimal.localcontext(decimal.Context(prec=20, rounding=decimal.ROUND_HALF_EVEN))


@functools.lru_cache(maxsize=8)
def _log_normal(median: Decimal, sigma: Decimal) -> tuple[int, ...]:
    with _exactly():
        factors = [(sigma * z / _MILLIONTHS).exp() for z in normal_quantiles()]
        return tuple(int((median * factor).to_integral_value()) for factor in factors)


@functools.cache
def normal_quantiles() -> tuple[int, ...]:
    """The middles of 4,096 equal shares of the standard normal distribution, in millionths.

    A test shows that none is near a tie, where the last bit of a platform's logarithm would change it.
    """
    upper = [
        round(NormalDist().inv_cdf((2 * k + 1) / (2 * QUANTILES)) * _MILLIONTHS)
        for k in range(QUANTILES // 2, QUANTILES)
    ]
    return (*(-z for z in reversed(upper)), *upper)
