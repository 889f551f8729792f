"""Evidence widened to whole sentences or paragraphs: what is registered where nobody knows the exact span.

A unit never leaves its recorded paragraph, and white space at its edges does not belong to it. A widened span holds the
span itself, so that whatever is lost with spans is lost with units too: the difference is false alarms.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import frozen
from kugiri.model.corpus import Corpus
from kugiri.model.evidence import Evidence
from kugiri.model.questions import Questions
from kugiri.segmenters.paragraphs import Paragraphs
from kugiri.segmenters.sentences import Sentences
from kugiri.segmenters.white_space import white_runs


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class UnitEvidence:
    """The evidence of all questions in one unit.

    Attributes:
        unit: `sentence` or `paragraph`.
        recorded: whether the corpus records it; else it was computed from the spans.
    """

    unit: str
    recorded: bool
    evidence: Evidence


def unit_evidence(corpus: Corpus, questions: Questions, unit: str) -> UnitEvidence:
    """The evidence in whole sentences or paragraphs (one of `kugiri.model.questions.UNITS`).

    As the corpus records it for every answerable question, else computed for all of them: two notions of a unit are
    not mixed.
    """
    recorded = questions.units.get(unit)
    if recorded is not None and bool((recorded.answerable == questions.answerable).all()):
        return UnitEvidence(unit, True, recorded)
    units = paragraph_units(corpus) if unit == "paragraph" else sentence_units(corpus)
    return UnitEvidence(unit, False, widened(questions.evidence, units))


def paragraph_units(corpus: Corpus) -> Boundaries:
    """The paragraphs of every document: as recorded, else between blank lines; no white space at their edges."""
    return _trimmed(Paragraphs().segment(corpus))


def sentence_units(corpus: Corpus) -> Boundaries:
    """The sentences of every paragraph, each paragraph read by itself; no white space at their edges."""
    paragraphs = Paragraphs().segment(corpus)
    places = zip(paragraphs.start.tolist(), paragraphs.end.tolist(), strict=True)
    apart = _documents(corpus, tuple(corpus.slice(*place) for place in places))
    found = Sentences().segment(apart)
    paragraph = apart.document_of(found.start)
    shift = paragraphs.start[paragraph] - apart.document_start[paragraph]
    return _trimmed(Boundaries(corpus, found.start + shift, found.end + shift))


def widened(evidence: Evidence, units: Boundaries) -> Evidence:
    """Every span from the first unit that it touches to the end of the last; one that touches none stays as it is.

    A span that begins or ends outside units keeps that edge. Spans that become identical stay beside one another: they
    change nothing of what is lost.
    """
    first = np.searchsorted(units.end, evidence.start, side="right")
    last = np.searchsorted(units.start, evidence.end, side="left") - 1
    touches = np.flatnonzero(first <= last)
    start, end = evidence.start.copy(), evidence.end.copy()
    start[touches] = np.minimum(start[touches], units.start[first[touches]])
    end[touches] = np.maximum(end[touches], units.end[last[touches]])
    # Spans sorted by start touch units in that order, and none in front of a unit reaches into it: still sorted.
    return dataclasses.replace(evidence, start=frozen(start), end=frozen(end))


def _documents(corpus: Corpus, texts: tuple[str, ...]) -> Corpus:
    """A corpus of these texts, which the other one has checked."""
    start = np.concatenate(([0], np.cumsum(np.array([len(text) for text in texts], dtype=np.int64))))
    none = frozen(np.empty(0, dtype=np.int64))
    ids = tuple(map(str, range(len(texts))))
    return Corpus(corpus.info, ids, texts, (None,) * len(texts), ({},) * len(texts), frozen(start), none, none)


def _trimmed(units: Boundaries) -> Boundaries:
    low, high = white_runs(units.corpus)
    start, end = units.start.copy(), units.end.copy()
    if len(low):
        ahead = np.searchsorted(low, start, side="right") - 1
        behind = np.searchsorted(high, end, side="left")
        start = np.where((ahead >= 0) & (high[ahead] > start), high[ahead], start)
        inside = np.minimum(behind, len(low) - 1)
        end = np.where((behind < len(low)) & (low[inside] < end), low[inside], end)
    filled = start < end
    return Boundaries(units.corpus, start[filled], end[filled])
