from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from corpus_command import Kugiri, commands, refused, tree

SMALL = ["--document-length", "600:300", "--paragraph-length", "120:60", "--evidence-length", "10:80"]


@pytest.fixture
def kugiri(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kugiri:
    return commands(capsys, monkeypatch, tmp_path)


def test_drawn_checked_and_shown(kugiri: Kugiri, tmp_path: Path) -> None:
    done = kugiri("corpus", "synthesize", "--to", "out/負荷", "--documents", 12, "--questions", 60, *SMALL)
    assert (done.code, done.err) == (0, "")
    counts, purpose = done.out.splitlines()
    assert counts.startswith(f"{Path('out/負荷')}: 12 documents, ")
    assert ", 60 questions, " in counts
    assert purpose.startswith("For load, not for judging")
    info = tomllib.loads((tmp_path / "out/負荷/corpus.toml").read_text(encoding="utf-8"))
    assert info["name"] == "負荷"
    assert info["description"] == purpose
    assert info["built"]["document_length"] == "600:300"
    checked = kugiri("corpus", "check", "out/負荷")
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.endswith("every span verified, nothing to look at\n")
    assert kugiri("corpus", "show", "out/負荷").code == 0


def test_json_and_the_seed(kugiri: Kugiri, tmp_path: Path) -> None:
    arguments = ["corpus", "synthesize", "--documents", 3, "--questions", 9, *SMALL, "--json"]
    told = json.loads(kugiri(*arguments, "--to", "a", "--seed", 7).out)
    again = json.loads(kugiri(*arguments, "--to", "b", "--seed", 7).out)
    other = json.loads(kugiri(*arguments, "--to", "c", "--seed", -7).out)
    assert told == {**again, "corpus": "a"}
    assert other["documents_sha256"] != told["documents_sha256"]
    assert (told["documents"], told["questions"]) == (3, 9)
    assert "For load" in told["purpose"]
    for name in ("documents.jsonl", "questions.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_no_question_is_allowed_and_said(kugiri: Kugiri) -> None:
    done = kugiri("corpus", "synthesize", "--to", "c", "--documents", 2, "--questions", 0, *SMALL)
    assert done.code == 0
    assert done.err.startswith("warning: without a question")


def test_help_says_what_it_is_for(kugiri: Kugiri) -> None:
    told = kugiri("corpus", "synthesize", "--help")
    assert told.code == 0
    assert "load tests" in told.out
    assert "load tests" in kugiri("corpus", "--help").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--documents", 0, "--questions", 1], ["0 is too few", "--documents"]),
        (["--documents", 1, "--questions", -1], ["-1 is too few", "--questions"]),
        (
            ["--documents", 1, "--questions", 1, "--document-length", "30"],
            ["too short", "--evidence-length"],
        ),
        (["--documents", 1, "--questions", 1, "--evidence-length", "x"], ["no length: 'x'", "--evidence-length"]),
        (["--documents", 1, "--questions", 1, "--multiple", "2"], ["2.0 is no share", "--multiple"]),
    ],
)
def test_refused(kugiri: Kugiri, tmp_path: Path, arguments: list[object], words: list[str]) -> None:
    refused(kugiri("corpus", "synthesize", "--to", "c", *arguments), *words)
    assert tree(tmp_path) == {}


def test_somebody_elses_folder_is_left_alone(kugiri: Kugiri, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_bytes("か\u3099🍣\r\n\u3000".encode())
    before = tree(tmp_path)
    arguments = ["--documents", 2, "--questions", 2, *SMALL]
    refused(kugiri("corpus", "synthesize", "--to", "mine", *arguments), "not empty")
    assert tree(tmp_path) == before


def test_progress_goes_to_standard_error(kugiri: Kugiri, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kugiri.cli.corpus._SECONDS_BETWEEN", 0)
    done = kugiri("corpus", "synthesize", "--to", "c", "--documents", 3, "--questions", 3, *SMALL)
    lines = done.err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["[2/3] documents", "[3/3] documents"]
    assert len(done.out.splitlines()) == 2
