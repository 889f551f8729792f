"""`kugiri check`: a gate for CI, which fails where a way of cutting loses more than it may."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kugiri.cli.gate import Checked, Limits

DOES_NOT_HOLD = 4
"""The exit status of a gate that does not hold (DESIGN §6)."""


def check(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(metavar="RESULTS|CORPUS", help="A results or a corpus folder.", show_default=False)
    ],
    chunker: Annotated[
        list[str] | None,
        typer.Option("--chunker", metavar="LABEL", help="How to cut a corpus; may be given several times."),
    ] = None,
    configuration: Annotated[
        list[str] | None,
        typer.Option(
            "--configuration",
            metavar="LABEL",
            help="Which of the results, by default all; may be given several times.",
        ),
    ] = None,
    max_lost: Annotated[
        int | None, typer.Option("--max-lost", metavar="N", min=0, help="At most so many lost questions.")
    ] = None,
    max_lost_rate: Annotated[
        str | None,
        typer.Option("--max-lost-rate", metavar="X", help="At most this share, 0 to 1, of the questions lost."),
    ] = None,
    max_expected: Annotated[
        str | None,
        typer.Option(
            "--max-expected",
            metavar="X",
            help="At most this share, 0 to 1, expected to be lost over all alignments; fixed windows only.",
        ),
    ] = None,
    to_junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE.xml", help="Write the verdicts there as tests.", show_default=False),
    ] = None,
    github: Annotated[bool, typer.Option("--github", help="Annotations for GitHub Actions.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Fail where a way of cutting loses more questions than it may: exit status 4, and their names."""
    limits = _limits(context, max_lost, max_lost_rate, max_expected)

    from kugiri.cli.junit import check_file, write_junit

    if to_junit is not None:
        check_file(to_junit)
    checked = (
        _in_corpus(folder, chunker or (), configuration or (), limits)
        if _is_corpus(folder)
        else _in_results(folder, chunker or (), configuration or (), limits)
    )
    if to_junit is not None:
        write_junit(to_junit, str(folder), checked)
    _tell(folder, checked, github, as_json)
    if not all(one.holds for one in checked):
        raise typer.Exit(DOES_NOT_HOLD)


def _limits(context: typer.Context, lost: int | None, rate: str | None, expected: str | None) -> Limits:
    from kugiri.cli.gate import Limits
    from kugiri.sweeps.ranges import share

    if lost is None and rate is None and expected is None:
        raise typer.BadParameter("give at least one limit: --max-lost, --max-lost-rate or --max-expected", ctx=context)
    return Limits(
        lost,
        None if rate is None else share(rate, "--max-lost-rate"),
        None if expected is None else share(expected, "--max-expected"),
    )


def _is_corpus(folder: Path) -> bool:
    """Whether it is a corpus folder; a results folder otherwise.

    Raises:
        InputError: it is neither.
    """
    from kugiri.errors import InputError
    from kugiri.export.folder import recover
    from kugiri.export.manifest import MANIFEST, listed_files
    from kugiri.formats.corpus_folder import INFO

    recover(folder)
    if (folder / INFO).is_file() and listed_files(folder) is None:
        return True
    if not (folder / MANIFEST).is_file():
        what = "is neither results nor a corpus" if folder.is_dir() else "is a file" if folder.exists() else "is absent"
        raise InputError(
            f"the folder to check {what}",
            str(folder),
            f"give a folder with {MANIFEST}, which `kugiri sweep` writes, or a corpus folder with {INFO}",
        )
    return False


def _in_corpus(folder: Path, labels: Sequence[str], configurations: Sequence[str], limits: Limits) -> list[Checked]:
    from kugiri.catalog import chunker
    from kugiri.cli.expected import expected_in_corpus
    from kugiri.cli.gate import Checked
    from kugiri.cli.third_party import blaming
    from kugiri.errors import InputError
    from kugiri.evidence.loss import evidence_loss
    from kugiri.formats.corpus_folder import load_corpus

    if configurations or not labels:
        raise InputError(
            "a corpus has no configurations" if configurations else "a corpus is checked under a way of cutting",
            str(folder),
            "give --chunker LABEL, as in --chunker 'fixed(size=400, overlap=0.2)'",
        )
    chunkers = {str(made): made for made in map(chunker, labels)}
    corpus, questions = (loaded := load_corpus(folder)).corpus, loaded.questions
    answerable = int(questions.answerable.sum())
    if not answerable:
        raise InputError("no question has evidence in this corpus", str(folder), "give questions with evidence")
    checked = []
    for label, made in chunkers.items():
        expected = None if limits.expected is None else expected_in_corpus(made, corpus, questions)
        with blaming(made):
            lost = _lost_of(evidence_loss(corpus, questions, made))
        checked.append(Checked.of(label, answerable, lost, expected, limits))
    return checked


def _lost_of(loss: Any) -> list[Any]:
    from kugiri.cli.gate import LostQuestion
    from kugiri.evidence.lost import CAUSES

    corpus, rows, evidence = loss.chunking.corpus, loss.rows, loss.questions.evidence
    start, end = evidence.start[rows.span], evidence.end[rows.span]
    document = corpus.document_of(start)
    origin = corpus.document_start[document]
    columns = (rows.question, document, start - origin, end - origin, rows.cause)
    return [
        LostQuestion(loss.questions.ids[question], corpus.ids[at], low, high, CAUSES[cause])
        for question, at, low, high, cause in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _in_results(folder: Path, labels: Sequence[str], configurations: Sequence[str], limits: Limits) -> list[Checked]:
    from kugiri.cli.expected import expected_if_written, expected_in_results
    from kugiri.cli.gate import Checked, LostQuestion
    from kugiri.cli.labels import known_configuration
    from kugiri.cli.lost import demand_sweep
    from kugiri.errors import InputError
    from kugiri.export.results import read_results

    if labels:
        raise InputError(
            "results are cut already", str(folder), "name configurations of theirs by --configuration, not --chunker"
        )
    found = read_results(folder)
    demand_sweep(found)
    rows = {row["configuration"]: row for row in found.table("configurations").to_pylist()}
    failed = [entry["configuration"] for entry in found.sweep.get("failed", ())]
    unknown = [label for label in configurations or failed if label in failed]
    if unknown or not rows:
        raise InputError(
            f"{unknown[0]} failed in the sweep, and what it loses is not known" if unknown else "the results are empty",
            str(folder),
            "run the sweep again, or name the configurations to check by --configuration",
        )
    named = dict.fromkeys(known_configuration(text, list(rows), folder) for text in configurations)
    lost: dict[str, list[LostQuestion]] = {label: [] for label in rows}
    for row in found.table("lost").to_pylist():
        place = (row["document_id"], row["evidence_start"], row["evidence_end"])
        lost[row["configuration"]].append(LostQuestion(row["question_id"], *place, row["cause"]))
    return [
        Checked.of(
            label,
            rows[label]["questions"],
            lost[label],
            expected_if_written(rows[label]) if limits.expected is None else expected_in_results(found, rows[label]),
            limits,
        )
        for label in named or rows
    ]


def _tell(folder: Path, checked: Sequence[Checked], github: bool, as_json: bool) -> None:
    from kugiri.cli.annotations import annotation, inert
    from kugiri.cli.console import note, output, print_json

    annotations = [annotation(one) for one in checked if github and not one.holds]
    if as_json:
        holds = all(one.holds for one in checked)
        print_json({"checked": str(folder), "holds": holds, "configurations": [one.facts() for one in checked]})
        for line in annotations:
            # The runner reads both streams, and standard output is one JSON object.
            note(line)
        return
    console = output()
    lines = _lines(checked)
    for line in [*(inert(lines) if github else lines), *annotations]:
        console.print(line, soft_wrap=True)


def _lines(checked: Sequence[Checked]) -> list[str]:
    """A line a configuration and limit, then the lost questions of those that do not hold."""
    from kugiri.cli.gate import SHOWN
    from kugiri.visible import one_line

    lines = [one_line(f"{one.configuration}: {verdict}") for one in checked for verdict in one.verdicts]
    for one in checked:
        if not one.holds and one.lost:
            lines.append(one_line(f"lost by {one.configuration}:"))
            # A dash in front: the runner of GitHub takes `::` at the start of a line, white space aside, for a command.
            lines += [f"- {line}" for line in one.named(SHOWN)]
            if len(one.lost) > SHOWN:
                lines[-1] += " (all of them with --json)"
    return lines
