"""JSQuAD and JaQuAD against a brute-force reading of the raw files."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from kugiri.formats.corpus_folder import LoadedCorpus, load_corpus
from kugiri.formats.importing import import_corpus
from kugiri.formats.pseudo_documents import Join
from kugiri.formats.squad import JSquad, Squad

CORPORA = os.environ.get("KUGIRI_CORPORA")
pytestmark = pytest.mark.skipif(CORPORA is None, reason="KUGIRI_CORPORA is not set to the folder of real corpora")
ROOT = Path(CORPORA or ".")
FILES = {"jsquad": [ROOT / "jsquad/valid-v1.3.json"], "jaquad": sorted(ROOT.glob("jaquad/jaquad_dev_000*.json"))}
READERS: dict[str, JSquad | Squad] = {"jsquad": JSquad(), "jaquad": Squad()}


def articles(name: str) -> list[Any]:
    return [article for path in FILES[name] for article in json.loads(path.read_text(encoding="utf-8"))["data"]]


def head(name: str, context: str) -> int:
    """How much of a context is not its body."""
    found = re.match(r".*?\[SEP\] *", context, re.DOTALL) if name == "jsquad" else None
    return found.end() if found else 0


def spans(corpus: LoadedCorpus) -> dict[str, set[tuple[int, int, int]]]:
    evidence, start = corpus.questions.evidence, corpus.corpus.document_start
    found: dict[str, set[tuple[int, int, int]]] = {identity: set() for identity in corpus.questions.ids}
    documents = corpus.corpus.document_of(evidence.start)
    rows = zip(evidence.span_question.tolist(), documents.tolist(), evidence.start, evidence.end, strict=True)
    for question, document, low, high in rows:
        found[corpus.questions.ids[question]].add((document, int(low - start[document]), int(high - start[document])))
    return found


@pytest.mark.parametrize(
    ("name", "documents", "characters", "questions", "excluded"),
    [("jsquad", 59, 196_197, 4_038, 404), ("jaquad", 101, 531_499, 3_939, 0)],
)
def test_by_article(tmp_path: Path, name: str, documents: int, characters: int, questions: int, excluded: int) -> None:
    import_corpus(READERS[name], FILES[name], tmp_path / name)
    loaded = load_corpus(tmp_path / name)
    numbers = [len(loaded.corpus), loaded.corpus.characters, len(loaded.questions), len(loaded.questions.excluded)]
    assert numbers == [documents, characters, questions, excluded]
    assert loaded.questions.answerable.all()
    assert loaded.unquoted == ()
    expected: dict[str, set[tuple[int, int, int]]] = {}
    for index, article in enumerate(articles(name)):
        bodies = [paragraph["context"][head(name, paragraph["context"]) :] for paragraph in article["paragraphs"]]
        assert loaded.corpus.texts[index] == "".join(bodies)
        record = loaded.corpus.document(index)
        assert [record.text[start:end] for start, end in record.paragraphs] == bodies
        for number, paragraph in enumerate(article["paragraphs"]):
            moved = sum(map(len, bodies[:number])) - head(name, paragraph["context"])
            for asked in paragraph["qas"]:
                starts = [(a["answer_start"], len(a["text"])) for a in asked["answers"]]
                expected[asked["id"]] = {
                    (index, start + moved, start + moved + length)
                    for start, length in starts
                    if start >= head(name, paragraph["context"])
                }
    assert spans(loaded) == {identity: found for identity, found in expected.items() if found}
    left_out = {record.id for record in loaded.questions.excluded}
    assert left_out == {identity for identity, found in expected.items() if not found}
    assert {record.reason for record in loaded.questions.excluded} <= {"answer_in_title"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "join", [Join("chars", 4000, "\n\n", 1), Join("paragraphs", 7), Join("article", None, "。", 2)]
)
def test_other_joins_quote_the_same(tmp_path: Path, join: Join) -> None:
    import_corpus(JSquad(), FILES["jsquad"], tmp_path / "joined", join)
    corpus, questions = load_corpus(tmp_path / "joined")
    assert len(corpus.paragraph_start) == 1_145
    lengths = corpus.paragraph_end - corpus.paragraph_start
    assert int(lengths.sum()) == 196_197
    raw = {asked["id"]: asked for a in articles("jsquad") for p in a["paragraphs"] for asked in p["qas"]}
    for index, identity in enumerate(questions.ids):
        quoted = {s.text for alternative in questions.question(corpus, index).evidence for s in alternative}
        assert quoted <= {answer["text"] for answer in raw[identity]["answers"]}
        assert quoted


def test_the_same_import_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        import_corpus(JSquad(), FILES["jsquad"], tmp_path / name / "jsquad", Join("chars", 2000, "\n", 3))
    for path in (tmp_path / "one" / "jsquad").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / "jsquad" / path.name).read_bytes()
