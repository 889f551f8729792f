"""Whether pictures can show Japanese: found out by drawing some, as no list of fonts tells what a renderer takes."""

from __future__ import annotations

import os
import re
from pathlib import Path

FACES = "Hiragino Sans, Yu Gothic, Noto Sans JP, Noto Sans CJK JP, sans-serif"
"""The fonts of the figures, first that is there: Japanese ones, lest a system shows kanji in their Chinese form."""
PACKAGE = "fonts-noto-cjk"
"""Debian's package of fonts that have every character of Japanese."""
_SAMPLE = "あヲ区価図辻"
_NOWHERE = "\U0010fffd"
"""A private-use character that no font has: it looks like whatever stands for a missing one."""


def japanese_font() -> bool:
    """Whether the renderer of the PNGs finds a glyph for hiragana, katakana and kanji."""
    if _fonts_are_switched_off():
        return False
    pictures = {_picture(character) for character in (*_SAMPLE, _NOWHERE)}
    return len(pictures) == len(_SAMPLE) + 1


def used_fonts() -> tuple[str, ...]:
    """The PostScript names of the fonts that figures are drawn with on this machine, as a PDF of some text embeds them.

    Empty where the PDF does not say.
    """
    import vl_convert

    pdf: bytes = vl_convert.svg_to_pdf(_text(f"{_SAMPLE} fixed(size=100)"))
    names = re.findall(rb"/FontName\s*/(?:[A-Z]{6}\+)?([^\s/<>\[\]()]+)", pdf)
    return tuple(sorted({name.decode("ascii", "replace") for name in names}))


def _picture(character: str) -> bytes:
    import vl_convert

    picture: bytes = vl_convert.svg_to_png(_text(character))
    return picture


def _text(text: str) -> str:
    shown = f'<text x="4" y="30" font-family="{FACES}" font-size="28">{text}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{shown}</svg>'


def _fonts_are_switched_off() -> bool:
    """Whether FONTCONFIG_FILE names a configuration without any folder of fonts.

    The renderer would look in /usr/share/fonts all the same; whoever sets such a file means no fonts.
    """
    named = os.environ.get("FONTCONFIG_FILE")
    if not named:
        return False
    try:
        configuration = Path(named).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return not re.search(r"<(dir|include)\b", configuration)
