"""`kugiri compare`: two configurations on the same questions, from the tables alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.cli.compare import compare
from retrieved_results import METRICS, Ended, command, ranked_results, refused, write_folder
from sweep_worlds import ASKED

kugiri = command(compare)
FINE, OVERLAPPING, WHOLE = "fixed(size=4)", "fixed(size=6, overlap=0.5)", "paragraph()"
FIRST, SECOND = "random()", "random(seed=2)"
ANSWERABLE = [f"q{number}" for number, evidence in enumerate(ASKED) if evidence]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(ranked_results(), tmp_path_factory.mktemp("compared") / "r")


@pytest.fixture(scope="module")
def unranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = ranked_results(retrievers=())
    return write_folder(made, tmp_path_factory.mktemp("unranked") / "r", text=False, runs=False)


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / "tables" / f"{name}.parquet").to_pylist()
    return found


def compared(folder: Path, a: str, b: str, *more: str) -> dict[str, Any]:
    done = kugiri(folder, a, b, *more, "--json")
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    return found


def outcomes(folder: Path, configuration: str, metric: str) -> dict[str, float]:
    return {
        row["question_id"]: row["value"]
        for row in table(folder, "outcomes")
        if (row["configuration"], row["metric"]) == (configuration, metric) and row["defined"]
    }


@pytest.mark.parametrize("metric", METRICS)
def test_numbers_and_questions_are_those_of_the_tables(folder: Path, metric: str) -> None:
    labels = [row["configuration"] for row in table(folder, "configurations")]
    for a in labels:
        for b in labels:
            if a == b:
                continue
            found = compared(folder, a, b, "--metric", metric)
            (row,) = [r for r in table(folder, "comparisons") if r["metric"] == metric and {r["a"], r["b"]} == {a, b}]
            sign = 1 if row["a"] == a else -1
            assert found["difference"] == pytest.approx(sign * row["difference"])
            limits = [row["low"], row["high"]][::sign]
            assert [found["low"], found["high"]] == pytest.approx([sign * limit for limit in limits])
            assert (found["p"], found["p_adjusted"], found["decision"]) == (
                row["p"],
                row["p_adjusted"],
                row["decision"],
            )
            assert [found["wins"], found["ties"], found["losses"]] == [row["wins"], row["ties"], row["losses"]][::sign]
            mine, theirs = outcomes(folder, a, metric), outcomes(folder, b, metric)
            assert [entry["question_id"] for entry in found["won"]] == [q for q in ANSWERABLE if theirs[q] > mine[q]]
            assert [entry["question_id"] for entry in found["worse"]] == [q for q in ANSWERABLE if theirs[q] < mine[q]]
            ranks = outcomes(folder, a, "rank"), outcomes(folder, b, "rank")
            for entry in (*found["won"], *found["worse"]):
                assert [entry["rank_a"], entry["rank_b"]] == [side.get(entry["question_id"]) for side in ranks]


def test_the_share_lost_is_that_of_the_chunkers(folder: Path) -> None:
    # The pair of chunkers stands in the tables under the first configuration with each.
    a, b = f"{WHOLE} + {SECOND}", f"{FINE} + {SECOND}"
    found = compared(folder, a, b, "--metric", "lost")
    lost = {label: {r["question_id"] for r in table(folder, "lost") if r["configuration"] == label} for label in (a, b)}
    assert found["lost_in_a_only"] == [q for q in ANSWERABLE if q in lost[a] - lost[b]]
    assert found["lost_in_b_only"] == [q for q in ANSWERABLE if q in lost[b] - lost[a]]
    assert found["lost_in_b_only"]
    assert [entry["question_id"] for entry in found["worse"]] == found["lost_in_b_only"]
    assert found["difference"] == pytest.approx((len(lost[b]) - len(lost[a])) / len(ANSWERABLE))
    assert found["low"] is not None
    (row,) = [
        r
        for r in table(folder, "comparisons")
        if r["metric"] == "lost" and {r["a"], r["b"]} == {f"{FINE} + {FIRST}", f"{WHOLE} + {FIRST}"}
    ]
    assert found["low"] == pytest.approx(-row["high"])


def test_two_retrievers_over_one_chunker_lose_the_same(folder: Path) -> None:
    arguments = (folder, f"{FINE} + {FIRST}", f"{FINE} + {SECOND}", "--metric", "lost")
    assert "the same chunks lose the same questions" in kugiri(*arguments).out
    found = compared(*arguments[:1], *map(str, arguments[1:]))
    assert (found["difference"], found["wins"], found["losses"], found["low"]) == (0, 0, 0, None)


def test_labels_are_normalised_and_the_primary_metric_is_the_default(folder: Path) -> None:
    done = kugiri(folder, "fixed(size=4,overlap=0)+random(seed=1)", f"{WHOLE}+{FIRST}")
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("Recall@1, the primary metric: 6 questions")
    assert f"{FINE} + {FIRST}" in done.out
    assert compared(folder, f"{FINE}+{FIRST}", f"{WHOLE}+{FIRST}")["primary"] is True


def test_without_retrieval_and_text_losses_are_compared(unranked: Path) -> None:
    found = compared(unranked, FINE, WHOLE)
    assert (found["metric"], found["primary"]) == ("lost", False)
    assert {entry["question"] for entry in found["won"]} == {None}
    assert {entry["rank_a"] for entry in found["won"]} == {None}
    done = kugiri(unranked, FINE, WHOLE)
    assert f"lost in A only, {len(found['lost_in_a_only'])}: {', '.join(found['lost_in_a_only'])}" in done.out


def test_a_pair_that_the_sweep_did_not_compare_has_means_and_no_interval(tmp_path: Path) -> None:
    made = ranked_results(retrievers=(), chunkers=(Fixed(4), Fixed(6), Fixed(8)), baseline="fixed(size=4)")
    found = compared(write_folder(made, tmp_path / "r", runs=False), "fixed(size=6)", "fixed(size=8)")
    assert (found["low"], found["decision"]) == (None, None)
    assert found["difference"] == pytest.approx(found["value_b"] - found["value_a"])
    assert "made no test of this pair" in kugiri(tmp_path / "r", "fixed(size=6)", "fixed(size=8)").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("paragraf()", WHOLE), ("there is no configuration", "did you mean")),
        ((FINE, FINE), ("the same configuration",)),
        ((FINE, WHOLE, "--metric", "lots"), ("no metric 'lots'", "did you mean 'lost'?")),
        ((FINE, WHOLE, "--metric", "Recall@1"), ("no metric 'Recall@1'",)),
        ((FINE, WHOLE, "--metric", "needs"), ("no metric 'needs'",)),
        (("fixed(size=", WHOLE), ("not a label",)),
    ],
)
def test_what_is_refused(unranked: Path, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    refused(kugiri(unranked, *arguments), *words)


def test_a_rank_is_no_metric_to_compare(folder: Path) -> None:
    done: Ended = kugiri(folder, f"{FINE}+{FIRST}", f"{WHOLE}+{FIRST}", "--metric", "rank")
    refused(done, "no metric 'rank'")
