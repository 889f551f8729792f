"""One place for each chunk, where its text alone leaves several: what the order of chunks makes likely, not proven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kugiri.formats.occurrences import Occurrences
from kugiri.formats.order import Possible


def resolved(
    occurrences: Occurrences, texts: Sequence[str | None], possible: Possible, fixed: Sequence[int | None]
) -> list[int | None]:
    """One place for each text that has any.

    In order: where the chunk before it ends, behind white space too, if the text stands there; else the first place
    behind the start of the chunk before it, so that an overlap which was copied lies in that chunk. Where the texts
    cannot be in order, equal ones take the places at which they stand one after the other.
    """
    if not possible.ordered:
        return list(_one_after_the_other(occurrences, texts, possible, fixed))
    places: list[int | None] = []
    start, end = -1, 0
    follows = True
    for text, first, last in zip(texts, possible.first, possible.last, strict=True):
        if text is None or first is None or last is None:
            places.append(None)
            # What comes next does not follow directly.
            follows = False
            continue
        place = first
        if first != last:
            tile = _next_text(occurrences.text, end, last, text) if follows else None
            if tile is not None and occurrences.stands(text, tile):
                place = tile
            else:
                low = (max(start, end - len(text)) if possible.one_layer else start) + 1
                behind = occurrences.first(text, max(first, low), last)
                # What is left otherwise is the start of the chunk before it, of which it is a longer one.
                place = last if behind is None else behind
        start, end, follows = place, place + len(text), True
        places.append(place)
    return places


def _next_text(document: str, end: int, last: int, text: str) -> int | None:
    """Where a chunk stands that follows one that ends there: at the end, or behind the white space that follows it."""
    if not text[0].isspace():
        while end < min(last, len(document)) and document[end].isspace():
            end += 1
    return end if end <= last else None


def _one_after_the_other(
    occurrences: Occurrences, texts: Sequence[str | None], possible: Possible, fixed: Sequence[int | None]
) -> Iterator[int | None]:
    """The first of equal texts takes the first place, and so on; the last place takes what is left over."""
    taken = {(text, place) for text, place in zip(texts, fixed, strict=True) if place is not None}
    cursor: dict[str, int] = {}
    for text, first, last, known in zip(texts, possible.first, possible.last, fixed, strict=True):
        if text is None or first is None or last is None or known is not None:
            yield known
            continue
        place = occurrences.first(text, cursor.get(text, first))
        while place is not None and (text, place) in taken:
            place = occurrences.first(text, place + 1)
        cursor[text] = len(occurrences.text) if place is None else place + 1
        yield last if place is None else place
