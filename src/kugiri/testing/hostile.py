r"""Texts that go wrong: corpora for `kugiri.testing.check_chunker`, written for it, and others drawn from a seed.

Characters that cannot be seen are written as escapes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from kugiri.model.corpus import Corpus, CorpusInfo, Document

INFO = CorpusInfo("hostile", "hostile", "ja", "CC0-1.0", "kugiri.testing.hostile", "texts that go wrong")
LONG = 100_000
"""The characters of the text without a separator."""
_NESTED = 500
_MANY = 20

_JOINED = {
    "combining marks": "か\u3099き\u3099は\u309aる。cafe\u0301 a\u0323\u0302。ㇷ\u309a。",
    "a tower of marks": "甲a" + "\u0301\u0323" * 30 + "乙。丙。",
    "ZWJ emoji": "👩\u200d🍳と👨\u200d👩\u200d👧\u200d👦が🏳\ufe0f\u200d🌈を見た。👍🏽！",
    "flags": "🇯🇵🇫🇷🇯🇵と🇺🇳🇯。旗🇯🇵。",
    "variation selectors": "葛\U000e0100城と辻\U000e0101さん。☺\ufe0e☺\ufe0f 1\ufe0f\u20e3。",
    "half-width kana": "ｶﾞｷﾞﾊﾟﾎﾟ｡ｶﾞﾗｽ｢ﾋﾞﾝ｣､ﾂﾎﾞ｡",
    "other scripts": "क्षत्रिय 한국어 \u1112\u1161\u11ab \u0e01\u0e33 \u202eעברית\u202c مرحبا。",
    "what NFKC expands": "㍿の㋿元年、①㌔ヿ。Ⅻ章ﬁn。",
    "beyond the first plane": "𠮷野家で𩸽を食べた。🍣🍣🍣。𝒜.",
    "byte pairs": "鮨→鱸→麤→龘。\u00a0鮨 鱸　麤",
}
_WHITE = {
    "spaces at the edges": "  甲 乙\u3000",
    "content spaces": "\u3000序章\n\u3000本文。\u3000続き。\u00a0終わり\t。",
    "ZWSP": "東\u200b京\u200b駅。\u200b\n\u200b\n大阪\u200b。",
    "BOM": "\ufeff始め。\ufeff途中\ufeff。\n\ufeff",
    "white space alone": " \u3000\t\r\n\n \u2003\u00a0",
    "runs": "甲" + " " * 40 + "\n" * 40 + "乙" + "\u3000" * 40 + "。" + "\n \n" * 10,
    "tabs and blank lines": "# A\n\n段落1\n\n\t段落2\u00a0x\n",
}
_LINES = {
    "CRLF": "一行目\r\n二行目。\r\n\r\n次の段落。\r\n",
    "CR": "一行目\r二行目。\r\r次の段落。\r",
    "LF CR": "一行目\n\r二行目。\n\r\n\r次。\r\n\r",
    "U+2028": "一行目\u2028二行目。\u2029次の段落。\u2028",
    "other line ends": "甲\x0b乙\x0c丙\x85丁\x1c戊。\x85\x85己",
    "CRLF and marks": "か\r\n\u3099き。\r\n👩\u200d\r\n🍳。",
    "nothing but lines": "\n\n\r\n\r\n\n",
}
_BRACKETS = {
    "closed once too often": "終わり。」次。』）。」",
    "never closed": "「未閉。\n\n次。（未。閉。\n\n【三。四。",
    "crossed": "「甲（乙。」丙）丁。",
    "nested": "「『（深い。）。』。」と言った。「はい。」「いいえ。」次。",
    "deep nesting": "「" * _NESTED + "底。" + "」" * _NESTED + "終。",
    "deep nesting of every kind": "（[「{" * _NESTED + "底。" + "}」]）" * _NESTED,
    "openers alone": "「（『" * 30,
}
_SENTENCES = {
    "numbers and addresses": "円周率は３．１４です。3.14と https://example.com/a.b?c=d!e を見る。v1.2.3。",
    "marks in a row": "え？！本当。。。終……。。\n！？",
    "ellipses": "それは……まあ…いいか。…。",
    "English": 'Mr. A. Smith went. "Really?" he said. Prices fell 3.5 p.c. e.g. here. The end',
    "repeated": "同意する。同意する。同意する。トマトトマトトマト",
    "no end": "一。二。三",
    "a heading without a mark": "見出し\n本文。見出し\n本文。",
    "a mark alone": "。",
}
_SECTIONS = {
    "Markdown": "前書き。\n# 一\n\n本文。\n\n## 一の一\n本文。\n\n### 深い\n#### もっと\n本文。\n# 二 #\n本文",
    "fences": "# コード\n\n```python\n# これは見出しではない\n\nx = 1\n```\n本文。\n\n~~~\n未閉\n# 未閉\n\n",
    "tables": "## 表\n| 甲 | 乙 |\n|---|---|\n| 一。 | 二。 |\n| 三。 | 四。 |\n\n本文。",
    "articles": "第一章　総則\n（目的）\n第一条　目的。\n２　項。\n第二条の二　次。\n（１）　号。\n１．１　節\n本文。",
    "headings alone": "# 一\n## 二\n### 三\n\n# 四\n",
    "lists": "- 甲。\n  - 乙。\n    - 丙。\n\n1. 丁\n2. 戊\n\n> 引用。\n> 続き。\n\n---\n",
}
# What two documents make only if somebody joins them: CRLF, a flag, a cluster, a blank line, a quotation, a fence.
_NEIGHBOURS = {
    "甲:1": "甲。\r",
    "乙@2": "\n乙🇯",
    "丙%": "🇵丙か",
    "empty between": "",
    "丁": "\u3099丁\n",
    "戊": "\n戊「閉じない。",
    "己": "ここで」閉じる。\n```\n",
    "庚": "# 見出し\n本文。\n```\n",
    "辛": "\u3000",
    "甲:1 again": "甲。\r",
}
# Recorded paragraphs stand between ⟨ and ⟩, which are no part of the text.
_RECORDED = {
    "gaps": "題\n\n⟨一つ目の段落。続き。⟩\n\n捨てる所。\n\n⟨二つ目か\u3099。⟩",
    "joined": "⟨一つ目。\n\n中に空行。⟩⟨二つ目。👩\u200d🍳⟩⟨三つ目。⟩",
    "not at the edges": "\u3000前。⟨中。⟩後。\r\n",
    "white space recorded": "⟨甲。⟩⟨\n\n \u3000⟩⟨\n乙。⟩",
    "one character each": "⟨一⟩⟨二⟩三⟨四⟩",
    "through a cluster": "⟨か⟩⟨\u3099き🇯⟩⟨🇵。⟩",
    "none recorded": "記録のない文書。\n\n次の段落。",
}
_SINGLE = "あ漢a。.「」 \n\r\t\u3000\u2028\u3099\u200d\ufe0f\u200b\ufeff🍣🇯#|"

PIECES = (
    *(
        "あ",
        "漢字",
        "。",
        "、",
        "！",
        "？",
        "．",
        ".",
        "…",
        "と言った",
        "A1",
        "word",
        "3.14",
        "３．１４",
        "第一条\u3000",
    ),
    *("か\u3099", "e\u0301", "👩\u200d🍳", "🇯🇵", "🇯", "🍣", "葛\U000e0100", "ｶﾞ", "㍿", "\u3099", "\u200d", "鮨"),
    *("３．１４", " ", "\u3000", "\u00a0", "\t", "\u200b", "\ufeff", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\u2028"),
    *("「", "」", "『", "』", "（", "）", "(", ")", '"', "\n# 見出し\n", "\n## 節\n", "\n（１）項\n", "\n１．１ 節\n"),
    *("\x85", "\n```\n", "\n| 甲 | 乙 |\n", "- ", "https://example.com/a.b", "雨が降る。", "同意する。", "終わり。\n"),
)
"""What drawn texts are made of."""


def corpus_of(documents: Mapping[str, str] | Sequence[Document]) -> Corpus:
    """A corpus of these texts by id, or of these documents."""
    if isinstance(documents, Mapping):
        documents = [Document(name, text) for name, text in documents.items()]
    return Corpus.from_documents(INFO, documents)


def hostile_corpora() -> Iterator[tuple[str, Corpus]]:
    """The written corpora, each with its name; the last is one text of `LONG` characters without a separator."""
    yield "no documents", corpus_of({})
    yield "empty documents", corpus_of({"a": "", "b": ""})
    yield "documents of one character", corpus_of({f"U+{ord(one):04X}": one for one in _SINGLE})
    yield "joined characters", corpus_of(_JOINED)
    yield "white space", corpus_of(_WHITE)
    yield "line ends", corpus_of(_LINES)
    yield "brackets", corpus_of(_BRACKETS)
    yield "sentences", corpus_of(_SENTENCES)
    yield "sections", corpus_of(_SECTIONS)
    yield "neighbours", corpus_of(_NEIGHBOURS)
    yield "recorded paragraphs", corpus_of([_recorded(name, drawn) for name, drawn in _RECORDED.items()])
    yield "many documents", corpus_of({f"{number}": "第" * (number % 5) + "。次" for number in range(_MANY)})
    yield "everything in one document", corpus_of({"all": "\n\n".join((*_SECTIONS.values(), *_JOINED.values()))})
    yield "no separator", corpus_of({"long": ("区切りのない文字が続く" * LONG)[:LONG]})


def _recorded(name: str, drawing: str) -> Document:
    text: list[str] = []
    edges: list[int] = []
    for mark in drawing:
        if mark in "⟨⟩":
            edges.append(len(text))
        else:
            text.append(mark)
    return Document(name, "".join(text), None, tuple(zip(edges[::2], edges[1::2], strict=True)))


def drawn_corpus(seed: int, number: int) -> Corpus:
    """A corpus of random documents, some empty, some with recorded paragraphs, the same for the same arguments."""
    draw = random.Random(seed * 1_000_003 + number)
    documents = []
    for place in range(draw.randint(1, 4)):
        text = "".join(draw.choices(PIECES, k=draw.choice((0, 3, 12, 40))))
        documents.append(Document(f"drawn {place}", text, None, _drawn_paragraphs(draw, len(text))))
    return corpus_of(documents)


def _drawn_paragraphs(draw: random.Random, length: int) -> tuple[tuple[int, int], ...]:
    """Sorted and disjoint, with gaps or without; mostly none."""
    if length < 2 or draw.random() < 0.6:
        return ()
    edges = sorted({0, length, *(draw.randint(0, length) for _ in range(5))})
    gaps = draw.choice((0.0, 0.3))
    return tuple(pair for pair in pairwise(edges) if draw.random() >= gaps)


def growing_texts() -> Iterator[tuple[str, str, str]]:
    """Shapes that make loops quadratic, as a name, what the text begins with, and what is repeated behind that."""
    yield "no separator", "", "区切りのない文字"
    yield "lines of one character", "", "行\n"
    yield "nothing but line ends", "", "\n"
    yield "one heading over many paragraphs", "# 見出し\n\n", "短い段落。\n\n"
    yield "one line of sentences", "", "今日は晴れ。明日は雨。"
    yield "brackets that never close", "", "「（"
    yield "one row of flags", "", "🇯🇵"
    yield "one base with many marks", "か", "\u3099"
