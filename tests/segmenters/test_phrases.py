"""Phrases: BudouX's own, laid on the axis."""

from __future__ import annotations

import budoux

from kugiri.segmenters.phrases import Phrases
from worlds import HOSTILE, corpus_of


def test_phrases_are_those_of_budoux_and_cover_every_document() -> None:
    texts = ["今日は天気です。明日は雨が降る。", "", HOSTILE, "🍣か\u3099\u3000\r\n", "a"]
    units = Phrases().segment(corpus_of(texts))
    parser = budoux.load_default_japanese_parser()
    whole = "".join(texts)
    found = [whole[s:e] for s, e in zip(units.start.tolist(), units.end.tolist(), strict=True)]
    assert found == [phrase for text in texts for phrase in parser.parse(text)]
    assert found[:4] == ["今日は", "天気です。", "明日は", "雨が"]
    assert len(Phrases().segment(corpus_of(["", ""]))) == 0
    assert len(Phrases().segment(corpus_of([]))) == 0
