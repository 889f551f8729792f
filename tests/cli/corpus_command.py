"""The command `kugiri corpus …` in this process, and small files for it."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kugiri.cli import main

TANGLED = "東京👩\u200d🍳か\u3099\r\n\u3000終"
CAPITAL = "日本の首都は東京です"
TOML = 'name="a"\ntitle="題"\nlanguage="ja"\nlicence="x"\nsource="x"\ndescription="x"\n'
DOCUMENT = json.dumps({"id": "d", "text": TANGLED}, ensure_ascii=False)
QUESTION = '{"id":"q","question":"どこ？","evidence":[[{"document":"d","start":0,"end":2,"text":"東京"}]]}'


@dataclasses.dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Kugiri = Callable[..., Outcome]


def commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kugiri:
    """The real command, in this process, in an empty folder and 80 columns."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["kugiri", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        return Outcome(int(ended.value.code or 0), told.out, told.err)

    return run


def asked(identity: str, *answers: tuple[str, int], **more: Any) -> dict[str, Any]:
    listed = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": identity, "question": f"{identity}は？", "answers": listed, **more}


def squad(path: Path, context: str, *questions: dict[str, Any], title: str = "題") -> Path:
    data = {"data": [{"title": title, "paragraphs": [{"context": context, "qas": questions}]}]}
    path.write_bytes(json.dumps(data, ensure_ascii=False).encode())
    return path


def corpus(root: Path, documents: str = DOCUMENT, questions: str = QUESTION, toml: str = TOML) -> Path:
    root.mkdir()
    for name, text in (("corpus.toml", toml), ("documents.jsonl", documents), ("questions.jsonl", questions)):
        (root / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    return root


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(outcome: Outcome, *words: str) -> None:
    lines = outcome.err.splitlines()
    assert outcome.code == 2, outcome
    assert [line.split(":")[0] for line in lines] == ["error", "where", "do"], outcome.err
    for word in words:
        assert word in outcome.err
