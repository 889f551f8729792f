"""What each cut costs with each embedding model of the sweep, and what that model does not see."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from kugiri.report.digits import as_written, measured
from kugiri.report.grid import Column, Grid, Row, column, shown
from kugiri.report.words import Code, Real, Said, Share, Value, said


@dataclasses.dataclass(frozen=True, slots=True)
class ModelCosts:
    """One model.

    Attributes:
        name: as the sweep file has it.
        facts: what the sweep file says of it.
        grid: a row a configuration.
    """

    name: str
    facts: tuple[tuple[Said, Value], ...]
    grid: Grid


def costs(models: Sequence[Mapping[str, Any]], table: Sequence[Row], rows: Sequence[Row]) -> tuple[ModelCosts, ...]:
    """The costs of the configurations of the report.

    Args:
        models: of `sweep.json`.
        table: the rows of `costs`.
        rows: the configurations; `label` is the configuration in the tables where it has another one there.
    """
    made = []
    for model in models:
        of = {row["configuration"]: row for row in table if row["model"] == model["name"]}
        told = [(row, of[label]) for row in rows if (label := row.get("label", row["configuration"])) in of]
        if told:
            made.append(ModelCosts(model["name"], _facts(model), _grid(model, told)))
    return tuple(made)


def truncated_of(models: Sequence[Mapping[str, Any]], table: Sequence[Row], rows: Sequence[Row]) -> list[Said]:
    """Those of the configurations with truncated questions, each with how many with which model."""
    columns = truncated_columns(models, table, rows)
    told = []
    for place, row in enumerate(rows):
        counts = [(model["name"], cells.cells[place]) for model, cells in zip(models, columns, strict=True)]
        by = tuple(said("truncated_by", n=n, model=Code(name)) for name, n in counts if n)
        if by:
            told.append(said("configuration_truncated", configuration=Code(row["configuration"]), models=by))
    return told


def truncated_columns(models: Sequence[Mapping[str, Any]], table: Sequence[Row], rows: Sequence[Row]) -> list[Column]:
    """A column a model: the questions it does not see, beside those that are lost."""
    columns = []
    for model in models:
        of = {row["configuration"]: row["truncated"] for row in table if row["model"] == model["name"]}
        cells = (of.get(row.get("label", row["configuration"])) for row in rows)
        columns.append(column(said("column_truncated_by", model=Code(model["name"])), cells))
    return columns


def _grid(model: Mapping[str, Any], told: Sequence[tuple[Row, Row]]) -> Grid:
    costs = [cost for _, cost in told]
    currency = model.get("currency") or ""
    return shown(
        [
            column(said("column_number"), (row.get("number", place) for place, (row, _) in enumerate(told, 1))),
            column(said("column_configuration"), (Code(row["configuration"]) for row, _ in told), number=False),
            column(said("column_chunks"), (cost["vectors"] for cost in costs)),
            column(said("column_indexed_chars"), (cost["indexed_chars"] for cost in costs)),
            column(said("column_indexed_tokens"), (cost["indexed_tokens"] for cost in costs)),
            column(said("column_megabytes"), (_real(cost["bytes"], 1e-6, 2) for cost in costs)),
            column(said("column_seconds"), (_real(cost["seconds"], 1, 1) for cost in costs)),
            column(said("column_price", currency=currency), (_real(cost["price"], 1, 4) for cost in costs)),
            column(said("column_longer_vectors"), (cost["longer_vectors"] for cost in costs)),
            column(said("column_truncated"), (cost["truncated"] for cost in costs)),
            column(said("column_truncated_rate"), (_share(cost["truncated_rate"]) for cost in costs)),
        ]
    )


def _facts(model: Mapping[str, Any]) -> tuple[tuple[Said, Value], ...]:
    price = model.get("price")
    facts: list[tuple[str, Value | None]] = [
        ("model_dimensions", model.get("dimensions")),
        ("model_bytes_per_number", None if model.get("dimensions") is None else model.get("bytes_per_number")),
        ("model_max_tokens", model.get("max_tokens")),
        ("model_tokenizer", None if model.get("tokenizer") is None else Code(str(model["tokenizer"]))),
        ("model_special_tokens", None if model.get("tokenizer") is None else model.get("special_tokens")),
        ("model_prefix", Code(model["prefix"]) if model.get("prefix") else None),
        ("model_price", None if price is None else _amount(price, str(model.get("currency") or ""))),
        ("model_tokens_per_second", _number(model.get("tokens_per_second"))),
    ]
    return tuple((said(name), value) for name, value in facts if value is not None)


def _amount(price: float, currency: str) -> Said:
    return said("amount", amount=_number(price) or 0, currency=currency)


def _number(value: float | None) -> Value | None:
    """A number with the decimals that it has in the sweep file."""
    return None if value is None else as_written(value)


def _real(value: float | None, factor: float, decimals: int) -> Real | None:
    return None if value is None else measured(value * factor, decimals)


def _share(value: float | None) -> Share | None:
    return None if value is None else Share(value)
