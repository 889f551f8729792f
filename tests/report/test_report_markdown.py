from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from markdown_it import MarkdownIt
from report_world import TEXT, Asked, given, small, windows

from kugiri.report import inspector
from kugiri.report.content import content_of
from kugiri.report.grid import ReadsTables
from kugiri.report.markdown import MOST_IDS, MOST_QUESTIONS, markdown_code, markdown_text, render_markdown
from kugiri.report.words import Language

FACTS: dict[str, Any] = {
    "excluded": [{"reason": "answer_in_title", "count": 2, "ids": ["x1", "x2"]}],
    "failed": [{"configuration": "broken()", "what": "no model", "where": "broken()", "remedy": "install it"}],
    "warnings": [{"code": "single_chunk", "chunker": "paragraph()", "share": 1.0}],
}

WHOLE = """\
# Ways to cut

## The answer

On “Small rules” (1 document, 30 characters), with 2 answerable questions and 3 configurations, we counted the questions of which no alternative has every evidence span whole in some chunk: the lost questions. No retrieval was run. Only `paragraph()` (2 chunks) loses no question. The largest loss: `fixed(size=5)` loses 2 of 2 questions (100 %, 95 % interval 90.0–100 %) with 6 chunks; `fixed(size=10)` loses 2 of 2 questions (100 %, 95 % interval 90.0–100 %) with 3 chunks.

Every alternative of a lost question has an evidence span that is whole in no chunk, so no single chunk can deliver that span, whatever embedding model, ranking or reranker follows (neighbouring chunks retrieved together may). The interval is about further questions of this kind; the count itself is exact. None lost here does not mean none on further questions of this kind: the 95 % interval reaches up to 10.0 % (by paragraph), and up to 20.0 % by document. The interval rests on only 2 clusters, too few to rely on it.

## Failed configurations

These configurations failed and are in no table and no figure.

- `broken()`
  - What: no model
  - Where: broken()
  - What to do: install it

## Configurations

| No. | Configuration | Chunks | Mean characters | Redundancy | Lost questions | Lost rate | 95 % interval (by paragraph) | 95 % interval (by document) | Grapheme clusters split |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 1 | `fixed(size=5)` | 6 | 5.0 | 1.00 | 2 | 100 % | 90.0–100 % | 80.0–100 % | 0 |
| 2 | `fixed(size=10)` | 3 | 10.0 | 1.00 | 2 | 100 % | 90.0–100 % | 80.0–100 % | 0 |
| 3 | `paragraph()` | 2 | 14.0 | 0.93 | 0 | 0 % | 0–10.0 % | 0–20.0 % | 0 |

Chunks is the number of vectors an index would hold. Redundancy is the characters indexed, overlap counted each time, divided by the characters of the corpus.

## Figures

![Lost rate of each configuration](figures/loss.en.svg)

Lost rate of each configuration: The number is the count of lost questions; the line is the 95 % interval of the lost rate.

![Vectors against loss](figures/cost.en.svg)

Vectors against loss: Towards the lower left, fewer vectors keep the evidence of more questions. Configurations at one place share a point. The stepped line is the Pareto front; hollow points are dominated.

## Pareto front of vectors and loss

On the Pareto front, from the fewest vectors on: `paragraph()` (2 chunks, 0 lost). With an expected loss (observed where there is none) of at most 0.1 %, the fewest vectors: `paragraph()` (2 chunks, 0 lost).

A configuration is dominated if another has no more vectors and loses no more, and is better in one of the two. Loss is the number of lost questions.

<details><summary>Dominated configurations</summary>

| Configuration | Chunks | Loss | Dominated by | Chunks | Loss |
| --- | ---: | ---: | --- | ---: | ---: |
| `fixed(size=5)` | 6 | 2 lost | `paragraph()` | 2 | 0 lost |
| `fixed(size=10)` | 3 | 2 lost | `paragraph()` | 2 | 0 lost |

</details>

## Why questions are lost

| Configuration | Lost questions | cut | too long | dropped |
| --- | ---: | ---: | ---: | ---: |
| `fixed(size=5)` | 2 | 2 | 0 | 0 |
| `fixed(size=10)` | 2 | 2 | 0 | 0 |

Cut: a chunk ends inside the evidence. Too long: the evidence is longer than every chunk of its document. Dropped: a character of the evidence is in no chunk.

## Pairs that differ in what they lose

In 2 of 3 pairs the two configurations do not lose the same questions. These are exact counts on the questions given; nothing was tested, and further questions of this kind may fall otherwise.

Each number counts the questions that the configuration of the row loses and that of the column keeps. Columns carry the numbers of the configurations.

| No. | Configuration | 1 | 2 | 3 |
| ---: | --- | ---: | ---: | ---: |
| 1 | `fixed(size=5)` | — | 0 | 2 |
| 2 | `fixed(size=10)` | 0 | — | 2 |
| 3 | `paragraph()` | 0 | 0 | — |

<details><summary>Ids of the differing questions (2 pairs)</summary>

- `fixed(size=5)` / `paragraph()`
  - 2 lost only by `fixed(size=5)`: `q1` `q2`
  - 0 lost only by `paragraph()`
- `fixed(size=10)` / `paragraph()`
  - 2 lost only by `fixed(size=10)`: `q1` `q2`
  - 0 lost only by `paragraph()`

</details>

### Nested pairs

With windows that do not overlap and sizes that are whole multiples, every cut of the larger windows is a cut of the smaller ones too. Which one loses more is settled by construction, so it is not tested.

- nested: `fixed(size=5)` must lose at least what `fixed(size=10)` loses, no test; it loses 0 more.

## Lost questions

Configurations without a lost question: `paragraph()`.

【】 encloses the evidence. ｜ is a cut: one chunk ends where the next starts. ⟨ is the start of a chunk, ⟩ the end of one, ⏎ a line break. Every edge of a chunk inside the text shown is drawn.

### `fixed(size=5)`: 2 of 2

- `q1` 休暇は何日？
  - cut · Document `d` · Evidence at `4–14` · Cut at `5` · Coverage 50.0 % · Best chunk `d@5:10` · Overlap needed 9 · Kind single
  - 第1条　【休｜暇は年に十｜日とする】。｜\\\\r⏎か\u3099ぎ｜は👩\u200d🔧が｜保管する。
- `q2` 誰が保管する？
  - cut · Document `d` · Evidence at `17–28` · Cut at `20` · Coverage 45.5 % · Best chunk `d@20:25` · Overlap needed 10 · Kind single
  - 第1条　休｜暇は年に十｜日とする。｜\\\\r⏎【か\u3099ぎ｜は👩\u200d🔧が｜保管す】る。

### `fixed(size=10)`: 2 of 2

- `q1` 休暇は何日？
  - cut · Document `d` · Evidence at `4–14` · Cut at `10` · Coverage 60.0 % · Best chunk `d@0:10` · Overlap needed 9 · Kind single
  - 第1条　【休暇は年に十｜日とする】。\\\\r⏎か\u3099ぎ｜は👩\u200d🔧が保管する。
- `q2` 誰が保管する？
  - cut · Document `d` · Evidence at `17–28` · Cut at `20` · Coverage 72.7 % · Best chunk `d@20:30` · Overlap needed 10 · Kind single
  - 第1条　休暇は年に十｜日とする。\\\\r⏎【か\u3099ぎ｜は👩\u200d🔧が保管す】る。

## Questions that are not counted

- Excluded on import: 2 questions (`answer_in_title`): `x1` `x2`
- Unanswerable from this corpus: 0 questions, in no denominator.

## Warnings

- `paragraph()`: 100 % single-chunk documents. On those it cannot be told from any other strategy that leaves them whole.

## How to read it

- Kept and lost: An evidence span is kept if one single chunk of its document holds all of it; equality counts. A question has one or more alternatives, each a set of spans needed together. It is kept if all spans of some alternative are kept, and lost if no alternative is.
- Cause: Told of the least-covered span of the best-covered alternative: the first that applies of dropped, too long, cut. Coverage is the largest share of the span's characters in one chunk.
- Overlap and size needed: For fixed windows only. The overlap keeps evidence of this length wherever it lies (its length − 1). The size is the smallest larger one that, with the overlap as written, keeps this span at this alignment; it is no guarantee for others.
- 95 % interval: Wilson's interval of the lost rate, with the effective n in place of the number of questions, because questions of one paragraph or document are not independent. The loss count itself is exact for the questions given.
- Effective n: How many independent questions the clustered ones are worth: n ÷ the design effect (at least 1); where none or all are lost, or there is one cluster, n² ÷ the sum of the squared cluster sizes.
- Clusters: The main interval clusters by recorded paragraph, else by document: 2 clusters by paragraph, 1 by document.

## Provenance

- Corpus: Small rules, `small`
- Language: en
- Licence: CC0-1.0
- Source: written for the test
- Documents: 1 document, 30 characters
- SHA-256 of the documents: `d0`
- Questions: 2 answerable, 0 unanswerable
- SHA-256 of the questions: `f1`
- Sample: all questions (seed 1)
- Component versions: `fixed` version 1
- Offset unit: `codepoint`
"""  # noqa: E501


def rendered(results: ReadsTables, language: Language = "en", figures: bool = True) -> str:
    return render_markdown(content_of(results), language, figures)


def test_the_whole_report() -> None:
    assert rendered(small(**FACTS)) == WHOLE


def test_the_answer_in_japanese() -> None:
    text = rendered(small(), "ja")
    assert text.splitlines()[4] == (
        "「Small rules」（1文書、30文字）の回答可能な質問2問について、"
        "根拠の候補のうち、すべての箇所がそれぞれいずれかのチャンクに丸ごと収まるものが1つもない質問（失われた質問）を、"
        "3通りの構成で数えた。検索は行っていない。1問も失わない構成は`paragraph()`（2チャンク）だけである。"
        "失われた質問が最も多いのは`fixed(size=5)`で、2問中2問（100%、95%信頼区間90.0〜100%、6チャンク）、"
        "`fixed(size=10)`で、2問中2問（100%、95%信頼区間90.0〜100%、3チャンク）。"
    )
    assert "![構成ごとの損失率](figures/loss.ja.svg)" in text


def test_it_ends_with_one_newline_and_has_no_other_line_end() -> None:
    for language in ("ja", "en"):
        text = rendered(small(**FACTS), language)
        assert text.endswith("\n") and not text.endswith("\n\n")
        assert "\r" not in text and "\n\n\n" not in text


def test_without_figures_there_is_no_link_to_one() -> None:
    assert "figures/" not in rendered(small(), figures=False)


def test_metrics_have_a_column_only_where_there_is_a_value() -> None:
    assert "Recall@5" not in rendered(small())
    text = rendered(small(metrics={"Recall@5": 0.75, "MRR@10": None}))
    assert "| Recall@5 |" in text and "| 0.750 |" in text
    assert "MRR@10" not in text


def test_same_chunks_are_named_and_not_repeated() -> None:
    cuts = {"fixed(size=9)": {"d": [(0, 9), (9, 30)]}, "other()": {"d": [(0, 9), (9, 30)]}}
    text = rendered(given({"d": TEXT}, [Asked("q1", "?", "d", 4, 14)], cuts))
    assert "| 1 | `fixed(size=9)` |" in text and "`fixed(size=9)` |\n" in text
    assert "`other()` has exactly the chunks of `fixed(size=9)`, and loses the same questions." in text
    assert text.count("- `q1` ") == 1


def test_long_lists_are_capped_and_say_where_the_rest_is() -> None:
    count = MOST_QUESTIONS + 5
    asked = [Asked(f"q{index}", "?", "d", 4, 14) for index in range(count)]
    cuts = {"fixed(size=10)": {"d": windows(len(TEXT), 10)}, "whole()": {"d": [(0, len(TEXT))]}}
    text = rendered(given({"d": TEXT}, asked, cuts))
    assert f"… and {count - MOST_IDS} more: see `tables/lost.parquet`" in text
    assert "… and 5 more: see `tables/lost.parquet` and `report.html`" in text
    assert text.count("  - cut · ") == MOST_QUESTIONS


def test_what_the_page_leaves_out_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [Asked(f"q{index}", "?", "d", 4, 14) for index in range(9)]
    cuts = {"fixed(size=10)": {"d": windows(len(TEXT), 10)}}
    monkeypatch.setattr(inspector, "MOST_OF_CONFIGURATION", 3)
    for text in (True, False):
        page = rendered(given({"d": TEXT}, asked, cuts, text=text))
        assert "… and 6 more: see `tables/lost.parquet` or `kugiri lost`" in page
    monkeypatch.setattr(inspector, "MOST_OF_CONFIGURATION", MOST_QUESTIONS)
    many = [Asked(f"q{index}", "?", "d", 4, 14) for index in range(MOST_QUESTIONS + 5)]
    assert "… and 5 more: see `tables/lost.parquet` or `kugiri lost`" in rendered(given({"d": TEXT}, many, cuts))


def test_the_limit_by_document_is_named_only_where_it_is_further() -> None:
    results = small()
    rows = results.table("configurations").to_pylist()
    for row in rows:
        row["lost_high_document"] = row["lost_high"]
    results.tables["configurations"] = results.tables["configurations"].from_pylist(
        rows, results.tables["configurations"].schema
    )
    assert "the 95 % interval reaches up to 10.0 %." in rendered(results)
    assert "上限は最大10.0%（段落単位）、文書単位では最大20.0%に及ぶ。" in rendered(small(), "ja")


def test_no_question_and_no_configuration() -> None:
    nothing = given({"d": TEXT}, [], {"paragraph()": {"d": [(0, len(TEXT))]}})
    assert "There is no answerable question on this corpus" in rendered(nothing)
    assert "No configuration has a result." in rendered(given({"d": TEXT}, [], {}))


def test_every_configuration_loses_or_none_does() -> None:
    asked = [Asked("q1", "?", "d", 4, 14), Asked("q2", "?", "d", 5, 9)]
    losing = {"fixed(size=10)": {"d": windows(30, 10)}, "fixed(size=3)": {"d": windows(30, 3)}}
    assert (
        "Every configuration loses questions. The smallest loss: `fixed(size=10)` loses 1 of 2 questions (50.0 %"
        in (rendered(given({"d": TEXT}, asked, losing)))
    )
    text = rendered(given({"d": TEXT}, asked, {"whole()": {"d": [(0, 30)]}}))
    assert "No configuration loses a question." in text
    assert "## Lost questions" not in text and "largest loss" not in text


def test_results_without_text_have_ids_and_numbers_only() -> None:
    text = rendered(small(text=False))
    assert "| `q1` | cut | `d` | `4–14` | `5` | 50.0 % | `d@5:10` | 9 | single |" in text
    for language in ("ja", "en"):
        text = rendered(small(text=False), language)
        assert not any(TEXT[start : start + 6] in text for start in range(len(TEXT) - 5))
        assert "休暇は何日" not in text


HOSTILE = (
    "</script><img src=x onerror=alert(1)> {{ 7*7 }} {% raw %} [a](javascript:alert(1)) ![i](http://x.example/y.png) "
    "<!-- | `code` ``` *em* **strong** _x_ ~~s~~ &lt; &#60; # head\n# head\n- item\n> quote\n| a | b |\n"
    "\x1b[31mred\x07 \u202ertl \u2028 \\ $x$ https://x.example"
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_hostile_text_stays_text(language: Language) -> None:
    facts: dict[str, Any] = {
        "title": HOSTILE,
        "excluded": [{"reason": HOSTILE, "count": 1, "ids": [HOSTILE]}],
        "failed": [{"configuration": HOSTILE, "what": HOSTILE, "where": HOSTILE, "remedy": HOSTILE}],
        "warnings": [{"code": "identical", "chunker": HOSTILE, "to": HOSTILE}, {"code": HOSTILE, "x": HOSTILE}],
    }
    document = "- 1. # " + HOSTILE
    cuts = {label: {HOSTILE: windows(len(document), 7)} for label in (f"a(x={HOSTILE!r})", HOSTILE)}
    results = given({HOSTILE: document}, [Asked(HOSTILE, HOSTILE, HOSTILE, 3, 60)], cuts, **facts)
    text = rendered(results, language)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", text)
    page = Tags()
    page.feed(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text))
    allowed = {"h1", "h2", "h3", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "img"}
    assert page.seen <= allowed | {"details", "summary"}
    assert page.seen >= allowed
    shown = "".join(page.text)
    # The words of the title, as a reader sees them.
    assert "</script><img src=x onerror=alert(1)> {{ 7*7 }} {% raw %} [a](javascript:alert(1))" in shown
    assert "*em* **strong** _x_ ~~s~~ &lt; &#60; # head\\n# head\\n- item" in shown
    assert shown.count("alert(1)") == text.count("alert(1)")


@pytest.mark.parametrize(
    ("text", "code"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), (" a", "`  a `"), ("", "`  `"), ("a\nb", "`a\\nb`")],
)
def test_code_spans(text: str, code: str) -> None:
    assert markdown_code(text) == code


def test_what_would_begin_a_block_is_escaped() -> None:
    assert markdown_text("- a") == "\\- a"
    assert markdown_text("12. a") == "12\\. a"
    assert markdown_text("    a") == "\u00a0\u00a0\u00a0\u00a0a"
    assert markdown_text("http://a|b") == "http\\://a\\|b"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("www.evil.example WWW.x", "www\\.evil.example WWW\\.x"),
        ("a@b.example @user @ b", "a@<!-- -->b.example @<!-- -->user @ b"),
        ("Recall@5は a@5.b @5", "Recall@5は a@<!-- -->5.b @<!-- -->5"),
        (":warning: :+1: :a_b:", ":<!-- -->warning: :<!-- -->+1: :<!-- -->a\\_b:"),
        ("注：9:30 a: b", "注：9:30 a: b"),
    ],
)
def test_what_github_makes_a_link_or_a_picture_of(text: str, line: str) -> None:
    assert markdown_text(text) == line
    page = Tags()
    page.feed(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(line))
    assert page.seen == {"p"} and "".join(page.text).strip() == text
