"""What the order of chunks leaves possible: the first and the last place that each may have."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kugiri.errors import InvariantError
from kugiri.formats.occurrences import Occurrences


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """The places that remain possible for texts in their order.

    Attributes:
        first, last: for each text the first and the last start that it may have, both attained; None where the text is
            nowhere (or was left out).
        ordered: whether the texts fit in their order at all. Where they do not, the order proves nothing, and `first`
            and `last` are those of the whole document.
        one_layer: whether their ends go forward too.
    """

    first: Sequence[int | None]
    last: Sequence[int | None]
    ordered: bool
    one_layer: bool = False


def possible_places(
    occurrences: Occurrences, texts: Sequence[str | None], fixed: Sequence[int | None], one_layer: bool = False
) -> Possible:
    """The first and the last place of each text such that all of them stand somewhere and their order holds.

    Chunks are sorted by start, then end, and no two are the same, so a start lies behind the one before it, or repeats
    it where the chunk is longer. Of ends nothing is said, as chunks may lie inside each other, unless they are of one
    layer: then each end lies behind the one before it. Such constraints have a least solution, found by going
    forward and always taking the first place that fits, and a greatest, found by going backward. Any true chunking lies
    between the two; where they agree, nothing else is possible.

    Args:
        occurrences: of the document.
        texts: the chunks' texts in their order, none of them empty; None is left out.
        fixed: the start of those whose place is known.
        one_layer: whether no chunk lies inside another, so that ends go forward too.
    """
    first: list[int | None] = [None] * len(texts)
    step = [0] * len(texts)
    floor, length = -1, 0
    for number, (text, known) in enumerate(zip(texts, fixed, strict=True)):
        if text is None:
            continue
        step[number] = 0 if 0 < length < len(text) else 1
        if one_layer and length:
            step[number] = max(1, length - len(text) + 1)
        low = max(0, floor + step[number])
        place = known if known is not None else occurrences.first(text, low)
        if place is None and occurrences.first(text, 0, low - 1) is None:
            continue
        if place is None or place < low:
            return _without_order(occurrences, texts, fixed)
        first[number], floor, length = place, place, len(text)
    last: list[int | None] = [None] * len(texts)
    ceiling: int | None = None
    for number in reversed(range(len(texts))):
        text, known = texts[number], fixed[number]
        if text is None or first[number] is None:
            continue
        place = known if known is not None else occurrences.last(text, ceiling)
        if place is None:
            raise InvariantError("a text fits forward and not backward", f"text {number}", "report it to kugiri")
        last[number], ceiling = place, place - step[number]
    return Possible(first, last, True, one_layer)


def _without_order(occurrences: Occurrences, texts: Sequence[str | None], fixed: Sequence[int | None]) -> Possible:
    first = [
        place if place is not None else None if text is None else occurrences.first(text)
        for text, place in zip(texts, fixed, strict=True)
    ]
    last = [
        place if place is not None else None if text is None or start is None else occurrences.last(text)
        for text, place, start in zip(texts, fixed, first, strict=True)
    ]
    return Possible(first, last, False)
