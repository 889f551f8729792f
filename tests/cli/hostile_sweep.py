"""A small corpus of everything that breaks tools like this one, a sweep over it, and what it loses by brute force."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from corpus_command import Outcome

from kugiri.cli import main
from kugiri.errors import InvariantError
from kugiri.labels import component_label

ID_1, ID_2 = "規則:1", "手引@2"
TEXTS = {
    ID_1: (
        "第１条\u3000休暇は年２０日とする。繰越は翌年度末日まで認める。\r\n\r\n"
        "料理長👩\u200d🍳の許可か\u3099要る場合、様式ＺＱを出す。\x1b[31m朱書き\x1b[0mの注意\u202e逆に読む\u202cこと。\r\n\r\n"
        "附則\u3000この規程は霜月朔日より施く。"
    ),
    ID_2: (
        "\u3000装置の電源を落とし、弁ＡＢ－１２を閉め、圧力が０.３ＭＰａを下回るまで待つ。🇯🇵製につき保証は五箇年。\n\n"
        "照会先は内線４２１３、担当は蓮沼またはe\u0301toileの係。"
    ),
}
ANSI, BIDI = "\x1b", "\u202e"

Spans = tuple[str, ...]
ASKED: dict[str, tuple[str, tuple[Spans, ...]]] = {
    "q-休暇": ("休暇は一年に何日ありますか？", (("年２０日",),)),
    "q-繰越": ("繰越はいつまでですか？", (("繰越は翌年度末日まで認める",),)),
    "q-絵文字": ("誰の許可が要りますか👩\u200d🍳？", (("👩\u200d🍳の許可か\u3099要る",),)),
    "q-朱": ("注意は何色ですか\x1b[2J\u202e？", (("\x1b[31m朱書き\x1b[0mの注意\u202e逆に読む",),)),
    "q-両方": ("内線と施行日はどうなりますか？", (("内線４２１３", "霜月朔日"),)),
    "q-或いは": (
        "停止の手順はどこにありますか？",
        (("弁ＡＢ－１２を閉め、圧力が０.３ＭＰａを下回るまで待つ",), ("附則",)),
    ),
    "q-長い": ("電源を落としてから何をしますか？", ((TEXTS[ID_2][1:37],),)),
    "q-段落越え": ("保証と照会先はそれぞれ何ですか？", (("保証は五箇年。\n\n照会先は内線",),)),
    "q-ない": ("社長の好物はいったい何ですか？", ()),
}
UNANSWERABLE = "q-ない"
ANSWERABLE = len(ASKED) - 1

CORPUS_TOML = (
    'name="hostile"\ntitle="難しい文書"\nlanguage="ja"\nlicence="CC0-1.0"\nsource="tests"\ndescription="試験用"\n'
)
SWEEP_TOML = """title = "難題 👩\u200d🍳"
corpus = "../corpora/hostile"

[[chunkers]]
use = "fixed"
[chunkers.grid]
overlap = [0, 0.5]
size = [6, 20]

[[chunkers]]
use = "paragraph"
"""
LABELS = (
    "fixed(size=6)",
    "fixed(size=20)",
    "fixed(size=6, overlap=0.5)",
    "fixed(size=20, overlap=0.5)",
    "paragraph()",
)
SIZES = {LABELS[0]: (6, 0), LABELS[1]: (20, 0), LABELS[2]: (6, 3), LABELS[3]: (20, 10)}
UNREPEATABLE = ("manifest.json", "tables/measured.parquet")


def paragraphs_of(text: str) -> list[tuple[int, int]]:
    """The blocks between blank lines, for `paragraphs` of documents.jsonl."""
    found, start = [], 0
    for block in text.replace("\r\n\r\n", "\0\0\0\0").replace("\n\n", "\0\0").split("\0"):
        if block:
            start = text.index(block, start)
            found.append((start, start + len(block)))
    return found


def place_of(quotation: str) -> tuple[str, int, int]:
    (name,) = [name for name, text in TEXTS.items() if quotation in text]
    assert TEXTS[name].count(quotation) == 1
    start = TEXTS[name].index(quotation)
    return name, start, start + len(quotation)


def evidence_of(identity: str) -> list[list[tuple[str, int, int]]]:
    return [[place_of(quotation) for quotation in spans] for spans in ASKED[identity][1]]


def windows(length: int, size: int, overlap: int) -> list[tuple[int, int]]:
    chunks, start = [], 0
    while True:
        chunks.append((start, min(start + size, length)))
        if start + size >= length:
            return chunks
        start += size - overlap


def chunks_of(label: str) -> dict[str, list[tuple[int, int]]]:
    return {
        name: paragraphs_of(text) if label == "paragraph()" else windows(len(text), *SIZES[label])
        for name, text in TEXTS.items()
    }


def lost_by_brute_force(label: str) -> list[str]:
    chunks = chunks_of(label)

    def kept(spans: Sequence[tuple[str, int, int]]) -> bool:
        return all(any(a <= start and end <= b for a, b in chunks[name]) for name, start, end in spans)

    return [name for name in ASKED if evidence_of(name) and not any(map(kept, evidence_of(name)))]


def json_lines(rows: Sequence[dict[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


def write_corpus(folder: Path, toml: str = CORPUS_TOML) -> Path:
    folder.mkdir(parents=True)
    (folder / "corpus.toml").write_bytes(toml.encode())
    documents = [{"id": name, "text": text, "paragraphs": paragraphs_of(text)} for name, text in TEXTS.items()]
    (folder / "documents.jsonl").write_bytes(json_lines(documents))
    questions = [
        {
            "id": identity,
            "question": question,
            "evidence": [
                [
                    {"document": name, "start": start, "end": end, "text": TEXTS[name][start:end]}
                    for name, start, end in spans
                ]
                for spans in evidence_of(identity)
            ],
        }
        for identity, (question, _) in ASKED.items()
    ]
    (folder / "questions.jsonl").write_bytes(json_lines(questions))
    return folder


def write_world(root: Path, sweep: str = SWEEP_TOML) -> Path:
    """`corpora/hostile` and `sweeps/hostile.toml` below `root`; returns the sweep file."""
    write_corpus(root / "corpora" / "hostile")
    (root / "sweeps").mkdir()
    file = root / "sweeps" / "hostile.toml"
    file.write_bytes(sweep.encode())
    return file


def run_in(folder: Path, *arguments: object) -> Outcome:
    """The real command in this process, in `folder`, for fixtures that live longer than a test."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        patch.setattr(sys, "argv", ["kugiri", *map(str, arguments)])
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main()
    return Outcome(int(ended.value.code or 0), out.getvalue(), err.getvalue())


def process(
    *arguments: object, cwd: Path, options: Sequence[str] = (), **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """The real command in a process of its own."""
    command = [sys.executable, *options, "-c", "from kugiri.cli import main; main()", *map(str, arguments)]
    settings = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
    return subprocess.run(command, capture_output=True, check=False, cwd=cwd, env=settings, timeout=300)


def everything(folder: Path) -> list[str]:
    """Every path below the folder, empty folders included."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def repeatable(folder: Path) -> dict[str, bytes]:
    """The bytes of every file that the same sweep writes again."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name not in UNREPEATABLE}


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(folder / "tables" / f"{table}.parquet").to_pylist()
    return found


@dataclasses.dataclass(frozen=True)
class Swept:
    """A folder with `corpora/hostile`, `sweeps/hostile.toml` and `reports/hostile`, never to be changed."""

    root: Path
    outcome: Outcome

    @property
    def results(self) -> Path:
        return self.root / "reports" / "hostile"

    @property
    def corpus(self) -> Path:
        return self.root / "corpora" / "hostile"

    @property
    def file(self) -> Path:
        return self.root / "sweeps" / "hostile.toml"


@dataclasses.dataclass(frozen=True)
class Broken:
    """A third party's chunker that fails in one of several ways."""

    name: ClassVar[str] = "broken"
    version: ClassVar[int] = 1

    how: str

    def __str__(self) -> str:
        return component_label(self)

    def chunk(self, corpus: Any) -> Any:
        if self.how == "raises":
            raise RuntimeError("壊れた👩\u200d🍳\x1b[31m\u202e\nsecond line")
        if self.how == "refuses":
            raise InvariantError("the chunks are 逆順", "規則:1 [3, 1)", "correct the chunker")
        return None
