from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.errors import InvariantError
from kugiri.model.boundaries import Boundaries
from worlds import HOSTILE, corpus_of

CORPUS = corpus_of(["甲乙丙丁", "", "か\u3099\u3000\r\n🍣"])
END = CORPUS.characters


def units(*pairs: tuple[int, int]) -> Boundaries:
    return Boundaries(CORPUS, np.array([s for s, _ in pairs], np.int64), np.array([e for _, e in pairs], np.int64))


def test_units_may_touch_and_leave_gaps() -> None:
    assert len(units((0, 1), (1, 2), (3, 4), (4, END))) == 4
    assert len(units()) == 0


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 0)],
        [(2, 1)],
        [(0, 2), (1, 3)],
        [(1, 2), (0, 1)],
        [(0, 1), (0, 1)],
        [(3, 5)],
        [(0, END)],
        [(-1, 1)],
        [(-2, -1)],
        [(END - 1, END + 1)],
        [(END, END + 1)],
        [(END + 5, END + 6)],
    ],
)
def test_what_a_segmenter_must_not_return_is_refused(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(InvariantError):
        units(*pairs)


def test_as_many_starts_as_ends() -> None:
    with pytest.raises(InvariantError):
        Boundaries(CORPUS, np.array([0, 1]), np.array([1]))


@given(st.sets(st.integers(0, len(HOSTILE)), min_size=2), st.data())
def test_split_units_are_those_with_an_edge_strictly_inside(edges: set[int], data: st.DataObject) -> None:
    corpus = corpus_of([HOSTILE])
    pairs = [pair for pair in pairwise(sorted(edges)) if data.draw(st.booleans())]
    place = st.integers(0, len(HOSTILE))
    starts, ends = data.draw(st.lists(place, max_size=6)), data.draw(st.lists(place, max_size=6))
    boundaries = Boundaries(
        corpus, np.array([s for s, _ in pairs], np.int64), np.array([e for _, e in pairs], np.int64)
    )
    split = boundaries.split_by(np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64))
    assert split.tolist() == [any(s < edge < e for edge in starts + ends) for s, e in pairs]
