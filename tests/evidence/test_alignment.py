"""Loss over alignments, against windows drawn one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.evidence.alignment import alignment_loss
from kugiri.evidence.placed import PlacedEvidence
from kugiri.evidence.surface import loss_surface
from kugiri.model.windows import Windows
from kugiri.segmenters.units import units_of
from worlds import Asked, World, corpus_of, questions_of, worlds


def windows_at(length: int, size: int, stride: int, phase: int) -> list[tuple[int, int]]:
    """The windows over one document, `phase` units before it, clipped to it."""
    if length <= size:
        return [(0, length)] if length else []
    found, start = [], -phase
    while True:
        if start + size > 0:
            found.append((max(start, 0), min(start + size, length)))
        if start + size >= length:
            return found
        start += stride


def lost_at(asked: Asked, lengths: list[int], size: int, stride: int, phase: int) -> list[bool]:
    cut = [windows_at(length, size, stride, phase) for length in lengths]
    return [
        not any(all(any(a <= s and e <= b for a, b in cut[d]) for d, s, e in spans) for spans in alternatives)
        for alternatives in asked
        if alternatives
    ]


@settings(max_examples=150)
@given(world=worlds(answerable=True), size=st.integers(1, 12), data=st.data())
def test_every_phase_loses_what_its_windows_lose(world: World, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    windows = Windows(size, overlap)
    placed = PlacedEvidence.of(world.corpus(), world.questions().evidence)
    loss = alignment_loss(placed, windows)
    lengths = [len(text) for text in world.texts]
    table = np.array([lost_at(list(world.asked), lengths, size, windows.stride, f) for f in range(windows.stride)])
    assert loss.totals.tolist() == table.sum(axis=1).tolist()
    assert loss.phases.tolist() == table.sum(axis=0).tolist()
    assert loss.expected == pytest.approx(table.sum(axis=1).mean())
    assert loss.deviation == pytest.approx(table.sum(axis=1).std())
    assert (loss.least, loss.most) == (table.sum(axis=1).min(), table.sum(axis=1).max())
    assert loss.observed == table[0].sum()


@settings(max_examples=100)
@given(world=worlds(answerable=True), sizes=st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_the_surface_is_one_row_a_pair(world: World, sizes: list[int]) -> None:
    pairs = [Windows(size, overlap) for size in sizes for overlap in (0, size // 2, 0.5)]
    placed = PlacedEvidence.of(world.corpus(), world.questions().evidence)
    found = loss_surface(placed, pairs)
    bare = loss_surface(placed, pairs, expected=False)
    for row, windows in enumerate(pairs):
        loss = alignment_loss(placed, windows)
        assert (found.size[row], found.overlap[row]) == (windows.size, windows.overlap_units)
        assert found.lost[row] == bare.lost[row] == loss.observed
        assert (found.expected[row], found.least[row], found.most[row]) == (loss.expected, loss.least, loss.most)
        assert found.chunks[row] == windows.counts(np.diff(world.corpus().document_start)).sum()
        assert np.isnan(found.share[row]) == isinstance(windows.overlap, int)
    assert np.isnan(bare.expected).all()


@settings(max_examples=100)
@given(world=worlds(answerable=True), size=st.integers(1, 9))
def test_the_guarantee_holds_at_every_phase(world: World, size: int) -> None:
    placed = PlacedEvidence.of(world.corpus(), world.questions().evidence)
    enough = int(placed.longest().max()) - 1
    assert not alignment_loss(placed, Windows(enough + size, enough)).totals.any()


@pytest.mark.parametrize("unit", ["grapheme", "morpheme"])
@settings(max_examples=60)
@given(world=worlds(answerable=True), size=st.integers(1, 6), data=st.data())
def test_other_units_are_counted_alike(world: World, size: int, data: st.DataObject, unit: str) -> None:
    corpus = world.corpus()
    units = units_of(corpus, unit)
    windows = Windows(size, data.draw(st.integers(0, size - 1)))
    loss = alignment_loss(PlacedEvidence.of(corpus, world.questions().evidence, units), windows)
    places = [
        [(units.start[i] - corpus.document_start[d], units.end[i] - corpus.document_start[d]) for i in range(a, b)]
        for d, (a, b) in enumerate(zip(units.edge[:-1], units.edge[1:], strict=True))
    ]

    def lost(phase: int) -> int:
        cut = [windows_at(len(of), size, windows.stride, phase) for of in places]

        def kept(d: int, s: int, e: int) -> bool:
            return any(places[d][a][0] <= s and e <= places[d][b - 1][1] for a, b in cut[d])

        return sum(
            not any(all(kept(*span) for span in spans) for spans in alternatives)
            for alternatives in world.asked
            if alternatives
        )

    assert loss.totals.tolist() == [lost(phase) for phase in range(windows.stride)]


def test_how_often_alignment_reverses_an_order() -> None:
    asked: Asked = [[[(0, 3, 6)]], [[(0, 8, 9)]]]
    corpus = corpus_of(["あ" * 20])
    placed = PlacedEvidence.of(corpus, questions_of(corpus, asked).evidence)
    one, other = (alignment_loss(placed, Windows(size)) for size in (4, 5))
    pairs = [(a, b) for a in one.totals.tolist() for b in other.totals.tolist()]
    share = sum(a < b for a, b in pairs) / len(pairs) + sum(a == b for a, b in pairs) / len(pairs) / 2
    assert one.share_below(other) == pytest.approx(share)
    assert one.share_below(other) + other.share_below(one) == pytest.approx(1)
