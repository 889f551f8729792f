"""Rules and units of evidence on JSQuAD and JaQuAD: pinned figures, and loops over spans, paragraphs and windows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.formats.corpus_folder import LoadedCorpus
from kugiri.sweeps.evidence_units import unit_rows
from kugiri.sweeps.loss_slices import slice_rows
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.rules import rule_rows
from kugiri.sweeps.run import run
from sweep_worlds import DIGESTS, plan_of
from worlds import fixed_windows

CHUNKERS = (*(Fixed(size) for size in (100, 200, 400, 800)), Fixed(400, 0.2), Fixed(800, 0.2), Paragraph())
# Of each chunker: lost with spans, sentences and paragraphs; the false alarms that are too long of the latter two.
JSQUAD = [
    (185, 2257, 3754, 471, 3084),
    (84, 1129, 2966, 26, 1262),
    (42, 552, 1647, 0, 53),
    (13, 269, 810, 0, 4),
    (0, 82, 1190, 0, 53),
    (0, 5, 194, 0, 4),
    (0, 0, 0, 0, 0),
]
JAQUAD = [
    (196, 2556, 3898, 635, 3634),
    (96, 1384, 3682, 27, 3163),
    (46, 702, 2957, 1, 1491),
    (24, 333, 1661, 0, 89),
    (0, 131, 2790, 1, 1513),
    (0, 1, 1201, 0, 90),
    (0, 0, 0, 0, 0),
]
# Of the four without overlap, by rule: any alternative, all, coverage 0.5 and 0.9, touched.
JSQUAD_RULES = [(185, 272, 0, 172, 0), (84, 123, 0, 77, 0), (42, 59, 0, 39, 0), (13, 21, 0, 10, 0)]
JAQUAD_RULES = [(196, 196, 0, 176, 0), (96, 96, 0, 90, 0), (46, 46, 0, 42, 0), (24, 24, 0, 22, 0)]


def swept(loaded: LoadedCorpus) -> SweepResults:
    return run(plan_of(*CHUNKERS), loaded.corpus, loaded.questions, DIGESTS, resamples=0)


@pytest.fixture(scope="module", params=["jsquad", "jaquad"])
def results(request: pytest.FixtureRequest) -> tuple[str, SweepResults]:
    if request.param == "jaquad":
        return "jaquad", swept(request.getfixturevalue("jaquad"))
    imported: Callable[[str], LoadedCorpus] = request.getfixturevalue("jsquad")
    return "jsquad", swept(imported(""))


def test_what_the_wrong_unit_makes_of_the_loss(results: tuple[str, SweepResults]) -> None:
    name, found = results
    rows = unit_rows(found)
    by_three = [rows[at : at + 3] for at in range(0, len(rows), 3)]
    told = [(*(row.lost for row in three), *(row.false_alarms_too_long for row in three[1:])) for three in by_three]
    assert told == (JSQUAD if name == "jsquad" else JAQUAD)
    assert all(row.false_alarms == row.lost - three[0].lost for three in by_three for row in three)
    assert all(row.missed == 0 for row in rows)
    chosen = {row.unit: row.configuration for row in rows if row.chosen}
    sentence = "fixed(size=800, overlap=0.2)"
    assert chosen == {"span": "fixed(size=800)", "sentence": sentence, "paragraph": "paragraph()"}


def test_expected_losses_of_sentences_are_near_the_observed(results: tuple[str, SweepResults]) -> None:
    name, found = results
    expected = {(row.configuration, row.unit): row.expected for row in unit_rows(found)}
    if name == "jsquad":
        assert expected["fixed(size=100)", "span"] == pytest.approx(181.69)
        assert expected["fixed(size=200)", "span"] == pytest.approx(90.335)
        assert expected["fixed(size=800, overlap=0.2)", "sentence"] == pytest.approx(4.5796875)
        assert expected["fixed(size=800)", "paragraph"] == pytest.approx(847.05)
    else:
        assert expected["fixed(size=800)", "span"] == pytest.approx(23.40625)
        assert expected["fixed(size=800, overlap=0.2)", "sentence"] == pytest.approx(5.4390625)
    assert expected["paragraph()", "span"] is None


def test_rules(results: tuple[str, SweepResults]) -> None:
    name, found = results
    rows = rule_rows(found)
    by_five = [tuple(row.lost for row in rows[at : at + 5]) for at in range(0, len(rows), 5)]
    assert by_five[:4] == (JSQUAD_RULES if name == "jsquad" else JAQUAD_RULES)


def test_paragraphs_and_coverage_by_loops(results: tuple[str, SweepResults]) -> None:
    """Windows of 200 without overlap, question by question, from the records alone."""
    name, found = results
    documents = {d.id: d for d in (found.corpus.document(number) for number in range(len(found.corpus)))}
    windows = {key: fixed_windows(len(document.text), 200, 0) for key, document in documents.items()}

    def whole(document: str, start: int, end: int) -> bool:
        return any(a <= start and end <= b for a, b in windows[document])

    lost, mostly = 0, 0
    for record in found.questions.records(found.corpus):
        wide, near = [], []
        for (span,) in record.evidence:
            text = documents[span.document].text
            touched = [p for p in documents[span.document].paragraphs if p[0] < span.end and span.start < p[1]]
            low, high = touched[0][0], touched[-1][1]
            low += len(text[low:high]) - len(text[low:high].lstrip())
            high = low + len(text[low:high].rstrip())
            wide.append(whole(span.document, min(low, span.start), max(high, span.end)))
            most = max(min(b, span.end) - max(a, span.start) for a, b in windows[span.document])
            near.append(10 * most >= 9 * (span.end - span.start))
        lost += not any(wide)
        mostly += not any(near)
    table, rules = (JSQUAD, JSQUAD_RULES) if name == "jsquad" else (JAQUAD, JAQUAD_RULES)
    assert lost == table[1][2]
    assert mostly == rules[1][3]


def test_longer_evidence_is_lost_more_often(results: tuple[str, SweepResults]) -> None:
    name, found = results
    rows = [row for row in slice_rows(found) if row.configuration == "fixed(size=100)" and row.by == "length"]
    told = [(row.value, row.questions, row.lost) for row in rows[:3]]
    if name == "jsquad":
        assert told == [("1-5", 2445, 66), ("6-10", 1204, 71), ("11-20", 382, 46)]
    else:
        assert told == [("1-5", 2403, 62), ("6-10", 1201, 80), ("11-20", 316, 49)]
    assert rows[0].lost_rate < rows[1].lost_rate < rows[2].lost_rate
