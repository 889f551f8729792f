"""Named cases of ranked metrics, small enough to check by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log2

import numpy as np
import pytest
from ranked_worlds import Row, mean, measure, plain, run_of

import worlds
from kugiri import catalog
from kugiri.errors import InputError
from kugiri.evidence.loss import loss_of
from kugiri.metrics.rank import rank_classes
from kugiri.metrics.ranking import Ranking
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question, Questions
from kugiri.model.run import ranked
from worlds import Asked, Span

HARD = "始\u3000👩\u200d🍳か\u3099\r\n🇯🇵東京。ㇷ゚終わり。"
"""20 characters with an emoji, combining marks, U+3000 and CRLF."""
CHUNK_METRICS = ("ChunkRecall", "ChunkPrecision", "ChunkNDCG")


def tiles(size: int, text: str = HARD) -> list[Span]:
    return [(0, low, min(low + size, len(text))) for low in range(0, len(text), size)]


def ranking(
    chunks: Sequence[Span], asked: Sequence[Asked], rows: Sequence[Row], depth: int, text: str = HARD
) -> Ranking:
    corpus = worlds.corpus_of([text])
    loss = loss_of("drawn", worlds.chunking_of(corpus, chunks), worlds.questions_of(corpus, asked))
    return Ranking.of(loss, run_of(rows, depth))


def values(metric: str, of: Ranking) -> list[float | None]:
    return plain(measure(metric, of))


ONE = [(0, 0, 1)], [(0, 2, 3)], [(0, 4, 5)], [(0, 6, 7)]
"""A span in each of the first four tiles of two characters."""


def test_the_text_is_hard() -> None:
    assert len(HARD) == 20


def test_published_ranks_1_3_and_outside_3() -> None:  # findings D
    rows = [[0, 1, 2, 3], [1, 2, 0, 3], [1, 2, 3, 0]]
    of = ranking(tiles(2), [[ONE[0]]] * 3, rows, 5)
    assert values("rank", of) == [1, 3, 4]
    assert mean(values("Recall@3", of)) == pytest.approx(0.667, abs=5e-4)
    assert mean(values("MRR@3", of)) == pytest.approx(0.444, abs=5e-4)
    assert mean(values("nDCG@3", of)) == pytest.approx(0.5)
    assert rank_classes(of) == (1, 2, 0, 0)


def test_k_is_what_it_says() -> None:  # H74
    of = ranking(tiles(2), [[ONE[0]]], [[1, 0, 2, 3, 4]], 5)
    assert values("Recall@5", of) == values("ChunkRecall@5", of) == [1.0]
    assert values("Recall@1", of) == values("ChunkRecall@1", of) == [0.0]
    assert values("ChunkPrecision@5", of) == [0.2]


@pytest.mark.parametrize(("asked", "recall"), [(list(ONE), 1.0), ([[span for (span,) in ONE]], 0.0)])
def test_the_denominator_is_every_relevant_chunk(asked: Asked, recall: float) -> None:  # H76
    for k in (1, 5):
        of = ranking(tiles(2), [asked], [[2, 9, 8, 7, 6]], 5)
        assert values(f"ChunkRecall@{k}", of) == [0.25]
        assert values(f"Recall@{k}", of) == [recall]
    ideal = sum(1 / log2(1 + place) for place in range(1, 5))
    assert values("ChunkNDCG@5", of) == pytest.approx([1 / ideal])
    # The ideal is cut at k as well: one relevant chunk at the first place is the best there is at 1.
    assert values("ChunkNDCG@1", of) == [1.0]


def test_an_unanswerable_question_is_in_no_mean() -> None:  # H77
    of = ranking(tiles(2), [[ONE[0]], [], [ONE[1]]], [[0, 1, 2], [0, 1, 2], [3, 4, 5]], 3)
    metrics = ["Recall", "MRR", "nDCG", *CHUNK_METRICS]
    for metric in [*(f"{name}@3" for name in metrics), "Recall(budget=5)", "EvidenceRecall(budget=5)"]:
        outcomes = measure(metric, of)
        assert outcomes.metric == metric
        assert outcomes.defined.tolist() == [True, False, True]
        assert np.isnan(outcomes.value[1])
        assert outcomes.value[2] == 0
    assert mean(values("Recall@3", of)) == 0.5
    assert int((~of.answerable).sum()) == 1
    assert rank_classes(of) == (1, 0, 0, 1)


def test_a_lost_question_is_0_in_every_mean() -> None:
    of = ranking(tiles(2), [[[(0, 1, 3)]], [[(0, 0, 1), (0, 3, 5)]]], [[0, 1, 2]] * 2, 3)
    for name in ("Recall", "MRR", "nDCG", *CHUNK_METRICS):
        assert values(f"{name}@3", of) == [0.0, 0.0], name
    assert values("Recall(budget=5)", of) == [0.0, 0.0]
    assert values("rank", of) == [None, None]
    assert rank_classes(of) == (0, 0, 0, 2)
    # Pieces of lost evidence are credited here, and only here.
    assert values("EvidenceRecall(budget=5)", of) == [1.0, pytest.approx(2 / 3)]


@pytest.mark.parametrize("rows_at_once", [1, 3])
def test_a_constant_scorer_gets_what_the_tie_rule_gives(rows_at_once: int) -> None:  # H79
    corpus = worlds.corpus_of(["東京駅"])
    chunking = worlds.chunking_of(corpus, [(0, 0, 1), (0, 1, 2), (0, 2, 3)])
    questions = worlds.questions_of(corpus, [[[(0, 2, 3)]], [[(0, 0, 1)]], [[(0, 1, 2)]]])
    scores = np.array([[1.0, 1.0, 1.0], [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    blocks = [scores[low : low + rows_at_once] for low in range(0, 3, rows_at_once)]
    run = ranked(blocks, 3, questions.ids, chunking)
    of = Ranking.of(loss_of("drawn", chunking, questions), run)
    assert run.ties == 1
    assert values("rank", of) == [3, 1, 2]
    assert values("MRR@3", of)[0] == pytest.approx(1 / 3)
    assert values("nDCG@3", of)[0] == values("ChunkNDCG@3", of)[0] == 0.5


def test_ids_of_questions_and_chunks_are_of_different_worlds() -> None:  # H80
    corpus = worlds.corpus_of(["甲", "乙", "丙", "駅"])
    assert corpus.ids[3] == "1"
    chunking = worlds.chunking_of(corpus, [(d, 0, 1) for d in range(4)])
    questions = Questions.from_records(corpus, [Question("1", "？", ((EvidenceSpan("1", 0, 1),),))])
    of = Ranking.of(loss_of("drawn", chunking, questions), run_of([[3]], 2))
    for name in ("Recall", "MRR", "nDCG", "ChunkRecall", "ChunkNDCG"):
        assert values(f"{name}@2", of) == [1.0]


def test_an_empty_place_is_no_chunk() -> None:  # H82
    """Index −1 would be the last chunk, which holds the evidence here and was not found."""
    chunks = [(0, 0, 10), (0, 10, 20)]
    of = ranking(chunks, [[[(0, 19, 20)]], [[(0, 19, 20)]], [[(0, 19, 20)]]], [[], [0], [0, 1]], 10)
    assert of.run.hits.tolist() == [0, 1, 2]
    assert of.chunk_lengths()[:, :3].tolist() == [[0, 0, 0], [10, 0, 0], [10, 10, 0]]
    for name in ("Recall", "ChunkRecall"):
        assert values(f"{name}@10", of) == [0.0, 0.0, 1.0]
    assert values("ChunkPrecision@10", of) == [0.0, 0.0, 0.1]
    assert values("rank", of) == [None, None, 2]
    for name in ("Recall", "EvidenceRecall"):
        assert values(f"{name}(budget=100)", of) == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("budget", "prefix", "share"), [(5, 0, 0.0), (6, 1, 0.6), (10, 1, 0.6), (11, 1, 0.6), (12, 2, 1.0), (99, 2, 1.0)]
)
def test_overlap_is_paid_each_time_and_counted_once(budget: int, prefix: int, share: float) -> None:  # H85
    """The union of [0, 6) and [4, 10) is 10 characters; they cost 12."""
    of = ranking([(0, 0, 6), (0, 4, 10)], [[[(0, 0, 10)]], [[(0, 5, 9)]]], [[0, 1]] * 2, 2)
    assert of.within_budget(budget, "Recall").tolist() == [prefix, prefix]
    assert values(f"EvidenceRecall(budget={budget})", of) == pytest.approx([share, {0: 0, 1: 0.25, 2: 1}[prefix]])
    assert values(f"Recall(budget={budget})", of) == [0.0, float(prefix == 2)]


def test_a_chunk_that_does_not_fit_ends_the_prefix() -> None:
    """No part of a chunk, and no smaller one from behind it."""
    of = ranking([(0, 0, 2), (0, 2, 12), (0, 12, 14)], [[[(0, 12, 13)]]], [[0, 1, 2]], 3)
    assert of.within_budget(5, "Recall").tolist() == [1]
    assert values("Recall(budget=5)", of) == values("EvidenceRecall(budget=5)", of) == [0.0]


@pytest.mark.parametrize(
    ("spans", "share"),
    [
        ([(0, 0, 4), (0, 2, 6)], 4 / 6),
        ([(0, 0, 6), (0, 0, 2)], 4 / 6),
        ([(0, 0, 8), (0, 6, 8), (0, 7, 8)], 4 / 8),
        ([(0, 0, 4), (0, 4, 8)], 4 / 8),
    ],
)
def test_a_character_that_two_spans_of_an_alternative_share_is_one(spans: list[Span], share: float) -> None:
    """Sets of characters: of the 6 that [0, 4) and [2, 6) need together, [0, 4) has 4, not 6 of 8."""
    of = ranking(tiles(4), [[spans]], [[0, 3]], 5)
    assert values("EvidenceRecall(budget=4)", of) == pytest.approx([share])


@pytest.mark.parametrize("name", ["Recall", "EvidenceRecall"])
@pytest.mark.parametrize("budget", [7, 11, 13, 17])
def test_a_budget_beyond_the_depth_is_an_error_that_says_which_depth_is_enough(name: str, budget: int) -> None:
    asked, row = [[ONE[0]]], list(range(9, -1, -1))
    metric = f"{name}(budget={budget})"
    with pytest.raises(InputError) as caught:
        measure(metric, ranking(tiles(2), asked, [row[:3]], 3))
    assert caught.value.where == metric
    assert "3 chunks hold only 6 characters" in caught.value.what
    assert caught.value.exit_code == 2
    (depth,) = map(int, re.findall(r"\d+", caught.value.remedy))
    assert depth > 3
    assert values(metric, ranking(tiles(2), asked, [row[:depth]], depth)) == [0.0]


def test_a_budget_that_the_depth_fills_to_the_last_character_is_enough() -> None:
    """Every further chunk has a character at least, so what comes next cannot fit."""
    of = ranking(tiles(2), [[ONE[0]], [ONE[3]]], [[0, 1, 2], [0, 1, 2]], 3)
    assert values("Recall(budget=6)", of) == [1.0, 0.0]
    assert values("EvidenceRecall(budget=6)", of) == [1.0, 0.0]


def test_a_short_ranking_leaves_nothing_open() -> None:
    """The retriever found one chunk of ten within a depth of two: there is nothing behind it, whatever the budget."""
    of = ranking(tiles(2), [[ONE[0]], [ONE[1]], [ONE[1]]], [[0], [0], []], 2)
    assert values("Recall(budget=1000)", of) == values("EvidenceRecall(budget=1000)", of) == [1.0, 0.0, 0.0]


def test_a_depth_beyond_all_chunks_leaves_nothing_open() -> None:
    of = ranking(tiles(10), [[[(0, 19, 20)]]], [[0, 1]], 2)
    assert values("Recall@50", of) == values("Recall(budget=1000)", of) == [1.0]
    assert values("ChunkPrecision@50", of) == [1 / 50]


@pytest.mark.parametrize("metric", ["rank", "Recall(budget=3)", "EvidenceRecall(budget=3)"])
def test_a_run_without_places_finds_nothing(metric: str) -> None:
    of = ranking(tiles(2), [[ONE[0]]], [[]], 0)
    assert values(metric, of) in ([None], [0.0])


@pytest.mark.parametrize("parameter", ["k", "budget"])
def test_a_cutoff_and_a_budget_made_in_python_are_at_least_1(parameter: str) -> None:
    """`ChunkRecall(k=-1)` would count all places but the last."""
    names = {"k": ["Recall", "MRR", "nDCG", *CHUNK_METRICS], "budget": ["Recall", "EvidenceRecall"]}[parameter]
    accepted = []
    for name in names:
        for value in (0, -1):
            try:
                accepted.append(str(catalog.component("metrics", name, {parameter: value}, "here")))
            except InputError as error:
                assert parameter in str(error)
    assert accepted == []


def test_recall_takes_a_cutoff_or_a_budget() -> None:
    for arguments in ({}, {"k": 5, "budget": 5}):
        with pytest.raises(InputError, match="budget"):
            catalog.component("metrics", "Recall", arguments, "here")
