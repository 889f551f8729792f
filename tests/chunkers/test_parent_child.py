from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri import catalog
from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.headings import Headings
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.parent_child import ParentChild
from kugiri.chunkers.sentence import Sentence
from kugiri.errors import InputError
from kugiri.evidence.loss import evidence_loss
from worlds import HOSTILE, World, corpus_of, local_chunks, worlds


def test_parents_are_delivered_and_children_ranked() -> None:
    chunker = ParentChild(Paragraph(), Fixed(3))
    chunking = chunker.chunk(corpus_of(["一二三四。\n\n五六。", HOSTILE]))
    indexed = chunker.indexed(chunking)
    assert local_chunks(chunking)[:2] == [(0, 0, 5), (0, 7, 10)]
    assert local_chunks(indexed.vectors)[:3] == [(0, 0, 3), (0, 3, 5), (0, 7, 10)]
    assert indexed.parent is not None
    assert indexed.parent.tolist()[:3] == [0, 0, 1]


@settings(max_examples=150)
@given(world=worlds(), size=st.integers(1, 9), overlap=st.integers(0, 8))
def test_every_child_is_what_the_child_makes_of_its_parent_alone(world: World, size: int, overlap: int) -> None:
    corpus = world.corpus()
    child = Fixed(size, min(overlap, size - 1))
    chunker = ParentChild(Paragraph(), child)
    chunking = chunker.chunk(corpus)
    indexed = chunker.indexed(chunking)
    wanted = []
    for document, start, end in local_chunks(chunking):
        alone = corpus_of([world.texts[document][start:end]])
        wanted += [(document, start + a, start + b) for _, a, b in local_chunks(child.chunk(alone))]
    assert local_chunks(indexed.vectors) == wanted


def test_recorded_paragraphs_reach_into_the_parents() -> None:
    corpus = corpus_of(["あいうえおかき"], [((0, 2), (2, 4), (5, 7))])
    chunker = ParentChild(Fixed(6), Paragraph())
    assert local_chunks(chunker.indexed(chunker.chunk(corpus)).vectors) == [(0, 0, 2), (0, 2, 4), (0, 5, 6), (0, 6, 7)]


def test_overlapping_parents_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        ParentChild(Fixed(4, 2), Fixed(2)).chunk(corpus_of([HOSTILE]))
    assert "parents overlap" in caught.value.what


@pytest.mark.parametrize("inner", [5, None, ParentChild(Paragraph(), Fixed(2))])
def test_only_chunkers_of_one_layer_are_taken(inner: object) -> None:
    with pytest.raises(InputError):
        ParentChild(inner, Fixed(2))


def test_its_label_is_nested_and_read_back() -> None:
    chunker = ParentChild(Paragraph(size=400), Sentence(100, 0.2))
    label = "parent_child(parent=paragraph(size=400), child=sentence(size=100, overlap=0.2))"
    assert str(chunker) == label
    assert catalog.chunker(label) == chunker


@settings(max_examples=100)
@given(world=worlds(answerable=True), size=st.integers(1, 9))
def test_it_loses_what_its_parents_lose(world: World, size: int) -> None:
    corpus, questions = world.corpus(), world.questions()
    both = evidence_loss(corpus, questions, ParentChild(Fixed(size), Fixed(1)))
    alone = evidence_loss(corpus, questions, Fixed(size))
    assert both.lost_ids == alone.lost_ids
    assert both.rows.size_needed.tolist() == alone.rows.size_needed.tolist()


def test_headings_are_parents_and_children_with_their_context() -> None:
    text = "# 題\n\n## 一\n甲。乙。\n\n## 二\n丙。\n"
    parents = ParentChild(Headings(level=2), Sentence(3))
    assert len(parents.chunk(corpus_of([text]))) == 2
    children = ParentChild(Paragraph(size=100), Headings(level=2, context=True))
    chunking = children.chunk(corpus_of([text]))
    assert children.indexed(chunking).context is not None
    with pytest.raises(InputError, match="more indexed"):
        ParentChild(Headings(level=2, context=True), Sentence(3)).chunk(corpus_of([text]))
