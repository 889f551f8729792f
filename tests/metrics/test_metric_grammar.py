from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri import catalog
from kugiri.errors import InputError
from kugiri.labels import parse
from kugiri.metrics.grammar import FORMS, check_metric, written

CUTOFF = ("Recall", "MRR", "nDCG", "ChunkRecall", "ChunkPrecision", "ChunkNDCG")
BUDGET = ("Recall", "EvidenceRecall")
PLAIN = ("rank", "needs")


def check(text: str) -> None:
    check_metric(parse(text), "metrics[0]")


def refused(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        check(text)
    assert caught.value.where.startswith("metrics[0]")
    return caught.value


def test_every_metric_of_the_design_and_no_other() -> None:
    assert set(FORMS) == {*CUTOFF, *BUDGET, *PLAIN}


@pytest.mark.parametrize("name", CUTOFF)
@given(k=st.integers(1, 10**6))
def test_metrics_with_a_cutoff(name: str, k: int) -> None:
    check(f"{name}@{k}")


@pytest.mark.parametrize("name", BUDGET)
@given(budget=st.integers(1, 10**9))
def test_metrics_with_a_budget(name: str, budget: int) -> None:
    check(f"{name}(budget={budget})")


@pytest.mark.parametrize("name", PLAIN)
def test_metrics_alone(name: str) -> None:
    check(name)


@pytest.mark.parametrize("name", sorted({*CUTOFF, *BUDGET, *PLAIN}))
@pytest.mark.parametrize(
    "form", ["{}", "{}@5", "{}()", "{}(budget=5)", "{}(k=5)", "{}(budget=5)@5", "{}(budget=5, k=1)", "{}()@5"]
)
def test_a_metric_is_written_in_its_own_forms_only(name: str, form: str) -> None:
    allowed = {"{}": PLAIN, "{}@5": CUTOFF, "{}(budget=5)": BUDGET}.get(form, ())
    if name in allowed:
        check(form.format(name))
    else:
        error = refused(form.format(name))
        assert name in error.what
        assert written(name) in error.remedy


@pytest.mark.parametrize("budget", ["0", "-1", "2000.0", "2.5", "true", "null", '"2000"', "[2000]", "a()"])
def test_a_budget_is_a_whole_number_of_characters(budget: str) -> None:
    refused(f"Recall(budget={budget})")


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("recall@5", "Recall@k"),
        ("Recal@5", "Recall@k"),
        ("RECALL@5", "Recall@k"),
        ("evidencerecall(budget=5)", "EvidenceRecall(budget=B)"),
        ("ndcg@10", "nDCG@k"),
        ("NDCG@10", "nDCG@k"),
        ("nDGC@10", "nDCG@k"),
        ("mrr@10", "MRR@k"),
        ("chunkndcg@5", "ChunkNDCG@k"),
        ("chunk_recall@5", "ChunkRecall@k"),
        ("need", "needs"),
        ("Rank", "rank"),
    ],
)
def test_the_nearest_metric_is_named(text: str, near: str) -> None:
    error = refused(text)
    assert text.split("@")[0].split("(")[0] in error.what
    assert "did you mean" in error.remedy
    assert near in error.remedy


def test_where_none_is_near_all_are_named() -> None:
    assert all(written(name) in refused("zzzzzz").remedy for name in FORMS)


def test_every_metric_that_can_be_computed_is_in_the_grammar() -> None:
    assert set(catalog.CATALOG["metrics"]) <= set(FORMS)
