"""A sweep in Python: corpus, questions and chunkers in, results out, no file read or written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from kugiri import catalog
from kugiri.evidence.clusters import ClusterBy
from kugiri.evidence.rules import COVERAGES
from kugiri.formats.records import document_lines, question_lines
from kugiri.labels import parse
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.store.objects import Store
from kugiri.sweeps.plan import DEFAULT_METRICS, Configuration, Plan
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.run import Progress, run

if TYPE_CHECKING:
    from kugiri.chunkers.protocol import Chunker
    from kugiri.retrievers.protocol import Retriever
    from kugiri.sweeps.models import EmbeddingModel


def sweep(
    corpus: Corpus,
    questions: Questions,
    chunkers: Iterable[Chunker | str],
    retrievers: Iterable[Retriever | str] = (),
    *,
    title: str = "sweep",
    seed: int = 1,
    metrics: Iterable[str] = DEFAULT_METRICS,
    primary: str | None = None,
    baseline: str | None = None,
    cluster: ClusterBy = "paragraph",
    sample: int | None = None,
    split: str | None = None,
    margin: float | None = None,
    difference: float | None = None,
    models: Iterable[EmbeddingModel] = (),
    coverages: Iterable[float] = COVERAGES,
    workers: int = 1,
    store: Path | None = None,
    progress: Progress | None = None,
) -> SweepResults:
    """What each way of cutting the corpus loses of the questions and, with retrievers, what ranking makes of it.

    Args:
        corpus: the documents.
        questions: the questions; `corpus, questions = kugiri.load_corpus(folder)`.
        chunkers: components, or labels of ours such as `"fixed(size=400, overlap=0.2)"`.
        retrievers: components, or labels such as `"bm25()"`; none counts losses alone.
        title: of the report.
        seed: of the sample, of resamples and of flips.
        metrics: labels, as in a sweep file.
        primary: the metric that decides; None takes the first.
        baseline: label of the configuration to compare the others with; None compares all pairs.
        cluster: what makes questions dependent: `paragraph`, `document` or `none`.
        sample: how many answerable questions to draw; None asks all.
        split: `development` or `test`; None asks all.
        margin: inside which two configurations count as equivalent.
        difference: one that would matter, for the number of questions that finds it.
        models: embedding models (`kugiri.sweeps.models.EmbeddingModel`) to count costs and truncated questions for.
        coverages: shares of a span that other rules of "contains" ask for.
        workers: processes that rank; more than one needs a script that can be imported (`if __name__ == "__main__"`).
        store: a folder where rankings are kept and found again; None keeps none.
        progress: told before each configuration and at the end.

    Raises:
        InputError: a label that is none, two equal ones, a baseline that is none of them, no question to ask.
    """
    cuts = [catalog.chunker(chunker) if isinstance(chunker, str) else chunker for chunker in chunkers]
    ranks = [catalog.retriever(entry) if isinstance(entry, str) else entry for entry in retrievers] or [None]
    made = tuple(Configuration(chunker, retriever) for retriever in ranks for chunker in cuts)
    labels = tuple(str(catalog.metric(parse(metric))) for metric in metrics)
    plan = Plan(
        title,
        made,
        seed,
        labels,
        labels[0] if primary is None else primary,
        baseline,
        cluster,
        sample,
        split,
        margin,
        difference,
        models=tuple(models),
        coverages=tuple(coverages),
    )
    documents = document_lines(corpus.document(index) for index in range(len(corpus)))
    asked = question_lines(questions.records(corpus))
    digests = (hashlib.sha256(documents).hexdigest(), hashlib.sha256(asked).hexdigest())
    return run(plan, corpus, questions, digests, progress, None if store is None else Store(store), workers)
