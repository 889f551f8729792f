"""The contract of every table: names, types, one sentence a column (cases B17, N109, N110)."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kugiri.export.parquet import write_table
from kugiri.export.schemas import TABLES, schema

METRICS = ("Recall@5", "Recall(budget=2000)")
IDS = {"configuration", "chunker", "retriever", "identical_to", "metric", "a", "b", "stage"}


@pytest.mark.parametrize("table", TABLES)
def test_every_column_says_what_it_means_in_one_sentence(table: str) -> None:
    for field in schema(table, METRICS):
        meaning = field.metadata[b"description"].decode("utf-8")
        assert meaning.endswith("."), field.name
        assert meaning == meaning.strip()
        assert "\n" not in meaning


@pytest.mark.parametrize("table", TABLES)
def test_ids_and_labels_are_strings(table: str) -> None:
    ids = [field for field in schema(table, METRICS) if field.name.endswith("_id") or field.name in IDS]
    assert ids
    assert {field.type for field in ids} == {pa.string()}


@pytest.mark.parametrize("table", TABLES)
def test_names_are_distinct(table: str) -> None:
    names = schema(table, METRICS).names
    assert len(names) == len(set(names))


def test_ids_stay_as_written() -> None:
    """N109: ids `1` and `A-2` are strings, and the number 1 is no id."""
    rows = [{"chunker": "paragraph()", "document_id": name, "start": 0, "end": 1} for name in ("1", "A-2")]
    assert pa.Table.from_pylist(rows, schema=schema("chunks"))["document_id"].to_pylist() == ["1", "A-2"]
    with pytest.raises((TypeError, pa.ArrowInvalid)):
        pa.Table.from_pylist([{**rows[0], "document_id": 1}], schema=schema("chunks"))


@pytest.mark.parametrize("table", TABLES)
def test_an_empty_table_keeps_its_whole_schema(table: str, tmp_path: Path) -> None:
    """N110, and B17: the unit of offsets is named in the file itself."""
    whole = schema(table, METRICS)
    write_table(tmp_path / "x.parquet", whole.empty_table())
    read = pq.read_table(tmp_path / "x.parquet")
    assert read.num_rows == 0
    # Field by field: Parquet calls the child of a list `element`, Arrow `item`, and only `check_metadata` minds.
    assert read.schema.equals(whole)
    assert [field.metadata for field in read.schema] == [field.metadata for field in whole]
    assert read.schema.metadata[b"kugiri.offset_unit"] == b"codepoint"
    assert read.schema.metadata[b"kugiri.table"] == table.encode()


def test_lists_come_back_as_lists(tmp_path: Path) -> None:
    """N110: read with pyarrow, a list is a list."""
    rows = [{"question_id": "1", "tags": ["a", "b"]}, {"question_id": "2", "tags": []}, {"question_id": "3"}]
    write_table(tmp_path / "x.parquet", pa.Table.from_pylist(rows, schema=schema("questions")))
    assert pq.read_table(tmp_path / "x.parquet")["tags"].to_pylist() == [["a", "b"], [], None]


def test_metrics_are_columns_of_configurations_in_their_order() -> None:
    names = schema("configurations", METRICS).names
    at = names.index("Recall@5")
    assert names[at : at + 3] == ["Recall@5", "Recall(budget=2000)", "rank_1"]
    assert schema("configurations").names == [name for name in names if name not in METRICS]
