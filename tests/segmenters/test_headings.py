"""Headings, their levels and the titles above a place, in documents written for it."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.model.corpus import Corpus
from kugiri.segmenters.headings import heading_paths, outline
from worlds import World, corpus_of, worlds

Found = list[tuple[int, str]]

CONTRACT = """\
業務委託契約書\r
\r
第１条（目的）\u3000甲は、乙に次の業務を委託し、乙はこれを受託する。\r
（１）設計\r
（２）製造及び検査を行うこと。\r
(ア) 受入\r
第２条\u3000報酬\r
第3条の2 解除\r
２\u3000前項の規定は、適用しない。\r
第3条の2の規定により解除した場合\r
"""
LAW = """\
\u3000\u3000第一編\u3000総則
\u3000第一章\u3000通則
（趣旨）
第一条\u3000この法律は、か\u3099👩\u200d🍳に関する事項を定めるものとする。
２\u3000前項の事項は、政令で定める。
（定義等）
第二条の三\u3000次の各号に掲げる用語の意義は、当該各号に定めるところによる。
\u3000第二章\u3000雑則
第三条\u3000削除
"""
LINES = (
    "# 甲\n",
    "## 乙 ##\r\n",
    "#### 丁\n",
    "第一章\u3000総則\n",
    "第1条 目的\n",
    "１．概要\n",
    "1.1 背景\n",
    "（１）対象\n",
    "(ア) 除外\n",
    "■ 要点\n",
    "【注意】\n",
    "本文か\u3099👩\u200d🍳。\n",
    "\n",
    "```\n",
)


def headings(*texts: str) -> Found:
    found = outline(corpus_of(texts))
    return list(zip(found.level.tolist(), found.titles, strict=True))


def is_heading(line: str) -> bool:
    return bool(headings(line))


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# 題", "題"),
        ("###\u3000題 ###", "題"),
        ("   ## C# の話", "C# の話"),
        ("## 値は #", "値は"),
        ("###### 終わり。", "終わり。"),
        ("第1条", "第1条"),
        ("第１２条（目的）", "第１２条（目的）"),
        ("第百二十三条の四の二\u3000雑則", "第百二十三条の四の二\u3000雑則"),
        ("第三条（目的）\u3000甲は、乙に委託する。", "第三条（目的）"),
        ("第三条\u3000甲は、乙に委託する。", "第三条"),
        ("\u3000\u3000第二章\u3000総則", "第二章\u3000総則"),
        ("第2章総則", "第2章総則"),
        ("第1節 アルゴリズム", "第1節 アルゴリズム"),
        ("第１編\u3000民法", "第１編\u3000民法"),
        ("１．概要", "１．概要"),
        ("1. Introduction", "1. Introduction"),
        ("1.概要", "1.概要"),
        ("１．１\u3000概要", "１．１\u3000概要"),
        ("１．１概要", "１．１概要"),
        ("1.1 はじめに", "1.1 はじめに"),
        ("1.1 円滑な運営", "1.1 円滑な運営"),
        ("2.1人材の育成", "2.1人材の育成"),
        ("1.2.3. 「例」", "1.2.3. 「例」"),
        ("（１）対象者", "（１）対象者"),
        ("(12) scope", "(12) scope"),
        ("（一）対象", "（一）対象"),
        ("(ア) 例外", "(ア) 例外"),
        ("■概要", "概要"),
        ("◆◆ 要点 ", "要点"),
        ("●\u3000手順：準備", "手順：準備"),
        ("【重要】", "重要"),
        ("【第1回】 開催のお知らせ", "第1回 開催のお知らせ"),
    ],
)
def test_a_heading_and_its_title(line: str, title: str) -> None:
    for ending in ("", "\n", "\r\n", "\u3000\r\n本文です。\n"):
        assert headings(line + ending) == [(headings(line)[0][0], title)]


@pytest.mark.parametrize(
    "line",
    [
        "#タグ",
        "####### 七つ",
        "#",
        "##  ##",
        "    # コード",
        "\t# コード",
        "# " + "長" * 200,
        "第1条の規定により、次のとおりとする。",
        "第1条の規定により",
        "第2条に基づく",
        "第3条件",
        "第2節目の開幕",
        "第2章では、規則を述べる。",
        "第1回 開催",
        "第二章\u3000罰則 ………… 12",
        "1.1 概要 ..... 3",
        "2024.4.1 開始",
        "1.5倍に増えた",
        "1.5 倍に増えた",
        "3.14",
        "3.5 kg",
        "3.14は円周率である。",
        "1.1 円滑に運営する。",
        "12 月の予定",
        "２\u3000前項の規定は、適用しない。",
        "1.x86 の話",
        "192.168.0.1",
        "（２）製造及び検査を行うこと。",
        "（株）木村屋",
        "（笑）",
        "（1）",
        "● りんごを洗う。",
        "■■■",
        "【】",
        "【閉じない",
        "■" + "長" * 60,
        "本文の # 記号",
        "",
    ],
)
def test_what_is_no_heading(line: str) -> None:
    assert not is_heading(line)
    assert not is_heading(f"{line}\r\n")


def test_levels_of_markdown_are_the_number_of_its_marks() -> None:
    assert headings("## 乙\n#### 丁\n# 甲\n") == [(2, "乙"), (4, "丁"), (1, "甲")]


def test_other_kinds_count_from_one_and_items_from_three() -> None:
    assert headings(CONTRACT) == [
        (1, "第１条（目的）"),
        (3, "（１）設計"),
        (4, "(ア) 受入"),
        (1, "第２条\u3000報酬"),
        (1, "第3条の2 解除"),
    ]
    assert headings(LAW) == [
        (1, "第一編\u3000総則"),
        (2, "第一章\u3000通則"),
        (3, "第一条（趣旨）"),
        (3, "第二条の三（定義等）"),
        (2, "第二章\u3000雑則"),
        (3, "第三条\u3000削除"),
    ]


@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        (["1. a", "1.1 b", "1.1.1 c", "2. d"], [1, 2, 3, 1]),
        (["1.1.1 c", "1. a"], [2, 1]),
        (["(ア) d", "（１）c", "1. b", "第1条 a"], [4, 3, 2, 1]),
        # Below the deepest # of the document, not of the section.
        (["# a", "第1章 b", "### c", "第1条 d"], [1, 4, 3, 5]),
        # A mark is above what the document has not had before it.
        (["■ a", "1. b", "（１）c", "■ d"], [1, 2, 3, 1]),
        (["1. a", "■ b", "2. c", "1.1 d"], [1, 2, 1, 3]),
        (["（１）a", "■ b", "（２）c"], [3, 1, 3]),
        (["(ア) a"], [4]),
        (["（１）a", "(a) b"], [3, 4]),
        (["## a", "（１）b", "(ア) c"], [2, 3, 4]),
        (["【a】", "■ b", "◆ c", "■ d", "【e】"], [1, 2, 3, 2, 1]),
        (["◆ a", "■ b", "◆ c"], [1, 2, 1]),
        (["第1章 a", "■ b", "第1条 c", "◆ d"], [1, 2, 3, 4]),
    ],
)
def test_levels_where_kinds_mix(lines: list[str], levels: list[int]) -> None:
    found = headings("\n".join(lines), "# 別の文書", "\r\n".join(lines))
    assert [level for level, _ in found] == [*levels, 1, *levels]


def test_code_and_tables_have_no_headings() -> None:
    text = "# 甲\n```sh\n# 注釈\n第1条\n```\n| 1.1 a | b |\n| 1.2 c | d |\n1.1\t概要\n1.2\t詳細\n## 乙\n"
    assert headings(text) == [(1, "甲"), (2, "乙")]
    assert headings("```\n# 閉じない囲み\n") == [(1, "閉じない囲み")]


def test_a_heading_is_its_lines_on_the_axis() -> None:
    corpus = corpus_of(["", "前\r\n\u3000# 甲\r\n本文", "# 乙", LAW])
    found = outline(corpus)
    slices = [corpus.slice(int(low), int(high)) for low, high in zip(found.start, found.end, strict=True)]
    assert slices[:2] == ["\u3000# 甲\r\n", "# 乙"]
    assert slices[4].startswith("（趣旨）\n第一条")
    assert slices[4].endswith("とする。\n")
    assert found.alone.tolist() == [True] * 4 + [False] * 2 + [True] * 2


def test_a_recorded_paragraph_begins_a_line() -> None:
    corpus = corpus_of(["終わり。# 甲本文。第1条 乙"], [((0, 4), (4, 10), (10, 15))])
    assert outline(corpus).start.tolist() == [4, 10]


def test_paths_are_the_titles_of_the_sections_a_place_is_in() -> None:
    text = "前\n# 甲\n本文\n## 乙\n本文\n### 丙\n## 丁\n本文\n# 戊\n"
    corpus = corpus_of([text, "別の文書"])
    found = outline(corpus)
    places = {mark: place for place, mark in enumerate(text)}
    expected = {"前": (), "甲": ("甲",), "丙": ("甲", "乙", "丙"), "丁": ("甲", "丁"), "戊": ("戊",)}
    assert heading_paths(found, np.array([places[mark] for mark in expected])) == list(expected.values())
    assert heading_paths(found, found.start, own=False) == [(), ("甲",), ("甲", "乙"), ("甲",), ()]
    assert heading_paths(found, np.array([len(text)])) == [()]
    assert heading_paths(outline(corpus_of(["本文"])), np.array([0])) == [()]


@settings(max_examples=100)
@given(st.lists(st.lists(st.sampled_from(LINES), max_size=9).map("".join), max_size=3))
def test_paths_are_those_of_a_reader_who_keeps_what_is_open(texts: list[str]) -> None:
    corpus = corpus_of(texts)
    found = outline(corpus)
    starts = found.start.tolist()
    for own in (True, False):
        expected: list[tuple[str, ...]] = []
        for place in range(corpus.characters):
            document = int(corpus.document_of(np.array(place)))
            origin = int(corpus.document_start[document])
            opened: list[int] = []
            for number, start in enumerate(starts):
                if origin <= start <= place:
                    opened = [other for other in opened if found.level[other] < found.level[number]] + [number]
            if opened and not own and place < found.end[opened[-1]]:
                opened.pop()
            expected.append(tuple(found.titles[number] for number in opened))
        assert heading_paths(found, np.arange(corpus.characters), own) == expected


def is_sound(corpus: Corpus) -> None:
    found = outline(corpus)
    assert (found.start < found.end).all()
    assert (found.end[:-1] <= found.start[1:]).all()
    assert (corpus.document_of(found.start) == corpus.document_of(found.end - 1)).all()
    for number, parent in enumerate(found.parent.tolist()):
        assert parent < number
        assert parent < 0 or found.level[parent] < found.level[number]


@settings(max_examples=200)
@given(worlds(), st.lists(st.sampled_from(LINES), max_size=8))
def test_headings_are_apart_and_below_their_parents(world: World, lines: list[str]) -> None:
    is_sound(world.corpus())
    is_sound(corpus_of([*world.texts[:2], "".join(lines), "".join(reversed(lines))]))


@pytest.mark.parametrize(
    "text",
    ["# 題\n\n" + "段落です。\n\n" * 20_000, "\n" * 200_000, "# あ\n## い\n第1条 う\n1.1 x\n" * 20_000, "# " * 300_000],
    ids=["one heading", "empty lines", "headings", "marks"],
)
def test_time_grows_with_the_text(text: str) -> None:  # P122
    began = time.perf_counter()
    found = outline(corpus_of([text]))
    heading_paths(found, np.arange(0, len(text), 7))
    assert time.perf_counter() - began < 20
