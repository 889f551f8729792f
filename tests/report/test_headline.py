"""The first paragraph: which configuration it says to choose, by expected loss, and what models do not see of it."""

from __future__ import annotations

from typing import Any

import pytest
from report_world import Given, small

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.export.facts import sweep_facts
from kugiri.export.schemas import schema
from kugiri.export.tables import tables
from kugiri.report.content import content_of
from kugiri.report.overview import answer
from kugiri.report.words import Language, plain
from kugiri.sweeps.models import EmbeddingModel
from sweep_worlds import swept
from worlds import HOSTILE

LEAST = (
    "The smallest expected loss, which is what to choose by (the observed one where windows are not fixed), is that of"
)
MODELS = ("小型|<b>", "large")


def row(label: str, chunks: int, lost: int, expected: float | None = None) -> dict[str, Any]:
    rate = lost / 100
    limits = {"lost_low": 0.0, "lost_high": 0.5, "lost_low_document": 0.0, "lost_high_document": 0.5}
    known = {"questions": 100, "lost": lost, "lost_rate": rate, "expected_lost": expected, **limits}
    return {"configuration": label, "chunks": chunks, **known}


def found(*rows: dict[str, Any], language: Language = "en", **truncated: tuple[int | None, int | None]) -> str:
    """What is said of these rows; `truncated` are the questions that each model of `MODELS` does not see."""
    results = small(models=[{"name": name} for name in MODELS])
    costs = [
        {"configuration": label, "model": model, "truncated": count}
        for label, counts in truncated.items()
        for model, count in zip(MODELS, counts, strict=True)
    ]
    results.tables["costs"] = results.tables["lost"].from_pylist(costs, schema=schema("costs"))
    text = plain(language).say(answer(results, rows)[0])
    return text.partition("No retrieval was run. " if language == "en" else "検索は行っていない。")[2]


def test_of_those_that_lose_none_the_fewest_vectors_without_luck() -> None:
    rows = (row("lucky", 5, 0, 0.3), row("sure", 20, 0, 0.0), row("whole()", 30, 0), row("most", 3, 7, 6.5))
    assert found(*rows) == (
        "These configurations lose no question: lucky (5 chunks; 0.3 expected over all alignments), sure (20 chunks; "
        "0.0 expected over all alignments), whole() (30 chunks). Of those that lose none wherever their windows start, "
        "or that have no such windows, sure has the fewest vectors (20 chunks). The largest loss: most loses 7 of 100 "
        "questions (7.0 %, 95 % interval 0–50.0 %; 6.5 expected over all alignments) with 3 chunks."
    )
    text = found(*rows, language="ja")
    assert "lucky（5チャンク、窓の開始位置をずらした期待値は0.3問）" in text
    assert (
        "そのうち、窓の開始位置をどう変えても1問も失わないもの（固定長でない構成を含む）の中で、"
        "ベクトル数が最も少ないのはsure（20チャンク）である。"
    ) in text


def test_without_luck_nothing_is_said_of_windows() -> None:
    text = found(row("a", 9, 0, 0.0), row("b", 8, 0), row("c", 1, 3))
    assert "The one with the fewest vectors is b (8 chunks)." in text
    assert "wherever" not in text


def test_nobody_is_chosen_for_losing_none_by_luck() -> None:
    lucky, other, losing = row("lucky", 5, 0, 4.0), row("luckier", 9, 0, 2.5), row("paragraph()", 30, 1)
    text = found(lucky, other, losing)
    assert f"{LEAST} paragraph() (30 chunks, 1 lost)." in text
    assert "fewest vectors" not in text
    text = found(lucky, losing, language="ja")
    assert "1問も失わない構成はlucky（5チャンク、窓の開始位置をずらした期待値は4.0問）だけである。" in text
    assert (
        "選ぶ基準とする期待損失（固定長でない構成では、ここでの損失）が最も小さいのは"
        "paragraph()（30チャンク、損失1）である。"
    ) in text
    # Alone it has been named with its expected loss.
    assert "smallest expected loss" not in found(row("lucky", 5, 0, 0.5), losing)


def test_where_all_keep_everything_those_that_did_by_luck_are_named() -> None:
    rows = (row("lucky", 5, 0, 0.004), row("sure", 20, 0, 0.0), row("paragraph()", 30, 0))
    assert found(*rows) == (
        "No configuration loses a question. Had their windows started elsewhere, these could have lost questions: "
        "lucky (0.0040 expected). Of those that lose none wherever their windows start, or that have no such windows, "
        "sure has the fewest vectors (20 chunks)."
    )
    assert "ただし、窓の開始位置によっては質問を失う構成：lucky（期待損失0.0040問）。" in found(*rows, language="ja")
    assert found(row("paragraph()", 30, 0)) == "No configuration loses a question."


def test_where_all_lose_the_expected_loss_chooses() -> None:
    observed, expected = row("observed", 10, 2, 5.5), row("expected", 12, 4, 3.5)
    text = found(observed, expected)
    assert text.startswith("Every configuration loses questions. The smallest loss: observed loses 2 of 100 questions")
    assert f"{LEAST} expected (12 chunks, 3.5 expected)." in text
    text = found(observed, expected, language="ja")
    assert "質問を1問も失わない構成はなかった。失われた質問が最も少ないのはobservedで、100問中2問" in text
    assert "最も小さいのはexpected（12チャンク、期待損失3.5）である。" in text


@pytest.mark.parametrize(
    "rows", [(row("a", 10, 2, 3.5), row("b", 12, 4, 5.5)), (row("a", 10, 2), row("b", 5, 2), row("c", 1, 9))]
)
def test_what_was_named_for_the_smallest_loss_is_not_named_again(rows: tuple[dict[str, Any], ...]) -> None:
    assert "smallest expected loss" not in found(*rows)


# ------------------------------------------------------------------------------------------------ truncation
def test_what_models_do_not_see_of_those_named_is_said_of_them_alone() -> None:
    rows = (row("a", 9, 0, 0.0), row("b", 8, 0), row("c", 1, 3))
    text = found(*rows, a=(0, 0), b=(12, 3), c=(80, 80))
    assert (
        "The one with the fewest vectors is b (8 chunks). Yet some questions that are not lost have their evidence "
        "beyond the longest input of an embedding model: b (12 with 小型|<b>, 3 with large). The largest loss: c"
    ) in text
    text = found(*rows, language="ja", a=(0, None), b=(12, 3))
    assert (
        "ただし、失われてはいないが、根拠が埋め込みモデルの最大入力長より後ろにある質問がある："
        "b（小型|<b>で12問、largeで3問）。"
    ) in text
    assert "beyond the longest input" not in found(*rows, a=(0, 0), b=(0, None), c=(80, 80))
    assert "beyond the longest input" not in found(*rows)


def test_the_one_chosen_by_expected_loss_is_among_them() -> None:
    text = found(row("observed", 10, 2, 5.5), row("expected", 12, 4, 3.5), expected=(0, 7))
    assert "of an embedding model: expected (7 with large)." in text


# ------------------------------------------------------------------------------------------------ from a sweep
def test_a_sweep_in_which_fixed_windows_lose_none_here_and_would_elsewhere() -> None:
    model = EmbeddingModel("小型|<b>", 8, 3, "char", 0)
    asked = [[[(0, 4, 8)]], [[(0, 1, 4)]]]
    results = swept(Fixed(8), Fixed(8, 4), Paragraph(), texts=[HOSTILE], asked=asked, models=(model,))
    rows = tables(results)["configurations"].to_pylist()
    assert [entry["lost"] for entry in rows] == [0, 0, 0]
    lucky = rows[0]["expected_lost"]
    assert lucky == pytest.approx(5 / 8)
    text = plain("en").say(content_of(Given(sweep_facts(results), tables(results))).answer[0])
    assert "these could have lost questions: fixed(size=8) (0.6 expected)." in text
    assert "paragraph() has the fewest vectors" in text
    assert "paragraph() (2 with 小型|<b>)" in text
