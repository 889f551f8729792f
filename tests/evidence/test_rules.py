"""Other rules of "contains", against sets of characters."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from kugiri.errors import InputError
from kugiri.evidence.rules import ALL, ANY, TOUCHED, coverage_rule, lost_by_rule, rule_names
from worlds import Asked, World, chunking_of, corpus_of, coverage, is_lost, local_chunks, questions_of, worlds

SHARES = (0.5, 0.9, 1.0, 0.1)


@settings(max_examples=400)
@given(worlds())
def test_every_rule_is_what_sets_of_characters_say(world: World) -> None:
    chunking = chunking_of(world.corpus(), world.chunks)
    found = lost_by_rule(chunking, world.questions().evidence, SHARES)
    chunks = local_chunks(chunking)
    expected: dict[str, list[bool]] = {rule: [] for rule in rule_names(SHARES)}
    for asked in world.asked:
        expected[ANY].append(is_lost(chunks, asked))
        expected[ALL].append(any(coverage(chunks, span) < 1 for spans in asked for span in spans))
        for share in SHARES:
            least = Fraction(str(share))
            expected[coverage_rule(share)].append(_lost(asked, lambda span, t=least: coverage(chunks, span) >= t))
        expected[TOUCHED].append(_lost(asked, lambda span: coverage(chunks, span) > 0))
    assert {rule: mask.tolist() for rule, mask in found.items()} == expected
    assert tuple(found) == rule_names(SHARES)


def _lost(asked: Asked, held: object) -> bool:
    assert callable(held)
    return bool(asked) and not any(all(held(span) for span in spans) for spans in asked)


@settings(max_examples=200)
@given(worlds())
def test_a_stricter_rule_loses_more(world: World) -> None:
    found = lost_by_rule(chunking_of(world.corpus(), world.chunks), world.questions().evidence)
    ladder = [found[rule] for rule in (TOUCHED, "coverage(share=0.5)", "coverage(share=0.9)", ANY, ALL)]
    for lenient, strict in pairwise(ladder):
        assert not (lenient & ~strict).any()


def test_a_share_is_the_decimal_that_was_written() -> None:
    # 0.9 of ten characters is nine of them: in binary floating point 0.9 × 10 may be more.
    text = "一二三四五六七八九十"
    corpus = corpus_of([text])
    asked = questions_of(corpus, [[[(0, 0, 10)]]])
    for kept, share in ((9, 0.9), (7, 0.7), (3, 0.3), (1, 0.1)):
        chunking = chunking_of(corpus, [(0, 0, kept)])
        found = lost_by_rule(chunking, asked.evidence, (share, share + 0.01))
        assert [bool(found[coverage_rule(t)][0]) for t in (share, share + 0.01)] == [False, True]


@pytest.mark.parametrize("share", [0, -0.1, 1.5, True, "0.5"])
def test_what_is_no_share_is_refused(share: object) -> None:
    with pytest.raises(InputError, match="no share"):
        coverage_rule(share)  # type: ignore[arg-type]


def test_one_row_a_rule_however_often_it_is_asked_for() -> None:
    assert rule_names((0.5, 0.5)) == (ANY, ALL, "coverage(share=0.5)", TOUCHED)
    corpus = corpus_of(["始\u3000👩\u200d🍳はか\u3099\r\n。"])
    empty = chunking_of(corpus, [])
    found = lost_by_rule(empty, questions_of(corpus, [[[(0, 0, 2)]], []]).evidence)
    assert all(np.array_equal(mask, [True, False]) for mask in found.values())
