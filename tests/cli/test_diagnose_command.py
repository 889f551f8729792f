"""`kugiri diagnose`: somebody else's chunks and ranking against the evidence."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path
from typing import Any

import pytest
from hostile_sweep import (
    ANSI,
    ANSWERABLE,
    ASKED,
    BIDI,
    TEXTS,
    chunks_of,
    evidence_of,
    lost_by_brute_force,
    write_corpus,
)

from kugiri.chunkers.fixed import Fixed
from kugiri.cli.diagnose import diagnose as run_command
from kugiri.cli.export import export
from kugiri.formats.corpus_folder import load_corpus
from retrieved_results import Ended, command, ranked_results, refused, write_folder

kugiri = command(run_command)
LABEL = "fixed(size=20)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("diagnosed") / "corpora" / "hostile")


def chunk_lines() -> list[dict[str, Any]]:
    rows = [(name, start, end) for name, chunks in chunks_of(LABEL).items() for start, end in chunks]
    return [
        {"id": f"c {number}", "document": name, "start": start, "end": end, "text": TEXTS[name][start:end]}
        for number, (name, start, end) in enumerate(rows)
    ]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    return path


def first_rank(identity: str, order: list[int]) -> int | None:
    """By sets: the first place at which some alternative is complete."""
    chunks = [(row["document"], row["start"], row["end"]) for row in chunk_lines()]
    for place in range(1, len(order) + 1):
        taken = [chunks[chunk] for chunk in order[:place]]
        for spans in evidence_of(identity):
            if all(any(d == name and a <= s and e <= b for name, a, b in taken) for d, s, e in spans):
                return place
    return None


def orders() -> dict[str, list[int]]:
    count = len(chunk_lines())
    return {name: [(number * 3 + place) % count for place in range(count)] for number, name in enumerate(ASKED)}


def diagnosed(tmp_path: Path, folder: Path, *more: object, run: list[dict[str, Any]] | None = None) -> Ended:
    rows = run or [
        {"question": name, "chunk": f"c {chunk}", "rank": place}
        for name, order in orders().items()
        for place, chunk in enumerate(order)
    ]
    return kugiri(
        folder,
        "--chunks",
        lines(tmp_path / "chunks.jsonl", chunk_lines()),
        "--run",
        lines(tmp_path / "run.jsonl", rows),
        *more,
    )


def test_the_numbers_are_those_of_the_definitions(tmp_path: Path, folder: Path) -> None:
    done = diagnosed(tmp_path, folder, "--json")
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    asked = [name for name in ASKED if evidence_of(name)]
    ranks = {name: first_rank(name, orders()[name]) for name in asked}
    lost = lost_by_brute_force(LABEL)
    assert {name for name in asked if ranks[name] is None} == set(lost)
    assert found["questions"] == ANSWERABLE
    assert found["unanswerable"] == 1
    assert found["stages"]["cut"] == len(lost)
    assert found["stages"]["candidates"] == sum(rank is not None and rank > 20 for rank in ranks.values())
    late = [rank for rank in ranks.values() if rank is not None and 1 < rank <= 20]
    assert found["stages"]["ordering"] == len(late)
    assert list(found["ordering"].values()) == [sum(rank <= 5 for rank in late), sum(rank > 5 for rank in late)]
    known = [rank for rank in ranks.values() if rank is not None]
    assert found["metrics"] == pytest.approx(
        {
            "Recall@5": sum(rank <= 5 for rank in known) / ANSWERABLE,
            "Recall@20": sum(rank <= 20 for rank in known) / ANSWERABLE,
            "MRR@10": sum(1 / rank for rank in known if rank <= 10) / ANSWERABLE,
            "nDCG@10": sum(1 / log2(1 + rank) for rank in known if rank <= 10) / ANSWERABLE,
        }
    )
    assert sum(found["rank_classes"].values()) == ANSWERABLE
    rows = {row["question_id"]: row for row in found["per_question"]}
    assert list(rows) == list(ASKED)
    assert {name: rows[name]["rank"] for name in asked} == ranks
    assert [name for name in rows if rows[name]["stage"] == "cut"] == lost
    assert rows["q-ない"]["stage"] is None
    most = max(found["stages"].values())
    assert found["look_first"] == [name for name, count in found["stages"].items() if count == most]


def test_a_person_reads_it_and_no_text_moves_the_cursor(tmp_path: Path, folder: Path) -> None:
    done = diagnosed(tmp_path, folder)
    assert f"{ANSWERABLE} answerable questions, {len(chunk_lines())} chunks" in done.out
    assert "no chunk holds the evidence: the cut" in done.out
    assert "look first at" in done.out
    assert ANSI not in done.out
    assert BIDI not in done.out


def test_beyond_the_depth_nothing_is_claimed(tmp_path: Path, folder: Path) -> None:
    rows = [
        {"question": name, "chunk": f"c {chunk}", "rank": place}
        for name, order in orders().items()
        for place, chunk in enumerate(order[:3])
    ]
    done = diagnosed(tmp_path, folder, "--json", run=rows)
    found = json.loads(done.out)
    assert (found["depth"], found["seen"]) == (3, 3)
    assert set(found["metrics"].values()) == {None}
    assert found["notes"] == ["the run is 3 deep, so what comes at 4 to 20 is unknown"]
    assert done.err == "warning: the run is 3 deep, so what comes at 4 to 20 is unknown\n"
    # Who says how deep the index was asked knows that there was no more.
    asked = json.loads(diagnosed(tmp_path, folder, "--json", "--depth", "20", run=rows).out)
    assert None not in asked["metrics"].values()
    assert asked["notes"] == []


def test_bad_input_is_told_in_three_lines(tmp_path: Path, folder: Path) -> None:
    refused(
        diagnosed(tmp_path, folder, run=[{"question": "q-休暇", "chunk": "\x1b[31m", "rank": 1}]), "0 of 1 ids match"
    )
    twice = [{"question": "q-休暇", "chunk": "c 0", "rank": place} for place in (1, 2)]
    refused(diagnosed(tmp_path, folder, run=twice), "more than once")
    refused(kugiri(folder, "--chunks", tmp_path / "no.jsonl", "--run", tmp_path / "no.run"), "no such file")


def test_our_own_export_diagnosed_is_our_own_sweep(tmp_path: Path, folder: Path) -> None:
    loaded = load_corpus(folder)
    made = ranked_results(loaded.corpus, loaded.questions, chunkers=(Fixed(20),), metrics=("Recall@5",), resamples=0)
    to = tmp_path / "t"
    assert command(export)(write_folder(made, tmp_path / "r"), "--format", "trec", "--to", to).code == 0
    chunking = made.configurations[0].loss.chunking
    rows = [
        {"id": chunk.id, "document": chunk.document, "start": chunk.start, "end": chunk.end}
        for chunk in map(chunking.chunk, range(len(chunking)))
    ]
    runs = sorted((to / "runs").iterdir())
    for result, run in zip(made.configurations, runs, strict=True):
        done = kugiri(folder, "--chunks", lines(tmp_path / "c.jsonl", rows), "--run", run, "--json")
        found = json.loads(done.out)
        assert [row["rank"] or 0 for row in found["per_question"]] == result.ranking.rank.tolist()
