"""Pseudo-long documents: paragraphs of a source joined, remembered, and their evidence moved along with them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from kugiri.errors import InputError
from kugiri.formats.protocol import SourceParagraph
from kugiri.formats.strict import nearest
from kugiri.model.corpus import Document, unusable_character
from kugiri.model.draw import shuffled
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question

JOINS = ("article", "paragraphs", "chars")
_ESCAPE = re.compile(r"\\(?:(?P<name>[ntr\\])|u(?P<code>[0-9A-Fa-f]{4})|(?P<other>.?))", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


@dataclasses.dataclass(frozen=True, slots=True)
class Join:
    """How paragraphs become documents.

    Attributes:
        by: `article` (the paragraphs of each article), `paragraphs` (`size` of them, over all articles) or `chars` (a
            document is closed as soon as it has `size` characters, separators counted).
        size: for `paragraphs` and `chars`, 1 or more; None for `article`.
        separator: what stands between two paragraphs of a document, and belongs to neither.
        shuffle: the seed of another order than the file's, None for the file's; `article` shuffles inside each article.
    """

    by: str = "article"
    size: int | None = None
    separator: str = ""
    shuffle: int | None = None

    def __post_init__(self) -> None:
        sized = self.size is not None and self.size >= 1
        if self.by not in JOINS or (sized if self.by == "article" else not sized):
            raise _no_join(str(self))
        if unusable_character(self.separator) is not None:
            raise InputError(
                "the separator has a NUL character or half of a surrogate pair", "--separator", "remove it"
            )

    def __str__(self) -> str:
        """As `--join` writes it."""
        return self.by if self.size is None else f"{self.by}={self.size}"


def parse_join(text: str, separator: str = "", shuffle: int | None = None) -> Join:
    r"""The join that `article`, `paragraphs=N` or `chars=N` writes.

    Args:
        text: what stands after `--join`.
        separator: as typed in a shell, where `\n`, `\t`, `\r`, `\\` and `\u3000` stand for one character.
        shuffle: the seed.

    Raises:
        InputError: it is none of these, or the separator has another escape.
    """
    by, equals, size = text.partition("=")
    # The digits of other scripts are numbers to Python, and a typing error here.
    if equals and not re.fullmatch(r"[0-9]{1,18}", size):
        raise _no_join(text)
    return Join(by, int(size) if equals else None, _unescaped(separator), shuffle)


def _no_join(text: str) -> InputError:
    near = nearest(text.partition("=")[0], JOINS)
    hint = f"; {near!r} is the nearest" if near and not text.startswith(near) else ""
    return InputError(
        f"no way to join paragraphs: {text!r}", "--join", f"write article, paragraphs=N or chars=N with N ≥ 1{hint}"
    )


def _unescaped(text: str) -> str:
    def character(found: re.Match[str]) -> str:
        if found["other"] is not None:
            raise InputError(
                f"unknown escape {found[0]!r}", "--separator", r"use \n, \t, \r, \\ or \u with four hexadecimal digits"
            )
        return _NAMED[found["name"]] if found["name"] else chr(int(found["code"], 16))

    plain = _ESCAPE.sub(character, text)
    # Two escapes may write the halves of one character; half of one alone is refused by `Join`.
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def joined(paragraphs: Sequence[SourceParagraph], join: Join) -> tuple[list[Document], list[Question]]:
    """The documents in the order in which the join makes them, and the questions in the order of the source.

    Paragraphs without a character are left out, and documents without a paragraph. Every span quotes its text, so
    that building `Questions` from what is returned verifies all of them again.
    """
    documents: list[Document] = []
    placed: dict[int, tuple[str, int]] = {}
    for identity, title, members in _groups(paragraphs, join):
        text, bounds = _laid_out([paragraphs[member].text for member in members], join.separator)
        titles = [paragraphs[member].title for member in members]
        metadata = {} if join.by == "article" else {"articles": list(dict.fromkeys(name for name in titles if name))}
        documents.append(Document(identity, text, title, tuple(bounds), metadata))
        placed |= {member: (identity, start) for member, (start, _) in zip(members, bounds, strict=True)}
    return documents, [
        Question(
            question.id,
            question.question,
            tuple(
                (EvidenceSpan(place[0], place[1] + a.start, place[1] + a.end, paragraph.text[a.start : a.end]),)
                for a in question.answers
                for place in (placed[index],)
            ),
            None if question.answers else "unanswerable",
        )
        for index, paragraph in enumerate(paragraphs)
        for question in paragraph.questions
    ]


def _laid_out(texts: Sequence[str], separator: str) -> tuple[str, list[tuple[int, int]]]:
    bounds: list[tuple[int, int]] = []
    start = 0
    for text in texts:
        bounds.append((start, start + len(text)))
        start += len(text) + len(separator)
    return separator.join(texts), bounds


def _groups(paragraphs: Sequence[SourceParagraph], join: Join) -> Iterator[tuple[str, str | None, list[int]]]:
    """Id, title and paragraph indices of each document."""
    kept = [index for index, paragraph in enumerate(paragraphs) if paragraph.text]
    if join.by != "article":
        ordered = _ordered(kept, join.shuffle)
        for number, members in enumerate(_filled(ordered, paragraphs, join), start=1):
            yield f"joined-{number:04}", None, members
        return
    articles: dict[int, list[int]] = {}
    for index in kept:
        articles.setdefault(paragraphs[index].article, []).append(index)
    taken: set[str] = set()
    for article, members in articles.items():
        title = paragraphs[members[0]].title or None
        wanted = title or f"article-{article + 1:04}"
        identity, repeat = wanted, 1
        while identity in taken:
            repeat += 1
            identity = f"{wanted}#{repeat}"
        taken.add(identity)
        yield identity, title, _ordered(members, join.shuffle)


def _ordered(indices: list[int], seed: int | None) -> list[int]:
    if seed is None:
        return indices
    return [indices[place] for place in shuffled(seed, [str(index) for index in indices]).tolist()]


def _filled(ordered: Sequence[int], paragraphs: Sequence[SourceParagraph], join: Join) -> Iterator[list[int]]:
    members: list[int] = []
    size = 0
    for index in ordered:
        size += 1 if join.by == "paragraphs" else len(paragraphs[index].text) + len(join.separator) * bool(members)
        members.append(index)
        if size >= (join.size or 1):
            yield members
            members, size = [], 0
    if members:
        yield members
