"""The report's closer look at losses: where, under which rule, with which unit, and how sure."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest
from report_world import Given, small

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.export.facts import sweep_facts
from kugiri.export.tables import tables
from kugiri.report.content import Content, content_of
from kugiri.report.heat_maps import heat_maps, shade
from kugiri.report.markdown import render_markdown
from kugiri.report.page import render_page
from kugiri.report.rules import rules
from kugiri.report.where import MOST_CONFIGURATIONS
from kugiri.report.words import plain
from kugiri.sweeps.results import SweepResults
from sweep_worlds import ASKED, TEXTS, swept

KEYS = ("where", "rules", "units")


def given(results: SweepResults) -> Given:
    return Given(sweep_facts(results), tables(results))


@pytest.fixture(scope="module")
def content() -> Content:
    return content_of(given(swept(Fixed(2), Fixed(4), Fixed(4, 1), Fixed(8), Paragraph(), difference=0.25)))


def cells(grid: Any) -> list[list[str | None]]:
    voice = plain("en")
    return [[None if value is None else voice.say(value) for value in row] for row in grid.rows]


def heads(grid: Any) -> list[str]:
    return [plain("en").say(column.head) for column in grid.columns]


def test_the_sections_stand_in_page_and_markdown(content: Content) -> None:
    drawn = dict(heat_maps(content.where))
    assert list(drawn) == [f"{name}.{lang}" for name in ("length", "position", "behind") for lang in ("ja", "en")]
    assert [key for key in content.sections(True) if key in KEYS] == list(KEYS)
    page = render_page(content, "ja", drawn)
    for key in KEYS:
        assert f'<h2 id="{key}">' in page
        assert f'href="#{key}"' in page
    text = render_markdown(content, "en", False, {"length", "position", "behind"})
    assert [text.count(f"({name}.en.svg)") for name in ("figures/length", "figures/behind")] == [1, 1]
    for line in ("## Where questions are lost", "## With the wrong unit of evidence", "Tests of the lost rates"):
        assert line in text


def test_results_of_an_earlier_version_have_none_of_it() -> None:
    bare = content_of(small())
    assert (bare.where, bare.rules, bare.units, bare.loss_contest) == (None, None, None, None)
    assert not set(KEYS) & set(bare.sections(True))
    page = render_page(bare, "en", {})
    assert 'id="rules"' not in page


def test_nothing_lost_is_lost_nowhere() -> None:
    content = content_of(given(swept(Paragraph(), texts=TEXTS, asked=[ASKED[0]])))
    assert content.where is None
    assert content.rules is not None
    assert heat_maps(content.where) == {}


def test_the_numbers_of_a_map_are_the_lost_questions(content: Content) -> None:
    assert content.where is not None
    lost = {row["configuration"]: row["lost"] for row in content.configurations}
    for name, drawn in content.where.maps.items():
        totals = np.zeros(len(drawn.rows), dtype=int)
        for cell in drawn.cells:
            totals[cell.row] += cell.lost
            assert 0 <= cell.rate <= 1
        if name != "behind":
            assert totals.tolist() == [lost[label] for label in drawn.rows]
            assert sum(drawn.questions) == content.configurations[0]["questions"]
    svg = heat_maps(content.where)["length.en"]
    texts = [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {str(cell.lost) for cell in content.where.maps["length"].cells} <= set(texts)
    assert "<script" not in svg
    assert "href=" not in svg


def test_a_darker_shade_is_a_larger_share_and_is_written_on_legibly() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    pairs = [shade(step / 100) for step in range(101)]
    light = [luminance(fill) for fill, _ in pairs]
    assert all(a > b for a, b in pairwise(light))
    for fill, ink in pairs:
        low, high = sorted((luminance(fill), luminance(ink)))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_the_boundary_is_run_past_by_the_characters_behind_it() -> None:
    # Evidence [3, 6) is cut at 4: two of its characters lie behind; [1, 9) is cut at 4 too, with five behind.
    texts = ["始\u3000🍣はか\u3099\r\nの朝。"]
    content = content_of(given(swept(Fixed(4), texts=texts, asked=[[[(0, 3, 6)]], [[(0, 1, 4)]], [[(0, 1, 9)]]])))
    assert content.where is not None
    assert content.where.behind is not None
    assert cells(content.where.behind) == [["1", "fixed(size=4)", "2", "2", "5", "5"]]
    boundaries = content.where.boundaries
    assert boundaries is not None
    assert cells(boundaries) == [["fixed(size=4)", "甲:1", "4", "2", "5"]]
    documents = content.where.documents
    assert documents is not None
    assert cells(documents) == [["甲:1", "3", "2"]]


def test_only_the_configurations_that_lose_most_are_shown() -> None:
    chunkers = [Fixed(size, overlap) for size in range(2, 9) for overlap in range(size - 1)][:20]
    content = content_of(given(swept(*chunkers)))
    assert content.where is not None
    losing = [row for row in content.configurations if row["lost"]]
    assert content.where.left_out == max(0, len(losing) - MOST_CONFIGURATIONS)
    assert len(content.where.numbers) == min(len(losing), MOST_CONFIGURATIONS)


def rule_table(lost: dict[str, list[int]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    count = len(next(iter(lost.values())))
    rows = [
        {"configuration": f"c{number}", "rule": rule, "lost": numbers[number]}
        for rule, numbers in lost.items()
        for number in range(count)
    ]
    listed = [{"configuration": f"c{n}", "label": f"c{n}", "number": n + 1, "identical_to": None} for n in range(count)]
    return rows, listed


def test_what_a_rule_does_to_the_order() -> None:
    lost = {"any_alternative": [5, 3, 1], "all_alternatives": [5, 6, 7], "touched": [0, 0, 0]}
    lost |= {"coverage(share=0.5)": [4, 4, 1]}
    found = rules(*rule_table(lost))
    assert found is not None
    assert found.order is not None
    assert heads(found.grid)[2:] == [
        "Any alternative, wholly contained",
        "All spans of all alternatives",
        "Touched at all",
        "At least 50 % of each span",
    ]
    assert [row[1:] for row in cells(found.order)] == [["-1.000", "3", "0"], [None, "0", "3"], ["0.816", "0", "1"]]
    assert [plain("en").say(sentence) for sentence in found.sentences] == [
        "Under “All spans of all alternatives”, 3 of the 3 pairs that the first rule orders stand the other way round."
    ]


def test_identical_chunkings_are_ordered_once_and_one_has_no_order() -> None:
    rows, listed = rule_table({"any_alternative": [5, 5], "touched": [0, 0]})
    listed[1]["identical_to"] = "c0"
    found = rules(rows, listed)
    assert found is not None
    assert found.order is None
    assert len(found.grid.rows) == 2


def test_the_units_say_what_would_be_chosen(content: Content) -> None:
    assert content.units is not None
    spoken = " ".join(plain("en").say(sentence) for sentence in content.units.sentences)
    assert "computed from the spans" in spoken
    assert "with exact spans" in spoken
    assert len(content.units.grid.rows) == 5


def test_tests_of_the_loss_state_the_questions_needed(content: Content) -> None:
    assert content.loss_contest is not None
    assert "Questions needed" in " ".join(heads(content.loss_contest.contest.grid))
    notes = plain("en").say(content.loss_contest.notes)
    assert "questions would find" in notes or "0.25" in notes
    unstated = content_of(given(swept()))
    assert unstated.loss_contest is not None
    assert "State a difference" in plain("en").say(unstated.loss_contest.notes)


def test_no_text_of_the_corpus_is_in_the_new_tables() -> None:
    made = tables(swept(), text=False)
    for name in ("rules", "evidence_units", "loss_slices"):
        assert isinstance(made[name], pa.Table)
        assert not any(text in str(made[name].to_pylist()) for text in TEXTS if text)
