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
from kugiri.evidence.rules import COVERAGES
from kugiri.formats.strict import check_keys, read_toml
from kugiri.labels import parse, parse_configuration
from kugiri.metrics.grammar import check_metric
from kugiri.model.questions import SPLITS
from kugiri.sweeps.models import ModelTable, models_of
from kugiri.sweeps.paths import relocated
from kugiri.sweeps.plan import DEFAULT_METRICS, Configuration, Plan
from kugiri.sweeps.surface_table import SurfaceTable


class QuestionsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[questions]`: which of the corpus's questions to ask."""

    sample: int | None = None
    split: str | None = None


class PublishedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody published of one way of cutting: values by `chunks`, `lost` or a metric's label."""

    chunker: str
    values: dict[str, float]


class PublishedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[published]`: figures of others to set beside ours.

    Attributes:
        source: where they were published.
        comparable: the names of the values that mean the same there and here.
        note: in English and, as `note_ja`, in Japanese: why the others are not comparable.
    """

    source: str
    comparable: list[str]
    rows: list[PublishedRow]
    note: str = ""
    note_ja: str = ""


class SweepTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a sweep file, typed; components are checked by the catalogue."""

    title: str
    corpus: str
    chunkers: list[dict[str, Any]] = msgspec.field(default_factory=list)
    seed: int = 1
    metrics: list[str] = msgspec.field(default_factory=lambda: list(DEFAULT_METRICS))
    primary: str | None = None
    baseline: str | None = None
    cluster: ClusterBy = "paragraph"
    questions: QuestionsTable = QuestionsTable()
    retrievers: list[dict[str, Any]] = msgspec.field(default_factory=list)
    margin: float | None = None
    difference: float | None = None
    obtain: str | None = None
    published: PublishedTable | None = None
    models: list[ModelTable] = msgspec.field(default_factory=list)
    coverages: list[float] = msgspec.field(default_factory=lambda: list(COVERAGES))
    surface: SurfaceTable | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class SweepFile:
    """A sweep file, read and checked.

    Attributes:
        corpus: the corpus folder; a relative path is relative to the file.
        obtain: the command that makes the corpus where it is absent.
    """

    path: Path
    corpus: Path
    plan: Plan
    obtain: str | None = None

    def check_corpus(self) -> None:
        """Says how to get a corpus that is absent.

        Raises:
            InputError: the folder does not exist, and the file says which command makes it.
        """
        if self.obtain is not None and not self.corpus.exists():
            raise InputError("the corpus is not there", f"{self.path}: corpus = {self.corpus}", f"run: {self.obtain}")


def read_sweep(path: Path, retrieval: bool = True) -> SweepFile:
    """The sweep that the file describes.

    Args:
        path: the TOML file.
        retrieval: False leaves out the retrieval that the file asks for.

    Raises:
        InputError: whatever keeps the file from being read or any of its keys from being meant so, with the key path.
    """
    table = read_toml(path, SweepTable)
    if table.surface is not None and not table.chunkers:
        raise InputError(
            "the sweep file has a loss surface and no chunkers", f"{path}: chunkers", f"run: kugiri surface {path}"
        )
    try:
        return SweepFile(path, path.parent / table.corpus, _plan(table, retrieval, path.parent), table.obtain)
    except InputError as error:
        raise error.inside(str(path)) from None


def _plan(table: SweepTable, retrieval: bool, folder: Path) -> Plan:
    asked = table.questions
    if asked.split is not None and asked.split not in SPLITS:
        raise InputError(f"unknown part {asked.split!r}", "questions.split", f"use one of: {', '.join(SPLITS)}")
    chunkers = [
        made
        for number, entry in enumerate(table.chunkers)
        for made in _components("chunkers", relocated(entry, folder), f"chunkers[{number}]")
    ]
    retrievers: list[Any] = [
        made
        for number, entry in enumerate(table.retrievers)
        for made in _components("retrievers", relocated(entry, folder), f"retrievers[{number}]")
    ]
    if not (retrieval and retrievers):
        retrievers = [None]
    metrics = [_metric(text, f"metrics[{number}]") for number, text in enumerate(table.metrics)]
    if not metrics:
        raise InputError("there is no metric", "metrics", "give at least one, or leave the key out")
    return Plan(
        table.title,
        tuple(Configuration(chunker, retriever) for retriever in retrievers for chunker in chunkers),
        table.seed,
        tuple(metrics),
        _metric(table.primary, "primary") if table.primary is not None else metrics[0],
        _configuration(table.baseline, retrieval) if table.baseline is not None else None,
        table.cluster,
        asked.sample,
        asked.split,
        table.margin,
        table.difference,
        retrieval_left_out=bool(table.retrievers) and not retrieval,
        published=None if table.published is None else _published(table.published),
        models=models_of(table.models, folder),
        coverages=tuple(table.coverages),
    )


def _published(table: PublishedTable) -> dict[str, Any]:
    """The figures with chunkers' labels as configurations write theirs."""
    rows = []
    for number, row in enumerate(table.rows):
        try:
            rows.append({"chunker": str(catalog.chunker(row.chunker)), "values": dict(row.values)})
        except InputError as error:
            raise error.inside(f"published.rows[{number}].chunker") from None
    return {
        "source": table.source,
        "comparable": list(table.comparable),
        "note": {"en": table.note, "ja": table.note_ja or table.note},
        "rows": rows,
    }


def _metric(text: str, where: str) -> str:
    try:
        label = parse(text)
    except InputError as error:
        raise error.inside(where) from None
    check_metric(label, where)
    return str(label)


def _configuration(text: str, retrieval: bool) -> str:
    """The baseline's label as configurations write theirs: defaults left out, arguments in field order."""
    try:
        chunker, retriever = parse_configuration(text)
        retriever = retriever if retrieval else None
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
    points = [{**constants, **dict(zip(grid, point, strict=True))} for point in product(*grid.values())]
    return [catalog.component(kind, name, catalog.with_nested(kind, point, where), where) for point in points]
