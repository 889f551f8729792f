"""Rankings of somebody else's system: order, ties, ids that do not match, results that are none."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kugiri.errors import InputError
from kugiri.formats.foreign_runs import ForeignRun, Hit, MatchedRun, matched, read_run
from kugiri.model.questions import Questions
from worlds import corpus_of, questions_of

CHUNKS = {"a b": 0, "c": 1, "甲@0:3": 2, "same-as-c": 1, "x%20y": 3}


def questions() -> Questions:
    return questions_of(corpus_of(["あいうえお"]), [[[(0, 0, 1)]], [[(0, 1, 2)]], []])


def hits(*rows: tuple[Any, ...]) -> ForeignRun:
    return ForeignRun([Hit(*row, *[None] * (4 - len(row))) for row in rows], "here")


def rows_of(found: MatchedRun) -> list[list[int]]:
    return [[chunk for chunk in row if chunk >= 0] for row in found.run.chunk.tolist()]


def match(*rows: tuple[Any, ...], depth: int | None = None, chunks: Mapping[str, int] = CHUNKS) -> MatchedRun:
    return matched(hits(*rows), questions(), chunks, depth)


def refusal(*rows: tuple[Any, ...], chunks: Mapping[str, int] = CHUNKS) -> InputError:
    with pytest.raises(InputError) as caught:
        match(*rows, chunks=chunks)
    return caught.value


def test_four_files_say_the_same(tmp_path: Path) -> None:
    rows = [("q1", "c", 2, 0.5), ("q0", "a b", 0, 9.0), ("q1", "甲@0:3", 1, 0.75), ("q0", "x%20y", 3, 1.0)]
    named = [dict(zip(("question", "chunk", "rank", "score"), row, strict=True)) for row in rows]
    trec = "".join(f"{q} Q0 {c.replace(' ', '%20')} {r}\t{s} tag\r\n" for q, c, r, s in rows)
    (tmp_path / "a.run").write_bytes(b"\xef\xbb\xbf" + trec.encode())
    (tmp_path / "a.jsonl").write_bytes("\n".join(json.dumps(row) for row in named).encode())
    pq.write_table(pa.Table.from_pylist(named), tmp_path / "a.parquet")
    table = "".join(f"{q},{c},{r},{s}\r\n" for q, c, r, s in rows)
    (tmp_path / "a.csv").write_bytes(f"\ufeffquestion,chunk,rank,score\r\n{table}".encode())
    for name in ("a.run", "a.jsonl", "a.parquet", "a.csv"):
        assert rows_of(matched(read_run(tmp_path / name), questions(), CHUNKS)) == [[0, 3], [2, 1], []]


def test_scores_decide_only_without_ranks_and_ties_are_in_our_order() -> None:
    found = match(
        ("q0", "c", None, 1.0), ("q0", "甲@0:3", None, 2.0), ("q0", "a b", None, 1.0), ("q1", "c", None, -5.0)
    )
    assert rows_of(found) == [[2, 0, 1], [1], []]
    assert found.run.tied.tolist() == [True, False, False]
    assert any("tied scores" in note for note in found.notes)
    found = match(("q0", "c", 1, 0.1), ("q0", "a b", 2, 0.9), ("q1", "c", 1, 1.0))
    assert rows_of(found)[0] == [1, 0]
    assert any("later rank has a higher score" in note and note.endswith(": 1") for note in found.notes)


def test_nothing_and_minus_one_are_dropped_and_counted() -> None:  # H82
    rows = [("q0", "c", 1), ("q0", "-1", 2), ("q0", None, 3), ("q0", "None", 4), ("q0", "a b", 5), ("q1", "c", 1)]
    found = match(*rows)
    assert rows_of(found) == [[1, 0], [1], []]
    assert "results without a chunk (None or −1) were dropped: 3" in found.notes
    # An index that has a chunk of that name means it.
    assert rows_of(match(("q0", "-1", 1), ("q1", "-1", 1), chunks={"-1": 4})) == [[4], [4], []]
    short = match(("q0", "c", 1), ("q0", "a b", 2), ("q1", "c", 1), depth=10)
    assert (short.run.depth, short.run.hits.tolist()) == (10, [2, 1, 0])


def test_ids_of_two_kinds_never_meet() -> None:  # H80
    assert rows_of(match(("q0", "q0", 1), ("q1", "q0", 1), chunks={"q0": 0})) == [[0], [0], []]


def test_nothing_that_matches_is_no_score_of_zero() -> None:  # H83
    error = refusal(("q0", "doc-1", 1), chunks={"doc-1#0": 0})
    assert error.what.startswith("0 of 1 ids match: the chunks of the run are 'doc-1', those of the chunks 'doc-1#0'")
    error = refusal(("Q0", "c", 1), ("Q1", "c", 1))
    assert error.what.startswith("0 of 2 ids match: the questions of the run are 'Q0', 'Q1', those of the corpus 'q0'")


def test_unknown_ids_are_named() -> None:  # G70
    error = refusal(("q0", "c", 1), *(("q1", f"d{n}", n) for n in range(7)))
    assert error.what.startswith("7 of 8 chunk ids of the run are not among the chunks: 'q1->d0', 'q1->d1'")
    assert error.what.endswith("and 2 more")
    assert "nothing was scored" in error.remedy
    found = match(("q0", "c", 1), ("q9", "c", 1))
    assert found.notes == (
        "1 question of the run not in the corpus, left out: 'q9'",
        "1 question not in the run, counted as nothing found: 'q1'",
    )
    assert rows_of(found) == [[1], [], []]


def test_duplicates() -> None:
    error = refusal(("q0", "c", 1), ("q0", "c", 2))
    assert error.what == "1 chunk is ranked more than once for question 'q0': 'c'"
    assert "two results of rank 3" in refusal(("q0", "c", 3), ("q0", "a b", 3)).what
    found = match(("q0", "c", 1), ("q0", "same-as-c", 2), ("q0", "a b", 3), ("q1", "c", 1))
    assert rows_of(found) == [[1, 0], [1], []]
    assert any(note.endswith("under another id were left out: 1") for note in found.notes)


def test_what_orders_the_run_orders_all_of_it() -> None:
    assert "neither ranks nor scores" in refusal(("q0", "c", 1), ("q0", "a b", None, 0.5)).what
    assert "neither ranks nor scores" in refusal(("q0", "c"), ("q0", "a b")).what
    for score in (math.nan, math.inf):
        assert f"is {score}" in refusal(("q0", "c", 1, score)).what


def test_depth_cuts_and_states() -> None:
    rows = [("q0", "c", 1), ("q0", "a b", 2), ("q0", "甲@0:3", 3), ("q1", "c", 1)]
    assert match(*rows).run.depth == 3
    assert rows_of(match(*rows, depth=2)) == [[1, 0], [1], []]


def test_ids_as_our_own_files_write_them() -> None:
    # A chunk whose own id is what another one is encoded as keeps it.
    assert rows_of(match(("q0", "a%20b", 1), ("q0", "x%20y", 2), ("q1", "c", 1))) == [[0, 3], [1], []]
    assert rows_of(match(("q0", "p%20q", 1), ("q1", "p q", 1), chunks={"p%20q": 0, "p q": 1})) == [[0], [1], []]


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.run", "q0 Q0 a b 1 2 tag\n", "7 columns"),
        ("a.trec", "q0 Q0 c first 2 tag\n", "no whole number"),
        ("a.txt", "q0 Q0 c 1 high tag\n", "no number"),
        ("a.run", "\n\n", "no row"),
        ("a.jsonl", '{"question":"q","rank":1}\n', "missing required field `chunk`"),
        ("a.jsonl", '{"question":"q","chunk":"c","rank":1.5}\n', "xpected"),
        ("a.jsonl", '{"question":"q","chunk":"c","score":NaN}\n', "NaN is not JSON"),
        ("a.zip", "", "'.zip'"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, content: str, what: str) -> None:
    (tmp_path / name).write_bytes(content.encode())
    with pytest.raises(InputError) as caught:
        read_run(tmp_path / name)
    assert what in caught.value.what
