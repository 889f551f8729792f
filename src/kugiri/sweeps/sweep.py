"""A sweep in Python: corpus, questions and chunkers in, results out, no file read or written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kugiri import catalog
from kugiri.evidence.clusters import ClusterBy
from kugiri.formats.records import document_lines, question_lines
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.sweeps.plan import DEFAULT_METRICS, Configuration, Plan
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.run import Progress, run

if TYPE_CHECKING:
    from kugiri.chunkers.protocol import Chunker


def sweep(
    corpus: Corpus,
    questions: Questions,
    chunkers: Iterable[Chunker | str],
    *,
    title: str = "sweep",
    seed: int = 1,
    baseline: str | None = None,
    cluster: ClusterBy = "paragraph",
    sample: int | None = None,
    split: str | None = None,
    progress: Progress | None = None,
) -> SweepResults:
    """What each way of cutting the corpus loses of the questions.

    Args:
        corpus: the documents.
        questions: the questions; `corpus, questions = kugiri.load_corpus(folder)`.
        chunkers: components, or labels of ours such as `"fixed(size=400, overlap=0.2)"`.
        title: of the report.
        seed: of the sample.
        baseline: label of the configuration to compare the others with; None compares all pairs.
        cluster: what makes questions dependent: `paragraph`, `document` or `none`.
        sample: how many answerable questions to draw; None asks all.
        split: `development` or `test`; None asks all.
        progress: told before each configuration and at the end.

    Raises:
        InputError: a label that is none, two equal ones, a baseline that is none of them, no question to ask.
    """
    made = tuple(
        Configuration(catalog.chunker(chunker) if isinstance(chunker, str) else chunker) for chunker in chunkers
    )
    plan = Plan(title, made, seed, DEFAULT_METRICS, DEFAULT_METRICS[0], baseline, cluster, sample, split)
    documents = document_lines(corpus.document(index) for index in range(len(corpus)))
    asked = question_lines(questions.records(corpus))
    digests = (hashlib.sha256(documents).hexdigest(), hashlib.sha256(asked).hexdigest())
    return run(plan, corpus, questions, digests, progress)
