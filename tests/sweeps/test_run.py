from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from kugiri.chunkers.external import external_chunker
from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.errors import InputError
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.segmenters.graphemes import Graphemes
from kugiri.statistics.wilson import wilson
from kugiri.sweeps.results import ConfigurationResult, SweepResults
from kugiri.sweeps.run import run
from sweep_worlds import ASKED, DIGESTS, EIGHT, PARAGRAPHS, TEXTS, Broken, plan_of, small, swept
from worlds import (
    World,
    cluster_keys,
    corpus_of,
    is_lost,
    local_chunks,
    needs,
    random_world,
    records_of,
    written_effective_n,
)


def rows(results: SweepResults) -> dict[str, Any]:
    return {str(result.configuration): result for result in results.configurations}


# ------------------------------------------------------------------------------------------------ results
def test_every_configuration_against_loops_over_its_chunks() -> None:
    world = World(tuple(TEXTS), tuple(PARAGRAPHS), tuple(ASKED), ())
    keys = {by: [key for key in cluster_keys(world, by) if key is not None] for by in ("paragraph", "document")}
    for result in swept().configurations:
        chunks = local_chunks(result.loss.chunking)
        lost = [is_lost(chunks, asked) for asked in ASKED]
        assert result.loss.lost.tolist() == lost
        expected = [needs(chunks, asked) for asked in ASKED]
        assert [
            int(v) if d else None for v, d in zip(result.needs.value, result.needs.defined, strict=True)
        ] == expected
        events = [int(event) for event, asked in zip(lost, ASKED, strict=True) if asked]
        for by, interval in (("paragraph", result.interval), ("document", result.interval_document)):
            share = sum(events) / len(events)
            assert interval == pytest.approx(wilson(share, written_effective_n(events, keys[by])))


@pytest.mark.parametrize("cluster", ["paragraph", "document", "none"])
def test_intervals_are_wilson_with_the_effective_n_of_the_plan(cluster: str) -> None:
    draw = random.Random(4)
    for _ in range(40):
        world = random_world(draw.randrange(10**9), 3, 12, 12, answerable=True)
        corpus, questions = world.corpus(), world.questions()
        result = run(plan_of(Fixed(3), cluster=cluster), corpus, questions, DIGESTS).configurations[0]
        chunks = local_chunks(result.loss.chunking)
        events = [int(is_lost(chunks, asked)) for asked in world.asked if asked]
        keys = [key for key in cluster_keys(world, cluster) if key is not None]
        expected = wilson(sum(events) / len(events), written_effective_n(events, keys))
        assert result.interval == pytest.approx(expected, rel=1e-9, abs=1e-12)


def causes(results: SweepResults, result: ConfigurationResult) -> dict[str, tuple[int, ...]]:
    """The deciding span, the cut and the cause of each lost question, by id."""
    table = result.loss.rows
    start = results.questions.evidence.start[table.span]
    columns = (
        column.tolist() for column in (table.question, start, table.cut_at, table.cause, table.left, table.right)
    )
    return {results.questions.ids[question]: tuple(told) for question, *told in zip(*columns, strict=True)}


def test_results_do_not_depend_on_the_order_of_the_questions() -> None:
    corpus, _ = small()
    records = records_of(ASKED)
    order = [4, 6, 0, 5, 2, 1, 3]
    one = run(plan_of(*EIGHT), corpus, Questions.from_records(corpus, records), DIGESTS)
    two = run(plan_of(*EIGHT), corpus, Questions.from_records(corpus, [records[n] for n in order]), DIGESTS)
    assert one.comparisons == two.comparisons
    assert one.clusters == two.clusters
    for a, b in zip(one.configurations, two.configurations, strict=True):
        assert set(a.loss.lost_ids) == set(b.loss.lost_ids)
        assert a.interval == pytest.approx(b.interval, rel=1e-12)
        assert dict(zip(one.questions.ids, a.needs.value, strict=True)) == pytest.approx(
            dict(zip(two.questions.ids, b.needs.value, strict=True)), nan_ok=True
        )
        assert causes(one, a) == causes(two, b)


def test_the_same_run_twice_is_the_same() -> None:
    one, two = swept(), swept()
    assert repr(one) == repr(two)
    assert one.comparisons == two.comparisons
    assert one.warnings == two.warnings


def test_split_clusters_are_counted_once_each() -> None:
    corpus, _ = small()
    clusters = Graphemes().longer_than_one(corpus)
    for result in swept().configurations:
        chunking = result.loss.chunking
        edges = {*chunking.start.tolist(), *chunking.end.tolist()}
        expected = sum(any(s < edge < e for edge in edges) for s, e in zip(clusters.start, clusters.end, strict=True))
        assert result.clusters_split == expected
    assert rows(swept(Fixed(1)))["fixed(size=1)"].clusters_split == len(clusters)


def test_versions_of_everything_that_took_part_are_recorded() -> None:
    assert swept(Fixed(4), Paragraph()).components == {"fixed": 1, "graphemes": 1, "needs": 1, "paragraph": 1}


def test_progress_is_told_before_each_configuration_and_at_the_end() -> None:
    corpus, questions = small()
    told: list[tuple[int, int, str]] = []
    run(plan_of(Fixed(4), Broken(), Paragraph()), corpus, questions, DIGESTS, lambda *said: told.append(said))
    assert told == [(0, 3, "fixed(size=4)"), (1, 3, "broken()"), (2, 3, "paragraph()"), (3, 3, "")]


# ------------------------------------------------------------------------------------------------ warnings
def test_documents_shorter_than_the_chunks_are_warned_of_and_identical_chunkings_marked() -> None:  # E55
    text = ("東京🍣か\u3099\u3000\r\n" * 10)[:50]
    results = swept(Fixed(200), Fixed(400), texts=[text] * 3, asked=[[[(0, 0, 5)]], [[(2, 40, 50)]]])
    assert list(results.warnings) == [
        {"code": "single_chunk", "chunker": "fixed(size=200)", "share": 1.0},
        {"code": "single_chunk", "chunker": "fixed(size=400)", "share": 1.0},
        {"code": "identical", "chunker": "fixed(size=400)", "to": "fixed(size=200)"},
    ]
    assert [result.identical_to for result in results.configurations] == [None, "fixed(size=200)"]
    assert [len(result.loss.chunking) for result in results.configurations] == [3, 3]
    assert [result.single_chunk_share for result in results.configurations] == [1.0, 1.0]


@pytest.mark.parametrize(("end", "share"), [(20, None), (19, None), (18, 2 / 20)])
def test_chunks_of_others_that_leave_much_out_are_warned_of(end: int, share: float | None) -> None:
    cut = external_chunker(lambda text: [(0, 12), (10, 2 + end)], "own")
    results = swept(cut, texts=["一二🍣\u3000\r" + "三四五六七八九十" * 2 + "終"], asked=[[[(0, 0, 5)]]])
    found = [warning for warning in results.warnings if warning["code"] == "left_out"]
    if share is None:
        assert not found
    else:
        assert found == [{"code": "left_out", "chunker": str(cut), "share": pytest.approx(share)}]


def test_the_share_counts_documents_with_text_only() -> None:
    results = swept(Fixed(4), texts=["一二", "", "三四五六七", "八"])
    assert results.configurations[0].single_chunk_share == pytest.approx(2 / 3)


def test_a_document_without_a_chunk_is_no_single_chunk() -> None:
    assert swept(Paragraph(), texts=["一二", "\u3000\r\n"]).configurations[0].single_chunk_share == 0.5


def test_identical_chunkings_point_to_the_first_of_them() -> None:
    results = swept(Fixed(3), Fixed(3, 0.2), Fixed(4), Fixed(3, 0.3))
    assert {label: row.identical_to for label, row in rows(results).items()} == {
        "fixed(size=3)": None,
        "fixed(size=3, overlap=0.2)": "fixed(size=3)",
        "fixed(size=4)": None,
        "fixed(size=3, overlap=0.3)": "fixed(size=3)",
    }


def test_repeated_questions_are_warned_of() -> None:  # G67
    corpus = corpus_of(["一二三四五六七八九十"])
    records = [
        type(record)(record.id, f"問{number % 2}？", record.evidence)
        for number, record in enumerate(records_of([[[(0, n, n + 1)]] for n in range(10)]))
    ]
    results = run(plan_of(Fixed(3)), corpus, Questions.from_records(corpus, records), DIGESTS)
    assert {"code": "repeated_questions", "questions": 10, "distinct": 2} in results.warnings


def test_nothing_is_warned_of_where_there_is_nothing() -> None:
    assert swept(Fixed(4), Fixed(8, 1)).warnings == ()


def test_retrieval_that_was_left_out_is_said() -> None:
    assert {"code": "retrieval_left_out"} in swept(Fixed(4), retrieval_left_out=True).warnings


# ------------------------------------------------------------------------------------------------ failures
class Odd:
    """A chunker of a third party; what it returns is given."""

    def __init__(self, returned: Any, name: str = "odd") -> None:
        self.returned, self.name, self.version = returned, name, 1

    def chunk(self, corpus: Corpus) -> Any:
        return self.returned(corpus) if callable(self.returned) else self.returned

    def __str__(self) -> str:
        return f"{self.name}()"


def bad_chunks(*pairs: tuple[int, int]) -> Odd:
    return Odd(lambda corpus: Chunking(corpus, np.array([s for s, _ in pairs]), np.array([e for _, e in pairs])))


def test_a_component_that_raises_is_recorded_and_the_others_go_on() -> None:
    results = swept(Fixed(4), Broken(), Paragraph())
    assert list(rows(results)) == ["fixed(size=4)", "paragraph()"]
    (failed,) = results.failed
    assert failed.configuration == "broken()"
    assert "ZeroDivisionError" in failed.what
    assert len(results.comparisons) == 1
    assert rows(results)["paragraph()"].loss.lost_ids == rows(swept(Paragraph()))["paragraph()"].loss.lost_ids
    assert "broken(): failed" in repr(results)


@pytest.mark.parametrize(
    "pairs",
    [[(0, 0)], [(3, 1)], [(0, 8), (2, 6)], [(2, 6), (0, 8)], [(0, 30)], [(-1, 3)], [(10, 14)], [(10**9, 10**9 + 1)]],
)
def test_chunks_against_the_contract_fail_with_the_place(pairs: list[tuple[int, int]]) -> None:
    results = swept(bad_chunks(*pairs), Paragraph())
    assert list(rows(results)) == ["paragraph()"]
    (failed,) = results.failed
    assert "chunk [" in failed.what
    assert "document '" in failed.where


@pytest.mark.parametrize("returned", [None, [], [(0, 4)], "chunks", 5, (np.array([0]), np.array([4]))])
def test_what_is_no_chunking_fails(returned: Any) -> None:
    results = swept(Odd(returned), Paragraph())
    assert [failed.configuration for failed in results.failed] == ["odd()"]
    assert list(rows(results)) == ["paragraph()"]


def test_offsets_that_are_no_integers_fail() -> None:
    results = swept(Odd(lambda corpus: Chunking(corpus, np.array([0.5]), np.array([4.0]))), Paragraph())
    assert [failed.configuration for failed in results.failed] == ["odd()"]


def test_the_chunks_of_another_corpus_fail() -> None:
    other = corpus_of(["別の文書。" * 20])
    results = swept(Odd(Fixed(5).chunk(other)), Paragraph())
    assert [failed.configuration for failed in results.failed] == ["odd()"]


def test_a_chunker_without_any_chunk_loses_everything_and_does_not_fail() -> None:
    results = swept(Odd(lambda corpus: Chunking(corpus, np.array([], int), np.array([], int))), Paragraph())
    assert results.failed == ()
    assert rows(results)["odd()"].loss.lost.sum() == sum(bool(asked) for asked in ASKED)


@pytest.mark.parametrize("version", ["1.2.0", None, 1.5])
def test_an_odd_version_costs_no_other_row(version: Any) -> None:
    odd = Odd(Paragraph().chunk)
    odd.version = version
    results = swept(Fixed(4), odd)
    assert "fixed(size=4)" in rows(results)
    assert results.components["fixed"] == 1


def test_a_parameter_named_windows_is_not_taken_for_fixed_windows() -> None:
    odd = Odd(Paragraph().chunk, "sentence_window")
    odd.windows = 3  # type: ignore[attr-defined]
    results = swept(Fixed(4), odd)
    assert results.failed == ()
    assert [pair.decision == "nested" for pair in results.comparisons] == [False]


def test_where_every_component_fails_there_are_results_without_rows() -> None:
    results = swept(Broken())
    assert results.configurations == ()
    assert results.comparisons == ()
    assert len(results.failed) == 1


def test_somebody_who_interrupts_is_heard() -> None:
    def interrupted(corpus: Corpus) -> Chunking:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swept(Odd(interrupted))


def test_no_question_left_to_ask_is_bad_input_and_no_failure() -> None:
    corpus, questions = small()
    with pytest.raises(InputError):
        run(plan_of(Paragraph(), split="test"), corpus, questions, DIGESTS)
    with pytest.raises(InputError):
        run(plan_of(Paragraph(), sample=100), corpus, questions, DIGESTS)
