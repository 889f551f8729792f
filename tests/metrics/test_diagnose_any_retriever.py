"""`kugiri.diagnose`: any function that retrieves, measured as the ranks of the brute-force worlds say."""

from __future__ import annotations

from typing import Any

import pytest
from ranked_worlds import Ranked, random_ranked, rank

from kugiri.errors import InputError
from kugiri.sweeps.diagnose import diagnose


def test_any_callable_is_diagnosed() -> None:
    for seed in range(60):
        drawn: Ranked = random_ranked(seed, 1 + seed % 3, 3 + seed % 10, 1 + seed % 5, answerable=True)
        chunking, questions = drawn.world.chunking(), drawn.world.questions()
        named = dict(zip(questions.texts, drawn.rows, strict=True))

        def retrieve(question: str, k: int, named: Any = named, chunking: Any = chunking) -> list[Any]:
            return [None, *(chunking.chunk(chunk).id for chunk in named[question]), -1][: k + 2]

        if not any(drawn.rows):
            continue
        found = diagnose(drawn.world.corpus(), questions, chunking, retrieve, depth=100)
        expected = [rank(drawn.chunks, row, asked) for row, asked in zip(drawn.rows, drawn.world.asked, strict=True)]
        assert [row["rank"] for row in found.rows()] == expected
        assert "look first at" in repr(found)
        assert len(found.to_pandas()) == len(questions)
        # The same under ids of one's own, numbers too.
        ids = [str(number) for number in range(len(chunking))]
        again = diagnose(drawn.world.corpus(), questions, chunking, lambda q, k, n=named: n[q], ids=ids)
        assert [row["rank"] for row in again.rows()] == expected


def test_what_the_function_refuses() -> None:
    drawn = random_ranked(3, 2, 8, 3, answerable=True)
    corpus, questions, chunking = drawn.world.corpus(), drawn.world.questions(), drawn.world.chunking()
    with pytest.raises(InputError, match="depth = 0"):
        diagnose(corpus, questions, chunking, lambda q, k: [], depth=0)
    with pytest.raises(InputError, match="different ids"):
        diagnose(corpus, questions, chunking, lambda q, k: [], ids=["a", "a"])
    other = random_ranked(4, 3, 8, 3, answerable=True).world
    with pytest.raises(InputError, match="another corpus"):
        diagnose(other.corpus(), other.questions(), chunking, lambda q, k: [])
    with pytest.raises(InputError, match="0 of 1 ids match"):
        diagnose(corpus, questions, chunking, lambda q, k: ["nonsense"])
