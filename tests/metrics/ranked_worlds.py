"""Random rankings over random worlds, and what DESIGN §7 says of them, by loops over chunks and sets of characters.

Nothing here knows of arrays: a ranking is a list of chunk numbers, best first, and every definition is read off it.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import log2

import numpy as np
from hypothesis import strategies as st

import worlds
from kugiri import catalog
from kugiri.evidence.loss import EvidenceLoss, loss_of
from kugiri.labels import parse
from kugiri.metrics.ranking import Ranking
from kugiri.model.outcomes import Outcomes
from kugiri.model.run import Run
from worlds import Asked, Span, World

Row = Sequence[int]


def run_of(rows: Sequence[Row], depth: int) -> Run:
    """The run that ranks these chunks, best first."""
    chunk = np.full((len(rows), depth), -1, dtype=np.int32)
    score = np.full((len(rows), depth), np.nan)
    for number, row in enumerate(rows):
        chunk[number, : len(row)] = row
        score[number, : len(row)] = -np.arange(1.0, len(row) + 1)
    return Run(chunk, score, np.array([len(row) for row in rows], dtype=np.int32), np.zeros(len(rows), dtype=bool))


@dataclasses.dataclass(frozen=True)
class Ranked:
    """A world and the chunks ranked for each of its questions."""

    world: World
    rows: tuple[tuple[int, ...], ...]
    depth: int

    @cached_property
    def chunks(self) -> list[Span]:
        return worlds.local_chunks(self.world.chunking())

    @cached_property
    def loss(self) -> EvidenceLoss:
        return loss_of("drawn", self.world.chunking(), self.world.questions())

    @cached_property
    def ranking(self) -> Ranking:
        return Ranking.of(self.loss, run_of(self.rows, self.depth))

    @cached_property
    def ranks(self) -> list[int | None]:
        return [rank(self.chunks, row, asked) for row, asked in zip(self.rows, self.world.asked, strict=True)]

    @cached_property
    def relevant(self) -> list[set[int]]:
        return [relevant(self.chunks, asked) for asked in self.world.asked]

    def measured(self, metric: str) -> list[float | None]:
        return plain(measure(metric, self.ranking))

    def written(self, metric: str) -> list[float | None]:
        return [self._written(metric, number) for number in range(len(self.rows))]

    def _written(self, metric: str, number: int) -> float | None:
        row, asked = self.rows[number], self.world.asked[number]
        label = parse(metric)
        if not asked:
            return None
        if label.name == "rank":
            return self.ranks[number]
        if "budget" in dict(label.arguments):
            taken = prefix(self.chunks, row, dict(label.arguments)["budget"])
            return float(
                evidence_share(taken, asked) if label.name == "EvidenceRecall" else worlds.is_kept(taken, asked)
            )
        assert label.cutoff is not None
        return at_k(label.name, label.cutoff, row, self.ranks[number], self.relevant[number])


def measure(metric: str, ranking: Ranking) -> Outcomes:
    return catalog.metric(parse(metric)).of(ranking)


def plain(outcomes: Outcomes) -> list[float | None]:
    """The values, None where there is none."""
    return [float(v) if d else None for v, d in zip(outcomes.value, outcomes.defined, strict=True)]


def mean(values: Sequence[float | None]) -> float:
    """Over the questions that have a value; 0 where none has, for inequalities."""
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else 0.0


def ranked_worlds(answerable: bool = False) -> st.SearchStrategy[Ranked]:
    return st.builds(
        random_ranked,
        seed=st.integers(0, 10**6),
        documents=st.integers(1, 4),
        pieces=st.integers(0, 14),
        questions=st.integers(1, 6),
        answerable=st.just(answerable),
    )


def random_ranked(seed: int, documents: int, pieces: int, questions: int, answerable: bool = False) -> Ranked:
    """Rankings of every shape: none, short, all chunks, what is useful first; depths below and above the chunks."""
    world = worlds.random_world(seed, documents, pieces, questions, answerable)
    chunks = worlds.local_chunks(world.chunking())
    draw = random.Random(f"{seed} ranked")
    depth = draw.choice((1, 2, 3, 5, max(1, len(chunks) - 1), max(1, len(chunks)), len(chunks) + 3))
    return Ranked(world, tuple(_random_row(draw, chunks, asked, depth) for asked in world.asked), depth)


def _random_row(draw: random.Random, chunks: Sequence[Span], asked: Asked, depth: int) -> tuple[int, ...]:
    row = draw.sample(range(len(chunks)), len(chunks))
    shape = draw.choice(("nothing", "short", "all", "all", "useful", "useful"))
    if shape == "nothing":
        return ()
    if shape == "short":
        return tuple(row[: min(depth, draw.randint(0, len(row)))])
    if shape == "useful":
        useful = relevant(chunks, asked)
        row.sort(key=lambda chunk: chunk not in useful or draw.random() < 0.3)
    return tuple(row[:depth])


# ------------------------------------------------------------------------------------------------ DESIGN §7
def rank(chunks: Sequence[Span], row: Row, asked: Asked) -> int | None:
    """The first position at which some alternative is complete."""
    places = range(1, len(row) + 1)
    return next((place for place in places if worlds.is_kept([chunks[c] for c in row[:place]], asked)), None)


def prefix(chunks: Sequence[Span], row: Row, budget: int) -> list[Span]:
    """The longest prefix whose chunk lengths, overlap counted each time, sum to at most the budget."""
    best: list[Span] = []
    for count in range(len(row) + 1):
        taken = [chunks[chunk] for chunk in row[:count]]
        if sum(e - s for _, s, e in taken) <= budget:
            best = taken
    return best


def relevant(chunks: Sequence[Span], asked: Asked) -> set[int]:
    """Every chunk that wholly contains a span of a kept alternative; none if lost."""
    kept = [spans for spans in asked if all(worlds.is_contained(chunks, span) for span in spans)]
    return {
        number
        for number, chunk in enumerate(chunks)
        if any(worlds.holds(chunk, span) for spans in kept for span in spans)
    }


def evidence_share(taken: Sequence[Span], asked: Asked) -> Fraction:
    """The best alternative's share of characters inside the union; a character that two spans share is one."""
    union = {place for chunk in taken for place in worlds.characters(chunk)}
    needed = [{place for span in spans for place in worlds.characters(span)} for spans in asked]
    return max(Fraction(len(places & union), len(places)) for places in needed)


def usual_ndcg(gains: Sequence[int], relevant_in_all: int, k: int) -> float:
    """Binary nDCG at k: Σ gain / log2(1 + place), divided by the same sum of the best order there could be."""
    ideal = sum(1 / log2(1 + place) for place in range(1, min(relevant_in_all, k) + 1))
    found = sum(gain / log2(1 + place) for place, gain in enumerate(gains[:k], start=1))
    return found / ideal if ideal else 0.0


def at_k(name: str, k: int, row: Row, place: int | None, good: set[int]) -> float:
    """The value of `name@k` for an answerable question."""
    found = place is not None and place <= k
    gains = [int(chunk in good) for chunk in row]
    return {
        "Recall": lambda: float(found),
        "MRR": lambda: 1 / place if found and place else 0.0,
        "nDCG": lambda: 1 / log2(1 + place) if found and place else 0.0,
        "ChunkRecall": lambda: sum(gains[:k]) / len(good) if good else 0.0,
        "ChunkPrecision": lambda: sum(gains[:k]) / k,
        "ChunkNDCG": lambda: usual_ndcg(gains, len(good), k),
    }[name]()
