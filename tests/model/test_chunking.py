from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from kugiri.errors import InvariantError
from kugiri.model.chunking import Chunking
from worlds import World, chunking_of, corpus_of, local_chunks, worlds

CORPUS = corpus_of(["甲乙丙丁戊己庚辛", "", "か\u3099\u3000\r\n👩\u200d🍳", ""])
END = CORPUS.characters


def chunks(*pairs: tuple[int, int]) -> Chunking:
    return Chunking(CORPUS, np.array([s for s, _ in pairs], np.int64), np.array([e for _, e in pairs], np.int64))


@settings(max_examples=200)
@given(worlds())
def test_every_chunk_is_the_slice_its_id_names(world: World) -> None:
    chunking = world.chunking()
    assert local_chunks(chunking) == list(world.chunks)
    for index, (d, s, e) in enumerate(world.chunks):
        record = chunking.chunk(index)
        assert record.text == world.texts[d][s:e] == world.texts[d][record.start : record.end] != ""
        assert record.document == chunking.corpus.ids[d]
        assert record.id.endswith(f"@{s}:{e}")
    assert chunking.lengths.tolist() == [e - s for _, s, e in world.chunks]


def test_equal_chunks_are_merged_and_counted() -> None:
    made = chunks((0, 4), (0, 4), (0, 4), (2, 8), (2, 8), (8, 10))
    assert local_chunks(made) == [(0, 0, 4), (0, 2, 8), (2, 0, 2)]
    assert made.merged == 3


def test_chunks_may_share_a_start_or_an_end() -> None:
    assert len(chunks((0, 2), (0, 4), (1, 4), (2, 4))) == 4


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([(0, 0)], ("[0, 0)", "empty")),
        ([(0, 2), (5, 3)], ("[5, 3)", "empty")),
        ([(2, 4), (1, 5)], ("[1, 5)", "in front")),
        ([(0, 8), (1, 5)], ("[1, 5)", "in front")),
        ([(6, 9)], ("[6, 9)", "edge")),
        ([(0, END)], (f"[0, {END})", "edge")),
        ([(-1, 3)], ("[-1, 3)", "edge")),
        ([(8, 10), (10, END + 1)], ("[2, 9)", "edge")),
        ([(END, END + 2)], ("edge",)),
    ],
)
def test_a_broken_chunker_is_told_which_chunk_and_where(pairs: list[tuple[int, int]], said: tuple[str, ...]) -> None:
    with pytest.raises(InvariantError) as caught:
        chunks(*pairs)
    assert all(word in caught.value.what for word in said)
    assert "document '" in caught.value.where


def test_the_message_names_the_document_its_own_offsets_and_the_text_around() -> None:
    with pytest.raises(InvariantError) as caught:
        chunks((0, 8), (8, 10), (12, 11))
    assert caught.value.what.startswith("chunk [4, 3)")
    assert "document '丙%3A' of 8 characters" in caught.value.where
    assert "か\u3099\u3000\\r" in caught.value.where
    with pytest.raises(InvariantError) as caught:
        chunks((1, 3), (2, 2))
    assert "甲乙【】丙丁" in caught.value.where


@pytest.mark.parametrize("texts", [[], [""], ["", ""]])
@pytest.mark.parametrize("pair", [(0, 1), (0, 0), (-1, 0), (1, 2)])
def test_a_chunk_where_there_is_no_text_is_refused_like_any_other(texts: list[str], pair: tuple[int, int]) -> None:
    corpus = corpus_of(texts)
    with pytest.raises(InvariantError):
        Chunking(corpus, np.array([pair[0]]), np.array([pair[1]]))


@pytest.mark.parametrize("texts", [[], [""], ["", ""]])
def test_no_text_no_chunks(texts: list[str]) -> None:
    corpus = corpus_of(texts)
    made = chunking_of(corpus, [])
    assert len(made) == 0
    assert made.document.tolist() == []
    assert made.same_as(chunking_of(corpus, []))


def test_as_many_starts_as_ends() -> None:
    with pytest.raises(InvariantError, match="2 starts and 1 ends"):
        Chunking(CORPUS, np.array([0, 1]), np.array([2]))


@pytest.mark.parametrize("start", [[0.0, 2.0], [0.5, 2.0], [[0, 2]], ["0", "2"]])
def test_offsets_are_integers(start: object) -> None:
    with pytest.raises(InvariantError, match="no columns of int64"):
        Chunking(CORPUS, np.array(start), np.array([2, 4]))


@pytest.mark.parametrize("place", [2**62, 2**63 - 2])
def test_huge_offsets_are_refused(place: int) -> None:
    with pytest.raises(InvariantError):
        chunks((0, 8), (place, place + 1))
    with pytest.raises(InvariantError):
        chunks((0, 8), (8, place))


def test_chunks_do_not_change_with_the_arrays_they_were_made_from() -> None:
    start, end = np.array([0, 2]), np.array([2, 4])
    made = Chunking(CORPUS, start, end)
    start[:] = end[:] = 7
    assert local_chunks(made) == [(0, 0, 2), (0, 2, 4)]
    with pytest.raises(ValueError, match="read-only"):
        made.start[0] = 1


def test_same_chunks() -> None:
    assert chunks((0, 2), (2, 4)).same_as(chunks((0, 2), (2, 4), (2, 4)))
    assert not chunks((0, 2), (2, 4)).same_as(chunks((0, 2), (2, 5)))
    assert not chunks((0, 2)).same_as(chunks())
