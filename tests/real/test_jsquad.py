"""JSQuAD v1.3 validation: the numbers of the experiment that the first sweep reproduces (findings A)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.evidence.loss import evidence_loss
from kugiri.formats.corpus_folder import LoadedCorpus, load_corpus
from kugiri.formats.importing import import_corpus
from kugiri.formats.squad import JSquad
from worlds import fixed_windows

FIXED = [(100, 0), (200, 0), (400, 0), (800, 0), (100, 0.2), (200, 0.2), (400, 0.2), (800, 0.2)]
CHUNKS = [1989, 1009, 518, 279, 2467, 1243, 632, 326]
LOST = [185, 84, 42, 13, 0, 0, 0, 0]
LOST_WITH_A_BLANK_LINE_BETWEEN = [170, 74, 36, 18]


@pytest.fixture(scope="module")
def joined(jsquad: Callable[[str], LoadedCorpus]) -> LoadedCorpus:
    return jsquad("")


def test_documents_characters_and_questions(joined: LoadedCorpus) -> None:
    assert len(joined.corpus) == 59
    assert joined.corpus.characters == 196_197
    assert len(joined.questions) == int(joined.questions.answerable.sum()) == 4038
    assert Counter(left.reason for left in joined.questions.excluded) == {"answer_in_title": 404}


@pytest.mark.parametrize(("window", "chunks", "lost"), list(zip(FIXED, CHUNKS, LOST, strict=True)))
def test_fixed_windows(joined: LoadedCorpus, window: tuple[int, float], chunks: int, lost: int) -> None:
    loss = evidence_loss(joined.corpus, joined.questions, Fixed(*window))
    assert (len(loss.chunking), int(loss.lost.sum())) == (chunks, lost)


def test_paragraphs_lose_nothing(joined: LoadedCorpus) -> None:
    loss = evidence_loss(joined.corpus, joined.questions, Paragraph())
    assert (len(loss.chunking), int(loss.lost.sum())) == (1145, 0)


@pytest.mark.parametrize(("size", "lost"), list(zip((100, 200, 400, 800), LOST_WITH_A_BLANK_LINE_BETWEEN, strict=True)))
def test_joined_with_a_blank_line(jsquad: Callable[[str], LoadedCorpus], size: int, lost: int) -> None:
    apart = jsquad("\n\n")
    assert int(evidence_loss(apart.corpus, apart.questions, Fixed(size)).lost.sum()) == lost


def test_the_lost_questions_by_name_are_those_of_the_raw_file(joined: LoadedCorpus, corpora: Path) -> None:
    raw = json.loads((corpora / "jsquad" / "valid-v1.3.json").read_text(encoding="utf-8"))["data"]
    expected = []
    for article in raw:
        length = 0
        asked: list[tuple[str, list[tuple[int, int]]]] = []
        for paragraph in article["paragraphs"]:
            context = paragraph["context"]
            cut = context.index("[SEP]") + len("[SEP]")
            cut += len(context[cut:]) - len(context[cut:].lstrip(" "))
            for item in paragraph["qas"]:
                answers = [
                    (a["answer_start"] - cut + length, len(a["text"]))
                    for a in item["answers"]
                    if a["answer_start"] >= cut
                ]
                if answers:
                    asked.append((item["id"], [(s, s + n) for s, n in answers]))
            length += len(context) - cut
        windows = fixed_windows(length, 100, 0)
        expected += [i for i, spans in asked if not any(a <= s and e <= b for s, e in spans for a, b in windows)]
    assert list(evidence_loss(joined.corpus, joined.questions, Fixed(100)).lost_ids) == expected


def test_what_was_written_is_what_is_read(corpora: Path, tmp_path: Path) -> None:
    source = [corpora / "jsquad" / "valid-v1.3.json"]
    written = import_corpus(JSquad(), source, tmp_path / "jsquad").loaded
    read = load_corpus(tmp_path / "jsquad")
    assert read.documents_sha256 == written.documents_sha256
    assert read.questions_sha256 == written.questions_sha256
    assert read.corpus.texts == written.corpus.texts
    assert read.questions.ids == written.questions.ids
