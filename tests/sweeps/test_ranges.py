"""Ranges: both ends, exact decimals, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.errors import InputError
from kugiri.model.windows import Windows
from kugiri.sweeps.ranges import MOST, Written, overlaps, whole_numbers


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("100", (100,)),
        (100, (100,)),
        ("5:8", (5, 6, 7, 8)),
        ("50:2000:650", (50, 700, 1350, 2000)),
        ("50:120:30", (50, 80, 110, 120)),
        ("400,100:200:50", (100, 150, 200, 400)),
        ([400, "100:200:50", 100], (100, 150, 200, 400)),
        ("7:7:3", (7,)),
    ],
)
def test_sizes(written: Written, values: tuple[int, ...]) -> None:
    assert whole_numbers(written, "size") == values


@pytest.mark.parametrize(
    ("written", "values"),
    [
        (0, (0,)),
        ("0:20:10", (0, 10, 20)),
        ([0, 20], (0, 20)),
        ([0, 0.2], (0.0, 0.2)),
        ("0,0.2", (0.0, 0.2)),
        ("0.2", (0.2,)),
        ("0:0.05", (0.0, 0.01, 0.02, 0.03, 0.04, 0.05)),
        ("0.1:0.5:0.25", (0.1, 0.35, 0.5)),
    ],
)
def test_overlaps(written: Written, values: tuple[float, ...]) -> None:
    found = overlaps(written, "overlap")
    assert found == values
    assert {type(value) for value in found} == {type(values[-1])}


def test_shares_are_exact_decimals() -> None:
    found = overlaps("0:0.5:0.01", "overlap")
    assert found == tuple(number / 100 for number in range(51))
    assert found[29] == 0.29
    assert Windows(100, found[29]).overlap_units == 29


@given(low=st.integers(0, 400), steps=st.integers(0, 60), step=st.integers(1, 30))
def test_every_share_is_the_decimal_that_stands_there(low: int, steps: int, step: int) -> None:
    high = min(low + steps * step, 999)
    found = overlaps(f"0.{low:03d}:0.{high:03d}:0.{step:03d}" if low <= high else "0", "overlap")
    wanted = sorted({*range(low, high, step), high})
    assert [Fraction(repr(value)) for value in found] == [Fraction(value, 1000) for value in wanted]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("8:5", "ends before it begins"),
        ("5:8:0", "makes no steps"),
        ("5:8:1:1", "is no range"),
        ("", "is no range"),
        ("a:b", "is no range"),
        ("-5:8", "is no range"),
        ("１:５", "is no range"),
        ("1e3", "is no range"),
        ("0.5:2", "is not a whole number"),
        (-1, "is no size and no overlap"),
        (True, "is no size and no overlap"),
        ([], "there is no value"),
        (f"1:{MOST + 1}", "more than"),
    ],
)
def test_bad_sizes_are_refused(written: Written, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        whole_numbers(written, "size")
    assert caught.value.where == "size"
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("0:1.5:0.1", "is the whole window"),
        ([0.2, 20], "shares of the size and others units"),
        ([float("nan")], "no size"),
    ],
)
def test_bad_overlaps_are_refused(written: Written, words: str) -> None:
    with pytest.raises(InputError, match=words):
        overlaps(written, "overlap")
