"""Worlds drawn as text: `ab[c|d]e` is a document with a cut through its evidence.

|     one chunk ends and the next starts
⟨ ⟩   a chunk starts, a chunk ends (overlapping windows, gaps)
[ ]   evidence: every pair is an alternative of its own, or all are needed together
"""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import numpy as np

from kugiri.evidence.loss import EvidenceLoss, loss_of
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question, Questions

DRAWN = CorpusInfo("drawn", "drawn", "ja", "CC0-1.0", "a drawing", "a drawing")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class World:
    """A corpus of one document `d`, one question `q`, and the chunks as drawn."""

    corpus: Corpus
    questions: Questions
    chunking: Chunking

    @property
    def loss(self) -> EvidenceLoss:
        """What the drawn chunks lose."""
        return loss_of("drawn", self.chunking, self.questions)


def world(drawing: str, together: bool = False) -> World:
    """The world of a drawing; with `together` all evidence is one alternative.

    Without `⟨ ⟩` the chunks are the pieces between the cuts; a piece without text is none.

    Raises:
        ValueError: brackets do not pair.
    """
    text: list[str] = []
    cuts, starts, ends, spans = [0], [], [], []
    opened: int | None = None
    for mark in drawing:
        here = len(text)
        if mark == "|":
            cuts.append(here)
        elif mark == "⟨":
            starts.append(here)
        elif mark == "⟩":
            ends.append(here)
        elif mark == "[" and opened is None:
            opened = here
        elif mark == "]" and opened is not None:
            spans.append((opened, here))
            opened = None
        elif mark in "[]":
            raise ValueError("brackets of the evidence do not pair: " + drawing)
        else:
            text.append(mark)
    if opened is not None or len(starts) != len(ends):
        raise ValueError("brackets do not pair: " + drawing)
    if not starts:
        edges = [*cuts, len(text)]
        pieces = [(low, high) for low, high in pairwise(edges) if low < high]
    else:
        pieces = list(zip(starts, ends, strict=True))
    corpus = Corpus.from_documents(DRAWN, [Document("d", "".join(text))])
    evidence = tuple(EvidenceSpan("d", low, high) for low, high in spans)
    alternatives = (evidence,) if together else tuple((span,) for span in evidence)
    questions = Questions.from_records(corpus, [Question("q", "?", alternatives)])
    chunks = np.array(pieces, dtype=np.int64).reshape(-1, 2)
    return World(corpus, questions, Chunking(corpus, chunks[:, 0], chunks[:, 1]))


def lost(drawing: str, together: bool = False) -> int:
    """How many questions the drawn chunks lose: 1 or 0."""
    return int(world(drawing, together).loss.lost.sum())
