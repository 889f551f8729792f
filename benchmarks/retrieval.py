"""The second half of a sweep: rankings with one and two workers, metrics, bootstrap.

    KUGIRI_CORPORA=../shared/corpora python benchmarks/retrieval.py

Nine configurations with BM25 over all JSQuAD questions, as the rankings alone, with one worker and with two; the
metrics of 2,000 questions × 100 ranks; 10,000 bootstrap resamples of one pair after the shared draw, beside a plain
numpy loop over resamples. Ratios are of one run on one machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kugiri import catalog
from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.evidence.loss import evidence_loss
from kugiri.formats.importing import import_corpus
from kugiri.formats.squad import JSquad
from kugiri.labels import parse
from kugiri.metrics.rank import rank_classes
from kugiri.metrics.ranking import Ranking
from kugiri.model.indexed import Indexed
from kugiri.retrievers.bm25 import Bm25
from kugiri.statistics.bootstrap import RESAMPLES, draw_weights, resampled_means
from kugiri.statistics.bootstrap_intervals import bca_intervals, percentile_intervals
from kugiri.statistics.clusters import cluster_totals
from kugiri.store.objects import Store
from kugiri.sweeps.plan import DEFAULT_METRICS
from kugiri.sweeps.workers import RunJob, compute_runs, load_run

CHUNKERS = (*(Fixed(size, overlap) for size in (100, 200, 400, 800) for overlap in (0, 0.2)), Paragraph())


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    corpora = os.environ.get("KUGIRI_CORPORA")
    if not corpora:
        sys.exit("set KUGIRI_CORPORA to the folder that holds jsquad/valid-v1.3.json")
    with tempfile.TemporaryDirectory() as work:
        source = Path(corpora) / "jsquad/valid-v1.3.json"
        corpus, questions = import_corpus(JSquad(), [source], Path(work) / "jsquad").loaded
        chunkings = [chunker.chunk(corpus) for chunker in CHUNKERS]
        jobs = [
            RunJob(f"{number:064x}", str(chunker), Indexed.of(chunking), Bm25())
            for number, (chunker, chunking) in enumerate(zip(CHUNKERS, chunkings, strict=True))
        ]
        took = {}
        for workers in (1, 2):
            store = Store(Path(work) / f"store{workers}")
            took[workers] = timed(
                lambda store=store, workers=workers: compute_runs(jobs, corpus, questions, store, workers, None)
            )
        print(f"nine rankings of {len(questions):,} questions: one worker {took[1]:.1f} s, two {took[2]:.1f} s")
        print(f"ratio: {took[1] / took[2]:.2f}")

        asked = questions.select(np.arange(2_000))
        loss = evidence_loss(corpus, asked, CHUNKERS[4])
        few = [RunJob("f" * 64, "few", Indexed.of(loss.chunking), Bm25())]
        compute_runs(few, corpus, asked, store, 1, None)
        run = load_run(store, "f" * 64)
        assert run is not None
        metrics = [catalog.metric(parse(label)) for label in DEFAULT_METRICS]

        def measure() -> None:
            ranking = Ranking.of(loss, run)
            for metric in metrics:
                metric.of(ranking)
            rank_classes(ranking)

        print(f"metrics of 2,000 questions × 100 ranks: {1000 * min(timed(measure) for _ in range(7)):.1f} ms")

    draw = np.random.default_rng(1)
    clusters = 1_145
    cluster = draw.integers(0, clusters, 4_038)
    difference = draw.choice([-1.0, 0.0, 1.0], 4_038, p=[0.05, 0.85, 0.10])
    totals = cluster_totals(difference[:, None], cluster)
    shared = min(timed(lambda: draw_weights(len(totals.sizes), RESAMPLES, 1)) for _ in range(3))
    weights = draw_weights(len(totals.sizes), RESAMPLES, 1)

    def pair() -> None:
        resampled = resampled_means(weights, totals)
        percentile_intervals(resampled)
        bca_intervals(resampled, totals)

    ours = min(timed(pair) for _ in range(7))

    def plain() -> None:
        for row in weights[:500]:
            (row * totals.sums[:, 0]).sum() / (row * totals.sizes).sum()

    loop = timed(plain) * RESAMPLES / 500
    print(
        f"10,000 resamples of one pair with both intervals: {1000 * ours:.1f} ms, "
        f"after a draw of {1000 * shared:.0f} ms"
    )
    print(f"ratio to a loop over resamples: {loop / ours:.0f}")


if __name__ == "__main__":
    main()
