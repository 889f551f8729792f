"""The luck of alignment in a sweep: of which configurations it is known, and what it says of pairs of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.parent_child import ParentChild
from kugiri.evidence.alignment import AlignmentLoss, alignment_loss
from kugiri.evidence.placed import PlacedEvidence
from kugiri.model.corpus import Corpus
from kugiri.model.evidence import Evidence
from kugiri.model.windows import Windows, windows_of
from kugiri.segmenters.units import units_of
from kugiri.sweeps.comparisons import Comparison

if TYPE_CHECKING:
    from kugiri.sweeps.results import ConfigurationResult


def alignment_of(chunker: Any, corpus: Corpus, evidence: Evidence) -> AlignmentLoss | None:
    """What a chunker loses at every alignment; None where what it delivers is no fixed windows, or trimmed."""
    delivered = chunker.parent if isinstance(chunker, ParentChild) else chunker
    if not isinstance(delivered, Fixed):
        windows = windows_of(delivered)
        return None if windows is None else _of_windows(PlacedEvidence.of(corpus, evidence), windows)
    if delivered.trim:
        return None
    units = None if delivered.unit == "char" else units_of(corpus, delivered.unit, delivered.tokenizer)
    return _of_windows(PlacedEvidence.of(corpus, evidence, units), Windows(delivered.size, delivered.overlap))


def _of_windows(placed: PlacedEvidence, windows: Windows) -> AlignmentLoss:
    longest = max(int(placed.documents.max(initial=0)), 1)
    # Windows larger than every document are those documents, wherever they start; as many phases as their size would
    # be counted for nothing, and may be more than memory holds.
    return alignment_loss(placed, windows if windows.size < longest else Windows(longest))


def with_alignment(comparisons: Sequence[Comparison], done: Sequence[ConfigurationResult]) -> list[Comparison]:
    """The comparisons of the share lost, with how often `a` loses less than `b` where both are fixed windows.

    Where both deliver the same chunks there are no two alignments to compare.
    """
    by_label = {str(result.configuration): result for result in done}
    rows = []
    for row in comparisons:
        share = _share(by_label[row.a], by_label[row.b]) if row.metric == "lost" else None
        rows.append(dataclasses.replace(row, alignment_share=share))
    return rows


def _share(a: ConfigurationResult, b: ConfigurationResult) -> float | None:
    if a.alignment is None or b.alignment is None or a.loss.chunking.same_as(b.loss.chunking):
        return None
    return a.alignment.share_below(b.alignment)
