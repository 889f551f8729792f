"""Foreign chunks are placed truly or said not to be: against every placement there is, and over hostile texts."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kugiri.formats.chunk_audit import audited
from kugiri.formats.occurrences import Occurrences
from kugiri.formats.offset_units import fitting, in_code_points
from kugiri.formats.order import possible_places
from kugiri.formats.placement import ForeignChunk, Placement, place_chunks
from kugiri.formats.placement_checks import checks, overlaps
from kugiri.formats.quotations import from_code_point
from kugiri.formats.stated_offsets import longest_forward
from kugiri.formats.white_space_changes import is_white
from worlds import HOSTILE, PIECES, corpus_of, hostile_text

Place = tuple[int, int]
REPEATING = st.text(alphabet="あい。 \n", max_size=9)
TEXTS = st.one_of(REPEATING, hostile_text(8))


def placed(text: str, *chunks: str | tuple[str, int | None] | tuple[str, int | None, int | None]) -> list[Placement]:
    return place_chunks(text, [ForeignChunk(one) if isinstance(one, str) else ForeignChunk(*one) for one in chunks])


def spans(placements: Sequence[Placement]) -> list[Place | None]:
    return [None if one.start is None or one.end is None else (one.start, one.end) for one in placements]


def states(placements: Sequence[Placement]) -> list[str]:
    return [one.status for one in placements]


@st.composite
def true_chunks(draw: st.DrawFn) -> tuple[str, list[Place]]:
    """A text and chunks of it, sorted by start, then end, none twice; they may overlap, nest and leave gaps."""
    text = draw(TEXTS)
    every = [(start, end) for start in range(len(text)) for end in range(start + 1, len(text) + 1)]
    chosen = draw(st.lists(st.sampled_from(every), unique=True, max_size=7)) if every else []
    return text, sorted(chosen)


def is_nested(chunks: Sequence[Place]) -> bool:
    """Whether one chunk lies inside another, and shares no edge with it."""
    return any(a < c and d < b for a, b in chunks for c, d in chunks)


@st.composite
def one_layer_chunks(draw: st.DrawFn) -> tuple[str, list[Place]]:
    """As `true_chunks`, but with none inside another: overlaps and gaps, equal starts and equal ends."""
    text, chunks = draw(true_chunks())
    kept: list[Place] = []
    for chunk in chunks:
        if not kept or chunk[1] >= kept[-1][1]:
            kept.append(chunk)
    return text, kept


def moved(text: str, chunks: Sequence[Place]) -> bool:
    """Whether chunks lie inside each other, and their texts can stand with none inside another (edges count)."""
    every = all_placements(text, [text[a:b] for a, b in chunks])
    return is_nested(chunks) and any(
        all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(chosen)) for chosen in every
    )


def all_placements(text: str, chunks: Sequence[str]) -> list[tuple[Place, ...]]:
    """Every way to give each chunk a slice that equals it, sorted by start, then end, none twice."""
    places = [
        [(at, at + len(chunk)) for at in range(len(text) - len(chunk) + 1) if text[at : at + len(chunk)] == chunk]
        for chunk in chunks
    ]
    return [chosen for chosen in product(*places) if all(one < other for one, other in pairwise(chosen))]


# ------------------------------------------------------------------------------------------------ the rule
@given(true_chunks())
def test_the_first_and_last_places_are_those_of_all_placements(world: tuple[str, list[Place]]) -> None:
    text, chunks = world
    chunks = chunks[:5]
    texts = [text[a:b] for a, b in chunks]
    found = possible_places(Occurrences(text), texts, [None] * len(texts))
    every = all_placements(text, texts)
    assert found.ordered
    assert tuple(chunks) in every
    assert found.first == [min(one[number][0] for one in every) for number in range(len(chunks))]
    assert found.last == [max(one[number][0] for one in every) for number in range(len(chunks))]


@given(true_chunks())
def test_every_chunk_is_placed_truly_or_called_ambiguous(world: tuple[str, list[Place]]) -> None:
    text, chunks = world
    found = placed(text, *(text[a:b] for a, b in chunks))
    assert set(states(found)) <= {"exact", "ambiguous"}
    for one, true in zip(found, chunks, strict=True):
        assert one.status == "ambiguous" or (one.start, one.end) == true
        assert text[one.start : one.end] == text[true[0] : true[1]]
    # By order no chunk is placed twice, and starts go forward.
    assert all(one < other for one, other in pairwise(spans(found)))  # type: ignore[operator]
    refused = place_chunks(text, [ForeignChunk(text[a:b]) for a, b in chunks], by_order=False)
    assert states(refused) == states(found)
    assert [one.is_placed for one in refused] == [one.status == "exact" for one in refused]


@given(st.one_of(true_chunks(), one_layer_chunks()), st.booleans())
def test_right_offsets_are_exact(world: tuple[str, list[Place]], with_end: bool) -> None:
    text, chunks = world
    if is_nested(chunks):
        chunks = chunks[:5]
        assume(not moved(text, chunks))
    found = placed(text, *((text[a:b], a, b if with_end else None) for a, b in chunks))
    assert found == [Placement("exact", a, b) for a, b in chunks]
    only_ends = place_chunks(text, [ForeignChunk(text[a:b], end=b) for a, b in chunks])
    assert only_ends == found


@given(one_layer_chunks(), st.booleans(), st.randoms(use_true_random=False))
def test_right_offsets_are_exact_in_any_order(
    world: tuple[str, list[Place]], with_end: bool, draw: random.Random
) -> None:
    text, chunks = world
    draw.shuffle(chunks)
    told = [(text[a:b], a, b if with_end else None) for a, b in chunks]
    assert placed(text, *told) == [Placement("exact", a, b) for a, b in chunks]
    # What is nowhere says nothing of the others.
    strangers = placed(text, ("無い", 0), *told, ("", 0), ("\x00", None))
    assert strangers[1:-2] == [Placement("exact", a, b) for a, b in chunks]
    audit = audited(corpus_of([text]), [[ForeignChunk(*one) for one in told]])
    assert audit.fits == {}


def test_right_offsets_are_exact_in_every_order() -> None:
    """Every list of up to three chunks of small texts, in every order, none inside another."""
    for text in ("ああああ", "あいあい", "あ\r\nあ", "🍣あ🍣あ"):
        every = [(start, end) for start in range(len(text)) for end in range(start + 1, len(text) + 1)]
        for count in (1, 2, 3):
            for chunks in permutations(every, count):
                if not is_nested(chunks):
                    found = placed(text, *((text[a:b], a, b) for a, b in chunks))
                    assert found == [Placement("exact", a, b) for a, b in chunks]


@given(true_chunks())
def test_places_of_one_layer_are_those_of_all_placements(world: tuple[str, list[Place]]) -> None:
    text, chunks = world
    chunks = chunks[:5]
    texts = [text[a:b] for a, b in chunks]
    found = possible_places(Occurrences(text), texts, [None] * len(texts), one_layer=True)
    every = [
        chosen
        for chosen in all_placements(text, texts)
        if all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(chosen))
    ]
    assert found.ordered == bool(every)
    if every:
        assert found.first == [min(one[number][0] for one in every) for number in range(len(chunks))]
        assert found.last == [max(one[number][0] for one in every) for number in range(len(chunks))]
        # What is stated inside another stands where no chunk lies inside another.
        if is_nested(chunks):
            placements = spans(placed(text, *((text[a:b], a) for a, b in chunks)))
            assert not is_nested([place for place in placements if place is not None])


@given(true_chunks(), st.randoms(use_true_random=False))
def test_out_of_order_equal_texts_take_their_places_one_after_the_other(
    world: tuple[str, list[Place]], draw: random.Random
) -> None:
    text, chunks = world
    draw.shuffle(chunks)
    found = placed(text, *(text[a:b] for a, b in chunks))
    texts = [text[a:b] for a, b in chunks]
    for number, (one, chunk) in enumerate(zip(found, texts, strict=True)):
        places = {at for at in range(len(text)) if text.startswith(chunk, at)}
        assert one.start in places
        earlier = {found[before].start for before in range(number) if texts[before] == chunk}
        # Equal texts stand one behind the other while there is a place left.
        assert one.start not in earlier or places == earlier


@given(true_chunks(), st.data())
def test_wrong_offsets_never_make_a_place_untrue(world: tuple[str, list[Place]], data: st.DataObject) -> None:
    """Some offsets right, some wrong, some not there: who is called exact or drifted stands where it truly does."""
    text, chunks = world
    chunks = chunks[:5]
    assume(not moved(text, chunks))
    told: list[ForeignChunk] = []
    for a, b in chunks:
        wrong = [at for at in (-1, a + 1, a - 1, len(text) + 3) if not text.startswith(text[a:b], max(at, 0)) or at < 0]
        how = data.draw(st.sampled_from(["right", "wrong", "none"]))
        start = a if how == "right" else None if how == "none" else data.draw(st.sampled_from([-1, *wrong]))
        told.append(ForeignChunk(text[a:b], start))
    for chunk, one, true in zip(told, place_chunks(text, told), chunks, strict=True):
        proven = "exact" if chunk.start in (None, true[0]) else "drifted"
        assert one.status == proven or (one.status == "ambiguous" and chunk.start != true[0])
        assert one.status == "ambiguous" or (one.start, one.end) == true


@given(st.lists(st.none() | st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=9))
def test_the_longest_run_of_places_that_go_forward(places: list[Place | None]) -> None:
    there = [number for number, place in enumerate(places) if place is not None]
    longest = max(
        len(some)
        for count in range(len(there) + 1)
        for some in combinations(there, count)
        if all(places[one] < places[other] for one, other in pairwise(some))  # type: ignore[operator]
    )
    found = sorted(longest_forward(places))
    assert len(found) == longest
    assert all(places[one] < places[other] for one, other in pairwise(found))  # type: ignore[operator]


@given(true_chunks(), st.data())
def test_stated_places_of_equal_texts_are_never_worse_than_ambiguous(
    world: tuple[str, list[Place]], data: st.DataObject
) -> None:
    """Any place at which the text stands may be stated: no two different chunks get one place, and all are slices."""
    text, chunks = world
    told = []
    for a, b in chunks:
        places = [at for at in range(len(text)) if text.startswith(text[a:b], at)]
        told.append(ForeignChunk(text[a:b], data.draw(st.sampled_from(places))))
    found = place_chunks(text, told)
    assert set(states(found)) <= {"exact", "drifted", "ambiguous"}
    for chunk, one in zip(told, found, strict=True):
        assert text[one.start : one.end] == chunk.text
        assert one.status != "exact" or one.start == chunk.start
    by_text: dict[str, list[int | None]] = {}
    for chunk, one in zip(told, found, strict=True):
        by_text.setdefault(chunk.text, []).append(one.start)
    assert all(len(set(starts)) == len(starts) for starts in by_text.values())
    if [chunk.start for chunk in told] == [a for a, _ in chunks] and not is_nested(chunks):
        assert set(states(found)) <= {"exact"}


@given(TEXTS, st.lists(st.one_of(TEXTS, st.just("\ufffd"), st.text(max_size=4)), max_size=6))
def test_no_place_is_guessed(text: str, strangers: list[str]) -> None:
    for chunk, one in zip(strangers, placed(text, *strangers), strict=True):
        if chunk and chunk in text:
            assert one.status in {"exact", "ambiguous"}
            assert text[one.start : one.end] == chunk
        elif one.start is not None and one.end is not None:
            assert (one.status, one.detail) == ("damaged", "white space")
            piece = text[one.start : one.end]
            assert piece == piece.strip()
            assert "".join(piece.split()) == "".join(chunk.split())
        else:
            assert one.status == ("damaged" if "\ufffd" in chunk else "missing") or one.detail == "white space"


# ------------------------------------------------------------------------------------------------ cases
def test_equal_sentences_never_share_the_first_place() -> None:  # A10
    text = "同意する。同意する。"
    assert placed(text, "同意する。", "同意する。") == [Placement("exact", 0, 5), Placement("exact", 5, 10)]
    # Nor where the tool says so: the second was given the place of the first.
    assert placed(text, ("同意する。", 0, 5), ("同意する。", 0, 5)) == [
        Placement("exact", 0, 5),
        Placement("drifted", 5, 10),
    ]
    three = text + "同意する。"
    assert placed(three, "同意する。", "同意する。") == [Placement("ambiguous", 0, 5), Placement("ambiguous", 5, 10)]
    assert not any(one.is_placed for one in place_chunks(three, [ForeignChunk("同意する。")] * 2, by_order=False))
    # A text that stands once is where it is, however often the index lists it.
    assert spans(placed("同意する。", "同意する。", "同意する。")) == [(0, 5), (0, 5)]
    assert states(placed("同意する。", "同意する。", "同意する。")) == ["exact", "exact"]


def test_a_stated_place_that_goes_back_is_not_believed_where_the_texts_can_go_forward() -> None:
    # A tool that searches from the start of the document: every text equals the slice, and two of five are wrong.
    text = "はい、甲です。乙です。はい、丙です。乙です。"
    pieces = ["はい、", "甲です。乙です。", "はい、", "丙です。", "乙です。"]
    found = placed(text, *((piece, text.index(piece)) for piece in pieces))
    assert states(found) == ["exact", "exact", "drifted", "exact", "drifted"]
    assert "".join(text[one.start : one.end] for one in found) == text
    # In a list that cannot be in order there is nothing but equality.
    back = placed(text, *((piece, text.rindex(piece)) for piece in reversed(pieces)))
    assert states(back) == ["exact", "exact", "exact", "exact", "ambiguous"]


def test_true_offsets_are_believed_in_any_order() -> None:
    for text, places in (
        ("トマトトマトトマト", [(6, 9), (3, 6), (0, 3)]),
        ("はい。いいえ。はい。いいえ。はい。", [(7, 10), (0, 3)]),
        ("🍣。\r\n🍣。\u3000🍣。", [(7, 9), (0, 2), (4, 6)]),
    ):
        told = [ForeignChunk(text[a:b], a, b) for a, b in places]
        found = audited(corpus_of([text]), [told])
        assert [row.placement for row in found.rows] == [Placement("exact", a, b) for a, b in places]
    # Most of them, where one is wrong.
    text = "トマト。" * 9
    shuffled = [16, 4, 32, 0, 8, 28, 12]
    found = placed(text, *(("トマト。", at) for at in shuffled), ("トマト。", 3))
    assert spans(found)[:-1] == [(at, at + 4) for at in shuffled]
    assert states(found) == ["exact"] * 7 + ["ambiguous"]


def test_a_repeated_sentence_stated_inside_the_chunk_before_it_has_drifted() -> None:
    """As LlamaIndex does: each is looked for one character behind the start of the one before it."""
    one = "\ufeff東京は首都です。人口は多い。\r\n\r\n東京は首都です。🍣を３皿。\nか\u3099く。"
    text = one * 3
    assert len(one) == 37
    told = [
        ForeignChunk(text[at + a : at + b], at + (1 if a == 19 else a))
        for at in (0, 37, 74)
        for a, b in ((0, 15), (19, 27), (27, 37))
    ]
    found = audited(corpus_of([text]), [told])
    assert [row.placement.status for row in found.rows] == ["exact", "drifted", "exact"] * 3
    assert [found.rows[number].placement.start for number in (1, 4, 7)] == [19, 56, 93]
    assert (found.checks.coverage, found.checks.leaves_out) == (1.0, False)
    # Right code points do not fit another unit better.
    assert found.fits == {"utf16": 0, "utf8": 0}
    # Where no other place is left, layers are layers.
    assert states(placed("東京は首都。海。", ("東京は首都。", 0), ("首都", 3), ("海。", 6))) == ["exact"] * 3


def test_repeated_texts_stated_too_close_are_seen_by_coverage() -> None:
    text = "あいう。" * 30
    told = [ForeignChunk(text[:20], at) for at in range(0, 24, 4)]
    found = audited(corpus_of([text]), [told])
    assert {row.placement.status for row in found.rows} == {"exact"}
    assert found.checks.coverage == 40 / 120
    assert found.checks.leaves_out


@pytest.mark.parametrize(("covered", "leaves_out"), [(0, True), (94, True), (95, False), (100, False)])
def test_five_percent_may_be_left_out(covered: int, leaves_out: bool) -> None:
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 100))) + "\u3000\r\n" * 9
    told = [ForeignChunk(text[:covered])] if covered else []
    assert checks(text, told, place_chunks(text, told)).leaves_out == leaves_out


def test_believed_starts_that_leave_no_room_bind_nobody() -> None:
    # Each start is possible, both go forward, and no 乙 stands between them: some order is broken, nobody knows where.
    found = placed("甲乙甲乙甲乙", ("甲", 2), "乙", ("乙", 3))
    assert found == [Placement("exact", 2, 3), Placement("ambiguous", 1, 2), Placement("exact", 3, 4)]


def test_a_substring_of_an_earlier_chunk_goes_forward() -> None:  # A1
    found = placed("トマトトマトトマト", "トマト", "トマト", "トマト")
    assert found == [Placement("exact", 0, 3), Placement("exact", 3, 6), Placement("exact", 6, 9)]


def test_the_order_prefers_what_follows_directly() -> None:
    # はい also stands inside はいはい, and in front of it nothing would cover the end.
    assert placed("はいはいはい", "はいはい", "はい") == [Placement("ambiguous", 0, 4), Placement("ambiguous", 4, 6)]
    assert spans(placed("はい\u3000\nはい はい", "はい", "はい")) == [(0, 2), (4, 6)]
    assert spans(placed("乙甲乙。甲乙", "乙甲", "甲乙")) == [(0, 2), (1, 3)]


def test_overlap_that_was_copied_lies_in_the_chunk_before() -> None:
    text = "一二三四五六七八九十一二三四"
    # As bunsetsu does: the offsets are those of the text without what was copied in front of it.
    found = placed(text, ("一二三四五六", 0, 6), ("五六七八九十", 6, 12), ("九十一二三四", 10, 16))
    assert found == [Placement("exact", 0, 6), Placement("drifted", 4, 10), Placement("drifted", 8, 14)]
    assert overlaps(found) == [0, 2, 2]
    # Periodic text: the list as a whole leaves one place for each.
    assert spans(placed("abababab", "abab", "abab", "abab")) == [(0, 4), (2, 6), (4, 8)]


@pytest.mark.parametrize("stated", [-1, -7, 1, 3, 99, 10**30])
def test_wrong_offsets_are_drifted(stated: int) -> None:
    assert placed("寿司。が\u3099鰻🍣。", ("寿司。", 0), ("鰻🍣", stated)) == [
        Placement("exact", 0, 3),
        Placement("drifted", 5, 7),
    ]


def test_a_right_start_with_a_wrong_end_is_drifted() -> None:
    assert placed("寿司寿司", ("寿司", 2, 3)) == [Placement("drifted", 2, 4)]
    assert placed("寿司寿司", ("寿司", 2, 4)) == [Placement("exact", 2, 4)]


def test_what_damaged_means() -> None:
    text = "赤 い\r\n花\u3000束。\ufffd"
    assert placed(text, "赤 い 花", "束。") == [Placement("damaged", 0, 6, "white space"), Placement("exact", 7, 9)]
    assert placed(text, ("花束", 5)) == [Placement("damaged", 5, 8, "white space")]
    assert placed(text, "束\ufffd") == [Placement("damaged", detail="replacement character")]
    # A document may have one of its own.
    assert placed(text, "。\ufffd") == [Placement("exact", 8, 10)]
    # Two slices differ in white space only: nothing is guessed.
    assert placed("甲 乙。甲\n乙", "甲乙") == [Placement("missing")]
    assert placed("甲 乙。甲\n乙", "甲乙。", "甲乙") == [
        Placement("damaged", 0, 4, "white space"),
        Placement("damaged", 4, 7, "white space"),
    ]
    assert placed(text, "見出し: 花", "花束!", "", "\n\n") == [
        Placement("missing"),
        Placement("missing"),
        Placement("missing", detail="empty"),
        Placement("missing"),
    ]
    # Zero-width space is no white space.
    assert placed("東\u200b京", "東京") == [Placement("missing")]


def test_empty_lists_and_documents() -> None:
    assert place_chunks("", []) == []
    assert placed("", "甲", "") == [Placement("missing"), Placement("missing", detail="empty")]
    assert checks("", [], []).coverage is None
    assert not checks("", [], []).leaves_out


# ------------------------------------------------------------------------------------------------ units
@given(hostile_text(), st.data())
def test_offsets_in_other_units_are_converted(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for unit in ("codepoint", "utf16", "utf8"):
        stated = ForeignChunk(text[start:end], from_code_point(text, start, unit), from_code_point(text, end, unit))
        assert in_code_points(text, [stated], unit) == [ForeignChunk(text[start:end], start, end)]


def test_an_offset_inside_a_character_is_nowhere_and_the_fitting_unit_is_named() -> None:  # B19
    text = "🍣を3皿"
    assert in_code_points(text, [ForeignChunk("を", 1, 99), ForeignChunk("を", -1)], "utf16") == [
        ForeignChunk("を", -1, -1),
        ForeignChunk("を", -1),
    ]
    told = [ForeignChunk("3皿", 3, 5)]
    assert fitting(text, told, "codepoint") == {"utf16": 1, "utf8": 0}
    found = audited(corpus_of([text]), [told])
    assert found.fits == {"utf16": 1, "utf8": 0}
    assert found.rows[0].placement == Placement("drifted", 2, 4)
    right = audited(corpus_of([text]), [told], unit="utf16")
    assert right.rows[0].placement == Placement("exact", 2, 4)
    assert right.fits == {}


# ------------------------------------------------------------------------------------------------ checks
def test_white_space_is_what_python_calls_so() -> None:
    every = "".join(chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    assert is_white(every).tolist() == [character.isspace() for character in every]


@given(true_chunks(), true_chunks())
def test_coverage_and_advance_by_sets(world: tuple[str, list[Place]], other: tuple[str, list[Place]]) -> None:
    text, chunks = world
    stated = [(*place, number) for number, place in enumerate(other[1][: len(chunks)])]
    told = [
        ForeignChunk(text[a:b], *(stated[number][:2] if number < len(stated) else (None, None)))
        for number, (a, b) in enumerate(chunks)
    ]
    placements = [Placement("exact", a, b) for a, b in chunks]
    found = checks(text, told, placements)
    solid = {at for at, character in enumerate(text) if not character.isspace()}
    assert found.characters == len(solid)
    assert found.covered == len(solid & {at for a, b in chunks for at in range(a, b)})
    assert found.stated_covered == len(solid & {at for a, b, _ in stated for at in range(a, b)})
    assert (found.steps, found.advancing) == (max(0, len(chunks) - 1),) * 2
    assert found.stated_steps == max(0, len(stated) - 1)
    assert overlaps(placements) == [
        0 if not number else len(set(range(*chunks[number - 1])) & set(range(*chunks[number])))
        for number in range(len(chunks))
    ]
    assert found.overlapping == sum(one > 0 for one in overlaps(placements))


def test_offsets_that_all_point_to_the_first_place_are_seen() -> None:
    """Text equality holds for every chunk, and the offsets cover a tenth of the document."""
    sentence = "以上です。"
    text = sentence * 10
    told = [ForeignChunk(sentence, 0, 5)] * 10
    found = checks(text, told, place_chunks(text, told))
    assert (found.stated_coverage, found.stated_advance) == (0.1, 0.0)
    assert (found.coverage, found.advance) == (1.0, 1.0)


def test_an_audit_adds_up_documents() -> None:
    corpus = corpus_of([HOSTILE, "", "甲。乙。甲。"])
    found = audited(corpus, [[ForeignChunk(HOSTILE[:6], 0), ForeignChunk("x\ufffd", -1)], [], [ForeignChunk("甲。")]])
    assert dict(found.counts) == {"exact": 1, "ambiguous": 1, "drifted": 0, "damaged": 1, "missing": 0}
    assert found.share_exact == 1 / 3
    assert dict(found.details) == {"replacement character": 1}
    assert [row.named for row in found.unplaced] == [f"document {corpus.ids[0]!r}, chunk 2: 'x\ufffd'"]
    assert found.checks.characters == sum(not c.isspace() for text in corpus.texts for c in text)
    assert audited(corpus, [[], [], []]).share_exact is None


# ------------------------------------------------------------------------------------------------ the index and time
@given(TEXTS, TEXTS, st.integers(0, 9), st.integers(-1, 12))
def test_the_index_finds_what_searching_finds(text: str, other: str, low: int, high: int) -> None:
    plain, indexed = Occurrences(text), Occurrences(text)
    indexed._left = 0
    for slice_ in {other, text[low:high], text[low : low + 1], text[:9]} - {""}:
        inside = [at for at in range(len(text)) if text.startswith(slice_, at) and low <= at <= high]
        for one in (plain, indexed):
            assert one.first(slice_, low, high) == min(inside, default=None)
            assert one.last(slice_, high, low) == max(inside, default=None)
            assert one.last(slice_) == (text.rfind(slice_) if slice_ in text else None)


def hundred_thousands(characters: int) -> str:
    draw = random.Random(1)
    return "".join(draw.choices(PIECES[:8], k=characters // 2))


def shapes(text: str) -> dict[str, list[ForeignChunk]]:
    pieces = [text[at : at + 40] for at in range(0, len(text), 40)]
    shuffled = pieces.copy()
    random.Random(2).shuffle(shuffled)
    return {
        "in order": [ForeignChunk(piece) for piece in pieces],
        "drifted": [ForeignChunk(piece, -1) for piece in pieces],
        "nowhere": [ForeignChunk(f"{piece}無") for piece in pieces],
        "white space": [ForeignChunk(f"{piece[:20]} {piece[20:]}") for piece in pieces],
        "decoded": [ForeignChunk(f"{piece}\ufffd") for piece in pieces],
        "out of order": [ForeignChunk(piece) for piece in shuffled],
        "shuffled, stated": [
            ForeignChunk(text[at : at + 40], at) for at in random.Random(3).sample(range(0, len(text), 40), len(pieces))
        ],
        "all the same place": [ForeignChunk("あ", text.index("あ"))] * (len(text) // 40),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", list(shapes("あ")))
def test_time_grows_with_the_text_and_not_with_its_square(name: str) -> None:  # P121
    def seconds(characters: int) -> float:
        text = hundred_thousands(characters)
        chunks = shapes(text)[name]
        took = []
        for _ in range(2):
            began = time.perf_counter()
            place_chunks(text, chunks)
            took.append(time.perf_counter() - began)
        return min(took)

    # Eight times the text; its square would be sixty-four.
    assert seconds(160_000) <= 24 * seconds(20_000) + 0.2


def test_what_is_alike_in_its_rarest_window_is_compared() -> None:
    known = Occurrences("abcdefghか\u309912345678")
    # Searched through often enough: from here on by the index.
    while known._left > 0:
        assert known.last("無い") is None
    assert known.first("か\u309912345678") == 8
    assert known.first("abcdefgh12345678") is None
    assert known.last("abcdefgh12345678") is None


@pytest.mark.parametrize(
    ("text", "chunks", "expected"),
    [
        # Of one layer: each ends behind the one before it, wherever it starts.
        ("あ" * 10, [("あ" * 2, 2), ("あ" * 5, 0), ("あ" * 3, 0)], [("exact", 2), ("ambiguous", 4), ("ambiguous", 7)]),
        ("あ" * 8, [("あ" * 4, 2), ("あ", 4)], [("exact", 2), ("ambiguous", 6)]),
        # Half of the starts are not in the order of the list: the list is in none.
        ("ああ", [("ああ", None), ("あ", 0)], [("exact", 0), ("exact", 0)]),
    ],
)
def test_repeated_texts_and_stated_starts(
    text: str, chunks: list[tuple[str, int | None]], expected: list[tuple[str, int]]
) -> None:
    assert [(one.status, one.start) for one in placed(text, *chunks)] == expected


def test_a_chunk_that_starts_before_the_one_in_front_of_it_has_no_overlap() -> None:
    placements = [Placement("exact", *place) for place in ((4, 9), (2, 6), (5, 7), (5, 8))]
    assert overlaps(placements) == [0, 0, 1, 2]


def test_the_first_character_of_three_bytes_has_three() -> None:
    text = "\u07ff\u0800か"
    chunk = ForeignChunk("\u0800か", 2, 8)
    assert in_code_points(text, [chunk], "utf8") == [ForeignChunk("\u0800か", 1, 3)]
