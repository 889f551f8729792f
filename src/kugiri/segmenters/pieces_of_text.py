"""Long texts in pieces: where a text may be parted so that a tokenizer finds the same tokens."""

from __future__ import annotations

from collections.abc import Iterator

import regex

_PIECE = 32_768
"""Characters in a piece at most: bpe-openai refuses what has more than 200,000 tokens, and a character is up to 4."""
# Every pre-tokenizer of OpenAI's vocabularies, and those of GPT-2 and BERT, parts a letter from the white space or the
# full stop behind it, and what stands in front of that place has no part in what they make of the rest. The letters are
# spelled out because two libraries know two versions of Unicode.
_SAFE_PLACE = regex.compile(r"(?r)[A-Za-z\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff][\s。、！？]")


def pieces_of_text(text: str) -> Iterator[str]:
    """The text in pieces of at most `_PIECE` characters.

    Each is cut at the last place of its second half where a letter ends, before white space or a mark that ends a
    sentence; where there is none, at its end. Memory and time of a tokenizer then grow with the length of the text.
    """
    low = 0
    while len(text) - low > _PIECE:
        middle, limit = low + _PIECE // 2, low + _PIECE
        place = _SAFE_PLACE.search(text, middle, limit)
        high = place.start() + 1 if place else limit
        yield text[low:high]
        low = high
    if low < len(text):
        yield text[low:]
