from __future__ import annotations

import re
import string
from importlib import resources
from pathlib import Path

import pytest

import kugiri.report
from kugiri.report.overview import claim
from kugiri.report.words import Code, Interval, Real, Share, Text, language_of, percent, plain, said, words

SOURCES = Path(str(resources.files(kugiri.report)))


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_sentence_has_both_languages_and_the_same_placeholders() -> None:
    for key, forms in words().items():
        assert set(forms) in ({"ja", "en"}, {"ja", "en", "en_one"}), key
        for form in forms.values():
            # Japanese sets no space before the per cent sign.
            assert placeholders(form) - {"gap"} == placeholders(forms["ja"]), key


def test_no_sentence_holds_markup() -> None:
    for key, forms in words().items():
        for form in forms.values():
            outside = re.sub(r"\{\w+\}", "", form)
            assert not re.search(r"[<>&`*_|\[\]#\\\n]", outside), key


def test_no_sentence_claims_more_than_was_found() -> None:
    for key, forms in words().items():
        text = f"{forms['en']} {forms.get('en_one', '')}".lower()
        assert not re.search(r"significan|\bequal\b|\bsame result", text), key
        assert not re.search("有意|同等", forms["ja"]), key


def test_every_sentence_is_used_and_every_one_used_exists() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in SOURCES.rglob("*") if path.suffix in {".py", ".jinja"}
    )
    used = set(re.findall(r"\bsaid\(\s*f?[\"'](\w+)[\"']", source)) | {"separator", "share", "range"}
    assert {key for key in used if not key.endswith("_")} <= set(words())
    families: tuple[str, ...] = ("term_", "meaning_", "cause_", "kind_", "column_", "source_", "failed_", "figure_")
    families += ("stage_", "look_at_", "clusters_by_", "overview_", "where_")
    quoted = set(re.findall(r"[\"'](\w+)[\"']", source))
    for key in words():
        assert key in quoted or key.startswith(families), key


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0"),
        (1, "100"),
        (185 / 4038, "4.6"),
        (0.053, "5.3"),
        (13 / 4038, "0.3"),
        (0.0004, "0.04"),
        (1 / 1_000_000, "0.0001"),
        (0.9996, "99.96"),
        (0.5, "50.0"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


def test_a_claim_in_both_languages() -> None:
    row = {
        "configuration": "fixed(size=100)",
        "lost": 185,
        "questions": 4038,
        "lost_rate": 185 / 4038,
        "lost_low": 0.0391,
        "lost_high": 0.0534,
        "chunks": 1989,
    }
    assert plain("en").say(claim(row)) == (
        "fixed(size=100) loses 185 of 4,038 questions (4.6 %, 95 % interval 3.9–5.3 %) with 1,989 chunks"
    )
    assert plain("ja").say(claim(row)) == (
        "fixed(size=100)で、4,038問中185問（4.6%、95%信頼区間3.9〜5.3%、1,989チャンク）"
    )


def test_values_are_said_in_their_language() -> None:
    values = (Code("paragraph()"), 1234, Share(0.5), Interval(0, 0.25), Real(1234.56))
    assert plain("en").say(values) == "paragraph(), 1,234, 50.0 %, 0–25.0 %, 1,234.6"
    assert plain("ja").say(values) == "paragraph()、1,234、50.0%、0〜25.0%、1,234.6"
    two = Text((said("causes_none"), said("warnings_none")))
    assert plain("en").say(two) == "No configuration loses a question. There is nothing to warn of."
    assert plain("ja").say(two) == "どの構成も質問を失わなかった。注意すべき点はない。"


def test_one_is_not_many_in_english() -> None:
    assert plain("en").say(said("warning_merged_spans", n=1)) == "1 repeated evidence span was merged."
    assert plain("en").say(said("warning_merged_spans", n=2)) == "2 repeated evidence spans were merged."


def test_braces_and_escapes_in_foreign_text_are_text() -> None:
    hostile = said("excluded", n=2, reason="{n} {0} \x1b[31m\u202e")
    assert plain("en").say(hostile) == "Excluded on import: 2 questions ({n} {0} \\x1b[31m\\u202e)"


@pytest.mark.parametrize(("tag", "language"), [("ja", "ja"), ("ja-JP", "ja"), ("en", "en"), ("", "en"), (None, "en")])
def test_the_first_language(tag: object, language: str) -> None:
    assert language_of(tag) == language
