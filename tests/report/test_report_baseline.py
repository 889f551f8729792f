"""Where all are compared with a baseline alone, nothing is said of who is distinguishable from the best."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from kugiri.chunkers.fixed import Fixed
from kugiri.cli.sweep_table import legend, sweep_table
from kugiri.export.results import read_results
from kugiri.report.content import content_of
from kugiri.report.markdown import render_markdown
from kugiri.report.page import render_page
from kugiri.retrievers.random_order import RandomOrder
from kugiri.sweeps.results import SweepResults
from retrieved_results import ranked_results, write_folder

CHUNKERS = (Fixed(4), Fixed(6, 0.5), Fixed(8))
BASELINE = "fixed(size=4) + random()"


def swept(baseline: str | None) -> SweepResults:
    return ranked_results(chunkers=CHUNKERS, retrievers=(RandomOrder(1),), baseline=baseline)


def pages(baseline: str | None, folder: Path) -> tuple[str, str, str]:
    content = content_of(read_results(write_folder(swept(baseline), folder)))
    return render_markdown(content, "en", False), render_markdown(content, "ja", False), render_page(content, "en", {})


@pytest.mark.parametrize("baseline", [None, BASELINE])
def test_only_where_every_pair_met_is_anything_marked(tmp_path: Path, baseline: str | None) -> None:
    english, japanese, page = pages(baseline, tmp_path / "r")
    met = baseline is None
    for text in (english, japanese, page):
        assert ("●" in text) == met
        assert ("○" in text) == met
    assert ("not distinguishable from the best" in english) == met
    assert ("最良の構成と区別できない構成" in japanese) == met
    assert ("Where no difference was detected, cost decides" in english) == met
    assert (f"Only pairs with the baseline `{BASELINE}` were tested" in english) == (not met)


@pytest.mark.parametrize("baseline", [None, BASELINE])
def test_the_terminal_marks_no_more_than_the_report(baseline: str | None) -> None:
    results, out = swept(baseline), io.StringIO()
    console = Console(file=out, width=160)
    console.print(sweep_table(results, console))
    assert ("*" in out.getvalue()) == (baseline is None)
    assert ("* not distinguishable" in (legend(results) or "")) == (baseline is None)
