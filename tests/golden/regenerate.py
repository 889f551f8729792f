"""What every component makes of a few hostile inputs, written down: `python tests/golden/regenerate.py` writes it.

A golden file holds the output of one component under one version. It may change only when the version does: raise
`version`, run this script, and read the difference. The script refuses to change an output under the same version.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.formats.squad import JSquad, Squad
from kugiri.metrics.needs import Needs
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.segmenters.graphemes import Graphemes
from kugiri.segmenters.paragraphs import Paragraphs
from kugiri.segmenters.unidic import Unidic
from kugiri.testing.drawn import world

FOLDER = Path(__file__).parent
SUMS = FOLDER / "SHA256SUMS"
INFO = CorpusInfo("golden", "黄金", "ja", "CC0-1.0", "tests/golden", "hostile inputs")
TEXTS = (
    "始\u3000👩\u200d🍳はか\u3099\r\n🇯🇵の東\u200b京駅。\r\n\r\n\u3000終わりㇷ゚。",
    "",
    "注意。\n\n注意。",
    "トマトトマトトマト",
    "行\r\n次の行\r\n \r\n\u3000字下げ\n\n\n末\n",
    "\r\n\u3000\r\n",
    "한국어\u1112\u1161\u11ab क्षि ᄀ\u0903 \u0600数 e\u0301",
    "🇯🇵🇩🇪🇫☕\ufe0f1\ufe0f\u20e3葛\U000e0100",
    "赤 い\t花\u3000束 ",
)
RECORDED: tuple[tuple[tuple[int, int], ...], ...] = ((), (), (), ((0, 3), (3, 6), (7, 9)), (), (), (), (), ())
WINDOWS: tuple[tuple[int, int | float], ...] = ((1, 0), (3, 0), (4, 2), (7, 0.29), (100, 0.2))
DRAWINGS = (
    ("ab[c|d]e", False),
    ("[あ]|い", False),
    ("[🍣]か\u3099|[\u3000]\r\n", True),
    ("[a]|[b]|[c]", True),
    ("⟨[a]b⟨[c]⟩[d]⟩", True),
    ("⟨[a]b⟨[c]⟩[d]⟩", False),
    ("[a][b|c]", True),
    ("ab|cd", False),
)
CONTEXT = "題名 [SEP]  始🍣か\u3099\u3000東京\r\n東京。"
SQUAD = {
    "version": "v2",
    "data": [
        {
            "title": "題名",
            "paragraphs": [
                {
                    "context": CONTEXT,
                    "qas": [
                        {"id": "q1", "question": "どこ？", "answers": [{"text": "東京", "answer_start": 15}] * 2},
                        {"id": "q2", "question": "題は？", "answers": [{"text": "題名", "answer_start": 0}]},
                        {"id": 3, "question": "無い？", "answers": [], "is_impossible": True},
                        {"id": "q4", "question": "空？", "answers": []},
                    ],
                }
            ],
        }
    ],
}


def _corpus() -> Corpus:
    documents = [Document(f"d{n}", text, None, RECORDED[n]) for n, text in enumerate(TEXTS)]
    return Corpus.from_documents(INFO, documents)


def _pairs(corpus: Corpus, units: Boundaries | Chunking) -> list[list[list[int]]]:
    """`[start, end]` of every unit in its document's own offsets, a list a document."""
    found: list[list[list[int]]] = [[] for _ in corpus.ids]
    document = corpus.document_of(units.start)
    for d, start, end in zip(document.tolist(), units.start.tolist(), units.end.tolist(), strict=True):
        origin = int(corpus.document_start[d])
        found[d].append([start - origin, end - origin])
    return found


def _over_texts(label: str, units: Callable[[Corpus], Boundaries | Chunking]) -> list[dict[str, Any]]:
    corpus = _corpus()
    return [
        {"component": label, "text": text, "paragraphs": [list(pair) for pair in recorded], "output": output}
        for text, recorded, output in zip(TEXTS, RECORDED, _pairs(corpus, units(corpus)), strict=True)
    ]


def _drawn() -> list[dict[str, Any]]:
    cases = []
    for drawing, together in DRAWINGS:
        outcomes = Needs().of(world(drawing, together).loss)
        value = int(outcomes.value[0]) if outcomes.defined[0] else None
        cases.append({"drawing": drawing, "together": together, "output": value})
    return cases


def _imported(reader: Squad | JSquad) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "squad.json"
        path.write_bytes(json.dumps(SQUAD, ensure_ascii=False).encode())
        source = dataclasses.asdict(reader.read([path]))
    return [{"file": SQUAD, "output": json.loads(json.dumps(source))}]


COMPONENTS: Mapping[str, tuple[type[Any], Callable[[], list[dict[str, Any]]]]] = {
    "fixed": (Fixed, lambda: [case for w in WINDOWS for case in _over_texts(str(Fixed(*w)), Fixed(*w).chunk)]),
    "paragraph": (Paragraph, lambda: _over_texts(str(Paragraph()), Paragraph().chunk)),
    "graphemes": (Graphemes, lambda: _over_texts(str(Graphemes()), Graphemes().segment)),
    "paragraphs": (Paragraphs, lambda: _over_texts(str(Paragraphs()), Paragraphs().segment)),
    "unidic": (Unidic, lambda: _over_texts(str(Unidic()), Unidic().segment)),
    "needs": (Needs, _drawn),
    "squad": (Squad, lambda: _imported(Squad())),
    "jsquad": (JSquad, lambda: _imported(JSquad())),
}
"""Name of the golden file → the component's class, and what makes its cases."""


def made(name: str) -> dict[str, Any]:
    """The golden file as the component makes it now."""
    component, cases = COMPONENTS[name]
    return {"component": component.name, "version": component.version, "cases": cases()}


def complaint(written: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """What is wrong with a golden file, None if it is what the component makes."""
    if written == now:
        return None
    what = "the version changed" if written["version"] != now["version"] else "the output changed: raise `version`"
    return f"{now['component']}: {what} and regenerate with `python tests/golden/regenerate.py`"


def text_of(golden: Mapping[str, Any]) -> bytes:
    """The golden file's bytes: ASCII, so that no editor and no checkout changes a character of it."""
    return (json.dumps(golden, ensure_ascii=True, indent=1) + "\n").encode("ascii")


def sums() -> bytes:
    """SHA-256 of every golden file, as `sha256sum` writes it."""
    files = sorted(FOLDER.glob("*.json"))
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files).encode()


def main() -> int:
    """Writes what is new or has a new version; says what it refuses."""
    refused = []
    for name in COMPONENTS:
        path, now = FOLDER / f"{name}.json", made(name)
        written = json.loads(path.read_bytes()) if path.exists() else None
        if written is not None and written != now and written["version"] == now["version"]:
            refused.append(complaint(written, now))
        else:
            path.write_bytes(text_of(now))
    SUMS.write_bytes(sums())
    for message in refused:
        print(message, file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
