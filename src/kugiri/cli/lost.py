"""`kugiri lost`: the lost questions of a results folder, with the cuts drawn in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from kugiri.export.results import Results


def lost(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder.", show_default=False)],
    configuration: Annotated[
        str | None, typer.Option("--configuration", metavar="LABEL", help="Only what this configuration loses.")
    ] = None,
    question: Annotated[str | None, typer.Option("--question", metavar="ID", help="Only this question.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Read the lost questions of a sweep, each with its evidence and every cut drawn in."""
    from kugiri.cli.console import output, print_json
    from kugiri.cli.labels import known_configuration
    from kugiri.export.results import read_results

    found = read_results(results)
    demand_sweep(found)
    labels = found.table("configurations").column("configuration").to_pylist()
    chosen = None if configuration is None else known_configuration(configuration, labels, results)
    if question is not None:
        _demand_question(found, question, results)
    rows = [
        row
        for row in found.table("lost").to_pylist()
        if chosen in (None, row["configuration"]) and question in (None, row["question_id"])
    ]
    if as_json:
        print_json({"results": str(results), "lost": rows})
        return
    _show(output(), found, rows, [label for label in labels if chosen in (None, label)], question)


def demand_sweep(found: Results) -> None:
    """Refuses the results of `kugiri surface`, where no configuration has a name and no lost question has one.

    Raises:
        InputError: they are such results.
    """
    from kugiri.errors import InputError

    if found.manifest.kind == "surface":
        raise InputError(
            "these are results of `kugiri surface`, which counts lost questions and names none of them",
            str(found.folder),
            "give a results folder of `kugiri sweep`; its sweep may have any of these sizes and overlaps",
        )


def _demand_question(found: Results, question: str, results: Path) -> None:
    from kugiri.errors import InputError
    from kugiri.formats.strict import nearest

    known = found.table("questions").column("question_id").to_pylist()
    if question not in known:
        near = nearest(question, known)
        remedy = f"did you mean {near!r}?" if near else "see tables/questions.parquet for the ids"
        raise InputError(f"there is no question {question!r}", str(results), remedy)


def _show(
    console: Console, found: Results, rows: list[dict[str, Any]], labels: list[str], question: str | None
) -> None:
    from rich.text import Text

    from kugiri.cli.drawing import LEGEND

    passages = _passages(found)
    chunks = _Chunks(found)
    for label in labels:
        of_label = [row for row in rows if row["configuration"] == label]
        if question is not None and not of_label:
            continue
        console.print(
            Text(f"{label}: lost" if question is not None else f"{label}: {len(of_label)} lost", style="bold")
        )
        for row in of_label:
            _show_row(console, row, passages, chunks)
    if question is not None and not rows:
        console.print(f"no configuration here loses {question}")
    elif rows and passages:
        console.print(Text(LEGEND, style="dim"))


def _show_row(console: Console, row: dict[str, Any], passages: dict[Any, tuple[str, int]], chunks: _Chunks) -> None:
    from rich.text import Text

    from kugiri.cli.console import folded, indented
    from kugiri.cli.drawing import passage_text
    from kugiri.visible import one_line

    span = (row["evidence_start"], row["evidence_end"])
    folded(console, Text(one_line(f"{row['question_id']} {row['question'] or ''}".rstrip())), 2)
    indented(console, Text(why(row), style="dim"), 4)
    passage = passages.get((row["question_id"], row["document_id"], *span))
    if passage is not None:
        text, start = passage
        edges = chunks.of(row["configuration"], row["document_id"], start, start + len(text))
        folded(console, passage_text(text, start, [span], edges, span), 4)


def why(row: dict[str, Any]) -> str:
    """Why a row of the table `lost` is lost, in one line."""
    from kugiri.visible import one_line

    length = row["evidence_end"] - row["evidence_start"]
    where = f"{one_line(row['document_id'])} [{row['evidence_start']}, {row['evidence_end']}), {length} characters"
    # Rounded down: a lost span is never held to 100 %.
    best = f"the best chunk holds {int(100 * row['best_coverage'])}%"
    cause = {
        "cut": f"cut at {row['cut_at']}",
        "too_long": f"longer than every chunk of its document, cut at {row['cut_at']}",
        "dropped": "some of it is in no chunk",
    }[row["cause"]]
    needed = [
        f"{what} {row[key]}"
        for key, what in (("overlap_needed", "at any alignment: an overlap of"), ("size_needed", "here: a size of"))
        if row[key] is not None
    ]
    enough = f"; enough {'; '.join(needed)}" if needed else ""
    return f"{where}: {cause}; {best}{enough}"


def _passages(found: Results) -> dict[Any, tuple[str, int]]:
    """The passage and its start by question, document and span; empty where the results hold no text."""
    return {
        (row["question_id"], row["document_id"], row["start"], row["end"]): (row["passage"], row["passage_start"])
        for row in found.table("questions").to_pylist()
        if row["passage"] is not None
    }


class _Chunks:
    """The chunks of a results folder, by configuration and document."""

    def __init__(self, found: Results) -> None:
        names = found.table("configurations").select(["configuration", "chunker"]).to_pylist()
        self.chunker = {row["configuration"]: row["chunker"] for row in names}
        self.chunks: dict[tuple[str, str], list[tuple[int, int]]] = {}
        columns = (
            found.table("chunks").column(name).to_pylist() for name in ("chunker", "document_id", "start", "end")
        )
        for chunker, document, start, end in zip(*columns, strict=True):
            self.chunks.setdefault((chunker, document), []).append((start, end))

    def of(self, configuration: str, document: str, start: int, end: int) -> list[tuple[int, int]]:
        """The chunks that touch `[start, end)` of the document: starts and ends never decrease, so they are a range."""
        chunks = self.chunks.get((self.chunker[configuration], document), [])
        low = bisect_right(chunks, start, key=lambda chunk: chunk[1])
        return chunks[low : bisect_left(chunks, end, lo=low, key=lambda chunk: chunk[0])]
