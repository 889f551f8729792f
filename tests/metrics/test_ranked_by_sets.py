"""Every ranked metric against its definition, by brute force over random worlds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_worlds import Ranked, random_ranked, ranked_worlds

import worlds
from kugiri.errors import InputError
from kugiri.metrics.rank import rank_classes
from worlds import Asked

AT_K = ("Recall", "MRR", "nDCG", "ChunkRecall", "ChunkPrecision", "ChunkNDCG")


def cutoffs(drawn: Ranked) -> list[int]:
    """Every k that the ranking reaches; where all chunks fit into the depth, more than there are too."""
    reached = list(range(1, drawn.depth + 1))
    return [*reached, drawn.depth + 1, drawn.depth + 7] if len(drawn.chunks) <= drawn.depth else reached


def left_open(drawn: Ranked, budget: int) -> list[int]:
    """Characters of each ranking that fills its depth and not the budget: a chunk behind it might still fit."""
    if drawn.depth >= len(drawn.chunks):
        return []
    used = [sum(drawn.chunks[c][2] - drawn.chunks[c][1] for c in row) for row in drawn.rows if len(row) == drawn.depth]
    return [characters for characters in used if characters <= budget]


def overlaps(asked: Asked) -> bool:
    """Whether two different spans of one alternative share a character."""
    return any(
        sum(len(worlds.characters(span)) for span in set(spans))
        != len({place for span in spans for place in worlds.characters(span)})
        for spans in asked
    )


@settings(max_examples=150)
@given(ranked_worlds())
def test_rank_and_its_classes(drawn: Ranked) -> None:
    ranks = drawn.written("rank")
    assert drawn.measured("rank") == ranks
    assert drawn.ranking.rank.tolist() == [place or 0 for place in ranks]
    answerable = [place for place, asked in zip(ranks, drawn.world.asked, strict=True) if asked]
    ranges = (range(1, 2), range(2, 6), range(6, 21))
    counts = [sum(place in among for place in answerable) for among in ranges]
    assert rank_classes(drawn.ranking) == (*counts, len(answerable) - sum(counts))


@settings(max_examples=100)
@given(ranked_worlds())
def test_metrics_at_k(drawn: Ranked) -> None:
    for metric in (f"{name}@{k}" for name in AT_K for k in cutoffs(drawn)):
        assert drawn.measured(metric) == pytest.approx(drawn.written(metric), abs=1e-12), metric


@settings(max_examples=60)
@given(ranked_worlds(), st.integers(1, 50), st.sampled_from(AT_K))
def test_a_cutoff_beyond_the_depth_is_an_error(drawn: Ranked, beyond: int, name: str) -> None:
    k = drawn.depth + beyond
    if len(drawn.chunks) <= drawn.depth:
        return
    with pytest.raises(InputError) as caught:
        drawn.measured(f"{name}@{k}")
    assert caught.value.where == f"{name}@{k}"
    assert f"depth of the run, {drawn.depth}" in caught.value.what
    assert f"depth = {k}" in caught.value.remedy


@settings(max_examples=100)
@given(ranked_worlds(), st.integers(1, 60))
def test_recall_within_a_budget(drawn: Ranked, budget: int) -> None:
    _check_budget(drawn, "Recall", budget)


@settings(max_examples=100)
@given(ranked_worlds(), st.integers(1, 60))
def test_evidence_recall_within_a_budget(drawn: Ranked, budget: int) -> None:
    """Where no two spans of an alternative overlap."""
    if not any(map(overlaps, drawn.world.asked)):
        _check_budget(drawn, "EvidenceRecall", budget)


@settings(max_examples=100)
@given(ranked_worlds(), st.integers(1, 60))
def test_evidence_recall_counts_a_character_of_two_overlapping_spans_once(drawn: Ranked, budget: int) -> None:
    if any(map(overlaps, drawn.world.asked)):
        _check_budget(drawn, "EvidenceRecall", budget)


def _check_budget(drawn: Ranked, name: str, budget: int) -> None:
    """The right value, or a refusal where what lies behind the depth could change it."""
    metric, open_ends = f"{name}(budget={budget})", left_open(drawn, budget)
    try:
        found = drawn.measured(metric)
    except InputError as error:
        assert open_ends
        assert error.where == metric
        assert f"{drawn.depth} chunks hold only" in error.what
        assert int("".join(filter(str.isdigit, error.remedy))) > drawn.depth
    else:
        assert found == pytest.approx(drawn.written(metric), abs=1e-12)
        assert name == "Recall" or not open_ends or max(open_ends) == budget


def test_the_random_worlds_hold_everything_that_is_tested() -> None:
    seen: set[str] = set()
    for seed in range(400):
        drawn = random_ranked(seed, 1 + seed % 4, seed % 15, 1 + seed % 6)
        seen.add("shallow" if drawn.depth < len(drawn.chunks) else "deep" if drawn.depth > len(drawn.chunks) else "as")
        for number, (row, asked) in enumerate(zip(drawn.rows, drawn.world.asked, strict=True)):
            place, good = drawn.ranks[number], drawn.relevant[number]
            seen.add("empty run" if not row else "run")
            seen.add("unanswerable" if not asked else "lost" if worlds.is_lost(drawn.chunks, asked) else "kept")
            seen.add(f"rank {place}")
            seen.add("several relevant" if len(good) > 1 else f"{len(good)} relevant")
            seen.update({"overlapping spans"} if overlaps(asked) else {"disjoint spans"})
            seen.update({"alternatives"} if len(asked) > 1 else ())
            seen.update({"kept, not found"} if good and place is None else ())
    assert seen >= {"shallow", "deep", "as", "empty run", "run", "unanswerable", "lost", "kept", "alternatives"}
    assert seen >= {"rank None", "rank 1", "rank 2", "rank 3", "rank 6", "several relevant", "1 relevant"}
    assert seen >= {"overlapping spans", "disjoint spans", "kept, not found"}
