"""Offsets of others turned into code points, and every quotation compared with what stands there."""

from __future__ import annotations

from kugiri.model.evidence import nearest_occurrence

OFFSET_UNITS = ("codepoint", "utf16", "utf8")
_CODECS = {"utf16": ("utf-16-le", 2), "utf8": ("utf-8", 1)}
_SHOWN = 40


def to_code_point(text: str, offset: int, unit: str) -> int | None:
    """The offset in code points of an offset in `unit`; None outside the text and inside a character."""
    if unit == "codepoint":
        return offset if 0 <= offset <= len(text) else None
    codec, width = _CODECS[unit]
    encoded = text.encode(codec)
    if not 0 <= offset * width <= len(encoded):
        return None
    try:
        return len(encoded[: offset * width].decode(codec))
    except UnicodeDecodeError:
        return None


def from_code_point(text: str, offset: int, unit: str) -> int:
    """The offset in `unit` of an offset in code points."""
    if unit == "codepoint":
        return offset
    codec, width = _CODECS[unit]
    return len(text[:offset].encode(codec)) // width


def quoted_at(text: str, quotation: str, offset: int, unit: str) -> int | None:
    """Where the quotation starts, in code points, if it stands at that offset; None if it does not, or is empty."""
    start = to_code_point(text, offset, unit)
    return start if start is not None and quotation and text.startswith(quotation, start) else None


def mismatch(text: str, quotation: str, offset: int, unit: str) -> str:
    """What stands at an offset instead of the quotation, and where the nearest such place is, in the same unit."""
    start = to_code_point(text, offset, unit)
    given = "" if unit == "codepoint" else f"{unit} offset {offset}: "
    if not quotation:
        return f"mismatch: {given}the quotation at {offset} is empty"
    if start is None and from_code_point(text, len(text), unit) >= offset >= 0:
        found = f"{unit} offset {offset} is inside a character"
    else:
        start = offset if start is None else start
        end = start + len(quotation)
        found = f"{given}text[{start}:{end}]={_shown(text[max(0, start) : max(0, end)])}"
    nearest = nearest_occurrence(text, quotation, start if start is not None else _before(text, offset, unit))
    place = "found nowhere" if nearest is None else f"nearest {from_code_point(text, nearest, unit)}"
    return f"mismatch: {found}, {place}, quoted {_shown(quotation)}"


def _before(text: str, offset: int, unit: str) -> int:
    """The character that an offset inside a character is inside of."""
    while offset > 0 and to_code_point(text, offset, unit) is None:
        offset -= 1
    return to_code_point(text, offset, unit) or 0


def _shown(text: str) -> str:
    return repr(text[:_SHOWN]) + ("…" if len(text) > _SHOWN else "")
