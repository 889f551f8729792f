"""Questions about a synthetic document, every span inside one paragraph of it and quoted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from kugiri.formats.records import QuestionLine, SpanLine
from kugiri.formats.synthetic_documents import DrawnDocument, Stream
from kugiri.formats.synthetic_words import ABSENT

_WORDS_EACH = 8
_ROWS_AT_ONCE = 64
_HINT = 16
# None of these begins a character of its own: a span does not start at one, nor end in front of one.
_CONTINUES = frozenset("\u3099\ufe0f\u200d")
_ASKED = (
    "どのような場合に当てはまりますか。",
    "例外はありますか。",
    "誰が決めましたか。",
    "いつから変わりますか。",
    "期限を過ぎたらどうしますか。",
    "記録はどこに残りますか。",
)

Interval = tuple[int, int]


class QuestionMaker:
    """The questions of one corpus, document by document; question `i` of a document depends on no other question.

    Args:
        seed: of the corpus.
        lengths: of evidence spans, each as likely as another.
        multiple, unanswerable: shares of the questions.

    Attributes:
        shortened: how many spans so far are shorter than was drawn, no paragraph being as long.
    """

    def __init__(self, seed: int, lengths: Sequence[int], multiple: float, unanswerable: float) -> None:
        self.shortened = 0
        self._stream, self._lengths = Stream(seed, "questions"), lengths
        self._unanswerable = round(unanswerable * 2**32)
        self._multiple = self._unanswerable + round(multiple * 2**32)

    def of_document(self, document: DrawnDocument, count: int) -> Iterator[list[QuestionLine]]:
        """`count` questions about the document, some at a time."""
        if not count:
            return
        words = self._stream.of_document(document.index)
        sizes = [end - start for start, end in document.paragraphs]
        order = sorted(range(len(sizes)), key=sizes.__getitem__)
        by_length = [document.paragraphs[place] for place in order]
        lengths = [sizes[place] for place in order]
        for low in range(0, count, _ROWS_AT_ONCE):
            rows = np.asarray(words.random_raw(_ROWS_AT_ONCE * _WORDS_EACH)).reshape(-1, _WORDS_EACH)
            yield [
                self._question(document, number, row, by_length, lengths)
                for number, row in enumerate(rows[: count - low].tolist(), low)
            ]

    def _question(
        self, document: DrawnDocument, number: int, row: list[int], by_length: list[Interval], lengths: list[int]
    ) -> QuestionLine:
        identity = f"q-{document.index + 1:07}-{number + 1:03}"
        kind, asked = row[0] >> 32, _ASKED[(row[0] & 0xFFFFFFFF) * len(_ASKED) >> 32]
        about = f"文書{document.index + 1}の問{number + 1}："
        if kind < self._unanswerable:
            return QuestionLine(
                identity, f"{about}{ABSENT[row[1] * len(ABSENT) >> 64]}について、{asked}", (), "unanswerable"
            )
        place, length = self._paragraph(row[1], row[2], lengths)
        spans = [_span(document, by_length[place], length, row[3])]
        if kind < self._multiple and len(lengths) > 1:
            other, length = self._paragraph(row[4], row[5], lengths, place)
            spans.append(_span(document, by_length[other], length, row[6]))
        hints = "」と「".join(_hint(span.text or "") for span in spans)
        return QuestionLine(
            identity, f"{about}「{hints}」とあるのは、{asked}", (tuple(spans),), "multiple" if spans[1:] else "single"
        )

    def _paragraph(
        self, length_word: int, place_word: int, lengths: list[int], taken: int | None = None
    ) -> tuple[int, int]:
        """A paragraph, by its place in the order of lengths, and the length of a span that fits into it."""
        length = self._lengths[length_word * len(self._lengths) >> 64]
        low = min(bisect_left(lengths, length), len(lengths) - 1)
        place = low + (place_word * (len(lengths) - low) >> 64)
        if place == taken:
            place += -1 if place > low or place == len(lengths) - 1 else 1
        self.shortened += length > lengths[place]
        return place, min(length, lengths[place])


def _span(document: DrawnDocument, paragraph: Interval, length: int, word: int) -> SpanLine:
    """A span of about this length: it neither divides what is seen as one character nor begins or ends with a space."""
    first, last = paragraph
    text = document.text
    start = first + (word * (last - first - length + 1) >> 64)
    end = start + length
    while start > first and _inside(text, start):
        start -= 1
    # The last character of a paragraph is none of these.
    while text[start].isspace():
        start += 1
    end = max(end, start + 1)
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    while end < last and _inside(text, end):
        end += 1
    return SpanLine(document.id, start, end, text[start:end])


def _inside(text: str, place: int) -> bool:
    return text[place] in _CONTINUES or text[place - 1] == "\u200d"


def _hint(quotation: str) -> str:
    return "".join(quotation.split())[:_HINT]
