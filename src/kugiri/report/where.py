"""Where questions are lost: by length of the evidence, position, document, tag and kind, and at which boundary."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from kugiri.report.grid import Grid, Row, column
from kugiri.report.words import Code, Said, Share, Value, said

MOST_CONFIGURATIONS = 16
"""Configurations that are shown: those that lose most."""
MOST_PLACES = 12
"""Documents, and boundaries, that are shown."""
BEHIND = (1, 2, 3, 6, 11, 21, 51, 101, 201)
"""The fewest characters behind the boundary of each group; the last has no most."""


@dataclasses.dataclass(frozen=True, slots=True)
class Cell:
    """One field of a heat map: `lost` questions, which are the share `rate` of those in question."""

    row: int
    column: int
    lost: int
    rate: float


@dataclasses.dataclass(frozen=True, slots=True)
class HeatMap:
    """Lost questions by configuration and group.

    Attributes:
        rows: labels of configurations.
        columns: groups, as they are written under the map.
        questions: how many each group has; empty where groups are of lost questions.
        cells: where a group has a question.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    questions: tuple[int, ...]
    cells: tuple[Cell, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Where:
    """Everything that is known of the places of losses.

    Attributes:
        maps: by the name of the figure: `length`, `position`, `behind`.
        behind: a row a configuration: how far past the boundary its cut evidence runs; None where nothing is cut.
        documents, boundaries: those that lose most; None where there is none.
        tables: by length, position, tag and kind: a heading and a table each.
        numbers: which configuration each number stands for.
        left_out: configurations that lose questions and are not shown.
    """

    maps: Mapping[str, HeatMap]
    behind: Grid | None
    documents: Grid | None
    boundaries: Grid | None
    tables: tuple[tuple[Said, Grid], ...]
    numbers: tuple[Said, ...]
    left_out: int


def where(rows: Sequence[Row], lost: Sequence[Row], configurations: Sequence[Row]) -> Where | None:
    """The tables `loss_slices` and `lost` over the rows of `Chunkings`; None where nothing is lost or known."""
    losing = [row for row in configurations if row["lost"]]
    if not rows or not losing:
        return None
    kept = sorted(sorted(losing, key=lambda row: -row["lost"])[:MOST_CONFIGURATIONS], key=lambda row: row["number"])
    sliced: dict[str, dict[str, dict[str, Row]]] = {}
    for row in rows:
        sliced.setdefault(row["by"], {}).setdefault(row["value"], {})[row["configuration"]] = row
    cut = [row | {"behind": row["evidence_end"] - row["cut_at"]} for row in lost if row["cut_at"] is not None]
    maps = {by: _sliced_map(sliced.get(by, {}), kept) for by in ("length", "position")}
    if cut:
        maps["behind"] = _behind_map(cut, kept)
    grouped = {by: sliced.get(by, {}) for by in ("length", "position", "tag", "kind")}
    return Where(
        maps,
        _behind_grid(cut, kept),
        _documents(sliced.get("document", {}), kept),
        _boundaries(cut, kept),
        tuple(
            (said(f"where_by_{by}"), _table(by, groups, kept))
            for by, groups in grouped.items()
            if groups and (by != "kind" or len(groups) > 1)
        ),
        tuple(said("slice_number", number=row["number"], configuration=Code(row["configuration"])) for row in kept),
        len(losing) - len(kept),
    )


def _sliced_map(groups: Mapping[str, Mapping[str, Row]], kept: Sequence[Row]) -> HeatMap:
    cells = [
        Cell(place, number, found["lost"], found["lost_rate"])
        for number, of_configuration in enumerate(groups.values())
        for place, row in enumerate(kept)
        if (found := of_configuration.get(row["label"])) is not None
    ]
    asked = [next(iter(found.values()))["questions"] for found in groups.values()]
    labels = tuple(row["configuration"] for row in kept)
    return HeatMap(labels, tuple(map(_written, groups)), tuple(asked), tuple(cells))


def _behind_map(cut: Sequence[Row], kept: Sequence[Row]) -> HeatMap:
    ends = [*(str(bound - 1) for bound in BEHIND[1:]), ""]
    names = [str(low) if str(low) == high else f"{low}-{high}" for low, high in zip(BEHIND, ends, strict=True)]
    counts: Counter[tuple[str, int]] = Counter()
    for row in cut:
        counts[row["configuration"], int(np.searchsorted(BEHIND, row["behind"], side="right")) - 1] += 1
    last = max(group for _, group in counts) + 1
    cells = [
        Cell(place, group, counts[row["configuration"], group], counts[row["configuration"], group] / row["lost"])
        for place, row in enumerate(kept)
        for group in range(last)
    ]
    labels = tuple(row["configuration"] for row in kept)
    return HeatMap(labels, tuple(map(_written, names[:last])), (), tuple(cells))


def _behind_grid(cut: Sequence[Row], kept: Sequence[Row]) -> Grid | None:
    behind: dict[str, list[int]] = {}
    for row in cut:
        behind.setdefault(row["configuration"], []).append(row["behind"])
    shown = [row for row in kept if row["configuration"] in behind]
    if not shown:
        return None
    values = [np.sort(behind[row["configuration"]]) for row in shown]
    return Grid(
        (
            column(said("column_number"), (row["number"] for row in shown)),
            column(said("column_configuration"), (Code(row["configuration"]) for row in shown), number=False),
            column(said("behind_cut"), map(len, values)),
            column(said("behind_half"), (int(found[(len(found) - 1) // 2]) for found in values)),
            column(said("behind_most_of"), (int(found[-(-9 * len(found) // 10) - 1]) for found in values)),
            column(said("behind_all"), (int(found[-1]) for found in values)),
        )
    )


def _documents(groups: Mapping[str, Mapping[str, Row]], kept: Sequence[Row]) -> Grid | None:
    labels = [row["label"] for row in kept]
    totals = {name: sum(found[label]["lost"] for label in labels if label in found) for name, found in groups.items()}
    names = sorted((name for name in totals if totals[name]), key=lambda name: -totals[name])[:MOST_PLACES]
    if not names:
        return None
    asked = [next(iter(groups[name].values()))["questions"] for name in names]
    counts = [[_of(groups[name], label) or 0 for name in names] for label in labels]
    return Grid(
        (
            column(said("where_document"), map(Code, names), number=False),
            column(said("slice_questions"), asked),
            *(column(row["number"], found) for row, found in zip(kept, counts, strict=True)),
        )
    )


def _of(found: Mapping[str, Row], label: str) -> int | None:
    return found[label]["lost"] if label in found else None


def _boundaries(cut: Sequence[Row], kept: Sequence[Row]) -> Grid | None:
    numbers = {row["configuration"]: row["number"] for row in kept}
    places: dict[tuple[str, str, int], list[int]] = {}
    for row in cut:
        if row["configuration"] in numbers:
            places.setdefault((row["configuration"], row["document_id"], row["cut_at"]), []).append(row["behind"])
    # The first of those that lose as many, in the order of the sweep and of the file.
    ranked = sorted(places, key=lambda place: -len(places[place]))[:MOST_PLACES]
    if not ranked or len(places[ranked[0]]) < 2:
        return None
    return Grid(
        (
            column(said("column_configuration"), (Code(place[0]) for place in ranked), number=False),
            column(said("where_document"), (Code(place[1]) for place in ranked), number=False),
            column(said("where_cut_at"), (place[2] for place in ranked)),
            column(said("column_lost"), (len(places[place]) for place in ranked)),
            column(said("behind_all"), (max(places[place]) for place in ranked)),
        )
    )


def _table(by: str, groups: Mapping[str, Mapping[str, Row]], kept: Sequence[Row]) -> Grid:
    ordered: Iterable[str] = groups
    if by == "tag":
        ordered = sorted(groups, key=lambda tag: (-next(iter(groups[tag].values()))["questions"], tag))
    names = list(ordered)
    heads: dict[str, Value] = {
        name: Code(name) if by == "tag" else said(f"kind_{name}") if by == "kind" else _written(name) for name in names
    }
    return Grid(
        (
            column(said(f"where_{by}"), (heads[name] for name in names), number=False),
            column(said("slice_questions"), (next(iter(groups[name].values()))["questions"] for name in names)),
            *(column(row["number"], (_lost(groups[name].get(row["label"])) for name in names)) for row in kept),
        )
    )


def _lost(row: Row | None) -> Said | None:
    return None if row is None else said("where_lost", n=row["lost"], share=Share(row["lost_rate"]))


def _written(value: str) -> str:
    """A group as it is read: an en dash between its limits, and behind the one that has no upper limit."""
    return value.replace("-", "–")
