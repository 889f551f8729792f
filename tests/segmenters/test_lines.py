"""Lines against a regular expression."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.segmenters.lines import Lines
from worlds import corpus_of

PARTS = (
    "甲",
    "か\u3099",
    "👩\u200d🍳",
    "\u3000",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\u2028",
    "\u2029",
    "\x0b",
    "\x0c",
    "\x85",
    "\x1c",
)
LINE = re.compile(r"[^\n\r\x0b\x0c\x85\u2028\u2029]*(?:\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]|\Z)")


def lines(*texts: str) -> list[tuple[int, int]]:
    units = Lines().segment(corpus_of(texts))
    return list(zip(units.start.tolist(), units.end.tolist(), strict=True))


@settings(max_examples=150)
@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), max_size=4))
def test_lines_end_behind_line_breaks(texts: list[str]) -> None:
    origin, expected = 0, []
    for text in texts:
        expected += [(origin + m.start(), origin + m.end()) for m in LINE.finditer(text) if m.start() < m.end()]
        origin += len(text)
    assert lines(*texts) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["\u3000序章\n本文"], [(0, 4), (4, 6)]),  # D31
        (["# 説明\nx=1\n"], [(0, 5), (5, 9)]),  # B16
        (["甲\r\n乙"], [(0, 3), (3, 4)]),
        (["甲\r", "\n乙"], [(0, 2), (2, 3), (3, 4)]),
        (["上\u2028下"], [(0, 2), (2, 3)]),
        (["", "\n", ""], [(0, 1)]),
        ([], []),
    ],
)
def test_lines_of_every_document(texts: list[str], expected: list[tuple[int, int]]) -> None:
    assert lines(*texts) == expected
