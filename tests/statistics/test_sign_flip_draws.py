from __future__ import annotations

import hashlib

import numpy as np

from kugiri.statistics import sign_flip
from kugiri.statistics.sign_flip import sign_flip_test


def noisy(clusters: int, pairs: int = 4):
    return np.random.default_rng(21).normal(0.2, 1.0, (clusters, pairs))


def test_L103_the_same_seed_gives_the_same_p_and_another_seed_another() -> None:
    sums = noisy(200)
    one, same, other = (sign_flip_test(sums, 2_000, seed) for seed in (5, 5, 6))
    assert one.p.tobytes() + one.p_adjusted.tobytes() == same.p.tobytes() + same.p_adjusted.tobytes()
    assert one.p.tobytes() != other.p.tobytes()
    assert (one.seed, other.seed) == (5, 6)


def test_L103_the_flips_are_those_of_every_other_machine() -> None:
    blocks = list(sign_flip._random_signs(100, 50, 1, 7))
    signs = np.concatenate(blocks)
    assert (
        hashlib.sha256(signs.astype(np.int8).tobytes()).hexdigest()
        == "77e92b4b81ee8be2c92b3ace474c94a8d21f7c758faa1eca44cae139af09eb7b"
    )
    assert set(signs.ravel().tolist()) == {-1.0, 1.0}


def test_signs_are_fair_and_independent_of_each_other() -> None:
    signs = np.concatenate(list(sign_flip._random_signs(130, 20_000, 2, 1_000)))
    limit = 4.5 / 20_000**0.5
    assert np.abs(signs.mean(axis=0)).max() < limit
    correlation = signs.T @ signs / 20_000
    assert np.abs(correlation - np.eye(130)).max() < limit


def test_blocks_change_nothing(monkeypatch) -> None:
    large, small = noisy(70), noisy(9)
    random, exact = sign_flip_test(large, 501, 4), sign_flip_test(small, 512, 4)
    for cells in (1, 700, 5_000):
        monkeypatch.setattr(sign_flip, "_CELLS", cells)
        assert sign_flip_test(large, 501, 4).p_adjusted.tolist() == random.p_adjusted.tolist()
        assert sign_flip_test(small, 512, 4).p_adjusted.tolist() == exact.p_adjusted.tolist()
