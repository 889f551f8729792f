"""What would be enough, against trying everything."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.evidence.alignment import alignment_loss
from kugiri.evidence.enough import cheapest_change, guarantee, smallest_overlap, smallest_size
from kugiri.evidence.placed import PlacedEvidence
from kugiri.model.windows import LARGEST, Windows
from kugiri.segmenters.units import Units
from worlds import HOSTILE, Asked, World, corpus_of, fixed_windows, questions_of, worlds

TARGETS = st.sampled_from([Fraction(0), Fraction(1, 100), Fraction(1, 7), Fraction(1, 2), Fraction(1)])


def placed_of(world: World) -> PlacedEvidence:
    return PlacedEvidence.of(world.corpus(), world.questions().evidence)


def share_lost(world: World, windows: Windows) -> Fraction:
    """Expected loss as a share, from the phases one by one."""
    loss = alignment_loss(placed_of(world), windows)
    return Fraction(int(loss.totals.sum()), loss.circle * len(loss.phases))


def lost_now(world: World, windows: Windows) -> list[bool]:
    """The answerable questions of which no alternative is in windows drawn one by one."""
    chunks = [fixed_windows(len(text), windows.size, windows.overlap_units) if text else [] for text in world.texts]
    return [
        not any(all(any(a <= s and e <= b for a, b in chunks[d]) for d, s, e in spans) for spans in alternatives)
        for alternatives in world.asked
        if alternatives
    ]


def longest_document(world: World) -> int:
    return max(map(len, world.texts))


@settings(max_examples=200)
@given(world=worlds(answerable=True), size=st.integers(1, 12))
def test_the_guarantee_is_the_longest_span_of_the_easiest_alternative(world: World, size: int) -> None:
    found = guarantee(placed_of(world))
    assert found is not None
    assert found == max(
        (
            min(max(e - s for _, s, e in spans) for spans in alternatives) - 1
            for alternatives in world.asked
            if alternatives
        ),
        default=0,
    )
    assert share_lost(world, Windows(found + size, found)) == 0


@settings(max_examples=200)
@given(world=worlds(answerable=True), size=st.integers(1, 14), target=TARGETS)
def test_the_smallest_overlap_is_the_first_of_all(world: World, size: int, target: Fraction) -> None:
    meeting = [overlap for overlap in range(size) if share_lost(world, Windows(size, overlap)) <= target]
    assert smallest_overlap(placed_of(world), size, target) == (meeting[0] if meeting else None)


@settings(max_examples=60)
@given(world=worlds(answerable=True), overlap=st.sampled_from([0, 1, 3, 0.0, 0.2, 0.29, 0.5, 0.9]), target=TARGETS)
def test_the_smallest_size_is_the_first_of_all(world: World, overlap: float, target: Fraction) -> None:
    first = overlap + 1 if isinstance(overlap, int) else 1
    sizes = range(first, max(first, longest_document(world)) + 1)
    meeting = [size for size in sizes if share_lost(world, Windows(size, overlap)) <= target]
    assert smallest_size(placed_of(world), overlap, target) == meeting[0]


def test_expected_loss_may_rise_with_the_overlap_so_nothing_is_bisected() -> None:
    """Two alternatives whose runs of lost phases meet only when the circle is short."""
    found = []
    for gap in range(1, 40):
        asked: Asked = [[[(0, 3, 7)], [(0, 3 + gap, 7 + gap)]]]
        corpus = corpus_of(["あ" * 60])
        placed = PlacedEvidence.of(corpus, questions_of(corpus, asked).evidence)
        rates = [alignment_loss(placed, Windows(10, overlap)).expected for overlap in range(10)]
        found += [(gap, overlap) for overlap in range(9) if rates[overlap + 1] > rates[overlap]]
    assert found


@settings(max_examples=200)
@given(world=worlds(answerable=True), size=st.integers(1, 10), overlap=st.sampled_from([0, 1, 0.2, 0.5, 0.75]))
def test_the_cheapest_change_is_found_by_trying(world: World, size: int, overlap: float) -> None:
    if isinstance(overlap, int) and overlap >= size:
        return
    windows = Windows(size, overlap)
    found = cheapest_change(placed_of(world), windows)
    lost = lost_now(world, windows)
    overlaps = {units: lost_now(world, Windows(size, units)) for units in range(windows.overlap_units + 1, size)}
    sizes = {large: lost_now(world, Windows(large, overlap)) for large in range(size + 1, longest_document(world) + 1)}

    def chunks(windows: Windows) -> int:
        return sum(len(fixed_windows(len(text), windows.size, windows.overlap_units)) for text in world.texts if text)

    for question, is_lost in enumerate(lost):
        raised = [units for units, of in overlaps.items() if is_lost and not of[question]]
        grown = [large for large, of in sizes.items() if is_lost and not of[question]]
        assert found.overlap[question] == (raised[0] if raised else -1)
        assert found.size[question] == (grown[0] if grown else -1)
        assert found.overlap_chunks[question] == (chunks(Windows(size, raised[0])) if raised else -1)
        assert found.size_chunks[question] == (chunks(Windows(grown[0], overlap)) if grown else -1)
        assert found.raises_size[question] == bool(
            grown and (not raised or found.size_chunks[question] < found.overlap_chunks[question])
        )
    assert len(found.overlap) == len(lost)


def test_what_no_unit_holds_nothing_keeps() -> None:
    """Units with a gap: the second question's evidence lies where none is."""
    corpus = corpus_of([HOSTILE])
    evidence = questions_of(corpus, [[[(0, 0, 2)]], [[(0, len(HOSTILE) - 1, len(HOSTILE))]]]).evidence
    places = np.arange(len(HOSTILE) - 3)
    placed = PlacedEvidence.of(corpus, evidence, Units(corpus, places, places + 1))
    assert placed.length.tolist() == [2, LARGEST + 1]
    assert guarantee(placed) is None
    assert smallest_overlap(placed, 10, Fraction(0)) is None
    assert smallest_size(placed, 0, Fraction(1, 4)) is None
    assert smallest_size(placed, 0, Fraction(1, 2)) == len(places)
    assert cheapest_change(placed, Windows(1)).size.tolist() == [2, -1]


def test_without_questions_nothing_is_needed() -> None:
    corpus = corpus_of([HOSTILE])
    placed = PlacedEvidence.of(corpus, questions_of(corpus, [[]]).evidence)
    assert guarantee(placed) == 0
    assert (smallest_overlap(placed, 5, Fraction(0)), smallest_size(placed, 0.5, Fraction(0))) == (0, 1)
    assert len(cheapest_change(placed, Windows(5)).size) == 0


@pytest.mark.parametrize(("target", "overlap"), [(Fraction(0), 3), (Fraction(1, 2), 0), (Fraction(149, 1000), 2)])
def test_targets_are_compared_exactly(target: Fraction, overlap: int) -> None:
    # One span of 4 in windows of 10: lost at (3 − overlap) of (10 − overlap) phases: 3/10, 2/9, 1/8, 0.
    corpus = corpus_of(["あ" * 60])
    placed = PlacedEvidence.of(corpus, questions_of(corpus, [[[(0, 20, 24)]]]).evidence)
    assert smallest_overlap(placed, 10, target) == overlap
    assert smallest_overlap(placed, 10, Fraction(2, 9)) == 1
