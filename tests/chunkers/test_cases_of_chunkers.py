"""Rows of `cases.md` on offsets, units, white space, termination and sentences, under the chunkers they concern."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kugiri import catalog
from kugiri.errors import InputError
from kugiri.formats.corpus_folder import load_corpus
from kugiri.segmenters.tokenizers import tokenizer
from worlds import corpus_of, local_chunks

Spans = list[tuple[int, int]]


def cut(label: str, text: str) -> Spans:
    return [(s, e) for _, s, e in local_chunks(catalog.chunker(label).chunk(corpus_of([text])))]


def cells(name: str, label: str, text: str, expected: Spans) -> object:
    return pytest.param(label, text, expected, id=f"{name}-{label.partition('(')[0]}")


TOMATO, WEATHER = "トマトトマトトマト", "晴れ。雨。"
SPACED = "  甲 乙\u3000"


@pytest.mark.parametrize(
    ("label", "text", "expected"),
    [
        cells("A1", "fixed(size=3)", TOMATO, [(0, 3), (3, 6), (6, 9)]),
        cells("A1", 'recursive(size=3, separators=["ト"])', TOMATO, [(0, 3), (3, 6), (6, 9)]),
        cells("A2", "paragraph()", "注意。\n\n注意。", [(0, 3), (5, 8)]),
        cells("A2", "paragraph(size=4)", "注意。\n\n注意。", [(0, 3), (5, 8)]),
        cells("A2", "sentence(size=5, trim=true)", "注意。\n\n注意。", [(0, 3), (5, 8)]),
        cells("A7", "sentence(size=10)", WEATHER, [(0, 5)]),
        cells("A7", "semantic(size=10)", WEATHER, [(0, 5)]),
        cells("A7", "cohesion(size=10)", WEATHER, [(0, 5)]),
        cells("A7", "sentence_window(before=1, after=1)", WEATHER, [(0, 5)]),
        cells("A8", "fixed(size=6, overlap=2)", "一二三四五六七八九十", [(0, 6), (4, 10)]),
        cells("A8", "sentence(size=4, overlap=2)", "一。二。三。", [(0, 4), (2, 6)]),
        cells("A10", "sentence(size=5)", "同意する。同意する。", [(0, 5), (5, 10)]),
        *(
            cells("A11", f"{name}trim={trim})", SPACED, spans)
            for name in ("whole(", "paragraph(", "line(size=9, ", "phrase(size=9, ", "recursive(size=9, ")
            for trim, spans in (("true", [(2, 5)]), ("false", [(0, 6)]))
        ),
        cells("B14", 'recursive(size=2, separators=["。"])', "朝。昼。夜", [(0, 2), (2, 4), (4, 5)]),
        cells("B14", "sentence(size=2)", "朝。昼。夜", [(0, 2), (2, 4), (4, 5)]),
        cells("B16", "line(size=5)", "# 説明\nx=1\n", [(0, 5), (5, 9)]),
        cells("B16", "recursive(size=5)", "# 説明\nx=1\n", [(0, 5), (5, 9)]),
        cells("D31", "line(size=4)", "\u3000序章\n本文", [(0, 4), (4, 6)]),
        cells("D31", "line(size=4, trim=true)", "\u3000序章\n本文", [(1, 3), (4, 6)]),
        cells("D34", "sentence_window(before=0, after=0)", "え？！本当。。。終", [(0, 3), (3, 8), (8, 9)]),
        cells("D34", "sentence(size=5)", "え？！本当。。。終", [(0, 3), (3, 8), (8, 9)]),
        cells("D35", "recursive(size=11)", "alpha beta gamma", [(0, 11), (11, 16)]),
        cells("D35", "recursive(size=11, trim=true)", "alpha beta gamma", [(0, 10), (11, 16)]),
        cells("D35", 'phrase(size=11, by="unidic")', "alpha beta gamma", [(0, 11), (11, 16)]),
        cells("D41", 'fixed(size=1, unit="grapheme")', "👩\u200d🍳鍋", [(0, 3), (3, 4)]),
        *(
            cells(name, f"{strategy}(size=1)", text, spans)
            for strategy in ("sentence", "paragraph", "line", "recursive", "phrase", "cohesion")
            for name, text, spans in (
                ("D41-ZWJ", "👩\u200d🍳鍋", [(0, 3), (3, 4)]),
                ("D41-flag", "🇯🇵国", [(0, 2), (2, 3)]),
                ("D43", "か\u3099き", [(0, 2), (2, 3)]),
            )
            # Phrases are places of BudouX, which may lie inside a cluster.
            if strategy != "phrase"
        ),
        cells("E46", "sentence(size=10, overlap=3)", "九文字の一つの文。", [(0, 9)]),
        cells("E46", "recursive(size=10, overlap=3)", "九文字の一つの文。", [(0, 9)]),
        cells("E47", "fixed(size=4, overlap=2)", "一二三四五六七八", [(0, 4), (2, 6), (4, 8)]),
        cells("E49", "sentence(size=100)", "あ" * 500, [(n, n + 100) for n in range(0, 500, 100)]),
        cells("E49", "recursive(size=100)", "あ" * 500, [(n, n + 100) for n in range(0, 500, 100)]),
        cells("E49", "paragraph(size=100)", "あ" * 500, [(n, n + 100) for n in range(0, 500, 100)]),
        cells("E49", "cohesion(size=100)", "あ" * 500, [(n, n + 100) for n in range(0, 500, 100)]),
        cells("E53", "sentence(size=2)", "一。二。三", [(0, 2), (2, 4), (4, 5)]),
        cells("E53", "sentence(size=4)", "一。二。三", [(0, 4), (4, 5)]),
        cells("F58", "sentence(size=5)", "終わり。」次。", [(0, 5), (5, 7)]),
        cells("F58", "sentence(size=6)", "「未閉。\n\n次。", [(0, 6), (6, 8)]),
        cells("F58", "sentence_window(before=0, after=0)", "「未閉。\n\n次。", [(0, 6), (6, 8)]),
        cells("F59", "sentence(size=11)", "円周率は３．１４です。次です。", [(0, 11), (11, 15)]),
        cells("F59", "paragraph(size=11)", "円周率は３．１４です。次です。", [(0, 11), (11, 15)]),
        cells("F61", "sentence(size=4)", "見出し\n本文。", [(0, 4), (4, 7)]),
        cells("F61", 'sentence(size=7, newline="wrap")', "見出し\n本文。", [(0, 7)]),
        cells("F61", "sentence_window(before=0, after=0)", "見出し\n本文。", [(0, 4), (4, 7)]),
        cells("F61", 'sentence_window(before=0, after=0, newline="wrap")', "見出し\n本文。", [(0, 7)]),
        cells("F61", "sentence(size=7)", "「一行\n二行。」次。", [(0, 7), (7, 10)]),
    ],
)
def test_a_case_is_cut_as_it_should(label: str, text: str, expected: Spans) -> None:
    assert cut(label, text) == expected


@pytest.mark.parametrize("label", ["headings(level=1, size=20)", "headings()", "headings(level=2, size=9)"])
def test_headings_are_slices_with_all_their_white_space(label: str) -> None:  # D32, B16
    from kugiri.chunkers.headings import Headings

    text = "# A\n\n段落1\n\n\t段落2\u00a0x\n"
    made = {"headings()": Headings(), "headings(level=1, size=20)": Headings(1, 20)}.get(label, Headings(2, 9))
    chunking = made.chunk(corpus_of([text]))
    texts = [chunking.chunk(index).text for index in range(len(chunking))]
    assert "".join(texts) == text
    assert any("\t段落2\u00a0" in chunk for chunk in texts)
    if "size" in label:
        assert max(map(len, texts)) <= made.size
    assert [s for _, s, _ in local_chunks(Headings().chunk(corpus_of(["# 説明\n本文\n# x\n"])))] == [0, 8]


def test_a_separator_of_a_line_inside_a_record_ends_no_record(tmp_path: Path) -> None:  # D38
    about = dict.fromkeys(("name", "title", "licence", "source", "description"), "d38") | {"language": "ja"}
    files = {
        "corpus.toml": "".join(f'{key} = "{value}"\n' for key, value in about.items()),
        "documents.jsonl": json.dumps({"id": "d", "text": "上\u2028下"}, ensure_ascii=False) + "\n",
        "questions.jsonl": json.dumps({"id": "q", "question": "？", "evidence": []}) + "\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())
    corpus = load_corpus(tmp_path).corpus
    assert [len(text) for text in corpus.texts] == [3]
    assert local_chunks(catalog.chunker("line(size=2)").chunk(corpus)) == [(0, 0, 2), (0, 2, 3)]


@pytest.mark.parametrize("name", ["fixed", "sentence", "paragraph", "recursive", "line", "phrase"])
@pytest.mark.parametrize("arguments", ["size=8, overlap=8", "size=8, overlap=-1", "size=0", "size=8, overlap=1.0"])
def test_sizes_that_never_end_are_refused(name: str, arguments: str) -> None:  # E44
    with pytest.raises(InputError) as caught:
        catalog.chunker(f"{name}({arguments})")
    message = str(caught.value)
    assert all(f"{key} = " in message for key in ("size", "overlap"))
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("label", ['fixed(size=100, unit="word")', 'sentence(size=100, tokenizer="word")'])
def test_words_are_no_unit(label: str) -> None:  # E50
    with pytest.raises(InputError, match="unknown"):
        catalog.chunker(label)


@pytest.mark.parametrize("name", ["cl100k", "o200k", "unidic", "char"])
@pytest.mark.parametrize(
    "label", ["sentence(size=9", "sentence(size=9, overlap=3", "recursive(size=9", "paragraph(size=9", "line(size=9"]
)
def test_a_slice_has_no_more_tokens_by_itself_than_the_size(label: str, name: str) -> None:  # E52
    text = "　東京都で株式会社が鮨を売る。 晴れ。\n\n雨が降る日の午後、 alpha beta gamma delta。か\u3099き。\n" * 5
    counted = tokenizer(name)
    for trim in ("true", "false"):
        spans = cut(f'{label}, tokenizer="{name}", trim={trim})', text)
        assert max(counted.count(text[s:e]) for s, e in spans) <= 9
        assert {place for s, e in spans for place in range(s, e)} >= {
            place for place, character in enumerate(text) if not character.isspace()
        }


def test_windows_of_tokens_are_the_documents() -> None:  # E52
    """A choice of ours, told in docs/chunkers.md: the slice alone may have a few tokens more."""
    text = "東京都で株式会社が鮨を売る。"
    counted = tokenizer("cl100k")
    sizes = [counted.count(text[s:e]) for s, e in cut('fixed(size=4, unit="token")', text)]
    assert max(sizes) > 4
    assert max(counted.count(text[s:e]) for s, e in cut('sentence(size=4, tokenizer="cl100k")', text)) <= 4
