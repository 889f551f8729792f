from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kugiri.statistics.pairs import paired_loss

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20)


@given(PAIRS)
def test_every_observation_is_a_win_a_loss_or_a_tie(pairs: list[tuple[bool, bool]]) -> None:
    a, b = np.array([x for x, _ in pairs], dtype=bool), np.array([y for _, y in pairs], dtype=bool)
    pair = paired_loss(a, b)
    assert pair.only_a.tolist() == [i for i, (x, y) in enumerate(pairs) if x and not y]
    assert pair.only_b.tolist() == [i for i, (x, y) in enumerate(pairs) if y and not x]
    assert pair.ties == sum(x == y for x, y in pairs)


@given(PAIRS)
def test_swapping_the_two_swaps_what_is_told(pairs: list[tuple[bool, bool]]) -> None:
    a, b = np.array([x for x, _ in pairs], dtype=bool), np.array([y for _, y in pairs], dtype=bool)
    one, two = paired_loss(a, b), paired_loss(b, a)
    assert one.only_a.tolist() == two.only_b.tolist()
    assert one.only_b.tolist() == two.only_a.tolist()
    assert one.ties == two.ties


def test_a_configuration_against_itself_is_all_ties() -> None:
    lost = np.array([True, False, True])
    pair = paired_loss(lost, lost)
    assert (len(pair.only_a), len(pair.only_b), pair.ties) == (0, 0, 3)
