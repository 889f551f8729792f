"""Bytes from files, and text from bytes: nothing guessed, nothing repaired, every refusal with its byte."""

from __future__ import annotations

import codecs
from pathlib import Path

from kugiri.errors import InputError

_BOM = codecs.BOM_UTF8
# Encodings worth naming when a file is not what it was said to be, the likelier first.
_PLAUSIBLE = ("utf-8", "cp932", "euc_jp", "utf-16")


def read_bytes(path: Path) -> bytes:
    """The bytes of one file.

    Raises:
        InputError: it is not there, is a folder, or cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file", str(path), "check the path") from None
    except IsADirectoryError:
        raise InputError("this is a folder, and a file is needed", str(path), "name the file inside it") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(
            f"the file cannot be read: {reason}", str(path), "check the path and its permissions"
        ) from None


def decoded(raw: bytes, path: Path, encoding: str = "utf-8", option: bool = False) -> str:
    """The text of a file's bytes, decoded strictly; a UTF-8 byte order mark at its start is left out.

    Args:
        raw: the whole file.
        path: the file, for messages.
        encoding: the name of the encoding.
        option: whether the user can name another encoding with `--encoding`.

    Raises:
        InputError: the encoding is unknown, or the bytes are not in it; names the byte, and an encoding that fits.
    """
    start = len(_BOM) if raw.startswith(_BOM) and _is_utf8(encoding) else 0
    try:
        return raw[start:].decode(encoding)
    except LookupError:
        raise InputError(
            f"there is no text encoding {encoding!r}", "--encoding", "use one of utf-8, cp932, euc_jp, utf-16"
        ) from None
    except UnicodeError as error:
        place = start + (error.start if isinstance(error, UnicodeDecodeError) else 0)
        fits = _fitting(raw, encoding)
        if option:
            remedy = f"try --encoding {fits}" if fits else "name the encoding of the file with --encoding"
        else:
            remedy = "save the file as UTF-8" + (f"; it looks like {fits}" if fits else "")
        shown = f" (0x{raw[place]:02X})" if place < len(raw) else ""
        raise InputError(
            f"not {encoding.upper()}: byte {place}{shown} cannot be decoded",
            f"{path}:{raw.count(bytes([10]), 0, place) + 1}",
            remedy,
        ) from None


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


def _fitting(raw: bytes, refused: str) -> str | None:
    """The encoding that the bytes most plausibly are in, None where none fits."""
    fits: list[tuple[int, int, str]] = []
    for rank, encoding in enumerate(_PLAUSIBLE):
        # Without its mark almost any even number of bytes is UTF-16.
        if encoding == refused or (encoding == "utf-16" and raw[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            continue
        try:
            text = raw.decode(encoding)
        except UnicodeError:
            continue
        # Read as cp932, text in EUC-JP is a row of half-width katakana.
        fits.append((sum("\uff61" <= character <= "\uff9f" for character in text), rank, encoding))
    return min(fits)[2] if fits else None
