"""What is allowed in a corpus and deserves a look all the same: warnings, each with its places."""

from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterable, Iterator

import numpy as np

from kugiri.formats.corpus_folder import LoadedCorpus
from kugiri.formats.description import counted
from kugiri.model.corpus import Corpus, surroundings
from kugiri.model.questions import Questions
from kugiri.visible import shortened

# Characters that a reader does not see and a search trips over. A zero-width joiner in front of an emoji belongs to
# it; line feed, carriage return and tab are white space.
_INVISIBLE = re.compile(
    "[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u200d(?![\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at.

    Attributes:
        code: its kind, for programs.
        what: one sentence, with its number.
        places: where, one line each: documents or questions by id.
    """

    code: str
    what: str
    places: tuple[str, ...] = ()


def check_corpus(loaded: LoadedCorpus) -> tuple[Finding, ...]:
    """Every warning about a corpus that has loaded, in a fixed order."""
    corpus, questions = loaded.corpus, loaded.questions
    found = (
        edited_since_import(loaded),
        outside_paragraphs(corpus),
        crossing_paragraphs(corpus, questions),
        invisible_characters(corpus),
        replacement_characters(corpus),
        empty_documents(corpus),
        documents_without_questions(corpus, questions),
        repeated_questions(questions),
        unquoted_spans(loaded),
        excluded_questions(questions),
    )
    return tuple(warning for warning in found if warning is not None)


def edited_since_import(loaded: LoadedCorpus) -> Finding | None:
    """Documents or questions that are not the ones an import wrote (SHA-256 in `[built]`)."""
    built = loaded.corpus.info.built
    digests = {"documents": loaded.documents_sha256, "questions": loaded.questions_sha256}
    changed = [name for name, digest in digests.items() if built.get(f"{name}_sha256", digest) != digest]
    return _finding("edited", f"{' and '.join(changed)} changed since kugiri wrote them", changed)


def outside_paragraphs(corpus: Corpus) -> Finding | None:
    """Text in no recorded paragraph of a document that records some: no question about it has a cluster of its own."""
    places = []
    for index, identity in enumerate(corpus.ids):
        document = corpus.document(index)
        if not document.paragraphs:
            continue
        gaps = zip(
            (0, *(end for _, end in document.paragraphs)),
            (*(start for start, _ in document.paragraphs), len(document.text)),
            strict=True,
        )
        outside = [(start, end) for start, end in gaps if document.text[start:end].strip()]
        if outside:
            characters = sum(sum(not c.isspace() for c in document.text[start:end]) for start, end in outside)
            start, end = outside[0]
            where = surroundings(document.text, start, end)
            places.append(f"{identity}: {counted(characters, 'character')}, first in [{start}, {end}): {where}")
    return _finding(
        "outside_paragraphs", f"{counted(len(places), 'document')} with text outside recorded paragraphs", places
    )


def crossing_paragraphs(corpus: Corpus, questions: Questions) -> Finding | None:
    """Evidence that lies in no single recorded paragraph: `paragraph()` loses it whatever it does."""
    evidence = questions.evidence
    recorded = np.zeros(len(corpus), dtype=bool)
    recorded[corpus.document_of(corpus.paragraph_start)] = True
    last = np.searchsorted(corpus.paragraph_start, evidence.start, side="right") - 1
    ends = np.concatenate((corpus.paragraph_end, [-1]))
    documents = corpus.document_of(evidence.start)
    crossing = np.flatnonzero(recorded[documents] & (evidence.end > ends[last]))
    origin = corpus.document_start[documents]
    places = [
        f"{questions.ids[evidence.span_question[span]]}: {corpus.ids[documents[span]]} "
        f"[{evidence.start[span] - origin[span]}, {evidence.end[span] - origin[span]})"
        for span in crossing.tolist()
    ]
    return _finding(
        "crossing_paragraphs", f"{counted(len(places), 'evidence span')} inside no single paragraph", places
    )


def invisible_characters(corpus: Corpus) -> Finding | None:
    """Zero-width, control and bidirectional characters: they count in offsets and hide matches from a search."""
    places = [
        f"{identity}: {each}"
        for identity, text in zip(corpus.ids, corpus.texts, strict=True)
        if (each := ", ".join(_each(found for found in _INVISIBLE.finditer(text))))
    ]
    return _finding("invisible", f"{counted(len(places), 'document')} with invisible characters", places)


def replacement_characters(corpus: Corpus) -> Finding | None:
    """U+FFFD: characters that were lost when somebody decoded the text with the wrong encoding."""
    places = [
        f"{identity}: {text.count(chr(0xFFFD)):,}, first at {place}: {surroundings(text, place, place + 1)}"
        for identity, text in zip(corpus.ids, corpus.texts, strict=True)
        if (place := text.find(chr(0xFFFD))) >= 0
    ]
    return _finding("replacement", f"{counted(len(places), 'document')} with damaged characters (U+FFFD)", places)


def empty_documents(corpus: Corpus) -> Finding | None:
    """Documents that have no chunk in any strategy."""
    places = [identity for identity, text in zip(corpus.ids, corpus.texts, strict=True) if not text.strip()]
    return _finding("empty_documents", f"{counted(len(places), 'document')} without text", places)


def documents_without_questions(corpus: Corpus, questions: Questions) -> Finding | None:
    """Documents that only stand in the way of a ranking."""
    asked = set(corpus.document_of(questions.evidence.start).tolist())
    places = [identity for index, identity in enumerate(corpus.ids) if index not in asked]
    return _finding("without_questions", f"{counted(len(places), 'document')} that no question asks about", places)


def repeated_questions(questions: Questions) -> Finding | None:
    """Questions with the same text: they count as many, and say as much as one."""
    asked: dict[str, list[str]] = {}
    for identity, text in zip(questions.ids, questions.texts, strict=True):
        asked.setdefault(text, []).append(identity)
    places = [f"{shortened(text)}: {', '.join(ids)}" for text, ids in asked.items() if len(ids) > 1]
    return _finding(
        "repeated_questions", f"{counted(len(questions), 'question')}, {counted(len(asked), 'distinct text')}", places
    )


def unquoted_spans(loaded: LoadedCorpus) -> Finding | None:
    """Questions whose spans quote no text, so that nothing confirms their offsets."""
    what = f"{counted(len(loaded.unquoted), 'question')} with evidence that does not quote its text"
    return _finding("unquoted", what, loaded.unquoted)


def excluded_questions(questions: Questions) -> Finding | None:
    """Questions that an import could not keep."""
    reasons: dict[str, list[str]] = {}
    for left_out in questions.excluded:
        reasons.setdefault(left_out.reason, []).append(left_out.id)
    places = [f"{reason}: {len(ids):,}: {', '.join(ids)}" for reason, ids in sorted(reasons.items())]
    return _finding("excluded", f"{counted(len(questions.excluded), 'question')} excluded by the import", places)


def _each(found: Iterable[re.Match[str]]) -> Iterator[str]:
    counts: collections.Counter[str] = collections.Counter()
    first: dict[str, int] = {}
    for match in found:
        counts[match[0]] += 1
        first.setdefault(match[0], match.start())
    for character, count in sorted(counts.items()):
        yield f"{count:,} of U+{ord(character):04X}, first at {first[character]}"


def _finding(code: str, what: str, places: Iterable[str]) -> Finding | None:
    listed = tuple(places)
    return Finding(code, what, listed) if listed else None
