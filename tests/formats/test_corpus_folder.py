from __future__ import annotations

import hashlib
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from squad_files import TANGLED

import kugiri
from kugiri.errors import InputError
from kugiri.formats.corpus_folder import load_corpus, read_corpus_info
from kugiri.formats.corpus_writer import write_corpus
from kugiri.model.corpus import CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Excluded, Question

INFO = CorpusInfo("tangle", "もつれ", "ja", "CC0-1.0", "tests", "か\u3099👩\u200d🍳", {"by": "hand", "n": [1, 2]})
TOML = 'name="a"\ntitle="a"\nlanguage="ja"\nlicence="x"\nsource="x"\ndescription="x"\n'


def folder(tmp_path: Path, documents: list[Any], questions: list[Any], excluded: list[Any] | None = None) -> Path:
    root = tmp_path / "corpus"
    root.mkdir(exist_ok=True)
    (root / "corpus.toml").write_text(TOML, encoding="utf-8")
    files = {"documents": documents, "questions": questions, "excluded": excluded or []}
    for name, rows in files.items():
        if rows or name != "excluded":
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (root / f"{name}.jsonl").write_bytes(text.encode())
    return root


def span(document: str | int, start: int, end: int, text: str | None = None) -> dict[str, Any]:
    return {"document": document, "start": start, "end": end} | ({} if text is None else {"text": text})


def asked(identity: str | int, *alternatives: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"id": identity, "question": "何か。", "evidence": list(alternatives), **more}


def written(root: Path) -> None:
    documents = [
        Document("甲:1", TANGLED, "題", ((0, 2), (2, len(TANGLED))), {"page": 3, "list": [1.5, None, "い"]}),
        Document("空", ""),
    ]
    sentence = ((EvidenceSpan("甲:1", 0, 5, TANGLED[:5]),),)
    questions = [
        Question("q1", "どこ？", ((EvidenceSpan("甲:1", 0, 2, "東京"),), (EvidenceSpan("甲:1", 2, 5),)), "single"),
        Question(
            "q2",
            "どこと\u3000どこ？",
            ((EvidenceSpan("甲:1", 0, 1), EvidenceSpan("甲:1", 5, 7, "か\u3099")),),
            tags=("t", "u"),
            answer="東",
            split="test",
            units={"sentence": sentence},
        ),
        Question("q3", "答えなし", ()),
    ]
    write_corpus(root, INFO, documents, questions, [Excluded("q4", "外", "answer_in_title")])


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    root = tmp_path / "a" / "tangle"
    written(root)
    loaded = load_corpus(root)
    corpus, questions = loaded
    assert corpus.info == INFO
    assert read_corpus_info(str(root)) == INFO
    assert corpus.document(0).text == TANGLED
    assert corpus.document(0).paragraphs == ((0, 2), (2, len(TANGLED)))
    assert corpus.document(0).metadata == {"page": 3, "list": [1.5, None, "い"]}
    assert corpus.ids == ("甲:1", "空")
    second = questions.question(corpus, 1)
    assert (second.tags, second.answer, second.split, second.kind) == (("t", "u"), "東", "test", None)
    assert [s.text for s in second.evidence[0]] == ["東", "か\u3099"]
    assert second.units["sentence"][0][0].end == 5
    assert questions.kinds == ("single", None, "unanswerable")
    assert questions.excluded == (Excluded("q4", "外", "answer_in_title"),)
    assert loaded.unquoted == ("q1", "q2")
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["tangle"]
    assert kugiri.load_corpus(root).documents_sha256 == loaded.documents_sha256


def test_digests_are_those_of_the_files_and_do_not_depend_on_formatting(tmp_path: Path) -> None:
    root = tmp_path / "tangle"
    written(root)
    loaded = load_corpus(root)
    for name, digest in (("documents", loaded.documents_sha256), ("questions", loaded.questions_sha256)):
        path = root / f"{name}.jsonl"
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
        rows = [json.loads(line) for line in path.read_bytes().decode().split("\n") if line]
        shuffled = [dict(reversed(row.items())) for row in rows]
        path.write_text("\n".join(json.dumps(row, indent=None) for row in shuffled), encoding="utf-8")
    again = load_corpus(root)
    assert (again.documents_sha256, again.questions_sha256) == (loaded.documents_sha256, loaded.questions_sha256)


def test_d37_line_ends_of_a_windows_clone_change_neither_text_nor_digest(tmp_path: Path) -> None:
    root = tmp_path / "tangle"
    written(root)
    before = load_corpus(root)
    for path in root.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    after = load_corpus(root)
    assert after.corpus.texts == before.corpus.texts
    assert after.documents_sha256 == before.documents_sha256
    assert after.questions_sha256 == before.questions_sha256


def test_c26_ids_that_only_look_the_same(tmp_path: Path) -> None:
    composed, decomposed = unicodedata.normalize("NFC", "が"), unicodedata.normalize("NFD", "が")
    rows = [{"id": composed, "text": TANGLED}, {"id": decomposed, "text": TANGLED}]
    root = folder(tmp_path, rows, [asked("q", [span(composed, 0, 1)])])
    with pytest.raises(InputError) as refused:
        load_corpus(root)
    assert r"'\u304c'" in refused.value.what
    assert r"'\u304b\u3099'" in refused.value.what


def test_n109_ids_are_text(tmp_path: Path) -> None:
    documents = [{"id": 1, "text": TANGLED}, {"id": "A-2", "text": TANGLED}]
    root = folder(tmp_path, documents, [asked(7, [span(1, 0, 2, "東京")]), asked("x", [span("1", 0, 1)])])
    loaded = load_corpus(root)
    assert loaded.corpus.ids == ("1", "A-2")
    assert loaded.questions.ids == ("7", "x")
    as_text = json.loads(json.dumps(documents).replace('"id": 1', '"id": "1"'))
    same = load_corpus(
        folder(tmp_path, as_text, [asked("7", [span("1", 0, 2, "東京")]), asked("x", [span("1", 0, 1)])])
    )
    assert (same.documents_sha256, same.questions_sha256) == (loaded.documents_sha256, loaded.questions_sha256)


def test_n109_the_number_and_the_text_are_one_id(tmp_path: Path) -> None:
    root = folder(tmp_path, [{"id": 1, "text": TANGLED}, {"id": "1", "text": TANGLED}], [asked("q", [span(1, 0, 1)])])
    with pytest.raises(InputError, match=r"two documents have the id '1'\n.*documents\.jsonl:2, first on line 1"):
        load_corpus(root)


def test_g65_alternatives_and_spans_needed_together(tmp_path: Path) -> None:
    spans = [span("d", 0, 2), span("d", 8, 10)]
    rows = [asked("either", [spans[0]], [spans[1]]), asked("together", spans)]
    questions = load_corpus(folder(tmp_path, [{"id": "d", "text": TANGLED + TANGLED}], rows)).questions
    assert questions.evidence.question.tolist() == [0, 0, 1]
    assert sorted(questions.evidence.alternative.tolist()) == [0, 1, 2, 2]


def test_g67_identical_spans_are_merged(tmp_path: Path) -> None:
    rows = [asked("q", *[[span("d", 3, 5)]] * 3)]
    evidence = load_corpus(folder(tmp_path, [{"id": "d", "text": TANGLED}], rows)).questions.evidence
    assert (len(evidence.start), evidence.merged) == (1, 2)


def test_g70_unknown_documents_are_listed_by_question(tmp_path: Path) -> None:
    rows = [asked("q1", [span("d1", 0, 1)]), asked("q9", [span("d9", 0, 1)]), asked("q8", [span("d8", 0, 1)])]
    root = folder(tmp_path, [{"id": "d1", "text": TANGLED}], rows)
    with pytest.raises(InputError) as refused:
        load_corpus(root)
    assert "q9->d9" in refused.value.what
    assert "q8->d8" in refused.value.what
    assert "questions.jsonl:2" in refused.value.where


@pytest.mark.parametrize(
    ("documents", "questions", "excluded", "what", "where"),
    [
        ([], [asked("q")], [], "there is no document", "documents.jsonl"),
        ([{"id": "d", "text": "あ"}], [], [], "there is no question", "questions.jsonl"),
        ([{"id": "d", "text": "あ"}], [asked("q", [])], [], "no span", "questions.jsonl:1"),
        ([{"id": "d", "text": "あ"}], [asked("q"), asked("p", [span("d", 0, 2)])], [], "outside", "questions.jsonl:2"),
        ([{"id": "d", "text": "あ"}], [asked("q", [span("d", -1, 1)])], [], "outside", "questions.jsonl:1"),
        ([{"id": "d", "text": "あ"}], [asked("q", [span("d", 1, 1)])], [], "empty", "questions.jsonl:1"),
        (
            [{"id": "d", "text": "あい"}],
            [asked("q", [span("d", 0, 1, "い")])],
            [],
            "text[0:1]='あ'",
            "questions.jsonl:1",
        ),
        (
            [{"id": "d", "text": "あ"}],
            [asked("q"), asked("q")],
            [],
            "two questions",
            "questions.jsonl:2, first on line 1",
        ),
        (
            [{"id": "d", "text": "あ"}],
            [asked("q")],
            [{"id": "q", "question": "?", "reason": "r"}],
            "excluded",
            "d.jsonl:1",
        ),
        ([{"id": "d", "text": "あ"}], [asked("q", kind="sngle")], [], "unknown kind 'sngle'", "questions.jsonl:1"),
        ([{"id": "d", "text": "あ", "paragraphs": [[0, 2]]}], [asked("q")], [], "outside", "documents.jsonl:1"),
        ([{"id": "", "text": "あ"}], [asked("q")], [], "empty id", "documents.jsonl:1"),
    ],
)
def test_corpora_that_are_refused(
    tmp_path: Path, documents: list[Any], questions: list[Any], excluded: list[Any], what: str, where: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_corpus(folder(tmp_path, documents, questions, excluded))
    assert what in refused.value.what
    assert where in refused.value.where


def test_an_offset_beyond_every_integer_lies_outside(tmp_path: Path) -> None:
    root = folder(tmp_path, [{"id": "d", "text": TANGLED}], [asked("q", [span("d", 0, 10**40)])])
    with pytest.raises(InputError, match="outside its document"):
        load_corpus(root)


@pytest.mark.parametrize(
    ("toml", "what"),
    [
        (TOML + 'lisence = "x"\n', "unknown key 'lisence'"),
        (TOML.replace('licence="x"\n', ""), "missing required field `licence`"),
        (TOML + 'offset_unit = "utf16"\n', "utf16"),
    ],
)
def test_b17_the_corpus_says_what_its_offsets_count(tmp_path: Path, toml: str, what: str) -> None:
    root = folder(tmp_path, [{"id": "d", "text": TANGLED}], [asked("q", [span("d", 0, 1)])])
    (root / "corpus.toml").write_text(TOML + 'offset_unit = "codepoint"\n', encoding="utf-8")
    load_corpus(root)
    (root / "corpus.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load_corpus(root)
    assert what in refused.value.what


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such corpus folder"):
        load_corpus(tmp_path / "nowhere")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="a corpus is a folder"):
        load_corpus(tmp_path / "file")
    written(tmp_path / "there.previous")
    with pytest.raises(InputError, match=r"there\.previous"):
        load_corpus(tmp_path / "there")
