from __future__ import annotations

from pathlib import Path

import pytest
from corpus_command import CAPITAL, DOCUMENT, QUESTION, TOML, Kugiri, asked, commands, corpus, refused, squad, tree


@pytest.fixture
def kugiri(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kugiri:
    return commands(capsys, monkeypatch, tmp_path)


IMPORTS: dict[str, tuple[bytes, list[str], list[str]]] = {
    "missing file": (b"", ["nowhere.json"], ["no such file", "nowhere.json"]),
    "folder": (b"", ["."], ["this is a folder"]),
    "malformed": (b'{"data": [', ["s.json"], ["not JSON", "s.json:1, column 11"]),
    "empty": (b"", ["s.json"], ["not JSON"]),
    "cp932": ('{"data": "日本"}'.encode("cp932"), ["s.json"], ["byte 10", "try --encoding cp932"]),
    "duplicate key": (b'{"data": [], "data": []}', ["s.json"], ["'data' stands twice"]),
    "lone surrogate": (rb'{"data": [], "x": "\ud800"}', ["s.json"], ["lone surrogate", "s.json: x"]),
    "NUL": (rb'{"data": [], "x": "\u0000"}', ["s.json"], ["NUL", "s.json: x"]),
    "nested": (b"[" * 9999, ["s.json"], ["nested too deeply"]),
    "wrong shape": (b'{"data": [{}]}', ["s.json"], ["missing required field `paragraphs`", "data[0]"]),
    "no question": (b'{"data": []}', ["s.json"], ["there is no document"]),
    "no separator": (b'{"data": [{"paragraphs": [{"context": "a", "qas": []}]}]}', ["s.json"], ["[SEP]"]),
    "unknown unit": (b'{"data": []}', ["s.json", "--offset-unit", "utf-16"], ["'utf-16'", "--offset-unit", "utf16"]),
    "unknown answer": (b'{"data": []}', ["s.json", "--on-mismatch", "skip"], ["'skip'", "refuse, exclude"]),
    "unknown join": (b'{"data": []}', ["s.json", "--join", "paragraph=3"], ["'paragraph=3'", "'paragraphs'"]),
    "unknown escape": (b'{"data": []}', ["s.json", "--separator", r"\q"], ["--separator"]),
    "unknown encoding": (b'{"data": []}', ["s.json", "--encoding", "cp923"], ["no text encoding 'cp923'"]),
}


@pytest.mark.parametrize("case", IMPORTS)
def test_imports_that_are_refused(kugiri: Kugiri, tmp_path: Path, case: str) -> None:
    raw, arguments, words = IMPORTS[case]
    (tmp_path / "s.json").write_bytes(raw)
    before = tree(tmp_path)
    done = kugiri("corpus", "import", "jsquad", *arguments, "--to", "c")
    refused(done, *words)
    assert done.out == ""
    assert tree(tmp_path) == before
    assert not (tmp_path / "c").exists()


def test_an_unknown_format(kugiri: Kugiri, tmp_path: Path) -> None:
    source = squad(tmp_path / "s.json", CAPITAL, asked("q", ("東京", 6)))
    refused(kugiri("corpus", "import", "jsqad", source, "--to", "c"), "'jsqad'", "'jsquad'")


def spans(*more: str) -> str:
    return '{"id":"q","question":"?","evidence":[[{"document":"d","start":0,"end":2' + "".join(more) + "}]]}"


CORPORA: dict[str, tuple[dict[str, str], list[str]]] = {
    "malformed": ({"documents": DOCUMENT + "\n{"}, ["not JSON", "documents.jsonl:2"]),
    "unknown key": ({"documents": '{"id":"d","txet":"x"}'}, ["'txet'", "'text'", "documents.jsonl:1: txet"]),
    "duplicate key": ({"documents": '{"id":"d","id":"e","text":"x"}'}, ["'id' stands twice", "documents.jsonl:1"]),
    "duplicate document": ({"documents": f"{DOCUMENT}\n{DOCUMENT}"}, ["two documents", ":2, first on line 1"]),
    "duplicate question": ({"questions": f"{QUESTION}\n{QUESTION}"}, ["two questions", ":2, first on line 1"]),
    "lone surrogate": ({"documents": r'{"id":"d","text":"\ud800"}'}, ["lone surrogate", "documents.jsonl:1: text"]),
    "raw surrogate": ({"documents": '{"id":"d","text":"\ud800"}'}, ["not UTF-8", "documents.jsonl:1"]),
    "NUL": ({"documents": r'{"id":"d","text":"\u0000"}'}, ["NUL", "documents.jsonl:1: text"]),
    "no document": ({"documents": ""}, ["there is no document"]),
    "no question": ({"questions": "\n"}, ["there is no question"]),
    "out of range": ({"questions": spans().replace('"end":2', '"end":99')}, ["[0, 99) lies outside"]),
    "not its quotation": ({"questions": spans(',"text":"大阪"')}, ["text[0:2]='東京'", "questions.jsonl:1", "nowhere"]),
    "wrong type": ({"questions": spans().replace("0", '"0"')}, ["got `str`", "evidence[0][0].start"]),
    "unknown document": ({"questions": spans().replace('"d"', '"d9"')}, ["q->d9"]),
    "ids composed in two ways": (
        {"documents": '{"id":"d","text":"東京"}\n{"id":"が","text":"x"}\n{"id":"か\u3099","text":"x"}'},
        ["look the same", r"\u3099"],
    ),
    "broken TOML": ({"toml": "name = \ntitle = 1"}, ["not TOML", "corpus.toml:1"]),
    "unknown TOML key": ({"toml": TOML + "lang = 'ja'\n"}, ["'lang'", "'language'", "corpus.toml: lang"]),
    "duplicate TOML key": ({"toml": TOML + "name = 'x'\n"}, ["not TOML", "corpus.toml:7"]),
    "terminal commands": ({"documents": '{"id":"d","text":"x","\\u001b[2J\\u202e":1}'}, [r"\x1b[2J\u202e"]),
}


@pytest.mark.parametrize("case", CORPORA)
@pytest.mark.parametrize("command", ["check", "show"])
def test_corpora_that_are_refused(kugiri: Kugiri, tmp_path: Path, case: str, command: str) -> None:
    files, words = CORPORA[case]
    root = corpus(tmp_path / "c", **files)
    before = tree(tmp_path)
    done = kugiri("corpus", command, root)
    refused(done, *words)
    assert done.out == ""
    assert tree(tmp_path) == before


def test_a_folder_that_is_no_corpus(kugiri: Kugiri, tmp_path: Path) -> None:
    refused(kugiri("corpus", "check", tmp_path / "nowhere"), "no such corpus folder")
    refused(kugiri("corpus", "check", tmp_path), "no such file", "corpus.toml")
