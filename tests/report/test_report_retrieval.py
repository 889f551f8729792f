from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ranked_world import METRICS, RANKS, ranked
from report_world import TEXT, small
from test_report_page import TAGS, Page

from kugiri.report.content import content_of
from kugiri.report.contests import MOST_PAIRS, contests, probability
from kugiri.report.figures import figures
from kugiri.report.markdown import render_markdown
from kugiri.report.outcomes import Outcomes
from kugiri.report.page import render_page
from kugiri.report.ranked_figures import ranked_figures
from kugiri.report.shortfall import depths
from kugiri.report.standings import standings
from kugiri.report.words import Language, Signed, plain, words

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
NAMES = ("loss", "cost", "ranks", "budget")
ONE = ("fixed(size=5) + bm25()", "paragraph() + bm25()")

WHOLE = """\
# Ways to cut

## The answer

On “Small rules” (1 document, 30 characters), with 3 answerable questions and 4 configurations, we counted the questions of which no alternative has every evidence span whole in some chunk (the lost questions), and looked at which rank retrieval completes the evidence. Only `paragraph()` (2 chunks) loses no question. The largest loss: `fixed(size=5)` loses 2 of 3 questions (66.7 %, 95 % interval 56.7–76.7 %) with 6 chunks.

By Recall@5, the primary metric, `paragraph() + tfidf()` is highest with 0.667 (95 % BCa interval 0.100–0.900, n = 3 questions in 2 clusters). Every other configuration is beaten by some configuration in the tests.

Every alternative of a lost question has an evidence span that is whole in no chunk, so no single chunk can deliver that span, whatever embedding model, ranking or reranker follows (neighbouring chunks retrieved together may). The interval is about further questions of this kind; the count itself is exact. None lost here does not mean none on further questions of this kind: the 95 % interval reaches up to 10.0 % (by paragraph), and up to 20.0 % by document. The interval rests on only 2 clusters, too few to rely on it.

## Configurations

| No. | Configuration | Chunks | Lost questions | Recall@5 | 95 % BCa interval | MRR@10 | Rank 1 | 2–5 | 6–20 | Beyond 20 |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 1 | `fixed(size=5) + bm25()` | 6 | 2 | 0.333 | 0.100–0.900 | 0.333 | 1 | 0 | 0 | 2 (2 lost) |
| 2 | `paragraph() + bm25()` | 2 | 0 | 0.333 | 0.100–0.900 | 0.381 | 1 | 0 | 1 | 1 |
| 3 | `fixed(size=5) + tfidf()` | 6 | 2 | 0.333 | 0.100–0.900 | 0.167 | 0 | 1 | 0 | 2 (2 lost) |
| 4 | `paragraph() + tfidf()` | 2 | 0 | ● 0.667 | 0.100–0.900 | ○ 0.444 | 1 | 1 | 0 | 1 |

● marks the configurations not distinguishable from the best in Recall@5, the primary metric; ○ marks the same in another, exploratory metric. That does not say there is no difference. A rank is the first at which the evidence is complete. Beyond 20 includes the lost questions, told apart in parentheses. Between chunks of different sizes a metric at k favours large chunks: k of them hold more characters.

![Rank at which the evidence is complete](figures/ranks.en.svg)

Rank at which the evidence is complete: The questions of each configuration by rank. Hatched are the lost ones: every alternative has a span that is whole in no chunk, so no ranking can deliver it in one.

## What to look at first

- `paragraph() + tfidf()`: candidate generation, ordering account for 1 of 3 questions each. Look at them in this order.

The stage with the most questions comes first. Change one thing at a time and re-measure on the same questions.

| Configuration | Cut: lost | Candidates: kept, not in the first 20 | Ordering: ranks 6–20 | Ordering: ranks 2–5 | Look first at |
| --- | ---: | ---: | ---: | ---: | --- |
| `fixed(size=5) + bm25()` | 2 | 0 | 0 | 0 | the cut |
| `paragraph() + bm25()` | 0 | 1 | 1 | 0 | candidate generation, ordering |
| `fixed(size=5) + tfidf()` | 2 | 0 | 0 | 1 | the cut |
| `paragraph() + tfidf()` | 0 | 1 | 0 | 1 | candidate generation, ordering |

## Loss and retrieval apart

The questions not answered within k (1 − Recall@k), split three ways: lost; in need of more than k chunks; and those for which k chunks would do but retrieval did not bring them.

| Configuration | Recall@5 | Not answered | = lost | + needs more than 5 chunks | + kept, not found within 5 |
| --- | ---: | ---: | ---: | ---: | ---: |
| `fixed(size=5) + bm25()` | 0.333 | 2 | 2 | 0 | 0 |
| `paragraph() + bm25()` | 0.333 | 2 | 0 | 0 | 2 |
| `fixed(size=5) + tfidf()` | 0.333 | 2 | 2 | 0 | 0 |
| `paragraph() + tfidf()` | 0.667 | 1 | 0 | 0 | 1 |

## Recall with the same k and with the same budget

- Between Recall@5 and Recall(budget=1000) none of the 6 pairs is reversed.

Orders are those of the values; nothing is tested by them.

![Same k and same budget](figures/budget.en.svg)

Same k and same budget: The circle is recall within k chunks; the other marks are recall within so many characters.

| Configuration | Mean characters | Recall@5 | Recall(budget=1000) | Characters used (chunks) |
| --- | ---: | ---: | ---: | ---: |
| `fixed(size=5) + bm25()` | 5.0 | 0.333 | 0.333 | 30 (2.5) |
| `paragraph() + bm25()` | 14.0 | 0.333 | ○ 0.667 | 30 (2.5) |
| `fixed(size=5) + tfidf()` | 5.0 | 0.333 | 0.333 | 30 (2.5) |
| `paragraph() + tfidf()` | 14.0 | ● 0.667 | ○ 0.667 | 30 (2.5) |

With a budget the longest prefix of the ranking counts whose chunk lengths, overlap counted each time, sum to no more than the budget. The characters used are means over questions.

## Comparisons

The family is 6 pairs of Recall@5, the primary metric; p is adjusted over it (sign-flip test, single-step max-T). A pair differs where the adjusted p is at most 0.05. The other metrics are exploratory. 3 questions, 2 clusters (by paragraph), 10,000 resamples, seed 1. There are only 2 clusters: the intervals are narrower than they should be. Holm's adjustment stands beside where it can reject. “No difference detected” does not say there is none. The smallest detectable difference is the one that these questions find with 80 % power. Questions needed is how many find a difference of 0.1, stated in the sweep file, with 80 % power. Pairs are called equivalent only within ±0.05, the margin stated in the sweep file.

### Recall@5 (6 pairs)

| A | B | Difference (B − A) | 95 % BCa interval | p adjusted (max-T) | p (Holm) | Wins · ties · losses of B | Decision | Smallest detectable | Questions needed |
| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |
| `fixed(size=5) + bm25()` | `paragraph() + bm25()` | 0.000 | −0.500 to +0.500 | 0.6000 | 0.5000 | 1 · 1 · 1 | no difference detected | 0.250 | 40 |
| `fixed(size=5) + bm25()` | `fixed(size=5) + tfidf()` | 0.000 | −0.500 to +0.500 | 0.6000 | 0.5000 | 0 · 3 · 0 | no difference detected | 0.250 | 40 |
| `fixed(size=5) + bm25()` | `paragraph() + tfidf()` | +0.333 | −0.500 to +0.500 | below 0.0001 | 0.5000 | 1 · 2 · 0 | differs | 0.250 | 40 |
| `paragraph() + bm25()` | `fixed(size=5) + tfidf()` | 0.000 | −0.500 to +0.500 | 0.6000 | 0.5000 | 1 · 1 · 1 | no difference detected | 0.250 | 40 |
| `paragraph() + bm25()` | `paragraph() + tfidf()` | +0.333 | −0.500 to +0.500 | below 0.0001 | 0.5000 | 1 · 2 · 0 | differs | 0.250 | 40 |
| `fixed(size=5) + tfidf()` | `paragraph() + tfidf()` | +0.333 | −0.500 to +0.500 | below 0.0001 | 0.5000 | 1 · 2 · 0 | differs | 0.250 | 40 |

### How often each comes out best

| Configuration | Recall@5 | 95 % BCa interval | 95 % percentile interval | Share of resamples won | Chunks |
| --- | ---: | ---: | ---: | ---: | ---: |
| `paragraph() + tfidf()` | ● 0.667 | 0.100–0.900 | 0.200–0.800 | 25.0 % | 2 |
| `fixed(size=5) + bm25()` | 0.333 | 0.100–0.900 | 0.200–0.800 | 25.0 % | 6 |
| `paragraph() + bm25()` | 0.333 | 0.100–0.900 | 0.200–0.800 | 25.0 % | 2 |
| `fixed(size=5) + tfidf()` | 0.333 | 0.100–0.900 | 0.200–0.800 | 25.0 % | 6 |

The share of resamples in which a configuration is highest, ties split. It is no posterior probability.

<details><summary>The other metrics (exploratory)</summary>

| Metric | Pairs | Differ | No difference detected | Not distinguishable from the best |
| --- | ---: | ---: | ---: | ---: |
| Recall@5 | 6 | 3 | 3 | 1 |
| MRR@10 | 6 | 6 | 0 | 1 |
| Recall(budget=1000) | 6 | 4 | 2 | 2 |
| share of lost questions | 1 | 0 | 0 | 0 |

The numbers of each pair are in `report.html` and `tables/comparisons.parquet`.

</details>

## Questions that tell two configurations apart

The best by Recall@5, `paragraph() + tfidf()`, and the second, `fixed(size=5) + bm25()` (0.667, 0.333). On 2 questions they do not differ.

<details><summary>1 question on which <code>paragraph() + tfidf()</code> does better</summary>

| Question id | Question | Rank in the best | Rank in the other |
| --- | --- | ---: | ---: |
| `q1` | 休暇は何日？ | 3 | lost |

</details>

0 questions on which `fixed(size=5) + bm25()` does better

## By tag and by kind

An overall mean can hide groups that move in opposite directions. Nothing is tested here, and rows of few questions are much at the mercy of chance. Columns: 1 = `fixed(size=5) + bm25()`, 2 = `paragraph() + bm25()`, 3 = `fixed(size=5) + tfidf()`, 4 = `paragraph() + tfidf()`.

<details><summary>Recall@5 by tag</summary>

| Group | n | 1 | 2 | 3 | 4 |
| --- | ---: | ---: | ---: | ---: | ---: |
| `name` | 2 | 0.500 | 0.000 | 0.500 | 0.500 |
| `number` | 2 | 0.500 | 0.500 | 0.500 | 1.000 |

</details>

## The cuts and what they lose

From here on it is the cut alone, whatever retrieves. Configurations with one chunker share a row.

| No. | Configuration | Chunks | Mean characters | Redundancy | Lost questions | Lost rate | 95 % interval (by paragraph) | 95 % interval (by document) | Grapheme clusters split |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 1 | `fixed(size=5)` | 6 | 5.0 | 1.00 | 2 | 66.7 % | 56.7–76.7 % | 46.7–86.7 % | 0 |
| 2 | `paragraph()` | 2 | 14.0 | 0.93 | 0 | 0 % | 0–10.0 % | 0–20.0 % | 0 |

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

</details>

## Why questions are lost

| Configuration | Lost questions | cut | too long | dropped |
| --- | ---: | ---: | ---: | ---: |
| `fixed(size=5)` | 2 | 2 | 0 | 0 |

Cut: a chunk ends inside the evidence. Too long: the evidence is longer than every chunk of its document. Dropped: a character of the evidence is in no chunk.

## Pairs that differ in what they lose

In 1 of 1 pairs the two configurations do not lose the same questions. These are exact counts on the questions given; the tests of the share lost are under the comparisons.

Each number counts the questions that the configuration of the row loses and that of the column keeps. Columns carry the numbers of the configurations.

| No. | Configuration | 1 | 2 |
| ---: | --- | ---: | ---: |
| 1 | `fixed(size=5)` | — | 2 |
| 2 | `paragraph()` | 0 | — |

<details><summary>Ids of the differing questions (1 pair)</summary>

- `fixed(size=5)` / `paragraph()`
  - 2 lost only by `fixed(size=5)`: `q1` `q2`
  - 0 lost only by `paragraph()`

</details>

## Lost questions

Configurations without a lost question: `paragraph()`.

【】 encloses the evidence. ｜ is a cut: one chunk ends where the next starts. ⟨ is the start of a chunk, ⟩ the end of one, ⏎ a line break. Every edge of a chunk inside the text shown is drawn.

### `fixed(size=5)`: 2 of 3

- `q1` 休暇は何日？
  - cut · Document `d` · Evidence at `4–14` · Cut at `5` · Coverage 50.0 % · Best chunk `d@5:10` · Overlap needed 9 · Kind single
  - 第1条　【休｜暇は年に十｜日とする】。｜\\\\r⏎がぎ｜は👩‍🔧が｜保管する。
- `q2` 誰が保管する？
  - cut · Document `d` · Evidence at `17–28` · Cut at `20` · Coverage 45.5 % · Best chunk `d@20:25` · Overlap needed 10 · Kind single
  - 第1条　休｜暇は年に十｜日とする。｜\\\\r⏎【がぎ｜は👩‍🔧が｜保管す】る。

## Questions that are not counted

- No question was excluded on import.
- Unanswerable from this corpus: 0 questions, in no denominator.

## Warnings

- `fixed(size=5) + bm25()`: in 1 question chunks tied in score, and the tie rule (document order, then start, then end) ranked them.
- 2 stored results were damaged and were computed again.

"""  # noqa: E501


def markdown(results: Any, language: Language = "en") -> str:
    return render_markdown(content_of(results), language, True, {"ranks", "budget"})


def page(results: Any, first: Language = "ja") -> str:
    drawn = {f"{name}.{language}": SVG for name in NAMES for language in ("ja", "en")}
    return render_page(content_of(results), first, drawn)


def test_the_whole_report_with_two_retrievers() -> None:
    text = markdown(ranked())
    assert text[: text.index("## How to read it")] == WHOLE


def test_both_languages_have_the_same_keys() -> None:
    assert {frozenset(forms) - {"en_one"} for forms in words().values()} == {frozenset({"ja", "en"})}


@pytest.mark.parametrize("first", ["ja", "en"])
@pytest.mark.parametrize("labels", [tuple(RANKS), ONE, ONE[:1]])
@pytest.mark.parametrize(
    "metrics",
    [
        METRICS,
        pytest.param(("nDCG@10",), marks=pytest.mark.slow),
        pytest.param(("Recall@5",), marks=pytest.mark.slow),
        (),
    ],
)
@pytest.mark.parametrize("text", [True, False])
def test_the_page_is_balanced_and_complete(
    first: Language, labels: tuple[str, ...], metrics: tuple[str, ...], text: bool
) -> None:
    results = ranked(labels, metrics, text=text)
    html = page(results, first)
    read = Page(html)
    assert read.tags <= TAGS
    ids = read.values("id")
    assert len(set(ids)) == len(ids)
    assert {value.removeprefix("#") for value in read.values("href")} <= set(ids)
    if not text:
        for shown in (html, markdown(results, first)):
            assert not any(TEXT[start : start + 6] in shown for start in range(len(TEXT) - 5))
            assert "休暇は何日" not in shown


def test_lost_questions_are_told_once_a_chunker() -> None:
    html = page(ranked())
    assert html.count('<details class="question">') == 2
    assert "lost-fixed_size_5" in "".join(Page(html).values("id"))


def test_without_retrieval_nothing_of_it_is_said() -> None:
    content = content_of(small())
    assert content.retrieval is None
    assert ranked_figures(content.retrieval) == {}
    assert ".ranked" not in render_page(content, "ja", {})


def test_the_parts_of_the_shortfall_sum_up() -> None:
    found = content_of(ranked()).retrieval
    assert found is not None
    for row in found.shortfalls[0].grid.rows:
        assert row[2] == sum(part for part in row[3:] if isinstance(part, int))


def test_the_answer_names_the_cheapest_of_those_not_told_apart() -> None:
    results = ranked(ONE)
    found = content_of(results).retrieval
    assert found is not None
    said = plain("en").say(found.answer)
    assert "Not distinguishable from the best: paragraph() + bm25() (n = 3 questions)." in said
    assert "paragraph() + bm25() has the fewest vectors (2 chunks)." in said


def test_a_reversed_order_is_warned_of_and_the_pair_is_named() -> None:
    results = ranked(ONE)
    rows = results.table("configurations").to_pylist()
    rows[0] |= {"chunk_chars_mean": 50.0, "Recall@5": 0.9, "Recall(budget=1000)": 0.1}
    table = type(results.table("configurations")).from_pylist(rows, schema=results.table("configurations").schema)
    results.tables["configurations"] = table
    text = markdown(results)
    assert "@k favours large chunks. Here the order" in text
    assert (
        "the order of 1 of 1 pairs is reversed (in 1 of them the one ahead by Recall@5 has the larger chunks). "
        "As Recall@5 has it: `fixed(size=5) + bm25()` ahead of `paragraph() + bm25()`."
    ) in text


def test_outcomes_do_not_depend_on_the_order_of_rows() -> None:
    results = ranked()
    plainly = Outcomes(results)
    table = results.table("outcomes")
    results.tables["outcomes"] = table.take(np.random.default_rng(1).permutation(len(table)))
    mixed = Outcomes(results)
    for label in RANKS:
        for metric in ("rank", "needs", *METRICS):
            np.testing.assert_array_equal(plainly.values(label, metric), mixed.values(label, metric))
    assert np.isnan(plainly.values("unknown()", "rank")).all()


def test_of_too_many_pairs_those_that_differ_are_listed() -> None:
    row = ranked().table("comparisons").to_pylist()[0]
    rows = [row | {"a": str(n), "decision": "no difference detected"} for n in range(MOST_PAIRS + 5)]
    rows[-1]["decision"] = "differs"
    made = contests(rows, standings([], [], "Recall@5"), ranked().sweep)
    assert made is not None and made.primary is not None
    assert (made.primary.left_out, made.primary.pairs) == (5, MOST_PAIRS + 5)
    assert plain("en").say(made.primary.grid.rows[-1][0] or "") == str(MOST_PAIRS + 4)


def test_numbers_in_words() -> None:
    assert [plain("en").say(Signed(value)) for value in (0.25, -0.25, -0.0001)] == ["+0.250", "−0.250", "0.000"]
    assert plain("en").say(probability(1e-9) or "") == "below 0.0001"
    assert plain("en").say(probability(0.05) or "") == "0.0500"
    assert depths(("MRR@10", "Recall@5", "Recall@20")) == (5, 20)
    assert depths(("nDCG@10",)) == (10,)
    assert depths(()) == (5,)


@pytest.mark.slow
def test_the_figures_of_retrieval() -> None:
    content = content_of(ranked())
    drawn = ranked_figures(content.retrieval)
    assert set(drawn) == {f"{name}.{language}" for name in ("ranks", "budget") for language in ("ja", "en")}
    assert "失われた" in drawn["ranks.ja"] and "beyond 20, kept" in drawn["ranks.en"]
    assert "#c24a00" in drawn["ranks.en"]
    assert drawn == ranked_figures(content.retrieval)
    assert figures(content.configurations)
    alone = content_of(ranked(ONE, ("Recall@5",)))
    assert set(ranked_figures(alone.retrieval)) == {"ranks.ja", "ranks.en"}
