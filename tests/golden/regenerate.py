"""What every component makes of a few hostile inputs, written down: `python tests/golden/regenerate.py` writes it.

A golden file holds the output of one component under one version. It may change only when the version does: raise
`version`, run this script, and read the difference. The script refuses to change an output under the same version.
"""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kugiri.chunkers.cohesion import Cohesion
from kugiri.chunkers.external import External
from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.headings import Headings
from kugiri.chunkers.line import Line
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.parent_child import ParentChild
from kugiri.chunkers.phrase import Phrase
from kugiri.chunkers.recursive import Recursive
from kugiri.chunkers.semantic import Semantic
from kugiri.chunkers.sentence import Sentence
from kugiri.chunkers.sentence_window import SentenceWindow
from kugiri.chunkers.whole import Whole
from kugiri.embedders.hashed import Hashed
from kugiri.embedders.static import Static
from kugiri.evidence.containment import Containment
from kugiri.formats.chroma import Chroma
from kugiri.formats.squad import JSquad, Squad
from kugiri.metrics.at_rank import MRR, NDCG, Recall
from kugiri.metrics.chunk_level import ChunkNDCG, ChunkPrecision, ChunkRecall
from kugiri.metrics.evidence_recall import EvidenceRecall
from kugiri.metrics.needs import Needs
from kugiri.metrics.rank import Rank
from kugiri.metrics.ranking import Ranking
from kugiri.model.boundaries import Boundaries
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question, Questions
from kugiri.model.run import Run
from kugiri.retrievers.bm25 import Bm25
from kugiri.retrievers.oracle import Oracle
from kugiri.retrievers.protocol import EvidenceRanges, RetrievalTask, Retriever
from kugiri.retrievers.random_order import RandomOrder
from kugiri.retrievers.rrf import ReciprocalRankFusion
from kugiri.retrievers.tfidf import Tfidf
from kugiri.segmenters.blocks import Blocks
from kugiri.segmenters.graphemes import Graphemes
from kugiri.segmenters.lines import Lines
from kugiri.segmenters.paragraphs import Paragraphs
from kugiri.segmenters.phrases import Phrases
from kugiri.segmenters.sentences import Sentences
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
ORDERS: tuple[tuple[int, ...], ...] = ((0, 1, 2), (2, 1, 0), (1,), ())
"""Rankings of drawn chunks, best first; what a drawing has not is left out."""
ASKED: tuple[tuple[str, tuple[tuple[tuple[int, int, int], ...], ...]], ...] = (
    ("東京駅の注意は？", (((2, 0, 2),), ((2, 5, 7),))),
    ("トマト\u3000ﾄﾏﾄ", (((3, 0, 2), (3, 7, 8)),)),
    ("は\u3099 👩\u200d🍳 か\u3099 🇯🇵", (((0, 2, 5), (4, 0, 1)),)),
    ("次の行と字下げの末", (((4, 0, 14),), ((4, 3, 4),))),
    ("\r\n\u3000", ()),
)
"""A question and the `(text, start, end)` of its evidence."""
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


def _cut(*chunkers: Any) -> list[dict[str, Any]]:
    return [case for chunker in chunkers for case in _over_texts(str(chunker), chunker.chunk)]


def _units(segmenter: Any) -> list[dict[str, Any]]:
    return _over_texts(str(segmenter), segmenter.segment)


def _ranked_children() -> list[dict[str, Any]]:
    chunker = ParentChild(Sentence(12), Fixed(3))
    return [
        *_over_texts(str(chunker), chunker.chunk),
        *_over_texts(f"{chunker}, children", lambda corpus: chunker.indexed(chunker.chunk(corpus)).vectors),
    ]


def _from_file() -> list[dict[str, Any]]:
    rows = [
        {"document": "d2", "text": "注意。"},
        {"document": "d2", "text": "注意。"},
        {"document": "d3", "text": "トマトト", "start": 0, "end": 4},
        {"document": "d3", "text": "トマトトマト", "start": 3, "end": 9},
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chunks.jsonl"
        path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
        return _over_texts('external(file="chunks.jsonl")', External(file=str(path)).chunk)


def _embedded(label: str, embedder: Any) -> list[dict[str, Any]]:
    rows = embedder.embed(TEXTS)
    return [
        {"component": label, "text": text, "output": [round(float(value), 6) for value in row]}
        for text, row in zip(TEXTS, rows, strict=True)
    ]


def _static() -> list[dict[str, Any]]:
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {token: number for number, token in enumerate(["[UNK]", "注意", "。", "トマト", "東", "京"])}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", continuing_subword_prefix=""))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    vectors = np.arange(18, dtype=np.float32).reshape(6, 3) - 7
    with tempfile.TemporaryDirectory() as folder:
        save_file({"embeddings": vectors}, str(Path(folder) / "model.safetensors"))
        (Path(folder) / "config.json").write_text("{}", encoding="utf-8")
        made.save(str(Path(folder) / "tokenizer.json"))
        return _embedded('static(path="model")', Static(folder))


def _chroma() -> list[dict[str, Any]]:
    text = "# 始\u3000🍣か\u3099\r\n東京駅。\r\n\r\n東京。\n"
    references = [
        {"content": "東京駅", "start_index": text.index("東京駅"), "end_index": text.index("東京駅") + 3},
        {"content": "東京。", "start_index": text.index("東京。"), "end_index": text.index("東京。") + 3},
    ]
    rows = [["question", "references", "corpus_id"], ["どこ？", json.dumps(references), "始"]]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "始.md").write_bytes(text.encode())
        with (Path(folder) / "questions.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        source = dataclasses.asdict(Chroma().read([Path(folder)]))
    source.pop("files", None)
    return [{"file": {"始.md": text, "questions.csv": rows}, "output": json.loads(json.dumps(source, default=str))}]


def _drawn() -> list[dict[str, Any]]:
    cases = []
    for drawing, together in DRAWINGS:
        outcomes = Needs().of(world(drawing, together).loss)
        value = int(outcomes.value[0]) if outcomes.defined[0] else None
        cases.append({"drawing": drawing, "together": together, "output": value})
    return cases


def _ranked(*metrics: Any) -> list[dict[str, Any]]:
    """What metrics say of rankings of the drawn chunks, three places deep."""
    cases = []
    for drawing, together in DRAWINGS:
        loss = world(drawing, together).loss
        for order in ORDERS:
            row = [chunk for chunk in order if chunk < len(loss.chunking)]
            chunk = np.array([row + [-1] * (3 - len(row))], dtype=np.int32)
            score = np.where(chunk >= 0, 1.0 / np.arange(1, 4), np.nan)
            ranking = Ranking.of(loss, Run(chunk, score, np.array([len(row)]), np.array([False])))
            output = {str(m): _rounded(m.of(ranking).value[0]) for m in metrics}
            cases.append({"drawing": drawing, "together": together, "ranking": row, "output": output})
    return cases


def _found(*retrievers: Retriever) -> list[dict[str, Any]]:
    """The chunks that retrievers find for each question, with their scores."""
    corpus = _corpus()
    records = [
        Question(f"q{number}", text, tuple(tuple(EvidenceSpan(f"d{d}", s, e) for d, s, e in spans) for spans in found))
        for number, (text, found) in enumerate(ASKED)
    ]
    chunking, questions = Fixed(7, 0.29).chunk(corpus), Questions.from_records(corpus, records)
    evidence = questions.evidence
    held = Containment.of(chunking, evidence.start, evidence.end)
    ranges = EvidenceRanges(held.first, held.last, evidence.alternative, evidence.question)
    cases = []
    for retriever in retrievers:
        run = retriever.rank(RetrievalTask(chunking, questions.ids, questions.texts, ranges))
        for row, question in enumerate(questions.texts):
            places = range(int(run.hits[row]))
            output = [[chunking.chunk(int(run.chunk[row, n])).id, _rounded(run.score[row, n])] for n in places]
            cases.append({"component": str(retriever), "question": question, "output": output})
    return cases


def _rounded(value: float) -> float | None:
    """To nine decimals, which is what different machines agree on; None where there is none."""
    return None if np.isnan(value) else round(float(value), 9)


def _imported(reader: Squad | JSquad) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "squad.json"
        path.write_bytes(json.dumps(SQUAD, ensure_ascii=False).encode())
        source = dataclasses.asdict(reader.read([path]))
    # What only formats of whole documents bring.
    for key in ("documents", "questions", "files"):
        source.pop(key, None)
    return [{"file": SQUAD, "output": json.loads(json.dumps(source))}]


COMPONENTS: Mapping[str, tuple[type[Any], Callable[[], list[dict[str, Any]]]]] = {
    "fixed": (
        Fixed,
        lambda: _cut(
            *(Fixed(*window) for window in WINDOWS),
            *(Fixed(2, 1, unit) for unit in ("grapheme", "morpheme")),
            *(Fixed(3, 1, "token", tokenizer) for tokenizer in ("cl100k", "o200k")),
            Fixed(4, 2, trim=True),
        ),
    ),
    "paragraph": (Paragraph, lambda: _cut(Paragraph(), Paragraph(size=6), Paragraph(size=9, overlap=0.5, trim=True))),
    "sentence": (
        Sentence,
        lambda: _cut(Sentence(5), Sentence(9, 4, newline="wrap"), Sentence(4, 0.3, tokenizer="cl100k", trim=True)),
    ),
    "sentence_window": (SentenceWindow, lambda: _cut(SentenceWindow(), SentenceWindow(0, 2, newline="wrap"))),
    "recursive": (
        Recursive,
        lambda: _cut(Recursive(6), Recursive(6, 2), Recursive(5, separators=("。", (" ", "\u3000")))),
    ),
    "line": (Line, lambda: _cut(Line(6), Line(8, 3, trim=True))),
    "phrase": (Phrase, lambda: _cut(Phrase(6), Phrase(6, 2, by="unidic"))),
    "headings": (Headings, lambda: _cut(Headings(), Headings(level=1, size=6, overlap=2))),
    "whole": (Whole, lambda: _cut(Whole(), Whole(trim=True))),
    "cohesion": (Cohesion, lambda: _cut(Cohesion(8, window=2))),
    "semantic": (Semantic, lambda: _cut(Semantic(8, buffer=1))),
    "parent_child": (ParentChild, _ranked_children),
    "external": (External, _from_file),
    "hashed": (Hashed, lambda: _embedded(str(Hashed(8)), Hashed(8))),
    "static": (Static, _static),
    "chroma": (Chroma, _chroma),
    "blocks": (Blocks, lambda: _units(Blocks())),
    "sentences": (Sentences, lambda: [*_units(Sentences()), *_units(Sentences("wrap"))]),
    "lines": (Lines, lambda: _units(Lines())),
    "phrases": (Phrases, lambda: _units(Phrases())),
    "graphemes": (Graphemes, lambda: _units(Graphemes())),
    "paragraphs": (Paragraphs, lambda: _units(Paragraphs())),
    "unidic": (Unidic, lambda: _units(Unidic())),
    "bm25": (Bm25, lambda: _found(Bm25(depth=5), Bm25(tokenizer="bigram", method="bm25+", k1=1.2, depth=3))),
    "tfidf": (Tfidf, lambda: _found(Tfidf(depth=5), Tfidf(tokenizer="bigram", depth=3))),
    "rrf": (
        ReciprocalRankFusion,
        lambda: _found(
            ReciprocalRankFusion(of=(Bm25(depth=4), Tfidf(tokenizer="bigram")), depth=5),
            ReciprocalRankFusion(of=(Bm25(), RandomOrder(depth=2), Oracle()), k=1, depth=4),
        ),
    ),
    "oracle": (Oracle, lambda: _found(Oracle(), Oracle(depth=1))),
    "random": (RandomOrder, lambda: _found(RandomOrder(depth=4), RandomOrder(seed=-7, depth=2))),
    "needs": (Needs, _drawn),
    "rank": (Rank, lambda: _ranked(Rank())),
    "Recall": (Recall, lambda: _ranked(Recall(k=1), Recall(k=3), Recall(budget=2), Recall(budget=4))),
    "MRR": (MRR, lambda: _ranked(MRR(1), MRR(3))),
    "nDCG": (NDCG, lambda: _ranked(NDCG(1), NDCG(3))),
    "EvidenceRecall": (EvidenceRecall, lambda: _ranked(EvidenceRecall(2), EvidenceRecall(4))),
    "ChunkRecall": (ChunkRecall, lambda: _ranked(ChunkRecall(1), ChunkRecall(3))),
    "ChunkPrecision": (ChunkPrecision, lambda: _ranked(ChunkPrecision(1), ChunkPrecision(3))),
    "ChunkNDCG": (ChunkNDCG, lambda: _ranked(ChunkNDCG(1), ChunkNDCG(3))),
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
