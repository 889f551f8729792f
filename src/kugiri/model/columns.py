"""What every column of the model obeys: one dimension, an exact integer type, never written again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]
Int32 = NDArray[np.int32]
Float64 = NDArray[np.float64]
Bool = NDArray[np.bool_]


def frozen(values: Any, dtype: Any = np.int64) -> Any:
    """A read-only one-dimensional array of `dtype`; copied where the caller could still write to it.

    Raises:
        TypeError: the values are not one-dimensional, or of another kind than `dtype`.
        OverflowError: they would change when cast to `dtype`.
    """
    given = np.asarray(values)
    if given.ndim != 1:
        message = f"a column has one dimension, not {given.ndim}"
        raise TypeError(message)
    if given.size and not np.can_cast(given.dtype, dtype, "same_kind"):
        message = f"a column of {np.dtype(dtype)} cannot be made from {given.dtype}"
        raise TypeError(message)
    if given.size and np.dtype(dtype).kind == "i" and not np.can_cast(given.dtype, dtype, "safe"):
        limits = np.iinfo(dtype)
        if int(given.min()) < limits.min or int(given.max()) > limits.max:
            message = f"the column has values that {np.dtype(dtype)} cannot hold"
            raise OverflowError(message)
    column = given.astype(dtype, copy=given.flags.writeable or given.base is not None)
    column.flags.writeable = False
    return column


def concatenated_ranges(counts: Int64) -> Int64:
    """0 … counts[0]−1, 0 … counts[1]−1, …: the position of each element inside its group, groups laid end to end."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) - np.repeat(ends - counts, counts)


def first_false(holds: Iterable[bool] | Bool) -> int | None:
    """The index of the first element that does not hold, None where all do."""
    mask = np.asarray(holds, dtype=bool)
    return None if mask.all() else int(np.argmin(mask))
