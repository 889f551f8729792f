from __future__ import annotations

import json
from pathlib import Path

import pytest
from squad_files import TANGLED

from kugiri.errors import InputError
from kugiri.formats.records import DocumentLine, QuestionLine
from kugiri.formats.strict_json import read_json, read_jsonl


def lines(tmp_path: Path, raw: bytes) -> list[tuple[int, DocumentLine]]:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(raw)
    return read_jsonl(path, DocumentLine)


def test_d38_a_line_ends_with_a_line_feed_and_nothing_else(tmp_path: Path) -> None:
    for inside in ("\u2028", "\u2029", "\u0085"):
        found = lines(tmp_path, f'{{"id":"a","text":"上{inside}下"}}\n'.encode())
        assert [(number, len(line.text)) for number, line in found] == [(1, 3)]


def test_line_ends_blank_lines_and_the_mark_at_the_start(tmp_path: Path) -> None:
    row = json.dumps({"id": "a", "text": TANGLED}, ensure_ascii=False).encode()
    for raw in (row, row + b"\n", row + b"\r\n", b"\xef\xbb\xbf" + row, b"\n \r\n" + row + b"\n\n"):
        assert [line.text for _, line in lines(tmp_path, raw)] == [TANGLED]
    assert [number for number, _ in lines(tmp_path, b"\n" + row + b"\n\n" + row)] == [2, 4]
    assert lines(tmp_path, b"") == []


def test_escapes_that_write_whole_characters(tmp_path: Path) -> None:
    (found,) = lines(tmp_path, rb'{"id":"a","text":"\ud83c\udf63 \\u0000 \\ud800"}')
    assert found[1].text == "🍣 \\u0000 \\ud800"


@pytest.mark.parametrize(
    ("row", "what", "where"),
    [
        (b'{"id":"a","text":"x","text":"y"}', "'text' stands twice", ":2"),
        (b'{"id":"a","text":"x","metadata":{"k":{"n":1,"n":1}}}', "'n' stands twice", ":2"),
        (rb'{"id":"a","text":"x","te\u0078t":"y"}', "'text' stands twice", ":2"),
        (rb'{"id":"a","text":"a\ud800b"}', "lone surrogate at offset 1", ":2: text"),
        (rb'{"id":"a","text":"\udc00\ud800"}', "lone surrogate at offset 0", ":2: text"),
        (rb'{"id":"a","text":"x","metadata":{"k":["\ud800"]}}', "lone surrogate", ":2: metadata.k[0]"),
        (rb'{"id":"a","text":"x","metadata":{"\ud800":1}}', "lone surrogate", r":2: metadata.\ud800"),
        (rb'{"id":"a","text":"a\u0000b"}', "NUL character at offset 1", ":2: text"),
        (b'{"id":"a","text":"a\x00b"}', "control character", ":2, column 20"),
        (b'{"id":"a","text":"x"', "not JSON", ":2, column 21"),
        (b'{"id":"a","text":"x"} {}', "not JSON: Extra data", ":2, column 23"),
        (b"{'id':1}", "not JSON", ":2, column 2"),
        (b'{"id":"a","txet":"x"}', "unknown key 'txet'", ":2: txet"),
        (b'{"id":"a","text":"x","paragraphs":[[0,"1"]]}', "expected `int`, got `str`", ":2: paragraphs[0][1]"),
        (b'{"id":"a","text":"x","paragraphs":[[0,1,2]]}', "length 2", ":2: paragraphs[0]"),
        (b'{"id":"a","text":"x","paragraphs":[[0.5,1]]}', "`float`", ":2: paragraphs[0][0]"),
        (b'{"id":"a"}', "missing required field `text`", ":2"),
        (b'{"id":true,"text":"x"}', "got `bool`", ":2: id"),
        (b'["a"]', "expected `object`, got `array`", ":2"),
        (b'{"id":"a","text":"x","metadata":{"k":NaN}}', "NaN", ":2"),
        (b'{"id":"a","text":"x","metadata":{"k":1e999}}', "too large", ":2"),
        (b'{"id":' + b"9" * 5000 + b',"text":"x"}', "too large", ":2"),
        (b'{"id":"a","text":"x","metadata":{"k":' + b"[" * 5000 + b"]" * 5000 + b"}}", "nested too deeply", ":2"),
        (b'{"id":"a","text":"\x93\xfa"}', "not UTF-8: byte", ":2"),
    ],
)
def test_lines_that_are_refused(tmp_path: Path, row: bytes, what: str, where: str) -> None:
    with pytest.raises(InputError) as refused:
        lines(tmp_path, b'{"id":"ok","text":"ok"}\n' + row + b"\n")
    assert what in refused.value.what
    assert refused.value.where == f"{tmp_path / 'documents.jsonl'}{where}"


@pytest.mark.parametrize("number", [-(2**63), 2**64, 10**400])
def test_large_numbers_whatever_the_white_space(tmp_path: Path, number: int) -> None:
    for row in (f'{{"id":{number},"text":"x"}}', f'{{"id": {number}, "text": "x"}}'):
        assert lines(tmp_path, row.encode())[0][1].id == number


def test_the_nearest_key_inside_evidence(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"id":"a","question":"?","evidence":[[{"document":"d","strat":1,"end":2}]]}', encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_jsonl(path, QuestionLine)
    assert refused.value.where.endswith(":1: evidence[0][0].strat")
    assert "'start'" in refused.value.remedy


def test_a_whole_file_of_json_says_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"id": "a",\n "text": oops}', encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.json:2, column 10"):
        read_json(path, DocumentLine)
    path.write_bytes('{"id": "a", "text": "日本"}'.encode("cp932"))
    with pytest.raises(InputError, match=r"byte 21 .*\n.*a\.json:1\ntry --encoding cp932"):
        read_json(path, DocumentLine)
    assert read_json(path, DocumentLine, "cp932").text == "日本"
