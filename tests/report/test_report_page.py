from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from markupsafe import Markup
from report_world import TEXT, Asked, given, small, windows

from kugiri.report import inspector
from kugiri.report.content import content_of
from kugiri.report.grid import ReadsTables
from kugiri.report.page import MOST_IDS, drawn, render_page
from kugiri.report.words import Language

VOID = {"meta", "input", "br", "rect", "path", "line"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "input", "div", "header", "main", "nav", "p", "h1", "h2", "h3"),
    *(
        "span",
        "a",
        "code",
        "label",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "ul",
        "li",
        "dl",
    ),
    *("dt", "dd", "mark", "b", "i", "s", "br", "figure", "figcaption", "strong", "svg"),
}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
FIGURES = {f"{name}.{language}": SVG for name in ("loss", "cost") for language in ("ja", "en")}


class Page(HTMLParser):
    """Reads a page, and fails where it is not balanced."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    @property
    def shown(self) -> str:
        return "".join(self.text)

    def values(self, attribute: str) -> list[str]:
        return [value for _, name, value in self.attributes if name == attribute]


def rendered(results: ReadsTables, first: Language = "ja") -> str:
    return render_page(content_of(results), first, FIGURES)


@pytest.mark.parametrize("first", ["ja", "en"])
def test_both_languages_are_in_one_page_and_the_first_is_chosen(first: Language) -> None:
    html = rendered(small(), first)
    page = Page(html)
    assert f'<html lang="{first}">' in html
    assert re.findall(r'id="choose-(\w+)"[^>]* checked>', html) == [first]
    assert "結論" not in page.shown and "構成の一覧" in page.shown and "Configurations" in page.shown
    assert {value for tag, name, value in page.attributes if (tag, name) == ("span", "lang")} >= {"ja", "en"}
    assert page.tags <= TAGS


def test_the_page_is_complete_in_itself() -> None:
    html = rendered(small())
    page = Page(html)
    assert "script" not in page.tags and "link" not in page.tags
    assert not re.search(r"url\(|@import|src=|http(?!://www\.w3\.org/2000/svg)", html)
    assert all(value.startswith("#") for value in page.values("href"))
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]


def test_anchors_exist_and_are_distinct() -> None:
    cuts = {label: {"d": windows(len(TEXT), 5 + index)} for index, label in enumerate(("x(a=1)", "x(a=-1)", "コン()"))}
    page = Page(rendered(given({"d": TEXT}, [Asked("q", "?", "d", 4, 14)], cuts)))
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    assert {value.removeprefix("#") for value in page.values("href")} <= set(ids)
    assert set(page.values("for")) <= set(ids)


def test_the_passage_has_every_cut_drawn_in() -> None:
    html = rendered(small())
    passages = re.findall(r'<p class="passage" lang="en">(.*?)</p>', html, re.DOTALL)
    assert len(passages) == 4
    shown = re.sub("<[^>]+>", "", passages[0])
    assert shown == "第1条　【休｜暇は年に十｜日とする】。｜\\r⏎\nか\u3099ぎ｜は👩\u200d🔧が｜保管する。"
    assert passages[0].count('<b class="cut">｜</b>') == 2
    assert passages[0].count('<b class="edge">｜</b>') == 3
    assert "<mark>休</mark>" in passages[0]


def test_dropped_text_is_struck_through() -> None:
    results = given({"d": "abcdef"}, [Asked("q", "?", "d", 1, 5)], {"gaps()": {"d": [(0, 2), (4, 6)]}})
    html = rendered(results)
    assert 'a<i class="evidence">【</i><mark>b</mark><b class="cut">⟩</b><mark><s>cd</s></mark>' in html
    assert "Text struck through is in no chunk." in Page(html).shown
    assert "struck through" not in Page(rendered(small())).shown


HOSTILE = (
    "</script></title></style></details><img src=x onerror=alert(1)>{{ 7*7 }}{% raw %}<!-- \" ' &lt; "
    "\x1b[31m\x07\u202e\u2028\ud7ff`|"
)


@pytest.mark.parametrize("first", ["ja", "en"])
@pytest.mark.parametrize("text", [True, False])
def test_hostile_text_stays_text(first: Language, text: bool) -> None:
    facts: dict[str, Any] = {
        "title": HOSTILE,
        "kugiri": HOSTILE,
        "excluded": [{"reason": HOSTILE, "count": 1, "ids": [HOSTILE]}],
        "failed": [{"configuration": HOSTILE, "what": HOSTILE, "where": HOSTILE, "remedy": HOSTILE}],
        "warnings": [{"code": "identical", "chunker": HOSTILE, "to": HOSTILE}, {"code": HOSTILE, "x": HOSTILE}],
        "components": {HOSTILE: 1},
    }
    cuts = {label: {HOSTILE: windows(len(HOSTILE), size)} for size, label in ((7, f"a(x={HOSTILE!r})"), (9, HOSTILE))}
    results = given({HOSTILE: HOSTILE}, [Asked(HOSTILE, HOSTILE, HOSTILE, 3, 60)], cuts, text=text, **facts)
    results.sweep["corpus"] |= {"title": HOSTILE, "language": HOSTILE, "licence": HOSTILE, "source": HOSTILE}
    html = rendered(results, first)
    page = Page(html)
    assert page.tags <= TAGS
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name == "src"]
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", html)
    assert "</details><img src=x onerror=alert(1)>{{ 7*7 }}{% raw %}<!--" in page.shown
    assert "49" not in page.shown


def test_results_without_text_have_no_inspector_and_no_text() -> None:
    page = Page(rendered(small(text=False)))
    assert "mark" not in page.tags
    assert "d@5:10" in page.shown
    html = rendered(small(text=False))
    assert not any(TEXT[start : start + 6] in html for start in range(len(TEXT) - 5))
    assert "休暇は何日" not in html


def test_many_ids_are_folded_and_capped() -> None:
    asked = [Asked(f"q{index}", "?", "d", 4, 14) for index in range(MOST_IDS + 7)]
    cuts = {"fixed(size=10)": {"d": windows(len(TEXT), 10)}, "whole()": {"d": [(0, len(TEXT))]}}
    html = rendered(given({"d": TEXT}, asked, cuts))
    assert "… and 7 more: see <code>tables/lost.parquet</code>" in html
    # The lost questions are there, folded.
    assert html.count('<details class="question">') == inspector.MOST_OF_CONFIGURATION
    assert '<details class="group" id="lost-fixed_size_10">' in html


def test_of_too_many_lost_questions_the_first_of_each_configuration_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [Asked(f"q{index}", "?", "d", 4, 14) for index in range(30)] + [Asked("few", "?", "d", 9, 11)]
    cuts = {"fixed(size=10)": {"d": windows(len(TEXT), 10)}, "by(hand)": {"d": [(0, 8), (8, 10), (10, 30)]}}
    cuts["again()"] = cuts["by(hand)"]
    monkeypatch.setattr(inspector, "MOST_OF_CONFIGURATION", 25)
    monkeypatch.setattr(inspector, "MOST_DRAWN", 41)
    for text in (True, False):
        results = given({"d": TEXT}, asked, cuts, text=text)
        groups = content_of(results).lost
        assert [(group.lost, len(group.questions), group.left_out) for group in groups] == [
            (31, 20, 11),
            (31, 20, 11),
            (31, 0, 0),
        ]
        assert [question.question_id for question in groups[1].questions] == [f"q{index}" for index in range(20)]
        html = rendered(results)
        assert html.count("… and 11 more: see <code>tables/lost.parquet</code> or <code>kugiri lost</code>") == 2
        assert html.count("ほか11問は<code>tables/lost.parquet</code>または<code>kugiri lost</code>を参照") == 2
    monkeypatch.undo()
    assert [len(group.questions) for group in content_of(results).lost] == [31, 31, 0]


def test_of_a_long_evidence_the_ends_and_the_cut_are_drawn() -> None:
    text = "x" * 400 + "ab" * 5000 + "y" * 400
    results = given({"d": text}, [Asked("q", "?", "d", 400, 10_400)], {"f()": {"d": [(0, 5000), (5000, len(text))]}})
    content = content_of(results)
    question = content.lost[0].questions[0]
    for view, context in ((question.brief, 16), (question.middle, 80), (question.whole, 300)):
        assert view is not None and view.before and view.after and view.shortened
        shown = Markup(drawn(view)).striptags()
        half = "ab" * 75
        around = f"【{half}…{half}｜{half}…{half}】"
        assert shown == f"…{'x' * context}{around}{'y' * context}…"
    assert "An … inside 【】 stands for a part left out" in Page(rendered(results)).shown
    assert "stands for a part left out" not in Page(rendered(small())).shown


def test_a_long_evidence_cut_near_its_start_has_one_gap() -> None:
    text = "ab" * 400
    results = given({"d": text}, [Asked("q", "?", "d", 0, 800)], {"f()": {"d": [(0, 10), (10, len(text))]}})
    view = content_of(results).lost[0].questions[0].whole
    assert view is not None and not view.before and not view.after
    assert Markup(drawn(view)).striptags() == f"【{text[:10]}｜{text[10:160]}…{text[650:]}】"


def test_no_configuration_and_no_question() -> None:
    assert "結果のある構成がない。" in Page(rendered(given({"d": TEXT}, [], {}))).shown
    assert "回答可能な質問がない" in Page(rendered(given({"d": TEXT}, [], {"p()": {"d": [(0, 30)]}}))).shown
