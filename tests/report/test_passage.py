from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kugiri.report.passage import Mark, Passage, Piece, bracketed, clipped, drawn

Spans = list[tuple[int, int]]


def as_text(passage: Passage) -> str:
    return "".join(
        part if isinstance(part, str) else part.symbol if isinstance(part, Mark) else part.shown
        for part in bracketed(passage)
    )


def test_a_cut_inside_the_evidence() -> None:
    passage = drawn("abcdef", 10, [(12, 15)], [(6, 13), (13, 20)])
    assert passage == (Piece("ab"), Piece("c", True), Mark("cut", 13, True), Piece("de", True), Piece("f"))
    assert as_text(passage) == "ab【c｜de】f"


def test_edges_of_the_evidence_are_not_inside_it() -> None:
    assert as_text(drawn("abcdef", 0, [(2, 4)], [(0, 2), (2, 4), (4, 6)])) == "ab｜【cd】｜ef"


def test_overlapping_chunks_show_where_each_starts_and_ends() -> None:
    assert as_text(drawn("abcdef", 0, [(1, 5)], [(0, 4), (2, 6)])) == "a【b⟨cd⟩e】f"


def test_a_chunk_across_an_edge_makes_it_no_cut() -> None:
    # Windows of 4 that overlap by 2: the first ends where the third starts, and the second goes across.
    assert as_text(drawn("abcdefgh", 0, [], [(0, 4), (2, 6), (4, 8)])) == "ab⟨cd⟩⟨ef⟩gh"


def test_dropped_text_is_in_no_chunk() -> None:
    passage = drawn("ab\u3000\u3000cd", 0, [(0, 6)], [(0, 2), (4, 6)])
    assert as_text(passage) == "【ab⟩\u3000\u3000⟨cd】"
    assert [part.covered for part in passage if isinstance(part, Piece)] == [True, False, True]


def test_several_spans_and_spans_that_touch() -> None:
    assert as_text(drawn("abcdef", 0, [(4, 5), (0, 1), (1, 2)], [(0, 6)])) == "【ab】cd【e】f"


def test_hidden_characters_are_shown_and_the_rest_is_kept() -> None:
    shown = as_text(drawn("\u3000a\r\nb\x1b[0m\u202e👩\u200d🔧", 0, [], [(0, 20)]))
    assert shown == "\u3000a\\r⏎\nb\\x1b[0m\\u202e👩\u200d🔧"


def test_a_combining_mark_cut_from_its_base_does_not_stand_on_the_mark() -> None:
    assert as_text(drawn("か\u3099", 0, [], [(0, 1), (1, 2)])) == "か｜◌\u3099"


def test_clipped_keeps_the_marks_inside_and_tells_what_it_left_out() -> None:
    passage = drawn("abcdefghij", 100, [(104, 106)], [(100, 103), (103, 105), (105, 110)])
    part, before, after = clipped(passage, 100, (104, 106), 2)
    assert (as_text(part), before, after) == ("c｜d【e｜f】gh", True, True)
    assert clipped(passage, 100, (104, 106), 9) == (passage, False, False)


spans = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda s: (s[0], s[0] + s[1])), max_size=6)
texts = st.text(st.sampled_from("aあ\u3000\r\n\u3099👩\u200d｜⟨⟩【】\x1b"), min_size=1, max_size=20)


@given(texts, st.integers(0, 12), spans, spans)
def test_without_the_marks_the_passage_is_the_text(text: str, start: int, evidence: Spans, chunks: Spans) -> None:
    passage = drawn(text, start, evidence, chunks)
    assert "".join(part.text for part in passage if isinstance(part, Piece)) == text
    assert all(part.text for part in passage if isinstance(part, Piece))


@given(texts, st.integers(0, 12), spans, spans)
def test_every_edge_inside_the_passage_is_marked_once_where_it_is(
    text: str, start: int, evidence: Spans, chunks: Spans
) -> None:
    passage, end = drawn(text, start, evidence, chunks), start + len(text)
    marks, place = [], start
    for part in passage:
        if isinstance(part, Mark):
            assert part.at == place
            marks.append((part.edge, part.at))
        else:
            inside = {any(a <= at < b for a, b in evidence) for at in range(place, place + len(part.text))}
            covered = {any(a <= at < b for a, b in chunks) for at in range(place, place + len(part.text))}
            assert (inside, covered) == ({part.evidence}, {part.covered})
            place += len(part.text)
    expected = []
    for at in range(start + 1, end):
        starts, ends = any(a == at for a, _ in chunks), any(b == at for _, b in chunks)
        if starts and ends and not any(a < at < b for a, b in chunks):
            expected.append(("cut", at))
        else:
            expected += [("end", at)] * ends + [("start", at)] * starts
    assert marks == expected


@given(texts, st.integers(0, 12), spans, spans, st.integers(0, 40))
def test_clipping_keeps_what_is_near(text: str, start: int, evidence: Spans, chunks: Spans, context: int) -> None:
    passage, around = drawn(text, start, evidence, chunks), (start, start + 1)
    part, before, after = clipped(passage, start, around, context)
    kept = text[: context + 1]
    assert "".join(piece.text for piece in part if isinstance(piece, Piece)) == kept
    assert (before, after) == (False, len(kept) < len(text))
    marks = [mark for mark in passage if isinstance(mark, Mark) and mark.at < start + len(kept)]
    assert [mark for mark in part if isinstance(mark, Mark)] == marks
