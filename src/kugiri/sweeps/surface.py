"""The loss surface of a corpus: which sizes and overlaps to look at, and what was found."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np

from kugiri.errors import InputError
from kugiri.evidence.enough import guarantee, smallest_overlap, smallest_size
from kugiri.evidence.placed import PlacedEvidence
from kugiri.evidence.surface import Surface, loss_surface
from kugiri.model.columns import Bool
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.model.windows import Windows, resolved
from kugiri.segmenters.tokenizers import demand_tokenizer, tokenizer
from kugiri.segmenters.units import UNITS, units_of
from kugiri.sweeps.plan import chosen_questions

MOST_PAIRS = 1_000_000
"""The most pairs of size and overlap in one surface."""
TOKENIZER = "cl100k"
_LISTED = 6

_Value = TypeVar("_Value")


@dataclasses.dataclass(frozen=True, slots=True)
class SurfacePlan:
    """What a surface looks at, checked: everything but the corpus.

    Attributes:
        sizes: in units, rising.
        overlaps: all shares (floats) or all units, rising.
        unit: what windows count: one of `kugiri.segmenters.units.UNITS`.
        tokenizer: of `unit = "token"`: a name, or the path of a `tokenizer.json`.
        target: the share of questions whose expected loss is accepted when sizes and overlaps are looked for.
        expected: whether to compute the mean and spread over alignments.
        sample, split, seed: as in a sweep.

    Raises:
        InputError: an unknown unit or tokenizer; a tokenizer where no tokens are counted; a size of 0; no overlap that
            is smaller than a size; more pairs than `MOST_PAIRS`; a target outside [0, 1).
    """

    title: str
    sizes: tuple[int, ...]
    overlaps: tuple[int | float, ...]
    unit: str = "char"
    tokenizer: str | None = None
    target: Fraction = Fraction(1, 100)
    expected: bool = True
    sample: int | None = None
    split: str | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise InputError(f"unit = {self.unit!r} is unknown", "unit", f"use one of: {', '.join(UNITS)}")
        if self.unit == "token":
            demand_tokenizer(self.tokenizer_used)
        elif self.tokenizer is not None:
            raise InputError(
                f"tokenizer = {self.tokenizer!r} means nothing with unit = {self.unit!r}",
                "tokenizer",
                'leave it out, or count tokens: unit = "token"',
            )
        if not 0 <= self.target < 1:
            raise InputError(f"target = {float(self.target)} is no share of questions", "target", "give 0.01 for 1 %")
        if len(self.sizes) * len(self.overlaps) > MOST_PAIRS:
            raise InputError(
                f"{len(self.sizes):,} sizes × {len(self.overlaps):,} overlaps are more than {MOST_PAIRS:,} pairs",
                "size, overlap",
                "take larger steps",
            )
        Windows(self.sizes[0])
        if not self.pairs():
            raise InputError(
                f"no size of the range is larger than the overlap {self.overlaps[0]}",
                "overlap",
                "give overlaps that are smaller than the sizes",
            )

    @property
    def tokenizer_used(self) -> str:
        """The tokenizer where tokens are counted."""
        return TOKENIZER if self.tokenizer is None else self.tokenizer

    def pairs(self) -> list[Windows]:
        """Every size with every overlap that is smaller, the size slowest."""
        return [
            Windows(size, overlap)
            for size in self.sizes
            for overlap in self.overlaps
            if isinstance(overlap, float) or overlap < size
        ]


@dataclasses.dataclass(frozen=True, slots=True)
class Enough:
    """The smallest overlap for a size, or the smallest size for an overlap, whose expected loss meets the target.

    Attributes:
        size: in units; None where none meets it.
        overlap: as written, a share or units; None where none meets it.
        units: the overlap in units; None where either is None, like the next two.
        chunks: the windows over all documents.
        indexed: their units, overlap counted each time.
    """

    size: int | None
    overlap: int | float | None
    units: int | None = None
    chunks: int | None = None
    indexed: int | None = None

    @classmethod
    def of(cls, placed: PlacedEvidence, size: int | None, overlap: int | float | None) -> Enough:
        """With what it costs."""
        if size is None or overlap is None:
            return cls(size, overlap)
        units = resolved(size, overlap)
        chunks = placed.chunks(size, np.array([size - units]))
        return cls(size, overlap, units, int(chunks[0]), int(placed.indexed(chunks, np.array([units]))[0]))


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SurfaceResults:
    """Everything that a surface found.

    Attributes:
        questions: those that were asked.
        documents_sha256, questions_sha256: of the whole corpus as canonical JSON Lines.
        surface: a row a pair.
        front: bool[N], whether no other pair has fewer windows and no more expected loss, or less with no more windows;
            of equal ones the first; nowhere true where expected loss was not computed.
        guarantee: an overlap that keeps every question at every alignment; None if none does.
        overlaps_enough: the smallest overlap, in units, that meets the target, for some of the sizes.
        sizes_enough: the smallest size that meets it, for some of the overlaps.
        tokenizer_version: what found the tokens; None where windows count something else.
    """

    plan: SurfacePlan
    corpus: Corpus
    questions: Questions
    documents_sha256: str
    questions_sha256: str
    surface: Surface
    front: Bool
    guarantee: int | None
    overlaps_enough: tuple[Enough, ...]
    sizes_enough: tuple[Enough, ...]
    tokenizer_version: str | None


def run_surface(
    plan: SurfacePlan,
    corpus: Corpus,
    questions: Questions,
    digests: tuple[str, str],
    told: Callable[[str], None] | None = None,
) -> SurfaceResults:
    """The loss of every pair of the plan.

    Args:
        plan: sizes, overlaps and units.
        corpus: the documents.
        questions: all of the corpus.
        digests: SHA-256 of documents and questions as canonical JSON Lines.
        told: called with each stage before it begins.

    Raises:
        InputError: as `kugiri.sweeps.plan.chosen_questions`.
    """
    tell = told or (lambda stage: None)
    asked = chosen_questions(questions, plan.split, plan.sample, plan.seed)
    units = None
    if plan.unit != "char":
        tell(f"finding {plan.unit}s")
        units = units_of(corpus, plan.unit, plan.tokenizer_used if plan.unit == "token" else None)
    placed = PlacedEvidence.of(corpus, asked.evidence, units)
    pairs = plan.pairs()
    tell(f"{len(pairs):,} pairs of size and overlap")
    surface = loss_surface(placed, pairs, plan.expected)
    overlaps_enough: list[Enough] = []
    sizes_enough: list[Enough] = []
    if plan.expected:
        tell("looking for sizes and overlaps that are enough")
        overlaps_enough = [
            Enough.of(placed, size, smallest_overlap(placed, size, plan.target)) for size in _usual(plan.sizes)
        ]
        sizes_enough = [
            Enough.of(placed, smallest_size(placed, overlap, plan.target), overlap)
            for overlap in _spread(plan.overlaps)
        ]
    return SurfaceResults(
        plan,
        corpus,
        asked,
        *digests,
        surface,
        pareto_front(surface),
        guarantee(placed),
        tuple(overlaps_enough),
        tuple(sizes_enough),
        tokenizer(plan.tokenizer_used).version if plan.unit == "token" else None,
    )


def pareto_front(surface: Surface) -> Bool:
    """bool[N], the pairs that no other one dominates in windows and expected loss; of equal ones the first.

    Equal in both, the one with fewer indexed units comes first.
    """
    front = np.zeros(len(surface), dtype=bool)
    order = np.lexsort((surface.size, surface.indexed, surface.expected, surface.chunks))
    expected = surface.expected[order]
    best = np.minimum.accumulate(np.concatenate(([np.inf], expected)))[:-1]
    # NaN is less than nothing.
    front[order[expected < best]] = True
    return front


def _usual(sizes: Sequence[int]) -> Sequence[int]:
    """Sizes that people try first, 25, 50, 100, … , where the range has some of them."""
    usual = [size for size in (25 * 2**power for power in range(12)) if size in set(sizes)]
    return usual[-_LISTED:] if len(usual) > 1 else _spread(sizes)


def _spread(values: Sequence[_Value]) -> list[_Value]:
    """At most six of the values, as evenly as their number allows, the ends among them."""
    if len(values) <= _LISTED:
        return list(values)
    return [values[round(step * (len(values) - 1) / (_LISTED - 1))] for step in range(_LISTED)]
