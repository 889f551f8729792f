"""Arrow tables of our schemas, from rows or from columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from kugiri.export.schemas import schema


def table(name: str, rows: Sequence[Mapping[str, Any]], metrics: Sequence[str] = ()) -> pa.Table:
    """The table `name` of these rows; `metrics` as in `schema`."""
    return pa.Table.from_pylist(list(rows), schema=schema(name, metrics))


def columns_as(name: str, columns: Mapping[str, Any]) -> pa.Table:
    """The table `name` of these columns, in the order and the types of its schema."""
    made = schema(name)
    return pa.table([pa.array(columns[field.name], type=field.type) for field in made], schema=made)
