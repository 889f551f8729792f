"""Ids in TREC files, whose columns are split on white space.

Every character that is white space to some reader, every control character and the byte order mark is written as the
`%XX` of its UTF-8 bytes. In ids where `%` is an ordinary character it is written `%25`; in chunk ids it already is, and
they stay as they are everywhere else. So no two ids meet, and `urllib.parse.unquote` gives the id back.
"""

from __future__ import annotations

from urllib.parse import quote

from kugiri.visible import is_hidden


def spaceless(chunk_id: str) -> str:
    """A chunk id (`document@start:end`, `%` of the document encoded already) without white space."""
    return "".join(quote(character, safe="") if _splits(character) else character for character in chunk_id)


def trec_id(text: str) -> str:
    """Any other id as TREC files of ours write it."""
    return spaceless(text.replace("%", "%25"))


def _splits(character: str) -> bool:
    return character.isspace() or is_hidden(character) or character == "\ufeff"
