"""Expected loss, the Pareto front and costs in both renderings, from tables that the export writes."""

from __future__ import annotations

import dataclasses
from typing import Any

import pyarrow as pa

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.export.facts import sweep_facts
from kugiri.export.tables import tables
from kugiri.report.alignment import reversible, share_used
from kugiri.report.content import Content, content_of
from kugiri.report.markdown import render_markdown
from kugiri.report.page import render_page
from kugiri.report.pareto import front, pareto
from kugiri.report.words import plain
from kugiri.sweeps.models import EmbeddingModel
from sweep_worlds import swept

MODELS = (
    EmbeddingModel("小型|<b>", 8, 3, "char", 0, "p: ", 2, price=0.02, currency="USD", tokens_per_second=10.0),
    EmbeddingModel("unknown"),
)


@dataclasses.dataclass(frozen=True)
class Given:
    sweep: dict[str, Any]
    tables: dict[str, pa.Table]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.tables)

    def table(self, name: str) -> pa.Table:
        return self.tables[name]


def content(*chunkers: Any, **settings: Any) -> Content:
    results = swept(*chunkers, **settings)
    return content_of(Given(sweep_facts(results), tables(results)))


def row(label: str, chunks: int, lost: int, expected: float | None = None, **more: Any) -> dict[str, Any]:
    known = {"questions": 100, "lost_rate": lost / 100, "expected_lost": expected}
    return {"configuration": label, "chunks": chunks, "lost": lost, **known, **more}


# ------------------------------------------------------------------------------------------------ Pareto
def test_the_front_is_what_no_other_dominates_by_the_expected_loss() -> None:
    rows = [
        row("a", 10, 9, 5.0),
        row("b", 10, 5),
        row("c", 20, 0, 5.0),
        row("d", 30, 4),
        row("e", 5, 50),
        row("f", 31, 4),
    ]
    assert [entry["configuration"] for entry in front(rows)] == ["e", "a", "b", "d"]
    for entry in rows:
        mine = entry["lost"] if entry["expected_lost"] is None else entry["expected_lost"]
        beaten = any(
            other["chunks"] <= entry["chunks"] and its <= mine and (other["chunks"] < entry["chunks"] or its < mine)
            for other in rows
            if (its := other["lost"] if other["expected_lost"] is None else other["expected_lost"]) is not None
        )
        assert beaten == (entry not in front(rows))
    assert share_used(rows[0]) == 0.05
    assert share_used(rows[1]) == 0.05


def test_targets_name_the_fewest_vectors_by_the_expected_loss() -> None:
    # What was observed would choose the first.
    found = pareto([row("lucky", 10, 0, 3.0), row("sure", 20, 1, 0.5), row("more", 30, 0)])
    assert found is not None
    said = plain("en").say(found.text)
    told = "With an expected loss (observed where there is none) of at most"
    assert f"{told} 1.0 %, the fewest vectors: sure (20 chunks, 0.5 expected)." in said
    assert f"{told} 0.1 %, the fewest vectors: more (30 chunks, 0 lost)." in said
    assert found.dominated is None
    assert pareto([row("alone", 1, 1)]) is None
    none = pareto([row("a", 10, 9), row("b", 20, 9)])
    assert none is not None and none.dominated is not None
    wanted = "No configuration has an expected loss (observed where there is none) of at most 1.0 %."
    assert wanted in plain("en").say(none.text)
    assert [column.cells[0] for column in none.dominated.columns][1] == 20


# ------------------------------------------------------------------------------------------------ alignment
def pair(share: float | None, a: tuple[int, int], b: tuple[int, int]) -> bool:
    rows = [
        row("a", 1, 1, 1.0, lost_least=a[0], lost_most=a[1]),
        row("b", 1, 1, 1.0, lost_least=b[0], lost_most=b[1]),
    ]
    found = reversible([{"a": "a", "b": "b", "alignment_share": share}], rows)
    return found is not None and found.grid is not None


def test_an_order_turns_between_two_and_a_half_and_ninety_seven_and_a_half_per_cent() -> None:
    assert pair(0.025, (0, 9), (0, 9))
    assert pair(0.975, (0, 9), (0, 9))
    assert not pair(0.024, (0, 9), (0, 9))
    assert not pair(0.976, (0, 9), (0, 9))
    assert not pair(None, (0, 9), (0, 9))
    # Half of nothing but ties, or of losses that only touch: there is no order to reverse.
    assert not pair(0.5, (0, 0), (0, 0))
    assert not pair(0.75, (0, 3), (3, 5))


# ------------------------------------------------------------------------------------------------ both renderings
def test_expected_loss_and_truncation_stand_beside_the_lost_questions() -> None:
    found = content(Fixed(4), Fixed(5, 2), Paragraph(), models=MODELS)
    heads = [plain("en").say(column.head) for column in found.grid.columns]
    at = heads.index("Lost questions")
    told = ["Expected lost (± SD)", "Least–most over alignments", "Truncated (小型|<b>)"]
    assert heads[at : at + 5] == ["Lost questions", *told, "Lost rate"]
    assert [column.cells[2] for column in found.grid.columns][at + 1 : at + 3] == [None, None]
    assert list(found.sections(figures=True)[:4]) == ["configurations", "figures", "pareto", "costs"]
    terms = [plain("en").say(term) for term, _ in found.definitions]
    assert terms[:3] == ["Kept and lost", "Expected loss", "Truncated"]


def test_costs_are_in_both_languages_and_hold_no_markup_of_a_name() -> None:
    found = content(Fixed(4), Fixed(5, 2), models=MODELS)
    text, page = render_markdown(found, "ja", figures=False), render_page(found, "ja", {})
    assert "### `小型|<b>`" in text
    assert "途切れた質問（`小型\\|<b>`）" in text
    assert "100万トークンの価格：0.02 USD" in text
    assert "<code>小型|&lt;b&gt;</code>" in page
    assert "<b>`" not in page
    assert "Embedding (USD)" in page
    assert [model.name for model in found.costs] == ["小型|<b>", "unknown"]
    # Of a model of which nothing is known only the vectors and characters are told.
    assert len(found.costs[1].grid.columns) == 4


def test_without_models_and_fixed_windows_nothing_of_either_is_said() -> None:
    found = content(Paragraph(), Fixed(4, trim=True))
    assert found.costs == ()
    assert found.reversible is None
    for text in (render_markdown(found, "en", figures=False), render_page(found, "en", {})):
        for said in ("Expected lost", "over alignments", "runcated", "expected over"):
            assert said not in text


def test_each_lost_question_says_how_probable_its_loss_is() -> None:
    found = content(Fixed(4), Fixed(5, 2))
    facts = [
        plain("en").say(name) for group in found.lost for question in group.questions for name, _ in question.facts
    ]
    assert facts.count("Lost at this share of alignments") == sum(len(group.questions) for group in found.lost)
