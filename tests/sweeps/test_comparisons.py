from __future__ import annotations

import random
from itertools import combinations

import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.sweeps.run import run
from sweep_worlds import ASKED, DIGESTS, EIGHT, Broken, plan_of, swept
from worlds import cluster_keys, is_lost, local_chunks, random_world


def test_wins_ties_and_losses_against_counting() -> None:
    draw = random.Random(6)
    chunkers = (Fixed(2), Fixed(4), Fixed(3, 1), Paragraph())
    for _ in range(60):
        world = random_world(draw.randrange(10**9), 3, 12, 10, answerable=True)
        results = run(plan_of(*chunkers), world.corpus(), world.questions(), DIGESTS)
        lost = {
            str(result.configuration): [
                is_lost(local_chunks(result.loss.chunking), asked) for asked in world.asked if asked
            ]
            for result in results.configurations
        }
        assert [(pair.a, pair.b) for pair in results.comparisons] == list(combinations(map(str, chunkers), 2))
        for pair in results.comparisons:
            a, b = lost[pair.a], lost[pair.b]
            assert pair.questions == len(a) == pair.wins + pair.ties + pair.losses
            assert pair.wins == sum(x and not y for x, y in zip(a, b, strict=True))
            assert pair.losses == sum(y and not x for x, y in zip(a, b, strict=True))
            assert pair.value_a == pytest.approx(sum(a) / len(a))
            assert pair.value_b == pytest.approx(sum(b) / len(b))
            assert pair.clusters == len({key for key in cluster_keys(world, "paragraph") if key is not None})


def test_swapping_two_configurations_swaps_wins_and_losses() -> None:
    (one,), (two,) = (swept(*pair).comparisons for pair in ((Fixed(4), Paragraph()), (Paragraph(), Fixed(4))))
    assert (one.wins, one.ties, one.losses) == (two.losses, two.ties, two.wins)
    assert (one.value_a, one.value_b) == (two.value_b, two.value_a)
    assert one.wins + one.losses > 0


def test_identical_systems_only_tie() -> None:  # L101
    (pair,) = swept(Fixed(3), Fixed(3, 0.2)).comparisons
    assert (pair.wins, pair.losses, pair.ties) == (0, 0, sum(bool(asked) for asked in ASKED))
    assert pair.decision != "nested"


def test_a_baseline_is_compared_with_every_other_and_stands_first() -> None:
    results = swept(*EIGHT, baseline="fixed(size=8)")
    others = [str(chunker) for chunker in EIGHT if str(chunker) != "fixed(size=8)"]
    assert [(pair.a, pair.b) for pair in results.comparisons] == [("fixed(size=8)", other) for other in others]


def test_where_the_baseline_fails_nothing_is_compared() -> None:
    results = swept(Fixed(4), Broken(), Paragraph(), baseline="broken()")
    assert results.comparisons == ()
    assert len(results.configurations) == 2


def test_nested_pairs_are_named() -> None:
    results = swept(Fixed(2), Fixed(4), Fixed(4, 1), Fixed(6), Fixed(8, 0.1), Paragraph())
    nested = {(pair.a, pair.b) for pair in results.comparisons if pair.decision == "nested"}
    assert nested == {
        ("fixed(size=2)", "fixed(size=4)"),
        ("fixed(size=2)", "fixed(size=6)"),
        ("fixed(size=2)", "fixed(size=8, overlap=0.1)"),
        ("fixed(size=4)", "fixed(size=8, overlap=0.1)"),
    }


def test_in_a_nested_pair_one_lost_set_contains_the_other() -> None:
    draw = random.Random(9)
    seen = 0
    for _ in range(80):
        world = random_world(draw.randrange(10**9), 3, 14, 10, answerable=True)
        results = run(plan_of(*(Fixed(size) for size in (1, 2, 3, 4, 6))), world.corpus(), world.questions(), DIGESTS)
        lost = {str(result.configuration): set(result.loss.lost_ids) for result in results.configurations}
        for pair in results.comparisons:
            if pair.decision == "nested":
                assert lost[pair.a] >= lost[pair.b]
                assert pair.losses == 0
                seen += pair.wins > 0
    assert seen > 20
