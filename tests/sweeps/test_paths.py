from __future__ import annotations

from pathlib import Path

import pytest

from kugiri.labels import parse
from kugiri.sweeps.paths import relocated


@pytest.mark.parametrize(
    ("entry", "seen"),
    [
        ({"file": "chunks.jsonl"}, {"file": "sweeps/chunks.jsonl"}),
        ({"file": "../か\u3099🍣.csv", "size": 3}, {"file": "か\u3099🍣.csv", "size": 3}),
        ({"tokenizer": "cl100k"}, {"tokenizer": "cl100k"}),
        ({"tokenizer": "models/tokenizer.json"}, {"tokenizer": "sweeps/models/tokenizer.json"}),
        ({"grid": {"file": ["a.csv", "/b.csv"]}}, {"grid": {"file": ["sweeps/a.csv", "/b.csv"]}}),
        ({"model": 'static(path="m")'}, {"model": 'static(path="sweeps/m")'}),
        (
            {"parent": "paragraph()", "child": 'external(file="c.csv")'},
            {"parent": "paragraph()", "child": 'external(file="sweeps/c.csv")'},
        ),
        ({"of": ["bm25()", "tfidf()"]}, {"of": ["bm25()", "tfidf()"]}),
        ({"model": "no label ("}, {"model": "no label ("}),
    ],
)
def test_paths_are_relative_to_the_file(entry: dict[str, object], seen: dict[str, object]) -> None:
    assert relocated(entry, Path("sweeps")) == seen


def test_nested_labels_stay_labels() -> None:
    found = relocated({"model": "hashed(dimensions=64, ngrams=[2, 3])"}, Path("x"))["model"]
    assert parse(found) == parse("hashed(dimensions=64, ngrams=[2, 3])")
