"""Lines in columns against `kugiri.segmenters.lines` and plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.model.corpus import Corpus, Document
from kugiri.segmenters.line_shapes import LineShapes
from kugiri.segmenters.lines import Lines
from kugiri.segmenters.text_marks import DIGIT, FENCE, HASH, LENTICULAR, NTH, ROUND, SIGN
from worlds import HOSTILE, World, corpus_of, worlds

PARTS = (
    "あ",
    "# ",
    "第1条",
    "|",
    "｜",
    "\t",
    " ",
    "\u3000",
    "\u00a0",
    "\u200b",
    "```",
    "（",
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "か\u3099",
    "👩\u200d🍳",
)
KINDS = {
    "#": HASH,
    "`": FENCE,
    "~": FENCE,
    "第": NTH,
    "1": DIGIT,
    "１": DIGIT,
    "（": ROUND,
    "(": ROUND,
    "■": SIGN,
    "【": LENTICULAR,
}


def texts(most: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PARTS), max_size=most).map("".join)


@settings(max_examples=150)
@given(st.lists(texts(), max_size=3))
def test_lines_are_lines_and_their_columns_what_python_says(written: list[str]) -> None:
    corpus = corpus_of(written)
    lines, units = LineShapes.of(corpus), Lines().segment(corpus)
    assert lines.start.tolist() == units.start.tolist()
    assert lines.end.tolist() == units.end.tolist()
    for number in range(len(lines)):
        line = corpus.slice(int(lines.start[number]), int(lines.end[number]))
        bare = line.strip()
        assert bool(lines.blank[number]) == (not bare)
        assert int(lines.first[number] - lines.start[number]) == len(line) - len(line.lstrip())
        assert int(lines.kind[number]) == KINDS.get(bare[:1], 0)
        assert bool(lines.row[number]) == any(mark in bare for mark in "|｜\t")
    indents_and_texts = lines.texts(np.arange(len(units)))
    assert "".join(indent + text for indent, text in indents_and_texts) == "".join(written)


@settings(max_examples=200)
@given(worlds())
def test_recorded_paragraphs_begin_lines_and_lines_cover_the_corpus(world: World) -> None:
    corpus = world.corpus()
    lines = LineShapes.of(corpus)
    expected = set(Lines().segment(corpus).start.tolist()) | set(corpus.paragraph_start.tolist())
    assert lines.start.tolist() == sorted(expected)
    assert lines.end.tolist() == [*lines.start.tolist()[1:], corpus.characters][: len(lines)]
    assert lines.document.tolist() == corpus.document_of(lines.start).tolist()


def test_documents_that_meet_in_a_line_end_are_apart() -> None:
    assert LineShapes.of(corpus_of(["あ\r", "\nい"])).start.tolist() == [0, 2, 3]
    assert LineShapes.of(corpus_of([" ", "# 題"])).first.tolist() == [1, 1]


@pytest.mark.parametrize("length", range(65_533, 65_538))
def test_a_line_is_known_by_its_first_character_wherever_the_text_is_looked_at_in_parts(length: int) -> None:
    corpus = corpus_of(["あ" * length + "\n# 題\n\u3000■ 二"])
    assert LineShapes.of(corpus).kind.tolist() == [0, HASH, SIGN]


def test_a_paragraph_may_begin_behind_any_character() -> None:
    paragraphs = ((3, 4), (4, 5), (5, 8), (8, 9))
    corpus = Corpus.from_documents(corpus_of([]).info, [Document("a", "第1条あ1(2)#", paragraphs=paragraphs)])
    assert LineShapes.of(corpus).kind.tolist() == [NTH, 0, DIGIT, ROUND, HASH]


@pytest.mark.parametrize("written", [[], [""], ["", ""], [HOSTILE, "", HOSTILE]])
def test_no_documents_and_empty_ones(written: list[str]) -> None:
    lines = LineShapes.of(corpus_of(written))
    assert lines.start.tolist() == Lines().segment(corpus_of(written)).start.tolist()
