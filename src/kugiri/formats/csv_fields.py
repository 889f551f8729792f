"""Fields of CSV files may be as long as a document: Python refuses more than 131,072 characters unless told."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST = 2**31 - 1
"""What a C long holds everywhere."""


@contextmanager
def long_fields() -> Iterator[None]:
    """Reads fields of any length, as `csv` does everywhere in this process; afterwards it is as it was."""
    before = csv.field_size_limit(_LONGEST)
    try:
        yield
    finally:
        csv.field_size_limit(before)
