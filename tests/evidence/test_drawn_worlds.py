"""Worlds drawn as text: every drawing says what it means, and a drawing that does not is refused."""

from __future__ import annotations

import pytest

from kugiri.errors import InputError, InvariantError
from kugiri.evidence.lost import CAUSES
from kugiri.testing.drawn import lost, world
from worlds import local_chunks


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("ab[c|d]e", 1),
        ("ab|[cd]|e", 0),
        ("ab|[cde]", 0),
        ("[abcde]", 0),
        ("[ab|cde]", 1),
        ("[あ]|い", 0),
        ("[🍣|か\u3099]\u3000\r\n", 1),
        ("|ab[cd]|", 0),
        ("ab||[cd]e", 0),
        ("⟨ab⟨[cd]⟩ef⟩", 0),
        ("⟨ab[c⟨d⟩e]f⟩", 1),
        ("⟨ab⟩[cd]⟨ef⟩", 1),
        ("⟨ab[c⟩d]", 1),
        ("[c|d][e]", 0),
        ("[c|d]|[e|f]", 1),
    ],
)
def test_drawings(drawing: str, expected: int) -> None:
    assert lost(drawing) == expected


def test_all_evidence_together() -> None:
    assert lost("[ab]|[cd]", together=True) == 0
    assert lost("[ab]|[c|d]", together=True) == 1
    assert lost("[ab]|[c|d]") == 0


@pytest.mark.parametrize(
    ("drawing", "cause", "cut"),
    [("ab[c|d]e", "cut", 3), ("[ab|c]", "too_long", 2), ("⟨a⟩[b]⟨c⟩", "dropped", -1), ("⟨a[b⟩c]⟨d⟩", "dropped", -1)],
)
def test_causes_can_be_drawn(drawing: str, cause: str, cut: int) -> None:
    rows = world(drawing).loss.rows
    assert [CAUSES[number] for number in rows.cause] == [cause]
    assert rows.cut_at.tolist() == [cut]


def test_chunks_are_the_pieces_or_the_angle_brackets() -> None:
    assert local_chunks(world("ab[c|d]e|").chunking) == [(0, 0, 3), (0, 3, 5)]
    assert local_chunks(world("⟨ab⟨[cd]⟩ef⟩").chunking) == [(0, 0, 4), (0, 2, 6)]
    assert world("ab[c|d]e").corpus.texts == ("abcde",)


@pytest.mark.parametrize("drawing", ["ab[cd", "abcd]", "a[b[c]d]", "⟨ab[c]", "ab[c]⟩", "a]b[c"])
def test_brackets_pair(drawing: str) -> None:
    with pytest.raises(ValueError, match="pair"):
        world(drawing)


def test_evidence_without_a_character_is_refused() -> None:
    with pytest.raises(InputError):
        world("a[]b")


def test_chunks_that_are_none_are_refused() -> None:
    with pytest.raises(InvariantError):
        world("[a]⟨⟩b")


def test_no_evidence_is_an_unanswerable_question() -> None:
    assert world("ab|cd").questions.answerable.tolist() == [False]
    assert lost("ab|cd") == 0
