from __future__ import annotations

from hypothesis import given, settings

from kugiri.chunkers.paragraph import Paragraph
from kugiri.segmenters.paragraphs import Paragraphs
from worlds import HOSTILE, World, corpus_of, local_chunks, worlds


def test_a_paragraph_that_repeats_keeps_its_place() -> None:  # A2
    assert local_chunks(Paragraph().chunk(corpus_of(["注意。\n\n注意。"]))) == [(0, 0, 3), (0, 5, 8)]


def test_a_document_written_on_windows_is_cut_like_any_other() -> None:
    unix = "一行目\n二行目\n\n\u3000か\u3099👩\u200d🍳\n"
    pieces = [
        [chunking.chunk(index).text.replace("\r\n", "\n") for index in range(len(chunking))]
        for chunking in (Paragraph().chunk(corpus_of([text])) for text in (unix, unix.replace("\n", "\r\n")))
    ]
    assert pieces[0] == pieces[1] == ["一行目\n二行目", "\u3000か\u3099👩\u200d🍳"]


@settings(max_examples=200)
@given(worlds())
def test_chunks_are_the_paragraphs(world: World) -> None:
    corpus = world.corpus()
    chunking, units = Paragraph().chunk(corpus), Paragraphs().segment(corpus)
    assert chunking.start.tolist() == units.start.tolist()
    assert chunking.end.tolist() == units.end.tolist()
    for d, recorded in enumerate(world.paragraphs):
        if recorded:
            assert [(s, e) for number, s, e in local_chunks(chunking) if number == d] == list(recorded)


def test_recorded_paragraphs_may_leave_text_in_no_chunk() -> None:
    assert local_chunks(Paragraph().chunk(corpus_of([HOSTILE], [((2, 5),)]))) == [(0, 2, 5)]


def test_no_documents_no_chunks() -> None:
    assert len(Paragraph().chunk(corpus_of([]))) == 0
    assert len(Paragraph().chunk(corpus_of(["", " \u3000\r\n"]))) == 0
