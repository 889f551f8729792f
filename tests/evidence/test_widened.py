"""Evidence in whole units, against units looked at one by one."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.evidence.containment import Containment, alternatives_kept, questions_kept
from kugiri.evidence.loss import evidence_loss
from kugiri.evidence.widened import paragraph_units, sentence_units, unit_evidence, widened
from kugiri.model.boundaries import Boundaries
from kugiri.model.corpus import Corpus
from kugiri.model.questions import UNITS, Questions
from worlds import World, chunking_of, corpus_of, questions_of, worlds


def local_units(units: Boundaries) -> list[tuple[int, int, int]]:
    corpus = units.corpus
    document = corpus.document_of(units.start)
    origin = corpus.document_start[document]
    columns = (document, units.start - origin, units.end - origin)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def by_hand(units: list[tuple[int, int, int]], span: tuple[int, int, int]) -> tuple[int, int, int]:
    d, s, e = span
    touched = [unit for unit in units if unit[0] == d and set(range(s, e)) & set(range(unit[1], unit[2]))]
    return d, min([s, *(unit[1] for unit in touched)]), max([e, *(unit[2] for unit in touched)])


@settings(max_examples=300)
@given(world=worlds(), unit=st.sampled_from(UNITS))
def test_a_span_becomes_the_units_that_it_touches(world: World, unit: str) -> None:
    corpus, questions = world.corpus(), world.questions()
    found = unit_evidence(corpus, questions, unit)
    assert not found.recorded
    units = local_units(paragraph_units(corpus) if unit == "paragraph" else sentence_units(corpus))
    evidence = questions.evidence
    for number, (s, e) in enumerate(zip(evidence.start.tolist(), evidence.end.tolist(), strict=True)):
        document = int(corpus.document_of(np.array([s]))[0])
        origin = int(corpus.document_start[document])
        d, low, high = by_hand(units, (document, s - origin, e - origin))
        assert (found.evidence.start[number], found.evidence.end[number]) == (origin + low, origin + high), d
    assert (np.diff(found.evidence.start) >= 0).all()


@settings(max_examples=200)
@given(world=worlds())
def test_a_unit_stays_in_its_paragraph_and_has_no_white_space_at_its_edges(world: World) -> None:
    corpus = world.corpus()
    paragraphs, sentences = local_units(paragraph_units(corpus)), local_units(sentence_units(corpus))
    for d, s, e in (*paragraphs, *sentences):
        text = world.texts[d][s:e]
        assert text == text.strip()
        assert text
        recorded = world.paragraphs[d]
        assert not recorded or any(a <= s and e <= b for a, b in recorded)
    for d, s, e in sentences:
        assert any(p[0] == d and p[1] <= s and e <= p[2] for p in paragraphs)
    # Together the sentences are the paragraphs but for white space.
    for d, s, e in paragraphs:
        inside = {x for f, a, b in sentences if f == d for x in range(a, b)}
        assert all(x in inside or world.texts[d][x].isspace() for x in range(s, e))


@settings(max_examples=400)
@given(world=worlds(), unit=st.sampled_from(UNITS))
def test_what_is_lost_with_spans_is_lost_with_units(world: World, unit: str) -> None:
    corpus, questions = world.corpus(), world.questions()
    chunking = chunking_of(corpus, world.chunks)

    def lost(evidence: object) -> np.ndarray:
        contained = Containment.of(chunking, evidence.start, evidence.end).contained  # type: ignore[attr-defined]
        return questions.answerable & ~questions_kept(evidence, alternatives_kept(evidence, contained))  # type: ignore[arg-type]

    assert not (lost(questions.evidence) & ~lost(unit_evidence(corpus, questions, unit).evidence)).any()


@settings(max_examples=200)
@given(world=worlds(), seed=st.integers(0, 10**6))
def test_any_units_at_all(world: World, seed: int) -> None:
    corpus, draw = world.corpus(), random.Random(seed)
    cuts = sorted(draw.choices(range(corpus.characters + 1), k=6)) if corpus.characters else []
    pairs = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if a < b]
    inside = [(a, b) for a, b in pairs if len(set(corpus.document_of(np.arange(a, b)).tolist())) == 1]
    inside = [pair for pair, before in zip(inside, [(-1, -1), *inside], strict=False) if before[1] <= pair[0]]
    units = Boundaries(
        corpus, np.array([a for a, _ in inside], dtype=np.int64), np.array([b for _, b in inside], dtype=np.int64)
    )
    evidence = world.questions().evidence
    found = widened(evidence, units)
    assert (np.diff(found.start) >= 0).all()
    for number, (s, e) in enumerate(zip(evidence.start.tolist(), evidence.end.tolist(), strict=True)):
        touched = [unit for unit in inside if unit[0] < e and s < unit[1]]
        assert found.start[number] == min([s, *(a for a, _ in touched)])
        assert found.end[number] == max([e, *(b for _, b in touched)])


def small() -> tuple[Corpus, Questions]:
    texts = ["昼は食堂👩\u200d🍳。夜は\u3000か\u3099ゆ。\r\n朝は休み（定休。", "裏口）は閉。\r\n\r\n\u3000鍵は箱。"]
    whole = texts[0] + texts[1]
    cut = len(texts[0])
    corpus = corpus_of([whole], [((0, cut), (cut, len(whole)))])
    return corpus, questions_of(corpus, [[[(0, 2, 4)]], [[(0, 9, 15)]], [[(0, cut - 2, cut)], [(0, cut, cut + 2)]]])


def test_by_hand() -> None:
    corpus, questions = small()
    text = corpus.texts[0]
    found = {unit: unit_evidence(corpus, questions, unit).evidence for unit in UNITS}
    spoken = {
        unit: [text[s:e] for s, e in zip(e.start.tolist(), e.end.tolist(), strict=True)] for unit, e in found.items()
    }
    # The bracket that opens in one paragraph and closes in the next joins no sentences across them.
    assert spoken["sentence"][0] == "昼は食堂👩\u200d🍳。"
    assert spoken["sentence"][-2:] == ["朝は休み（定休。", "裏口）は閉。"]
    assert spoken["paragraph"][0] == "昼は食堂👩\u200d🍳。夜は\u3000か\u3099ゆ。\r\n朝は休み（定休。"
    assert spoken["paragraph"][-1] == "裏口）は閉。\r\n\r\n\u3000鍵は箱。"


def test_recorded_units_are_used_for_all_questions_or_for_none() -> None:
    corpus, questions = small()
    records = questions.records(corpus)
    units = [dataclasses.replace(record, units={"sentence": record.evidence}) for record in records]
    every = Questions.from_records(corpus, units)
    found = unit_evidence(corpus, every, "sentence")
    assert found.recorded
    assert found.evidence.start.tolist() == questions.evidence.start.tolist()
    assert not unit_evidence(corpus, every, "paragraph").recorded
    some = Questions.from_records(corpus, [units[0], *records[1:]])
    assert not unit_evidence(corpus, some, "sentence").recorded


def test_a_corpus_without_a_word() -> None:
    corpus = corpus_of(["", "\u3000\r\n"])
    for units in (paragraph_units(corpus), sentence_units(corpus)):
        assert len(units) == 0
    questions = questions_of(corpus, [[[(1, 0, 1)]], []])
    for unit in UNITS:
        assert unit_evidence(corpus, questions, unit).evidence.end.tolist() == [1]


@pytest.mark.parametrize("unit", UNITS)
def test_units_lose_no_less_by_name(unit: str) -> None:
    from kugiri.chunkers.fixed import Fixed

    corpus, questions = small()
    spans = evidence_loss(corpus, questions, Fixed(6))
    wide = evidence_loss(
        corpus, dataclasses.replace(questions, evidence=unit_evidence(corpus, questions, unit).evidence), Fixed(6)
    )
    assert set(spans.lost_ids) <= set(wide.lost_ids)
