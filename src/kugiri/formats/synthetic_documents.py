"""Synthetic documents: Japanese-looking text of exactly the lengths that were drawn."""

from __future__ import annotations

import dataclasses
import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from kugiri.formats.synthetic_words import TAIL, phrases
from kugiri.model.columns import Int64

LEAST_DOCUMENT = 24
LEAST_PARAGRAPH = 12
_SEPARATORS = ("\n",) * 11 + ("\n\n",) * 3 + ("\r\n", "\r\n\r\n")
_SEPARATOR_LENGTHS = np.array([len(separator) for separator in _SEPARATORS], dtype=np.int64)
_INDENTED = 3
# Sentences drawn at once: few enough for a cache of the processor, whatever the length of the document.
_SENTENCES_AT_ONCE = 512
_SIXTEEN = np.uint32(16)
_PARAGRAPHS_AT_ONCE = 64
# About the mean, rounded down: whoever changes it changes what is drawn.
_SENTENCE = 22


@dataclasses.dataclass(frozen=True, slots=True)
class DrawnDocument:
    """A document as it was drawn; its place in the corpus, from 0, and the seed decide everything in it."""

    index: int
    id: str
    title: str
    text: str
    paragraphs: tuple[tuple[int, int], ...]


class Stream:
    """Random words for each document: keyed by SHA-256, so that no document depends on how many there are.

    numpy promises the raw stream of a bit generator for good (NEP 19), and nothing for what `Generator` makes of it.

    Args:
        seed: of the corpus.
        what: is drawn; every purpose has words of its own.
    """

    def __init__(self, seed: int, what: str) -> None:
        self._prefix = f"kugiri synthetic\n{what}\n{seed}\n"
        self._words = np.random.Philox(key=0)
        self._fresh = self._words.state

    def of_document(self, index: int) -> np.random.Philox:
        """The words of the document at `index`, from the first; what an earlier call gave is used up.

        One generator is set to each key: making another takes ten times as long.
        """
        digest = hashlib.sha256(f"{self._prefix}{index}".encode()).digest()
        key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
        self._words.state = {**self._fresh, "state": {"counter": np.zeros(4, dtype=np.uint64), "key": key}}
        return self._words


class DocumentMaker:
    """The documents of one corpus; each depends on the seed and on its place alone.

    Args:
        seed: of the corpus.
        document_lengths: of documents, each as likely as another.
        paragraph_lengths: of paragraphs, in the same way; the last one of a document takes what is left of it.
    """

    def __init__(self, seed: int, document_lengths: Sequence[int], paragraph_lengths: Sequence[int]) -> None:
        self._stream = Stream(seed, "document")
        self._document_lengths = document_lengths
        self._paragraph_lengths: Int64 = np.array(paragraph_lengths, dtype=np.int64)

    def document(self, index: int) -> DrawnDocument:
        """The document at `index`."""
        words = self._stream.of_document(index)
        length = self._document_lengths[int(words.random_raw()) * len(self._document_lengths) >> 64]
        sizes, marks = _planned(words, length, self._paragraph_lengths)
        indents = ["\u3000" if mark >> 4 < _INDENTED else "" for mark in marks]
        separators = [*(_SEPARATORS[mark & 15] for mark in marks[:-1]), ""]
        written = _paragraph_texts(words, [size - len(indent) for size, indent in zip(sizes, indents, strict=True)])
        parts: list[str] = []
        bounds: list[tuple[int, int]] = []
        start = 0
        for size, indent, (text, tail), separator in zip(sizes, indents, written, separators, strict=True):
            parts += (indent, text, tail, separator)
            bounds.append((start, start + size))
            start += size + len(separator)
        return DrawnDocument(index, f"synthetic-{index + 1:07}", f"合成文書{index + 1}", "".join(parts), tuple(bounds))


def _planned(words: np.random.Philox, length: int, lengths: Int64) -> tuple[list[int], list[int]]:
    """The length of every paragraph, and a number below 256 that says what stands before and behind it."""
    sizes: list[int] = []
    marks: list[int] = []
    while True:
        raw = np.asarray(words.random_raw(_PARAGRAPHS_AT_ONCE))
        drawn = lengths[((raw >> np.uint64(32)) * np.uint64(len(lengths)) >> np.uint64(32)).astype(np.int64)]
        marked = (raw & np.uint64(255)).astype(np.int64)
        left = length - np.cumsum(drawn + _SEPARATOR_LENGTHS[marked & 15])
        whole = int((left >= LEAST_PARAGRAPH).sum())
        sizes += drawn[:whole].tolist()
        marks += marked[:whole].tolist()
        if whole < len(drawn):
            sizes.append(int(left[whole - 1]) if whole else length)
            marks.append(int(marked[whole]))
            return sizes, marks
        length = int(left[-1])


def _paragraph_texts(words: np.random.Philox, lengths: Sequence[int]) -> Iterator[tuple[str, str]]:
    """A paragraph of each length: sentences, the last as far as there is room for it, and what closes that one."""
    slots = len(phrases().first)
    left = sum(lengths)
    text, ends, at = "", array("q", [0]), 0
    for number, length in enumerate(lengths):
        begin = ends[at]
        if ends[-1] - begin < length:
            # The sentence that a paragraph cuts short is not used again: about half of one more for each.
            wanted = left // _SENTENCE + (len(lengths) - number) * 5 // 8 + 8
            enough = length // phrases().least_sentence + 1
            text, ends = _sentences(words, max(enough, min(wanted, _SENTENCES_AT_ONCE)))
            at = begin = 0
        stop = bisect_right(ends, begin + length - 1, at) - 1
        if stop > at and stop % slots == 0:
            # The tail ends the paragraph instead of what ends the sentence, which may be a line break.
            stop -= 1
        end = ends[stop]
        yield text[begin:end], TAIL[end - begin - length :]
        at = -(-stop // slots) * slots
        left -= length


def _sentences(words: np.random.Philox, count: int) -> tuple[str, array[int]]:
    """The text of `count` sentences, and where each phrase of them begins, with the end of the last one."""
    table = phrases()
    slots = len(table.first)
    raw = np.asarray(words.random_raw(-(-count * slots // 4)))
    # Four draws of 16 bits from each word, the low ones first on every machine.
    drawn = raw.astype("<u8").view("<u2")[: count * slots].astype(np.uint32).reshape(slots, count)
    # The cube makes the first phrases of a slot frequent and the last ones rare, as words are.
    often = (drawn * drawn >> _SIXTEEN) * drawn >> _SIXTEEN
    chosen = ((often * table.sizes[:, None] >> _SIXTEEN) + table.first[:, None]).T.reshape(-1)
    lengths = table.lengths[chosen]
    ends = np.zeros(len(chosen) + 1, dtype=np.int64)
    np.cumsum(lengths, out=ends[1:])
    place = np.repeat(table.start[chosen] - ends[:-1], lengths)
    place += np.arange(len(place))
    # A list of the ends would hold an object for each phrase, and few of them are looked at.
    return table.characters[place].tobytes().decode("utf-32-le"), array("q", ends.tobytes())
