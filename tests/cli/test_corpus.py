from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus_command import CAPITAL, DOCUMENT, QUESTION, TANGLED, Kugiri, asked, commands, corpus, refused, squad, tree
from rich.cells import cell_len


@pytest.fixture
def kugiri(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kugiri:
    return commands(capsys, monkeypatch, tmp_path)


def test_import_and_look(kugiri: Kugiri, tmp_path: Path) -> None:
    source = squad(tmp_path / "s.json", TANGLED, asked("q1", ("東京", 0)), asked("q2", is_impossible=True))
    done = kugiri("corpus", "import", "squad", source, "--to", "out/c")
    assert done.code == 0
    assert done.err == (
        "warning: language set to 'ja' (18% of the characters are kana); correct it in corpus.toml if it is another\n"
    )
    assert done.out == (
        f"{Path('out/c')}: 1 document, 11 characters, 1 paragraph, 2 questions, 1 of them unanswerable, "
        "1 evidence span\n"
        "n=2 of 2\n"
    )
    checked = kugiri("corpus", "check", "out/c")
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.endswith("every span verified, nothing to look at\n")
    shown = kugiri("corpus", "show", "out/c")
    assert (shown.code, shown.err) == (0, "")
    assert "q1  q1は？\n  題@0:2\n    【東京】👩\u200d🍳か\u3099\\r\\n\u3000終\n" in shown.out
    assert "unanswerable from this corpus" in shown.out


def test_g62_the_list_goes_to_standard_output_and_nothing_is_written(kugiri: Kugiri, tmp_path: Path) -> None:
    source = squad(tmp_path / "s.json", CAPITAL, asked("q3", ("東京", 7)), asked("q4", ("東京", 1)))
    before = tree(tmp_path)
    done = kugiri("corpus", "import", "squad", source, "--to", "c")
    refused(done, "2 answers are not the text at their place", "--on-mismatch exclude")
    assert done.out.splitlines()[0].startswith("q3: mismatch: text[7:9]='京で', nearest 6")
    assert len(done.out.splitlines()) == 2
    assert tree(tmp_path) == before
    assert not (tmp_path / "c").exists()


def test_g64_one_of_five(kugiri: Kugiri, tmp_path: Path) -> None:
    questions = [asked(f"q{n}", ("東京", 7 if n == 3 else 6)) for n in range(1, 6)]
    source = squad(tmp_path / "s.json", CAPITAL, *questions)
    assert kugiri("corpus", "import", "squad", source, "--to", "c").code == 2
    done = kugiri("corpus", "import", "squad", source, "--to", "c", "--on-mismatch", "exclude")
    assert done.code == 0
    assert "n=4 of 5, excluded: q3 (offset_mismatch)" in done.out
    assert "q3: mismatch" in done.err
    (row,) = [json.loads(line) for line in (tmp_path / "c/excluded.jsonl").read_text(encoding="utf-8").splitlines()]
    assert row == {"id": "q3", "question": "q3は？", "reason": "offset_mismatch"}
    assert "n=4 of 5, excluded: q3 (offset_mismatch)" in kugiri("corpus", "check", "c").out


def test_b19_through_the_command(kugiri: Kugiri, tmp_path: Path) -> None:
    source = squad(tmp_path / "s.json", "🍣を3皿", asked("q", ("3皿", 3)))
    refused(kugiri("corpus", "import", "squad", source, "--to", "c"), "every answer fits with --offset-unit utf16")
    assert kugiri("corpus", "import", "squad", source, "--to", "c", "--offset-unit", "utf16").code == 0
    row = json.loads((tmp_path / "c/questions.jsonl").read_text(encoding="utf-8"))
    assert row["evidence"] == [[{"document": "題", "start": 2, "end": 4, "text": "3皿"}]]


def test_joins_are_recorded(kugiri: Kugiri, tmp_path: Path) -> None:
    import tomllib

    source = squad(tmp_path / "s.json", "東京 [SEP] " + TANGLED, asked("q", ("東京", 9)), asked("p", ("東京", 0)))
    options = ["--join", "chars=5", "--separator", r"\n\u3000", "--shuffle", "3", "--json"]
    done = kugiri("corpus", "import", "jsquad", source, "--to", "c", *options)
    told = json.loads(done.out)
    assert (told["documents"], told["questions"]) == (1, 1)
    assert told["excluded"] == [{"id": "p", "reason": "answer_in_title"}]
    info = tomllib.loads((tmp_path / "c/corpus.toml").read_text(encoding="utf-8"))
    built = info["built"]
    assert (info["name"], info["language"], info["licence"]) == ("c", "ja", "CC BY-SA 4.0")
    assert (built["join"], built["separator"], built["shuffle"]) == ("chars=5", "\n\u3000", 3)
    assert built["counts"] == {"documents": 1, "questions": 1, "excluded": {"answer_in_title": 1}}
    assert [entry["name"] for entry in built["files"]] == ["s.json"]
    assert str(tmp_path) not in (tmp_path / "c/corpus.toml").read_text(encoding="utf-8")


def test_an_import_replaces_an_import_and_nothing_else(kugiri: Kugiri, tmp_path: Path) -> None:
    source = squad(tmp_path / "s.json", CAPITAL, asked("q", ("東京", 6)))
    for _ in range(2):
        assert kugiri("corpus", "import", "squad", source, "--to", "c").code == 0
    corpus(tmp_path / "hand")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.txt").write_bytes(b"mine")
    before = tree(tmp_path)
    refused(kugiri("corpus", "import", "squad", source, "--to", "hand"), "was neither imported nor synthesized")
    refused(kugiri("corpus", "import", "squad", source, "--to", "notes"), "not empty")
    refused(kugiri("corpus", "import", "squad", source, "--to", source), "a corpus is a folder")
    assert tree(tmp_path) == before


def test_warnings_of_check_are_data(kugiri: Kugiri, tmp_path: Path) -> None:
    row = QUESTION.replace('"id":"q"', '"id":"p"')
    root = corpus(tmp_path / "c", DOCUMENT.replace("東京", "東京\u200b\ufffd"), f"{QUESTION}\n{row}")
    done = kugiri("corpus", "check", root)
    assert (done.code, done.err) == (0, "")
    assert "warning: 2 questions, 1 distinct text\n  どこ？: q, p\n" in done.out
    assert "1 of U+200B, first at 2" in done.out
    told = json.loads(kugiri("corpus", "check", root, "--json").out)
    assert [warning["code"] for warning in told["warnings"]] == ["invisible", "replacement", "repeated_questions"]


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_no_line_is_wider_than_the_terminal(
    kugiri: Kugiri, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = ("東京都の\u200be-mail👩か\u3099\r\n\u3000" * 30)[:400]
    rows = [
        {"id": f"q{n}", "question": "長い質問" * n, "evidence": [[{"document": "d", "start": n, "end": 3 * n + 1}]] * 2}
        for n in range(1, 60)
    ]
    documents = json.dumps({"id": "d", "text": text, "paragraphs": [[0, 9], [20, 60]]})
    root = corpus(tmp_path / "c", documents, "\n".join(map(json.dumps, rows)))
    for command in ("show", "check"):
        for line in kugiri("corpus", command, root.name).out.split("\n"):
            assert cell_len(line) <= columns, line
            assert "\x1b" not in line


def test_o119_standard_output_is_data_and_nothing_moves_on_standard_error(tmp_path: Path) -> None:
    source = squad(tmp_path / "s.json", CAPITAL, asked("q", ("東京", 6)))
    for arguments in (
        ["import", "squad", source, "--to", tmp_path / "c"],
        ["check", tmp_path / "c"],
        ["show", tmp_path / "c"],
    ):
        done = _process("corpus", *arguments, "--json")
        assert done.returncode == 0, done.stderr
        assert b"\r" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
        assert isinstance(json.loads(done.stdout), dict)


def test_o115_no_file_is_opened_in_the_encoding_of_the_machine(tmp_path: Path) -> None:
    source = squad(tmp_path / "s.json", CAPITAL, asked("q", ("東京", 6)))
    for arguments in (
        ["import", "squad", source, "--to", tmp_path / "c"],
        ["check", tmp_path / "c"],
        ["show", tmp_path / "c"],
    ):
        done = _process("corpus", *arguments, options=["-X", "warn_default_encoding", "-W", "error::EncodingWarning"])
        assert done.returncode == 0, done.stderr


def test_a_console_that_cannot_show_everything(tmp_path: Path) -> None:
    root = corpus(tmp_path / "c")
    done = _process("corpus", "show", root, environment={"PYTHONIOENCODING": "cp932"})
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode("cp932")
    assert "【東京】" in shown
    assert "#" in shown
    assert r"\u2588" not in shown


def _process(
    *arguments: object, options: list[str] | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *(options or []), "-c", "from kugiri.cli import main; main()", *map(str, arguments)]
    settings = {"PYTHONIOENCODING": "utf-8", **os.environ, **(environment or {})}
    return subprocess.run(command, capture_output=True, check=False, env=settings)
