"""What a sweep will do: its configurations in order, and how they are judged."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from kugiri.errors import InputError
from kugiri.evidence.clusters import ClusterBy
from kugiri.evidence.rules import COVERAGES, rule_names
from kugiri.labels import configuration_label
from kugiri.model.questions import Questions
from kugiri.sweeps.models import EmbeddingModel

DEFAULT_METRICS = (
    "Recall@5",
    "Recall@20",
    "nDCG@10",
    "MRR@10",
    "Recall(budget=1000)",
    "Recall(budget=2000)",
    "Recall(budget=4000)",
)


@dataclasses.dataclass(frozen=True, slots=True)
class Configuration:
    """One row of the sweep table: a chunker, and a retriever where there is one."""

    chunker: Any
    retriever: Any = None

    def __str__(self) -> str:
        return configuration_label(self.chunker, self.retriever)


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """A sweep, checked: everything but the corpus.

    Attributes:
        metrics: labels, each checked against the grammar.
        primary: the metric that decides; one of `metrics`.
        baseline: label of the configuration that the others are compared with; None compares all pairs.
        cluster: what makes questions dependent.
        sample: how many of the answerable questions to draw by `seed`; None takes all.
        split: the part of the questions to use; None takes all.
        margin: inside which two configurations count as equivalent, stated beforehand; None claims no equivalence.
        difference: one that would matter, for the number of questions that would find it; None asks for none.
        published: figures of others to set beside ours (`kugiri.sweeps.file.PublishedTable`).
        retrieval_left_out: whether the sweep file asks for retrieval that this run leaves out.
        models: embedding models that costs and truncation are counted for.
        coverages: shares t of the rules that ask for so much of each span (`kugiri.evidence.rules`).

    Raises:
        InputError: no configuration; a sample of none; two configurations with one label; a baseline that is none of
            them; metrics given twice, or a primary one that is not among them; two models with one name;
            a coverage that is no share.
    """

    title: str
    configurations: tuple[Configuration, ...]
    seed: int = 1
    metrics: tuple[str, ...] = DEFAULT_METRICS
    primary: str = DEFAULT_METRICS[0]
    baseline: str | None = None
    cluster: ClusterBy = "paragraph"
    sample: int | None = None
    split: str | None = None
    margin: float | None = None
    difference: float | None = None
    retrieval_left_out: bool = False
    published: Mapping[str, Any] | None = None
    models: tuple[EmbeddingModel, ...] = ()
    coverages: tuple[float, ...] = COVERAGES

    def __post_init__(self) -> None:
        labels = [str(configuration) for configuration in self.configurations]
        if not labels:
            raise InputError("there is nothing to sweep", "chunkers", "give at least one chunker")
        _refuse_repeated("configurations have the label", labels, "chunkers")
        _refuse_repeated("metrics have the label", self.metrics, "metrics")
        rule_names(self.coverages)
        _refuse_repeated("models have the name", [model.name for model in self.models], "models")
        if self.sample is not None and self.sample < 1:
            raise InputError(
                f"a sample of {self.sample} questions", "questions.sample", "give 1 or more, or leave it out"
            )
        for key, value in (("margin", self.margin), ("difference", self.difference)):
            if value is not None and not 0 < value < 1:
                raise InputError(f"{key} = {value} is no difference of a metric", key, "give a number between 0 and 1")
        if self.primary not in self.metrics:
            raise InputError(
                f"the primary metric {self.primary!r} is not among the metrics",
                "primary",
                f"use one of: {', '.join(self.metrics)}",
            )
        if self.baseline is not None and self.baseline not in labels:
            raise InputError(
                f"the baseline {self.baseline!r} is none of the configurations",
                "baseline",
                f"use one of: {', '.join(labels)}",
            )

    @property
    def retrieves(self) -> bool:
        """Whether any configuration ranks chunks."""
        return any(configuration.retriever is not None for configuration in self.configurations)

    def chosen(self, questions: Questions) -> Questions:
        """The questions that the sweep asks: of its split, sampled where it samples.

        Raises:
            InputError: none is left, or none that is answerable.
        """
        return chosen_questions(questions, self.split, self.sample, self.seed)


def chosen_questions(questions: Questions, split: str | None, sample: int | None, seed: int) -> Questions:
    """The questions of a part of them, sampled where a sample is asked for.

    Raises:
        InputError: none is left, or none that is answerable.
    """
    asked = questions if split is None else questions.of_split(split)
    if sample is not None:
        asked = asked.sample(sample, seed)
    if not asked.answerable.any():
        raise InputError(
            "no question is answerable from this corpus",
            "questions",
            "give questions with evidence; there is nothing to lose",
        )
    return asked


def _refuse_repeated(what: str, labels: Sequence[str], where: str) -> None:
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise InputError(f"two {what} {label!r}", where, "leave one of them out")
        seen.add(label)
