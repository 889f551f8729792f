from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from squad_files import TANGLED

from kugiri.formats.check import check_corpus
from kugiri.formats.corpus_folder import LoadedCorpus, load_corpus
from kugiri.formats.corpus_writer import write_corpus
from kugiri.formats.description import left_out_by_name, lengths_of
from kugiri.model.corpus import CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Excluded, Question

INFO = CorpusInfo("a", "a", "ja", "x", "x", "x", {"by": "test"})


def loaded(root: Path, documents: list[Document], questions: list[Question], *excluded: Excluded) -> LoadedCorpus:
    write_corpus(root, INFO, documents, questions, excluded)
    return load_corpus(root)


def found(corpus: LoadedCorpus) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {finding.code: (finding.what, finding.places) for finding in check_corpus(corpus)}


def ask(name: str, document: str, start: int, end: int, text: str, words: str | None = None) -> Question:
    return Question(name, words or f"{name}は何か。", ((EvidenceSpan(document, start, end, text[start:end]),),))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


def test_nothing_to_look_at(root: Path) -> None:
    assert found(loaded(root, [Document("d", TANGLED)], [ask("q", "d", 0, 2, TANGLED)])) == {}


def test_d40_invisible_characters_are_listed(root: Path) -> None:
    text = "\ufeff東\u200b京\u200b駅👩\u200d🍳か\u3099\r\n\u3000\u202e。"
    documents = [Document("駅", text), Document("e", TANGLED + "\u200d。\x0b")]
    what, places = found(loaded(root, documents, [ask("q", "駅", 0, 2, text), ask("p", "e", 0, 1, TANGLED)]))[
        "invisible"
    ]
    assert what == "2 documents with invisible characters"
    assert places[0] == ("駅: 2 of U+200B, first at 2, 1 of U+202E, first at 14, 1 of U+FEFF, first at 0")
    assert places[1] == f"e: 1 of U+000B, first at {len(TANGLED) + 2}, 1 of U+200D, first at {len(TANGLED)}"


def test_g67_repeated_questions_are_listed(root: Path) -> None:
    questions = [ask(f"{words}{n}", "d", n, n + 1, TANGLED, f"{words}は？") for n in range(5) for words in "甲乙"]
    what, places = found(loaded(root, [Document("d", TANGLED)], questions))["repeated_questions"]
    assert what == "10 questions, 2 distinct texts"
    assert places == ("甲は？: 甲0, 甲1, 甲2, 甲3, 甲4", "乙は？: 乙0, 乙1, 乙2, 乙3, 乙4")


def test_text_outside_recorded_paragraphs(root: Path) -> None:
    documents = [
        Document("d", "見出し\n本文。\n\u3000あと", paragraphs=((4, 7),)),
        Document("e", "本文。\r\n\u3000次。", paragraphs=((0, 3), (6, 8))),
        Document("f", "本文。"),
    ]
    questions = [ask(d.id, d.id, 0, 1, d.text) for d in documents]
    what, places = found(loaded(root, documents, questions))["outside_paragraphs"]
    assert what == "1 document with text outside recorded paragraphs"
    assert places == (r"d: 5 characters, first in [0, 4): 【見出し\n】本文。\n\u3000あと".replace(r"\u3000", "\u3000"),)


def test_evidence_that_crosses_paragraphs(root: Path) -> None:
    documents = [Document("c", TANGLED), Document("d", "一二三四五六七", paragraphs=((1, 3), (3, 5)))]
    spans = {"in": (1, 3), "over": (2, 4), "before": (0, 1), "after": (5, 7), "reaching": (4, 6), "whole": (3, 5)}
    questions = [ask(name, "d", *span, documents[1].text) for name, span in spans.items()]
    questions.append(ask("none", "c", 0, 9, TANGLED))
    what, places = found(loaded(root, documents, questions))["crossing_paragraphs"]
    assert what == "4 evidence spans inside no single paragraph"
    assert places == ("before: d [0, 1)", "over: d [2, 4)", "reaching: d [4, 6)", "after: d [5, 7)")


def test_the_rest(root: Path) -> None:
    documents = [Document("d", TANGLED + "\ufffd\ufffd"), Document("空", " \r\n\u3000")]
    questions = [Question("q", "?", ((EvidenceSpan("d", 0, 2),),))]
    corpus = loaded(root, documents, questions, Excluded("x", "?", "no_answer"), Excluded("y", "?", "answer_in_title"))
    listed = found(corpus)
    place = len(TANGLED)
    assert listed["replacement"][1][0].startswith(f"d: 2, first at {place}: ")
    assert listed["empty_documents"][1] == ("空",)
    assert listed["without_questions"][1] == ("空",)
    assert listed["unquoted"][1] == ("q",)
    assert listed["excluded"][1] == ("answer_in_title: 1: y", "no_answer: 1: x")


def test_d37_a_corpus_edited_after_its_import_is_named(root: Path) -> None:
    corpus = loaded(root, [Document("d", TANGLED)], [ask("q", "d", 0, 2, TANGLED)])
    built = {"documents_sha256": corpus.documents_sha256, "questions_sha256": corpus.questions_sha256}
    for edited, words in (
        (built, None),
        (built | {"questions_sha256": "0" * 64}, "questions changed since kugiri wrote them"),
    ):
        info = dataclasses.replace(INFO, built=edited)
        write_corpus(root, info, [Document("d", TANGLED)], [ask("q", "d", 0, 2, TANGLED)])
        assert found(load_corpus(root)).get("edited", (None,))[0] == words


def test_g64_kept_and_left_out_in_one_line(root: Path) -> None:
    questions = [ask(f"q{n}", "d", 0, 2, TANGLED) for n in (1, 2, 4, 5)]
    corpus = loaded(root, [Document("d", TANGLED)], questions, Excluded("q3", "?", "offset_mismatch"))
    assert left_out_by_name(corpus) == "n=4 of 5, excluded: q3 (offset_mismatch)"
    more = [Excluded(f"x{n}", "?", "no_answer") for n in range(1200)]
    corpus = loaded(root, [Document("d", TANGLED)], questions, Excluded("q3", "?", "offset_mismatch"), *more)
    assert left_out_by_name(corpus, 2) == (
        "n=4 of 1,205, excluded: x0, x1 and 1,198 more (no_answer); q3 (offset_mismatch)"
    )


@pytest.mark.parametrize(
    "values", [[1], [5, 5, 5], [0, 1, 2, 3], list(range(1, 1000)), [3] * 99 + [40_000], [7, 900_000]]
)
def test_every_length_is_in_one_bar(values: list[int]) -> None:
    lengths = lengths_of(np.array(values, dtype=np.int64))
    assert sum(count for _, _, count in lengths.bars) == lengths.count == len(values)
    assert (lengths.least, lengths.greatest) == (min(values), max(values))
    assert len(lengths.bars) <= 12
    for low, high, count in lengths.bars:
        assert count == sum(low <= value <= high for value in values)
    assert all(a[1] + 1 == b[0] for a, b in zip(lengths.bars, lengths.bars[1:], strict=False))


def test_no_length_has_no_bar() -> None:
    assert lengths_of(np.array([], dtype=np.int64)).bars == ()
