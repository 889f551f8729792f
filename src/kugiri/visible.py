"""Text that is not ours, made safe to print: corpora, file names and user input are data, never terminal commands."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Bidirectional controls reorder what follows them on the screen; zero-width joiners and variation selectors, also of
# category Cf, belong to emoji and stay.
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def is_hidden(character: str) -> bool:
    """Whether printing the character as it is could move the cursor, end a line or reorder text."""
    return unicodedata.category(character) in _HIDDEN or character in _BIDI


def one_line(text: str) -> str:
    r"""The text on one line, its control characters, lone surrogates and bidi controls as `\n`, `\x1b`, `\ud800`."""
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii") if is_hidden(character) else character for character in text
    )


def shortened(text: str, limit: int = 40) -> str:
    """At most `limit` characters of the text on one line, `…` where something was left out."""
    line = one_line(text[: limit + 1])
    return line if len(text) <= limit else f"{line[: limit - 1]}…"
