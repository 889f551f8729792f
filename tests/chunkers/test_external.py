"""Chunks of others as a chunker: from functions, from files and from libraries, each proven."""

from __future__ import annotations

import builtins
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.chunkers.external import External, external_chunker
from kugiri.chunkers.external_tokenizers import codec
from kugiri.chunkers.external_tools import TOOLS
from kugiri.errors import InputError
from kugiri.formats.chunk_audit import Audit, audited
from kugiri.formats.placement import ForeignChunk
from kugiri.labels import component_label, parse
from worlds import HOSTILE, IDS, corpus_of, hostile_text, local_chunks, random_chunks

REPEATED = "同意する。同意する。\r\n\u3000か\u3099👩\u200d🍳。"


def refusal(make: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        make()
    return caught.value


# ------------------------------------------------------------------------------------------------ functions
@given(st.lists(hostile_text(), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_a_function_that_returns_pairs_or_their_texts(texts: list[str], draw: Any) -> None:
    corpus = corpus_of(texts)
    chunks = {text: random_chunks(draw, len(text)) for text in texts}
    true = [(number, *pair) for number, text in enumerate(texts) for pair in chunks[text]]
    assert local_chunks(external_chunker(lambda text: chunks[text], "pairs").chunk(corpus)) == true
    by_text = external_chunker(lambda text: (text[a:b] for a, b in chunks[text]), "texts")
    found = audited(corpus, by_text.lists(corpus))
    assert not found.unplaced
    for row, (document, start, end) in zip(found.rows, true, strict=True):
        assert row.document == IDS[document]
        assert row.placement.status == "ambiguous" or (row.placement.start, row.placement.end) == (start, end)


def test_a_function_that_states_its_places() -> None:
    corpus = corpus_of([REPEATED, ""])
    told = external_chunker(lambda text: [ForeignChunk(text[5:10], 0)] if text else [], "own")
    assert local_chunks(told.chunk(corpus)) == [(0, 0, 5)]
    assert str(told) == 'external(function="own")'
    assert str(parse(str(told))) == str(told)
    assert (told.name, told.version) == ("own", 1)


def test_equal_sentences_are_not_one_chunk() -> None:  # A10
    cut = external_chunker(lambda text: ["同意する。", "同意する。"], "sentences")
    assert local_chunks(cut.chunk(corpus_of([REPEATED]))) == [(0, 0, 5), (0, 5, 10)]
    once = external_chunker(lambda text: ["同意する。"], "sentences", ambiguous="refuse")
    error = refusal(lambda: once.chunk(corpus_of([REPEATED])))
    assert error.what == "1 of 1 chunk cannot be placed: 1 ambiguous"
    assert "in several places" in error.remedy


@pytest.mark.parametrize(
    ("chunk", "what", "remedy"),
    [
        ("見出し: 同意する。", "1 missing", "no slice of the document equals it"),
        ("同意する\ufffd", "1 damaged", "half a character"),
        ("", "1 missing", "leave empty chunks out"),
    ],
)
def test_a_chunk_without_a_place_is_named_and_never_guessed(chunk: str, what: str, remedy: str) -> None:
    cut = external_chunker(lambda text: ["同意する。", chunk], "broken")
    error = refusal(lambda: cut.chunk(corpus_of([REPEATED])))
    assert error.exit_code == 2
    assert error.what == f"1 of 2 chunks cannot be placed: {what}"
    assert error.where == f'external(function="broken"), document {IDS[0]!r}, chunk 2: {chunk!r}'
    assert remedy in error.remedy


def test_a_chunk_whose_white_space_was_changed_is_its_slice() -> None:
    cut = external_chunker(lambda text: ["同意する。 か\u3099"], "joined")
    assert local_chunks(cut.chunk(corpus_of([REPEATED]))) == [(0, 5, 15)]


@pytest.mark.parametrize("returned", [None, 5, REPEATED, b"x"])
def test_a_function_that_returns_no_list(returned: Any) -> None:
    error = refusal(lambda: external_chunker(lambda text: returned, "one").chunk(corpus_of([REPEATED])))
    assert error.what == f"the function returned {type(returned).__name__}, and a list of chunks is needed"
    assert IDS[0] in error.where


def test_several_layers_are_refused_for_now() -> None:
    error = refusal(lambda: external_chunker(lambda text: [(0, 10), (2, 5)], "layers").chunk(corpus_of([REPEATED])))
    assert error.what == "chunk 2 [2, 5) lies inside chunk 1 [0, 10): the index has several layers"
    assert IDS[0] in error.where


def test_pairs_are_never_moved() -> None:
    # する。 stands behind the first chunk too; and a pair that is given twice is one chunk.
    error = refusal(lambda: external_chunker(lambda text: [(0, 6), (2, 5)], "layers").chunk(corpus_of([REPEATED])))
    assert "chunk 2 [2, 5) lies inside chunk 1 [0, 6)" in error.what
    twice = external_chunker(lambda text: [(5, 10), (0, 5), (5, 10)], "twice")
    assert local_chunks(twice.chunk(corpus_of([REPEATED]))) == [(0, 0, 5), (0, 5, 10)]


@pytest.mark.parametrize("pair", [(-1, 2), (3, 3), (4, 2), (0, 999)])
def test_pairs_outside_the_document_are_refused(pair: tuple[int, int]) -> None:
    error = refusal(lambda: external_chunker(lambda text: [pair], "pairs").chunk(corpus_of([REPEATED])))
    assert f"[{pair[0]}, {pair[1]}) is no slice" in error.what


@pytest.mark.parametrize("chunk", [7, None, (1,), (0, 1.5), (1, 2, 3), {"text": "同"}, b"x"])
def test_other_things_are_no_chunks(chunk: Any) -> None:
    error = refusal(lambda: external_chunker(lambda text: [chunk], "strange").chunk(corpus_of([REPEATED])))
    assert "as a chunk" in error.what


# ------------------------------------------------------------------------------------------------ files
def test_a_file_of_chunks(tmp_path: Path) -> None:
    path = tmp_path / "断片.jsonl"
    rows = [{"document": IDS[1], "text": HOSTILE[:5], "start": -1}, {"document": IDS[0], "text": "同意する。", "id": 3}]
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    made = External(file=str(path))
    assert local_chunks(made.chunk(corpus_of([REPEATED, HOSTILE]))) == [(0, 0, 5), (1, 0, 5)]
    error = refusal(lambda: External(file=str(path), ambiguous="refuse").chunk(corpus_of([REPEATED, HOSTILE])))
    assert "chunk 1 ('3'): '同意する。'" in error.where
    assert "no such file" in refusal(lambda: External(file="none.jsonl").chunk(corpus_of([REPEATED]))).what


def test_a_file_of_true_places_is_read_in_any_order(tmp_path: Path) -> None:
    text = "はい。いいえ。はい。いいえ。はい。"
    path = tmp_path / "shuffled.jsonl"
    rows = [{"document": IDS[0], "text": text[a:b], "start": a, "end": b} for a, b in ((7, 10), (0, 3))]
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    assert local_chunks(External(file=str(path)).chunk(corpus_of([text]))) == [(0, 0, 3), (0, 7, 10)]


# ------------------------------------------------------------------------------------------------ labels
@pytest.mark.parametrize(
    ("made", "label"),
    [
        (External("langchain.recursive", 400, 80), 'external(tool="langchain.recursive", size=400, overlap=80)'),
        (External("chonkie.token", 256, 0.0), 'external(tool="chonkie.token", size=256)'),
        (
            External("chonkie.sentence", 9, 0.2, "o200k", ("。",)),
            'external(tool="chonkie.sentence", size=9, overlap=0.2, tokenizer="o200k", separators=["。"])',
        ),
        (
            External("chonkie.token", 9, ambiguous="refuse"),
            'external(tool="chonkie.token", size=9, ambiguous="refuse")',
        ),
        (External(file="甲 乙.csv"), 'external(file="甲 乙.csv")'),
    ],
)
def test_labels_say_what_was_asked(made: External, label: str) -> None:
    assert str(made) == component_label(made) == label
    assert External(**dict(parse(label).arguments)) == made


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({}, "takes a tool or a file"),
        ({"tool": "chonkie.token", "file": "a.csv"}, "takes a tool or a file"),
        ({"tool": "chonkie.tokens", "size": 3}, "unknown tool 'chonkie.tokens'"),
        ({"tool": "chonkie.token"}, "needs 'size'"),
        ({"tool": "chonkie.token", "size": 8, "overlap": 8}, "overlap = 8 with size = 8"),
        ({"tool": "chonkie.token", "size": 0}, "size = 0"),
        ({"tool": "chonkie.token", "size": 8, "tokenizer": "gpt2"}, "unknown tokenizer"),
        ({"tool": "chonkie.token", "size": 8, "separators": ("。",)}, "separators"),
        ({"tool": "chonkie.sentence", "size": 8, "separators": ()}, "separators"),
        ({"tool": "chonkie.recursive", "size": 8, "overlap": 2}, "no overlap"),
        ({"file": "a.csv", "size": 8}, "has no size"),
        ({"file": "a.csv", "overlap": 8}, "has no overlap"),
        ({"file": "a.csv", "ambiguous": "guess"}, "ambiguous = 'guess'"),
    ],
)
def test_settings_that_are_refused(arguments: dict[str, Any], what: str) -> None:
    assert what in refusal(lambda: External(**arguments)).what


def test_the_nearest_tool_is_named() -> None:
    assert "'chonkie.token'" in refusal(lambda: External("chonkie.tokens", 3)).remedy


def test_a_library_that_is_not_there_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] in {"langchain_text_splitters", "llama_index", "chonkie", "semantic_text_splitter"}:
            raise ImportError(name=name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    for name, tool in TOOLS.items():
        error = refusal(lambda name=name: External(name, 30).chunk(corpus_of([HOSTILE])))  # type: ignore[misc]
        assert error.remedy == f"pip install 'kugiri[{tool.extra}]'"


def test_characters_are_tokens_too() -> None:
    characters = codec("char")
    assert characters.decode(characters.encode(HOSTILE)) == HOSTILE
    assert characters.count(HOSTILE) == len(HOSTILE)


# ------------------------------------------------------------------------------------------------ libraries
LONG = f"{HOSTILE}名前はまだ無い。\n\n{HOSTILE[:9]}、どこで生れたか。鰻と🍣、葛󠄀城市。" * 3
MODULES = {
    "langchain": "langchain_text_splitters",
    "llamaindex": "llama_index.core",
    "chonkie": "chonkie",
    "semantic-text-splitter": "semantic_text_splitter",
}


def audit_of(name: str, texts: list[str], **settings: Any) -> Audit:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(MODULES[TOOLS[name].extra])
        corpus = corpus_of(texts)
        return audited(corpus, External(name, **settings).lists(corpus))


@pytest.mark.oracle
@pytest.mark.parametrize("name", list(TOOLS))
@pytest.mark.parametrize("overlap", [0, 10])
def test_characters_as_units_are_exact(name: str, overlap: int, capsys: pytest.CaptureFixture[str]) -> None:
    tool = TOOLS[name]
    overlap *= tool.overlaps
    found = audit_of(name, [LONG, "", "\u3000"], size=60, overlap=overlap, tokenizer="char")
    assert capsys.readouterr().out == ""
    assert {row.placement.status for row in found.rows} <= {"exact", "ambiguous"}
    texts = dict(zip(IDS, [LONG, "", "\u3000"], strict=False))
    assert all(texts[row.document][row.placement.start : row.placement.end] == row.chunk.text for row in found.rows)
    assert found.checks.coverage == 1
    assert found.checks.advance == 1


@pytest.mark.oracle
@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.tokenizer != "char"])
def test_tokens_are_cut_inside_characters_and_said_to_be(name: str) -> None:
    found = audit_of(name, [LONG, ""], size=60)
    for row in found.rows:
        assert (row.placement.status == "damaged") == ("\ufffd" in row.chunk.text)
    if name.endswith(".token") and not name.startswith("llamaindex"):
        assert found.details["replacement character"] > 0
        with pytest.raises(InputError, match="cannot be placed"):
            External(name, 60).chunk(corpus_of([LONG]))


@pytest.mark.oracle
def test_what_is_known_of_these_libraries() -> None:
    # LangChain's token splitter does not find what it decoded.
    chunks = [row.chunk for row in audit_of("langchain.token", [LONG], size=13).rows]
    assert any(chunk.start == -1 for chunk in chunks)
    # chonkie adds up lengths of decoded text, and drifts from the first half character on.
    counts = audit_of("chonkie.token", [LONG], size=13).counts
    assert counts["drifted"] + counts["damaged"] > counts["exact"]
    # LlamaIndex looks for each chunk one character behind the start of the one before it.
    found = audit_of("llamaindex.sentence", ["以上です。" * 400], size=100)
    assert found.checks.stated_coverage is not None
    assert found.checks.stated_coverage < 0.2


@pytest.mark.oracle
def test_a_library_that_fails_is_named() -> None:
    with pytest.raises(InputError, match=r"chonkie\.recursive failed"):
        audit_of("chonkie.recursive", [LONG], size=60, separators=("\ud800",))
