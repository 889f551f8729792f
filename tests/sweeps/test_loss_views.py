"""Rules, units of evidence and slices of a sweep, against loops over chunks and spans."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.errors import InputError
from kugiri.evidence.rules import rule_names
from kugiri.evidence.widened import unit_evidence
from kugiri.model.questions import Questions
from kugiri.sweeps.evidence_units import UnitRow, chosen_by_rule, unit_rows
from kugiri.sweeps.file import read_sweep
from kugiri.sweeps.loss_slices import BY, LENGTHS, SliceRow, slice_rows
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.rules import rule_rows
from kugiri.sweeps.run import run
from retrieved_results import ranked_results
from sweep_worlds import DIGESTS, plan_of, swept
from worlds import (
    IDS,
    Asked,
    World,
    cause,
    cluster_keys,
    deciding_span,
    is_lost,
    local_chunks,
    records_of,
    worlds,
    written_effective_n,
    written_wilson,
)

CHUNKERS = (Fixed(3), Fixed(5, 2), Paragraph())
KINDS = ("single", "multiple", None)
TAGS = ("規則", "n=1", "か\u3099")


def labelled(world: World, seed: int) -> Questions:
    """The questions with tags and kinds of their own."""
    draw = random.Random(seed)
    records = [
        dataclasses.replace(
            record,
            tags=tuple(draw.choices(TAGS, k=draw.randint(0, 3))),
            kind=draw.choice(KINDS) if record.evidence else None,
        )
        for record in records_of(world.asked)
    ]
    return Questions.from_records(world.corpus(), records)


def results_of(world: World, seed: int) -> SweepResults:
    return run(plan_of(*CHUNKERS), world.corpus(), labelled(world, seed), DIGESTS, resamples=0)


def length_group(asked: Asked) -> str:
    length = min(max(e - s for _, s, e in spans) for spans in asked)
    low = max(bound for bound in LENGTHS if bound <= length)
    above = [bound for bound in LENGTHS if bound > length]
    return f"{low}-{above[0] - 1}" if above else f"{low}-"


def groups_of(world: World, questions: Questions) -> dict[tuple[str, str], list[int]]:
    groups: dict[tuple[str, str], list[int]] = {}
    for number, asked in enumerate(world.asked):
        if not asked:
            continue
        d, s, _ = asked[0][0]
        tenth = 10 * s // len(world.texts[d])
        keys = [("length", length_group(asked)), ("position", f"{10 * tenth}-{10 * tenth + 10}%"), ("document", IDS[d])]
        keys += [("tag", tag) for tag in set(questions.tags[number])]
        kind = questions.kinds[number]
        keys += [("kind", kind)] if kind is not None else []
        for key in keys:
            groups.setdefault(key, []).append(number)
    return groups


@settings(max_examples=20)
@given(world=worlds(answerable=True), seed=st.integers(0, 10**6))
def test_slices_are_what_loops_count(world: World, seed: int) -> None:
    results = results_of(world, seed)
    groups = groups_of(world, results.questions)
    keys = cluster_keys(world, "paragraph")
    answerable = [number for number, asked in enumerate(world.asked) if asked]
    rows = slice_rows(results)
    for result in results.configurations:
        chunks = local_chunks(result.loss.chunking)
        lost = {number for number in answerable if is_lost(chunks, world.asked[number])}
        causes = {n: cause(chunks, deciding_span(chunks, world.asked[n])) for n in lost}
        order = [row.by for row in rows if row.configuration == str(result.configuration)]
        assert order == sorted(order, key=BY.index)
        mine = {(row.by, row.value): row for row in rows if row.configuration == str(result.configuration)}
        shown = {key for key in groups if key[0] != "document" or lost & set(groups[key])}
        assert set(mine) == shown | {("cause", name) for name in ("cut", "too_long", "dropped")}
        for key, row in mine.items():
            members = groups.get(key, answerable)
            gone = lost if key in groups else {n for n in lost if causes[n] == key[1]}
            events = [int(n in gone) for n in members]
            check(row, events, [keys[n] for n in members])


def check(row: SliceRow, events: list[int], keys: list[object]) -> None:
    assert (row.questions, row.lost) == (len(events), sum(events))
    assert row.lost_rate == pytest.approx(sum(events) / len(events))
    low, high = written_wilson(sum(events) / len(events), written_effective_n(events, keys))
    assert (row.low, row.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


@settings(max_examples=20)
@given(world=worlds(answerable=True), seed=st.integers(0, 10**6))
def test_units_are_false_alarms_and_nothing_missed(world: World, seed: int) -> None:
    results = results_of(world, seed)
    rows = unit_rows(results)
    assert [row.unit for row in rows] == ["span", "sentence", "paragraph"] * len(CHUNKERS)
    for row in rows:
        result = next(entry for entry in results.configurations if str(entry.configuration) == row.configuration)
        chunks = local_chunks(result.loss.chunking)
        asked = world.asked if row.unit == "span" else wide(world, results, row.unit)
        lost = {number for number, alternatives in enumerate(asked) if is_lost(chunks, alternatives)}
        exact = {number for number, alternatives in enumerate(world.asked) if is_lost(chunks, alternatives)}
        assert exact <= lost
        assert (row.lost, row.missed) == (len(lost), 0)
        assert row.false_alarms == len(lost - exact)
        alarms = [cause(chunks, deciding_span(chunks, asked[number])) for number in lost - exact]
        assert row.false_alarms_too_long == alarms.count("too_long")
        assert row.recorded == (row.unit == "span")
        assert (row.expected is None) == row.configuration.startswith("paragraph")


def wide(world: World, results: SweepResults, unit: str) -> list[Asked]:
    """The evidence in units, as oracles take it."""
    evidence = unit_evidence(results.corpus, results.questions, unit).evidence
    document = results.corpus.document_of(evidence.start).tolist()
    origin = results.corpus.document_start.tolist()
    alternatives: list[list[tuple[int, int, int]]] = [[] for _ in evidence.question]
    for place in np.argsort(evidence.order, kind="stable").tolist():
        d = document[place]
        span = (d, int(evidence.start[place]) - origin[d], int(evidence.end[place]) - origin[d])
        alternatives[evidence.alternative[place]].append(span)
    asked: list[Asked] = [[] for _ in world.asked]
    for question, spans in zip(evidence.question.tolist(), alternatives, strict=True):
        asked[question].append(spans)
    return asked


def unit_row(chunks: int, lost: int, expected: float | None = None) -> UnitRow:
    return UnitRow("c", "span", True, 1.0, chunks, lost, lost / 1000, expected, 0, 0, 0)


def test_the_fixed_rule() -> None:
    # Expected decides where it is known, observed where not; the first of those with as few vectors.
    rows = [unit_row(5, 0, 10.5), unit_row(9, 30, 10.0), unit_row(8, 11), unit_row(9, 10), unit_row(20, 0)]
    assert chosen_by_rule(rows, 1000) == 1
    assert chosen_by_rule(rows[2:], 1000) == 1
    assert chosen_by_rule(rows[:1], 1000) is None


def test_one_configuration_a_unit_is_chosen_whatever_retrievers_share_its_chunks() -> None:
    results = ranked_results(chunkers=(Paragraph(),))
    rows = [row for row in unit_rows(results) if row.unit == "paragraph"]
    assert len(rows) == len(results.configurations) == 2
    assert [row.chosen for row in rows] == [rows[0].lost == 0, False]


def test_every_configuration_has_a_row_a_rule_and_ours_is_the_headline() -> None:
    results = ranked_results()
    rows = rule_rows(results)
    assert [(row.configuration, row.rule) for row in rows] == [
        (str(result.configuration), rule) for result in results.configurations for rule in rule_names()
    ]
    for result in results.configurations:
        ours = next(row for row in rows if row.configuration == str(result.configuration))
        assert ours.lost == int(result.loss.lost.sum())
        assert ours.lost_rate == result.loss.lost_rate


def test_other_shares_can_be_asked_for() -> None:
    assert "coverage(share=0.75)" in {row.rule for row in rule_rows(swept(coverages=(0.75,)))}


def test_shares_in_the_sweep_file(tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    text = 'title = "規則"\ncorpus = "c"\ncoverages = [COVERAGES]\n[[chunkers]]\nuse = "paragraph"\n'
    path.write_text(text.replace("COVERAGES", "0.25, 1"), encoding="utf-8")
    assert read_sweep(path).plan.coverages == (0.25, 1)
    path.write_text(text.replace("COVERAGES", "1.5"), encoding="utf-8")
    with pytest.raises(InputError, match=r"1\.5 is no share"):
        read_sweep(path)
