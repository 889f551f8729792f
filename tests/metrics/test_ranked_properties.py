"""What holds between the metrics for every ranking (DESIGN §7)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_worlds import Ranked, mean, measure, plain, ranked_worlds, usual_ndcg

import worlds
from kugiri.errors import InputError
from kugiri.evidence.loss import loss_of
from kugiri.metrics.needs import Needs
from kugiri.metrics.ranking import Ranking
from kugiri.retrievers.oracle import Oracle
from kugiri.retrievers.protocol import EvidenceRanges, RetrievalTask
from worlds import World

MEANS = ("Recall@1", "MRR@1", "nDCG@1", "ChunkRecall@1", "ChunkPrecision@1", "ChunkNDCG@1", "Recall(budget=1)")
EVERY = (*MEANS, "EvidenceRecall(budget=1)", "rank")


def oracle_ranking(world: World) -> Ranking | None:
    chunking, questions = world.chunking(), world.questions()
    if not len(chunking):
        return None
    loss, evidence = loss_of("drawn", chunking, questions), questions.evidence
    found = loss.containment
    ranges = EvidenceRanges(found.first, found.last, evidence.alternative, evidence.question)
    task = RetrievalTask(chunking, questions.ids, questions.texts, ranges)
    return Ranking.of(loss, Oracle().rank(task))


def within_depth(drawn: Ranked, metric: str) -> list[float | None] | None:
    """The values, None where the run is not deep enough."""
    try:
        return drawn.measured(metric)
    except InputError:
        return None


@settings(max_examples=60)
@given(ranked_worlds(answerable=True))
def test_no_ranking_beats_the_ceiling_that_the_cut_leaves(drawn: Ranked) -> None:
    needs = plain(Needs().of(drawn.loss))
    answerable = sum(map(bool, drawn.world.asked))
    for k in range(1, drawn.depth + 1):
        ceiling = sum(fewest is not None and fewest <= k for fewest in needs) / answerable
        assert mean(drawn.measured(f"Recall@{k}")) <= ceiling + 1e-12
        assert ceiling <= 1 - drawn.loss.lost_rate + 1e-12
    ranks = drawn.measured("rank")
    assert all(fewest is not None and fewest <= place for fewest, place in zip(needs, ranks, strict=True) if place)


@settings(max_examples=60)
@given(worlds.worlds(answerable=True))
def test_the_oracle_attains_the_ceiling(world: World) -> None:
    ranking = oracle_ranking(world)
    if ranking is None:
        return
    needs = plain(Needs().of(ranking.loss))
    assert plain(measure("rank", ranking)) == needs
    answerable = sum(map(bool, world.asked))
    for k in (1, 2, 3, 5, 20, 100):
        ceiling = sum(fewest is not None and fewest <= k for fewest in needs) / answerable
        assert mean(plain(measure(f"Recall@{k}", ranking))) == pytest.approx(ceiling)
    assert mean(plain(measure("Recall@100", ranking))) == pytest.approx(1 - ranking.loss.lost_rate)


@settings(max_examples=60)
@given(ranked_worlds())
def test_more_places_and_more_characters_never_lose_an_answer(drawn: Ranked) -> None:
    for name in ("Recall", "MRR", "nDCG", "ChunkRecall"):
        table = [drawn.measured(f"{name}@{k}") for k in range(1, drawn.depth + 1)]
        for fewer, more in pairwise(table):
            assert all(a is None or (b is not None and a <= b) for a, b in zip(fewer, more, strict=True)), name
    for name in ("Recall", "EvidenceRecall"):
        table = [
            v for b in (1, 2, 4, 7, 11, 18, 30, 50, 80) if (v := within_depth(drawn, f"{name}(budget={b})")) is not None
        ]
        for fewer, more in pairwise(table):
            assert all(a is None or (b is not None and a <= b) for a, b in zip(fewer, more, strict=True)), name


@settings(max_examples=60)
@given(ranked_worlds())
def test_lost_questions_are_0_and_unanswerable_ones_nothing(drawn: Ranked) -> None:
    for metric in EVERY:
        values = within_depth(drawn, metric)
        if values is None:
            continue
        for value, asked in zip(values, drawn.world.asked, strict=True):
            if not asked:
                assert value is None, metric
            elif metric in MEANS:
                assert value is not None
                assert 0 <= value <= 1
                assert value == 0 or not worlds.is_lost(drawn.chunks, asked), metric
            elif metric == "rank":
                assert value is None or not worlds.is_lost(drawn.chunks, asked)
            else:
                assert value is not None
                assert 0 <= value <= 1


@settings(max_examples=60)
@given(ranked_worlds())
def test_where_one_chunk_is_relevant_ndcg_is_the_usual_one(drawn: Ranked) -> None:
    for k in range(1, drawn.depth + 1):
        of_rank, of_chunks = drawn.measured(f"nDCG@{k}"), drawn.measured(f"ChunkNDCG@{k}")
        for number, (row, good) in enumerate(zip(drawn.rows, drawn.relevant, strict=True)):
            if len(good) == 1:
                usual = usual_ndcg([int(chunk in good) for chunk in row], 1, k)
                assert of_rank[number] == pytest.approx(usual, abs=1e-12)
                assert of_chunks[number] == pytest.approx(usual, abs=1e-12)


@settings(max_examples=60)
@given(ranked_worlds())
def test_recall_mrr_and_ndcg_are_functions_of_rank(drawn: Ranked) -> None:
    k = drawn.depth
    ranks, answerable = drawn.measured("rank"), [bool(asked) for asked in drawn.world.asked]
    for name, gain in (("Recall", lambda r: 1.0), ("MRR", lambda r: 1 / r), ("nDCG", lambda r: 1 / np.log2(1 + r))):
        expected = [(gain(place) if place else 0.0) if a else None for place, a in zip(ranks, answerable, strict=True)]
        assert drawn.measured(f"{name}@{k}") == pytest.approx(expected, abs=1e-15)


@settings(max_examples=60)
@given(ranked_worlds())
def test_what_fits_into_the_budget_is_what_the_same_number_of_places_gives(drawn: Ranked) -> None:
    """A budget that holds all chunks, each of them once, is Recall at the depth."""
    everything = sum(e - s for _, s, e in drawn.chunks) + 1
    if drawn.depth >= len(drawn.chunks):
        assert drawn.measured(f"Recall(budget={everything})") == drawn.measured(f"Recall@{drawn.depth}")


@settings(max_examples=60)
@given(ranked_worlds(), st.randoms(use_true_random=False))
def test_no_question_changes_the_value_of_another(drawn: Ranked, draw: object) -> None:
    order = sorted(range(len(drawn.rows)), key=lambda _: draw.random())  # type: ignore[attr-defined]
    moved = Ranked(
        World(
            drawn.world.texts, drawn.world.paragraphs, tuple(drawn.world.asked[i] for i in order), drawn.world.chunks
        ),
        tuple(drawn.rows[i] for i in order),
        drawn.depth,
    )
    for metric in ("rank", f"Recall@{drawn.depth}", f"ChunkNDCG@{drawn.depth}", f"ChunkRecall@{drawn.depth}"):
        values = drawn.measured(metric)
        assert moved.measured(metric) == [values[i] for i in order]


@settings(max_examples=60)
@given(ranked_worlds(answerable=True), st.integers(1, 40))
def test_the_size_of_the_blocks_changes_nothing(drawn: Ranked, cells: int) -> None:
    from kugiri.metrics import ranking

    metrics = ("rank", f"ChunkRecall@{drawn.depth}", f"ChunkNDCG@{drawn.depth}")
    expected = [drawn.measured(metric) for metric in metrics]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "_CELLS_AT_ONCE", cells)
        again = Ranked(drawn.world, drawn.rows, drawn.depth)
        assert [again.measured(metric) for metric in metrics] == expected
