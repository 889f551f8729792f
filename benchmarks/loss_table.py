"""Corpus folder → lost table: nine configurations over all JSQuAD questions, in-process and as the whole command.

    KUGIRI_CORPORA=../shared/corpora python benchmarks/loss_table.py

In-process: from reading the folder to the Arrow table of lost questions, after imports; beside it a plain loop that
asks every chunk of the document whether it holds each span, over the same configurations. Whole-process:
`kugiri sweep`, report and figures included, and `kugiri --help` beside an empty typer program. Ratios are of one run on
one machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kugiri.evidence.loss import EvidenceLoss
from kugiri.export.tables import tables
from kugiri.formats.corpus_folder import load_corpus
from kugiri.model.corpus import Corpus
from kugiri.sweeps.file import read_sweep
from kugiri.sweeps.run import run

SWEEP = """title = "nine ways to cut"
corpus = "jsquad"
[[chunkers]]
use = "fixed"
[chunkers.grid]
size = [100, 200, 400, 800]
overlap = [0, 0.2]
[[chunkers]]
use = "paragraph"
"""
BARE = "import typer\napp = typer.Typer()\n@app.command()\ndef a(): ...\n@app.command()\ndef b(): ...\napp()"


def kugiri(*arguments: object) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-c", "from kugiri.cli import main; main()", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def plain_loop(corpus: Corpus, loss: EvidenceLoss) -> int:
    """The lost questions by asking every chunk of the document about every span."""
    evidence, chunks = loss.questions.evidence, {}
    owners = corpus.document_of(loss.chunking.start).tolist()
    for owner, low, high in zip(owners, loss.chunking.start.tolist(), loss.chunking.end.tolist(), strict=True):
        chunks.setdefault(owner, []).append((low, high))
    kept: dict[int, bool] = {}
    documents = corpus.document_of(evidence.start).tolist()
    rows = zip(evidence.alternative.tolist(), documents, evidence.start.tolist(), evidence.end.tolist(), strict=True)
    for alternative, document, start, end in rows:
        holds = any(low <= start and end <= high for low, high in chunks.get(document, []))
        kept[alternative] = kept.get(alternative, True) and holds
    questions = {int(evidence.question[alternative]) for alternative, holds in kept.items() if holds}
    return int(loss.questions.answerable.sum()) - len(questions)


def main() -> None:
    corpora = os.environ.get("KUGIRI_CORPORA")
    if not corpora:
        sys.exit("set KUGIRI_CORPORA to the folder that holds jsquad/valid-v1.3.json")
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        imported = kugiri(
            "corpus", "import", "jsquad", Path(corpora) / "jsquad/valid-v1.3.json", "--to", folder / "jsquad"
        )
        (folder / "nine.toml").write_text(SWEEP, encoding="utf-8")
        sweep = read_sweep(folder / "nine.toml")

        runs = []
        for _ in range(5):
            began = time.perf_counter()
            loaded = load_corpus(sweep.corpus)
            read = time.perf_counter()
            results = run(sweep.plan, loaded.corpus, loaded.questions, ("", ""))
            counted = time.perf_counter()
            rows = tables(results)["lost"].num_rows
            ended = time.perf_counter()
            runs.append((ended - began, read - began, counted - read, ended - counted))
        total, read_s, count_s, table_s = min(runs)
        print(
            f"folder → lost table ({rows} rows): {total:.3f} s "
            f"(read {read_s:.3f}, count {count_s:.3f}, tables {table_s:.3f})"
        )

        began = time.perf_counter()
        looped = [plain_loop(loaded.corpus, result.loss) for result in results.configurations]
        loop = time.perf_counter() - began
        assert looped == [int(result.loss.lost.sum()) for result in results.configurations]
        counting = sum(result.seconds["evidence"] for result in results.configurations)
        print(f"evidence of nine configurations: {counting:.4f} s, causes and needs included; plain loop {loop:.2f} s")
        print(f"ratio: {loop / counting:,.0f}")

        whole = min(kugiri("sweep", folder / "nine.toml", "--out", folder / "out") for _ in range(3))
        print(f"whole process: import {imported:.2f} s; sweep with report and figures {whole:.2f} s")
        bare = min(timed([sys.executable, "-c", BARE, "--help"]) for _ in range(7))
        helped = min(kugiri("--help") for _ in range(7))
        print(f"kugiri --help: {helped:.3f} s, {helped / bare:.2f} × an empty typer program's {bare:.3f} s")


def timed(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
