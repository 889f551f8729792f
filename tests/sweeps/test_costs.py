"""Costs and truncated questions of a sweep, against loops over its vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.headings import Headings
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.parent_child import ParentChild
from kugiri.errors import InputError
from kugiri.export.tables import tables
from kugiri.retrievers.bm25 import Bm25
from kugiri.segmenters.tokenizers import tokenizer
from kugiri.sweeps.file import read_sweep
from kugiri.sweeps.models import EmbeddingModel
from kugiri.sweeps.plan import Configuration, Plan
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.run import run
from sweep_worlds import DIGESTS, small, swept
from worlds import Asked, corpus_of, questions_of

MARKDOWN = "# 休暇\u3000👩\u200d🍳\n\n年に十日とする。か\u3099ぎは棚。\r\n\n## 申請\n\n前の週に出す。控えを取る。\n"
CHUNKERS = (Fixed(6), Fixed(8, 0.5), Paragraph(), ParentChild(Fixed(12), Fixed(4)), Headings(1, context=True))


def rows_of(results: SweepResults) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tables(results)["costs"].to_pylist()
    return rows


def test_without_models_there_are_no_costs() -> None:
    assert swept().costs == ()
    assert rows_of(swept()) == []


@pytest.mark.parametrize("name", ["char", "unidic", "cl100k"])
def test_every_vector_is_counted_by_itself(name: str) -> None:
    model = EmbeddingModel("模型 👩", 256, 12, name, 3, "前：", 2, price=0.5, currency="JPY", tokens_per_second=100.0)
    results = swept(*CHUNKERS, texts=[MARKDOWN, "", MARKDOWN], asked=[[[(0, 0, 2)]]], models=(model,))
    made = tokenizer(name)
    for row, result in zip(rows_of(results), results.configurations, strict=True):
        index = result.indexed
        corpus = index.vectors.corpus
        texts = [
            corpus.slice(a, b) for a, b in zip(index.vectors.start.tolist(), index.vectors.end.tolist(), strict=True)
        ]
        context = index.context or ("",) * len(texts)
        sent = [3 + sum(map(made.count, ("前：", c, text))) for c, text in zip(context, texts, strict=True)]
        assert (row["configuration"], row["model"]) == (str(result.configuration), "模型 👩")
        assert (row["vectors"], row["indexed_chars"]) == (len(texts), sum(map(len, [*texts, *context])))
        assert (row["indexed_tokens"], row["bytes"]) == (sum(sent), len(texts) * 256 * 2)
        assert (row["seconds"], row["price"]) == (sum(sent) / 100, sum(sent) / 1_000_000 * 0.5)
        assert (row["currency"], row["max_tokens"]) == ("JPY", 12)
        assert row["longer_vectors"] == sum(tokens > 12 for tokens in sent)


def test_what_a_model_does_not_say_is_null() -> None:
    known = {"vectors", "indexed_chars", "configuration", "model"}
    (row,) = rows_of(swept(Fixed(4), models=(EmbeddingModel("a"),)))
    assert {key for key, value in row.items() if value is not None} == known
    # Without a tokenizer a limit, a price and a speed say nothing.
    blind = EmbeddingModel("a", 8, 100, price=1.0, currency="USD", tokens_per_second=5.0)
    (row,) = rows_of(swept(Fixed(4), models=(blind,)))
    assert {key for key, value in row.items() if value is not None} == known | {"bytes", "max_tokens"}
    (row,) = rows_of(swept(Fixed(4), models=(EmbeddingModel("a", tokenizer="char"),)))
    assert {key for key, value in row.items() if value is not None} == known | {"indexed_tokens"}


# ------------------------------------------------------------------------------------------------ truncation
def truncated(chunker: Any, asked: list[Asked], text: str = "一二三四五六七八九十👩か", **model: Any) -> int:
    limited = EmbeddingModel("m", tokenizer="char", **{"special_tokens": 0, **model})
    (row,) = rows_of(swept(chunker, texts=[text], asked=asked, models=(limited,)))
    assert row["truncated_rate"] == row["truncated"] / len(asked)
    found: int = row["truncated"]
    return found


def test_evidence_behind_the_limit_of_a_chunk_is_truncated_and_not_lost() -> None:  # K98
    results = swept(
        Fixed(12),
        texts=["一二三四五六七八九十👩か"],
        asked=[[[(0, 9, 11)]]],
        models=(EmbeddingModel("m", max_tokens=8, tokenizer="char", special_tokens=0),),
    )
    assert rows_of(results)[0]["truncated"] == 1
    assert not results.configurations[0].loss.lost.any()


def test_special_tokens_prefix_and_headings_eat_the_limit() -> None:
    asked: list[Asked] = [[[(0, 6, 8)]]]
    assert truncated(Fixed(12), asked, max_tokens=8) == 0
    assert truncated(Fixed(12), asked, max_tokens=9, special_tokens=1) == 0
    assert truncated(Fixed(12), asked, max_tokens=8, special_tokens=1) == 1
    assert truncated(Fixed(12), asked, max_tokens=10, prefix="前：") == 0
    assert truncated(Fixed(12), asked, max_tokens=9, prefix="前：") == 1
    under = MARKDOWN.rindex("控え")
    evidence: list[Asked] = [[[(0, under, under + 2)]]]
    begins = MARKDOWN.rindex("## ")
    room = under + 2 - begins
    assert truncated(Headings(2), evidence, MARKDOWN, max_tokens=room) == 0
    assert truncated(Headings(2, context=True), evidence, MARKDOWN, max_tokens=room) == 1
    context = len("休暇\u3000👩\u200d🍳")
    assert truncated(Headings(2, context=True), evidence, MARKDOWN, max_tokens=room + context) == 0
    assert truncated(Headings(2, context=True), evidence, MARKDOWN, max_tokens=room + context - 1) == 1


def test_lost_and_truncated_are_disjoint_for_every_model() -> None:
    models = tuple(EmbeddingModel(f"m{n}", max_tokens=n, tokenizer="char", special_tokens=0) for n in (1, 3, 6, 99))
    results = swept(Fixed(4), Fixed(8, 4), Fixed(100), Paragraph(), models=models)
    assert len(results.costs) == 16
    lost = {str(result.configuration): result.loss.lost for result in results.configurations}
    for cost in results.costs:
        assert cost.truncated is not None
        assert not (cost.truncated & lost[cost.configuration]).any()
        assert not (cost.truncated & ~results.questions.answerable).any()
    counts = [row["truncated"] for row in rows_of(results) if row["configuration"] == "fixed(size=100)"]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1] == 0


def test_retrievers_over_one_chunker_share_its_costs() -> None:
    corpus, questions = small()
    pairs = tuple(Configuration(Fixed(4), Bm25(tokenizer=by)) for by in ("bigram", "unidic"))
    plan = Plan("t", pairs, models=(EmbeddingModel("m", 4, 3, "char", 0), EmbeddingModel("n")))
    rows = rows_of(run(plan, corpus, questions, DIGESTS, resamples=0))
    assert [(row["configuration"], row["model"]) for row in rows] == [(str(p), m) for p in pairs for m in ("m", "n")]
    assert [{**row, "configuration": ""} for row in rows[:2]] == [{**row, "configuration": ""} for row in rows[2:]]


# ------------------------------------------------------------------------------------------------ the file
HEAD = 'title = "t"\ncorpus = "c"\n[[chunkers]]\nuse = "paragraph"\n'


def read(folder: Path, models: str) -> Plan:
    path = folder / "区切り.toml"
    path.write_text(HEAD + models, encoding="utf-8")
    return read_sweep(path).plan


def test_every_key_of_a_model_is_read(tmp_path: Path) -> None:
    text = """[[models]]
name = "a"
[[models]]
name = "模型"
dimensions = 3
max_tokens = 9
tokenizer = "unidic"
special_tokens = 0
prefix = "文："
bytes_per_number = 1
price = 2
currency = "JPY"
tokens_per_second = 1.5
"""
    assert read(tmp_path, text).models == (
        EmbeddingModel("a"),
        EmbeddingModel("模型", 3, 9, "unidic", 0, "文：", 1, 2.0, "JPY", 1.5),
    )
    assert read(tmp_path, "").models == ()


def test_the_path_of_a_tokenizer_is_relative_to_the_file(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "tokenizer.json").write_text("{}", encoding="utf-8")
    (model,) = read(tmp_path, '[[models]]\nname = "a"\ntokenizer = "in/tokenizer.json"\n').models
    assert model.tokenizer == (tmp_path / "in" / "tokenizer.json").as_posix()


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("nam = 1", ("models[0].nam", "'name'")),
        ("", ("models[0]", "name")),
        ('name = " "', ("models[0].name",)),
        ('name = "a"\ndimension = 3', ("models[0].dimension", "'dimensions'")),
        ('name = "a"\ndimensions = 0', ("models[0].dimensions", "0")),
        ('name = "a"\nmax_tokens = 2', ("models[0].max_tokens", "special_tokens = 2")),
        ('name = "a"\nspecial_tokens = -1', ("models[0].special_tokens",)),
        ('name = "a"\nbytes_per_number = 0', ("models[0].bytes_per_number",)),
        ('name = "a"\nprice = 1.0', ("models[0].price", "currency")),
        ('name = "a"\ncurrency = "USD"', ("models[0].price",)),
        ('name = "a"\nprice = -1.0\ncurrency = "USD"', ("models[0].price",)),
        ('name = "a"\nprice = nan\ncurrency = "USD"', ("models[0].price",)),
        ('name = "a"\ntokens_per_second = 0', ("models[0].tokens_per_second",)),
        ('name = "a"\ntokenizer = "gpt"', ("models[0].tokenizer", "cl100k")),
        ('name = "a"\ntokenizer = "none.json"', ("models[0].tokenizer", "none.json")),
        ('name = "a"\nmax_tokens = "9"', ("models[0].max_tokens",)),
        ('name = "a"\n[[models]]\nname = "a"', ("two models", "'a'")),
    ],
)
def test_models_that_are_refused(tmp_path: Path, keys: str, words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, f"[[models]]\n{keys}\n")
    assert caught.value.exit_code == 2
    for word in words:
        assert word in str(caught.value), (word, str(caught.value))


def test_what_the_results_say_of_a_model_does_not_depend_on_where_its_tokenizer_lies(tmp_path: Path) -> None:
    facts = EmbeddingModel("a", tokenizer="char", max_tokens=9).facts()
    assert facts["tokenizer"] == "char"
    assert (facts["name"], facts["max_tokens"], facts["special_tokens"], facts["price"]) == ("a", 9, 2, None)
    tokenizers = pytest.importorskip("tokenizers")
    path = tmp_path / "tokenizer.json"
    vocabulary = {"[UNK]": 0, "あ": 1}
    tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]")).save(str(path))
    described = EmbeddingModel("a", tokenizer=str(path)).facts()
    assert described["tokenizer"] == "tokenizer.json"
    assert described["tokenizer_version"].startswith("sha256 ")


def test_a_tokenizer_that_cannot_be_used_stops_the_sweep(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    path = tmp_path / "tokenizer.json"
    path.write_text("{}", encoding="utf-8")
    corpus, questions = small()
    plan = Plan("t", (Configuration(Fixed(4)),), models=(EmbeddingModel("m", tokenizer=str(path)),))
    with pytest.raises(InputError, match="no tokenizer"):
        run(plan, corpus, questions, DIGESTS)


def test_an_empty_corpus_has_costs_too() -> None:
    corpus = corpus_of(["", "あ"])
    plan = Plan("t", (Configuration(Fixed(4)),), models=(EmbeddingModel("m", 2, 8, "char"),))
    (row,) = rows_of(run(plan, corpus, questions_of(corpus, [[[(1, 0, 1)]]]), DIGESTS))
    assert (row["vectors"], row["bytes"], row["indexed_tokens"], row["truncated"]) == (1, 8, 3, 0)
