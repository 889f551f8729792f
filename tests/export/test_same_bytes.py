"""Equal values, equal bytes: whatever the process, the locale, the zone, and how the table was put together."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kugiri.export.manifest import sha256
from kugiri.export.parquet import write_json, write_table

SCRIPT = """
import sys
from pathlib import Path
import pyarrow as pa
from kugiri.export.manifest import sha256
from kugiri.export.parquet import write_json, write_table
from kugiri.export.schemas import schema

rows = [
    {"question_id": str(i), "question": f"質問{i % 7}👩\\u200d🍳", "tags": [f"札{i}"] * (i % 3), "start": i or None}
    for i in range(5000)
]
write_table(Path("q.parquet"), pa.Table.from_pylist(rows, schema=schema("questions")))
values = [{"configuration": "a", "value": i / 7 if i % 5 else None, "defined": bool(i % 5)} for i in range(5000)]
write_table(Path("o.parquet"), pa.Table.from_pylist(values, schema=schema("outcomes")))
write_json(Path("s.json"), {"題": "区切り", "names": sorted({"い", "ろ", "は"}), "x": 0.1, "a": None})
print(*(sha256(Path(name)) for name in ("q.parquet", "o.parquet", "s.json")))
"""


def test_in_two_processes(tmp_path: Path) -> None:
    environments = (
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C", "OMP_NUM_THREADS": "1", "ARROW_IO_THREADS": "1"},
    )
    with ExitStack() as stack:
        running = []
        for number, environment in enumerate(environments):
            here = tmp_path / f"場所{number}"
            here.mkdir()
            process = subprocess.Popen(
                [sys.executable, "-c", SCRIPT],
                cwd=here,
                env={**os.environ, **environment},
                stdout=subprocess.PIPE,
                encoding="ascii",
            )
            running.append(stack.enter_context(process))
        said = [process.communicate()[0].split() for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert said[0] == said[1]
    assert len(set(said[0])) == 3


def test_however_the_table_was_put_together(tmp_path: Path) -> None:
    fields = [pa.field("a", pa.string()), pa.field("b", pa.float64()), pa.field("c", pa.list_(pa.string()))]
    shape = pa.schema(fields, metadata={"kugiri.table": "x"})
    rows = [{"a": f"値{i % 11}", "b": i / 3 if i % 4 else None, "c": [str(i)] * (i % 3)} for i in range(3000)]
    whole = pa.Table.from_pylist(rows, schema=shape)
    pieces = pa.concat_tables([pa.Table.from_pylist(rows[at : at + 700], schema=shape) for at in range(0, 3000, 700)])
    sliced = pa.Table.from_pylist([*rows[:5], *rows], schema=shape).slice(5)
    digests = set()
    for number, table in enumerate((whole, pieces, sliced)):
        write_table(tmp_path / f"{number}.parquet", table)
        digests.add(sha256(tmp_path / f"{number}.parquet"))
        read = pq.read_table(tmp_path / f"{number}.parquet")
        assert read.equals(whole)
        assert (read.schema.equals(shape), read.schema.metadata) == (True, shape.metadata)
    assert len(digests) == 1


def test_json_is_plain(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", {"b": "区切り", "a": [1, 0.5, None]})
    assert (tmp_path / "x.json").read_bytes() == (
        '{\n  "b": "区切り",\n  "a": [\n    1,\n    0.5,\n    null\n  ]\n}\n'.encode()
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_json_has_no_nan(tmp_path: Path, value: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(tmp_path / "x.json", {"a": value})
    assert not (tmp_path / "x.json").exists()
