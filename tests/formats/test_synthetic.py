from __future__ import annotations

import dataclasses
import hashlib
import json
import statistics
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.errors import InputError
from kugiri.formats.check import check_corpus
from kugiri.formats.corpus_folder import load_corpus
from kugiri.formats.corpus_writer import write_corpus
from kugiri.formats.synthetic import Synthesis, Synthesized, synthesize
from kugiri.formats.synthetic_documents import LEAST_DOCUMENT, LEAST_PARAGRAPH, DocumentMaker
from kugiri.formats.synthetic_lengths import LengthOption, normal_quantiles, parse_lengths
from kugiri.formats.synthetic_questions import QuestionMaker
from kugiri.formats.synthetic_words import ABSENT, TAIL, phrases
from kugiri.model.corpus import CorpusInfo, Document
from kugiri.model.questions import Question

STEADY = "b02ce4851fffe10a36cfbda40b02ba86"


def plan(**changes: Any) -> Synthesis:
    given_lengths = {"document_length": "900:500", "paragraph_length": "150:100", "evidence_length": "12:90"}
    lengths = {
        name: parse_lengths(changes.pop(name, text), f"--{name.replace('_', '-')}")
        for name, text in given_lengths.items()
    }
    return Synthesis(**{"documents": 30, "questions": 300, "multiple": 0.2, "unanswerable": 0.1, **changes, **lengths})


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def made(tmp_path: Path, name: str = "load", **changes: Any) -> tuple[Path, Synthesized]:
    return tmp_path / name, synthesize(plan(**changes), tmp_path / name, "1.0")


def test_the_check_has_nothing_to_say_and_every_count_is_true(tmp_path: Path) -> None:
    folder, told = made(tmp_path)
    loaded = load_corpus(folder)
    assert check_corpus(loaded) == ()
    assert (loaded.documents_sha256, loaded.questions_sha256) == (told.documents_sha256, told.questions_sha256)
    assert hashlib.sha256((folder / "documents.jsonl").read_bytes()).hexdigest() == told.documents_sha256
    kinds = loaded.questions.kinds
    counted = (len(loaded.corpus), loaded.corpus.characters, len(loaded.corpus.paragraph_start), len(kinds))
    assert counted == (told.documents, told.characters, told.paragraphs, told.questions)
    assert (kinds.count("unanswerable"), kinds.count("multiple")) == (told.unanswerable, told.multiple)
    assert told.spans == len(loaded.questions.evidence.start)
    assert not loaded.questions.evidence.merged_spans.any()
    assert "For load, not for judging" in loaded.corpus.info.description
    assert loaded.corpus.info.built["seed"] == 1
    assert sorted(path.name for path in folder.iterdir()) == ["corpus.toml", "documents.jsonl", "questions.jsonl"]


def test_every_quotation_is_its_slice_inside_one_paragraph(tmp_path: Path) -> None:
    folder, _ = made(tmp_path, evidence_length="2:300", document_length="400:400")
    documents = {row["id"]: row for row in rows(folder / "documents.jsonl")}
    for row in rows(folder / "questions.jsonl"):
        spans = [span for alternative in row["evidence"] for span in alternative]
        assert len(spans) == {"single": 1, "multiple": 2, "unanswerable": 0}[row["kind"]]
        homes = []
        for span in spans:
            document = documents[span["document"]]
            quotation = document["text"][span["start"] : span["end"]]
            assert quotation == span["text"] == quotation.strip()
            assert quotation[0] not in "\u3099\ufe0f\u200d"
            assert document["text"][span["end"] : span["end"] + 1] not in ("\u3099", "\ufe0f", "\u200d")
            homes += [home for home in document["paragraphs"] if home[0] <= span["start"] and span["end"] <= home[1]]
        assert len({tuple(home) for home in homes}) == len(spans)


def test_the_text_has_what_makes_offsets_hard(tmp_path: Path) -> None:
    folder, _ = made(tmp_path, documents=100, document_length="3000")
    text = "".join(row["text"] for row in rows(folder / "documents.jsonl"))
    for rare in ("か\u3099", "👩\u200d🔧", "⚠\ufe0f", "🙂", "\r\n", "\u3000", "部品KG-", "\n\n"):
        assert 0 < text.count(rare) < len(text) / 100, rare
    assert not any(absent in text for absent in ABSENT)


def test_the_seed_decides_every_byte_and_another_seed_another_corpus(tmp_path: Path) -> None:
    first, again, other = made(tmp_path, "a")[1], made(tmp_path, "b")[1], made(tmp_path, "c", seed=2)[1]
    assert first == again
    for name in ("documents.jsonl", "questions.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert (tmp_path / "a" / name).read_bytes() != (tmp_path / "c" / name).read_bytes()
    texts = [{row["text"] for row in rows(tmp_path / name / "documents.jsonl")} for name in "ac"]
    assert not texts[0] & texts[1]
    assert other.documents_sha256 != first.documents_sha256


def test_what_is_drawn_stays_what_it_is(tmp_path: Path) -> None:
    # Whoever has to change this figure counts up VERSION in kugiri.formats.synthetic.
    _, told = made(tmp_path)
    assert hashlib.sha256((told.documents_sha256 + told.questions_sha256).encode()).hexdigest()[:32] == STEADY


def test_more_documents_only_add_to_fewer(tmp_path: Path) -> None:
    made(tmp_path, "few", documents=7, questions=35)
    made(tmp_path, "many", documents=20, questions=100)
    for name in ("documents.jsonl", "questions.jsonl"):
        few, many = (tmp_path / "few" / name).read_bytes(), (tmp_path / "many" / name).read_bytes()
        assert many.startswith(few)
        assert len(many) > len(few)


def test_a_document_depends_on_no_other_document() -> None:
    maker, alone = DocumentMaker(1, [500, 900], [60, 200]), DocumentMaker(1, [500, 900], [60, 200])
    first = [maker.document(index) for index in range(5)]
    assert [maker.document(index) for index in (4, 2, 4)] == [first[4], first[2], first[4]]
    assert alone.document(3) == first[3]


def test_a_question_depends_on_no_other_question() -> None:
    document = DocumentMaker(3, [2000], [100, 300]).document(5)
    asked = {
        count: [line for block in QuestionMaker(3, [5, 50], 0.3, 0.1).of_document(document, count) for line in block]
        for count in (0, 3, 64, 65, 200)
    }
    assert all(len(found) == count and found == asked[200][:count] for count, found in asked.items())


def test_questions_come_as_documents_come_and_as_evenly(tmp_path: Path) -> None:
    folder, _ = made(tmp_path, documents=7, questions=24)
    numbers = [int(row["id"].split("-")[1]) for row in rows(folder / "questions.jsonl")]
    assert numbers == sorted(numbers)
    assert {numbers.count(number) for number in range(1, 8)} == {3, 4}


@pytest.mark.slow
def test_distributions_are_as_asked(tmp_path: Path) -> None:
    folder, told = made(
        tmp_path, documents=1500, questions=6000, document_length="2000:1500", paragraph_length="200:150"
    )
    documents, questions = rows(folder / "documents.jsonl"), rows(folder / "questions.jsonl")
    lengths = [len(row["text"]) for row in documents]
    assert statistics.mean(lengths) == pytest.approx(2000, rel=0.1)
    assert statistics.stdev(lengths) == pytest.approx(1500, rel=0.2)
    assert statistics.median(lengths) == pytest.approx(2000 / (1 + (1500 / 2000) ** 2) ** 0.5, rel=0.1)
    # The last paragraph of a document takes what is left.
    inner = [end - start for row in documents for start, end in row["paragraphs"][:-1]]
    assert statistics.mean(inner) == pytest.approx(200, rel=0.1)
    evidence = [span["end"] - span["start"] for row in questions for spans in row["evidence"] for span in spans]
    assert statistics.median(evidence) == pytest.approx(12, abs=2)
    # One more where the span would end inside a character.
    assert 90 <= max(evidence) <= 92
    assert told.multiple / 6000 == pytest.approx(0.2, abs=0.03)
    assert told.unanswerable / 6000 == pytest.approx(0.1, abs=0.03)


def test_without_a_second_number_all_are_alike(tmp_path: Path) -> None:
    folder, told = made(tmp_path, document_length="700", paragraph_length="90", evidence_length="10")
    assert {len(row["text"]) for row in rows(folder / "documents.jsonl")} == {700}
    assert told.characters == 30 * 700
    inner = {b - a for row in rows(folder / "documents.jsonl") for a, b in row["paragraphs"][:-1]}
    assert inner == {90}


@given(
    seed=st.integers(-5, 10**30),
    index=st.integers(0, 10**9),
    length=st.integers(LEAST_DOCUMENT, 40_000),
    paragraph=st.integers(LEAST_PARAGRAPH, 50_000),
)
@settings(max_examples=60, deadline=None)
def test_a_document_has_its_length_and_its_paragraphs_all_its_text(
    seed: int, index: int, length: int, paragraph: int
) -> None:
    document = DocumentMaker(seed, [length], [paragraph, 2 * paragraph]).document(index)
    assert len(document.text) == length
    outside, at = "", 0
    for start, end in document.paragraphs:
        assert at <= start < end <= length
        assert document.text[end - 1] == "。"
        outside += document.text[at:start]
        at = end
    assert at == length
    assert not outside.strip()


def test_the_tail_is_longer_than_any_gap() -> None:
    # A gap: the phrase there was no room for, and the end of a sentence in front of it.
    lengths, sizes = phrases().lengths, phrases().sizes
    assert len(TAIL) > lengths.max() + lengths[-int(sizes[-1]) :].max()
    assert TAIL.endswith("。")
    assert phrases().least_sentence > 0


def test_no_quantile_is_near_a_tie() -> None:
    # A platform whose logarithm differs in its last bit rounds to the same millionth.
    normal = statistics.NormalDist()
    exact = [normal.inv_cdf((2 * k + 1) / 8192) * 1e6 for k in range(4096)]
    assert [round(value) for value in exact] == list(normal_quantiles())
    assert min(abs(value % 1 - 0.5) for value in exact) > 1e-6


@pytest.mark.slow
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    peaks = []
    for documents in (40, 400):
        made(tmp_path, documents=2, questions=20)
        tracemalloc.start()
        made(tmp_path, documents=documents, questions=10 * documents, document_length="2000")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] + 200_000
    # The buffers of the two files are most of it.
    assert peaks[1] < 8_000_000


def test_many_questions_about_one_document_are_not_held_either(tmp_path: Path) -> None:
    peaks = []
    for questions in (500, 5000):
        tracemalloc.start()
        made(tmp_path, documents=1, questions=questions, document_length="2000")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] + 200_000


def test_no_question_and_one_paragraph(tmp_path: Path) -> None:
    folder, told = made(tmp_path, documents=2, questions=0, document_length="24", evidence_length="9999")
    assert (told.questions, told.spans, told.characters) == (0, 0, 48)
    assert (folder / "questions.jsonl").read_bytes() == b""
    _, told = made(tmp_path, multiple=0.9, document_length="100", paragraph_length="5000")
    assert (told.multiple, told.paragraphs) == (0, 30)


def test_evidence_longer_than_the_paragraphs_of_its_document_is_counted(tmp_path: Path) -> None:
    _, told = made(tmp_path, evidence_length="100:1000", document_length="900:900", paragraph_length="150:150")
    assert 0 < told.shortened < told.spans / 2


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "no document": ({"documents": 0}, "too few", "--documents"),
    "fewer than no question": ({"questions": -1}, "too few", "--questions"),
    "share": ({"multiple": 1.5}, "no share", "--multiple"),
    "no number": ({"unanswerable": float("nan")}, "no share", "--unanswerable"),
    "shares": ({"multiple": 0.6, "unanswerable": 0.6}, "more than all", "--multiple and --unanswerable"),
    "no length": ({"document_length": "long"}, "no length", "--document-length"),
    "full width": ({"document_length": "９００"}, "no length", "--document-length"),
    "short documents": ({"document_length": "5"}, "too small", "--document-length"),
    "short paragraphs": ({"paragraph_length": "0:0"}, "too small", "--paragraph-length"),
    "wide": ({"document_length": "1000:3001"}, "3 times", "--document-length"),
    "endless": ({"document_length": "9000000:9000000"}, "at most 20,000,000", "--document-length"),
    "upside down": ({"evidence_length": "20:10"}, "median 20", "--evidence-length"),
    "nothing": ({"evidence_length": "0"}, "median 0", "--evidence-length"),
    "documents too short": ({"document_length": "80"}, "too short", "--document-length and --evidence-length"),
    "paragraphs too short": ({"paragraph_length": "12"}, "too short", "--paragraph-length and --evidence-length"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_drawn_is_refused(case: str) -> None:
    changes, what, where = REFUSED[case]
    with pytest.raises(InputError) as refusal:
        plan(**changes)
    assert what in refusal.value.what
    assert refusal.value.where == where
    assert refusal.value.remedy


def test_a_length_prints_as_it_is_typed() -> None:
    for text in ("7", "200:150", "20:0"):
        assert str(parse_lengths(text, "--x")) == text
    assert parse_lengths("20:0", "--x") == LengthOption("--x", 20, 0)


def test_only_what_can_be_made_again_is_replaced(tmp_path: Path) -> None:
    folder, _ = made(tmp_path)
    made(tmp_path, seed=2)
    assert load_corpus(folder).corpus.info.built["seed"] == 2
    info = CorpusInfo("a", "a", "ja", "x", "x", "x")
    write_corpus(tmp_path / "own", info, [Document("d", "か\u3099🍣\r\n\u3000")], [Question("q", "?", ())])
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_bytes(b"mine")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for name in ("own", "other"):
        with pytest.raises(InputError):
            made(tmp_path, name)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_failure_half_way_leaves_the_old_corpus(tmp_path: Path) -> None:
    folder, _ = made(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def full(done: int, total: int) -> None:
        if done == 3:
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="No space left on device"):
        synthesize(plan(seed=2), folder, "1.0", full)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["load"]


def test_progress_is_told_document_by_document(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    synthesize(dataclasses.replace(plan(), documents=4), tmp_path / "c", "1.0", lambda *each: told.append(each))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
