from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings

from kugiri.evidence.clusters import question_clusters
from worlds import World, cluster_keys, worlds

By = Literal["paragraph", "document", "none"]


def numbered(keys: list[object]) -> list[int]:
    """The partition that keys stand for: the same number for the same key, −1 for None."""
    known: dict[object, int] = {}
    return [-1 if key is None else known.setdefault(key, len(known)) for key in keys]


def clusters(world: World, by: By) -> list[int]:
    return question_clusters(world.corpus(), world.questions().evidence, by).tolist()


@pytest.mark.parametrize("by", ["paragraph", "document", "none"])
@settings(max_examples=200)
@given(world=worlds())
def test_questions_belong_together_by_the_place_of_their_first_span(by: By, world: World) -> None:
    found = clusters(world, by)
    assert numbered([None if key < 0 else key for key in found]) == numbered(cluster_keys(world, by))
    answerable = {key for key in found if key >= 0}
    assert answerable == set(range(len(answerable)))


TEXTS = ("一二三四五六", "七八九十")


def two(
    first: list[list[tuple[int, int, int]]],
    second: list[list[tuple[int, int, int]]],
    *paragraphs: tuple[tuple[int, int], ...],
) -> bool:
    """Whether two questions are one cluster by paragraph."""
    found = clusters(World(TEXTS, paragraphs or ((), ()), (first, second), ()), "paragraph")
    return found[0] == found[1]


def test_the_first_span_in_file_order_decides_not_the_first_on_the_axis() -> None:
    recorded = ((0, 3), (3, 6)), ()
    assert not two([[(0, 4, 5)], [(0, 0, 1)]], [[(0, 0, 1)], [(0, 4, 5)]], *recorded)
    assert two([[(0, 4, 5), (0, 0, 1)]], [[(0, 5, 6)]], *recorded)


def test_without_recorded_paragraphs_the_document_is_the_cluster() -> None:
    assert two([[(0, 0, 1)]], [[(0, 5, 6)]])
    assert not two([[(0, 0, 1)]], [[(1, 0, 1)]])


def test_recorded_paragraphs_of_another_document_change_nothing_here() -> None:
    assert two([[(1, 0, 1)]], [[(1, 3, 4)]], ((0, 3), (3, 6)), ())


def test_a_span_over_two_paragraphs_belongs_to_the_first() -> None:
    recorded = ((0, 3), (3, 6)), ()
    assert two([[(0, 2, 5)]], [[(0, 0, 1)]], *recorded)
    assert not two([[(0, 2, 5)]], [[(0, 4, 5)]], *recorded)


def test_text_between_paragraphs_belongs_to_the_document() -> None:
    recorded = ((0, 2), (4, 6)), ()
    assert not two([[(0, 2, 3)]], [[(0, 0, 1)]], *recorded)
    assert two([[(0, 2, 3)]], [[(0, 3, 4)]], *recorded)
    assert two([[(0, 3, 5)]], [[(0, 5, 6)]], *recorded)


def test_a_paragraph_and_a_document_are_never_one_cluster() -> None:
    found = clusters(World(TEXTS, (((0, 6),), ()), ([[(0, 0, 1)]], [[(1, 0, 1)]]), ()), "paragraph")
    assert found[0] != found[1]
