from __future__ import annotations

from pathlib import Path

import pytest
from squad_files import TANGLED

from kugiri.errors import InputError
from kugiri.formats.corpus_folder import load_corpus
from kugiri.formats.corpus_writer import write_corpus
from kugiri.model.corpus import CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question


def write(root: Path, text: str = TANGLED, end: int = 2) -> None:
    info = CorpusInfo("a", "a", "ja", "x", "x", "x", {"by": "test"})
    write_corpus(root, info, [Document("d", text)], [Question("q", "?", ((EvidenceSpan("d", 0, end),),))])


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_corpus_is_replaced_whole(tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    root.mkdir()
    write(root)
    (root / "excluded.jsonl").write_bytes(b"")
    write(root, "別の" + TANGLED)
    assert load_corpus(root).corpus.texts == ("別の" + TANGLED,)
    assert sorted(path.name for path in root.iterdir()) == ["corpus.toml", "documents.jsonl", "questions.jsonl"]
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_records_that_are_no_corpus_change_nothing(tmp_path: Path) -> None:
    write(tmp_path / "corpus")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="outside"):
        write(tmp_path / "corpus", end=99)
    with pytest.raises(InputError, match="outside"):
        write(tmp_path / "deep" / "new", end=99)
    assert contents(tmp_path) == before
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize("fails", ["write_bytes", "rename"])
def test_a_failure_half_way_leaves_the_old_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    write(tmp_path / "corpus")
    before = contents(tmp_path)
    original = getattr(Path, fails)
    calls: list[Path] = []

    def failing(self: Path, *arguments: object) -> object:
        calls.append(self)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return original(self, *arguments)

    monkeypatch.setattr(Path, fails, failing)
    with pytest.raises(InputError, match="No space left on device"):
        write(tmp_path / "corpus", "別の" + TANGLED)
    monkeypatch.undo()
    assert contents(tmp_path) == before


def test_somebody_elses_places_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_bytes(b"mine")
    write(tmp_path / "annotated")
    (tmp_path / "annotated" / "notes.txt").write_bytes(b"mine")
    write(tmp_path / "corpus")
    (tmp_path / "corpus.previous").mkdir()
    (tmp_path / "corpus.previous" / "notes.txt").write_bytes(b"mine")
    before = contents(tmp_path)
    for name, words in (
        ("file", "a file"),
        ("mine", "not empty"),
        ("annotated", r"notes\.txt"),
        ("corpus", "previous"),
    ):
        with pytest.raises(InputError, match=words):
            write(tmp_path / name, "別の" + TANGLED)
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / "file" / "corpus")
    assert contents(tmp_path) == before


def test_a_writer_killed_between_its_renames_is_made_good(tmp_path: Path) -> None:
    root, previous = tmp_path / "corpus", tmp_path / "corpus.previous"
    write(root)
    root.rename(previous)
    write(root, "別の" + TANGLED)
    assert load_corpus(root).corpus.texts == ("別の" + TANGLED,)
    assert not previous.exists()
    write(previous)
    write(root, "第三の" + TANGLED)
    assert load_corpus(root).corpus.texts == ("第三の" + TANGLED,)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_the_name_decides_nothing_about_the_bytes(tmp_path: Path) -> None:
    for name in ("一", "two"):
        write(tmp_path / name)
    assert contents(tmp_path / "一") == contents(tmp_path / "two")
