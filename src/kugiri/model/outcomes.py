"""The values of one metric, a question a row."""

from __future__ import annotations

import dataclasses

from kugiri.model.columns import Bool, Float64, frozen


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Row `i` is question `i`. Missing is never zero and zero is never missing: `defined` says which values exist.

    Attributes:
        metric: the metric's label.
        value: float64[Q]; NaN exactly where not defined, so that an average by mistake cannot pass unseen.
        defined: bool[Q].
    """

    metric: str
    value: Float64
    defined: Bool

    def __post_init__(self) -> None:
        value, defined = frozen(self.value, float), frozen(self.defined, bool)
        if value.shape != defined.shape or bool(((value != value) == defined).any()):
            message = "a value is NaN exactly where it is not defined"
            raise ValueError(message)
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "defined", defined)
