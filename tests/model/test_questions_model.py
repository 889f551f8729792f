from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.errors import InputError
from kugiri.model.draw import drawn, shuffled
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Excluded, Question, Questions
from worlds import HOSTILE, IDS, World, corpus_of, worlds

CORPUS = corpus_of([HOSTILE, "本文"])
SPAN = EvidenceSpan(IDS[0], 2, 5)
NAMES = [f"問{number}" for number in range(20)]
SHUFFLED_1 = [3, 7, 18, 0, 14, 19, 8, 1, 2, 11, 17, 6, 13, 12, 15, 9, 5, 4, 16, 10]
DRAWN_7 = ["問2", "問14", "問12", "問8", "問11"]


def ask(*records: Question) -> Questions:
    return Questions.from_records(CORPUS, records)


def refused(*records: Question) -> InputError:
    with pytest.raises(InputError) as caught:
        ask(*records)
    assert caught.value.exit_code == 2
    return caught.value


def twenty(order: list[str], unanswerable: frozenset[str] = frozenset()) -> Questions:
    return ask(*(Question(name, "?", () if name in unanswerable else ((SPAN,),)) for name in order))


# ------------------------------------------------------------------------------------------------ records
def test_there_is_a_question() -> None:
    assert "no question" in refused().what


def test_ids_are_given_and_given_once() -> None:
    assert "number 2" in refused(Question("a", "?", ()), Question("", "?", ())).where
    assert "'a'" in refused(Question("a", "?", ()), Question("b", "?", ()), Question("a", "!", ())).what


@pytest.mark.parametrize("bad", ["\0", "\ud800"])
def test_characters_that_no_file_can_carry_are_refused_wherever_they_stand(bad: str) -> None:
    refused(Question(f"q{bad}", "?", ()))
    refused(Question("q", f"？{bad}", ()))
    refused(Question("q", "?", (), answer=f"答{bad}"))
    refused(Question("q", "?", (), tags=("良", f"札{bad}")))


@pytest.mark.parametrize("kind", ["other", "", "Single", "unanswerable "])
def test_kinds_are_known(kind: str) -> None:
    assert "kind" in refused(Question("q", "?", ((SPAN,),), kind=kind)).what


def test_splits_and_units_are_known() -> None:
    assert "split" in refused(Question("q", "?", ((SPAN,),), split="train")).what
    assert "unit" in refused(Question("q", "?", ((SPAN,),), units={"chapter": ((SPAN,),)})).what


def test_unanswerable_means_without_evidence_and_nothing_else() -> None:
    refused(Question("q", "?", ((SPAN,),), kind="unanswerable"))
    refused(Question("q", "?", (), kind="single"))
    questions = ask(Question("a", "?", ()), Question("b", "?", (), kind="unanswerable"), Question("c", "?", ((SPAN,),)))
    assert questions.kinds == ("unanswerable", "unanswerable", None)
    assert questions.answerable.tolist() == [False, False, True]


def test_evidence_in_other_units_is_kept_beside() -> None:
    whole = EvidenceSpan(IDS[0], 0, len(HOSTILE))
    questions = ask(
        Question("a", "?", ((SPAN,),), units={"paragraph": ((whole,),)}),
        Question("b", "?", ((EvidenceSpan(IDS[1], 0, 1),),)),
    )
    assert set(questions.units) == {"paragraph"}
    assert questions.units["paragraph"].length.tolist() == [len(HOSTILE)]
    assert questions.question(CORPUS, 0).units["paragraph"][0][0].text == HOSTILE
    assert questions.question(CORPUS, 1).units == {}
    with pytest.raises(TypeError):
        questions.units["paragraph"] = questions.evidence  # type: ignore[index]


# ------------------------------------------------------------------------------------------------ select
@settings(max_examples=200)
@given(worlds(), st.data())
def test_selected_questions_are_as_if_the_others_had_never_been(world: World, data: st.DataObject) -> None:
    keep = sorted(data.draw(st.sets(st.integers(0, len(world.asked) - 1), min_size=1)))
    corpus, questions = world.corpus(), world.questions()
    selected = questions.select(np.array(keep, dtype=np.int64))
    records = [questions.question(corpus, number) for number in keep]
    alone = Questions.from_records(corpus, records)
    assert selected.ids == tuple(record.id for record in records)
    for name in ("start", "end", "alternative", "order", "question"):
        assert getattr(selected.evidence, name).tolist() == getattr(alone.evidence, name).tolist(), name
    assert selected.evidence.first_span().tolist() == alone.evidence.first_span().tolist()
    assert [selected.question(corpus, number) for number in range(len(keep))] == [
        alone.question(corpus, number) for number in range(len(keep))
    ]


def test_questions_of_a_split() -> None:
    questions = ask(
        *(
            Question(f"q{n}", "?", ((SPAN,),), split=split)
            for n, split in enumerate(("test", None, "development", "test"))
        )
    )
    assert questions.of_split("test").ids == ("q0", "q3")
    assert questions.of_split("development").ids == ("q2",)
    with pytest.raises(InputError, match="'test'"):
        questions.of_split("development").of_split("test")


def test_excluded_questions_stay_in_sight_of_every_part() -> None:
    left_out = Excluded("x", "?", "answer_in_title")
    questions = Questions.from_records(
        CORPUS, [Question("a", "?", ((SPAN,),), split="test"), Question("b", "?", ())], [left_out]
    )
    assert questions.of_split("test").excluded == questions.sample(1, 1).excluded == (left_out,)


# ------------------------------------------------------------------------------------------------ draws
def test_the_draw_of_a_seed_is_the_same_for_ever() -> None:
    # Literal values: a published sample has to be drawn again years later, on other machines and other versions.
    assert shuffled(1, NAMES).tolist() == SHUFFLED_1
    assert [NAMES[i] for i in drawn(7, NAMES, 5).tolist()] == DRAWN_7
    assert twenty(NAMES).sample(5, 7).ids == tuple(name for name in NAMES if name in DRAWN_7)


def test_the_draw_does_not_depend_on_the_order_of_the_file() -> None:
    order = NAMES[:]
    random.Random(3).shuffle(order)
    assert order != NAMES
    assert set(twenty(order).sample(6, 1).ids) == set(twenty(NAMES).sample(6, 1).ids)


def test_a_sample_stays_in_file_order_and_takes_each_question_once() -> None:
    order = NAMES[::-1]
    sample = twenty(order).sample(8, 5)
    assert list(sample.ids) == [name for name in order if name in set(sample.ids)]
    assert len(set(sample.ids)) == 8


def test_a_larger_sample_contains_the_smaller_one() -> None:
    assert set(twenty(NAMES).sample(4, 2).ids) < set(twenty(NAMES).sample(9, 2).ids)


def test_only_answerable_questions_are_drawn() -> None:
    unanswerable = frozenset(NAMES[::2])
    assert set(twenty(NAMES, unanswerable).sample(10, 1).ids) == set(NAMES[1::2])
    with pytest.raises(InputError) as caught:
        twenty(NAMES, unanswerable).sample(11, 1)
    assert "11" in caught.value.what
    assert "10" in caught.value.what


@pytest.mark.parametrize("count", [-1, -20])
def test_nobody_draws_less_than_nothing(count: int) -> None:
    with pytest.raises((InputError, ValueError)):
        twenty(NAMES).sample(count, 1)


@given(
    st.integers(-(2**70), 2**70),
    st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=5), unique=True, max_size=30),
)
@settings(max_examples=100)
def test_a_shuffle_is_a_permutation_that_moves_with_its_keys(seed: int, keys: list[str]) -> None:
    order = shuffled(seed, keys).tolist()
    assert sorted(order) == list(range(len(keys)))
    backwards = keys[::-1]
    assert [backwards[i] for i in shuffled(seed, backwards).tolist()] == [keys[i] for i in order]


def test_another_seed_is_another_order() -> None:
    assert len({tuple(shuffled(seed, NAMES).tolist()) for seed in range(50)}) == 50
    assert shuffled(1, NAMES).tolist() != shuffled(-1, NAMES).tolist()
