"""Expected loss in a sweep: of which configurations, beside what, and how often an order turns."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.parent_child import ParentChild
from kugiri.evidence.loss import evidence_loss
from kugiri.export.tables import tables
from kugiri.model.windows import LARGEST, Windows
from kugiri.sweeps.alignment import alignment_of
from sweep_worlds import ASKED, TEXTS, swept
from worlds import World, random_world

COLUMNS = ("expected_lost", "expected_lost_sd", "lost_least", "lost_most")


def drawn(seed: int) -> World:
    return random_world(seed, 3, 14, 8, answerable=True)


@pytest.mark.parametrize("unit", ["char", "grapheme", "morpheme", "token"])
def test_the_first_phase_is_what_was_observed(unit: str) -> None:
    draw = random.Random(unit)
    for _ in range(60):
        world = drawn(draw.randrange(10**9))
        size = draw.randint(1, 9)
        chunker = Fixed(size, draw.choice((0, size // 2, 0.3)), unit=unit)
        found = alignment_of(chunker, world.corpus(), world.questions().evidence)
        assert found is not None
        lost = evidence_loss(world.corpus(), world.questions(), chunker).lost
        assert found.observed == lost.sum()
        assert found.least <= lost.sum() <= found.most
        assert ((found.phases > 0) >= lost[world.questions().answerable]).all()


def test_windows_elsewhere_are_windows_behind_filler() -> None:
    """Every phase by itself: φ units in front of every document that no window may be without."""
    text, evidence = "あか\u3099👩\u200d🍳いう\r\nえお漢字\u3000終", (5, 9)
    size, overlap = 6, 2
    (row,) = tables(swept(Fixed(size, overlap), texts=[text], asked=[[[(0, *evidence)]]]))["configurations"].to_pylist()
    lost = []
    for phase in range(size - overlap):
        moved = [[[(0, evidence[0] + phase, evidence[1] + phase)]]]
        (at,) = swept(Fixed(size, overlap), texts=["＊" * phase + text], asked=moved).configurations
        lost.append(int(at.loss.lost.sum()))
    assert 0 < sum(lost) < len(lost)
    assert [row[key] for key in COLUMNS] == [np.mean(lost), np.std(lost), min(lost), max(lost)]


class Elsewhere:
    """A strategy of a third party that says that it is fixed windows over code points."""

    name, version = "elsewhere", 1
    windows = Windows(4, 1)

    def chunk(self, corpus: Any) -> Any:
        return Fixed(4, 1).chunk(corpus)

    def __str__(self) -> str:
        return "elsewhere()"


def test_only_untrimmed_fixed_windows_have_an_expected_loss() -> None:
    fixed = (Fixed(4), Fixed(3, unit="grapheme"), ParentChild(Fixed(6), Paragraph()), Elsewhere())
    others = (
        Fixed(4, trim=True),
        Paragraph(),
        ParentChild(Paragraph(), Fixed(2)),
        ParentChild(Fixed(6, trim=True), Fixed(2)),
    )
    made = tables(swept(*fixed, *others))
    known = [str(chunker) for chunker in fixed]
    for row in made["configurations"].to_pylist():
        assert [row[key] is not None for key in COLUMNS] == [row["configuration"] in known] * 4
    for row in made["lost"].to_pylist():
        assert (row["lost_probability"] is not None) == (row["configuration"] in known)
        assert row["lost_probability"] is None or 0 < row["lost_probability"] <= 1


def test_a_parent_is_aligned_and_its_children_do_not_matter() -> None:
    one, other = swept(Fixed(6), ParentChild(Fixed(6), Fixed(2))).configurations
    assert one.alignment is not None and other.alignment is not None
    assert one.alignment.totals.tolist() == other.alignment.totals.tolist()


def test_each_lost_question_has_its_own_probability() -> None:
    results = swept(Fixed(4), Fixed(5, 2))
    rows = tables(results)["lost"].to_pylist()
    assert rows
    answerable = [f"q{number}" for number, asked in enumerate(ASKED) if asked]
    alignments = {str(result.configuration): result.alignment for result in results.configurations}
    for row in rows:
        found = alignments[row["configuration"]]
        assert found is not None
        share = found.phases[answerable.index(row["question_id"])] / found.circle
        assert row["lost_probability"] == share > 0


def test_windows_larger_than_every_document_need_no_phase_each() -> None:
    results = swept(Fixed(LARGEST), Fixed(max(map(len, TEXTS))))
    for result in results.configurations:
        assert result.alignment is not None
        assert result.alignment.circle <= max(map(len, TEXTS))
        assert (result.alignment.expected, result.alignment.most) == (0.0, 0)


def test_how_often_an_order_turns_stands_beside_the_comparison_of_losses() -> None:
    results = swept(Fixed(4), Fixed(5, 2), Paragraph(), ParentChild(Fixed(4), Fixed(2)), Fixed(5, 2, unit="grapheme"))
    found = {(pair.a, pair.b): pair.alignment_share for pair in results.comparisons}
    totals = {
        str(result.configuration): result.alignment.totals.tolist()
        for result in results.configurations
        if result.alignment is not None
    }
    assert len(totals) == 4
    for (a, b), share in found.items():
        if "paragraph()" in (a, b) or {a, b} == {
            "fixed(size=4)",
            "parent_child(parent=fixed(size=4), child=fixed(size=2))",
        }:
            assert share is None
            continue
        pairs = [(x, y) for x in totals[a] for y in totals[b]]
        assert share == pytest.approx(sum((x < y) + (x == y) / 2 for x, y in pairs) / len(pairs))
    assert tables(results)["comparisons"]["alignment_share"].to_pylist() == list(found.values())
