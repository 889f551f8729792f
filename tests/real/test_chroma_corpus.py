"""The two English corpora of chunking_evaluation: its character metrics beside the loss that they do not see."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.recursive import Recursive
from kugiri.evidence.character_metrics import character_metrics
from kugiri.evidence.loss import evidence_loss
from kugiri.export.tables import tables
from kugiri.formats.chroma import Chroma
from kugiri.formats.corpus_folder import LoadedCorpus, load_corpus
from kugiri.formats.importing import import_corpus
from kugiri.report.characters import characters
from kugiri.report.words import plain
from kugiri.sweeps.characters import character_rows
from kugiri.sweeps.run import run
from sweep_worlds import DIGESTS, plan_of

SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ")
"""Those of the recursive chunker of chunking_evaluation."""


@pytest.fixture(scope="module")
def source(corpora: Path) -> Path:
    folder = corpora / "chroma"
    if not (folder / "questions.csv").is_file():
        pytest.skip(f"KUGIRI_CORPORA={corpora} has no chroma/questions.csv")
    return folder


@pytest.fixture(scope="module")
def chroma(source: Path, tmp_path_factory: pytest.TempPathFactory) -> LoadedCorpus:
    folder = tmp_path_factory.mktemp("chroma") / "chroma"
    imported = import_corpus(Chroma(), [source], folder)
    assert imported.warnings == ()
    return load_corpus(folder)


def raw(source: Path) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    text = (source / "questions.csv").read_bytes().decode("utf-8")
    for row in csv.DictReader(io.StringIO(text, newline="")):
        yield row["question"], row["corpus_id"], json.loads(row["references"])


def test_counts(chroma: LoadedCorpus) -> None:
    assert chroma.corpus.ids == ("state_of_the_union", "wikitexts")
    assert [len(text) for text in chroma.corpus.texts] == [48_051, 118_372]
    questions = chroma.questions
    assert len(questions) == int(questions.answerable.sum()) == 220
    assert not questions.excluded
    assert len(questions.evidence.start) == 344
    assert questions.evidence.question.tolist() == list(range(220))
    assert questions.evidence.merged == 0
    assert Counter(questions.kinds) == {"single": 142, "multiple": 78}


def test_every_span_is_the_excerpt_of_the_raw_file(chroma: LoadedCorpus, source: Path) -> None:
    texts = {path.stem: path.read_bytes().decode("utf-8") for path in source.glob("*.md")}
    assert dict(zip(chroma.corpus.ids, chroma.corpus.texts, strict=True)) == texts
    assert chroma.unquoted == ()
    records = chroma.questions.records(chroma.corpus)
    number: Counter[str] = Counter()
    for record, (question, document, excerpts) in zip(records, raw(source), strict=True):
        number[document] += 1
        assert (record.id, record.question) == (f"{document}-{number[document]:04}", question)
        (spans,) = record.evidence
        expected = [(document, e["start_index"], e["end_index"], e["content"]) for e in excerpts]
        assert [(s.document, s.start, s.end, s.text) for s in spans] == expected
        assert all(texts[document][start:end] == content for _, start, end, content in expected)


# Chunker, chunks, lost questions, and the means of recall, precision, IoU and precision omega in percent. The four
# were compared, question by question, with the range arithmetic of chunking_evaluation (base_evaluation.py at
# 35440b8); for the first three its list of retrieved chunks was exactly those that hold evidence.
FIGURES = [
    (Fixed(200, unit="token"), 187, 52, (100, 20.1721, 20.1721, 20.1721)),
    (Fixed(400, unit="token"), 94, 23, (100, 11.6171, 11.6171, 11.6171)),
    (Fixed(800, unit="token"), 48, 12, (100, 6.2601, 6.2601, 6.2601)),
    (Fixed(200, 100, unit="token"), 370, 0, (100, 9.4310, 9.4310, 13.6818)),
    (Fixed(400, 200, unit="token"), 185, 0, (100, 5.5642, 5.5642, 7.7513)),
    (Fixed(800, 400, unit="token"), 92, 0, (100, 3.0749, 3.0749, 4.1702)),
    (Fixed(200, unit="token", trim=True), 187, 52, (99.9115, 20.1802, 20.1782, 20.1782)),
    (Recursive(200, tokenizer="cl100k", separators=SEPARATORS), 240, 1, (100, 28.2975, 28.2975, 26.1104)),
    (Recursive(400, tokenizer="cl100k", separators=SEPARATORS), 115, 0, (100, 15.4549, 15.4549, 14.5526)),
    (Recursive(800, tokenizer="cl100k", separators=SEPARATORS), 53, 0, (100, 7.2380, 7.2380, 7.0154)),
    (Recursive(400), 522, 54, (100, 46.7798, 46.7798, 41.0536)),
    (Recursive(800), 263, 20, (100, 29.6374, 29.6374, 27.1505)),
    (Recursive(800, 400), 517, 1, (100, 10.9821, 10.9821, 15.9438)),
    (Recursive(800, trim=True), 263, 47, (99.9098, 29.7213, 29.7134, 29.7134)),
    (Paragraph(), 356, 0, (100, 29.4144, 29.4144, 29.4144)),
]


@pytest.mark.parametrize(("chunker", "chunks", "lost", "means"), FIGURES, ids=[str(row[0]) for row in FIGURES])
def test_character_metrics_beside_the_loss(
    chroma: LoadedCorpus, chunker: Any, chunks: int, lost: int, means: tuple[float, ...]
) -> None:
    loss = evidence_loss(chroma.corpus, chroma.questions, chunker)
    assert (len(loss.chunking), int(loss.lost.sum())) == (chunks, lost)
    found = character_metrics(loss.chunking, chroma.questions.evidence)
    assert found.defined.all()
    assert list(found.means) == ["recall", "precision", "iou", "omega"]
    assert [100 * mean for mean in found.means.values()] == pytest.approx(means, abs=5e-5)
    # What is lost is lost at a recall that looks perfect.
    assert (found.recall[loss.lost] > 0.98).all()


def test_the_table_of_the_report(chroma: LoadedCorpus) -> None:
    """Figures that the page prints; reports/chroma holds the same rows."""
    chunkers = (Fixed(200, unit="token"), Recursive(200, separators=SEPARATORS), Fixed(200, 0.5, unit="token"))
    results = run(plan_of(*chunkers), chroma.corpus, chroma.questions, DIGESTS, resamples=0)
    committed = pq.read_table(Path(__file__).parents[2] / "reports/chroma/tables/characters.parquet").to_pylist()
    by_label = {row["configuration"]: row for row in committed}
    for row in map(dataclasses.asdict, character_rows(results)):
        ours = by_label[row["configuration"]]
        assert list(row) == list(ours)
        for name, value in row.items():
            assert ours[name] == (pytest.approx(value, abs=1e-9) if isinstance(value, float) else value), name
    made = tables(results, text=False)
    configurations = made["configurations"].to_pylist()
    listed = [row | {"label": row["configuration"], "number": number} for number, row in enumerate(configurations, 1)]
    shown = characters(made["characters"].to_pylist(), listed)
    assert shown is not None
    told = [["—" if cell is None else plain("en").say(cell) for cell in row[2:]] for row in shown.grid.rows]
    assert told == [
        ["100 %", "52", "52", "54.1", "20.2 %", "20.2 %", "20.2 %"],
        ["100 %", "69", "69", "—", "84.0 %", "84.0 %", "71.1 %"],
        ["100 %", "0", "0", "0.020", "9.4 %", "9.4 %", "13.7 %"],
    ]
    assert [plain("en").say(sentence) for sentence in shown.sentences] == [
        (
            "At a character recall of 100 %, 2 of 3 configurations lose questions of which every evidence character is "
            f"in some chunk: {chunkers[1]} (69 lost), {chunkers[0]} (52 lost)."
        ),
        (
            f"The highest precision omega, 71.1 %, is that of {chunkers[1]}, which loses 69 of 220 questions although "
            "every character of their evidence is in some chunk."
        ),
    ]
