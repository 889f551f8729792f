"""The report's section on character metrics: which configurations it names, in both languages and renderings."""

from __future__ import annotations

from typing import Any

import pytest
from report_world import Given, small

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.export.facts import sweep_facts
from kugiri.export.tables import tables
from kugiri.report.characters import characters
from kugiri.report.content import Content, content_of
from kugiri.report.markdown import render_markdown
from kugiri.report.page import render_page
from kugiri.report.words import plain
from sweep_worlds import swept
from worlds import HOSTILE, Asked

ASKED: list[Asked] = [[[(0, 3, 6)]], [[(0, 1, 3), (0, 7, 9)]], [[(0, 0, 2)], [(0, 3, 6)]], []]


@pytest.fixture(scope="module")
def content() -> Content:
    results = swept(Fixed(4), Fixed(4, 3), Fixed(40), texts=[HOSTILE], asked=ASKED)
    return content_of(Given(sweep_facts(results), tables(results)))


def spoken(found: Any, language: Any = "en") -> list[str]:
    return [plain(language).say(sentence) for sentence in found.sentences]


def row(label: str, lost: int = 0, questions: int = 100) -> dict[str, Any]:
    return {"configuration": label, "label": label, "number": 1, "lost": lost, "questions": questions}


def metrics(label: str, recall: float, hidden: int, omega: float = 0.5, questions: int = 100) -> dict[str, Any]:
    shares = {"recall": recall, "precision": 0.5, "iou": 0.5, "precision_omega": omega}
    return {"configuration": label, "questions": questions, "recall_full_lost": hidden, **shares}


# ------------------------------------------------------------------------------------------------ both renderings
def test_the_recall_stands_beside_what_it_hides(content: Content) -> None:
    assert content.characters is not None
    heads = [plain("en").say(column.head) for column in content.characters.grid.columns]
    assert heads[1:5] == ["Configuration", "Character recall", "Lost with every character in chunks", "Lost questions"]
    told = [[plain("en").say(cell or 0) for cell in entry[2:5]] for entry in content.characters.grid.rows]
    assert told == [["100 %", "2", "2"], ["100 %", "0", "0"], ["100 %", "0", "0"]]
    assert content.characters.questions == 2


def test_markdown_in_both_languages(content: Content) -> None:
    text = render_markdown(content, "en", False)
    assert "## Character metrics beside the loss\n" in text
    assert (
        "- At a character recall of 100 %, 1 of 3 configurations loses questions of which every evidence character is "
        "in some chunk: `fixed(size=4)` (2 lost).\n"
    ) in text
    assert "For 1 question of several alternatives the four metrics are undefined" in text
    assert "means over the questions of exactly one alternative (2 here)" in text
    assert "and its code, `chunking_evaluation`." in text
    text = render_markdown(content, "ja", False)
    assert "## 文字単位の指標と損失\n" in text
    assert (
        "- 文字の再現率が100%でも、3通りのうち1通りは、根拠の全文字がいずれかのチャンクにある質問を失う："
        "`fixed(size=4)`（2問）。\n"
    ) in text
    assert "根拠の候補がちょうど1つの質問（2問）についての平均" in text


def test_the_page_has_both_languages_and_a_link(content: Content) -> None:
    page = render_page(content, "ja", {})
    assert '<h2 id="characters">' in page
    assert 'href="#characters"' in page
    assert "文字の再現率が100%でも" in page
    assert "At a character recall of 100" in page
    assert "<td" in page.partition('<h2 id="characters">')[2]


def test_results_of_an_earlier_version_make_a_report_without_it(content: Content) -> None:
    bare = content_of(small())
    assert bare.characters is None
    assert "characters" not in bare.sections(True)
    for text in (render_page(bare, "en", {}), render_markdown(bare, "ja", False)):
        assert "chunking_evaluation" not in text


def test_questions_of_several_alternatives_alone_leave_nothing_to_show() -> None:
    results = swept(Fixed(4), Paragraph(), texts=[HOSTILE], asked=[ASKED[2]])
    assert content_of(Given(sweep_facts(results), tables(results))).characters is None


# ------------------------------------------------------------------------------------------------ who is named
def test_those_that_lose_most_are_named_first() -> None:
    rows = [row("a", 2), row("b", 9), row("c"), row("d", 4)]
    found = characters([metrics("a", 1, 2), metrics("b", 1, 9), metrics("c", 1, 0), metrics("d", 0.98, 4)], rows)
    assert found is not None
    assert spoken(found)[0] == (
        "At a character recall of 100 %, 2 of 4 configurations lose questions of which every evidence character is in "
        "some chunk: b (9 lost), a (2 lost)."
    )


def test_a_recall_that_is_merely_high_is_called_so() -> None:
    rows = [row("a", 2), row("b", 9)]
    found = characters([metrics("a", 1, 2), metrics("b", 0.9901, 1)], rows)
    assert found is not None
    assert "At a character recall of 99.0 % or more, 2 of 2 configurations" in spoken(found)[0]
    assert "文字の再現率が99.0%以上でも、2通りのうち2通りは" in spoken(found, "ja")[0]


def test_where_nothing_is_hidden_that_is_said() -> None:
    # What is lost at a low recall is not hidden by it, nor what is lost because characters are in no chunk.
    found = characters([metrics("a", 0.5, 3), metrics("b", 0.995, 0)], [row("a", 30), row("b", 2)])
    assert found is not None
    assert spoken(found)[0] == (
        "No configuration with a character recall of 99.0 % or more loses a question of which every evidence character "
        "is in some chunk."
    )


def test_the_highest_omega_is_set_beside_its_loss() -> None:
    rows = [row("a", 2), row("b", 9)]
    found = characters([metrics("a", 1, 2, 0.4), metrics("b", 1, 9, 0.711)], rows)
    assert found is not None
    (said,) = spoken(found)[1:]
    assert said == (
        "The highest precision omega, 71.1 %, is that of b, which loses 9 of 100 questions although every character of "
        "their evidence is in some chunk."
    )
    assert spoken(found, "ja")[1] == (
        "precision omegaが最も高い構成はb（71.1%）だが、根拠の全文字がいずれかのチャンクにありながら、"
        "100問中9問を失う。"
    )
    kept = characters([metrics("a", 1, 2, 0.4), metrics("b", 1, 0, 0.711)], [row("a", 2), row("b")])
    assert kept is not None
    assert len(spoken(kept)) == 1


def test_at_most_twelve_are_named() -> None:
    labels = [f"c{number}" for number in range(14)]
    found = characters([metrics(label, 1, 1) for label in labels], [row(label, 1) for label in labels])
    assert found is not None
    assert spoken(found)[0].endswith("c11 (1 lost), and 2 more.")
