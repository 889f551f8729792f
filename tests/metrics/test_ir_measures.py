"""The chunk-level metrics are those of ir_measures, question by question."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from ranked_worlds import Ranked, random_ranked, relevant

NAMES = {"ChunkRecall": "R", "ChunkPrecision": "P", "ChunkNDCG": "nDCG"}


def qrels_of(drawn: Ranked) -> dict[str, dict[str, int]]:
    """Relevant chunks; a lost question is one row of relevance 0, an unanswerable one is none."""
    chunking = drawn.world.chunking()
    found: dict[str, dict[str, int]] = {}
    for number, asked in enumerate(drawn.world.asked):
        if asked:
            good = {chunking.chunk(chunk).id: 1 for chunk in sorted(relevant(drawn.chunks, asked))}
            found[f"q{number}"] = good or {"lost": 0}
    return found


def run_of_ids(drawn: Ranked) -> dict[str, dict[str, float]]:
    """Every ranked chunk, scored −rank; unanswerable questions too, as a retriever does not know them."""
    chunking = drawn.world.chunking()
    return {
        f"q{number}": {chunking.chunk(chunk).id: -float(place) for place, chunk in enumerate(row, start=1)}
        for number, row in enumerate(drawn.rows)
        if row
    }


def theirs(
    metric: str, qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    import ir_measures

    name, _, k = metric.partition("@")
    measure = getattr(ir_measures, NAMES[name]) @ int(k)
    return {found.query_id: found.value for found in ir_measures.iter_calc([measure], qrels, run)}


@pytest.mark.oracle
@pytest.mark.parametrize("name", NAMES)
def test_ir_measures_has_the_same_value_for_every_question(name: str) -> None:
    draw = random.Random(f"ir_measures {name}")
    seen: set[object] = set()
    compared = 0
    for _ in range(200):
        drawn = random_ranked(draw.randrange(10**9), draw.randint(1, 4), draw.randint(1, 14), draw.randint(1, 6))
        qrels, run = qrels_of(drawn), run_of_ids(drawn)
        for k in {1, 2, 5, drawn.depth} & set(range(1, drawn.depth + 1)):
            metric = f"{name}@{k}"
            ours = {f"q{n}": value for n, value in enumerate(drawn.measured(metric)) if value is not None}
            assert set(ours) == set(qrels)
            assert theirs(metric, qrels, run) == pytest.approx(ours, abs=1e-9), (metric, drawn)
            seen |= {"partial" if 0 < value < 1 else value for value in ours.values()}
            compared += len(ours)
    assert seen == {0.0, "partial", 1.0}
    assert compared > 1000


@pytest.mark.oracle
def test_ndcg_of_rank_is_that_of_ir_measures_where_one_chunk_is_relevant() -> None:
    draw = random.Random("one relevant chunk")
    compared = 0
    for _ in range(200):
        drawn = random_ranked(draw.randrange(10**9), draw.randint(1, 4), draw.randint(1, 14), draw.randint(1, 6))
        qrels, run = qrels_of(drawn), run_of_ids(drawn)
        ours = drawn.measured(f"nDCG@{drawn.depth}")
        usual = theirs(f"ChunkNDCG@{drawn.depth}", qrels, run)
        for number in range(len(ours)):
            if list(qrels.get(f"q{number}", {}).values()) == [1]:
                assert usual[f"q{number}"] == pytest.approx(ours[number], abs=1e-9)
                compared += 1
    assert compared > 100
