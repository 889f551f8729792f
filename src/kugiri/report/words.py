"""What the report says: every sentence in Japanese and English from one file, numbers, and who speaks them where."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from math import floor, log10
from typing import Literal, TypeAlias

from kugiri.visible import one_line

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "en")


@dataclasses.dataclass(frozen=True, slots=True)
class Code:
    """A label, an id or a path: foreign text that is set in a fixed-width face."""

    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Share:
    """A share in [0, 1], said in per cent."""

    value: float


@dataclasses.dataclass(frozen=True, slots=True)
class Interval:
    """The limits of a share, said in per cent."""

    low: float
    high: float


@dataclasses.dataclass(frozen=True, slots=True)
class Real:
    """A number with so many decimals."""

    value: float
    decimals: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Signed:
    """A difference, said with its sign."""

    value: float
    decimals: int = 3


@dataclasses.dataclass(frozen=True, slots=True)
class Said:
    """A sentence, heading or phrase of `words.toml` with its values filled in: the same in every language."""

    key: str
    values: Mapping[str, Value] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class Text:
    """Sentences of one paragraph; `between` is the key of what stands between them."""

    sentences: tuple[Said, ...]
    between: str = "between_sentences"


Value: TypeAlias = "str | int | Code | Share | Interval | Real | Signed | Said | Text | tuple[Value, ...]"
"""What can be said; a plain `str` is foreign text, a tuple is an enumeration."""


def said(key: str, **values: Value) -> Said:
    """The sentence `key` of `words.toml` with these values."""
    return Said(key, values)


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """All of `words.toml`: `ja`, `en` and perhaps `en_one` by key."""
    return tomllib.loads((resources.files("kugiri.report") / "words.toml").read_text(encoding="utf-8"))


@dataclasses.dataclass(frozen=True, slots=True)
class Voice:
    """One language in one kind of output.

    Attributes:
        language: which of the two.
        text: makes foreign text safe there; sentences of ours hold no markup and pass as they are.
        code: the same for labels, ids and paths, with whatever marks them as such.
        gap: between a number and its per cent sign, where the language has one.
    """

    language: Language
    text: Callable[[str], str]
    code: Callable[[str], str]
    gap: str = " "

    def say(self, value: Value) -> str:
        """The value in words."""
        match value:
            case Said(key, values):
                return self._sentence(key, values)
            case Code(text):
                return self.code(text)
            case Text(sentences, between):
                return self._form(between).join(map(self.say, sentences))
            case tuple():
                return self._form("separator").join(map(self.say, value))
            case Share(share):
                return self._form("share").format(n=percent(share), gap=self.gap)
            case Interval(low, high):
                return self._form("range").format(low=percent(low), high=percent(high), gap=self.gap)
            case Real(number, decimals):
                return f"{number:,.{decimals}f}"
            case Signed(number, decimals):
                return _signed(number, decimals)
            case int():
                return f"{value:,}"
            case str():
                return self.text(value)

    def _form(self, key: str) -> str:
        return words()[key][self.language]

    def _sentence(self, key: str, values: Mapping[str, Value]) -> str:
        forms = words()[key]
        one = values.get("n") == 1 and self.language == "en" and "en_one" in forms
        return forms["en_one" if one else self.language].format_map({name: self.say(v) for name, v in values.items()})


def _signed(number: float, decimals: int) -> str:
    shown = f"{abs(number):,.{decimals}f}"
    # What rounds to zero has no sign.
    return shown if float(shown.replace(",", "")) == 0 else f"{'−' if number < 0 else '+'}{shown}"


def plain(language: Language) -> Voice:
    """The voice of terminals and figures: no markup, hidden characters made visible."""
    return Voice(language, one_line, one_line)


def percent(share: float) -> str:
    """A share as a number of per cent: one decimal, more where that would print 0 or 100 for what is neither."""
    number = 100 * share
    distance = min(number, 100 - number)
    return f"{number:.0f}" if distance <= 0 else f"{number:.{max(1, -floor(log10(distance)))}f}"


def language_of(corpus_language: object) -> Language:
    """The language in which the report of a corpus speaks first: Japanese for Japanese corpora, else English."""
    tag = corpus_language.lower() if isinstance(corpus_language, str) else ""
    return "ja" if tag == "ja" or tag.startswith("ja-") else "en"
