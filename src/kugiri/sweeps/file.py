"""The sweep file: TOML in, a checked `Plan` and the corpus folder out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from kugiri import catalog
from kugiri.errors import InputError
from kugiri.evidence.clusters import ClusterBy
from kugiri.formats.strict import check_keys, read_toml
from kugiri.labels import parse, parse_configuration
from kugiri.metrics.grammar import check_metric
from kugiri.model.questions import SPLITS
from kugiri.sweeps.plan import DEFAULT_METRICS, Configuration, Plan


class QuestionsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[questions]`: which of the corpus's questions to ask."""

    sample: int | None = None
    split: str | None = None


class SweepTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a sweep file, typed; components are checked by the catalogue."""

    title: str
    corpus: str
    chunkers: list[dict[str, Any]]
    seed: int = 1
    metrics: list[str] = msgspec.field(default_factory=lambda: list(DEFAULT_METRICS))
    primary: str | None = None
    baseline: str | None = None
    cluster: ClusterBy = "paragraph"
    questions: QuestionsTable = QuestionsTable()
    retrievers: list[dict[str, Any]] = msgspec.field(default_factory=list)


@dataclasses.dataclass(frozen=True, slots=True)
class SweepFile:
    """A sweep file, read and checked.

    Attributes:
        corpus: the corpus folder; a relative path is relative to the file.
    """

    path: Path
    corpus: Path
    plan: Plan


def read_sweep(path: Path, retrieval: bool = True) -> SweepFile:
    """The sweep that the file describes.

    Args:
        path: the TOML file.
        retrieval: False leaves out the retrieval that the file asks for.

    Raises:
        InputError: whatever keeps the file from being read or any of its keys from being meant so, with the key path.
    """
    table = read_toml(path, SweepTable)
    try:
        return SweepFile(path, path.parent / table.corpus, _plan(table, retrieval))
    except InputError as error:
        raise error.inside(str(path)) from None


def _plan(table: SweepTable, retrieval: bool) -> Plan:
    asked = table.questions
    if asked.split is not None and asked.split not in SPLITS:
        raise InputError(f"unknown part {asked.split!r}", "questions.split", f"use one of: {', '.join(SPLITS)}")
    if table.retrievers and retrieval:
        raise InputError(
            "the sweep asks for retrieval, which this version does not have",
            "retrievers",
            "run it with --no-retrieval to count losses alone, or remove [[retrievers]]",
        )
    chunkers = [
        made
        for number, entry in enumerate(table.chunkers)
        for made in _components("chunkers", entry, f"chunkers[{number}]")
    ]
    metrics = [_metric(text, f"metrics[{number}]") for number, text in enumerate(table.metrics)]
    if not metrics:
        raise InputError("there is no metric", "metrics", "give at least one, or leave the key out")
    return Plan(
        table.title,
        tuple(Configuration(chunker) for chunker in chunkers),
        table.seed,
        tuple(metrics),
        _metric(table.primary, "primary") if table.primary is not None else metrics[0],
        _configuration(table.baseline) if table.baseline is not None else None,
        table.cluster,
        asked.sample,
        asked.split,
        retrieval_left_out=bool(table.retrievers),
    )


def _metric(text: str, where: str) -> str:
    try:
        label = parse(text)
    except InputError as error:
        raise error.inside(where) from None
    check_metric(label, where)
    return str(label)


def _configuration(text: str) -> str:
    """The baseline's label as configurations write theirs: defaults left out, arguments in field order."""
    try:
        chunker, retriever = parse_configuration(text)
        made = catalog.from_label("chunkers", chunker)
        return str(Configuration(made, None if retriever is None else catalog.from_label("retrievers", retriever)))
    except InputError as error:
        raise error.inside("baseline") from None


def _use(entry: Mapping[str, Any], where: str) -> str:
    name = entry.get("use")
    if not isinstance(name, str):
        raise InputError("a component needs its name", f"{where}.use", 'write use = "fixed"')
    return name


def _components(kind: str, entry: Mapping[str, Any], where: str) -> list[Any]:
    """The components of one entry: its constants with every combination of its grid's axes, the first axis slowest."""
    name, grid = _use(entry, where), entry.get("grid", {})
    constants = {key: value for key, value in entry.items() if key not in ("use", "grid")}
    if not isinstance(grid, dict):
        raise InputError("the grid is no table", f"{where}.grid", "write [chunkers.grid] with one array an axis")
    check_keys(grid, catalog.parameters(kind, name, f"{where}.use"), f"{where}.grid")
    for axis, values in grid.items():
        if axis in constants:
            raise InputError(
                f"{axis!r} is both a constant and an axis", f"{where}.grid.{axis}", "leave one of them out"
            )
        if not isinstance(values, list) or not values:
            raise InputError(
                f"the axis {axis!r} is no array of values", f"{where}.grid.{axis}", f"write {axis} = [100, 200]"
            )
    return [
        catalog.component(kind, name, {**constants, **dict(zip(grid, point, strict=True))}, where)
        for point in product(*grid.values())
    ]
