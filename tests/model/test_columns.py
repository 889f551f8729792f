from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.model.columns import concatenated_ranges, first_false, frozen


def test_a_column_cannot_be_written_again() -> None:
    column = frozen([1, 2, 3])
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 9


def test_a_column_does_not_change_with_the_array_it_was_made_from() -> None:
    given_array = np.array([1, 2, 3])
    view = given_array[:]
    view.flags.writeable = False
    columns = frozen(given_array), frozen(given_array[::2]), frozen(view)
    given_array[:] = 9
    assert [column.tolist() for column in columns] == [[1, 2, 3], [1, 3], [1, 2, 3]]
    assert given_array.flags.writeable


@pytest.mark.parametrize("values", [[1.0, 2.0], [0.5], ["1"], [None], np.array([1], dtype="datetime64[s]")])
def test_no_column_of_integers_is_made_from_anything_else(values: object) -> None:
    with pytest.raises(TypeError):
        frozen(values)


@pytest.mark.parametrize("values", [5, [[1, 2]], np.zeros((0, 2))])
def test_a_column_has_one_dimension(values: object) -> None:
    with pytest.raises(TypeError, match="one dimension"):
        frozen(values)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (np.array([2**40]), np.int32),
        (np.array([-(2**31) - 1]), np.int32),
        (np.array([2**63], dtype=np.uint64), np.int64),
    ],
)
def test_values_that_would_change_are_refused(values: np.ndarray, dtype: type) -> None:
    with pytest.raises((TypeError, OverflowError)):
        frozen(values, dtype)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_integers_of_any_width_are_kept(kind: type) -> None:
    column = frozen(np.array([0, 1, 100], dtype=kind))
    assert column.dtype == np.int64
    assert column.tolist() == [0, 1, 100]


@given(st.lists(st.integers(0, 5), max_size=12))
def test_concatenated_ranges_count_inside_each_group(counts: list[int]) -> None:
    expected = [position for count in counts for position in range(count)]
    assert concatenated_ranges(np.array(counts, dtype=np.int64)).tolist() == expected


@given(st.lists(st.booleans(), max_size=8))
def test_the_first_that_does_not_hold_is_found(holds: list[bool]) -> None:
    assert first_false(holds) == (holds.index(False) if False in holds else None)
