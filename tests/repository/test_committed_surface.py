"""reports/surface as it is committed: the values of a fresh run, without the figures."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from clone import ROOT
from test_committed_reports import same

from kugiri.export.surface_tables import surface_facts, surface_table
from kugiri.formats.corpus_folder import load_corpus
from kugiri.publish import fresh_surface
from kugiri.report.surface import surface_content
from kugiri.report.surface_figures import FIGURES
from kugiri.report.surface_write import render_surface_markdown
from kugiri.sweeps.surface import SurfaceResults, run_surface
from kugiri.sweeps.surface_file import read_surface

COMMITTED = ROOT / "reports" / "surface"


@pytest.fixture(scope="module")
def fresh() -> SurfaceResults:
    asked = read_surface(ROOT / "sweeps" / "surface.toml")
    loaded = load_corpus(asked.corpus)
    digests = (loaded.documents_sha256, loaded.questions_sha256)
    return run_surface(asked.plan, loaded.corpus, loaded.questions, digests)


def test_the_table_has_the_values_of_a_fresh_run(fresh: SurfaceResults) -> None:
    ours, again = pq.read_table(COMMITTED / "tables" / "surface.parquet"), surface_table(fresh)
    assert ours.schema.equals(again.schema, check_metadata=True)
    assert ours.num_rows == 196 * 51
    assert same(ours.to_pylist(), again.to_pylist())


def test_the_facts_and_the_report_are_those_of_a_fresh_run(fresh: SurfaceResults) -> None:
    assert same(json.loads((COMMITTED / "tables" / "surface.json").read_text("utf-8")), surface_facts(fresh))
    drawn = {f"{name}.ja": "" for name in FIGURES}
    again = render_surface_markdown(surface_content(fresh_surface(fresh)), "ja", drawn)
    assert (COMMITTED / "report.md").read_text(encoding="utf-8") == again


def test_the_manifest_fits_the_committed_files() -> None:
    manifest = json.loads((COMMITTED / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["kind"] == "surface"
    for name, digest in manifest["files"].items():
        path = Path(COMMITTED / name)
        if path.exists() or not name.endswith(".png"):
            assert hashlib.sha256(path.read_bytes()).hexdigest() == digest, name
