"""Where questions are lost: by length of the evidence, place in the document, document, tag, kind and cause."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import numpy as np

from kugiri.evidence.clusters import question_clusters
from kugiri.evidence.loss import EvidenceLoss
from kugiri.evidence.lost import CAUSES
from kugiri.evidence.placed import PlacedEvidence
from kugiri.model.columns import Bool, Int64
from kugiri.statistics.effective_n import effective_n
from kugiri.statistics.wilson import wilson
from kugiri.sweeps.results import SweepResults

BY = ("length", "position", "document", "tag", "kind", "cause")
LENGTHS = (1, 6, 11, 21, 51, 101, 201, 401)
"""The shortest evidence of each group by length, in characters; the last group has no longest."""
_TENTHS = 10


@dataclasses.dataclass(frozen=True, slots=True)
class SliceRow:
    """What one configuration loses of one group of answerable questions.

    Attributes:
        by: what groups the questions, one of `BY`.
        value: the group; of lengths `6-10` or `401-`, of positions `0-10%` to `90-100%`.
        questions: in the group; of causes all of them, and `lost` counts those that are lost for that cause.
        low, high: 95 % Wilson interval of the lost rate, effective n over the sweep's clusters.
    """

    configuration: str
    by: str
    value: str
    questions: int
    lost: int
    lost_rate: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Group:
    by: str
    value: str
    members: Int64
    """Places among the answerable questions."""


def slice_rows(results: SweepResults) -> list[SliceRow]:
    """The groups that have a question, in the order of `BY` and of their values, configuration by configuration.

    A question's length is that of the longest span of the alternative whose longest span is shortest; its document,
    and its position there, are those of its first span in file order. Documents of which a configuration loses no
    question are left out.
    """
    answerable = np.flatnonzero(results.questions.answerable)
    evidence = results.questions.evidence
    cluster = question_clusters(results.corpus, evidence, results.plan.cluster)[answerable]
    groups = list(_groups(results, answerable))
    of_chunker: dict[str, list[SliceRow]] = {}
    rows: list[SliceRow] = []
    for result in results.configurations:
        label, name = result.loss.label, str(result.configuration)
        if label not in of_chunker:
            of_chunker[label] = list(_rows(result.loss, name, groups, answerable, cluster))
        rows += [dataclasses.replace(row, configuration=name) for row in of_chunker[label]]
    return rows


def _rows(loss: EvidenceLoss, name: str, groups: list[_Group], answerable: Int64, cluster: Int64) -> Iterator[SliceRow]:
    lost = loss.lost[answerable]
    for group in groups:
        events = lost[group.members]
        if events.any() or group.by != "document":
            yield _row(name, group.by, group.value, events, cluster[group.members])
    for number, cause in enumerate(CAUSES):
        events = np.isin(answerable, loss.rows.question[loss.rows.cause == number])
        yield _row(name, "cause", cause, events, cluster)


def _row(name: str, by: str, value: str, events: Bool, cluster: Int64) -> SliceRow:
    share = float(events.mean())
    interval = wilson(share, effective_n(events.astype(float), cluster))
    return SliceRow(name, by, value, len(events), int(events.sum()), share, *interval)


def _groups(results: SweepResults, answerable: Int64) -> Iterator[_Group]:
    corpus, asked = results.corpus, results.questions
    first = asked.evidence.start[asked.evidence.first_span()[answerable]]
    document = corpus.document_of(first)
    origin = corpus.document_start[document]
    tenth = _TENTHS * (first - origin) // (corpus.document_start[document + 1] - origin)
    bounds = zip(LENGTHS, (*(str(bound - 1) for bound in LENGTHS[1:]), ""), strict=True)
    lengths = [f"{shortest}-{longest}" for shortest, longest in bounds]
    length = np.searchsorted(LENGTHS, PlacedEvidence.of(corpus, asked.evidence).longest(), side="right") - 1
    step = 100 // _TENTHS
    positions = [f"{step * number}-{step * (number + 1)}%" for number in range(_TENTHS)]
    yield from _by_number("length", lengths, length)
    yield from _by_number("position", positions, tenth)
    yield from _by_number("document", corpus.ids, document)
    tags: dict[str, list[int]] = {}
    kinds: dict[str, list[int]] = {}
    for place, question in enumerate(answerable.tolist()):
        for tag in dict.fromkeys(asked.tags[question]):
            tags.setdefault(tag, []).append(place)
        kind = asked.kinds[question]
        if kind is not None:
            kinds.setdefault(kind, []).append(place)
    yield from _by_name("tag", tags)
    yield from _by_name("kind", kinds)


def _by_number(by: str, values: tuple[str, ...] | list[str], number: Int64) -> Iterator[_Group]:
    order = np.argsort(number, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(number[order])) + 1):
        yield _Group(by, values[int(number[members[0]])], members)


def _by_name(by: str, places: Mapping[str, list[int]]) -> Iterator[_Group]:
    for value in sorted(places):
        yield _Group(by, value, np.array(places[value], dtype=np.int64))
