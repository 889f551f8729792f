"""What changed between two results folders, and which may not be compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.cli.against import as_json, read_changes, show_changes
from kugiri.errors import InputError
from kugiri.report.against import Changes
from kugiri.retrievers.random_order import RandomOrder
from retrieved_results import METRICS, ranked_results, write_folder
from sweep_worlds import ASKED

ANSWERABLE = [f"q{number}" for number, evidence in enumerate(ASKED) if evidence]


class Renamed:
    """A chunker of one label whose output changes between two versions."""

    name = "mine"

    def __init__(self, version: int, size: int) -> None:
        self.version, self.size = version, size

    def __str__(self) -> str:
        return "mine()"

    def chunk(self, corpus: Any) -> Any:
        return Fixed(self.size).chunk(corpus)


class Drawn(RandomOrder):
    """A retriever of one label with another order."""

    def __str__(self) -> str:
        return "drawn()"


def folders(tmp_path: Path, **settings: Any) -> tuple[Path, Path]:
    old = ranked_results(chunkers=(Renamed(1, 4), Fixed(4)), retrievers=(Drawn(1),), **settings)
    new = ranked_results(chunkers=(Renamed(2, 6), Fixed(4), Paragraph()), retrievers=(Drawn(2),), **settings)
    return write_folder(old, tmp_path / "old"), write_folder(new, tmp_path / "new")


def shown(found: Changes) -> str:
    console = Console(width=80, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    with console.file:
        show_changes(console, found)
    return console.export_text()


@pytest.mark.parametrize("metrics", [METRICS, METRICS[1:], METRICS[2:]])
def test_changes_are_those_of_the_tables(tmp_path: Path, metrics: tuple[str, ...]) -> None:
    old_folder, new_folder = folders(tmp_path, metrics=metrics, resamples=0)
    found = read_changes(new_folder, old_folder)
    assert found.primary == metrics[0]
    assert found.only_old == ()
    assert found.only_new == ("paragraph() + drawn()",)
    assert [row.configuration for row in found.configurations] == ["mine() + drawn()", "fixed(size=4) + drawn()"]
    assert found.versions == {"mine": ("1", "2")}
    old = ranked_results(chunkers=(Renamed(1, 4), Fixed(4)), retrievers=(Drawn(1),), metrics=metrics, resamples=0)
    new = ranked_results(chunkers=(Renamed(2, 6), Fixed(4)), retrievers=(Drawn(2),), metrics=metrics, resamples=0)
    moved = 0
    for row, before, after in zip(found.configurations, old.configurations, new.configurations, strict=True):
        lost = [set(side.loss.lost_ids) for side in (before, after)]
        assert row.newly_lost == tuple(q for q in ANSWERABLE if q in lost[1] - lost[0])
        assert row.newly_kept == tuple(q for q in ANSWERABLE if q in lost[0] - lost[1])
        answered = [
            {q for q, value in zip(new.questions.ids, side.outcomes[metrics[0]].value, strict=True) if value > 0}
            for side in (before, after)
        ]
        assert row.newly_answered == tuple(q for q in ANSWERABLE if q in answered[1] - answered[0])
        assert row.newly_unanswered == tuple(q for q in ANSWERABLE if q in answered[0] - answered[1])
        numbers = {change.name: (change.old, change.new) for change in row.numbers}
        assert numbers["chunks"] == (len(before.loss.chunking), len(after.loss.chunking))
        assert numbers["lost"] == (len(lost[0]), len(lost[1]))
        assert set(numbers) == {"chunks", "lost", *metrics}
        moved += len(row.newly_kept) + len(row.newly_answered or ())
    assert moved
    json.dumps(as_json(found), allow_nan=False)
    text = shown(found)
    assert "mine: version 1 → 2" in text
    assert "only in the new results: paragraph() + drawn()" in text
    assert "newly kept: " in text


def test_nothing_changed(tmp_path: Path) -> None:
    old, _ = folders(tmp_path, resamples=0)
    found = read_changes(old, old)
    assert not any(row.differs for row in found.configurations)
    assert shown(found) == "0 of 2 configurations in both results changed\n"


def test_without_retrieval_losses_alone_are_compared(tmp_path: Path) -> None:
    sides = [
        write_folder(
            ranked_results(chunkers=(Renamed(1, size),), retrievers=(), resamples=0), tmp_path / str(size), text=False
        )
        for size in (4, 8)
    ]
    (row,) = read_changes(sides[1], sides[0]).configurations
    assert row.newly_kept
    assert (row.newly_answered, row.newly_unanswered) == (None, None)
    assert {change.name for change in row.numbers if change.differs} == {"chunks", "lost"}


@pytest.mark.parametrize("side", [0, 1])
def test_other_documents_or_questions_are_refused_naming_both_hashes(tmp_path: Path, side: int) -> None:  # G68
    hashes = [["d" * 64, "q" * 64], ["d" * 64, "q" * 64]]
    hashes[1][side] = "e" * 64
    made = [
        write_folder(ranked_results(resamples=0, digests=(d, q)), tmp_path / str(number))
        for number, (d, q) in enumerate(hashes)
    ]
    with pytest.raises(InputError) as caught:
        read_changes(made[1], made[0])
    assert caught.value.exit_code == 2
    assert ("documents", "questions")[side] in caught.value.what
    assert hashes[0][side] in caught.value.where
    assert "e" * 64 in caught.value.where


def test_other_questions_of_the_same_file_are_refused(tmp_path: Path) -> None:
    made = [write_folder(ranked_results(resamples=0, sample=3, seed=seed), tmp_path / str(seed)) for seed in (1, 2, 3)]
    with pytest.raises(InputError, match="asked different questions") as caught:
        for other in made[1:]:
            read_changes(other, made[0])
    assert "sample 3" in caught.value.where
    assert "seed 1" in caught.value.where
