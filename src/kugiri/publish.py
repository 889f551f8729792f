"""From results to a results folder, the report included: tables, report, figures, manifest, then one swap."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from kugiri.report.grid import ReadsTables
    from kugiri.sweeps.results import SweepResults
    from kugiri.sweeps.surface import SurfaceResults


class Publish(Protocol):
    """Fills the new folder; returns what a person should know about the machine, one sentence each."""

    def __call__(
        self, results: SweepResults, text: bool = True, language: str | None = None, runs: bool = False
    ) -> tuple[str, ...]:
        """Writes every file of the results folder."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class _Fresh:
    """Tables that were just made, as the report reads them from a results folder later."""

    sweep: Mapping[str, Any]
    tables: Mapping[str, pa.Table]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.tables)

    def table(self, name: str) -> pa.Table:
        return self.tables[name]


@contextmanager
def publishing(out: Path) -> Iterator[Publish]:
    """Claims `out` before the work begins; what is published inside the block takes its place when the block ends.

    Raises:
        InputError: as `kugiri.export.folder.replacing`, before anything is computed.
    """
    from kugiri.export.folder import replacing

    began = time.perf_counter()
    with replacing(out) as new:

        def publish(
            results: SweepResults, text: bool = True, language: str | None = None, runs: bool = False
        ) -> tuple[str, ...]:
            from kugiri.export import rankings
            from kugiri.export.facts import sweep_facts
            from kugiri.export.manifest import write_manifest
            from kugiri.export.parquet import write_json, write_table
            from kugiri.export.tables import tables
            from kugiri.report.write import write_report

            made, facts = tables(results, text), sweep_facts(results, text)
            if runs:
                made["runs"] = rankings.runs(results)
            (new / "tables").mkdir()
            for name, table in made.items():
                write_table(new / "tables" / f"{name}.parquet", table)
            write_json(new / "tables" / "sweep.json", facts)
            drawn = write_report(_Fresh(facts, made), new, language)
            write_manifest(new, "sweep", time.perf_counter() - began, drawn.fonts, drawn.warnings)
            return tuple(drawn.warnings)

        yield publish


def fresh_surface(results: SurfaceResults, text: bool = True) -> ReadsTables:
    """A surface as the report reads it from a results folder later."""
    from kugiri.export.surface_tables import surface_facts, surface_table

    return _Fresh(surface_facts(results, text), {"surface": surface_table(results)})


@contextmanager
def publishing_surface(out: Path) -> Iterator[Callable[[SurfaceResults, bool, str | None], tuple[str, ...]]]:
    """As `publishing`, for a loss surface: results, whether texts may be written, and the language of report.md.

    Raises:
        InputError: as `kugiri.export.folder.replacing`, before anything is computed.
    """
    from kugiri.export.folder import replacing

    began = time.perf_counter()
    with replacing(out) as new:

        def publish(results: SurfaceResults, text: bool, language: str | None) -> tuple[str, ...]:
            from kugiri.export.manifest import write_manifest
            from kugiri.export.parquet import write_json, write_table
            from kugiri.report.surface_write import write_surface_report

            fresh = fresh_surface(results, text)
            (new / "tables").mkdir()
            write_table(new / "tables" / "surface.parquet", fresh.table("surface"))
            write_json(new / "tables" / "surface.json", fresh.sweep)
            drawn = write_surface_report(fresh, new, language)
            write_manifest(new, "surface", time.perf_counter() - began, drawn.fonts, drawn.warnings)
            return tuple(drawn.warnings)

        yield publish


def write_results(results: SweepResults, out: str | Path, text: bool = True, language: str | None = None) -> Path:
    """Publishes the results of a sweep as a results folder; returns its path.

    Args:
        results: what `kugiri.sweep` returned.
        out: the folder, which may be absent, empty, or a results folder that is then replaced.
        text: False leaves out every text of the corpus.
        language: `ja` or `en`, the language of report.md; None takes the corpus's.

    Raises:
        InputError: as `publishing`.
    """
    folder = Path(out)
    with publishing(folder) as publish:
        publish(results, text, language)
    return folder


def report_again(folder: Path, language: str | None = None) -> tuple[str, ...]:
    """Writes the report of a results folder again, from its tables alone; returns warnings as `Publish` does.

    Raises:
        InputError: as `kugiri.export.results.redrawing`.
    """
    from kugiri.export.manifest import rewrite_manifest
    from kugiri.export.results import redrawing
    from kugiri.report.surface_write import write_surface_report
    from kugiri.report.write import write_report

    began = time.perf_counter()
    with redrawing(folder) as (results, new):
        write = write_surface_report if results.manifest.kind == "surface" else write_report
        drawn = write(results, new, language)
        rewrite_manifest(new, results.manifest, time.perf_counter() - began, drawn.fonts, drawn.warnings)
    return tuple(drawn.warnings)


def store_beside(out: Path) -> Path:
    """Where rankings are kept for later sweeps: `.kugiri/` beside the results folder."""
    return out.resolve().parent / ".kugiri"
