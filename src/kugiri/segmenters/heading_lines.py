"""What a line must look like to be a heading, and of which kind."""

from __future__ import annotations

import dataclasses
import re

from kugiri.segmenters.text_marks import SIGNS

MARKDOWN = range(6)
"""The kinds # to ######."""
NUMBERED = range(6, 21)
"""第○部, 編, 章, 節, 款, 目, 条; 1., 1.1, … of one to six numbers; （１）; (ア): each above those behind it."""
MARKED = range(21, 28)
"""■ □ ◆ ◇ ● ▼ 【…】: which of them is above which, and above what else, differs from document to document."""
ITEMS = frozenset({19, 20})
"""（１） and (ア)."""
ARTICLE = 12
"""第○条, whose text often stands on the same line."""
LONGEST = 200
"""Characters of a Markdown heading at most; a longer line is text."""
SHORT = 60
"""Characters of any other heading at most."""

_UNITS = dict(zip("部編章節款目条", NUMBERED, strict=False))
_MARKS = dict(zip(SIGNS + "【", MARKED, strict=True))
_DIGIT, _KANJI_DIGITS = "[0-9０-９]", "[〇零一二三四五六七八九十百千]"
_ORDINAL = rf"(?:{_DIGIT}{{1,4}}|{_KANJI_DIGITS}{{1,8}})"
_NTH = re.compile(rf"第{_ORDINAL}([{''.join(_UNITS)}])(?:の{_ORDINAL})*")
_BEHIND_NTH = re.compile(r"\s|[（(【［「：:]|\Z")
_RUNS_ON = re.compile(r"[一-鿿ァ-ヶ]")
_NO_TITLE = re.compile(r"[目以参]")
_CAPTION = re.compile(r"\s*([（(][^（）()]{1,40}[）)])")
_NUMBERS = re.compile(rf"({_DIGIT}{{1,3}}(?:[.．]{_DIGIT}{{1,3}}){{0,5}})([.．]?)(\s*)(?=([^\W\d_]|[「『（(【《“\"]))")
_QUANTITY = re.compile(
    r"[倍度円万億兆人点個件年月日時分秒回割台本冊枚名歳](?![一-鿿ァ-ヶ])|(?:[kKcm]?m|[kKm]?g|[kKMGT]?B)\b"
)
_ITEM = re.compile(
    rf"[（(](?:({_DIGIT}{{1,3}}|{_KANJI_DIGITS}{{1,3}})|[ァ-ヶｱ-ﾝぁ-んa-zA-Zａ-ｚＡ-Ｚ])[）)]\s*(?=[^\W\d_]|[「『（(【《“\"])"
)
_BRACKETED = re.compile(r"【([^【】]+)】\s*(.*)", re.DOTALL)
_LETTER = re.compile(r"[^\W_]")
_SENTENCE_ENDS = tuple("。｡．.、，,；;")
# A table of contents has the same numbers and titles, with dots and a page.
_PAGE = re.compile(rf"(?:[.．…・‥]\s*){{2,}}{_DIGIT}+\Z")


@dataclasses.dataclass(frozen=True, slots=True)
class HeadingLine:
    """What a line says as a heading.

    Attributes:
        kind: a number of `MARKDOWN`, `NUMBERED` or `MARKED`.
        title: without marks (#, ■, 【】); numbers are part of it.
        alone: whether the line has nothing but the heading; text of an article may follow on it.
    """

    kind: int
    title: str
    alone: bool


def heading_line(line: str) -> HeadingLine | None:
    """What the line is a heading of, None where it is none.

    Args:
        line: from its first character that is no white space on; all of it, or more than `LONGEST` characters.
    """
    text = line.rstrip()
    if text[:1] == "#":
        return _markdown(text) if len(text) <= LONGEST else None
    if text[:1] == "第":
        return _ordinal(text)
    if not _is_title(text):
        return None
    if text[:1] in _MARKS:
        return _marked(text)
    return _item(text) if text[:1] in "（(" else _numbered(text)


def caption(line: str) -> str | None:
    """The caption that stands by itself on the line in front of an article: （目的）."""
    found = _CAPTION.fullmatch(line.rstrip())
    return found[1] if found else None


def _is_title(text: str) -> bool:
    return len(text) <= SHORT and not text.endswith(_SENTENCE_ENDS) and not _PAGE.search(text)


def _markdown(text: str) -> HeadingLine | None:
    title = text.lstrip("#")
    level = len(text) - len(title)
    if level > len(MARKDOWN) or not title[:1].isspace():
        return None
    title = title.strip()
    unclosed = title.rstrip("#")
    if unclosed != title and (not unclosed or unclosed[-1].isspace()):
        title = unclosed.rstrip()
    return HeadingLine(level - 1, title, True) if title else None


def _ordinal(text: str) -> HeadingLine | None:
    found = _NTH.match(text)
    if found is None:
        return None
    kind, behind = _UNITS[found[1]], text[found.end() :]
    follows = _BEHIND_NTH.match(behind) is not None
    if not follows and found[1] in "章節":
        follows = _RUNS_ON.match(behind) is not None and _NO_TITLE.match(behind) is None
    if not follows:
        return None
    if _is_title(text):
        return HeadingLine(kind, text, True)
    if kind != ARTICLE or _PAGE.search(text):
        return None
    named = _CAPTION.match(behind)
    return HeadingLine(kind, found[0] + (named[1] if named else ""), False)


def _numbered(text: str) -> HeadingLine | None:
    found = _NUMBERS.match(text)
    if found is None:
        return None
    numbers, point, space, behind = found.groups()
    depth = 1 + numbers.count(".") + numbers.count("．")
    # Without white space only what cannot be a decimal or the name of a file: 1.概要, １．１概要.
    directly = not behind.isascii() and (bool(point) or depth > 1)
    if not (space and (point or depth > 1)) and not directly:
        return None
    if depth == 2 and not point and _QUANTITY.match(text, found.end()):
        return None
    return HeadingLine(NUMBERED[6 + depth], text, True)


def _item(text: str) -> HeadingLine | None:
    found = _ITEM.match(text)
    return HeadingLine(NUMBERED[13 if found[1] else 14], text, True) if found else None


def _marked(text: str) -> HeadingLine | None:
    bracketed = _BRACKETED.fullmatch(text)
    if text[0] == "【":
        title = " ".join(filter(None, (part.strip() for part in bracketed.groups()))) if bracketed else ""
    else:
        title = text.lstrip("".join(_MARKS) + " \t\u3000\u00a0")
    return HeadingLine(_MARKS[text[0]], title, True) if _LETTER.search(title) else None
