"""`kugiri audit`: where every chunk of somebody else's index stands, proven or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from kugiri.formats.chunk_audit import Audit
    from kugiri.formats.placement import ForeignChunk
    from kugiri.model.corpus import Corpus

_FILES = (".jsonl", ".ndjson", ".csv", ".parquet")


def audit(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus folder.", show_default=False)],
    chunks: Annotated[
        str,
        typer.Argument(
            metavar="CHUNKS",
            help="A file of chunks (document, text and, if it likes, start, end, id: .jsonl, .csv, .parquet), or a "
            'label: external(tool="chonkie.token", size=256).',
            show_default=False,
        ),
    ],
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE.parquet", help="Write a row a chunk there.", show_default=False),
    ] = None,
    ambiguous: Annotated[
        str,
        typer.Option(
            "--ambiguous",
            metavar="order|refuse",
            help="What becomes of a chunk whose text stands in several places: the order decides, or it has no place.",
        ),
    ] = "order",
    offset_unit: Annotated[
        str, typer.Option("--offset-unit", metavar="codepoint|utf16|utf8", help="What the stated offsets count.")
    ] = "codepoint",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Prove where every chunk of an index stands: exact, ambiguous, drifted, damaged or missing."""
    from kugiri.cli.console import note, output, print_json
    from kugiri.errors import InputError
    from kugiri.export.audit_table import audit_table
    from kugiri.export.parquet import write_table
    from kugiri.export.whole_file import demand_file, whole_file
    from kugiri.formats.chunk_audit import audited, unplaced_error
    from kugiri.formats.corpus_folder import load_corpus
    from kugiri.formats.offset_units import check_unit

    if ambiguous not in ("order", "refuse"):
        raise InputError(f"{ambiguous!r} is no way with ambiguous chunks", "--ambiguous", "use one of: order, refuse")
    check_unit(offset_unit, "--offset-unit")
    if to is not None and to.suffix.lower() != ".parquet":
        raise InputError(f"{to.name!r} is no Parquet file", "--to", "give a file that ends in .parquet")
    if to is not None:
        demand_file(to, "the audit is", "--to")
    loaded = load_corpus(corpus).corpus
    found = audited(loaded, _lists(chunks, loaded), ambiguous == "order", offset_unit)
    for unit, count in found.fits.items():
        if count:
            note(f"warning: {count:,} of the wrong offsets are right as {unit}: try --offset-unit {unit}")
    if found.checks.leaves_out and not found.unplaced:
        share = _percent(1 - (found.checks.coverage or 0))
        note(f"warning: {share} of the characters are in no chunk: some are missing, or stated where another stands")
    if as_json:
        print_json({"corpus": str(corpus), "chunks": chunks, "offset_unit": offset_unit, **facts(found)})
    else:
        _show(output(), found)
    if to is not None:
        with whole_file(to, "the audit", "--to") as built:
            write_table(built, audit_table(found, offset_unit))
    if found.unplaced:
        raise unplaced_error(found, chunks)


def facts(found: Audit) -> dict[str, Any]:
    """The figures of an audit."""
    checks = found.checks
    return {
        "total": len(found.rows),
        **found.counts,
        "details": dict(found.details),
        "unplaced": len(found.unplaced),
        "share_exact": found.share_exact,
        "coverage": checks.coverage,
        "stated_coverage": checks.stated_coverage,
        "advance": checks.advance,
        "stated_advance": checks.stated_advance if checks.stated_steps else None,
        "overlapping": checks.overlapping,
        "right_in_another_unit": {unit: count for unit, count in found.fits.items() if count},
    }


def _lists(chunks: str, corpus: Corpus) -> Sequence[Sequence[ForeignChunk]]:
    """The chunks of every document, from a file, or cut by what a label names."""
    from kugiri.catalog import chunker
    from kugiri.errors import InputError
    from kugiri.formats.foreign_chunks import read_lists

    if Path(chunks).suffix.lower() in _FILES or "(" not in chunks:
        return read_lists(Path(chunks), corpus)
    made = chunker(chunks)
    if not hasattr(made, "lists"):
        raise InputError(
            "these chunks are cut by their offsets, and there is nothing to prove",
            f"label {chunks!r}",
            'give a file of chunks, or a label such as external(tool="langchain.recursive", size=400)',
        )
    lists: Sequence[Sequence[ForeignChunk]] = made.lists(corpus)
    return lists


def _show(console: Console, found: Audit) -> None:
    from rich.table import Table
    from rich.text import Text

    from kugiri.cli.console import indented

    table = Table(box=None, pad_edge=False)
    for name in ("", "chunks", "share"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    total = len(found.rows)
    for status, count in found.counts.items():
        table.add_row(status, f"{count:,}", _percent(count / total if total else None))
    table.add_row("all", f"{total:,}", "")
    console.print(table)
    told = [f"{detail}: {count:,}" for detail, count in found.details.items()]
    checks = found.checks
    told.append(f"coverage {_percent(checks.coverage)}, advance {_percent(checks.advance)}")
    if any(row.chunk.stated_start is not None for row in found.rows):
        coverage, advance = _percent(checks.stated_coverage), _percent(checks.stated_advance)
        told.append(f"of the stated offsets: coverage {coverage}, advance {advance}")
    if checks.overlapping:
        told.append(f"{checks.overlapping:,} start inside the chunk before them")
    for line in told:
        indented(console, Text(line), 0)


def _percent(share: float | None) -> str:
    """A share in percent; what is not all is never written as 100, nor what is not nothing as 0."""
    if share is None:
        return "–"
    if 0 < share < 1:
        return f"{min(max(100 * share, 0.1), 99.9):.1f} %"
    return f"{100 * share:.0f} %"
