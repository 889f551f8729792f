"""Evidence loss: the questions that a chunking cannot answer whole, counted before any retrieval."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Protocol

import numpy as np

from kugiri.errors import InputError
from kugiri.evidence.containment import Containment, alternatives_kept, questions_kept
from kugiri.evidence.lost import CAUSES, LostQuestions, lost_questions
from kugiri.labels import label_of
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool
from kugiri.model.corpus import Corpus
from kugiri.model.indexed import chunks_by
from kugiri.model.questions import Questions
from kugiri.model.windows import windows_of

if TYPE_CHECKING:
    import pandas as pd


class MakesChunks(Protocol):
    """Anything with a label and a `chunk` method: a chunker of ours or of a third party."""

    def chunk(self, corpus: Corpus) -> Chunking:
        """Every chunk of every document of the corpus, in order."""
        ...


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class EvidenceLoss:
    """What one chunking keeps and loses of one set of questions.

    Attributes:
        label: the chunker's label.
        containment: the chunks that contain each span of the evidence.
        kept_alternatives: bool[A].
        lost: bool[Q]; False for unanswerable questions, which are neither kept nor lost.
        rows: one row a lost question, with its cause.
    """

    label: str
    chunking: Chunking
    questions: Questions
    containment: Containment
    kept_alternatives: Bool
    lost: Bool
    rows: LostQuestions

    @property
    def lost_ids(self) -> tuple[str, ...]:
        """The ids of the lost questions, in file order."""
        return tuple(self.questions.ids[index] for index in np.flatnonzero(self.lost).tolist())

    @property
    def lost_rate(self) -> float:
        """Lost questions ÷ answerable questions; NaN where none is answerable."""
        answerable = int(self.questions.answerable.sum())
        return int(self.lost.sum()) / answerable if answerable else float("nan")

    def __repr__(self) -> str:
        causes = np.bincount(self.rows.cause, minlength=len(CAUSES))
        why = ", ".join(f"{CAUSES[cause]} {causes[cause]}" for cause in (2, 1, 0) if causes[cause])
        return (
            f"{self.label}: {int(self.lost.sum())} of {int(self.questions.answerable.sum())} questions lost"
            + (f" ({why})" if why else "")
            + f", {len(self.chunking):,} chunks"
        )

    def to_pandas(self) -> pd.DataFrame:
        """The lost questions as a table: a row each, offsets in the document's own code points."""
        import pandas as pd

        corpus, rows, evidence = self.chunking.corpus, self.rows, self.questions.evidence
        start, end = evidence.start[rows.span], evidence.end[rows.span]
        document = corpus.document_of(start)
        origin = corpus.document_start[document]
        nullable = pd.Series(rows.cut_at - origin, dtype="Int64").mask(rows.cut_at < 0)
        return pd.DataFrame(
            {
                "question_id": [self.questions.ids[index] for index in rows.question.tolist()],
                "question": [self.questions.texts[index] for index in rows.question.tolist()],
                "document_id": [corpus.ids[index] for index in document.tolist()],
                "evidence_start": start - origin,
                "evidence_end": end - origin,
                "evidence_text": [corpus.slice(a, b) for a, b in zip(start.tolist(), end.tolist(), strict=True)],
                "cause": [CAUSES[cause] for cause in rows.cause.tolist()],
                "cut_at": nullable,
                "best_coverage": rows.best_coverage,
            }
        )

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.to_pandas().to_html(index=False, max_rows=20)}"


def evidence_loss(corpus: Corpus, questions: Questions, chunker: MakesChunks) -> EvidenceLoss:
    """Which of the questions the chunker loses on this corpus: those of which no alternative is kept (DESIGN §2).

    Raises:
        InputError: the chunker is a label and no component.
        InvariantError: as `kugiri.model.indexed.chunks_by`.
    """
    if isinstance(chunker, str):
        raise InputError(
            f"{chunker!r} is a label, and a chunker is needed",
            "evidence_loss",
            "give a component such as kugiri.Fixed(400, overlap=0.2), or use kugiri.sweep, which takes labels",
        )
    return loss_of(chunker, chunks_by(chunker, corpus), questions)


def loss_of(chunker: object, chunking: Chunking, questions: Questions) -> EvidenceLoss:
    """The loss of a chunking that `chunker` made already."""
    evidence = questions.evidence
    containment = Containment.of(chunking, evidence.start, evidence.end)
    kept = alternatives_kept(evidence, containment.contained)
    lost = questions.answerable & ~questions_kept(evidence, kept)
    rows = lost_questions(chunking, evidence, lost, windows_of(chunker))
    return EvidenceLoss(label_of(chunker), chunking, questions, containment, kept, lost, rows)
