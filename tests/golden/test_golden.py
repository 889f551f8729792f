"""No output of a component changes under the same version."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil

import pytest
from regenerate import COMPONENTS, FOLDER, SUMS, complaint, made, sums, text_of

from kugiri import catalog

NAMES = sorted(COMPONENTS)


@pytest.mark.parametrize("name", NAMES)
def test_the_output_is_the_one_of_its_version(name: str) -> None:
    written = json.loads((FOLDER / f"{name}.json").read_bytes())
    message = complaint(written, made(name))
    assert message is None, message


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_written_as_the_script_writes_it(name: str) -> None:
    raw = (FOLDER / f"{name}.json").read_bytes()
    assert raw == text_of(json.loads(raw))
    assert {"component", "version", "cases"} == set(json.loads(raw))
    assert len(json.loads(raw)["cases"]) > 0


def test_every_component_has_a_golden_file() -> None:
    known = {name for names in catalog.CATALOG.values() for name in names}
    for found in pkgutil.iter_modules(importlib.import_module("kugiri.segmenters").__path__, "kugiri.segmenters."):
        for _, member in inspect.getmembers(importlib.import_module(found.name), inspect.isclass):
            if member.__module__ == found.name and isinstance(getattr(member, "name", None), str):
                known.add(member.name)
    assert known <= set(COMPONENTS)
    assert {path.stem for path in FOLDER.glob("*.json")} == set(COMPONENTS)
    for name, (component, _) in COMPONENTS.items():
        assert component.name == name


def test_a_changed_output_is_seen_and_so_is_a_changed_version() -> None:
    golden = made("fixed")
    assert complaint(golden, golden) is None
    other = {**golden, "cases": golden["cases"][1:]}
    assert "raise `version`" in str(complaint(golden, other))
    assert "regenerate" in str(complaint(golden, {**other, "version": 2}))
    assert complaint(golden, {**golden, "version": 2}) is not None


def test_fixture_files_are_the_bytes_that_were_recorded() -> None:  # D37
    assert SUMS.read_bytes() == sums()
    listed = {line.split("  ")[1] for line in SUMS.read_text(encoding="ascii").splitlines()}
    assert listed == {path.name for path in FOLDER.glob("*.json")}
    for path in FOLDER.glob("*.json"):
        assert b"\r" not in path.read_bytes(), path.name


def test_git_changes_no_line_end_of_a_fixture_or_a_corpus(pytestconfig: pytest.Config) -> None:  # D37
    lines = (pytestconfig.rootpath / ".gitattributes").read_text(encoding="utf-8").splitlines()
    for folder in ("tests/golden", "corpora", "reports"):
        assert f"{folder}/** -text" in lines


def test_golden_inputs_hold_what_breaks_tools_like_this_one() -> None:
    for name in ("fixed", "paragraph", "graphemes", "paragraphs"):
        text = "".join(case["text"] for case in made(name)["cases"])
        for hard in ("は", "👩\u200d🍳", "か\u3099", "\u3000", "\r\n"):
            assert hard in text
