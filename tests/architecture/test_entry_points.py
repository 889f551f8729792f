"""Components of other packages are found by their entry points (DESIGN §4)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kugiri import catalog
from kugiri.errors import InputError
from worlds import HOSTILE, corpus_of

SOURCE = '''
import dataclasses
from typing import ClassVar
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking


@dataclasses.dataclass(frozen=True)
class Halves:
    """Every document in two."""

    name: ClassVar[str] = "halves"
    version: ClassVar[int] = 1
    after: int = 1

    def __str__(self):
        return component_label(self)

    def chunk(self, corpus):
        start, end = corpus.document_start[:-1], corpus.document_start[1:]
        middle = start + (end - start) // 2
        edges = sorted({*start.tolist(), *middle.tolist(), *end.tolist()})
        return Chunking(corpus, edges[:-1], edges[1:])
'''


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "acme_chunkers.py").write_text(SOURCE, encoding="utf-8")
    info = tmp_path / "acme_chunkers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-chunkers\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[kugiri.chunkers]\nhalves = acme_chunkers:Halves\nfixed = acme_chunkers:Halves\n"
        "gone = acme_gone:Halves\nrenamed = acme_chunkers:Thirds\nbroken = acme_broken:Halves\n"
        "plain = acme_chunkers:component_label\n",
        encoding="utf-8",
    )
    (tmp_path / "acme_broken.py").write_text("class Halves(:\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("acme")
def test_a_chunker_of_another_package_has_a_label_like_ours() -> None:
    made = catalog.chunker("halves(after=2)")
    assert str(made) == "halves(after=2)"
    assert len(made.chunk(corpus_of([HOSTILE]))) == 2


@pytest.mark.usefixtures("acme")
def test_our_names_stay_ours_and_near_ones_are_named() -> None:
    assert catalog.chunker("fixed(size=3)").__class__.__module__ == "kugiri.chunkers.fixed"
    with pytest.raises(InputError, match="unknown chunker") as caught:
        catalog.chunker("halvs()")
    assert "'halves'" in caught.value.remedy


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("label", "what"),
    [
        ("gone()", "acme_gone:Halves cannot be imported: ModuleNotFoundError"),
        ("renamed()", "acme_chunkers:Thirds cannot be imported: AttributeError"),
        ("broken()", "acme_broken:Halves cannot be imported: SyntaxError"),
        ("plain()", "acme_chunkers:component_label is no dataclass"),
    ],
)
def test_a_package_that_registers_what_is_no_chunker(label: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        catalog.chunker(label)
    assert what in caught.value.what
    assert label in caught.value.where
    assert "entry point" in caught.value.remedy


@pytest.mark.usefixtures("acme")
def test_the_command_lists_it(capsys: pytest.CaptureFixture[str]) -> None:
    from kugiri.cli.list import Kind, list_components

    list_components(Kind.CHUNKERS, as_json=True)
    rows = json.loads(capsys.readouterr().out)["chunkers"]
    assert {"label": "halves(after=1)", "meaning": "Every document in two."} in rows
    broken = {row["label"]: row["meaning"] for row in rows if row["meaning"].startswith("Cannot be used: ")}
    assert set(broken) == {"gone", "renamed", "broken", "plain"}
