"""Numbers with the decimals that they need: what is not zero is never printed as zero."""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10

from kugiri.report.words import Real

_DECIMALS = 9


def as_written(value: float) -> Real:
    """A number that somebody wrote: with the decimals that it has there, noise of binary floating point aside."""
    shown = Decimal(repr(float(value)))
    near = round(shown, _DECIMALS)
    exponent = (near or shown).normalize().as_tuple().exponent
    return Real(float(near or shown), max(0, -int(exponent)))


def measured(value: float, decimals: int) -> Real:
    """A number that was computed: with so many decimals, or with two digits where those would all be zeros."""
    if not value or float(f"{value:.{decimals}f}"):
        return Real(value, decimals)
    return Real(value, 1 - floor(log10(abs(value))))
