from __future__ import annotations

import pytest
from hypothesis import given, settings

from kugiri.errors import InputError
from kugiri.model.evidence import Evidence, EvidenceSpan, nearest_occurrence
from kugiri.model.questions import Question, Questions
from worlds import HOSTILE, IDS, World, corpus_of, first_of_each, records_of, worlds

TEXTS = ["日本の首都は東京です", "", HOSTILE]
CORPUS = corpus_of(TEXTS)


def evidence(*alternatives: list[EvidenceSpan]) -> Evidence:
    asked = tuple(tuple(spans) for spans in alternatives)
    return Questions.from_records(CORPUS, [Question("先", "?", ()), Question("q3", "?", asked)]).evidence


def refused(*alternatives: list[EvidenceSpan]) -> InputError:
    with pytest.raises(InputError) as caught:
        evidence(*alternatives)
    assert caught.value.exit_code == 2
    return caught.value


@settings(max_examples=300)
@given(worlds())
def test_questions_come_out_as_they_went_in_without_what_was_said_twice(world: World) -> None:
    corpus, questions = world.corpus(), world.questions()
    for number, asked in enumerate(world.asked):
        record = questions.question(corpus, number)
        got = [[(IDS.index(span.document), span.start, span.end) for span in spans] for spans in record.evidence]
        assert got == first_of_each(asked)
        assert all(
            span.text == world.texts[IDS.index(span.document)][span.start : span.end]
            for spans in record.evidence
            for span in spans
        )
    spans = sum(len(spans) for asked in world.asked for spans in asked)
    kept = sum(len(spans) for asked in world.asked for spans in first_of_each(asked))
    assert questions.evidence.merged == spans - kept
    assert questions.answerable.tolist() == [bool(asked) for asked in world.asked]


@settings(max_examples=100)
@given(worlds())
def test_columns_are_sorted_by_start_and_remember_the_order_of_the_file(world: World) -> None:
    columns = world.questions().evidence
    flat = [
        (number, span) for number, asked in enumerate(world.asked) for spans in first_of_each(asked) for span in spans
    ]
    origin = world.corpus().document_start.tolist()
    assert (columns.start[1:] >= columns.start[:-1]).all()
    for index, place in enumerate(columns.order.tolist()):
        question, (d, s, e) = flat[place]
        assert (columns.start[index], columns.end[index]) == (origin[d] + s, origin[d] + e)
        assert columns.span_question[index] == question
    first = [next((i for i, (q, _) in enumerate(flat) if q == number), None) for number in range(len(world.asked))]
    got = [None if i < 0 else int(columns.order[i]) for i in columns.first_span().tolist()]
    assert got == first


def test_identical_answers_are_one_span() -> None:  # G67
    columns = evidence(*[[EvidenceSpan(IDS[0], 3, 5)] for _ in range(3)])
    assert (columns.start.tolist(), columns.end.tolist(), columns.merged) == ([3], [5], 2)


def test_the_same_spans_in_another_order_are_the_same_alternative() -> None:
    a, b = EvidenceSpan(IDS[0], 3, 5), EvidenceSpan(IDS[2], 0, 1)
    assert len(evidence([a, b], [b, a], [a]).question) == 2


@pytest.mark.parametrize(
    ("start", "end"),
    [(10, 12), (9, 11), (0, 11), (50, 60), (-1, 3), (-5, -3), (0, 10**30), (10**30, 10**31), (-(10**30), 3)],
)
def test_spans_outside_their_document_are_named_with_the_offsets_that_were_given(start: int, end: int) -> None:
    error = refused([EvidenceSpan(IDS[0], start, end)])
    assert f"[{start}, {end})" in error.what
    assert "outside" in error.what
    assert "'q3'" in error.where
    assert f"document '{IDS[0]}' of 10 characters" in error.where


@pytest.mark.parametrize(("start", "end"), [(3, 3), (5, 3), (0, 0), (10, 10)])
def test_spans_without_a_character_are_refused(start: int, end: int) -> None:
    error = refused([EvidenceSpan(IDS[0], start, end)])
    assert f"[{start}, {end})" in error.what
    assert "empty" in error.what
    assert "首都" in error.where or start in (0, 10)


def test_a_span_never_reaches_into_the_next_document() -> None:
    refused([EvidenceSpan(IDS[1], 0, 1)])
    refused([EvidenceSpan(IDS[0], 9, 11)])
    assert evidence([EvidenceSpan(IDS[0], 9, 10)], [EvidenceSpan(IDS[2], 0, 1)]).start.tolist() == [9, 10]


def test_whole_documents_and_single_characters_are_spans() -> None:
    columns = evidence([EvidenceSpan(IDS[2], 0, len(HOSTILE))], [EvidenceSpan(IDS[2], len(HOSTILE) - 1, len(HOSTILE))])
    assert columns.length.tolist() == [len(HOSTILE), 1]


@pytest.mark.parametrize("bad", [1.5, "1", None])
def test_offsets_are_whole_numbers(bad: object) -> None:
    with pytest.raises((InputError, TypeError, ValueError)):
        evidence([EvidenceSpan(IDS[0], bad, 3)])  # type: ignore[arg-type]


def test_an_alternative_has_a_span() -> None:
    assert "no span" in refused([]).what
    assert "'q3'" in refused([EvidenceSpan(IDS[0], 0, 1)], []).where


def test_a_quotation_is_exactly_what_stands_there() -> None:  # G62
    error = refused([EvidenceSpan(IDS[0], 7, 9, "東京")])
    assert "text[7:9]='京で'" in error.what
    assert "'東京'" in error.what
    assert "6" in error.remedy
    assert "'q3'" in error.where
    assert evidence([EvidenceSpan(IDS[0], 6, 8, "東京")]).start.tolist() == [6]


@pytest.mark.parametrize("quoted", ["が", "カ", "か\u309a", "東京 ", ""])
def test_a_quotation_is_never_normalised_to_fit(quoted: str) -> None:
    place = HOSTILE.index("か\u3099")
    refused([EvidenceSpan(IDS[2], place, place + 2, quoted)])


def test_a_quotation_that_is_nowhere_says_so() -> None:
    assert "nowhere" in refused([EvidenceSpan(IDS[0], 0, 2, "大阪")]).remedy


def test_unknown_documents_are_listed_with_their_questions() -> None:  # G70
    records = [
        Question("q1", "?", ((EvidenceSpan(IDS[0], 0, 1),),)),
        Question("q9", "?", ((EvidenceSpan("d9", 0, 1),), (EvidenceSpan("d8", 0, 1), EvidenceSpan(IDS[0], 0, 1)))),
    ]
    with pytest.raises(InputError) as caught:
        Questions.from_records(CORPUS, records)
    assert "q9->d9" in caught.value.what
    assert "q9->d8" in caught.value.what
    assert "q1" not in caught.value.what


@pytest.mark.parametrize(("near", "place"), [(0, 2), (2, 2), (3, 2), (4, 2), (5, 6), (6, 6), (100, 6), (-3, 2)])
def test_the_nearest_occurrence_is_nearest(near: int, place: int) -> None:
    assert nearest_occurrence("甲は乙。丙は乙。", "乙", near) == place
    assert nearest_occurrence("甲は乙。丙は乙。", "丁", near) is None
    assert nearest_occurrence("甲は乙。丙は乙。", "", near) is None


def test_no_evidence_at_all_is_no_error() -> None:
    columns = Questions.from_records(CORPUS, records_of([[], []])).evidence
    assert (len(columns.start), len(columns.question), columns.questions) == (0, 0, 2)
    assert columns.first_span().tolist() == [-1, -1]
