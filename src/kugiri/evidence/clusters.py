"""Which questions belong together: those whose evidence comes from one paragraph are not independent."""

from __future__ import annotations

from typing import Literal

import numpy as np

from kugiri.model.columns import Int64
from kugiri.model.corpus import Corpus
from kugiri.model.evidence import Evidence

ClusterBy = Literal["paragraph", "document", "none"]


def question_clusters(corpus: Corpus, evidence: Evidence, by: ClusterBy) -> Int64:
    """int64[Q]: the cluster of each answerable question, numbered from 0 in order of appearance on the axis; −1 else.

    A question's cluster is the recorded paragraph of its first span in file order: the first paragraph that the span
    touches. Where the span touches none, and with `by="document"`, it is the document; with `by="none"` every question
    is its own.
    """
    first = evidence.first_span()
    asked = np.flatnonzero(first >= 0)
    start, end = evidence.start[first[asked]], evidence.end[first[asked]]
    if by == "none":
        key = asked
    else:
        # A document's key comes behind those of all paragraphs, so that the two kinds never meet.
        key = len(corpus.paragraph_start) + corpus.document_of(start)
        if by == "paragraph" and len(corpus.paragraph_start):
            paragraph = np.searchsorted(corpus.paragraph_end, start, side="right")
            inside = np.minimum(paragraph, len(corpus.paragraph_start) - 1)
            touches = (paragraph < len(corpus.paragraph_start)) & (corpus.paragraph_start[inside] < end)
            key = np.where(touches, inside, key)
    cluster = np.full(evidence.questions, -1, dtype=np.int64)
    cluster[asked] = np.unique(key, return_inverse=True)[1]
    return cluster
