"""Small results folders with rankings, without the report (which takes seconds), and commands in this process."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.cli.outcome import reported
from kugiri.export import rankings
from kugiri.export.facts import sweep_facts
from kugiri.export.manifest import write_manifest
from kugiri.export.parquet import write_json, write_table
from kugiri.export.tables import tables
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.retrievers.random_order import RandomOrder
from kugiri.sweeps.plan import Configuration, Plan
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.run import run
from sweep_worlds import DIGESTS, small

METRICS = ("Recall@1", "MRR@3", "Recall(budget=12)")
CHUNKERS = (Fixed(4), Fixed(6, 0.5), Paragraph())
RETRIEVERS = (RandomOrder(1), RandomOrder(2))


def ranked_results(
    corpus: Corpus | None = None,
    questions: Questions | None = None,
    chunkers: Sequence[Any] = CHUNKERS,
    retrievers: Sequence[Any] = RETRIEVERS,
    metrics: tuple[str, ...] = METRICS,
    digests: tuple[str, str] = DIGESTS,
    resamples: int = 200,
    **settings: Any,
) -> SweepResults:
    """A sweep in memory; every retriever over every chunker."""
    if corpus is None or questions is None:
        corpus, questions = small()
    configurations = tuple(Configuration(c, r) for c in chunkers for r in (retrievers or (None,)))
    plan = Plan("順位", configurations, metrics=metrics, primary=metrics[0], **settings)
    return run(plan, corpus, questions, digests, resamples=resamples)


def write_folder(results: SweepResults, folder: Path, *, text: bool = True, runs: bool = True) -> Path:
    """A results folder with everything but the report."""
    (folder / "tables").mkdir(parents=True)
    made = tables(results, text)
    if runs:
        made["runs"] = rankings.runs(results)
    for name, table in made.items():
        write_table(folder / "tables" / f"{name}.parquet", table)
    write_json(folder / "tables" / "sweep.json", sweep_facts(results, text))
    write_manifest(folder, "sweep", 0.0, (), ())
    return folder


@dataclasses.dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def command(function: Callable[..., None]) -> Callable[..., Ended]:
    """One command of ours in this process, as `kugiri` runs it."""

    def call(*arguments: object) -> Ended:
        app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
        app.command()(function)
        out, err = io.StringIO(), io.StringIO()
        with (
            pytest.MonkeyPatch.context() as patch,
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as ended,
        ):
            patch.setenv("COLUMNS", "80")
            patch.delenv("FORCE_COLOR", raising=False)
            with reported(False):
                app([str(argument) for argument in arguments])
        return Ended(int(ended.value.code or 0), out.getvalue(), err.getvalue())

    return call


def refused(ended: Ended, *words: str) -> None:
    """Three lines, exit status 2, nothing on standard output."""
    assert ended.code == 2, ended
    assert [line.split(":")[0] for line in ended.err.splitlines()] == ["error", "where", "do"], ended.err
    assert ended.out == ""
    for word in words:
        assert word in ended.err, ended.err
