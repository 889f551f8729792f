"""`kugiri export`: TREC files on which ir_measures agrees with us, and CSV for spreadsheets."""

from __future__ import annotations

import json
import random
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from kugiri import catalog
from kugiri.cli.export import export
from kugiri.export.csv_files import guarded
from kugiri.formats.trec_ids import spaceless, trec_id
from kugiri.labels import chunk_id, parse, slugs
from kugiri.model.corpus import Corpus, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question, Questions
from kugiri.sweeps.results import SweepResults
from retrieved_results import METRICS, command, ranked_results, refused, write_folder
from worlds import INFO, random_evidence, random_text

kugiri = command(export)
CHUNK_METRICS = tuple(f"{name}@{k}" for name in ("ChunkRecall", "ChunkPrecision", "ChunkNDCG") for k in (1, 3, 10))
# White space of every kind, the characters of chunk ids, and names that meet once they are decoded.
NAMES = ("a b", "a%20b", "甲\u3000乙", "x:1@2", "\ufeffq\u2028", "a\u00a0b")


def hostile(seed: int, questions: int = 6) -> tuple[Corpus, Questions]:
    draw = random.Random(seed)
    texts = [random_text(draw, 14) or "空\u3000👩\u200d🍳か\u3099\r\n" for _ in NAMES]
    corpus = Corpus.from_documents(INFO, [Document(name, text) for name, text in zip(NAMES, texts, strict=True)])
    asked = [random_evidence(draw, [len(text) for text in texts]) for _ in range(questions)]
    asked[0] = [[(0, 0, 1)], [(1, 0, 1), (2, 0, 1)]]
    asked[1] = []
    asked[2] = [[(0, 0, len(texts[0])), (1, 0, len(texts[1])), (2, 0, len(texts[2]))]]
    records = [
        Question(
            f"問{NAMES[n % len(NAMES)]}", "？", tuple(tuple(EvidenceSpan(NAMES[d], s, e) for d, s, e in a) for a in e_)
        )
        for n, e_ in enumerate(asked)
    ]
    return corpus, Questions.from_records(corpus, records)


def swept(seed: int = 1) -> SweepResults:
    return ranked_results(*hostile(seed), metrics=(*METRICS, *CHUNK_METRICS), resamples=0)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(swept(), tmp_path_factory.mktemp("exported") / "r")


def test_every_configuration_has_its_files_and_every_line_its_columns(results: Path, tmp_path: Path) -> None:
    done = kugiri(results, "--format", "trec", "--to", tmp_path / "new" / "trec", "--json")
    assert (done.code, done.err) == (0, "")
    labels = pq.read_table(results / "tables" / "configurations.parquet")["configuration"].to_pylist()
    files = {
        f"{part}/{slug}.{end}" for slug in slugs(labels).values() for part, end in (("qrels", "qrels"), ("runs", "run"))
    }
    assert set(json.loads(done.out)["files"]) == files
    found = {p.relative_to(tmp_path / "new" / "trec").as_posix(): p for p in (tmp_path / "new" / "trec").rglob("*.*")}
    assert set(found) == files
    for name, path in found.items():
        raw = path.read_bytes()
        assert b"\r" not in raw
        for line in raw.decode().splitlines():
            assert len(line.split()) == (4 if name.startswith("qrels") else 6)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["trec"]


def test_relevance_is_that_of_the_evidence(tmp_path: Path) -> None:
    for seed in range(20):
        made = swept(seed)
        folder = write_folder(made, tmp_path / f"r{seed}")
        to = tmp_path / f"t{seed}"
        assert kugiri(folder, "--format", "trec", "--to", to).code == 0
        names = slugs([str(result.configuration) for result in made.configurations])
        for result in made.configurations:
            lines = (to / "qrels" / f"{names[str(result.configuration)]}.qrels").read_text(encoding="utf-8").split("\n")
            rows = [line.split(" ") for line in lines[:-1]]
            chunking, asked = result.loss.chunking, made.questions
            chunks = [
                (chunking.chunk(i).id, int(chunking.start[i]), int(chunking.end[i])) for i in range(len(chunking))
            ]
            for number, record in enumerate(asked.records(made.corpus)):
                mine = {unquote(chunk): grade for q, _, chunk, grade in rows if unquote(q) == record.id}
                spans = [
                    [
                        (made.corpus.document_start[NAMES.index(s.document)] + s.start, s.end - s.start)
                        for s in alternative
                    ]
                    for alternative in record.evidence
                ]
                held = [
                    [{name for name, a, b in chunks if a <= start and start + length <= b} for start, length in spans_]
                    for spans_ in spans
                ]
                good = {name for alternative in held if all(alternative) for one in alternative for name in one}
                if not record.evidence:
                    assert mine == {}
                elif result.loss.lost[number]:
                    assert list(mine.values()) == ["0"]
                    assert not good
                else:
                    assert mine == {unquote(name): "1" for name in good}


def test_the_run_is_the_ranking(results: Path, tmp_path: Path) -> None:
    assert kugiri(results, "--format", "trec", "--to", tmp_path / "t").code == 0
    rows = pq.read_table(results / "tables" / "runs.parquet").to_pylist()
    label = rows[0]["configuration"]
    tag = slugs({row["configuration"] for row in rows})[label]
    expected = [
        f"{trec_id(row['question_id'])} Q0 {spaceless(chunk_id(row['document_id'], row['start'], row['end']))} "
        f"{row['rank']} {-row['rank']} {tag}"
        for row in rows
        if row["configuration"] == label
    ]
    assert (tmp_path / "t" / "runs" / f"{tag}.run").read_text(encoding="utf-8").split("\n") == [*expected, ""]


def test_ids_come_back_and_never_meet() -> None:
    assert trec_id("a b") == "a%20b"
    assert trec_id("a%20b") == "a%2520b"
    assert spaceless("甲\u3000乙@0:3") == "甲%E3%80%80乙@0:3"
    assert [unquote(trec_id(name)) for name in NAMES] == list(NAMES)
    assert len({spaceless(chunk_id(name, 0, 1)) for name in NAMES}) == len(NAMES)
    assert not any(character.isspace() for name in NAMES for character in trec_id(name))


@pytest.mark.oracle
def test_ir_measures_has_the_same_value_for_every_question(tmp_path: Path) -> None:
    import ir_measures

    theirs = {"ChunkRecall": "R", "ChunkPrecision": "P", "ChunkNDCG": "nDCG"}
    compared: set[float] = set()
    for seed in range(30):
        made = swept(seed)
        to = tmp_path / f"t{seed}"
        assert kugiri(write_folder(made, tmp_path / f"r{seed}"), "--format", "trec", "--to", to).code == 0
        names = slugs([str(result.configuration) for result in made.configurations])
        for result in made.configurations:
            slug = names[str(result.configuration)]
            qrels = list(ir_measures.read_trec_qrels(str(to / "qrels" / f"{slug}.qrels")))
            run = list(ir_measures.read_trec_run(str(to / "runs" / f"{slug}.run")))
            for label in CHUNK_METRICS:
                name, _, k = label.partition("@")
                measure = getattr(ir_measures, theirs[name]) @ int(k)
                found = {
                    unquote(one.query_id): one.value for one in ir_measures.iter_calc([measure], list(qrels), list(run))
                }
                ours = catalog.metric(parse(label)).of(result.ranking)
                mine = {
                    identity: float(value)
                    for identity, value, defined in zip(made.questions.ids, ours.value, ours.defined, strict=True)
                    if defined
                }
                assert found == pytest.approx(mine, abs=1e-9), (seed, label)
                compared |= set(mine.values())
    assert len(compared) > 10


def test_without_rankings_there_is_nothing_to_export(tmp_path: Path) -> None:
    folder = write_folder(ranked_results(resamples=0), tmp_path / "r", runs=False)
    refused(kugiri(folder, "--format", "trec", "--to", tmp_path / "t"), "no table 'runs'", "--runs")
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize("kind", ["trec", "csv"])
def test_a_folder_with_anything_in_it_is_left_alone(results: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_bytes(b"mine")
    (tmp_path / "file").write_bytes(b"mine")
    refused(kugiri(results, "--format", kind, "--to", tmp_path / "full"), "not empty")
    refused(kugiri(results, "--format", kind, "--to", tmp_path / "file"), "this is a file")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "mine.txt"]
    (tmp_path / "empty").mkdir()
    assert kugiri(results, "--format", kind, "--to", tmp_path / "empty").code == 0
    assert list((tmp_path / "empty").iterdir())


def test_csv_reads_back_as_the_tables(results: Path, tmp_path: Path) -> None:
    assert kugiri(results, "--format", "csv", "--to", tmp_path / "c").code == 0
    tables = {path.stem: pq.read_table(path) for path in (results / "tables").glob("*.parquet")}
    assert {path.name for path in (tmp_path / "c").iterdir()} == {f"{name}.csv" for name in tables}
    for name, table in tables.items():
        path = tmp_path / "c" / f"{name}.csv"
        assert path.read_bytes()[:3] == b"\xef\xbb\xbf"  # N113
        types = {field.name: pa.string() if pa.types.is_list(field.type) else field.type for field in table.schema}
        again = csv.read_csv(
            path,
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False
            ),
        )
        assert again.column_names == table.column_names
        for column in table.column_names:
            expected = table[column].to_pylist()
            found = again[column].to_pylist()
            if pa.types.is_list(table.schema.field(column).type):
                found = [None if cell is None else json.loads(cell) for cell in found]
            elif types[column] == pa.string():
                found = [cell[1:] if cell is not None and cell.startswith("'") else cell for cell in found]
            assert found == expected, (name, column)


@pytest.mark.parametrize("text", ["=1+1", "+81", "-1", "@SUM", "\tx", "\rx", "\nx", "＝1", "＋", "－", "＠", "'x"])
def test_no_text_is_run_as_a_formula(text: str) -> None:
    assert guarded(text) == f"'{text}"


def test_other_texts_are_left_alone() -> None:
    assert [guarded(text) for text in (None, "", "甲=乙", "a'b", " =1")] == [None, "", "甲=乙", "a'b", " =1"]
