"""Relevance and rankings of a results folder as TREC files, for ir_measures, trec_eval and their like.

Relevant is every chunk that wholly contains a span of a kept alternative, so relevance depends on the chunking and each
configuration has its own qrels. A lost question has one row of relevance 0, for the chunk that holds most of its
evidence or for `none`: without it, evaluators would leave the question out of their means. An unanswerable question has
no row.
Scores are −rank: evaluators sort by score and break ties by id, and the ranking is the one that kugiri measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from kugiri.errors import InputError
from kugiri.export.new_folder import new_folder
from kugiri.export.results import Results
from kugiri.formats.trec_ids import spaceless, trec_id
from kugiri.labels import chunk_id, slugs
from kugiri.model.columns import Int64

NO_CHUNK = "none"
"""Stands for a chunk in the row of a lost question of whose evidence no chunk holds anything."""


def write_trec(results: Results, to: Path) -> tuple[str, ...]:
    """Writes `qrels/SLUG.qrels` and `runs/SLUG.run` of every configuration into the new folder `to`.

    Returns:
        The names of the files.

    Raises:
        InputError: the results keep no rankings; as `new_folder`; a table changed since the results were read.
    """
    if "runs" not in results.names:
        raise InputError(
            "the results keep no rankings: they have no table 'runs'",
            str(results.folder),
            "run the sweep again with retrieval and --runs",
        )
    rows = results.table("configurations").select(["configuration", "chunker", "retriever"]).to_pylist()
    chunkers = {row["configuration"]: row["chunker"] for row in rows if row["retriever"] is not None}
    names = slugs(chunkers)
    written: list[str] = []
    with new_folder(to) as folder:
        for part in ("qrels", "runs"):
            (folder / part).mkdir()
        relevant = {chunker: _Relevance(results, chunker).lines() for chunker in dict.fromkeys(chunkers.values())}
        lost, runs = _lost(results), results.table("runs")
        for label, chunker in chunkers.items():
            qrels, run = f"qrels/{names[label]}.qrels", f"runs/{names[label]}.run"
            _write(folder / qrels, [*relevant[chunker], *lost.get(label, ())])
            _write(folder / run, _run(runs.filter(pc.equal(runs["configuration"], label)), names[label]))
            written += [qrels, run]
    return tuple(written)


def _write(path: Path, lines: list[str]) -> None:
    # Bytes, not text: Windows would write `\r\n`.
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


def _lost(results: Results) -> dict[str, list[str]]:
    """The row of relevance 0 of every lost question, by configuration."""
    found: dict[str, list[str]] = {}
    for row in results.table("lost").select(["configuration", "question_id", "best_chunk_id"]).to_pylist():
        chunk = NO_CHUNK if row["best_chunk_id"] is None else spaceless(row["best_chunk_id"])
        found.setdefault(row["configuration"], []).append(f"{trec_id(row['question_id'])} 0 {chunk} 0")
    return found


def _run(rows: Any, tag: str) -> list[str]:
    columns = (rows[name].to_pylist() for name in ("question_id", "document_id", "start", "end", "rank"))
    return [
        f"{trec_id(question)} Q0 {spaceless(chunk_id(document, start, end))} {rank} {-rank} {tag}"
        for question, document, start, end, rank in zip(*columns, strict=True)
    ]


class _Relevance:
    """The relevant chunks of one chunking, from the tables `questions` and `chunks` alone.

    Documents are laid end to end again, each as long as its last offset, so that two binary searches find the chunks
    that contain a span (DESIGN §3).
    """

    def __init__(self, results: Results, chunker: str) -> None:
        chunks, spans = results.table("chunks"), results.table("questions")
        chunks = chunks.filter(pc.equal(chunks["chunker"], chunker))
        self.spans = spans.filter(pc.is_valid(spans["alternative"]))
        self.chunks = chunks
        origin = _origins(chunks, self.spans)
        self.start, self.end = _on_axis(chunks, origin)
        start, end = _on_axis(self.spans, origin)
        self.first = np.searchsorted(self.end, end, side="left")
        self.last = np.searchsorted(self.start, start, side="right")

    def lines(self) -> list[str]:
        """The rows of relevance 1, a question after the other."""
        ids = [
            spaceless(chunk_id(document, start, end))
            for document, start, end in zip(
                *(self.chunks[name].to_pylist() for name in ("document_id", "start", "end")), strict=True
            )
        ]
        return [f"{trec_id(question)} 0 {ids[chunk]} 1" for question, chunk in self._pairs()]

    def _pairs(self) -> Iterator[tuple[str, int]]:
        kept: dict[tuple[str, int], bool] = {}
        alternatives = list(
            zip(self.spans["question_id"].to_pylist(), self.spans["alternative"].to_pylist(), strict=True)
        )
        ranges = list(zip(self.first.tolist(), self.last.tolist(), strict=True))
        for alternative, (first, last) in zip(alternatives, ranges, strict=True):
            kept[alternative] = kept.get(alternative, True) and first < last
        relevant: dict[str, set[int]] = {}
        for alternative, (first, last) in zip(alternatives, ranges, strict=True):
            if kept[alternative]:
                relevant.setdefault(alternative[0], set()).update(range(first, last))
        for question, found in relevant.items():
            for chunk in sorted(found):
                yield question, chunk


def _origins(*tables: Any) -> dict[str, int]:
    """Where each document begins on the axis, in the order in which the tables name them first."""
    lengths: dict[str, int] = {}
    for table in tables:
        for document, end in zip(table["document_id"].to_pylist(), table["end"].to_pylist(), strict=True):
            lengths[document] = max(lengths.get(document, 0), end)
    starts = np.concatenate(([0], np.cumsum(list(lengths.values()), dtype=np.int64))).tolist()
    return dict(zip(lengths, starts[:-1], strict=True))


def _on_axis(table: Any, origin: Mapping[str, int]) -> tuple[Int64, Int64]:
    moved = np.array([origin[document] for document in table["document_id"].to_pylist()], dtype=np.int64)
    start, end = (np.array(table[name].to_pylist(), dtype=np.int64) for name in ("start", "end"))
    return start + moved, end + moved
