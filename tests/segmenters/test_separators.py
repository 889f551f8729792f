"""Places behind separators against `str.startswith` at every place."""

from __future__ import annotations

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.segmenters.separators import behind_separators
from worlds import corpus_of

PARTS = (
    "。",
    "、",
    "\n",
    "\r\n",
    "\u3000",
    "あ",
    "か\u3099",
    "🍣",
    "👩\u200d🍳",
    "\u3099",
    "‼\ufe0f",
    "\u200d",
    "🇯",
    "\u0600",
    "각",
    "\u1100",
)
SEPARATOR = st.lists(
    st.sampled_from(
        ("。", "、", "\n", "\r", "\u3000", "\u3099", "🍣", "\u200d", "🇯", "\u0600", "각", "\u1100", "👩\u200d")
    ),
    min_size=1,
    max_size=3,
).map("".join)


def places(texts: list[str], levels: list[list[str]]) -> list[tuple[int, int]]:
    at, strength = behind_separators(corpus_of(texts), levels)
    return list(zip(at.tolist(), strength.tolist(), strict=True))


@settings(max_examples=150)
@given(
    st.lists(st.lists(st.sampled_from(PARTS), max_size=12).map("".join), max_size=3),
    st.lists(st.lists(SEPARATOR, max_size=3), min_size=1, max_size=4),
)
def test_every_place_that_ends_a_separator_has_the_strength_of_the_first_level(
    texts: list[str], levels: list[list[str]]
) -> None:
    origin = 0
    expected: list[tuple[int, int]] = []
    for text in texts:
        for end in range(1, len(text) + 1):
            strength = max(
                (len(levels) - n for n, level in enumerate(levels) for s in level if text[:end].endswith(s)), default=0
            )
            # Those inside a cluster move behind it, and the strongest of them stays.
            behind = origin + min(c.end() for c in regex.finditer(r"\X", text) if c.end() >= end)
            if strength and expected and expected[-1][0] == behind:
                expected[-1] = (behind, max(strength, expected[-1][1]))
            elif strength:
                expected.append((behind, strength))
        origin += len(text)
    assert places(texts, levels) == expected


def test_separators_are_strings_and_do_not_cross_documents() -> None:  # B14
    assert places(["朝。昼。夜"], [["。"]]) == [(2, 1), (4, 1)]
    assert places(["甲\n", "\n乙\n\n\n"], [["\n\n"]]) == [(6, 1), (7, 1)]
    assert places(["甲\n\n乙。丙"], [["\n\n"], ["\n"], ["。"]]) == [(2, 2), (3, 3), (5, 1)]


def test_no_place_lies_inside_a_cluster() -> None:
    assert places(["え！\ufe0f次。\u3099次"], [["！", "。"]]) == [(3, 1), (6, 1)]
    assert places(["甲\r\n乙\r丙"], [["\r"]]) == [(3, 1), (5, 1)]


def test_of_two_separators_that_end_together_the_stronger_counts() -> None:
    assert places(["あい。い"], [["。"], ["い。"]]) == [(3, 2)]
    assert places(["あい。い"], [["い。"], ["。"]]) == [(3, 2)]
