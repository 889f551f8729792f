"""`kugiri list`: what a sweep can use."""

from __future__ import annotations

import dataclasses
import json

import pytest
from corpus_command import Kugiri
from rich.cells import cell_len

from kugiri.catalog import CATALOG, known_class
from kugiri.labels import parse
from kugiri.metrics.grammar import FORMS, check_metric

KINDS = ("chunkers", "retrievers", "metrics", "embedders", "formats")


@pytest.mark.parametrize("kind", ["chunkers", "formats"])
def test_every_component_is_listed_with_its_parameters(kugiri: Kugiri, kind: str) -> None:
    told = json.loads(kugiri("list", kind, "--json").out)[kind]
    assert [row["label"].partition("(")[0] for row in told] == list(CATALOG[kind])
    for row in told:
        fields = dataclasses.fields(known_class(kind, row["label"].partition("(")[0], "test"))
        assert all(field.name in row["label"] for field in fields if field.init)
        assert row["meaning"].endswith(".")


def test_every_metric_is_listed_in_a_form_that_a_sweep_file_takes(kugiri: Kugiri) -> None:
    told = json.loads(kugiri("list", "metrics", "--json").out)["metrics"]
    assert len(told) == len(FORMS)
    for row in told:
        assert row["meaning"].endswith(".")
        for form in row["label"].split(", "):
            check_metric(parse(form.replace("@k", "@5").replace("=B", "=1000")), "test")


def test_retrievers_are_listed(kugiri: Kugiri) -> None:
    assert "bm25(" in kugiri("list", "retrievers").out
    named = [row["label"].split("(")[0] for row in json.loads(kugiri("list", "retrievers", "--json").out)["retrievers"]]
    assert named == ["bm25", "tfidf", "rrf", "oracle", "random"]


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("kind", KINDS)
def test_no_line_is_wider_than_the_terminal_and_none_is_cut(
    kugiri: Kugiri, monkeypatch: pytest.MonkeyPatch, kind: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = kugiri("list", kind)
    assert (done.code, done.err) == (0, "")
    assert "\x1b" not in done.out
    for line in done.out.split("\n"):
        assert cell_len(line) <= columns, line
    # Every word of every row is on the screen, however it was wrapped.
    words = {word for row in json.loads(kugiri("list", kind, "--json").out)[kind] for word in row["meaning"].split()}
    assert words <= set(done.out.split()) or columns == 40
