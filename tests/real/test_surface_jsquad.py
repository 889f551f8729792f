"""Expected loss on JSQuAD (findings A) and JaQuAD, pinned; two of JaQuAD's by windows drawn at every alignment."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from kugiri.evidence.enough import guarantee, smallest_overlap, smallest_size
from kugiri.evidence.placed import PlacedEvidence
from kugiri.evidence.surface import Surface, loss_surface
from kugiri.formats.corpus_folder import LoadedCorpus
from kugiri.model.windows import Windows

PAIRS = [(100, 0), (200, 0), (400, 0), (800, 0), (100, 0.2), (400, 0.2)]
# size and overlap: chunks, indexed characters, observed, expected, standard deviation, least, most
JSQUAD = {
    (100, 0): (1989, 196_197, 185, 181.69, 18.3475857, 141, 228),
    (200, 0): (1009, 196_197, 84, 90.335, 13.3308955, 62, 135),
    (400, 0): (518, 196_197, 42, 44.1875, 9.1908837, 24, 76),
    (800, 0): (279, 196_197, 13, 21.53625, 6.6630463, 6, 46),
    (100, 0.2): (2467, 244_357, 0, 1.125, 1.3169567, 0, 4),
    (400, 0.2): (632, 242_037, 0, 0.0, 0.0, 0, 0),
}
JAQUAD = {
    (100, 0): (5367, 531_499, 196, 187.25, 16.5459209, 151, 234),
    (200, 0): (2707, 531_499, 96, 93.625, 10.9281460, 67, 138),
    (400, 0): (1377, 531_499, 46, 46.8125, 7.0421832, 28, 80),
    (800, 0): (715, 531_499, 24, 23.40625, 5.5851330, 9, 57),
    (100, 0.2): (6667, 662_819, 1, 1.525, 1.2038999, 0, 5),
    (400, 0.2): (1685, 658_219, 0, 0.0, 0.0, 0, 0),
}
Told = tuple[int, int, int, float, float, int, int]


def told(found: Surface) -> list[Told]:
    columns = (found.chunks, found.indexed, found.lost, found.expected, found.deviation, found.least, found.most)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.fixture(scope="module")
def squad(jsquad: Callable[[str], LoadedCorpus]) -> LoadedCorpus:
    return jsquad("")


def placed_of(loaded: LoadedCorpus) -> PlacedEvidence:
    return PlacedEvidence.of(loaded.corpus, loaded.questions.evidence)


def test_jsquad(squad: LoadedCorpus) -> None:
    for pair, found in zip(PAIRS, told(loss_surface(placed_of(squad), [Windows(*p) for p in PAIRS])), strict=True):
        assert found == pytest.approx(JSQUAD[pair], abs=1e-7)


def test_jaquad(jaquad: LoadedCorpus) -> None:
    for pair, found in zip(PAIRS, told(loss_surface(placed_of(jaquad), [Windows(*p) for p in PAIRS])), strict=True):
        assert found == pytest.approx(JAQUAD[pair], abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "overlap"), [(100, 0), (400, 80)])
def test_jaquad_by_windows_drawn_at_every_alignment(jaquad: LoadedCorpus, size: int, overlap: int) -> None:
    corpus, evidence, stride = jaquad.corpus, jaquad.questions.evidence, size - overlap
    assert len(evidence.start) == len(evidence.question) == 3939  # one span each: a lost span is a lost question
    document = corpus.document_of(evidence.start)
    origin = corpus.document_start[document]
    lengths = np.diff(corpus.document_start)
    totals = []
    for phase in range(stride):
        held = np.zeros(len(evidence.start), dtype=bool)
        for number, length in enumerate(lengths.tolist()):
            mine = document == number
            low, high = evidence.start[mine] - origin[mine], evidence.end[mine] - origin[mine]
            edges = [(0, length)] if length <= size else [(at, at + size) for at in range(-phase, length, stride)]
            starts, ends = (np.array(side) for side in zip(*edges, strict=True))
            # By search among the windows that were drawn, not by the arithmetic under test.
            last = np.searchsorted(starts, low, side="right") - 1
            held[mine] = ends[last] >= high
        totals.append(int((~held).sum()))
    found = told(loss_surface(placed_of(jaquad), [Windows(size, overlap)]))[0]
    assert found[2:] == pytest.approx((totals[0], np.mean(totals), np.std(totals), min(totals), max(totals)), abs=1e-9)


def test_ten_thousand_pairs_observe_what_single_ones_do(squad: LoadedCorpus) -> None:
    pairs = [Windows(size, share / 100) for size in range(50, 2001, 10) for share in range(51)]
    found = loss_surface(placed_of(squad), pairs, expected=False)
    assert len(found) == 9996
    at = {(size, share): row for row, (size, share) in enumerate(zip(found.size.tolist(), found.share, strict=True))}
    assert [int(found.lost[at[pair]]) for pair in PAIRS] == [185, 84, 42, 13, 0, 0]
    assert np.isnan(found.expected).all()


def test_what_is_enough(squad: LoadedCorpus, jaquad: LoadedCorpus) -> None:
    percent = Fraction(1, 100)
    ours, theirs = placed_of(squad), placed_of(jaquad)
    assert (guarantee(ours), guarantee(theirs)) == (56, 52)
    assert [smallest_overlap(ours, size, percent) for size in (100, 200, 400, 800)] == [6, 4, 1, 0]
    assert [smallest_overlap(theirs, size, percent) for size in (100, 200, 400, 800)] == [6, 4, 1, 0]
    assert [smallest_size(ours, overlap, percent) for overlap in (0, 0.1, 0.2)] == [437, 73, 45]
    assert [smallest_size(theirs, overlap, percent) for overlap in (0, 0.1, 0.2)] == [476, 70, 45]
