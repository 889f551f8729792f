from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings

from kugiri.evidence.character_metrics import CharacterMetrics, character_metrics
from worlds import (
    HOSTILE,
    Asked,
    Span,
    World,
    chunking_of,
    corpus_of,
    fixed_windows,
    is_lost,
    questions_of,
    random_world,
    worlds,
    written_characters,
)

NAMES = ("recall", "precision", "iou", "omega")


def measured(world: World) -> CharacterMetrics:
    return character_metrics(world.chunking(), world.questions().evidence)


def check(world: World) -> None:
    found = measured(world)
    values = np.stack([getattr(found, name) for name in NAMES], axis=1)
    expected = [written_characters(world.chunks, asked) for asked in world.asked]
    assert found.defined.tolist() == [one is not None for one in expected]
    for row, one in zip(values, expected, strict=True):
        if one is None:
            assert np.isnan(row).all()
        else:
            assert row.tolist() == list(one), world
    defined = [one for one in expected if one is not None]
    for place, name in enumerate(NAMES):
        mean = found.means[name]
        assert (
            np.isnan(mean) if not defined else mean == pytest.approx(sum(one[place] for one in defined) / len(defined))
        )


@settings(max_examples=300)
@given(worlds())
def test_against_sets_of_characters(world: World) -> None:
    check(world)


@pytest.mark.slow
def test_against_sets_of_characters_in_thousands_of_worlds() -> None:
    draw = random.Random(61)
    for _ in range(2000):
        check(random_world(draw.randrange(10**9), draw.randint(1, 4), draw.randint(0, 14), draw.randint(1, 6)))


def one(chunks: list[Span], asked: Asked, *texts: str) -> dict[str, float]:
    corpus = corpus_of(texts or (HOSTILE,))
    found = character_metrics(chunking_of(corpus, chunks), questions_of(corpus, [asked]).evidence)
    return {name: float(getattr(found, name)[0]) for name in NAMES}


def test_a_chunk_that_merely_touches_counts_in_omega_and_nowhere_else() -> None:
    tiling = [(0, 0, 4), (0, 4, 8), (0, 8, 12), (0, 12, 16)]
    whole = one(tiling, [[(0, 4, 8)]])
    assert whole == {"recall": 1.0, "precision": 1.0, "iou": 1.0, "omega": 4 / 12}
    inside = one(tiling, [[(0, 5, 7)]])
    assert inside == {"recall": 1.0, "precision": 2 / 4, "iou": 2 / 4, "omega": 2 / 4}
    # One side only.
    assert one(tiling, [[(0, 4, 7)]])["omega"] == 3 / 8
    # Nothing but touched: no character of the evidence is in a chunk.
    apart = one([(0, 0, 4), (0, 8, 12)], [[(0, 4, 8)]])
    assert apart == dict.fromkeys(NAMES, 0.0)


def test_a_chunk_of_another_document_does_not_touch() -> None:
    texts = ("か\u3099\u3000🍣", "👩\u200d🍳\r\n", "終わり")
    ends = [(0, 0, 4), (1, 0, 5), (2, 0, 3)]
    assert one(ends, [[(1, 0, 5)]], *texts)["omega"] == 1.0
    assert one([ends[0], ends[2]], [[(1, 0, 5)]], *texts)["omega"] == 0.0
    assert one(ends, [[(0, 0, 4), (2, 0, 3)]], *texts)["omega"] == 1.0
    # An empty document lies between them.
    assert one([(0, 0, 4), (2, 0, 3)], [[(2, 0, 3)]], texts[0], "", texts[2])["omega"] == 1.0


def test_shared_characters_count_twice_in_sums_and_once_in_unions() -> None:
    overlapping = [(0, 0, 8), (0, 4, 12), (0, 8, 16)]
    # The first ends where the span starts and the last starts where it ends.
    assert one(overlapping, [[(0, 5, 7)]]) == {"recall": 1.0, "precision": 2 / 16, "iou": 2 / 16, "omega": 2 / 12}
    # Two spans of one alternative reach the same chunk: it counts once.
    assert one(overlapping[:1], [[(0, 1, 2), (0, 3, 4)]])["precision"] == 2 / 8
    # Spans that share characters have each of them once.
    assert one([(0, 0, 4)], [[(0, 0, 3), (0, 1, 6)]]) == {
        "recall": 4 / 6,
        "precision": 1.0,
        "iou": 4 / 6,
        "omega": 4 / 6,
    }


def test_evidence_in_no_chunk_and_no_chunk_at_all() -> None:
    assert one([], [[(0, 0, 3)]]) == dict.fromkeys(NAMES, 0.0)
    assert one([(0, 2, 6)], [[(0, 0, 4)]]) == {"recall": 2 / 4, "precision": 2 / 4, "iou": 2 / 6, "omega": 2 / 6}


@pytest.mark.parametrize("asked", [[], [[(0, 0, 1)], [(0, 2, 3)]]])
def test_undefined_without_an_alternative_and_with_several(asked: Asked) -> None:
    values = one([(0, 0, 8)], asked)
    assert all(np.isnan(value) for value in values.values())
    # Identical alternatives are one.
    assert one([(0, 0, 8)], [[(0, 0, 1)], [(0, 0, 1)]])["recall"] == 1.0


def test_where_nothing_overlaps_and_nothing_merely_touches_omega_is_iou() -> None:
    draw = random.Random(5)
    for _ in range(300):
        size, inner = draw.randint(3, 8), draw.randint(1, 8)
        corpus = corpus_of([HOSTILE * 4])
        chunks = [(0, s, e) for s, e in fixed_windows(corpus.characters, size, 0)]
        start = draw.randrange(corpus.characters - inner)
        if start % size == 0 or (start + inner) % size == 0:
            continue
        values = one(chunks, [[(0, start, start + inner)]], *corpus.texts)
        assert values["omega"] == values["iou"]


def test_a_recall_of_one_hides_what_is_cut() -> None:
    text = HOSTILE * 3
    chunks = [(0, s, e) for s, e in fixed_windows(len(text), 5, 0)]
    asked = [[(0, 3, 7)]]
    assert is_lost(chunks, asked)
    assert one(chunks, asked, text)["recall"] == 1.0
