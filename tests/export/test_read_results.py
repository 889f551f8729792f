from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from kugiri.errors import InputError
from kugiri.export.folder import replacing
from kugiri.export.manifest import read_manifest, rewrite_manifest, write_manifest
from kugiri.export.parquet import write_json, write_table
from kugiri.export.results import read_results, redrawing
from kugiri.export.schemas import TABLES, schema

ROWS = [{"chunker": "paragraph()", "document_id": "甲", "start": 0, "end": 3}]


def write_results(out: Path, title: str = "八つの区切り方") -> None:
    with replacing(out) as new:
        (new / "tables").mkdir()
        (new / "report.md").write_bytes(b"# report\n")
        for name in TABLES:
            rows = ROWS if name == "chunks" else []
            write_table(new / "tables" / f"{name}.parquet", pa.Table.from_pylist(rows, schema=schema(name)))
        write_json(new / "tables" / "sweep.json", {"title": title})
        write_manifest(new, "sweep", 1, [], [])


@pytest.fixture
def results(out: Path) -> Path:
    write_results(out)
    return out


def digests(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "tables").iterdir())}


def test_reads_what_was_written(results: Path) -> None:
    read = read_results(results)
    assert read.folder == results
    assert read.sweep == {"title": "八つの区切り方"}
    assert sorted(read.names) == sorted(TABLES)
    assert read.table("chunks").to_pylist() == ROWS
    for name in TABLES:
        assert read.table(name).schema.equals(schema(name))
        assert read.table(name).schema.metadata == schema(name).metadata


def test_report_files_may_be_missing_or_changed(results: Path) -> None:
    (results / "report.md").write_bytes(b"changed")
    (results / "notes.txt").write_bytes(b"mine")
    read_results(results)
    (results / "report.md").unlink()
    (results / "tables" / ".DS_Store").write_bytes(b"")
    read_results(results)


def missing(folder: Path) -> str:
    (folder / "tables/lost.parquet").unlink()
    return "tables/lost.parquet is missing"


def all_missing(folder: Path) -> str:
    shutil.rmtree(folder / "tables")
    return "is missing"


def changed(folder: Path) -> str:
    data = (folder / "tables/lost.parquet").read_bytes()
    (folder / "tables/lost.parquet").write_bytes(data[:-1] + b"?")
    return "tables/lost.parquet is not the file"


def truncated(folder: Path) -> str:
    (folder / "tables/sweep.json").write_bytes(b"")
    return "tables/sweep.json is not the file"


def a_folder(folder: Path) -> str:
    (folder / "tables/lost.parquet").unlink()
    (folder / "tables/lost.parquet").mkdir()
    return "tables/lost.parquet cannot be read"


def unlisted(folder: Path) -> str:
    (folder / "tables/runs.parquet").write_bytes(b"")
    return "did not write: tables/runs.parquet"


def no_sweep(folder: Path) -> str:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    del manifest["files"]["tables/sweep.json"]
    (folder / "tables/sweep.json").unlink()
    (folder / "manifest.json").write_bytes(json.dumps(manifest).encode())
    return "tables/sweep.json is not in the manifest"


def no_manifest(folder: Path) -> str:
    (folder / "manifest.json").unlink()
    return "no manifest.json"


def damaged_manifest(folder: Path) -> str:
    (folder / "manifest.json").write_bytes(b'{"kugiri"')
    return "the manifest is damaged"


@pytest.mark.parametrize(
    "damage",
    [missing, all_missing, changed, truncated, a_folder, unlisted, no_sweep, no_manifest, damaged_manifest],
)
def test_damage_is_refused(results: Path, damage: Callable[[Path], str]) -> None:
    word = damage(results)
    with pytest.raises(InputError, match=word) as caught:
        read_results(results)
    assert str(results) in caught.value.where
    assert "run the sweep" in caught.value.remedy
    with pytest.raises(InputError, match=word), redrawing(results):
        pytest.fail("the block ran")
    assert [path.name for path in results.parent.iterdir()] == ["eight"]


def test_a_table_that_is_not_there(results: Path) -> None:
    with pytest.raises(InputError, match="no table 'runs', only"):
        read_results(results).table("runs")


def test_a_table_that_changed_since(results: Path, tmp_path: Path) -> None:
    read = read_results(results)
    changed(results)
    with pytest.raises(InputError, match="changed while it was read"):
        read.table("lost")
    with pytest.raises(InputError, match="changed while it was read"):
        read.copy_tables(tmp_path / "copy")
    missing(results)
    with pytest.raises(InputError, match="cannot be read any more"):
        read.table("lost")


def test_results_that_a_kill_left_aside_are_read(results: Path) -> None:
    results.rename(results.with_name("eight.previous"))
    assert read_results(results).sweep["title"] == "八つの区切り方"


def test_nothing_there_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_results(tmp_path / "a/b")
    with pytest.raises(InputError, match="does not exist"), redrawing(tmp_path / "a/b"):
        pytest.fail("the block ran")
    assert list(tmp_path.iterdir()) == []


def test_the_report_is_drawn_again_beside_the_same_tables(results: Path) -> None:
    before, manifest = digests(results), read_manifest(results)
    with redrawing(results) as (read, new):
        assert read.sweep["title"] == "八つの区切り方"
        assert digests(new) == before
        (new / "report.md").write_bytes(b"# again\n")
        rewrite_manifest(new, read.manifest, 1, [], [])
    assert digests(results) == before
    assert (results / "report.md").read_bytes() == b"# again\n"
    after = read_results(results).manifest
    assert after.made == manifest.made
    assert {name: digest for name, digest in after.files.items() if name.startswith("tables/")} == {
        name: digest for name, digest in manifest.files.items() if name.startswith("tables/")
    }
    assert [path.name for path in results.parent.iterdir()] == ["eight"]


def test_no_sweep_can_end_while_the_report_is_drawn_again(results: Path) -> None:
    with redrawing(results) as (read, new):
        with pytest.raises(InputError, match="another kugiri"):
            write_results(results, "newer")
        rewrite_manifest(new, read.manifest, 1, [], [])
    write_results(results, "newer")
    assert read_results(results).sweep == {"title": "newer"}
