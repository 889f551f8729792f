"""Every file is opened with its encoding: a whole sweep under `-W error::EncodingWarning` (case O115)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = "始\u3000👩\u200d🍳はか\u3099\r\n🇯🇵の東\u200b京駅。"
INFO = (
    'name = "小"\ntitle = "小さな文書"\nlanguage = "ja"\nlicence = "CC0-1.0"\nsource = "test"\ndescription = "test"\n'
)
SWEEP = 'title = "八つ"\ncorpus = "小"\n[[chunkers]]\nuse = "fixed"\nsize = 4\n[chunkers.grid]\noverlap = [0, 1]\n'
COMMAND = "from kugiri.cli import main; main()"
IN_PYTHON = """
from pathlib import Path
from kugiri.export.parquet import write_table
from kugiri.export.tables import tables
from kugiri.formats.corpus_folder import load_corpus
from kugiri.sweeps.file import read_sweep
from kugiri.sweeps.run import run
sweep = read_sweep(Path("比較.toml"))
loaded = load_corpus(sweep.corpus)
results = run(sweep.plan, loaded.corpus, loaded.questions, (loaded.documents_sha256, loaded.questions_sha256))
for name, table in tables(results).items():
    write_table(Path(f"{name}.parquet"), table)
print(*results.configurations[0].loss.lost_ids)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = tmp_path / "小"
    corpus.mkdir()
    asked = {
        "id": "問1",
        "question": "何？",
        "evidence": [[{"document": "甲:1", "start": 3, "end": 6, "text": TEXT[3:6]}]],
    }
    (corpus / "corpus.toml").write_bytes(INFO.encode())
    (corpus / "documents.jsonl").write_bytes(json.dumps({"id": "甲:1", "text": TEXT}, ensure_ascii=False).encode())
    (corpus / "questions.jsonl").write_bytes(json.dumps(asked, ensure_ascii=False).encode())
    (tmp_path / "比較.toml").write_bytes(SWEEP.encode())
    return tmp_path


def run(folder: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-W",
            "error::EncodingWarning",
            # `regex` asks for the locale's encoding when it is imported: it opens nothing, and is not ours.
            "-W",
            "ignore:UTF-8 Mode affects:EncodingWarning",
            "-c",
            code,
            *arguments,
        ],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONWARNDEFAULTENCODING": "1",
            "PYTHONUTF8": "0",
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def test_the_test_itself_would_notice(tmp_path: Path) -> None:
    code = f"open({str(tmp_path / 'x')!r}, 'w')"
    done = subprocess.run(
        [sys.executable, "-W", "error::EncodingWarning", "-c", code],
        env={**os.environ, "PYTHONWARNDEFAULTENCODING": "1"},
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "EncodingWarning" in done.stderr


def test_a_sweep_from_files_to_tables(folder: Path) -> None:
    assert run(folder, IN_PYTHON).stdout == "問1\n"


@pytest.mark.slow
def test_every_command_with_the_report(folder: Path) -> None:
    done = run(folder, COMMAND, "sweep", "比較.toml", "--out", "結果")
    assert done.returncode == 0, done.stderr
    assert "EncodingWarning" not in done.stderr
    assert (folder / "結果" / "manifest.json").exists()
    for command in (
        ["lost", "結果"],
        ["explain", "小", "問1", "fixed(size=4)"],
        ["corpus", "check", "小"],
        ["corpus", "show", "小"],
    ):
        done = run(folder, COMMAND, *command)
        assert done.returncode == 0, (command, done.stderr)
