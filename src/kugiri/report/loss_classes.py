"""Classes of loss for heat maps: few enough to be told apart, in paper, on a screen and in a terminal."""

from __future__ import annotations

from bisect import bisect_left

from kugiri.report.surface_rows import percentage
from kugiri.report.words import Said, said

BOUNDS = (0.0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1)
"""The highest share of lost questions of every class but the last."""
# ColorBrewer's YlGnBu: told apart with any colour vision, and darker is more in grey, too.
COLOURS = ("#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#0c2c84")
_ROUNDING = 1e-12


def class_of(lost: float, questions: int) -> int:
    """The class of so many lost questions: 0 for none, then by `BOUNDS`, up to `len(BOUNDS)`."""
    return bisect_left(BOUNDS, lost / questions - _ROUNDING) if lost else 0


def class_name(number: int) -> Said:
    """What a class is, in words."""
    if number == 0:
        return said("surface_class_none")
    if number == len(BOUNDS):
        return said("surface_class_more", share=percentage(BOUNDS[-1]))
    return said("surface_class_up_to", share=percentage(BOUNDS[number]))
