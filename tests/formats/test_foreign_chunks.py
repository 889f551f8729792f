"""Chunks of somebody else's index: every file form, every refusal, proven texts."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kugiri.errors import InputError
from kugiri.formats.foreign_chunks import ForeignChunks, read_chunks, read_lists
from kugiri.formats.placement import ForeignChunk
from kugiri.model.corpus import Corpus
from worlds import HOSTILE, IDS, corpus_of, local_chunks

TEXTS = [HOSTILE, "", 'a,"b"\r\n\u3000👩\u200d🍳か\u3099']
GOOD = [
    {"id": "z", "document": IDS[2], "start": 2, "end": 10, "text": TEXTS[2][2:10]},
    {"id": 7, "document": IDS[0], "start": 0, "end": 5, "text": None},
    {"id": "é", "document": IDS[0], "start": 3, "end": 9, "text": TEXTS[0][3:9]},
    {"id": "twin", "document": IDS[0], "start": 3, "end": 9, "text": None},
]


def corpus() -> Corpus:
    return corpus_of(TEXTS)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".jsonl":
        path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist([row | {"id": str(row["id"])} for row in rows]), path)
    else:
        with path.open("w", encoding="utf-8-sig", newline="") as stream:
            table = csv.DictWriter(stream, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
    return path


def read(tmp_path: Path, *rows: dict[str, Any], name: str = "chunks.jsonl") -> ForeignChunks:
    return read_chunks(written(tmp_path / name, list(rows)), corpus())


def refusal(tmp_path: Path, *rows: dict[str, Any], name: str = "chunks.jsonl") -> InputError:
    with pytest.raises(InputError) as caught:
        read(tmp_path, *rows, name=name)
    return caught.value


@pytest.mark.parametrize("name", ["chunks.jsonl", "chunks.parquet", "CHUNKS.ndjson"])
def test_chunks_come_in_our_order_under_their_own_ids(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / ("chunks.parquet" if name.endswith("parquet") else "chunks.jsonl"), GOOD)
    found = read_chunks(path.rename(tmp_path / name), corpus())
    assert local_chunks(found.chunking) == [(0, 0, 5), (0, 3, 9), (2, 2, 10)]
    assert found.numbers == {"z": 2, "7": 0, "é": 1, "twin": 1}
    assert found.chunking.merged == 1


def test_csv_has_no_null_text_and_no_number_but_as_text(tmp_path: Path) -> None:
    rows = [
        {**row, "score": "x", "text": TEXTS[IDS.index(str(row["document"]))][row["start"] : row["end"]]} for row in GOOD
    ]
    found = read(tmp_path, *rows, name="chunks.csv")
    assert found.numbers == {"z": 2, "7": 0, "é": 1, "twin": 1}
    bare = [{key: row[key] for key in ("id", "document", "start", "end")} for row in GOOD]
    assert read(tmp_path, *bare, name="bare.csv").numbers == found.numbers


def test_chunks_without_offsets_are_placed_by_their_text_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = "同意する。同意する。👩\u200d🍳か\u3099。"
    corpus = corpus_of([text, "同意する。\u3000\r\n"])
    rows = [
        {"id": "a", "document": IDS[0], "text": "同意する。", "start": None, "end": None},
        {"id": "other", "document": IDS[1], "text": "同意する。"},
        {"id": "b", "document": IDS[0], "text": "同意する。"},
        {"id": "c", "document": IDS[0], "start": 10, "end": 13},
        {"id": "d", "document": IDS[0], "text": text[13:]},
    ]
    for name in ("chunks.jsonl", "chunks.parquet"):
        found = read_chunks(written(tmp_path / name, rows), corpus)
        assert local_chunks(found.chunking) == [(0, 0, 5), (0, 5, 10), (0, 10, 13), (0, 13, len(text)), (1, 0, 5)]
        assert found.numbers == {"a": 0, "other": 4, "b": 1, "c": 2, "d": 3}
        assert found.ambiguous == 0
    # One of two equal sentences alone could be either; the order takes the first.
    found = read_chunks(written(tmp_path / "one.jsonl", rows[2:]), corpus)
    assert local_chunks(found.chunking)[0] == (0, 0, 5)
    assert found.ambiguous == 1


def test_a_text_that_cannot_be_placed_is_refused_and_named(tmp_path: Path) -> None:
    error = refusal(tmp_path, GOOD[1], {"id": "a", "document": IDS[0], "text": f"見出し:{HOSTILE[0]}"})
    assert error.what == "1 of 2 chunks cannot be placed: 1 missing"
    assert error.where.endswith(f"chunks.jsonl, document {IDS[0]!r}, chunk 2 ('a'): '見出し:{HOSTILE[0]}'")
    assert "no slice of the document equals it" in error.remedy
    assert "1 damaged" in refusal(tmp_path, {"id": "a", "document": IDS[0], "text": "始\ufffd"}).what
    assert "no offsets and no text" in refusal(tmp_path, {"id": "a", "document": IDS[0]}).what
    assert "one of its two" in refusal(tmp_path, {"id": "a", "document": IDS[0], "start": 1, "text": "始"}).what


def test_lists_of_chunks_are_read_as_they_are_stated(tmp_path: Path) -> None:
    rows = [
        {"document": IDS[2], "text": "x", "start": -1, "end": 99, "id": 5},
        {"document": IDS[0], "text": "", "page": 3},
        {"document": IDS[2], "text": "y"},
    ]
    path = written(tmp_path / "chunks.jsonl", rows)
    assert read_lists(path, corpus()) == [[ForeignChunk("")], [], [ForeignChunk("x", -1, 99, "5"), ForeignChunk("y")]]
    with pytest.raises(InputError, match="missing required field `text`"):
        read_lists(written(tmp_path / "none.jsonl", [{"document": IDS[0], "start": 1, "end": 2}]), corpus())
    with pytest.raises(InputError, match="0 of 1 document ids match"):
        read_lists(written(tmp_path / "other.jsonl", [{"document": "x", "text": "y"}]), corpus())
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match="there is no chunk"):
        read_lists(tmp_path / "empty.jsonl", corpus())


@pytest.mark.parametrize(
    ("start", "end", "how"),
    [
        (3, 3, "is empty"),
        (4, 2, "ends before it starts"),
        (-1, 2, "outside"),
        (0, 999, "outside"),
        (0, 10**30, "outside"),
    ],
)
def test_places_are_proven(tmp_path: Path, start: int, end: int, how: str) -> None:
    error = refusal(tmp_path, GOOD[0], {"id": "bad", "document": IDS[0], "start": start, "end": end})
    assert "'bad'" in error.what
    assert how in error.what
    assert error.where.endswith(":2")


def test_a_text_that_is_not_there_is_refused_with_its_nearest_place(tmp_path: Path) -> None:
    row = {"id": "b", "document": IDS[0], "start": 4, "end": 8, "text": HOSTILE[5:9]}
    assert "nearest place of the text is 5" in refusal(tmp_path, row).remedy
    assert "nowhere" in refusal(tmp_path, row | {"text": "\x1b[31m無い"}).remedy


def test_ids_and_documents(tmp_path: Path) -> None:
    assert "stands more than once: '7'" in refusal(tmp_path, GOOD[1], GOOD[1] | {"id": "7", "end": 6}).what
    assert "2 chunk ids stand" in refusal(tmp_path, *GOOD[:2], *GOOD[:2]).what
    error = refusal(tmp_path, *(row | {"document": f"doc-{n}"} for n, row in enumerate(GOOD)))
    assert error.what.startswith("0 of 4 document ids match: the chunks have 'doc-0'")
    assert IDS[0] in error.what
    assert refusal(tmp_path, GOOD[0], GOOD[1] | {"document": "x"}).what.startswith("1 of 2 documents")


def test_nested_chunks_are_several_layers_and_refused_for_now(tmp_path: Path) -> None:
    parent = {"id": "parent", "document": IDS[0], "start": 0, "end": 12}
    error = refusal(tmp_path, GOOD[1] | {"start": 2}, parent)
    assert error.what == "chunk '7' [2, 5) lies inside chunk 'parent' [0, 12): the index has several layers"
    # The same start or the same end is still one order.
    assert read(tmp_path, GOOD[1], parent, parent | {"id": "end", "start": 4}).numbers == {
        "7": 0,
        "parent": 1,
        "end": 2,
    }


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"id": None, "document": "a", "start": 0, "end": 1}, "null"),
        ({"id": "a", "document": IDS[0], "start": "0", "end": 1}, "xpected"),
        ({"id": "a", "document": IDS[0], "start": 0.5, "end": 1}, "xpected"),
        ({"id": "a", "document": IDS[0], "start": True, "end": 1}, "xpected"),
        ({"document": IDS[0], "start": 0, "end": 1}, "missing required field `id`"),
    ],
)
def test_rows_are_typed(tmp_path: Path, row: dict[str, Any], what: str) -> None:
    assert what in refusal(tmp_path, row).what


def test_files_that_are_none(tmp_path: Path) -> None:
    for name, content, what in (
        ("a.xlsx", b"x", "'.xlsx'"),
        ("a.parquet", b"PAR1 no", "not Parquet"),
        ("a.csv", b'id,document\n"x', "not CSV"),
        ("b.csv", b"id,id\n1,2\n", "two columns are named 'id'"),
        ("c.csv", b"id,document,start,end\n1,2\n", "2 values, and there are 4 columns"),
        ("d.csv", f"id,document,start,end\n1,{IDS[0]},x,3\n".encode(), "xpected"),
        ("a.jsonl", b"", "there is no chunk"),
        ("b.jsonl", b"[1]\n", "xpected"),
        ("c.jsonl", "あ".encode("cp932"), "not UTF-8"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError) as caught:
            read_chunks(tmp_path / name, corpus())
        assert what in caught.value.what, name
    with pytest.raises(InputError, match="no such file"):
        read_chunks(tmp_path / "none.jsonl", corpus())


def test_a_chunk_in_csv_may_be_as_long_as_a_document(tmp_path: Path) -> None:
    text = "吾輩は猫である。か\u3099\r\n" * 20_000
    path = written(
        tmp_path / "chunks.csv", [{"id": "w", "document": IDS[0], "start": 0, "end": len(text), "text": text}]
    )
    before = csv.field_size_limit()
    assert read_chunks(path, corpus_of([text])).chunking.lengths.tolist() == [len(text)]
    assert csv.field_size_limit() == before
