"""Which of the stated offsets are believed: equality of text is needed, and where texts repeat it is not enough."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from kugiri.formats.occurrences import Occurrences
from kugiri.formats.order import Possible, possible_places

Places = Sequence[tuple[int, int] | None]


def settled(
    occurrences: Occurrences, texts: Sequence[str | None], stated: Sequence[int | None]
) -> tuple[Possible, list[int | None]]:
    """The places that remain possible for the texts, and the stated starts that are taken for true, None elsewhere.

    If every text stands where it is stated, and all of these places together are a chunking, they are believed in
    whatever order they are listed. A tool that looks for its chunks gives repeated texts the place of the first, and
    every comparison of text holds; but then two chunks get one place, or one lies inside another. So otherwise, where
    the texts by themselves can be in the order of the list, only starts that are in order too are believed: the largest
    set of them that goes forward, and if some chunk is stated inside another and the texts can stand with none inside
    another, whose ends go forward too. In a list that cannot be in order, or of which half the starts are not, a start
    is not believed that another equal text has already taken, if the text stands elsewhere too.

    Args:
        occurrences: of the document.
        texts: the chunks' texts in their order; None is left out.
        stated: the start that the tool states for each.
    """
    nothing: list[int | None] = [None] * len(texts)
    if all(start is None for start in stated):
        return possible_places(occurrences, texts, nothing), nothing
    places = [
        (start, start + len(text))
        if text is not None and start is not None and occurrences.stands(text, start)
        else None
        for text, start in zip(texts, stated, strict=True)
    ]
    if _are_a_chunking(occurrences, texts, places):
        fixed = _starts(places)
        return possible_places(occurrences, texts, fixed), fixed
    free = possible_places(occurrences, texts, nothing)
    if _is_nested({place for place in places if place is not None}):
        layer = possible_places(occurrences, texts, nothing, one_layer=True)
        free = layer if layer.ordered else free
    if free.ordered:
        forward = _forward(places, free)
        if _is_in_order(places, forward, free):
            return _between(occurrences, texts, _starts(forward), free)
    fixed = _not_taken(occurrences, texts, places)
    return possible_places(occurrences, texts, fixed), fixed


def _starts(places: Places) -> list[int | None]:
    return [None if place is None else place[0] for place in places]


def _are_a_chunking(occurrences: Occurrences, texts: Sequence[str | None], places: Places) -> bool:
    """Whether all texts that are anywhere have places, no two the same one, and none inside another.

    A text that stands once may be listed twice: it has no other place.
    """
    taken: set[tuple[int, int]] = set()
    for text, place in zip(texts, places, strict=True):
        if text is None:
            continue
        if place is None:
            if occurrences.first(text) is not None:
                return False
        elif place in taken:
            if occurrences.first(text) != occurrences.last(text):
                return False
        else:
            taken.add(place)
    return not _is_nested(taken)


def _is_nested(places: set[tuple[int, int]]) -> bool:
    """Whether one lies inside another, and neither starts nor ends where it does."""
    ends = [end for _, end in sorted(places)]
    return any(end < before for before, end in pairwise(ends))


def _forward(places: Places, free: Possible) -> Places:
    """The largest set of places that goes forward between those which the texts leave possible; None for the others."""
    inside = [
        place if place is not None and first is not None and last is not None and first <= place[0] <= last else None
        for place, first, last in zip(places, free.first, free.last, strict=True)
    ]
    chosen = longest_forward(inside)
    found: list[tuple[int, int] | None] = []
    reached = 0
    for number, place in enumerate(inside):
        goes = place is not None and number in chosen and (place[1] > reached or not free.one_layer)
        found.append(place if goes else None)
        reached = max(reached, place[1]) if place is not None and goes else reached
    return found


def _is_in_order(places: Places, forward: Places, free: Possible) -> bool:
    """Whether fewer than half of the chunks are stated elsewhere than where they go forward.

    Those that lie in the place of another do not count: that is what a search for repeated texts makes of a list.
    """
    widest = sorted({place for place in places if place is not None}, key=lambda place: (place[0], -place[1]))
    own: set[tuple[int, int]] = set()
    reached = -1
    for place in widest:
        if place[1] > reached:
            own.add(place)
            reached = place[1]
    own -= set(forward)
    return 2 * len(own) < sum(first is not None for first in free.first)


def _between(
    occurrences: Occurrences, texts: Sequence[str | None], fixed: list[int | None], free: Possible
) -> tuple[Possible, list[int | None]]:
    possible = possible_places(occurrences, texts, fixed, free.one_layer)
    if not possible.ordered:
        # Some of the others do not fit between starts that are believed: these stay, and bind no other chunk.
        possible = Possible(_instead(free.first, fixed), _instead(free.last, fixed), ordered=False)
    return possible, fixed


def _instead(places: Sequence[int | None], fixed: Sequence[int | None]) -> list[int | None]:
    return [place if known is None else known for place, known in zip(places, fixed, strict=True)]


def _not_taken(occurrences: Occurrences, texts: Sequence[str | None], places: Places) -> list[int | None]:
    """The starts of places, but for those that another equal text has taken, if the text stands elsewhere too."""
    taken: set[tuple[int, int]] = set()
    found: list[int | None] = []
    for text, place in zip(texts, places, strict=True):
        if text is None or place is None:
            found.append(None)
        elif place not in taken:
            taken.add(place)
            found.append(place[0])
        else:
            found.append(place[0] if occurrences.first(text) == occurrences.last(text) else None)
    return found


def longest_forward(places: Places) -> set[int]:
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
