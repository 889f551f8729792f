from __future__ import annotations

import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.errors import InputError
from kugiri.model.questions import Question, Questions
from sweep_worlds import ASKED, TEXTS, plan_of, small
from worlds import corpus_of, questions_of, records_of


def test_a_plan_has_configurations_with_labels_of_their_own() -> None:
    with pytest.raises(InputError, match="nothing to sweep"):
        plan_of()
    with pytest.raises(InputError, match=r"fixed\(size=4\)"):
        plan_of(Fixed(4), Paragraph(), Fixed(4, 0.0))
    assert [str(c) for c in plan_of(Fixed(4), Fixed(4, 1)).configurations] == [
        "fixed(size=4)",
        "fixed(size=4, overlap=1)",
    ]


def test_the_primary_metric_and_the_baseline_are_among_the_others() -> None:
    with pytest.raises(InputError, match="primary"):
        plan_of(Paragraph(), metrics=("Recall@5",), primary="MRR@10")
    with pytest.raises(InputError, match="baseline"):
        plan_of(Paragraph(), baseline="fixed(size=4)")
    with pytest.raises(InputError, match="two metrics"):
        plan_of(Paragraph(), metrics=("Recall@5", "Recall@5"))


def test_a_sample_comes_from_the_answerable_questions_of_its_split() -> None:
    corpus = corpus_of(TEXTS)
    records = [
        Question(record.id, record.question, record.evidence, split="test" if number % 2 else "development")
        for number, record in enumerate(records_of(ASKED))
    ]
    questions = Questions.from_records(corpus, records)
    assert plan_of(Paragraph(), split="test").chosen(questions).ids == ("q1", "q3", "q5")
    assert plan_of(Paragraph(), split="development", sample=3).chosen(questions).ids == ("q0", "q2", "q6")
    with pytest.raises(InputError, match="4 questions"):
        plan_of(Paragraph(), split="development", sample=4).chosen(questions)
    assert set(plan_of(Paragraph(), sample=2, seed=3).chosen(questions).ids) < {"q0", "q1", "q2", "q3", "q5", "q6"}


def test_everything_is_asked_unless_the_plan_says_otherwise() -> None:
    _, questions = small()
    assert plan_of(Paragraph()).chosen(questions).ids == tuple(f"q{n}" for n in range(len(ASKED)))


def test_a_split_without_questions_and_questions_without_evidence_are_refused() -> None:
    _, questions = small()
    with pytest.raises(InputError, match="'test'"):
        plan_of(Paragraph(), split="test").chosen(questions)
    nothing = questions_of(corpus_of(TEXTS), [[], []])
    with pytest.raises(InputError, match="answerable"):
        plan_of(Paragraph()).chosen(nothing)


@pytest.mark.parametrize("sample", [0, -1])
def test_nobody_samples_less_than_one_question(sample: int) -> None:
    _, questions = small()
    with pytest.raises((InputError, ValueError)):
        plan_of(Paragraph(), sample=sample).chosen(questions)


def test_the_sample_is_the_same_whatever_the_order_of_the_file() -> None:
    corpus = corpus_of(TEXTS)
    records = records_of(ASKED)
    plan = plan_of(Paragraph(), sample=3, seed=5)
    chosen = [set(plan.chosen(Questions.from_records(corpus, order)).ids) for order in (records, records[::-1])]
    assert chosen[0] == chosen[1]
