"""The table of character metrics of a sweep, against sets of characters question by question."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import given, settings

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.parent_child import ParentChild
from kugiri.export.tables import tables
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.sweeps.characters import CharacterRow, character_rows
from kugiri.sweeps.run import run
from retrieved_results import ranked_results
from sweep_worlds import DIGESTS, plan_of, swept
from worlds import (
    HOSTILE,
    Asked,
    Span,
    World,
    characters,
    chunking_of,
    is_lost,
    local_chunks,
    random_world,
    worlds,
    written_characters,
)


@dataclasses.dataclass(frozen=True)
class Drawn:
    """The chunks of a world, with whatever gaps and overlaps it has."""

    chunks: tuple[Span, ...]

    name, version = "drawn", 1

    def chunk(self, corpus: Corpus) -> Chunking:
        return chunking_of(corpus, self.chunks)

    def __str__(self) -> str:
        return "drawn()"


def written_row(label: str, chunks: list[Span], asked: tuple[Asked, ...]) -> CharacterRow:
    """The row of these chunks from sets of characters."""
    values = {f"q{number}": found for number, one in enumerate(asked) if (found := written_characters(chunks, one))}
    if not values:
        return CharacterRow(label, 0, None, None, None, None, None, None)
    everywhere = set[tuple[int, int]]().union(*map(characters, chunks))
    hidden = [
        name
        for number, one in enumerate(asked)
        if (name := f"q{number}") in values
        and all(characters(span) <= everywhere for span in one[0])
        and is_lost(chunks, one)
    ]
    recall, precision, iou, omega = (sum(column) / len(values) for column in zip(*values.values(), strict=True))
    return CharacterRow(label, len(values), recall, precision, iou, omega, len(hidden), hidden)


def check(world: World) -> list[CharacterRow]:
    chunkers = (Drawn(world.chunks), Fixed(3), Fixed(5, 2), Paragraph(), ParentChild(Fixed(6), Fixed(2)))
    results = run(plan_of(*chunkers), world.corpus(), world.questions(), DIGESTS, resamples=0)
    rows = character_rows(results)
    for row, result in zip(rows, results.configurations, strict=True):
        expected = written_row(str(result.configuration), local_chunks(result.loss.chunking), world.asked)
        for field in dataclasses.fields(CharacterRow):
            value, wanted = getattr(row, field.name), getattr(expected, field.name)
            assert value == (pytest.approx(wanted, abs=1e-12) if isinstance(wanted, float) else wanted), field.name
    return rows


@settings(max_examples=60)
@given(world=worlds(answerable=True))
def test_rows_are_what_sets_of_characters_say(world: World) -> None:
    check(world)


def test_drawn_worlds_have_every_kind_of_row() -> None:
    draw = random.Random(6)
    rows = [row for _ in range(40) for row in check(random_world(draw.randrange(10**9), 3, 14, 6, answerable=True))]
    assert any(row.questions == 0 for row in rows)
    assert any(row.recall == 1 and row.recall_full_lost for row in rows)
    assert any(row.recall is not None and row.recall < 1 and row.recall_full_lost for row in rows)
    assert any(row.recall == 0 for row in rows)


def test_only_questions_of_one_alternative_count() -> None:
    two: Asked = [[(0, 0, 2)], [(0, 3, 6)]]
    (row,) = character_rows(swept(Fixed(4), texts=[HOSTILE], asked=[two, [], [[(0, 3, 6)]], two]))
    assert (row.questions, row.recall, row.recall_full_lost, row.recall_full_lost_ids) == (1, 1.0, 1, ["q2"])
    (none,) = character_rows(swept(Fixed(4), texts=[HOSTILE], asked=[two, []]))
    assert none == CharacterRow("fixed(size=4)", 0, None, None, None, None, None, None)


def test_a_dropped_character_is_not_hidden_and_several_spans_are_lost_with_one() -> None:
    chunker = Drawn(((0, 0, 4), (0, 5, 9), (0, 9, 12)))
    asked: list[Asked] = [[[(0, 3, 6)]], [[(0, 0, 2), (0, 8, 10)]], [[(0, 0, 2), (0, 10, 12)]]]
    (row,) = character_rows(swept(chunker, texts=[HOSTILE], asked=asked))
    assert (row.recall, row.recall_full_lost_ids) == (pytest.approx((2 / 3 + 1 + 1) / 3), ["q1"])


def test_retrievers_over_one_chunker_have_its_numbers() -> None:
    results = ranked_results()
    rows = character_rows(results)
    assert [row.configuration for row in rows] == [str(result.configuration) for result in results.configurations]
    by_chunker: dict[str, set[str]] = {}
    for row, result in zip(rows, results.configurations, strict=True):
        told = repr(dataclasses.replace(row, configuration=""))
        by_chunker.setdefault(result.loss.label, set()).add(told)
    assert len(rows) > len(by_chunker) == 3
    assert all(len(told) == 1 for told in by_chunker.values())


def test_the_exported_table_has_these_rows() -> None:
    results = swept()
    assert tables(results, text=False)["characters"].to_pylist() == list(
        map(dataclasses.asdict, character_rows(results))
    )
