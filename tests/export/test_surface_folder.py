"""The results folder of a surface: schema, facts, the same bytes, read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kugiri.errors import InputError
from kugiri.export.manifest import read_manifest
from kugiri.export.results import read_results
from kugiri.export.schemas import schema
from kugiri.export.surface_tables import surface_facts, surface_table
from kugiri.publish import publishing_surface, report_again
from kugiri.sweeps.surface import SurfacePlan, SurfaceResults, run_surface
from worlds import HOSTILE, corpus_of, questions_of


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kugiri.report.surface_write.surface_figures", lambda content: {})
    monkeypatch.setattr("kugiri.report.write.japanese_font", lambda: True)
    monkeypatch.setattr("kugiri.report.write.used_fonts", lambda: ())


def results_of(plan: SurfacePlan) -> SurfaceResults:
    corpus = corpus_of([HOSTILE, HOSTILE * 3])
    questions = questions_of(corpus, [[[(0, 1, 4)]], [[(1, 5, 14)], [(0, 9, 12)]], []])
    return run_surface(plan, corpus, questions, ("d" * 64, "q" * 64))


PLAN = SurfacePlan("題", (4, 9, 20), (0.0, 0.29))


def publish(out: Path, plan: SurfacePlan = PLAN) -> None:
    with publishing_surface(out) as write:
        write(results_of(plan), True, "ja")


def test_every_column_says_what_it_means() -> None:
    made = surface_table(results_of(PLAN))
    assert made.schema.equals(schema("surface"), check_metadata=True)
    assert made.schema.names == [
        *("size", "overlap", "share", "chunks", "indexed", "lost", "expected", "sd", "least", "most", "front"),
    ]
    for field in made.schema:
        meaning = field.metadata[b"description"].decode()
        assert meaning.endswith(".") and "\n" not in meaning
    assert {str(field.type) for field in made.schema} == {"int64", "double", "bool"}
    assert made["share"].to_pylist() == [0.0, 0.29] * 3
    assert made["overlap"].to_pylist() == [0, 1, 0, 2, 0, 5]


def test_missing_is_null_and_never_zero() -> None:
    units = surface_table(results_of(SurfacePlan("題", (4,), (0, 2), expected=False)))
    for name in ("share", "expected", "sd", "least", "most", "front"):
        assert units[name].null_count == 2
    assert units["lost"].null_count == 0


def test_the_facts_are_json_and_say_what_was_asked() -> None:
    facts = surface_facts(results_of(SurfacePlan("題", (4, 9), (0, 6), "grapheme")))
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["questions"] == {"answerable": 2, "unanswerable": 1, "sample": None, "split": None, "merged_spans": 0}
    assert (facts["unit"], facts["tokenizer"], facts["target"], facts["expected"]) == ("grapheme", None, 0.01, True)
    assert facts["components"] == {"grapheme()": 1} or list(facts["components"].values()) == [1]
    assert {"code": "pairs_left_out", "pairs": 1} in facts["warnings"]
    assert [row["size"] for row in facts["overlaps_enough"]] == [4, 9]
    assert {"size", "overlap", "units", "chunks", "indexed"} == set(facts["sizes_enough"][0])


def test_the_same_bytes_twice_and_a_manifest_of_them(out: Path, tmp_path: Path, drawn_once: dict[Any, Any]) -> None:
    publish(out)
    drawn_once.clear()
    publish(tmp_path / "again")
    manifest, again = read_manifest(out), read_manifest(tmp_path / "again")
    assert manifest.kind == "surface"
    assert manifest.files == again.files
    assert set(manifest.files) == {"report.html", "report.md", "tables/surface.json", "tables/surface.parquet"}


def test_it_is_read_verified_and_drawn_again(out: Path) -> None:
    publish(out)
    read = read_results(out)
    assert read.names == ("surface",)
    assert read.sweep["title"] == "題"
    assert read.table("surface").equals(pq.read_table(out / "tables/surface.parquet"))
    before = (out / "report.md").read_bytes()
    report_again(out, "en")
    assert "The answer" in (out / "report.md").read_text(encoding="utf-8")
    report_again(out, "ja")
    assert (out / "report.md").read_bytes() == before
    assert read_manifest(out).redrawn is not None


def test_a_changed_table_is_refused(out: Path) -> None:
    publish(out)
    pq.write_table(pa.table({"size": [1]}), out / "tables" / "surface.parquet")
    with pytest.raises(InputError, match="SHA-256 differs"):
        read_results(out)


def test_an_old_surface_is_replaced_and_a_foreign_file_is_not(out: Path) -> None:
    publish(out)
    publish(out, SurfacePlan("題", (5,), (0,)))
    assert pq.read_table(out / "tables/surface.parquet").num_rows == 1
    (out / "私の.txt").write_bytes(b"")
    with pytest.raises(InputError, match="did not write"):
        publish(out)
    assert (out / "私の.txt").exists()
