"""Fenced code and tables, against a reader that goes line by line."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.segmenters.blocks import Blocks
from worlds import corpus_of

LINES = (
    "```\n",
    "```python\n",
    "````\r\n",
    "~~~\n",
    "~~~~ a`b\n",
    "```a```\n",
    "  ```\n",
    "本文か\u3099👩\u200d🍳。\n",
    "\u3000\n",
    "\n",
    "| 甲 | 乙 |\n",
    "甲｜乙\r\n",
    "甲\t乙\n",
    "\t字下げ\n",
    "# 題 | 名\n",
    "終\t",
)


def found(*texts: str) -> list[str]:
    corpus = corpus_of(texts)
    units = Blocks().segment(corpus)
    return [corpus.slice(int(low), int(high)) for low, high in zip(units.start, units.end, strict=True)]


def read(text: str) -> list[str]:
    """The blocks of a text, a line at a time and looking ahead as far as it takes."""
    lines = text.splitlines(keepends=True)
    blocks: list[tuple[int, int]] = []
    at = 0
    while at < len(lines):
        opening = re.match(r"\s*(`{3,}|~{3,})(.*)", lines[at])
        if opening and opening[1][0] not in opening[2]:
            closing = re.compile(rf"\s*{re.escape(opening[1])}{opening[1][0]}*\s*")
            end = next((n for n in range(at + 1, len(lines)) if closing.fullmatch(lines[n])), None)
            if end is not None:
                blocks.append((at, end))
                at = end
        at += 1
    code = {n for low, high in blocks for n in range(low, high + 1)}
    rows = [
        n not in code and not line.strip().startswith("#") and any(mark in line.strip() for mark in "|｜\t")
        for n, line in enumerate(lines)
    ]
    at = 0
    while at < len(rows):
        end = at
        while end < len(rows) and rows[end]:
            end += 1
        if end - at > 1:
            blocks.append((at, end - 1))
        at = end + 1
    return ["".join(lines[low : high + 1]) for low, high in sorted(blocks)]


@settings(max_examples=150)
@given(st.lists(st.lists(st.sampled_from(LINES), max_size=10).map("".join), max_size=3))
def test_blocks_are_those_that_a_reader_finds(texts: list[str]) -> None:
    assert found(*texts) == [block for text in texts for block in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("前\n```\n# a\n```\n後", ["```\n# a\n```\n"]),
        ("````\n```\n````", ["````\n```\n````"]),
        ("~~~\n```\n~~~\n", ["~~~\n```\n~~~\n"]),
        ("```\n忘れられた囲み\n# 題\n", []),
        ("文中の ```a``` と\n```b```\n", []),
        ("| a |\n|---|\n| b |\n\n| c |\n", ["| a |\n|---|\n| b |\n"]),
        ("品名\t値段\r\n寿司\t千円\r\n", ["品名\t値段\r\n寿司\t千円\r\n"]),
        ("一行だけ | の表\n", []),
        ("\t字下げ\n\t字下げ\n", []),
    ],
)
def test_what_is_a_block(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_no_block_joins_two_documents() -> None:
    assert found("a|b", "c|d") == []
    assert found("```\n", "```\n") == []


@pytest.mark.slow
@pytest.mark.parametrize("line", ["```a\n", "````\n", "~~~\n```a\n", "a|b\n", "a|b\n\n", "\n"])
def test_many_lines_of_one_kind_end(line: str) -> None:
    began = time.perf_counter()
    Blocks().segment(corpus_of([line * 100_000]))
    assert time.perf_counter() - began < 20
