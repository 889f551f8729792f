"""The content of the report on a loss surface, in no language: page, Markdown, figures and terminal draw from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from kugiri.report.grid import Grid, ReadsTables, Row, column, rows_of
from kugiri.report.notes import Excluded, Fact, excluded, provenance, warnings
from kugiri.report.surface_rows import (
    cell,
    cheapest,
    cost_columns,
    front_of,
    pair,
    pair_columns,
    percentage,
    thinned,
    written,
)
from kugiri.report.words import Code, Real, Said, Text, Value, said

LEVELS = (0.9, 0.95, 0.99, 0.999, 1.0)
"""Shares of the questions to keep, for which the cheapest pair is named."""
HEADLINE = 0.99
MOST_ON_FRONT = 40
"""Pairs of the front in the report; the table has all."""
UNITS = {
    "char": "surface_unit_char",
    "grapheme": "surface_unit_grapheme",
    "morpheme": "surface_unit_morpheme",
    "token": "surface_unit_token",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Kept:
    """The pair with the fewest vectors of those that keep a share of the questions; no row where none does."""

    share: float
    row: Row | None


@dataclasses.dataclass(frozen=True, slots=True)
class SurfaceContent:
    """Everything that the report on a surface says.

    Attributes:
        rows: those of the exported table.
        facts: `surface.json`.
        kept: for each of `LEVELS`; empty where expected loss was not computed, like `front`.
        front: the rows that no other one dominates, by rising vectors.
    """

    rows: tuple[Row, ...]
    facts: Mapping[str, Any]
    kept: tuple[Kept, ...]
    front: tuple[Row, ...]
    excluded: tuple[Excluded, ...]
    warnings: tuple[Said, ...]
    provenance: tuple[Fact, ...]

    @property
    def title(self) -> str:
        """The surface's title."""
        return str(self.facts["title"])

    @property
    def kugiri(self) -> str:
        """The version that made the results."""
        return str(self.facts["kugiri"])

    @property
    def questions(self) -> int:
        """Answerable questions."""
        return int(self.facts["questions"]["answerable"])

    @property
    def unanswerable(self) -> int:
        """Questions without evidence in the corpus."""
        return int(self.facts["questions"]["unanswerable"])

    @property
    def unit(self) -> Said:
        """What windows count."""
        return said(UNITS[self.facts["unit"]])

    @property
    def observed(self) -> Row:
        """The pair with the smallest observed loss, of several the one with the fewest vectors."""
        return min(self.rows, key=lambda row: (row["lost"], row["chunks"], row["indexed"], row["size"]))

    @property
    def sections(self) -> tuple[str, ...]:
        """The headings that lead to what was found."""
        computed = ("surface_keep", "surface_enough") if self.kept else ()
        return ("figures", *computed, *(("surface_front",) if self.front else ()))

    @property
    def answer(self) -> tuple[Text, ...]:
        """What was found, in a few sentences."""
        return (Text((self._scope(),)), Text((*self._keeping(), self._guarantee())), Text(self._luck()))

    def _scope(self) -> Said:
        corpus = self.facts["corpus"]
        return said(
            "surface_scope",
            corpus=corpus["title"] or corpus["name"],
            documents=said("n_documents", n=corpus["documents"]),
            characters=corpus["characters"],
            questions=said("n_answerable", n=self.questions),
            pairs=len(self.rows),
            unit=self.unit,
        )

    def _keeping(self) -> tuple[Said, ...]:
        found = next((kept for kept in self.kept if kept.share == HEADLINE), None)
        if found is None:
            return ()
        if found.row is None:
            return (said("surface_keeps_none", share=percentage(HEADLINE)),)
        return (
            said(
                "surface_keeps",
                share=percentage(HEADLINE),
                pair=pair(found.row),
                chunks=found.row["chunks"],
                indexed=found.row["indexed"],
                unit=self.unit,
            ),
        )

    def _guarantee(self) -> Said:
        if self.facts["guarantee"] is None:
            return said("surface_no_guarantee")
        return said("surface_guarantee", overlap=self.facts["guarantee"], unit=self.unit)

    def _luck(self) -> tuple[Said, ...]:
        row = self.observed
        found = said("surface_observed", lost=row["lost"], pair=pair(row))
        if row["expected"] is None:
            return (found, said("surface_observed_alone", pairs=len(self.rows)))
        if row["least"] == row["most"]:
            return (found, said("surface_observed_always"))
        spread = {"least": row["least"], "most": row["most"], "expected": Real(row["expected"], 2)}
        return (found, said("surface_luck", pairs=len(self.rows), **spread))

    @property
    def keep_grid(self) -> Grid:
        """For each share of the questions the cheapest pair that keeps it."""
        rows = [kept.row for kept in self.kept]
        return Grid(
            (
                column(said("column_surface_kept"), (percentage(kept.share) for kept in self.kept)),
                *pair_columns(rows, self.unit),
            )
        )

    @property
    def limits(self) -> tuple[int, ...]:
        """Sizes that windows may be limited to: models have one."""
        return tuple(row["size"] for row in self.facts["overlaps_enough"])

    @property
    def limited_grid(self) -> Grid:
        """The same with windows no longer than each of some sizes: size × overlap and the vectors it takes."""
        return Grid(
            (
                column(said("column_surface_kept"), (percentage(kept.share) for kept in self.kept)),
                *(
                    column(said("column_surface_limit", size=limit), map(cell, self.limited(limit)))
                    for limit in self.limits
                ),
            )
        )

    def limited(self, limit: int) -> tuple[Row | None, ...]:
        """For each share of the questions the cheapest pair with windows no longer than this."""
        rows = [row for row in self.rows if row["size"] <= limit]
        return tuple(cheapest(rows, kept.share, self.questions) for kept in self.kept)

    def front_up_to(self, limit: int) -> list[Row]:
        """The front of the pairs whose windows are no longer than this, by rising vectors."""
        return front_of([row for row in self.rows if row["size"] <= limit])

    @property
    def overlaps_grid(self) -> Grid:
        """The smallest overlap for some sizes."""
        rows: list[Mapping[str, Any]] = list(self.facts["overlaps_enough"])
        return Grid(
            (
                column(said("column_surface_size"), (row["size"] for row in rows)),
                column(said("column_surface_smallest_overlap"), (row["overlap"] for row in rows)),
                *cost_columns(rows, self.unit),
            )
        )

    @property
    def sizes_grid(self) -> Grid:
        """The smallest size for some overlaps."""
        rows: list[Mapping[str, Any]] = list(self.facts["sizes_enough"])
        return Grid(
            (
                column(said("column_surface_overlap"), (written(row["overlap"]) for row in rows)),
                column(said("column_surface_smallest_size"), (row["size"] for row in rows)),
                *cost_columns(rows, self.unit),
            )
        )

    @property
    def front_grid(self) -> Grid:
        """The front, thinned evenly where it is long."""
        shown = thinned(self.front, MOST_ON_FRONT)
        return Grid(tuple(pair_columns(shown, self.unit)))

    @property
    def front_left_out(self) -> int:
        """Pairs of the front that its table in the report does not show."""
        return len(self.front) - min(len(self.front), MOST_ON_FRONT)

    @property
    def target(self) -> Said:
        """The share of the questions whose expected loss is accepted."""
        return percentage(self.facts["target"])

    @property
    def definitions(self) -> tuple[tuple[Said, Said], ...]:
        """The terms of the report and what they mean."""
        own = (
            (said("term_surface_expected"), said("meaning_surface_expected")),
            (said("term_surface_guarantee"), said("meaning_surface_guarantee")),
            (said("term_surface_front"), said("meaning_surface_front")),
        )
        return ((said("term_kept"), said("meaning_kept")), *own)


def surface_content(results: ReadsTables) -> SurfaceContent:
    """The report on a surface, from its table and facts alone."""
    rows, facts = tuple(rows_of(results, "surface")), results.sweep
    front = sorted((row for row in rows if row["front"]), key=lambda row: row["chunks"])
    asked = facts["questions"]["answerable"]
    return SurfaceContent(
        rows,
        facts,
        tuple(Kept(share, cheapest(rows, share, asked)) for share in LEVELS) if facts["expected"] else (),
        tuple(front),
        excluded(results),
        warnings(results),
        (*provenance(results), *_counted(facts)),
    )


def _counted(facts: Mapping[str, Any]) -> list[Fact]:
    unit: Value = said(UNITS[facts["unit"]])
    if facts["tokenizer"] is not None:
        unit = (unit, Code(facts["tokenizer"]))
    return [(said("source_surface_unit"), unit)]
