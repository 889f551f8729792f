"""`kugiri audit`: the table, the rows, and the exit status."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hostile_sweep import TEXTS, write_corpus

from kugiri import catalog
from kugiri.cli.audit import audit as run_command
from kugiri.formats.placement import STATUSES
from retrieved_results import command

kugiri = command(run_command)
NAME = max(TEXTS, key=lambda name: len(TEXTS[name]))
TEXT = TEXTS[NAME]
PIECES = [TEXT[at : at + 7] for at in range(0, len(TEXT), 7)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("audited") / "corpora" / "hostile")


def rows_of(pieces: list[str], **more: Any) -> list[dict[str, Any]]:
    return [{"document": NAME, "text": piece, **more} for piece in pieces]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    return path


def told(out: str) -> dict[str, Any]:
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def test_chunks_that_are_all_there(tmp_path: Path, folder: Path) -> None:
    path = lines(tmp_path / "断片.jsonl", rows_of(PIECES))
    done = kugiri(folder, path)
    # The other documents of the corpus have no chunk.
    assert done.code == 0
    assert done.err.startswith("warning: ")
    assert "of the characters are in no chunk" in done.err
    heads, *rows = [line.split() for line in done.out.splitlines()]
    assert heads == ["chunks", "share"]
    assert [row[0] for row in rows[:6]] == [*STATUSES, "all"]
    assert rows[0] == ["exact", str(len(PIECES)), "100", "%"]
    assert rows[4] == ["missing", "0", "0", "%"]
    assert rows[5] == ["all", str(len(PIECES))]
    assert rows[6][:1] + rows[6][-3:] == ["coverage", "advance", "100", "%"]
    assert "stated" not in done.out


def test_chunks_that_leave_little_out_are_not_warned_of(tmp_path: Path, folder: Path) -> None:
    path = lines(tmp_path / "all.jsonl", [{"document": name, "text": text} for name, text in TEXTS.items() if text])
    done = kugiri(folder, path)
    assert (done.code, done.err) == (0, "")


def test_json_has_every_figure(tmp_path: Path, folder: Path) -> None:
    stated = [
        {"document": NAME, "text": piece, "start": max(0, 7 * number - 1) if number % 2 else 7 * number}
        for number, piece in enumerate(PIECES)
    ]
    done = kugiri(folder, lines(tmp_path / "chunks.jsonl", stated), "--json")
    assert done.code == 0
    found = told(done.out)
    assert found["total"] == len(PIECES)
    assert found["exact"] == (len(PIECES) + 1) // 2
    assert found["drifted"] + found["ambiguous"] == len(PIECES) // 2
    assert found["share_exact"] == found["exact"] / found["total"]
    assert found["advance"] == 1
    solid = sum(not character.isspace() for text in TEXTS.values() for character in text)
    assert found["coverage"] == sum(not character.isspace() for character in TEXT) / solid
    assert found["stated_coverage"] < found["coverage"]


def test_a_chunk_without_a_place_ends_with_2_after_the_table(tmp_path: Path, folder: Path) -> None:
    path = lines(tmp_path / "chunks.jsonl", rows_of([PIECES[0], "\x1b[31m無い", f"{PIECES[1][:2]}\ufffd"], id="あ"))
    to = tmp_path / "new" / "audit.parquet"
    done = kugiri(folder, path, "--to", to)
    assert done.code == 2
    what, where, remedy = done.err.splitlines()
    assert what == "error: 2 of 3 chunks cannot be placed: 1 damaged, 1 missing"
    assert where.startswith(f"where: {path}, document {NAME!r}, chunk 2 ('あ'): '")
    assert "\x1b" not in done.out + done.err
    assert "no slice of the document" in remedy
    assert "replacement character: 1" in done.out
    table = pq.read_table(to)
    assert table.column("status").to_pylist() == ["exact", "missing", "damaged"]
    assert table.column("detail").to_pylist() == [None, None, "replacement character"]
    assert table.column("start").to_pylist() == [0, None, None]
    assert table.column("chunk_id").to_pylist() == ["あ"] * 3
    assert "missing" in done.out


def test_rows_have_a_schema_and_no_text(tmp_path: Path, folder: Path) -> None:
    rows = [{"document": NAME, "text": TEXT[2:9], "start": 10**30}, {"document": NAME, "text": TEXT[5:12], "start": 5}]
    to = tmp_path / "audit.parquet"
    assert kugiri(folder, lines(tmp_path / "chunks.jsonl", rows), "--to", to).code == 0
    table = pq.read_table(to)
    assert all(field.metadata[b"description"] for field in table.schema)
    assert table.schema.metadata[b"kugiri.offset_unit"] == b"codepoint"
    first, second = table.to_pylist()
    assert first | {"status": "drifted"} == {
        "document_id": NAME,
        "number": 1,
        "chunk_id": None,
        "status": "drifted",
        "detail": None,
        "start": 2,
        "end": 9,
        "stated_start": 2**63 - 1,
        "stated_end": None,
        "characters": 7,
        "overlap": 0,
    }
    assert (second["status"], second["overlap"]) == ("exact", 4)
    again = tmp_path / "again.parquet"
    kugiri(folder, lines(tmp_path / "chunks.jsonl", rows), "--to", again)
    assert again.read_bytes() == to.read_bytes()


def test_csv_and_parquet_are_read_too(tmp_path: Path, folder: Path) -> None:
    import pyarrow as pa

    rows = rows_of(PIECES)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "chunks.parquet")
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, ["document", "text"])
    writer.writeheader()
    writer.writerows(rows)
    (tmp_path / "chunks.csv").write_bytes(stream.getvalue().encode("utf-8-sig"))
    for name in ("chunks.parquet", "chunks.csv"):
        assert told(kugiri(folder, tmp_path / name, "--json").out)["exact"] == len(PIECES)


def test_a_label_is_cut_and_audited(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.CATALOG["chunkers"], "external", "kugiri.chunkers.external:External")  # type: ignore[arg-type]
    path = lines(tmp_path / "chunks.jsonl", rows_of(PIECES))
    label = f"external(file={json.dumps(str(path))})"
    assert told(kugiri(folder, label, "--json").out)["exact"] == len(PIECES)
    assert "nothing to prove" in kugiri(folder, "fixed(size=7)").err
    assert "did you mean 'external'" in kugiri(folder, "extrenal(file=3)").err


def test_another_unit_is_named_and_not_switched_to(tmp_path: Path, folder: Path) -> None:
    at = next(at for at, character in enumerate(TEXT) if ord(character) > 0xFFFF)
    text = TEXT[at + 1 :]
    units = len(TEXT[: at + 1].encode("utf-16-le")) // 2
    path = lines(tmp_path / "chunks.jsonl", [{"document": NAME, "text": text, "start": units}])
    done = kugiri(folder, path)
    assert "1 of the wrong offsets are right as utf16: try --offset-unit utf16" in done.err
    assert done.code == 0
    assert told(kugiri(folder, path, "--offset-unit", "utf16", "--json").out)["exact"] == 1


def test_ambiguous_chunks_can_be_refused(tmp_path: Path, folder: Path) -> None:
    repeated = next(piece for piece in TEXT if TEXT.count(piece) > 1 and not piece.isspace())
    path = lines(tmp_path / "chunks.jsonl", rows_of([repeated]))
    assert told(kugiri(folder, path, "--json").out)["ambiguous"] == 1
    done = kugiri(folder, path, "--ambiguous", "refuse", "--json")
    assert done.code == 2
    assert told(done.out)["unplaced"] == 1
    assert "1 of 1 chunk cannot be placed: 1 ambiguous" in done.err


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["x.jsonl", "--ambiguous", "guess"], "'guess'"),
        (["x.jsonl", "--offset-unit", "bytes"], "'bytes' is no unit"),
        (["x.jsonl", "--to", "a.csv"], "'a.csv' is no Parquet file"),
        (["x.jsonl"], "no such file"),
        (["x.xlsx"], "'.xlsx'"),
        (["external(file="], "not a label"),
    ],
)
def test_what_is_refused(folder: Path, arguments: list[str], what: str) -> None:
    done = kugiri(folder, *arguments)
    assert done.code == 2
    assert what in done.err
    assert len(done.err.splitlines()) == 3
