"""`kugiri diagnose`: where somebody else's index and ranking fail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from kugiri.sweeps.diagnose import Diagnosis


def diagnose(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus folder.", show_default=False)],
    chunks: Annotated[
        Path,
        typer.Option(
            "--chunks",
            metavar="FILE",
            help="The chunks of the index: id, document, and start, end or text (.jsonl, .csv, .parquet).",
            show_default=False,
        ),
    ],
    run: Annotated[
        Path,
        typer.Option(
            "--run",
            metavar="FILE",
            help="Its ranking: TREC (.run, .trec, .txt), or question, chunk, rank or score (.jsonl, .csv, .parquet).",
            show_default=False,
        ),
    ],
    depth: Annotated[
        int | None,
        typer.Option("--depth", min=1, metavar="K", help="How deep the index was asked; default: longest ranking."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Say at which stage the questions fail in an index and a ranking of your own: cut, candidates or ordering."""
    from kugiri.cli.console import note, output, print_json
    from kugiri.formats.corpus_folder import load_corpus
    from kugiri.formats.foreign_chunks import read_chunks
    from kugiri.formats.foreign_runs import read_run
    from kugiri.sweeps.diagnose import diagnosis
    from kugiri.visible import one_line

    loaded = load_corpus(corpus)
    index = read_chunks(chunks, loaded.corpus)
    if index.ambiguous:
        note(f"warning: {index.ambiguous:,} chunks without offsets could stand in several places; their order decided")
    found = diagnosis(loaded.questions, index, read_run(run), depth)
    for line in found.notes:
        note(f"warning: {one_line(line)}")
    if as_json:
        print_json({"corpus": str(corpus), "chunks_file": str(chunks), "run_file": str(run), **found.facts()})
    else:
        _show(output(), found)


def _show(console: Console, found: Diagnosis) -> None:
    from rich.text import Text

    from kugiri.cli.console import indented
    from kugiri.sweeps.diagnose import STAGES

    chunks = len(found.ranking.loss.chunking)
    console.print(f"{found.questions:,} answerable questions, {chunks:,} chunks, a run {found.ranking.depth:,} deep")
    for name, count in found.stages.items():
        share = 100 * count / found.questions
        indented(console, Text(f"{count:>6,}  {share:5.1f} %  {STAGES[name].format(seen=found.seen)}"), 0)
    near, late = found.ordering
    indented(console, Text(f"ordering: {near:,} at ranks 2 to 5, {late:,} behind"), 2)
    metrics = (f"{name} {'–' if value is None else f'{value:.3f}'}" for name, value in found.metrics.items())
    indented(console, Text("  ".join(metrics)), 0)
    classes = (f"{name.replace('-', '–')}: {count:,}" for name, count in found.rank_classes.items())
    indented(console, Text(f"answered at rank  {'  '.join(classes)}"), 0)
    indented(console, Text(f"look first at {found.advice()}", style="bold"), 0)
