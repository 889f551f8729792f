"""The same questions with spans, sentences and paragraphs registered: how many losses the wrong unit would make up."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kugiri.report.grid import Column, Grid, Row, column, shown
from kugiri.report.words import Code, Real, Said, Share, said

UNITS = ("sentence", "paragraph")
_HEADS = {
    "span": ("units_lost_span", "units_expected_span"),
    "sentence": ("units_lost_sentence", "units_expected_sentence", "units_alarms_sentence"),
    "paragraph": ("units_lost_paragraph", "units_expected_paragraph", "units_alarms_paragraph"),
}
_WITH = {"span": "units_with_span", "sentence": "units_with_sentence", "paragraph": "units_with_paragraph"}


@dataclasses.dataclass(frozen=True, slots=True)
class EvidenceUnits:
    """The three units side by side.

    Attributes:
        sentences: where the units come from, what a fixed rule chooses with each, and whether that differs.
        grid: a row a configuration.
    """

    sentences: tuple[Said, ...]
    grid: Grid


def evidence_units(rows: Sequence[Row], configurations: Sequence[Row]) -> EvidenceUnits | None:
    """The table `evidence_units` over the rows of `Chunkings`; None of results that do not have it."""
    found = {(row["unit"], row["configuration"]): row for row in rows}
    listed = [row for row in configurations if ("span", row["label"]) in found]
    if not listed:
        return None
    by_unit = {unit: [found[unit, row["label"]] for row in listed] for unit in _HEADS}
    columns: list[Column | None] = [
        column(said("column_number"), (row["number"] for row in listed)),
        column(said("column_configuration"), (Code(row["configuration"]) for row in listed), number=False),
        column(said("column_chunks"), (row["chunks"] for row in listed)),
    ]
    for unit, heads in _HEADS.items():
        columns += [
            column(said(heads[0]), (row["lost"] for row in by_unit[unit])),
            column(said(heads[1]), (_expected(row["expected"]) for row in by_unit[unit])),
        ]
        if unit != "span":
            columns.append(column(said(heads[2]), (_alarms(row) for row in by_unit[unit])))
    return EvidenceUnits(tuple(_sentences(by_unit, listed)), shown(columns))


def _sentences(by_unit: dict[str, list[Row]], listed: Sequence[Row]) -> list[Said]:
    lengths = {unit: Real(rows[0]["chars_mean"], 1) for unit, rows in by_unit.items()}
    recorded = all(by_unit[unit][0]["recorded"] for unit in UNITS)
    sentences = [said("units_recorded" if recorded else "units_computed"), said("units_lengths", **lengths)]
    for unit in UNITS:
        place = max(range(len(listed)), key=lambda place: by_unit[unit][place]["false_alarms"])
        most, asked = by_unit[unit][place]["false_alarms"], listed[place]["questions"]
        label, name = Code(listed[place]["configuration"]), said(_WITH[unit])
        if most:
            sentences.append(
                said("units_alarms_most", unit=name, configuration=label, n=most, share=Share(most / asked))
            )
    chosen = {
        unit: next((listed[place] for place, row in enumerate(rows) if row["chosen"]), None)
        for unit, rows in by_unit.items()
    }
    sentences.append(said("units_rule", chosen=tuple(_chosen(unit, row) for unit, row in chosen.items())))
    span = chosen["span"]
    for unit in UNITS:
        other = chosen[unit]
        if other is span:
            sentences.append(said("units_same_choice", unit=said(_WITH[unit])))
        elif span is not None and other is not None:
            times = Real(other["chunks"] / max(1, span["chunks"]), 2)
            sentences.append(said("units_other_choice", unit=said(_WITH[unit]), times=times))
        else:
            sentences.append(said("units_no_choice", unit=said(_WITH[unit])))
    missed = sum(row["missed"] for unit in UNITS for row in by_unit[unit])
    if missed:
        sentences.append(said("units_missed", n=missed))
    return sentences


def _chosen(unit: str, row: Row | None) -> Said:
    if row is None:
        return said("units_chosen_none", unit=said(_WITH[unit]))
    configuration = Code(row["configuration"])
    return said("units_chosen", unit=said(_WITH[unit]), configuration=configuration, chunks=row["chunks"])


def _expected(value: float | None) -> Real | None:
    return None if value is None else Real(value, 1)


def _alarms(row: Row) -> Said:
    return said("units_alarms", n=row["false_alarms"], too_long=row["false_alarms_too_long"])
