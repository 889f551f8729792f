"""Paragraphs: recorded ones first, else what stands between blank lines; the oracle reads line by line."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kugiri.segmenters.paragraphs import Paragraphs
from worlds import World, corpus_of, worlds


def found(*texts: str, recorded: list[tuple[tuple[int, int], ...]] | None = None) -> list[tuple[int, int]]:
    units = Paragraphs().segment(corpus_of(texts, recorded))
    return list(zip(units.start.tolist(), units.end.tolist(), strict=True))


def by_lines(text: str) -> list[tuple[int, int]]:
    """Runs of lines that are not blank; the line end after the last one does not belong to the run."""
    runs: list[tuple[int, int]] = []
    open_run: list[int] | None = None
    place = 0
    for line in re.findall(r"[^\r\n]*(?:\r\n|\r|\n|\Z)", text):
        body = line.rstrip("\r\n")
        if body.strip():
            open_run = [open_run[0] if open_run else place, place + len(body)]
        elif open_run:
            runs.append((open_run[0], open_run[1]))
            open_run = None
        place += len(line)
    return [*runs, (open_run[0], open_run[1])] if open_run else runs


LINES = ("", "甲", "乙か\u3099", "\u3000字下げ", " ", "\u3000", "\t", "👩\u200d🍳", "\u2028", "\x0b", "末 ")


@settings(max_examples=500)
@given(st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(("\n", "\r\n", "\r", ""))), max_size=10))
@example([("甲", "\r\n"), ("乙", "")])
@example([("甲", "\n"), (" ", "")])
def test_paragraphs_are_runs_of_lines_that_are_not_blank(lines: list[tuple[str, str]]) -> None:
    text = "".join(body + end for body, end in lines)
    assert found(text) == by_lines(text)


def test_paragraphs_are_runs_of_lines_in_many_random_texts() -> None:
    draw = random.Random(5)
    wrong = []
    for _ in range(2000):
        text = "".join(
            draw.choice(LINES) + draw.choice(("\n", "\r\n", "\r\n", "\r")) for _ in range(draw.randint(0, 9))
        )
        if found(text) != by_lines(text):
            wrong.append(text)
    assert not wrong, min(wrong, key=len)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("注意。\n\n注意。", [(0, 3), (5, 8)]),  # A2
        ("注意。\r\n\r\n注意。", [(0, 3), (7, 10)]),
        ("甲\r\n乙", [(0, 4)]),
        ("甲\n乙", [(0, 3)]),
        ("甲\r乙", [(0, 3)]),
        ("甲\r\r乙", [(0, 1), (3, 4)]),
        ("甲\r\n\n乙", [(0, 1), (4, 5)]),
        ("甲\n\r\n乙", [(0, 1), (4, 5)]),
        ("甲\n\r乙", [(0, 1), (3, 4)]),
        ("\u3000序章\n本文", [(0, 6)]),
        ("甲\n\u3000\n\u3000乙", [(0, 1), (4, 6)]),
        ("甲\n \t\n乙", [(0, 1), (5, 6)]),
        ("\n\n甲\n\n\n\n乙\n\n", [(2, 3), (7, 8)]),
        (" \n甲", [(2, 3)]),
        ("甲\n", [(0, 1)]),
        ("甲\r\n", [(0, 1)]),
        ("甲\n ", [(0, 1)]),
        ("甲 \n\n乙", [(0, 2), (4, 5)]),
        ("甲\u2028\u2028乙", [(0, 4)]),
        ("", []),
        ("\n", []),
        (" \u3000\r\n\t", []),
    ],
)
def test_blank_lines(text: str, expected: list[tuple[int, int]]) -> None:
    assert found(text) == expected


def test_recorded_paragraphs_come_before_blank_lines_document_by_document() -> None:
    texts = ["甲\n\n乙丙", "丁\n\n戊", "", "\r\n\r\n己"]
    assert found(*texts, recorded=[((0, 2), (3, 5)), (), (), ((0, 5),)]) == [(0, 2), (3, 5), (5, 6), (8, 9), (9, 14)]


@settings(max_examples=200)
@given(worlds())
def test_every_document_by_its_own_rule(world: World) -> None:
    origin, expected = 0, []
    for text, recorded in zip(world.texts, world.paragraphs, strict=True):
        expected += [(origin + s, origin + e) for s, e in (recorded or by_lines(text))]
        origin += len(text)
    assert found(*world.texts, recorded=list(world.paragraphs)) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("行\n" * 200_000 + "\n\n終", 2),
        ("行\r\n" * 200_000 + "\r\n\r\n終", 2),
        ("\n" * 200_000, 0),
        ("\r\n" * 200_000, 0),
        (" " * 400_000, 0),
        (" " * 400_000 + "\n終", 1),
        ("行\n" + " " * 400_000 + "終", 1),
        (("行\n" + " " * 2000) * 200, 1),
        ("# 見出し\n\n" + "段落\n\n" * 20_000, 20_001),
        ("\n " * 200_000 + "終", 1),
    ],
)
def test_shapes_that_make_others_quadratic_end(text: str, count: int) -> None:  # P122
    assert len(found(text)) == count
