"""What a sweep found, configuration by configuration."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from kugiri.evidence.alignment import AlignmentLoss
from kugiri.evidence.loss import EvidenceLoss
from kugiri.metrics.ranking import Ranking
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import Indexed
from kugiri.model.outcomes import Outcomes
from kugiri.model.questions import Questions
from kugiri.sweeps.comparisons import Comparison, Standing
from kugiri.sweeps.costs import Cost
from kugiri.sweeps.plan import Configuration, Plan


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class ConfigurationResult:
    """One configuration's loss and what it costs.

    Attributes:
        indexed: what is ranked for its chunks: the chunks themselves, or children of theirs.
        clusters_split: grapheme clusters that an edge of a chunk cuts in two.
        identical_to: label of the first configuration above with exactly the same chunks.
        single_chunk_share: share of the non-empty documents that are one chunk.
        interval, interval_document: 95 % Wilson intervals of the lost rate, by the sweep's clusters and by document.
        seconds: wall-clock seconds by stage.
        ranking: the run read against the evidence; None without retrieval.
        outcomes: the metrics of the ranking, `rank` among them, by label; empty without retrieval.
        beyond: metrics of a budget that the depth of the ranking does not fill: without a value.
        alignment: what it loses at every alignment of its windows; None where it is not fixed windows.
    """

    configuration: Configuration
    loss: EvidenceLoss
    indexed: Indexed
    needs: Outcomes
    clusters_split: int
    identical_to: str | None
    single_chunk_share: float
    interval: tuple[float, float]
    interval_document: tuple[float, float]
    seconds: Mapping[str, float]
    ranking: Ranking | None = None
    outcomes: Mapping[str, Outcomes] = dataclasses.field(default_factory=dict)
    beyond: tuple[str, ...] = ()
    alignment: AlignmentLoss | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class FailedConfiguration:
    """A configuration whose component failed, with the error in three lines."""

    configuration: str
    what: str
    where: str
    remedy: str


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SweepResults:
    """Everything a sweep found.

    Attributes:
        questions: those that were asked: of the sweep's split, sampled where it samples.
        documents_sha256, questions_sha256: of the whole corpus as canonical JSON Lines.
        clusters: how many clusters of answerable questions there are by paragraph and by document.
        warnings: `{"code": …, …}`: what a reader of the results has to know; worded by the report.
        components: name → version of every component that took part.
        costs: of every configuration with every model of the plan.
    """

    plan: Plan
    corpus: Corpus
    questions: Questions
    documents_sha256: str
    questions_sha256: str
    configurations: tuple[ConfigurationResult, ...]
    failed: tuple[FailedConfiguration, ...]
    comparisons: tuple[Comparison, ...]
    standings: tuple[Standing, ...]
    clusters: Mapping[str, int]
    warnings: tuple[Mapping[str, Any], ...]
    components: Mapping[str, int | str]
    costs: tuple[Cost, ...] = ()

    def __repr__(self) -> str:
        rows = [f"{self.plan.title}: {self.corpus!r}, {self.questions!r}"]
        for result in self.configurations:
            rows.append(f"  {result.loss!r}")
            if result.outcomes:
                answerable = self.questions.answerable
                told = (
                    f"{metric} {outcome.value[answerable].mean():.3f}"
                    for metric, outcome in result.outcomes.items()
                    if bool(outcome.defined[answerable].all())
                )
                rows.append(f"    {result.configuration.retriever}: {', '.join(told)}")
        rows += [f"  {failed.configuration}: failed ({failed.what})" for failed in self.failed]
        return "\n".join(rows)
