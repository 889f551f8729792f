"""`kugiri sweep`: every configuration over one corpus, into a results folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from kugiri.formats.corpus_folder import LoadedCorpus
    from kugiri.sweeps.file import SweepFile
    from kugiri.sweeps.results import SweepResults

FAILED = 3
"""The exit status of a sweep of which some configurations failed."""


def sweep(
    file: Annotated[Path, typer.Argument(metavar="SWEEP.toml", help="The sweep file.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Results folder; default: reports/<stem of the sweep file>."),
    ] = None,
    no_retrieval: Annotated[bool, typer.Option("--no-retrieval", help="Count losses only.")] = False,
    no_text: Annotated[bool, typer.Option("--no-text", help="Write no text of the corpus into the results.")] = False,
    runs: Annotated[bool, typer.Option("--runs", help="Keep every ranking in tables/runs.parquet.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, metavar="N", help="Processes; changes no result.")] = 1,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would run; write nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Cut the corpus in every way of the sweep file and count which questions each way loses."""
    from kugiri.formats.corpus_folder import load_corpus
    from kugiri.sweeps.file import read_sweep

    asked = read_sweep(file, retrieval=not no_retrieval)
    asked.check_corpus()
    loaded = load_corpus(asked.corpus)
    if dry_run:
        _show_plan(asked, loaded, out or Path("reports") / file.stem, as_json)
        return
    results, folder = _run(asked, loaded, out or Path("reports") / file.stem, not no_text, runs, workers)
    if as_json:
        _print_results(results, folder)
    else:
        _show_results(results, folder)
    if results.failed:
        raise typer.Exit(FAILED)


def _run(
    asked: SweepFile, loaded: LoadedCorpus, out: Path, text: bool, runs: bool, workers: int
) -> tuple[SweepResults, Path]:
    from kugiri.cli.console import note, progress
    from kugiri.errors import InputError
    from kugiri.publish import publishing, store_beside
    from kugiri.store.objects import Store
    from kugiri.sweeps.run import run

    with publishing(out) as publish:
        with progress(asked.plan.title) as told:
            digests = (loaded.documents_sha256, loaded.questions_sha256)
            try:
                store = Store(store_beside(out))
                results = run(asked.plan, loaded.corpus, loaded.questions, digests, told, store, workers)
            except InputError as error:
                raise error.inside(str(asked.path)) from None
        # Drawing takes longer than counting.
        note("writing the tables, the report and its figures")
        warnings = publish(results, text=text, runs=runs)
    for warning in warnings:
        note(f"warning: {warning}")
    return results, out


def _show_plan(asked: SweepFile, loaded: LoadedCorpus, out: Path, as_json: bool) -> None:
    from rich.table import Table

    from kugiri.cli.console import output, print_json
    from kugiri.errors import InputError
    from kugiri.publish import store_beside
    from kugiri.store.objects import Store
    from kugiri.sweeps.run import chunk_counts, ranked_already
    from kugiri.visible import one_line

    try:
        questions = asked.plan.chosen(loaded.questions)
    except InputError as error:
        raise error.inside(str(asked.path)) from None
    counts = chunk_counts(asked.plan, loaded.corpus)
    ranked: set[str] = set()
    if asked.plan.retrieves:
        store = Store(store_beside(out))
        ranked = ranked_already(asked.plan, loaded.corpus, loaded.questions, loaded.documents_sha256, store)
    rows = [
        {
            "configuration": label,
            "chunks": count,
            **({"ranking": "stored" if label in ranked else "missing"} if asked.plan.retrieves else {}),
        }
        for label, count in counts.items()
    ]
    if as_json:
        print_json(
            {
                "title": asked.plan.title,
                "documents": len(loaded.corpus),
                "characters": loaded.corpus.characters,
                "questions": int(questions.answerable.sum()),
                "configurations": rows,
            }
        )
        return
    console = output()
    console.print(
        f"{one_line(asked.plan.title)}: {len(counts)} configuration{'s' * (len(counts) != 1)} "
        f"over {len(loaded.corpus):,} documents, {loaded.corpus.characters:,} characters, "
        f"{int(questions.answerable.sum()):,} questions; nothing written"
    )
    table = Table("configuration", box=None, pad_edge=False)
    table.add_column("chunks", justify="right")
    if asked.plan.retrieves:
        table.add_column("ranking")
    for row in rows:
        count = row["chunks"]
        shown = "fails" if count is None else f"{count:,}"
        table.add_row(one_line(str(row["configuration"])), shown, *([str(row["ranking"])] if "ranking" in row else []))
    console.print(table)


def _show_results(results: SweepResults, folder: Path) -> None:
    from kugiri.cli.console import output
    from kugiri.cli.sweep_table import legend, sweep_table
    from kugiri.visible import one_line

    answerable = int(results.questions.answerable.sum())
    console = output()
    title = one_line(f"{results.plan.title}: {results.corpus.info.title}")
    console.print(f"{title}, {answerable:,} answerable questions")
    console.print(sweep_table(results, console))
    explained = legend(results)
    if explained:
        console.print(one_line(explained))
    for failed in results.failed:
        console.print(one_line(f"failed: {failed.configuration}: {failed.what}"))
    console.print("A lost question cannot be answered whole from any single chunk, whatever model or reranker follows.")
    console.print(f"report: {folder / 'report.html'}", soft_wrap=True)
    console.print(f"lost questions: kugiri lost {folder}", soft_wrap=True)


def _print_results(results: SweepResults, folder: Path) -> None:
    from kugiri.cli.console import print_json
    from kugiri.export.cost_rows import cost_rows, expected_columns
    from kugiri.sweeps.contests import NOT_AVERAGED

    answerable = results.questions.answerable
    costs: dict[str, list[dict[str, Any]]] = {}
    for row in cost_rows(results):
        costs.setdefault(row.pop("configuration"), []).append(row)
    rows: list[dict[str, Any]] = [
        {
            "configuration": str(row.configuration),
            "chunks": len(row.indexed.vectors),
            "questions": int(results.questions.answerable.sum()),
            "lost": int(row.loss.lost.sum()),
            "lost_rate": row.loss.lost_rate,
            "lost_low": row.interval[0],
            "lost_high": row.interval[1],
            **expected_columns(row.alignment),
            "lost_questions": list(row.loss.lost_ids),
            **{
                metric: float(row.outcomes[metric].value[answerable].mean())
                for metric in results.plan.metrics
                if metric in row.outcomes and metric not in NOT_AVERAGED
            },
            "costs": costs.get(str(row.configuration), []),
        }
        for row in results.configurations
    ]
    failed = [{"configuration": row.configuration, "what": row.what, "where": row.where} for row in results.failed]
    print_json({"results": str(folder), "configurations": rows, "failed": failed, "warnings": list(results.warnings)})
