"""The report on a surface: page, Markdown, figures, and the choices in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from test_report_page import TAGS, Page

from kugiri.publish import fresh_surface
from kugiri.report.loss_classes import BOUNDS, COLOURS, class_name, class_of
from kugiri.report.surface import LEVELS, SurfaceContent, surface_content
from kugiri.report.surface_figures import FIGURES, surface_figures
from kugiri.report.surface_rows import cheapest, front_of, percentage, thinned
from kugiri.report.surface_write import render_surface_markdown, render_surface_page, write_surface_report
from kugiri.report.words import plain
from kugiri.sweeps.surface import SurfacePlan, run_surface
from worlds import HOSTILE, Asked, corpus_of, questions_of

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
DRAWN = {f"{name}.{language}": SVG for name in FIGURES for language in ("ja", "en")}
LONG = HOSTILE * 12
ASKED: Asked = [[[(0, at, at + 3 + at % 7)]] for at in range(0, len(LONG) - 12, 9)] + [[]]


def content_of(plan: SurfacePlan | None = None, asked: Sequence[object] = ASKED) -> SurfaceContent:
    corpus = corpus_of([LONG])
    made = plan or SurfacePlan("面 <b>&", tuple(range(10, 101, 5)), tuple(share / 10 for share in range(6)))
    return surface_content(fresh_surface(run_surface(made, corpus, questions_of(corpus, asked), ("d" * 64, "q" * 64))))  # type: ignore[arg-type]


def test_the_page_has_both_languages_and_is_complete_in_itself() -> None:
    html = render_surface_page(content_of(), "ja", DRAWN)
    page = Page(html)
    assert page.tags <= TAGS
    assert "期待損失" in page.shown and "Expected loss" in page.shown
    assert "面 <b>&" in page.shown
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)""", html) and "<script" not in html
    anchors = set(page.values("href"))
    assert {value.removeprefix("#") for value in anchors} <= set(page.values("id"))
    assert html.count("<figure>") == 3


@pytest.mark.parametrize("language", ["ja", "en"])
def test_markdown_has_every_table(language: str) -> None:
    content = content_of()
    text = render_surface_markdown(content, language, DRAWN)  # type: ignore[arg-type]
    assert text.count("| ---: |") >= 5
    assert f"figures/surface_front.{language}.svg" in text
    assert ("99%" if language == "ja" else "99 %") in text
    for line in text.splitlines():
        assert line.count("|") == 0 or line.startswith("|")


def test_the_headline_and_the_warning_name_their_pairs() -> None:
    content = content_of()
    say = plain("en").say
    text = " ".join(say(sentence) for sentence in content.answer)
    assert f"{len(content.rows)} pairs" in text
    kept = next(kept.row for kept in content.kept if kept.share == 0.99)
    assert kept is not None
    assert f"size {kept['size']} with overlap" in text
    assert f"loses {content.observed['least']} to {content.observed['most']}" in text or "wherever" in text
    assert content.observed["lost"] == min(row["lost"] for row in content.rows)
    assert f"An overlap of {content.facts['guarantee']} characters" in text


def test_the_cheapest_pair_is_the_one_with_the_fewest_vectors() -> None:
    content = content_of()
    for kept in content.kept:
        keeping = [row for row in content.rows if row["expected"] <= (1 - kept.share) * content.questions + 1e-9]
        assert (kept.row is None) == (not keeping)
        if kept.row is not None:
            assert kept.row["chunks"] == min(row["chunks"] for row in keeping)
    assert [kept.share for kept in content.kept] == list(LEVELS)
    for limit in content.limits:
        found = [row for row in content.limited(limit) if row is not None]
        assert all(row["size"] <= limit for row in found)


def test_the_front_of_the_report_is_that_of_the_table() -> None:
    content = content_of()
    assert front_of(content.rows) == list(content.front)
    assert content.front_up_to(content.rows[-1]["size"]) == list(content.front)


def test_without_expected_loss_there_is_one_figure_and_no_target() -> None:
    content = content_of(SurfacePlan("面", (10, 20), (0, 3), expected=False))
    assert set(surface_figures(content)) == {"surface_lost.ja", "surface_lost.en"}
    assert content.kept == content.front == ()
    html = render_surface_page(content, "en", {"surface_lost.en": SVG, "surface_lost.ja": SVG})
    assert 'id="surface_keep"' not in html and html.count("<figure>") == 1
    assert "--no-expected" in Page(html).shown


@pytest.mark.slow
def test_a_single_pair_and_a_lossless_one_are_drawn() -> None:
    content = content_of(SurfacePlan("面", (len(LONG),), (0,)))
    drawn = surface_figures(content)
    assert set(drawn) == set(DRAWN)
    assert "wherever the windows start" in plain("en").say(content.answer[2])


@pytest.mark.slow
def test_figures_say_the_same_twice_and_only_our_words(tmp_path: Path) -> None:
    content = content_of()
    drawn = surface_figures(content)
    assert drawn == surface_figures(content)
    assert list(drawn) == list(DRAWN)
    assert "サイズ（文字）" in drawn["surface_expected.ja"] and "Size (characters)" in drawn["surface_lost.en"]
    assert all(len(svg) < 400_000 for svg in drawn.values())


def test_units_and_left_out_pairs_are_said() -> None:
    content = content_of(SurfacePlan("面", (3, 20), (0, 5), "grapheme"))
    html = render_surface_page(content, "en", DRAWN)
    assert "grapheme clusters" in Page(html).shown
    assert "1 pair of which the overlap is no smaller" in Page(html).shown


def test_files_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kugiri.report.surface_write.surface_figures", lambda content: DRAWN)
    monkeypatch.setattr("kugiri.report.write.japanese_font", lambda: False)
    corpus = corpus_of([LONG])
    results = run_surface(SurfacePlan("面", (9,), (0,)), corpus, questions_of(corpus, ASKED), ("", ""))
    told = write_surface_report(fresh_surface(results), tmp_path)
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == sorted(f"{name}.svg" for name in DRAWN)
    assert len(told.warnings) == 1
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# 面\n")


def test_classes_are_closed_above_and_nothing_is_only_nothing() -> None:
    assert class_of(0, 1000) == 0
    assert class_of(1e-6, 1000) == 1
    for number, bound in enumerate(BOUNDS[1:], 1):
        assert class_of(bound * 1000, 1000) == number
        assert class_of(bound * 1000 + 0.001, 1000) == number + 1
    assert len(COLOURS) == len(BOUNDS) + 1
    assert [plain("en").say(class_name(number)) for number in (0, 2, 7)] == ["0", "up to 0.5 %", "over 10 %"]


def test_chosen_shares_keep_their_decimals_and_no_more() -> None:
    assert [plain("en").say(percentage(share)) for share in (0.9, 0.999, 1.0, 0.29, 0.0)] == [
        *("90 %", "99.9 %", "100 %", "29 %", "0 %"),
    ]


def test_thinning_keeps_both_ends() -> None:
    assert thinned(list(range(101)), 3) == [0, 50, 100]
    assert thinned([1, 2], 3) == [1, 2]


def test_nothing_keeps_what_no_row_keeps() -> None:
    assert cheapest([{"expected": 1.0, "chunks": 1, "indexed": 1, "size": 1}], 1.0, 100) is None
