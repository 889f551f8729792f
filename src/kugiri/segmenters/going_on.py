"""What a sentence goes on with behind a mark, and what its marks mean to the characters next to them."""

from __future__ import annotations

import re

LOOKS_BACK, LOOKS_AHEAD = 20, 8
"""How many characters in front of a mark and behind its row of marks the rules look at."""

# Words that begin a sentence although they begin like a particle.
_BEGINS = (
    "とても|とっても|とにかく|ともかく|ところ[がで]|とりあえず|とうとう|とたん|とき|とある|とはいえ|"
    "はい[、。！？!?」]|はじめ|はたして|はるか|がんば|がっかり|にこ|にっこり|にやり|でしゃば|でかけ|でなければ|"
    "でも[、，]|では[、，]|だが|だから|だけど|だって|だんだん|のち|のんびり|のどか|もし|もち|もっと|もう|もはや|もともと|"
    "やが|やは|やっ|やめ|よりによって|しかし|しかも|しかた|なお|なぜ|なに|などと[、，]"
)
_PARTICLES = (
    "という|といった|として|である|だった|なんて|なので|なのだ|なのか|なら|など|なり|な[のど]|から|まで|だけ|ほど|より|さえ|しか|"
    "くらい|ぐらい|ばかり|みたい|らしい|っぽい|です|でし|って|じゃな|と|は|が|を|に|で|の|も|や|だ|へ|か(?=[「『と])"
)
GOES_ON = re.compile(rf"[、，,ー]|(?!{_BEGINS})(?:{_PARTICLES})|[ \u3000](?!{_BEGINS})(?:と|って)")
"""What follows a quotation that does not end its sentence: a comma, or a particle; と and って behind a space too."""
SAID = re.compile(rf"(?!{_BEGINS})(?:と|って)")
"""What follows ！ and ？ that do not end a sentence: すごい！と思った."""
STARTS = "".join(sorted({*"、，,ー", *(particle[0] for particle in _PARTICLES.split("|"))}))
"""What `GOES_ON` begins with, a space apart; what `SAID` begins with is part of it."""

# (笑), （図1）; but (1), （ア） and （一） count what comes next.
ASIDE = re.compile(
    r"[(（](?!(?:[0-9０-９]+|[A-Za-zａ-ｚＡ-Ｚ]|[ぁ-ゖァ-ヺ]|[一二三四五六七八九十]+)[)）])"
    r"[^\s。｡！？‼⁇⁈⁉．.!?()（）「」｢｣『』［］\[\]｛｝{}【】〈〉《》〔〕“”‘’〝〟〞]{1,5}[)）]"
)
"""A bracketed aside that belongs to the sentence in front of it."""

_NUMBER = re.compile(
    r"(?:\A|[\n\r]|[。｡！？‼⁇⁈⁉][」』)）\"]*|[^\x00-\x7f][.!?][ \t\u3000])"
    r"[ \t\u3000]*[0-9０-９]+(?:[.．][0-9０-９]+)*\Z"
)
_ABBREVIATION = re.compile(
    r"(?:(?<![\w'’])[A-Za-z]|(?<![0-9A-Za-z_])(?:[Ee]\.g|[Ii]\.e|[Cc]f|vs|Mr|Mrs|Ms|Dr|Prof|St|Mt|Gen|Col|Capt|Rev|No|Fig|Figs|"
    r"Eq|Eqs|Vol|pp?|al|approx|ca|viz|resp)|第[0-9０-９一二三四五六七八九十百]+[章節条項部編巻回話])\Z"
)
_COUNTED = re.compile(r"(?<![0-9A-Za-z_])(?:[Vv]ols?|[Vv]ers?|[Nn]os?|[Ff]igs?|[Ee]qs?|[Ss]ecs?|[Cc]h|[Aa]rt)\Z")


# Rules are given a text, how far to look back, where the mark is, where the row that it is in ends, and what follows
# that in the same unit: `LOOKS_AHEAD` characters or fewer.
def wide_point_ends(text: str, low: int, place: int, behind: int, after: str) -> bool:
    """Whether ．ends a sentence."""
    before, beside = text[place - 1] if place > low else "", (text[place + 1 : behind] + after)[:1]
    if before == "．" or beside == "．":
        return False
    return not (before.isdigit() and (beside.isdigit() or _NUMBER.search(text[low:place])))


def point_ends(text: str, low: int, place: int, behind: int, after: str) -> bool:
    """Whether a full stop ends a sentence."""
    before, beside = text[place - 1] if place > low else "", text[place + 1 : behind]
    spaced, following = after[:1].isspace(), after[1:2]
    if before == "." or beside[:1] == ".":
        return spaced and following.isupper()
    if after and not spaced:
        return not (before.isascii() or after[0].isascii() or (before.isdigit() and after[0].isdigit()))
    known = text[low:place]
    if before.isdigit() and _NUMBER.search(known):
        return False
    if following.isdigit() and _COUNTED.search(known):
        return False
    if before.isascii() and "ぁ" <= following <= "ゖ" and GOES_ON.match(after, 1):
        return False
    return not (following.islower() or _ABBREVIATION.search(known))


def mark_ends(text: str, low: int, place: int, behind: int, after: str) -> bool:
    """Whether an ASCII ! or ? ends a sentence."""
    return not after or after[0].isspace() or not after[0].isascii()
