from __future__ import annotations

import pytest

from kugiri import catalog
from worlds import corpus_of


@pytest.mark.parametrize(
    ("label", "text", "expected"),
    [
        ("fixed(size=6)", "  甲 乙\u3000", ["  甲 乙\u3000"]),  # A11
        ("fixed(size=2)", "  甲 乙\u3000", ["  ", "甲 ", "乙\u3000"]),  # A11
        ("paragraph()", "  甲 乙\u3000", ["  甲 乙\u3000"]),  # A11
        ("fixed(size=4)", "\u3000序章\n本文", ["\u3000序章\n", "本文"]),  # D31
        ("paragraph()", "\u3000序章\n\n\u3000本文 ", ["\u3000序章", "\u3000本文 "]),  # D31
        ("paragraph()", "# A\n\n段落1\n\n\t段落2\u00a0x\n", ["# A", "段落1", "\t段落2\u00a0x"]),  # D32
        ("fixed(size=11)", "alpha beta gamma", ["alpha beta ", "gamma"]),  # D35
    ],
)
def test_a_chunk_is_a_raw_slice_with_its_white_space(label: str, text: str, expected: list[str]) -> None:
    made = catalog.chunker(label).chunk(corpus_of([text]))
    chunks = [made.chunk(index) for index in range(len(made))]
    assert [chunk.text for chunk in chunks] == expected
    assert [text[chunk.start : chunk.end] for chunk in chunks] == expected
