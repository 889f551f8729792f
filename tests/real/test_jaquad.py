"""JaQuAD development: long articles with real line breaks, against loops over the raw files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.evidence.loss import evidence_loss
from kugiri.formats.corpus_folder import LoadedCorpus
from kugiri.model.windows import resolved
from worlds import fixed_windows

Articles = list[tuple[int, list[tuple[int, int]], list[tuple[str, list[tuple[int, int]]]]]]


@pytest.fixture(scope="module")
def raw(corpora: Path) -> Articles:
    """Length, paragraphs and questions of each article, read without kugiri."""
    found: Articles = []
    for path in sorted((corpora / "jaquad").glob("*.json")):
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            length, paragraphs, asked = 0, [], []
            for paragraph in article["paragraphs"]:
                for item in paragraph["qas"]:
                    places = [(length + a["answer_start"], len(a["text"])) for a in item["answers"]]
                    asked.append((str(item["id"]), [(s, s + n) for s, n in places]))
                paragraphs.append((length, length + len(paragraph["context"])))
                length += len(paragraph["context"])
            found.append((length, paragraphs, asked))
    return found


def test_documents_characters_and_questions(jaquad: LoadedCorpus, raw: Articles) -> None:
    assert len(jaquad.corpus) == len(raw) == 101
    assert jaquad.corpus.characters == sum(length for length, _, _ in raw)
    assert len(jaquad.corpus.paragraph_start) == 1431
    assert len(jaquad.questions) + len(jaquad.questions.excluded) == 3939


@pytest.mark.parametrize("size", [100, 200, 400, 800, None])
@pytest.mark.parametrize("overlap", [0, 0.2])
def test_lost_questions(jaquad: LoadedCorpus, raw: Articles, size: int | None, overlap: float) -> None:
    chunker = Paragraph() if size is None else Fixed(size, overlap)
    loss = evidence_loss(jaquad.corpus, jaquad.questions, chunker)
    chunks, expected = 0, []
    for length, paragraphs, asked in raw:
        cut = paragraphs if size is None else fixed_windows(length, size, resolved(size, overlap))
        chunks += len(cut)
        expected += [i for i, spans in asked if spans and not any(a <= s and e <= b for s, e in spans for a, b in cut)]
    assert len(loss.chunking) == chunks
    assert list(loss.lost_ids) == expected
