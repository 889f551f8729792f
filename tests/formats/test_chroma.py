from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kugiri.errors import InputError
from kugiri.formats.chroma import Chroma
from kugiri.formats.corpus_folder import load_corpus
from kugiri.formats.importing import import_corpus
from kugiri.formats.protocol import Source
from kugiri.formats.pseudo_documents import Join
from kugiri.formats.quotations import OFFSET_UNITS, from_code_point

SUSHI = "寿司👩\u200d🍳か\u3099\r\n\u3000皿、\u2028 end.\r\n\r\n🍣"
PLAIN = "# Title\n\nOne sentence. Another one.\n"
Row = tuple[str, Any, str]


def excerpt(text: str, quoted: str, start: int | None = None, unit: str = "codepoint") -> dict[str, Any]:
    first = text.index(quoted) if start is None else start
    return {
        "content": quoted,
        "start_index": from_code_point(text, first, unit),
        "end_index": from_code_point(text, first + len(quoted), unit),
    }


def table(*rows: Row, head: tuple[str, ...] = ("question", "references", "corpus_id")) -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(head)
    for question, references, document in rows:
        writer.writerow((question, references if isinstance(references, str) else json.dumps(references), document))
    return file.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "source"
    root.mkdir()
    (root / "sushi.md").write_bytes(SUSHI.encode())
    (root / "plain.md").write_bytes(PLAIN.encode())
    return root


@pytest.fixture
def read(folder: Path) -> Callable[..., Source]:
    def from_rows(*rows: Row, reader: Chroma | None = None) -> Source:
        (folder / "questions.csv").write_bytes(table(*rows).encode())
        return (reader or Chroma()).read([folder])

    return from_rows


def spans(source: Source) -> dict[str, list[tuple[str, int, int]]]:
    assert all(len(question.evidence) == 1 for question in source.questions)
    return {asked.id: [(s.document, s.start, s.end) for s in asked.evidence[0]] for asked in source.questions}


def refusal(read: Callable[..., Source], *rows: Row) -> InputError:
    with pytest.raises(InputError) as refused:
        read(*rows)
    return refused.value


def test_labels_and_choices() -> None:
    assert str(Chroma()) == "chroma()"
    assert str(Chroma(on_mismatch="exclude")) == 'chroma(on_mismatch="exclude")'
    with pytest.raises(InputError, match="--offset-unit"):
        Chroma(offset_unit="utf-16")
    with pytest.raises(InputError, match="'refuse' is the nearest"):
        Chroma(on_mismatch="refuses")


def test_excerpts_are_the_spans_of_one_alternative(read: Callable[..., Source]) -> None:
    both = [excerpt(SUSHI, "皿、\u2028 end."), excerpt(SUSHI, "か\u3099\r\n")]
    source = read(
        ("どの皿？\r\n改行", both, "sushi"),
        ("Which?", [excerpt(PLAIN, "Another one.")], "plain"),
        ("もう一つ？", [excerpt(SUSHI, "🍣")], "sushi"),
    )
    place, kana = SUSHI.index("皿"), SUSHI.index("か")
    assert spans(source) == {
        "sushi-0001": [("sushi", place, place + 8), ("sushi", kana, kana + 4)],
        "plain-0001": [("plain", 23, 35)],
        "sushi-0002": [("sushi", len(SUSHI) - 1, len(SUSHI))],
    }
    assert [asked.question for asked in source.questions] == ["どの皿？\r\n改行", "Which?", "もう一つ？"]
    assert [asked.kind for asked in source.questions] == ["multiple", "single", "single"]
    assert source.warnings == source.excluded == source.paragraphs == ()


def test_texts_are_kept_and_verified_again_when_they_are_loaded(folder: Path, tmp_path: Path) -> None:
    rows = [
        ("？", [excerpt(SUSHI, "司👩\u200d🍳か\u3099\r\n\u3000")], "sushi"),
        ("?", [excerpt(PLAIN, "One")], "plain"),
    ]
    (folder / "questions.csv").write_bytes(table(*rows).encode())
    imported = import_corpus(Chroma(), [folder], tmp_path / "c")
    loaded = load_corpus(tmp_path / "c")
    assert dict(zip(loaded.corpus.ids, loaded.corpus.texts, strict=True)) == {"plain": PLAIN, "sushi": SUSHI}
    assert not len(loaded.corpus.paragraph_start)
    assert loaded.unquoted == ()
    assert loaded.questions_sha256 == imported.loaded.questions_sha256
    info = loaded.corpus.info
    assert (info.language, info.licence, info.source) == ("en", "unknown", "unknown")
    assert [file["name"] for file in info.built["files"]] == ["plain.md", "questions.csv", "sushi.md"]
    assert "join" not in info.built
    again = import_corpus(Chroma(), [folder], tmp_path / "d").loaded
    assert (again.documents_sha256, again.questions_sha256) == (loaded.documents_sha256, loaded.questions_sha256)


def test_nothing_is_joined(folder: Path, tmp_path: Path) -> None:
    (folder / "questions.csv").write_bytes(table(("?", [excerpt(PLAIN, "One")], "plain")).encode())
    for join in (Join("chars", 100), Join(separator="\n"), Join(shuffle=1)):
        with pytest.raises(InputError, match="nothing is joined"):
            import_corpus(Chroma(), [folder], tmp_path / "c", join)
    assert not (tmp_path / "c").exists()


def test_files_one_by_one_in_the_order_they_count(folder: Path) -> None:
    (folder / "b.csv").write_bytes(table(("?", [excerpt(PLAIN, "One")], "plain")).encode())
    (folder / "a.csv").write_bytes(table(("？", [excerpt(SUSHI, "皿")], "sushi"), ("?", [], "plain")).encode())
    files = [folder / name for name in ("sushi.md", "b.csv", "plain.md", "a.csv")]
    source = Chroma().read(files)
    assert [document.id for document in source.documents] == ["sushi", "plain"]
    assert [asked.id for asked in source.questions] == ["plain-0001", "sushi-0001"]
    assert [(left.id, left.reason) for left in source.excluded] == [("plain-0002", "no_answer")]
    assert source.files == tuple(files)
    with pytest.raises(InputError, match="given twice"):
        Chroma().read([folder, folder / "a.csv"])


@pytest.mark.parametrize("given", ["sushi", "sushi.md", "/somewhere/else/sushi.md", "C:\\data\\sushi.md", "data/sushi"])
def test_a_document_is_named_by_id_file_or_path(read: Callable[..., Source], given: str) -> None:
    source = read(("？", [excerpt(SUSHI, "皿")], given))
    assert list(spans(source)) == ["sushi-0001"]


def test_names_of_files_are_composed(folder: Path) -> None:
    (folder / f"{unicodedata.normalize('NFD', 'ガイド')}.md").write_bytes(PLAIN.encode())
    (folder / "questions.csv").write_bytes(table(("?", [excerpt(PLAIN, "One")], "ガイド")).encode())
    assert [document.id for document in Chroma().read([folder]).documents] == ["ガイド"]


def test_a_document_that_no_question_names_is_left_out_with_a_warning(read: Callable[..., Source]) -> None:
    source = read(("?", [excerpt(PLAIN, "One")], "plain"))
    assert [document.id for document in source.documents] == ["plain"]
    assert source.warnings == ("no question names the document 'sushi'; left out",)


def test_identical_excerpts_are_one(read: Callable[..., Source]) -> None:
    source = read(("?", [excerpt(PLAIN, "One")] * 2, "plain"))
    assert spans(source) == {"plain-0001": [("plain", 9, 12)]}
    assert source.questions[0].kind == "single"


def test_what_offsets_count_is_said_and_checked(read: Callable[..., Source]) -> None:
    for unit in OFFSET_UNITS:
        source = read(("？", [excerpt(SUSHI, "皿", unit=unit)], "sushi"), reader=Chroma(offset_unit=unit))
        place = SUSHI.index("皿")
        assert spans(source) == {"sushi-0001": [("sushi", place, place + 1)]}
    error = refusal(read, ("？", [excerpt(SUSHI, "皿", unit="utf8")], "sushi"))
    assert error.remedy == "every excerpt fits with --offset-unit utf8"


def test_every_mismatch_is_listed_and_the_whole_question_excluded(read: Callable[..., Source]) -> None:
    shifted = excerpt(PLAIN, "One") | {"start_index": 10}
    early = excerpt(PLAIN, "Another one.") | {"end_index": 34}
    rows = (
        ("a", [excerpt(PLAIN, "One"), shifted], "plain"),
        ("b", [early], "plain"),
        ("c", [excerpt(PLAIN, "One")], "plain"),
        ("d", [excerpt(PLAIN, "") | {"start_index": 3}], "plain"),
        (
            "e",
            [excerpt(PLAIN, "One") | {"start_index": -3}, {"content": "寿", "start_index": 10**30, "end_index": 1}],
            "plain",
        ),
    )
    error = refusal(read, *rows)
    assert error.what == "5 excerpts are not the text at their place"
    assert error.listing[0].startswith("plain-0001: mismatch: text[10:13]='ne ', nearest 9, quoted 'One'")
    assert error.listing[0].endswith("questions.csv:2, row 1")
    assert "the quotation at 23 ends at 35, not at 34" in error.listing[1]
    assert "is empty" in error.listing[2]
    assert "found nowhere" in error.listing[4]
    source = read(*rows, reader=Chroma(on_mismatch="exclude"))
    assert list(spans(source)) == ["plain-0003"]
    assert [(left.id, left.reason) for left in source.excluded] == [
        (f"plain-000{n}", "offset_mismatch") for n in (1, 2, 4, 5)
    ]
    assert source.warnings[1:] == error.listing
    assert refusal(read, rows[1]).what == "1 excerpt is not the text at its place"


def test_line_ends_that_became_two_characters_are_named(read: Callable[..., Source]) -> None:
    as_chroma_reads = SUSHI.replace("\r\n", "\n")
    row = ("？", [excerpt(as_chroma_reads, "皿"), excerpt(as_chroma_reads, "か\u3099\n")], "sushi")
    assert r"if \r\n counts as one character" in refusal(read, row).remedy
    source = read(row, reader=Chroma(on_mismatch="exclude"))
    assert r"\r\n" in source.warnings[-1]


@pytest.mark.parametrize(
    ("references", "what", "where"),
    [
        ("[{", "not JSON", "row 2, references, character 2"),
        ("", "not JSON", "row 2, references"),
        ("{}", "expected `array`", "row 2, references"),
        ([{"content": "One", "start_index": 9}], "missing required field `end_index`", "row 2, references: [0]"),
        (
            [{"content": "One", "start_index": "9", "end_index": 12}],
            "expected `int`",
            "row 2, references: [0].start_index",
        ),
        ([{"content": None, "start_index": 9, "end_index": 12}], "expected `str`", "row 2, references: [0].content"),
        ('[{"content": "a", "content": "b", "start_index": 0, "end_index": 1}]', "'content' stands twice", "row 2"),
        (
            '[{"content": "\\ud800", "start_index": 0, "end_index": 1}]',
            "lone surrogate",
            "row 2, references: [0].content",
        ),
        (f"[{'9' * 5000}]", "not JSON that can be read", "row 2, references"),
        ("[" * 100_000, "nested too deeply", "row 2, references"),
    ],
)
def test_bad_references_name_their_row(read: Callable[..., Source], references: Any, what: str, where: str) -> None:
    error = refusal(read, ("?", [excerpt(PLAIN, "One")], "plain"), ("two\nlines", references, "plain"))
    assert what in error.what
    assert f"questions.csv:4, {where}" in error.where


def test_an_unknown_document_names_its_row_and_the_nearest(read: Callable[..., Source]) -> None:
    error = refusal(read, ("?", [excerpt(PLAIN, "One")], "plain"), ("?", [], "plane"))
    assert error.what == "there is no document 'plane'"
    assert "questions.csv:3, row 2, corpus_id" in error.where
    assert "'plain' is the nearest" in error.remedy
    assert "there is no document ''" in refusal(read, ("?", [], "")).what


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("question,references\r\na,[]\r\n", "there is no column 'corpus_id'"),
        ("", "there is no column 'question'"),
        ("question,references,corpus_id,question\r\n", "two columns are named 'question'"),
        ("question,references,corpus_id\r\na,[]\r\n", "the row has 2 values, and there are 3 columns"),
        ('question,references,corpus_id\r\n"a"b,[],plain\r\n', "not CSV"),
        ('question,references,corpus_id\r\n"a', "not CSV"),
    ],
)
def test_a_table_that_is_none(folder: Path, content: str, what: str) -> None:
    (folder / "questions.csv").write_bytes(content.encode())
    with pytest.raises(InputError) as refused:
        Chroma().read([folder])
    assert what in refused.value.what
    assert "questions.csv:" in refused.value.where


def test_more_columns_a_mark_and_blank_lines_are_passed_over(folder: Path) -> None:
    cell = json.dumps([excerpt(PLAIN, "One")]).replace('"', '""')
    text = f'\ufeff,corpus_id,question,references,score\n\n0,plain,なに？,"{cell}",1\n\n'
    (folder / "questions.csv").write_bytes(text.encode())
    assert spans(Chroma().read([folder])) == {"plain-0001": [("plain", 9, 12)]}


def test_the_encoding_is_that_of_all_files(tmp_path: Path) -> None:
    text = "寿司と\u3000皿\r\n"
    (tmp_path / "s.md").write_bytes(text.encode("cp932"))
    (tmp_path / "q.csv").write_bytes(table(("どの皿？", [excerpt(text, "皿\r\n")], "s")).encode("cp932"))
    source = Chroma(encoding="cp932").read([tmp_path])
    assert (source.documents[0].text, source.questions[0].question) == (text, "どの皿？")
    with pytest.raises(InputError, match="--encoding cp932"):
        Chroma().read([tmp_path])


def test_folders_and_files_that_are_not_enough(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no \.csv and no \.md"):
        Chroma().read([tmp_path / "empty"])
    with pytest.raises(InputError, match="no CSV file"):
        Chroma().read([folder])
    with pytest.raises(InputError, match="no such file"):
        Chroma().read([folder, tmp_path / "missing.csv"])
    (tmp_path / "empty" / "plain.md").write_bytes(b"x")
    with pytest.raises(InputError, match="two documents are named 'plain'"):
        Chroma().read([folder, tmp_path / "empty"])
    (folder / "questions.csv").write_bytes(table().encode())
    with pytest.raises(InputError, match="there is no question"):
        import_corpus(Chroma(), [folder], tmp_path / "c")


def test_references_may_be_long(read: Callable[..., Source]) -> None:
    cell = json.dumps([excerpt(PLAIN, "One")]) + " " * 200_000
    assert spans(read(("長い？", cell, "plain")))
