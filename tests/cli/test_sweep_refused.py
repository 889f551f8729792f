"""Bad input to `kugiri sweep`: three lines, exit status 2, nothing on standard output, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_command import Kugiri, corpus, refused
from hostile_sweep import ANSWERABLE, SWEEP_TOML, everything, write_world
from test_corpus_refused import CORPORA

HEAD = 'title = "題👩\u200d🍳か\u3099\u3000"\ncorpus = "../corpora/hostile"\n'
FIXED = '[[chunkers]]\nuse = "fixed"\n'
PARAGRAPH = '[[chunkers]]\nuse = "paragraph"\n'

# What stands in the file, and the words that the three lines must have.
FILES: dict[str, tuple[str | bytes, list[str]]] = {
    "malformed": (HEAD + "[[chunkers\n", ["not TOML", "hostile.toml:3"]),
    "cut off": (HEAD + 'metrics = ["Recall@5"', ["not TOML", "hostile.toml"]),
    "duplicate key": (HEAD + 'title = "another"\n' + PARAGRAPH, ["hostile.toml:3"]),
    "duplicate table": (HEAD + PARAGRAPH + "[questions]\nsample = 1\n[questions]\nsample = 1\n", ["not TOML"]),
    "empty": ("", ["title"]),
    "no title": (HEAD.split("\n")[1] + "\n" + PARAGRAPH, ["title"]),
    "no corpus": ('title = "x"\n' + PARAGRAPH, ["corpus"]),
    "no chunkers": (HEAD, ["chunkers"]),
    "empty chunkers": (HEAD + "chunkers = []\n", ["chunkers", "at least one"]),
    "unknown key": (HEAD + "sead = 2\n" + PARAGRAPH, ["'sead'", "'seed'"]),
    "unknown key in questions": (
        HEAD + PARAGRAPH + "[questions]\nsmaple = 2\n",
        ["'smaple'", "'sample'", "questions.smaple"],
    ),
    "unknown key of a chunker": (HEAD + FIXED + "size = 8\novelap = 2\n", ["'ovelap'", "'overlap'", "chunkers[0]"]),
    "unknown key in a grid": (
        HEAD + PARAGRAPH + FIXED + "overlap = 2\n[chunkers.grid]\nsise = [8]\n",
        ["'sise'", "'size'", "chunkers[1]"],
    ),
    "parameter of another chunker": (HEAD + PARAGRAPH + "newline = 8\n", ["'newline'", "chunkers[0]"]),
    "title is no text": (HEAD.replace('"題👩\u200d🍳か\u3099\u3000"', "1") + PARAGRAPH, ["title", "str", "int"]),
    "chunkers are a table": (HEAD + '[chunkers]\nuse = "paragraph"\n', ["chunkers", "array"]),
    "metrics are text": (HEAD + 'metrics = "Recall@5"\n' + PARAGRAPH, ["metrics", "array"]),
    "size is text": (HEAD + FIXED + 'size = "8"\n', ["size", "chunkers[0]"]),
    "size is true": (HEAD + FIXED + "size = true\n", ["size", "chunkers[0]"]),
    "size is a float": (HEAD + FIXED + "size = 8.5\n", ["size", "chunkers[0]"]),
    "size is beyond 64 bits": (HEAD + FIXED + "size = 99999999999999999999\n", ["size"]),
    "size has too many digits": (HEAD + FIXED + "size = " + "9" * 5000 + "\n", ["hostile.toml"]),
    "size is missing": (HEAD + FIXED, ["size", "chunkers[0]"]),
    "overlap is as large as the window": (HEAD + FIXED + "size = 8\noverlap = 8\n", ["overlap = 8", "size = 8"]),
    "overlap is larger than the window": (HEAD + FIXED + "size = 8\noverlap = 9\n", ["overlap = 9", "size = 8"]),
    "overlap is negative": (HEAD + FIXED + "size = 8\noverlap = -1\n", ["overlap = -1", "size = 8"]),
    "share of one": (HEAD + FIXED + "size = 8\noverlap = 1.0\n", ["overlap = 1.0", "size = 8"]),
    "share below nothing": (HEAD + FIXED + "size = 8\noverlap = -0.1\n", ["overlap = -0.1", "size = 8"]),
    "share is not a number": (HEAD + FIXED + "size = 8\noverlap = nan\n", ["overlap = nan"]),
    "share is infinite": (HEAD + FIXED + "size = 8\noverlap = inf\n", ["overlap = inf"]),
    "size 0": (HEAD + FIXED + "size = 0\n", ["size = 0", "overlap = 0"]),
    "size below nothing": (HEAD + FIXED + "size = -8\n", ["size = -8"]),
    "one bad point of a grid": (
        HEAD + FIXED + "[chunkers.grid]\nsize = [8, 4]\noverlap = [4]\n",
        ["overlap = 4", "size = 4", "chunkers[0]"],
    ),
    "no name": (HEAD + "[[chunkers]]\nsize = 8\n", ["use", "chunkers[0]"]),
    "name is a number": (HEAD + "[[chunkers]]\nuse = 8\n", ["use", "chunkers[0]"]),
    "unknown chunker": (HEAD + '[[chunkers]]\nuse = "paragraf"\n', ["'paragraf'", "'paragraph'", "chunkers[0]"]),
    "unknown chunker unlike any": (HEAD + '[[chunkers]]\nuse = "漢"\n', ["'漢'", "fixed", "paragraph"]),
    "two equal labels": (HEAD + FIXED + "size = 8\n" + FIXED + "size = 8\noverlap = 0.0\n", ["'fixed(size=8)'"]),
    "two equal points": (HEAD + FIXED + "[chunkers.grid]\nsize = [8, 8]\n", ["'fixed(size=8)'"]),
    "grid is no table": (HEAD + FIXED + "grid = 8\n", ["grid", "chunkers[0].grid"]),
    "axis is no array": (HEAD + FIXED + "[chunkers.grid]\nsize = 8\n", ["'size'", "chunkers[0].grid.size"]),
    "axis is empty": (HEAD + FIXED + "[chunkers.grid]\nsize = []\n", ["'size'", "chunkers[0].grid.size"]),
    "axis and constant": (
        HEAD + FIXED + "size = 8\n[chunkers.grid]\nsize = [8]\n",
        ["'size'", "chunkers[0].grid.size"],
    ),
    "corpus is nowhere": (HEAD.replace("hostile", "nowhere-at-all") + PARAGRAPH, ["nowhere-at-all"]),
    "corpus is a file": (HEAD.replace("hostile", "hostile/documents.jsonl") + PARAGRAPH, ["documents.jsonl"]),
    "corpus is no text": (HEAD.replace('"../corpora/hostile"', "1") + PARAGRAPH, ["corpus"]),
    "metric unknown": (HEAD + 'metrics = ["Recal@5"]\n' + PARAGRAPH, ["'Recal'", "Recall@k", "metrics[0]"]),
    "metric at 0": (HEAD + 'metrics = ["rank", "Recall@0"]\n' + PARAGRAPH, ["metrics[1]"]),
    "metric at nothing": (HEAD + 'metrics = ["Recall@"]\n' + PARAGRAPH, ["metrics[0]"]),
    "metric without its cutoff": (HEAD + 'metrics = ["Recall"]\n' + PARAGRAPH, ["Recall", "Recall(budget=B)"]),
    "metric with a wrong argument": (HEAD + 'metrics = ["Recall(bugdet=9)"]\n' + PARAGRAPH, ["bugdet", "budget"]),
    "metric with a budget of 0": (HEAD + 'metrics = ["Recall(budget=0)"]\n' + PARAGRAPH, ["budget", "metrics[0]"]),
    "metric goes on": (HEAD + 'metrics = ["Recall@5 x"]\n' + PARAGRAPH, ["metrics[0]"]),
    "metric twice": (HEAD + 'metrics = ["Recall@5", "Recall@5"]\n' + PARAGRAPH, ["Recall@5", "metrics"]),
    "no metric": (HEAD + "metrics = []\n" + PARAGRAPH, ["metric"]),
    "primary is none of the metrics": (
        HEAD + 'metrics = ["Recall@5"]\nprimary = "MRR@10"\n' + PARAGRAPH,
        ["'MRR@10'", "Recall@5", "primary"],
    ),
    "primary is no metric": (HEAD + 'primary = "Recal@5"\n' + PARAGRAPH, ["'Recal'", "primary"]),
    "baseline is none of the configurations": (
        HEAD + 'baseline = "fixed(size=7)"\n' + PARAGRAPH,
        ["'fixed(size=7)'", "paragraph()", "baseline"],
    ),
    "baseline is no label": (HEAD + 'baseline = "fixed(size="\n' + PARAGRAPH, ["baseline"]),
    "baseline is unknown": (HEAD + 'baseline = "paragraf()"\n' + PARAGRAPH, ["'paragraf'", "'paragraph'", "baseline"]),
    "sample is too large": (HEAD + PARAGRAPH + "[questions]\nsample = 99\n", ["99", str(ANSWERABLE)]),
    "sample of none": (HEAD + PARAGRAPH + "[questions]\nsample = 0\n", ["0", "questions.sample"]),
    "split is unknown": (HEAD + PARAGRAPH + '[questions]\nsplit = "dev"\n', ["'dev'", "development"]),
    "split has no question": (HEAD + PARAGRAPH + '[questions]\nsplit = "test"\n', ["question"]),
    "cluster is unknown": (HEAD + 'cluster = "chapter"\n' + PARAGRAPH, ["cluster", "chapter"]),
    "seed is text": (HEAD + 'seed = "1"\n' + PARAGRAPH, ["seed"]),
    "retriever": (HEAD + PARAGRAPH + '[[retrievers]]\nuse = "bm52"\n', ["retrievers[0]", "'bm52'", "'bm25'"]),
    "cp932": ((HEAD.split("👩")[0] + '"\n').encode("cp932"), ["not UTF-8", "byte 9", "cp932"]),
    "utf-16": ((HEAD + PARAGRAPH).encode("utf-16"), ["not UTF-8"]),
    "NUL": (HEAD + "# \0\n" + PARAGRAPH, ["hostile.toml:3"]),
    "NUL escaped": (HEAD.replace("題", r"\u0000") + PARAGRAPH, ["NUL", "title"]),
    "lone surrogate": ((HEAD + PARAGRAPH).encode().replace("題".encode(), b"\xed\xa0\x80"), ["not UTF-8"]),
    "nested too deeply": (HEAD + "seed = " + "[" * 9999 + "\n", ["nested"]),
    "terminal commands": (HEAD + '"\\u001b[2J\\u202e" = 1\n' + PARAGRAPH, [r"\x1b[2J\u202e"]),
}


@pytest.mark.parametrize("case", FILES)
def test_sweep_files_that_are_refused(kugiri: Kugiri, tmp_path: Path, case: str) -> None:
    content, words = FILES[case]
    file = write_world(tmp_path)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = everything(tmp_path)
    done = kugiri("sweep", "sweeps/hostile.toml")
    refused(done, *words)
    assert done.out == ""
    assert everything(tmp_path) == before
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err


@pytest.mark.parametrize("case", ["sample is too large", "split has no question", "two equal labels", "size 0"])
def test_whatever_is_wrong_in_a_sweep_file_the_file_is_named(kugiri: Kugiri, tmp_path: Path, case: str) -> None:
    file = write_world(tmp_path)
    file.write_bytes(str(FILES[case][0]).encode())
    where = kugiri("sweep", "sweeps/hostile.toml").err.splitlines()[1]
    assert "hostile.toml" in where


@pytest.mark.parametrize("case", CORPORA)
def test_corpora_that_are_refused(kugiri: Kugiri, tmp_path: Path, case: str) -> None:
    files, words = CORPORA[case]
    corpus(tmp_path / "c", **files)
    (tmp_path / "s.toml").write_bytes(f'title = "題"\ncorpus = "c"\n{PARAGRAPH}'.encode())
    before = everything(tmp_path)
    done = kugiri("sweep", "s.toml")
    refused(done, *words)
    assert done.out == ""
    assert everything(tmp_path) == before


def test_a_corpus_without_an_answerable_question(kugiri: Kugiri, tmp_path: Path) -> None:
    corpus(tmp_path / "c", questions='{"id":"q","question":"どこ？","evidence":[]}')
    (tmp_path / "s.toml").write_bytes(f'title = "題"\ncorpus = "c"\n{PARAGRAPH}'.encode())
    before = everything(tmp_path)
    done = kugiri("sweep", "s.toml")
    refused(done, "answerable")
    assert done.out == ""
    assert everything(tmp_path) == before


@pytest.mark.parametrize("path", ["nowhere.toml", "sweeps", "sweeps/hostile.toml/x"])
def test_a_sweep_file_that_is_none(kugiri: Kugiri, tmp_path: Path, path: str) -> None:
    write_world(tmp_path)
    before = everything(tmp_path)
    done = kugiri("sweep", path)
    refused(done, path)
    assert done.out == ""
    assert everything(tmp_path) == before


@pytest.mark.parametrize("out", ["", ".", "/", "sweeps", "hostile.previous"])
def test_a_results_folder_that_cannot_be(kugiri: Kugiri, tmp_path: Path, out: str) -> None:
    write_world(tmp_path)
    before = everything(tmp_path)
    done = kugiri("sweep", "sweeps/hostile.toml", "--out", out)
    refused(done)
    assert done.out == ""
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sweep"], "Missing argument"),
        (["sweep", "s.toml", "--outt", "x"], "No such option"),
        (["sweep", "s.toml", "more"], "unexpected extra argument"),
        (["sweep", "s.toml", "--workers", "0"], "--workers"),
        (["sweep", "s.toml", "--workers", "two"], "--workers"),
        (["sweep", "s.toml", "--out"], "requires an argument"),
        (["sweap", "s.toml"], "No such command"),
        (["lost"], "Missing argument"),
        (["explain", "c", "q"], "Missing argument"),
        (["report", "r", "--lang", "fr"], "--lang"),
        (["list", "chunker"], "chunker"),
    ],
)
def test_wrong_usage_keeps_typers_own_words(kugiri: Kugiri, tmp_path: Path, arguments: list[str], words: str) -> None:
    done = kugiri(*arguments)
    assert (done.code, done.out) == (2, "")
    assert words in " ".join(done.err.replace("│", " ").split())
    assert not done.err.startswith("error:")
    assert everything(tmp_path) == []


def test_the_same_words_with_the_whole_sweep_file_correct(kugiri: Kugiri, tmp_path: Path) -> None:
    """What the cases above start from is a sweep that runs."""
    file = write_world(tmp_path, HEAD + PARAGRAPH + FIXED + "size = 8\n")
    assert kugiri("sweep", file, "--dry-run").code == 0
    file.write_bytes(SWEEP_TOML.encode())
    assert kugiri("sweep", file, "--dry-run").code == 0
