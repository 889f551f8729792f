"""reports/evidence-unit: the page says what the tables beside it hold."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pyarrow.parquet as pq
import pytest
from clone import ROOT

FOLDER = ROOT / "reports" / "evidence-unit"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("evidence_unit", ROOT / "benchmarks" / "evidence_unit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_of_the_tables(script: ModuleType) -> None:
    assert script.page(FOLDER).splitlines() == (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["handbook", "jsquad", "jaquad"])
def test_no_text_of_a_corpus_is_committed(name: str) -> None:
    questions = pq.read_table(FOLDER / name / "tables" / "questions.parquet")
    assert set(questions["question"].to_pylist()) == set(questions["passage"].to_pylist()) == {None}


def test_what_the_answer_says_in_words_holds(script: ModuleType) -> None:
    """Chunks of 100 to 400 characters have more false alarms than those of 800, whatever the overlap."""
    for name in script.CORPORA:
        table = pq.read_table(FOLDER / name / "tables" / "evidence_units.parquet").to_pylist()
        rows = {(row["configuration"], row["unit"]): row for row in table}
        assert all(row["missed"] == 0 for row in table)
        for unit in ("sentence", "paragraph"):
            for overlap in ("", ", overlap=0.1", ", overlap=0.2", ", overlap=0.5"):
                alarms = [rows[f"fixed(size={size}{overlap})", unit]["false_alarms"] for size in (100, 200, 400, 800)]
                assert min(alarms[:3]) > alarms[3]
        chosen = {row["unit"]: row["chunks"] for row in table if row["chosen"]}
        assert chosen["span"] <= chosen["sentence"] <= chosen["paragraph"]


def test_the_figures_are_those_of_the_raw_corpora() -> None:
    """The losses with exact spans that `tests/real` counts by loops over the raw files."""
    rows = pq.read_table(FOLDER / "jsquad" / "tables" / "evidence_units.parquet").to_pylist()
    lost = {row["configuration"]: row["lost"] for row in rows if row["unit"] == "span"}
    assert [lost[f"fixed(size={size})"] for size in (100, 200, 400, 800)] == [185, 84, 42, 13]
    assert Path(FOLDER / "jsquad" / "report.md").is_file()
