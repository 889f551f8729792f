"""The characters that lines, paragraphs, headings and sentences depend on: 5 to 10 % of a Japanese text."""

from __future__ import annotations

import functools
from typing import NamedTuple

import regex

from kugiri.model.columns import Bool, Int64, frozen
from kugiri.model.corpus import Corpus
from kugiri.segmenters.characters import Classes, class_table, marks_and_neighbours
from kugiri.segmenters.going_on import STARTS
from kugiri.segmenters.whole_clusters import extending

STOP, SHOUT, WIDE_POINT, POINT, MARK, QUOTE, APOSTROPHE, TAB, SPACE, RECORD, LINE, CR, LF, BAR = range(1, 15)
"""Ends of sentences and what may be one; white space, `TAB` to `LF`, which breaks lines from `RECORD` on; bars."""
OPEN, CLOSE, EMOJI, EXTENDS = 20, 40, 60, 61
"""The opening and the closing brackets of kind `n` have the classes `OPEN + n` and `CLOSE + n`.

Behind them what a sentence may have behind its end: emoji, and what makes one cluster with the character before it.
"""
DIGIT, SAYS, GOES, HASH, FENCE, NTH, SIGN = range(62, 69)
"""No marks, but told of as the neighbours of marks.

What these begin with: numbers, と and って, other particles and the like (`kugiri.segmenters.going_on`), headings and
fenced code.
"""
SIGNS = "■□◆◇●▼"
BRACKETS = ("「」｢｣", "『』", "（）()", "［］[]", "｛｝{}", "【】", "〈〉", "《》", "〔〕", "“”", "‘’", "〝〟〝〞")
ROUND, LENTICULAR = (OPEN + next(n for n, kind in enumerate(BRACKETS) if kind[0] == one) for one in "（【")
"""The classes of （ and ( and of 【."""

_EMOJI = regex.compile(r"[\p{Emoji_Presentation}\p{RI}]|(?=[\U0001F000-\U0001FFFF])\p{Extended_Pictographic}")
_SPACES = "\x1f \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_CHARACTERS = {
    STOP: "。｡",
    SHOUT: "！？‼⁇⁈⁉",
    WIDE_POINT: "．",
    POINT: ".",
    MARK: "!?",
    QUOTE: '"',
    APOSTROPHE: "'",
    TAB: "\t",
    SPACE: _SPACES,
    # Information separators: `str.splitlines` breaks at them, Unicode's line breaking does not.
    RECORD: "\x1c\x1d\x1e",
    LINE: "\x0b\x0c\x85\u2028\u2029",
    CR: "\r",
    LF: "\n",
    BAR: "|｜",
    DIGIT: "0123456789０１２３４５６７８９",
    GOES: STARTS,
    SAYS: "とっ",
    HASH: "#",
    FENCE: "`~",
    NTH: "第",
    SIGN: SIGNS,
}


class TextMarks(NamedTuple):
    """Characters that matter, read-only columns.

    Attributes:
        at: int64[M], their positions on the axis, increasing.
        kind: uint8[M], their classes.
        numeric: bool[M], whether one stands between two digits, which may be of other documents; not told of all.
        behind: uint8[M], the class of the character behind it, which may be of another document; 0 for one of no class,
            `UNKNOWN` where it was not looked at.
    """

    at: Int64
    kind: Classes
    numeric: Bool
    behind: Classes


# Two, because what cuts inside of units looks at a corpus and at its units by themselves; a sweep looks at one corpus
# with many strategies.
@functools.lru_cache(maxsize=2)
def text_marks(corpus: Corpus) -> TextMarks:
    """Those of the corpus; the last two are remembered."""
    at, kind, before, behind = marks_and_neighbours(corpus, mark_table(), DIGIT)
    numeric = (before == DIGIT) & (behind == DIGIT)
    for column in (kind, numeric, behind):
        column.flags.writeable = False
    return TextMarks(frozen(at), kind, numeric, behind)


@functools.cache
def mark_table() -> Classes:
    """uint8[1,114,112]: the class of every code point."""
    opening = {OPEN + kind: brackets[::2] for kind, brackets in enumerate(BRACKETS)}
    closing = {CLOSE + kind: brackets[1::2] for kind, brackets in enumerate(BRACKETS)}
    # Characters that are emoji only with a variation selector are signs like ▶ and ★, which begin what they mark.
    emoji = "☺♥❤" + "".join(_EMOJI.findall("".join(map(chr, range(0x2000, 0x20000)))))
    return class_table({EMOJI: emoji, EXTENDS: extending(), **_CHARACTERS, **opening, **closing})
