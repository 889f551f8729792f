"""`kugiri chunk`: files that an index takes, that say what they hold, and that can be audited again."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from corpus_command import Kugiri, corpus, refused

from kugiri import catalog
from kugiri.errors import InputError
from kugiri.export.chunk_files import CHUNK_FILE, check_file
from kugiri.formats.corpus_folder import load_corpus
from kugiri.formats.foreign_chunks import read_chunks
from kugiri.segmenters.tokenizers import tokenizer
from worlds import corpus_of

CONTRACT = (
    "# 契約書\r\n\r\n第１条（目的）\u3000甲は、か\u3099👩\u200d🍳を乙に委託する。\r\n（１）設計\r\n"
    '"引用", と\u2028改行\tの表。\r\n第２条\u3000報酬\r\n=1+1 は百円とする。\r\n'
)
PLAIN = "見出しのない文書。\n\n二つ目の段落。"
DOCUMENTS = "\n".join(
    json.dumps({"id": name, "text": text}, ensure_ascii=False)
    for name, text in (("甲:1@%", CONTRACT), ("空", ""), ("d", PLAIN))
)
QUESTION = '{"id":"q","question":"何を？","evidence":[[{"document":"d","start":0,"end":2,"text":"見出"}]]}'
NAMES = [name for name, _, _ in CHUNK_FILE]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return corpus(tmp_path / "c", DOCUMENTS, QUESTION)


def rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        listed: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return listed
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_bytes().decode().split("\n")[:-1]]
    with path.open(encoding="utf-8", newline="") as stream:
        found = list(csv.DictReader(stream, strict=True))
    numbers = {"start", "end", "characters", "tokens"}
    return [
        {key: (int(cell) if key in numbers else cell) if cell else None for key, cell in row.items()} for row in found
    ]


@pytest.mark.parametrize("label", ["headings(level=2, size=30)", "fixed(size=7, overlap=2)", "paragraph()"])
def test_the_three_formats_hold_the_same_and_can_be_read_back(kugiri: Kugiri, folder: Path, label: str) -> None:
    loaded = load_corpus(folder).corpus
    expected = catalog.chunker(label).chunk(loaded)
    found = []
    for ending in ("parquet", "jsonl", "csv"):
        to = Path("new") / f"chunks.{ending}"
        done = kugiri("chunk", folder, label, "--to", to)
        assert (done.code, done.err) == (0, "")
        assert done.out.count("\n") == 1
        assert f"{len(expected)} chunks of 3 documents" in done.out
        found.append(rows(to))
        read = read_chunks(to, loaded)
        assert read.chunking.same_as(expected)
        assert list(read.numbers.values()) == list(range(len(expected)))
    assert found[0] == found[1] == found[2]
    assert list(found[0][0]) == NAMES
    for index, row in enumerate(found[0]):
        chunk = expected.chunk(index)
        assert (row["id"], row["document"], row["start"], row["end"], row["text"]) == (
            chunk.id,
            chunk.document,
            chunk.start,
            chunk.end,
            chunk.text,
        )
        assert row["characters"] == len(chunk.text)
        assert row["tokens"] is row["parent"] is None
    assert sorted(path.name for path in Path("new").iterdir()) == ["chunks.csv", "chunks.jsonl", "chunks.parquet"]


def test_every_strategy_gets_the_path_of_headings(kugiri: Kugiri, folder: Path) -> None:
    kugiri("chunk", folder, "recursive(size=20)", "--to", "a.jsonl")
    paths = {row["text"][:4]: row["heading_path"] for row in rows(Path("a.jsonl"))}
    assert paths["# 契約"] == "契約書"
    assert paths["=1+1"] == "契約書 > 第２条\u3000報酬"
    assert "契約書 > 第１条（目的） > （１）設計" in paths.values()
    assert paths[PLAIN[:4]] is None


def test_context_is_what_is_indexed_in_front(kugiri: Kugiri, folder: Path) -> None:
    kugiri("chunk", folder, "headings(level=2, size=30, context=true)", "--to", "a.parquet")
    contexts = {row["text"][:3]: row["context"] for row in rows(Path("a.parquet"))}
    assert contexts["# 契"] is None
    assert contexts["第１条"] == "契約書"
    assert contexts["見出し"] is None
    kugiri("chunk", folder, "headings(level=2, size=30)", "--to", "a.parquet")
    assert not any(row["context"] for row in rows(Path("a.parquet")))


@pytest.mark.parametrize("label", ['sentence(size=12, tokenizer="cl100k")', 'fixed(size=9, unit="token")'])
def test_tokens_where_the_strategy_counts_them(kugiri: Kugiri, folder: Path, label: str) -> None:
    kugiri("chunk", folder, label, "--to", "a.csv")
    found = rows(Path("a.csv"))
    assert [row["tokens"] for row in found] == tokenizer("cl100k").counts([row["text"] for row in found]).tolist()


def test_of_parent_and_child_the_children_are_indexed(kugiri: Kugiri, folder: Path) -> None:
    if "parent_child" not in catalog.CATALOG["chunkers"]:
        pytest.skip("this version has no parent_child")
    kugiri("chunk", folder, "parent_child(parent=fixed(size=30), child=fixed(size=10))", "--to", "a.jsonl")
    for row in rows(Path("a.jsonl")):
        low, high = map(int, row["parent"].rsplit("@", 1)[1].split(":"))
        assert low <= row["start"] < row["end"] <= high


def test_the_schema_says_what_every_column_means(kugiri: Kugiri, folder: Path) -> None:
    kugiri("chunk", folder, "whole()", "--to", "a.parquet")
    schema = pq.read_schema(Path("a.parquet"))
    assert schema.names == NAMES
    for field, (_, kind, meaning) in zip(schema, CHUNK_FILE, strict=True):
        assert field.type == kind
        assert field.metadata[b"description"].decode() == meaning
        assert meaning.endswith(".")
    assert schema.metadata[b"kugiri.offset_unit"] == b"codepoint"


def test_json_on_standard_output(kugiri: Kugiri, folder: Path) -> None:
    done = kugiri("chunk", folder, "fixed(size=10, overlap=0.0)", "--to", "a.parquet", "--json")
    told = json.loads(done.out)
    assert told["chunker"] == "fixed(size=10)"
    assert told["documents"] == 3
    assert told["chunks"] == len(rows(Path("a.parquet")))
    assert told["characters"] == len(CONTRACT + PLAIN)


def test_the_same_again_has_the_same_bytes_and_takes_the_old_ones_place(kugiri: Kugiri, folder: Path) -> None:
    for ending in ("parquet", "jsonl", "csv"):
        to = Path(f"a.{ending}")
        kugiri("chunk", folder, "paragraph()", "--to", to)
        first = to.read_bytes()
        to.write_bytes(b"old")
        assert kugiri("chunk", folder, "paragraph()", "--to", to).code == 0
        assert to.read_bytes() == first


def test_what_cannot_be_written_is_refused_before_anything_is_read(
    kugiri: Kugiri, folder: Path, tmp_path: Path
) -> None:
    refused(kugiri("chunk", "nowhere", "paragraph()", "--to", "a.txt"), "'.txt'", ".parquet, .jsonl, .csv")
    refused(kugiri("chunk", "nowhere", "paragraph()", "--to", "chunks"), "''")
    (tmp_path / "f.csv").mkdir()
    refused(kugiri("chunk", folder, "paragraph()", "--to", "f.csv"), "a folder", "f.csv")
    refused(kugiri("chunk", folder, "paragrap()", "--to", "a.csv"), "'paragraph'")
    refused(kugiri("chunk", "nowhere", "paragraph()", "--to", "a.csv"), "nowhere")
    (tmp_path / "file").write_bytes(b"")
    refused(kugiri("chunk", folder, "paragraph()", "--to", Path("file") / "a.csv"), "cannot be written")
    assert {path.name for path in tmp_path.iterdir()} == {"c", "f.csv", "file"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_no_file_and_a_link_leads_to_one(kugiri: Kugiri, folder: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jsonl")
    refused(kugiri("chunk", folder, "paragraph()", "--to", "p.jsonl"), "no regular file")
    (tmp_path / "real.bin").write_bytes(b"old")
    (tmp_path / "l.csv").symlink_to("real.bin")
    assert kugiri("chunk", folder, "paragraph()", "--to", "l.csv").code == 0
    assert (tmp_path / "l.csv").is_symlink()
    assert b"heading_path" in (tmp_path / "real.bin").read_bytes()


def test_a_failure_leaves_the_old_file(kugiri: Kugiri, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.jsonl").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(
        __import__("kugiri.export.chunk_files", fromlist=["_WRITERS"])._WRITERS,
        ".jsonl",
        lambda path, table: (path.write_bytes(b"half"), full()),
    )
    refused(kugiri("chunk", folder, "paragraph()", "--to", "a.jsonl"), "No space left")
    assert Path("a.jsonl").read_bytes() == b"old"
    assert sorted(path.name for path in Path().iterdir()) == ["a.jsonl", "c"]


@pytest.mark.parametrize("name", ["documents.jsonl", "questions.jsonl"])
def test_the_files_of_a_corpus_are_not_replaced(folder: Path, name: str) -> None:
    with pytest.raises(InputError, match="file of a corpus"):
        check_file(folder / name)
    check_file(folder / f"chunks-{name}")


@pytest.mark.parametrize(
    "label",
    [
        f"sentence_window(before={10**23}, after={2**63})",
        'recursive(size=3, separators=["\\ud800"])',
    ],
)
def test_no_parameter_is_our_fault(label: str) -> None:
    corpus = corpus_of(["一。二。三。"])
    try:
        made = catalog.chunker(label).chunk(corpus)
    except InputError:
        return
    assert len(made) == 1


THEIRS = '''
import dataclasses
import numpy as np
from kugiri.labels import component_label
from kugiri.model.chunking import Chunking
from kugiri.model.indexed import Indexed

MADE = {
    "beyond": lambda corpus: Chunking(corpus, [0], [corpus.characters + 1]),
    "unsorted": lambda corpus: Chunking(corpus, [4, 0], [6, 2]),
    "halves": lambda corpus: Chunking(corpus, [0.5], [1.5]),
    "nothing": lambda corpus: None,
    "raises": lambda corpus: {}["鍵\\n"],
    "other": lambda corpus: Chunking(dataclasses.replace(corpus), [0], [2]),
    "ranks": lambda corpus: Chunking(corpus, [0], [2]),
}

@dataclasses.dataclass(frozen=True)
class Wrong:
    """Whatever is asked for."""

    how: str
    name = "wrong"
    version = 1

    def __str__(self):
        return component_label(self)

    def chunk(self, corpus):
        return MADE[self.how](corpus)

    def indexed(self, chunking):
        return None if self.how == "ranks" else Indexed.of(chunking)
'''


@pytest.mark.parametrize("label", ["wrong(how={})", "parent_child(parent=whole(), child=wrong(how={}))"])
@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("beyond", "crosses the edge of a document"),
        ("unsorted", "starts or ends before the one in front of it"),
        ("halves", "starts and ends are no columns of int64"),
        ("nothing", "chunk() returns NoneType"),
        ("raises", "the chunker fails: KeyError: '鍵"),
        ("other", "of another corpus"),
        ("ranks", "indexed() returns NoneType"),
    ],
)
def test_what_a_third_party_does_wrong_is_its_fault(
    kugiri: Kugiri, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, label: str, how: str, what: str
) -> None:
    (tmp_path / "acme_wrong.py").write_text(THEIRS, encoding="utf-8")
    info = tmp_path / "acme_wrong-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-wrong\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[kugiri.chunkers]\nwrong = acme_wrong:Wrong\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    done = kugiri("chunk", folder, label.format(json.dumps(how)), "--to", "chunks.jsonl")
    error, where, remedy = done.err.splitlines()
    assert (done.code, done.out) == (2, "")
    assert what in error
    assert where.startswith("where: acme_wrong:Wrong, ")
    assert remedy.startswith("do: correct the chunker")
    assert not Path("chunks.jsonl").exists()
    # What counts as contained is the parent; the children are not made.
    if how != "ranks" and label.startswith("wrong"):
        for command in (("explain", folder, "q", label), ("check", folder, "--chunker", label, "--max-lost", 0)):
            given = [one.format(json.dumps(how)) if one == label else one for one in command]
            again = kugiri(*given)
            assert (again.code, again.err.splitlines()[:1]) == (2, [error]), again
