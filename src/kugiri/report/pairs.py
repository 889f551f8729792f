"""Pairs of configurations that do not lose the same questions, and which questions tell them apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from kugiri.report.grid import Grid, Row, column
from kugiri.report.words import Code, Said, said

MOST_PAIRS = 100
"""Pairs that a report lists; a sweep of 40 configurations has 780."""

MOST_IN_MATRIX = 16
"""Configurations that the matrix of pairs holds and still fits a page."""


@dataclasses.dataclass(frozen=True, slots=True)
class Side:
    """One side of a pair: the questions that only this configuration loses, in file order."""

    configuration: str
    only: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """Two configurations on the same questions."""

    a: Side
    b: Side
    nested: bool

    @property
    def differing(self) -> int:
        """Questions that one loses and the other keeps."""
        return len(self.a.only) + len(self.b.only)


@dataclasses.dataclass(frozen=True, slots=True)
class NestedPair:
    """A pair of which `more` must lose at least what the other loses."""

    sentence: Said
    more: Side


@dataclasses.dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs that were compared.

    Attributes:
        compared: how many.
        different: how many of them do not lose the same questions.
        matrix: how many questions the row's configuration loses and the column's keeps; None where there are more than
            `MOST_IN_MATRIX` configurations, or not every pair was compared.
        listed: those that are not nested, at most `MOST_PAIRS`, in the order of the sweep.
        left_out: how many such pairs were not listed: those with the fewest differing questions.
        nested: the nested ones, whether or not they differ.
    """

    compared: int
    different: int
    matrix: Grid | None
    listed: tuple[Pair, ...]
    left_out: int
    nested: tuple[NestedPair, ...]


def pairs(comparisons: Sequence[Row], lost: Sequence[Row], configurations: Sequence[Row]) -> Pairs:
    """The pairs of the rows of `comparisons` that compare losses."""
    ids: dict[str, dict[str, None]] = {}
    for row in lost:
        ids.setdefault(row["configuration"], {})[row["question_id"]] = None
    made = [_pair(row, ids) for row in comparisons if row["metric"] == "lost"]
    free = [pair for pair in made if pair.differing and not pair.nested]
    kept = sorted(range(len(free)), key=lambda index: (-free[index].differing, index))[:MOST_PAIRS]
    chunks = {row["configuration"]: row["chunks"] for row in configurations}
    return Pairs(
        len(made),
        sum(bool(pair.differing) for pair in made),
        _matrix(made, {row["configuration"]: row.get("number", place) for place, row in enumerate(configurations, 1)}),
        tuple(free[index] for index in sorted(kept)),
        len(free) - len(kept),
        tuple(_nested(pair, chunks) for pair in made if pair.nested),
    )


def _matrix(made: Sequence[Pair], labels: Mapping[str, int]) -> Grid | None:
    if len(labels) > MOST_IN_MATRIX or len(made) != len(labels) * (len(labels) - 1) // 2:
        return None
    counts: dict[tuple[str, str], int] = {}
    for pair in made:
        for side, other in ((pair.a, pair.b), (pair.b, pair.a)):
            counts[side.configuration, other.configuration] = len(side.only)
    return Grid(
        (
            column(said("column_number"), labels.values()),
            column(said("column_configuration"), map(Code, labels), number=False),
            *(column(number, (counts.get((row, label)) for row in labels)) for label, number in labels.items()),
        )
    )


def _pair(row: Row, ids: Mapping[str, Mapping[str, None]]) -> Pair:
    lost_a, lost_b = ids.get(row["a"], {}), ids.get(row["b"], {})
    return Pair(
        Side(row["a"], tuple(question for question in lost_a if question not in lost_b)),
        Side(row["b"], tuple(question for question in lost_b if question not in lost_a)),
        row["decision"] == "nested",
    )


def _nested(pair: Pair, chunks: Mapping[str, int]) -> NestedPair:
    # The one with more chunks has all cuts of the other: its windows are the smaller ones.
    more, less = sorted((pair.a, pair.b), key=lambda side: -chunks.get(side.configuration, 0))
    if not more.only and less.only:
        more, less = less, more
    sentence = said("nested_pair", more=Code(more.configuration), less=Code(less.configuration), n=len(more.only))
    return NestedPair(sentence, more)
