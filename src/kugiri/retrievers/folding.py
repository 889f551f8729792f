"""Texts as they are compared: differences of spelling that a reader does not see are folded away."""

from __future__ import annotations

import unicodedata

import regex

# Zero-width spaces and joiners, soft hyphens, variation selectors, direction marks: what Unicode says to ignore when
# it is not supported (Default_Ignorable_Code_Point, 118 ranges that `re` does not know).
_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
# Bytes that cp932 and Shift_JIS decode to different characters; NFKC folds the cp932 half of them (～ to ~), so the
# other half goes where that one went, and the pairs that NFKC leaves alone meet in the character of JIS X 0208.
_OF_ANOTHER_CODEC = (("〜", "~"), ("−", "-"), ("∥", "‖"), ("―", "—"))


def folded(text: str) -> str:
    """The text for matching only: invisible characters out, NFKC, case folded, ～ and 〜 alike.

    NFKC composes what half-width kana and combining marks write apart (ｶﾞ is ガ) and never takes a voicing mark away:
    ハス and バス stay two words. Nothing that is folded is ever stored, and offsets into it mean nothing.
    """
    if text.isascii():
        return text.lower()
    visible = _INVISIBLE.sub("", text)
    normal = unicodedata.normalize("NFKC", visible)
    cased = normal.casefold()
    # Case folding can undo the normal form, so it is made again (as Unicode's toNFKC_Casefold does).
    text = normal if cased == normal else unicodedata.normalize("NFKC", cased)
    for other, ours in _OF_ANOTHER_CODEC:
        text = text.replace(other, ours)
    return text
