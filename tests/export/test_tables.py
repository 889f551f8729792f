"""The values of every table of a small sweep, against loops over its chunks."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.evidence.loss import loss_of
from kugiri.export.facts import sweep_facts
from kugiri.export.schemas import TABLES, schema
from kugiri.export.tables import EXCERPT_MARGIN, PASSAGE_MARGIN, tables
from kugiri.labels import chunk_id
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Excluded, Question, Questions
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.run import run
from sweep_worlds import ASKED, DIGESTS, EIGHT, TEXTS, Broken, plan_of, swept
from worlds import (
    HOSTILE,
    IDS,
    INFO,
    best_chunk,
    cause,
    coverage,
    cut_at,
    deciding_span,
    is_lost,
    left_chunk,
    local_chunks,
    needs,
    right_chunk,
)

RETRIEVAL = ("rank_1", "rank_2_5", "rank_6_20", "rank_beyond")
SECRET = "極秘🍣か\u3099\u3000\r\n"


def read(results: SweepResults, name: str, text: bool = True) -> list[dict[str, Any]]:
    return tables(results, text)[name].to_pylist()


def chunks_of(results: SweepResults) -> dict[str, list[tuple[int, int, int]]]:
    return {str(result.configuration): local_chunks(result.loss.chunking) for result in results.configurations}


# ------------------------------------------------------------------------------------------------ schemas
@pytest.mark.parametrize("chunkers", [EIGHT, (Broken(),), (Paragraph(),)])
def test_every_table_has_its_schema_with_and_without_rows(chunkers: tuple[Any, ...]) -> None:  # N109, N110
    results = swept(*chunkers)
    made = tables(results)
    assert tuple(made) == TABLES
    for name, table in made.items():
        expected = schema(name, results.plan.metrics)
        assert table.schema.equals(expected, check_metadata=True), name
        table.validate(full=True)


def test_text_without_a_lost_question_leaves_an_empty_table() -> None:
    results = swept(Fixed(100))
    assert tables(results)["lost"].num_rows == 0
    assert tables(results)["lost"].schema.equals(schema("lost"))
    assert tables(results)["comparisons"].num_rows == 0


def test_ids_are_strings() -> None:  # N109
    corpus = Corpus.from_documents(
        CorpusInfo("n", "t", "ja", "l", "s", "d"), [Document("1", "一二三"), Document("A-2", "四五")]
    )
    questions = Questions.from_records(corpus, [Question("1", "?", ((EvidenceSpan("A-2", 0, 2),),))])
    made = tables(run(plan_of(Fixed(1)), corpus, questions, DIGESTS))
    assert made["chunks"]["document_id"].to_pylist() == ["1", "1", "1", "A-2", "A-2"]
    assert made["questions"]["question_id"].to_pylist() == made["lost"]["question_id"].to_pylist() == ["1"]
    assert made["chunks"].schema.field("document_id").type == pa.string()


# ------------------------------------------------------------------------------------------------ configurations
def test_configurations_count_chunks_and_lost_questions() -> None:
    results = swept()
    characters = sum(map(len, TEXTS))
    for row, (label, chunks) in zip(read(results, "configurations"), chunks_of(results).items(), strict=True):
        lengths = [e - s for _, s, e in chunks]
        lost = sum(is_lost(chunks, asked) for asked in ASKED)
        assert row["configuration"] == row["chunker"] == label
        assert row["chunks"] == len(chunks)
        assert row["indexed_chars"] == sum(lengths)
        assert row["chunk_chars_mean"] == pytest.approx(sum(lengths) / len(chunks))
        assert row["redundancy"] == pytest.approx(sum(lengths) / characters)
        assert (row["questions"], row["unanswerable"], row["lost"]) == (6, 1, lost)
        assert row["lost_rate"] == pytest.approx(lost / 6)
        assert 0 <= row["lost_low"] <= row["lost_rate"] <= row["lost_high"] <= 1
        assert 0 <= row["lost_low_document"] <= row["lost_rate"] <= row["lost_high_document"] <= 1


def test_without_retrieval_its_columns_are_null_and_never_zero() -> None:
    results = swept(*EIGHT, metrics=("Recall@5", "Recall(budget=1000)"), primary="Recall@5")
    for row in read(results, "configurations"):
        for column in ("retriever", "Recall@5", "Recall(budget=1000)", *RETRIEVAL):
            assert row[column] is None, column


def test_a_strategy_without_a_size_has_no_chunk_that_is_too_long() -> None:
    rows = {row["configuration"]: row["too_long_chunks"] for row in read(swept(), "configurations")}
    assert rows == {str(chunker): None if isinstance(chunker, Paragraph) else 0 for chunker in EIGHT}


def test_where_nothing_was_cut_there_is_no_mean_and_no_ratio() -> None:
    class Nothing:
        name, version = "nothing", 1

        def chunk(self, corpus: Corpus) -> Chunking:
            return Chunking(corpus, np.zeros(0, int), np.zeros(0, int))

        def __str__(self) -> str:
            return "nothing()"

    (row,) = read(swept(Nothing()), "configurations")
    assert (row["chunks"], row["indexed_chars"], row["redundancy"]) == (0, 0, 0.0)
    assert row["chunk_chars_mean"] is None
    assert {lost["cause"] for lost in read(swept(Nothing()), "lost")} == {"dropped"}


# ------------------------------------------------------------------------------------------------ outcomes
def test_outcomes_have_a_row_a_question_and_null_where_nothing_is_defined() -> None:
    results = swept()
    rows = read(results, "outcomes")
    assert len(rows) == len(EIGHT) * len(ASKED)
    expected = [
        (label, f"q{number}", needs(chunks, asked))
        for label, chunks in chunks_of(results).items()
        for number, asked in enumerate(ASKED)
    ]
    assert [(row["configuration"], row["question_id"], row["value"]) for row in rows] == expected
    assert {row["metric"] for row in rows} == {"needs"}
    for row in rows:
        assert row["defined"] == (row["value"] is not None)
        assert row["value"] != 0
        assert row["value"] is None or not math.isnan(row["value"])


def test_a_lost_and_an_unanswerable_question_need_no_number_of_chunks() -> None:
    rows = {row["question_id"]: row for row in read(swept(Fixed(4)), "outcomes")}
    assert rows["q4"]["value"] is rows["q1"]["value"] is None
    assert not rows["q4"]["defined"]
    assert not rows["q1"]["defined"]


# ------------------------------------------------------------------------------------------------ comparisons
def test_comparisons_repeat_what_the_run_found_and_leave_the_rest_null() -> None:
    results = swept(Fixed(4), Fixed(8), Paragraph())
    rows = read(results, "comparisons")
    for row, pair in zip(rows, results.comparisons, strict=True):
        assert row == dataclasses.asdict(pair)
        assert row["metric"] == "lost"
        assert row["difference"] == pytest.approx(pair.value_b - pair.value_a)
    assert [row["decision"] == "nested" for row in rows] == [True, False, False]
    assert [row["p"] is None for row in rows] == [True, False, False]
    assert all(row["questions_needed"] is None for row in rows)


# ------------------------------------------------------------------------------------------------ lost
def test_lost_rows_against_loops_over_chunks() -> None:
    results = swept()
    rows = iter(read(results, "lost"))
    for label, chunks in chunks_of(results).items():
        for number, asked in enumerate(ASKED):
            if not is_lost(chunks, asked):
                continue
            row, span = next(rows), deciding_span(chunks, asked)
            d, s, e = span
            assert (row["configuration"], row["question_id"], row["document_id"]) == (label, f"q{number}", IDS[d])
            assert (row["evidence_start"], row["evidence_end"]) == (s, e)
            assert row["evidence_text"] == TEXTS[d][s:e]
            assert row["question"] == f"問{number}？"
            assert row["cause"] == cause(chunks, span)
            assert row["cut_at"] == cut_at(chunks, span)
            assert row["best_coverage"] == float(coverage(chunks, span))
            for name, chunk in (
                ("left_chunk_id", left_chunk(chunks, span)),
                ("right_chunk_id", right_chunk(chunks, span)),
                ("best_chunk_id", best_chunk(chunks, span)),
            ):
                assert row[name] == (None if chunk is None else chunk_id(IDS[chunk[0]], *chunk[1:])), name
    assert next(rows, None) is None


def test_the_excerpt_marks_the_evidence_and_the_cut() -> None:
    (row,) = [row for row in read(swept(Fixed(4)), "lost") if row["question_id"] == "q1"]
    assert (row["evidence_start"], row["evidence_end"], row["cut_at"]) == (3, 6, 4)
    assert row["excerpt"] == f"{TEXTS[0][:3]}【{TEXTS[0][3]}｜{TEXTS[0][4:6]}】{TEXTS[0][6:]}"


def test_an_excerpt_of_a_long_document_keeps_to_its_margin() -> None:
    text = "前" * 100 + "証拠🍣" + "後" * 100
    results = swept(Fixed(102), texts=[text], asked=[[[(0, 100, 103)]]])
    (row,) = read(results, "lost")
    assert row["excerpt"] == "前" * EXCERPT_MARGIN + "【証拠｜🍣】" + "後" * EXCERPT_MARGIN


def test_evidence_that_was_dropped_has_no_cut_in_its_excerpt() -> None:
    corpus = Corpus.from_documents(INFO, [Document("d", HOSTILE, None, ((0, 2),))])
    questions = Questions.from_records(corpus, [Question("q", "?", ((EvidenceSpan("d", 4, 6),),))])
    (row,) = read(run(plan_of(Paragraph()), corpus, questions, DIGESTS), "lost")
    assert (row["cause"], row["cut_at"], row["best_coverage"], row["best_chunk_id"]) == ("dropped", None, 0.0, None)
    assert "｜" not in row["excerpt"]
    assert f"【{HOSTILE[4:6]}】" in row["excerpt"]
    assert (row["overlap_needed"], row["size_needed"]) == (None, None)


def test_what_would_have_kept_the_evidence() -> None:
    results = swept(Fixed(4), Paragraph(), texts=["一二三四五六七八九十"], asked=[[[(0, 3, 5)]], [[(0, 1, 7)]]])
    rows = {row["question_id"]: row for row in read(results, "lost")}
    assert (rows["q0"]["overlap_needed"], rows["q0"]["size_needed"]) == (1, 5)
    assert (rows["q1"]["cause"], rows["q1"]["overlap_needed"], rows["q1"]["size_needed"]) == ("too_long", None, 7)


# ------------------------------------------------------------------------------------------------ questions, chunks
def test_questions_have_a_row_a_span_in_file_order() -> None:  # N110
    rows = read(swept(), "questions")
    expected = []
    for number, asked in enumerate(ASKED):
        spans = [(a, *span) for a, spans in enumerate(asked) for span in spans]
        expected += [(f"q{number}", a, IDS[d], s, e) for a, d, s, e in spans] or [
            (f"q{number}", None, None, None, None)
        ]
    names = ("question_id", "alternative", "document_id", "start", "end")
    assert [tuple(row[name] for name in names) for row in rows] == expected
    for row in rows:
        if row["document_id"] is None:
            assert (row["kind"], row["passage"], row["passage_start"]) == ("unanswerable", None, None)
        else:
            text = TEXTS[IDS.index(row["document_id"])]
            begin = row["passage_start"]
            assert row["passage"] == text[begin : begin + len(row["passage"])]
            assert row["passage"][row["start"] - begin : row["end"] - begin] == text[row["start"] : row["end"]]


def test_a_passage_is_the_evidence_with_its_margin() -> None:
    text = "前" * 500 + "証🍣" + "後" * 500
    (row,) = read(swept(Fixed(9), texts=[text], asked=[[[(0, 500, 502)]]]), "questions")
    assert row["passage_start"] == 500 - PASSAGE_MARGIN == 200
    assert row["passage"] == "前" * 300 + "証🍣" + "後" * 300


def test_alternatives_are_numbered_question_by_question_after_merging() -> None:
    same = [(0, 0, 2)]
    asked = [[same, same, [(0, 3, 4), (2, 0, 1)]], [same]]
    rows = read(swept(Fixed(4), texts=TEXTS, asked=asked), "questions")
    assert [(row["question_id"], row["alternative"]) for row in rows] == [("q0", 0), ("q0", 1), ("q0", 1), ("q1", 0)]


def test_chunks_are_written_once_a_strategy_in_their_own_offsets() -> None:
    results = swept(Fixed(4), Paragraph())
    assert [(row["chunker"], row["document_id"], row["start"], row["end"]) for row in read(results, "chunks")] == [
        (label, IDS[d], s, e) for label, chunks in chunks_of(results).items() for d, s, e in chunks
    ]


# ------------------------------------------------------------------------------------------------ no text
def secret() -> SweepResults:
    """Every document and question holds the secret, and one component fails on a chunk around it."""
    corpus = Corpus.from_documents(
        CorpusInfo("n", "名", "ja", "CC0-1.0", "手元", "手元の文書"),
        [Document("d1", SECRET * 20, None, ((0, 30), (35, 70))), Document("d2", SECRET * 3)],
    )

    class Crossing:
        name, version = "crossing", 1

        def chunk(self, corpus: Corpus) -> Chunking:
            return Chunking(corpus, np.array([0, 20]), np.array([25, 22]))

        def __str__(self) -> str:
            return "crossing()"

    records = [
        Question("q1", f"{SECRET}？", ((EvidenceSpan("d1", 20, 33),), (EvidenceSpan("d2", 0, 9),)), answer=SECRET),
        Question("q2", f"{SECRET}？", ((EvidenceSpan("d1", 31, 34),),)),
        Question("q3", f"{SECRET}？", ()),
    ]
    questions = Questions.from_records(corpus, records, [Excluded("q4", f"{SECRET}？", "answer_in_title")])
    return run(plan_of(Fixed(8), Paragraph(), Crossing()), corpus, questions, DIGESTS)


def test_without_text_no_table_holds_any_text_of_the_corpus() -> None:
    results = secret()
    assert "極秘" in json.dumps({name: t.to_pylist() for name, t in tables(results).items()}, ensure_ascii=False)
    for name, table in tables(results, text=False).items():
        written = json.dumps(table.to_pylist(), ensure_ascii=False)
        assert not set(written) & set("極秘🍣\u3099"), name
    for name, columns in (("lost", ("question", "evidence_text", "excerpt")), ("questions", ("question", "passage"))):
        for row in read(results, name, text=False):
            assert [row[column] for column in columns] == [None] * len(columns)


def test_without_text_the_facts_hold_none_either() -> None:
    facts = json.dumps(sweep_facts(secret(), text=False), ensure_ascii=False)
    assert not set(facts) & set("極秘🍣\u3099")
    assert "crossing()" in facts


def test_without_text_every_number_stays() -> None:
    results = secret()
    texts = {"question", "evidence_text", "excerpt", "passage"}
    for name in TABLES:
        with_text, without = read(results, name), read(results, name, text=False)
        assert [{k: v for k, v in row.items() if k not in texts} for row in with_text] == [
            {k: v for k, v in row.items() if k not in texts} for row in without
        ]


# ------------------------------------------------------------------------------------------------ facts
def test_the_facts_of_a_sweep() -> None:
    results = secret()
    facts = sweep_facts(results)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["offset_unit"] == "codepoint"  # B17
    assert facts["questions"]["answerable"] == 2
    assert facts["questions"]["unanswerable"] == 1
    assert facts["excluded"] == [{"reason": "answer_in_title", "count": 1, "ids": ["q4"]}]
    assert (facts["corpus"]["documents_sha256"], facts["corpus"]["questions_sha256"]) == DIGESTS
    assert (facts["seed"], facts["primary"], facts["cluster"], facts["baseline"]) == (1, "Recall@5", "paragraph", None)
    assert facts["metrics"] == list(results.plan.metrics)
    assert facts["components"] == {"fixed": 1, "graphemes": 1, "needs": 1, "paragraph": 1}
    assert [failed["configuration"] for failed in facts["failed"]] == ["crossing()"]
    assert {"code": "repeated_questions", "questions": 3, "distinct": 1} in facts["warnings"]
    assert facts["corpus"]["characters"] == results.corpus.characters


def test_the_facts_of_a_sample_are_about_the_sample() -> None:
    same = [(0, 0, 2)]
    asked = [[same, same, same], [[(0, 3, 5)]], []]
    everything, none_merged = sweep_facts(swept(Fixed(4), texts=TEXTS, asked=asked)), None
    assert everything["questions"]["merged_spans"] == 2
    for seed in range(20):
        results = swept(Fixed(4), texts=TEXTS, asked=asked, sample=1, seed=seed)
        facts = sweep_facts(results)["questions"]
        assert (facts["answerable"], facts["unanswerable"], facts["sample"]) == (1, 0, 1)
        if results.questions.ids == ("q1",):
            none_merged = facts["merged_spans"]
    assert none_merged == 0


def test_tables_agree_with_the_loss_of_one_chunker_alone() -> None:
    results = swept(Fixed(4))
    alone = loss_of(Fixed(4), Fixed(4).chunk(results.corpus), results.questions)
    assert [row["question_id"] for row in read(results, "lost")] == list(alone.lost_ids)
