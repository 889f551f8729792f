"""Which of the stated offsets are believed: equality of text is needed, and where texts repeat it is not enough."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from kugiri.formats.occurrences import Occurrences
from kugiri.formats.order import Possible


def believed(
    occurrences: Occurrences, texts: Sequence[str | None], stated: Sequence[int | None], free: Possible
) -> list[int | None]:
    """The stated starts that are taken for true, None for all others.

    A tool that looks for its chunks gives repeated texts the place of the first, and every comparison of text holds. So
    where the texts by themselves can be in order, only stated starts that are in order too are believed: the largest
    set of them that goes forward. True offsets of chunks in order all do. In a list that cannot be in order, a start is
    not believed that another equal text has already taken, if the text stands elsewhere too.

    Args:
        occurrences: of the document.
        texts: the chunks' texts in their order; None is left out.
        stated: the start that the tool states for each.
        free: what their order leaves possible without the stated starts.
    """
    places: list[tuple[int, int] | None] = [
        (start, start + len(text))
        if text is not None and start is not None and occurrences.stands(text, start)
        else None
        for text, start in zip(texts, stated, strict=True)
    ]
    if free.ordered:
        for number, (place, first, last) in enumerate(zip(places, free.first, free.last, strict=True)):
            if place is not None and first is not None and last is not None and not first <= place[0] <= last:
                places[number] = None
        forward = longest_forward(places)
        return [place[0] if place is not None and number in forward else None for number, place in enumerate(places)]
    taken: set[tuple[int, int]] = set()
    found: list[int | None] = []
    for place, first, last in zip(places, free.first, free.last, strict=True):
        found.append(None if place is None or (place in taken and first != last) else place[0])
        if place is not None:
            taken.add(place)
    return found


def longest_forward(places: Sequence[tuple[int, int] | None]) -> set[int]:
    """The indices of a longest strictly increasing subsequence, None left out; n log n (patience sorting)."""
    ends: list[tuple[int, int]] = []
    holders: list[int] = []
    before: list[int] = [-1] * len(places)
    for number, place in enumerate(places):
        if place is None:
            continue
        pile = bisect_left(ends, place)
        before[number] = holders[pile - 1] if pile else -1
        if pile == len(ends):
            ends.append(place)
            holders.append(number)
        else:
            ends[pile], holders[pile] = place, number
    found: set[int] = set()
    number = holders[-1] if holders else -1
    while number >= 0:
        found.add(number)
        number = before[number]
    return found
