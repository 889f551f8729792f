"""Places behind separators against `str.startswith` at every place."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.segmenters.separators import behind_separators
from worlds import corpus_of

PARTS = ("。", "、", "\n", "\r\n", "\u3000", "あ", "か\u3099", "🍣", "👩\u200d🍳")
SEPARATOR = st.lists(st.sampled_from(("。", "、", "\n", "\r", "\u3000", "\u3099", "🍣")), min_size=1, max_size=3).map(
    "".join
)


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
    origin, expected = 0, []
    for text in texts:
        for end in range(1, len(text) + 1):
            strength = max(
                (len(levels) - n for n, level in enumerate(levels) for s in level if text[:end].endswith(s)), default=0
            )
            if strength:
                expected.append((origin + end, strength))
        origin += len(text)
    assert places(texts, levels) == expected


def test_separators_are_strings_and_do_not_cross_documents() -> None:  # B14
    assert places(["朝。昼。夜"], [["。"]]) == [(2, 1), (4, 1)]
    assert places(["甲\n", "\n乙\n\n\n"], [["\n\n"]]) == [(6, 1), (7, 1)]
    assert places(["甲\n\n乙。丙"], [["\n\n"], ["\n"], ["。"]]) == [(2, 2), (3, 3), (5, 1)]
