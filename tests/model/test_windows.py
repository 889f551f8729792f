from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.errors import InputError
from kugiri.model.windows import Windows, resolved
from worlds import fixed_windows

SHARES = st.floats(0, 1, exclude_max=True) | st.decimals(0, Decimal("0.999"), places=3).map(float)


@given(st.integers(1, 3000), SHARES)
@example(100, 0.29)
@example(1, 0.9999999999999999)
@example(1000, 0.001)
def test_a_share_resolves_by_the_exact_decimal_product(size: int, share: float) -> None:
    exact = int((Decimal(repr(share)) * size).to_integral_value(ROUND_FLOOR))
    assert resolved(size, share) == exact
    assert Windows(size, share).overlap_units == exact < size


def test_shares_that_binary_floating_point_gets_wrong() -> None:
    assert int(100 * 0.29) == 28
    assert Windows(100, 0.29).overlap_units == 29
    assert Windows(100, 0.57).overlap_units == 57
    assert Windows(1000, 0.001).overlap_units == 1
    assert Windows(3, 0.2).overlap_units == 0
    assert Windows(2, 0.5).overlap_units == 1


def test_an_integer_is_units_and_a_float_is_a_share() -> None:
    assert Windows(100, 1).overlap_units == 1
    with pytest.raises(InputError):
        Windows(100, 1.0)
    assert Windows(100, 0).stride == Windows(100, 0.0).stride == 100


@pytest.mark.parametrize("maker", [Windows, Fixed])
@pytest.mark.parametrize(
    ("size", "overlap", "said"),
    [
        (8, 8, ("8", "8")),
        (37, 37, ("37", "37")),
        (37, 38, ("37", "38")),
        (8, -1, ("8", "-1")),
        (0, 0, ("0",)),
        (-5, 0, ("-5",)),
        (0, 3, ("0", "3")),
        (8, 1.0, ("8", "1.0")),
        (8, 1.5, ("8", "1.5")),
        (8, -0.1, ("8", "-0.1")),
        (8, float("nan"), ("8", "nan")),
        (8, float("inf"), ("8", "inf")),
    ],
)
def test_windows_that_could_not_advance_are_refused_before_any_work(
    maker: type, size: int, overlap: float, said: tuple[str, ...]
) -> None:  # E44
    with pytest.raises(InputError) as caught:
        maker(size, overlap)
    assert caught.value.exit_code == 2
    assert all(word in caught.value.what for word in said)


@pytest.mark.parametrize("maker", [Windows, Fixed])
@pytest.mark.parametrize(
    ("size", "overlap"), [(True, 0), (8, True), (8, False), (8.0, 0), ("8", 0), (8, "2"), (None, 0), (8, None)]
)
def test_other_types_are_refused(maker: type, size: object, overlap: object) -> None:
    with pytest.raises(InputError):
        maker(size, overlap)


def test_a_share_out_of_numpy_is_the_share_or_refused_at_once() -> None:
    try:
        made = Fixed(100, np.float64(0.2))
    except InputError:
        return
    assert made.windows.overlap_units == 20
    assert str(made) == "fixed(size=100, overlap=0.2)"


@given(st.integers(1, 12), st.integers(0, 11), st.lists(st.integers(0, 60), max_size=8))
def test_windows_are_counted_as_they_are_made(size: int, overlap: int, lengths: list[int]) -> None:
    assume(overlap < size)
    counted = Windows(size, overlap).counts(np.array(lengths, dtype=np.int64))
    assert counted.tolist() == [len(fixed_windows(length, size, overlap)) for length in lengths]


@given(st.integers(1, 12), st.integers(1, 12), st.booleans(), st.booleans())
def test_windows_nest_only_where_every_cut_of_one_is_a_cut_of_the_other(
    a: int, b: int, lap_a: bool, lap_b: bool
) -> None:
    first, second = Windows(a, min(a - 1, int(lap_a))), Windows(b, min(b - 1, int(lap_b)))
    expected = a != b and max(a, b) % min(a, b) == 0 and first.overlap_units == second.overlap_units == 0
    assert first.nests_with(second) == second.nests_with(first) == expected


def test_a_share_that_comes_to_nothing_nests_too() -> None:
    assert Windows(3, 0.2).nests_with(Windows(6))
    assert not Windows(5, 0.2).nests_with(Windows(10))
    assert not Windows(4).nests_with(Windows(4, 0.0))
