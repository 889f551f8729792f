"""Sections: what is always cut, what is kept whole, and what stays with what."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.chunkers.headings import Headings
from kugiri.errors import InputError
from kugiri.model.chunking import Chunking
from kugiri.segmenters.blocks import Blocks
from kugiri.segmenters.graphemes import Graphemes
from kugiri.segmenters.headings import outline
from worlds import HOSTILE, World, corpus_of, local_chunks, worlds

MANUAL = """\
# 手引き

はじめに。

## 設定

次のように書く。これは例である。

```toml
# 設定の例
[a]

b = 1
```

| 名 | 値 |
|----|----|
| a  | 1  |

### 細目

詳しい説明をここに書く。

## 運用
\tか\u3099👩\u200d🍳\u00a0x
"""
LINES = (
    "# 甲\n",
    "## 乙\r\n",
    "### 丙\n",
    "第1条（目的）\u3000甲は、乙に委託する。\n",
    "（趣旨）\n",
    "■ 要点\n",
    "（１）対象\n",
    "一文目。二文目は「はい。」と言う。\n",
    "か\u3099👩\u200d🍳が長く長く長く長く続く行\u3000\r\n",
    "\n",
    "\u3000\n",
    "```\n",
    "| a | b |\n",
    "終",
)
documents = st.lists(st.lists(st.sampled_from(LINES), max_size=12).map("".join), max_size=3)


def cut(text: str, chunker: Headings) -> list[str]:
    made = chunker.chunk(corpus_of([text]))
    return [made.chunk(index).text for index in range(len(made))]


def test_every_heading_of_the_level_or_stronger_begins_a_chunk() -> None:
    assert [chunk.split("\n")[0] for chunk in cut(MANUAL, Headings())] == ["# 手引き", "## 設定", "## 運用"]
    assert [chunk.split("\n")[0] for chunk in cut(MANUAL, Headings(level=3))] == [
        "# 手引き",
        "## 設定",
        "### 細目",
        "## 運用",
    ]
    assert cut(MANUAL, Headings(level=1)) == [MANUAL]
    assert cut("第1条 甲\n本文\n第2条 乙\n（１）丙\n", Headings(level=1)) == [
        "第1条 甲\n本文\n",
        "第2条 乙\n（１）丙\n",
    ]


def test_text_is_a_raw_slice() -> None:  # D32
    text = "# A\n\n段落1\n\n\t段落2\u00a0x\n"
    assert cut(text, Headings()) == [text]
    assert cut(text, Headings(size=10)) == ["# A\n\n段落1\n\n", "\t段落2\u00a0x\n"]
    assert cut(text, Headings(size=10, trim=True)) == ["# A\n\n段落1", "段落2\u00a0x"]
    assert "\tか\u3099👩\u200d🍳\u00a0x\n" in cut(MANUAL, Headings(size=30))[-1]


def test_a_large_section_is_cut_at_the_best_place_within_reach() -> None:
    text = "# 甲\n一二三\n\n四五六\n七八九\n## 乙\n一文目。二文目。三文目です。\n"
    assert cut(text, Headings(level=1, size=22)) == [
        "# 甲\n一二三\n\n四五六\n七八九\n",
        "## 乙\n一文目。二文目。三文目です。\n",
    ]
    assert cut(text, Headings(level=1, size=14)) == [
        "# 甲\n一二三\n\n",
        "四五六\n七八九\n",
        "## 乙\n一文目。二文目。",
        "三文目です。\n",
    ]
    assert cut("長" * 25, Headings(size=10)) == ["長" * 10, "長" * 10, "長" * 5]
    assert cut("甲\n乙\n丙丁戊", Headings(size=4)) == ["甲\n乙\n", "丙丁戊"]


def test_a_heading_stays_with_what_follows() -> None:
    text = "前文です。\n\n### 題\n\n一文目です。二文目です。\n"
    assert cut(text, Headings(size=14)) == ["前文です。\n\n", "### 題\n\n一文目です。", "二文目です。\n"]
    assert cut("一二三四五。\n### 甲\n#### 乙\n本文\n", Headings(size=18)) == [
        "一二三四五。\n",
        "### 甲\n#### 乙\n本文\n",
    ]
    # The caption of an article too.
    articles = ["（趣旨）\n第一条\u3000甲は、乙に委託する。\n", "（定義）\n第二条\u3000丙とは、丁をいう。\n"]
    assert cut("".join(articles), Headings()) == cut("".join(articles), Headings(size=25)) == articles


def test_code_and_tables_are_whole_where_they_fit() -> None:
    chunks = cut(MANUAL, Headings(size=42))
    for block in ("```toml\n# 設定の例\n[a]\n\nb = 1\n```\n", "| 名 | 値 |\n|----|----|\n| a  | 1  |\n"):
        assert any(block in chunk for chunk in chunks)
    # Even where the heading must be left behind.
    assert cut("# 題\n```\na\nb\n```\n", Headings(size=12)) == ["# 題\n", "```\na\nb\n```\n"]
    assert cut("```\na\n\nb\n```\n", Headings(size=7)) == ["```\na\n\n", "b\n```\n"]


def test_white_space_above_the_first_heading_is_no_section() -> None:
    assert cut("\n\u3000\n# 甲\n# 乙\n", Headings()) == ["\n\u3000\n# 甲\n", "# 乙\n"]
    assert cut("前\n# 甲\n", Headings()) == ["前\n", "# 甲\n"]
    assert [chunk[0] for chunk in local_chunks(Headings().chunk(corpus_of(["\n", "\n# 甲", "", " "])))] == [0, 1, 3]


def test_no_overlap_reaches_across_a_heading_that_is_always_cut() -> None:
    text = "# 甲\n一。二。三。四。五。六。七。八。\n# 乙\n一。二。三。四。五。六。七。八。\n"
    chunks = cut(text, Headings(size=10, overlap=4))
    assert "".join(chunks) != text
    assert sum("乙" in chunk for chunk in chunks) == 1
    assert any(chunk.startswith("# 乙") for chunk in chunks)
    assert max(map(len, chunks)) <= 10


def test_contexts_are_the_titles_above() -> None:
    corpus = corpus_of(["前\n# 甲\n本文\n## 乙 ##\n一文目。二文目。\n"])
    chunker = Headings(level=1, size=10, context=True)
    made = chunker.chunk(corpus)
    assert [made.chunk(index).text for index in range(len(made))] == [
        "前\n",
        "# 甲\n本文\n",
        "## 乙 ##\n",
        "一文目。二文目。\n",
    ]
    # A chunk that begins with its heading shows it; those behind it do not.
    assert chunker.contexts(made) == ("", "", "甲", "甲 > 乙")
    assert chunker.indexed(made).context == chunker.contexts(made)
    assert chunker.indexed(made).characters == corpus.characters + len("甲甲 > 乙")
    plain = Headings(level=1, size=10)
    assert plain.chunk(corpus).same_as(made)
    assert plain.contexts(made) == ("",) * 4
    assert plain.indexed(made).context is None


def musts(corpus_start: np.ndarray, chunker: Headings, made: Chunking) -> list[int]:
    """Where headings of the level start that have text above them in their document, not only a stronger heading."""
    found = outline(made.corpus)
    starts, before, above = [], 0, 0
    for start, end, level in zip(found.start.tolist(), found.end.tolist(), found.level.tolist(), strict=True):
        origin = int(corpus_start[made.corpus.document_of(np.array(start))])
        directly = before > origin and above < level and not made.corpus.slice(before, start).strip()
        if level <= chunker.level and (start > origin and made.corpus.slice(origin, start).strip()) and not directly:
            starts.append(start)
        before, above = end, level
    return starts


def test_a_chapter_stays_with_its_first_article() -> None:
    text = "第1章　総則\n\n第1条（目的）\n　甲。\n第2条（範囲）\n　乙。\n第2章　雑則\n第3条　丙。\n"
    made = Headings(level=2).chunk(corpus_of([text]))
    assert [made.chunk(n).text.split("\n")[0] for n in range(len(made))] == [
        "第1章　総則",
        "第2条（範囲）",
        "第2章　雑則",
    ]


@settings(max_examples=120)
@given(documents, st.integers(1, 4), st.one_of(st.none(), st.integers(1, 40)), st.integers(0, 8))
def test_chunks_cover_everything_fit_and_never_hold_a_heading_inside(
    texts: list[str], level: int, size: int | None, overlap: int
) -> None:
    chunker = (
        Headings(level=level) if size is None else Headings(level=level, size=size, overlap=min(overlap, size - 1))
    )
    corpus = corpus_of(texts)
    made = chunker.chunk(corpus)
    covered = np.zeros(corpus.characters + 1, dtype=int)
    np.add.at(covered, made.start, 1)
    np.add.at(covered, made.end, -1)
    assert (np.cumsum(covered)[:-1] > 0).all()
    for must in musts(corpus.document_start, chunker, made):
        assert must in made.start
        assert not ((made.start < must) & (must < made.end)).any()
    if size is None:
        assert (made.start[1:] == made.end[:-1]).all()
        return
    clusters = Graphemes().longer_than_one(corpus)
    lengths = set((clusters.end - clusters.start).tolist())
    for start, end in zip(made.start.tolist(), made.end.tolist(), strict=True):
        assert end - start <= size or end - start in lengths
    if chunker.overlap == 0:
        assert (made.start[1:] == made.end[:-1]).all()
        blocks = Blocks().segment(corpus)
        for low, high in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True):
            if high - low <= size:
                assert ((made.start <= low) & (high <= made.end)).any()


@settings(max_examples=80)
@given(documents, st.integers(1, 3), st.integers(1, 40))
def test_sentences_that_nothing_needs_change_nothing(texts: list[str], level: int, size: int) -> None:
    """Without overlap, sentences are found only in lines that do not fit: the chunks are those of all sentences."""
    chunker, corpus = Headings(level=level, size=size), corpus_of(texts)

    class Every(Headings):
        @property
        def _uncut_size(self) -> int:
            return 0

    assert chunker.chunk(corpus).same_as(Every(level=level, size=size).chunk(corpus))


@settings(max_examples=150)
@given(worlds(), st.integers(1, 20), st.booleans())
def test_hostile_worlds(world: World, size: int, trim: bool) -> None:
    corpus = world.corpus()
    for chunker in (Headings(trim=trim), Headings(size=size, trim=trim)):
        made = chunker.chunk(corpus)
        texts = [made.chunk(index).text for index in range(len(made))]
        assert "".join("".join(texts).split()) == "".join("".join(world.texts).split())
        if not trim:
            assert "".join(texts) == "".join(world.texts)
        assert len(chunker.contexts(made)) == len(made)


def test_tokens_are_counted_where_they_are_asked_for() -> None:
    from kugiri.segmenters.tokenizers import tokenizer

    made = Headings(size=12, overlap=3, tokenizer="cl100k").chunk(corpus_of([MANUAL + HOSTILE]))
    texts = [made.chunk(index).text for index in range(len(made))]
    assert int(tokenizer("cl100k").counts(texts).max()) <= 12
    assert any(text.startswith("## 設定") for text in texts)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"level": 0}, "level"),
        ({"level": True}, "level"),
        ({"size": 0}, "size"),
        ({"size": 10, "overlap": 10}, "overlap"),
        ({"overlap": 2}, "size"),
        ({"tokenizer": "cl100k"}, "size"),
    ],
)
def test_what_is_refused(arguments: dict[str, int], word: str) -> None:
    with pytest.raises(InputError) as caught:
        Headings(**arguments)
    assert word in caught.value.what + caught.value.where


def test_the_label_has_what_is_not_usual() -> None:
    assert str(Headings()) == "headings()"
    assert str(Headings(level=1, size=800, overlap=0.0, context=True)) == "headings(level=1, size=800, context=true)"
    assert Headings(size=8, overlap=0.0) == Headings(size=8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "# 題\n\n" + "段落です。\n\n" * 20_000,
        "\n" * 200_000,
        "行\n" * 200_000 + "\n\n終",
        "# あ\n## い\n第1条 う\n1.1 x\n" * 10_000,
        "```\n" * 100_001,
        "あ" * 200_000,
    ],
    ids=["one heading", "empty lines", "lines", "headings", "fences", "one line"],
)
def test_time_grows_with_the_text(text: str) -> None:  # P122
    corpus = corpus_of([text])
    began = time.perf_counter()
    for chunker in (Headings(context=True), Headings(size=300, overlap=0.2, context=True)):
        chunker.contexts(chunker.chunk(corpus))
    assert time.perf_counter() - began < 30


def test_no_documents_no_chunks() -> None:
    for written in ([], ["", ""]):
        corpus = corpus_of(written)
        assert len(Headings().chunk(corpus)) == len(Headings(size=5).chunk(corpus)) == 0
        assert Headings(context=True).contexts(Headings().chunk(corpus)) == ()


def test_an_overlap_repeats_the_last_sentence_of_a_line_that_fits() -> None:
    corpus = corpus_of(["一文目。二文目。\n次の行だ。また次。\n"])
    assert local_chunks(Headings(1, 14, 5).chunk(corpus)) == [(0, 0, 9), (0, 4, 14), (0, 9, 19)]
    assert local_chunks(Headings(1, 14).chunk(corpus)) == [(0, 0, 9), (0, 9, 19)]


def test_the_deepest_headings_are_stronger_than_paragraphs() -> None:
    above = [*("#" * level + " 題" for level in range(1, 7)), "第1編 甲", "第1章 甲", "第1節 甲", "第1款 甲"]
    deep = ["第1条 甲", "1. 甲", "1.1 甲", "1.1.1 甲", "1.1.1.1 甲", "（1）甲"]
    text = "".join(f"{heading}\n本文。\n\n段落。\n" for heading in (*above, *deep))
    corpus = corpus_of([text])
    assert max(outline(corpus).level) > 14
    size = max(map(len, text.split("段落。\n"))) + 10
    made = Headings(1, size).chunk(corpus)
    starts = {made.chunk(index).text.split("\n")[0] for index in range(len(made))}
    assert starts <= {*above, *deep}


def test_brackets_of_two_sections_are_no_pair() -> None:
    """Where every line is long enough to be looked at, too."""
    text = "# 一（\nあ。い。\n# 二）\nう。え。"
    assert cut(text, Headings(1, 4)) == ["# 一（", "\nあ。", "い。\n", "# 二）", "\nう。", "え。"]
    assert cut(text, Headings(1, 7, 1)) == ["# 一（\nあ。", "い。\n", "# 二）\nう。", "え。"]
