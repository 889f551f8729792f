"""The expected loss of one strategy, exactly: from its corpus, or from the tables of a results folder."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from kugiri.catalog import chunker as chunker_of
from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.parent_child import ParentChild
from kugiri.errors import InputError
from kugiri.evidence.alignment import AlignmentLoss, alignment_loss
from kugiri.evidence.placed import PlacedEvidence
from kugiri.export.results import Results
from kugiri.labels import label_of
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.model.windows import Windows, windows_of
from kugiri.sweeps.alignment import alignment_of

COLUMN = "expected_lost"


def expected_in_corpus(chunker: Any, corpus: Corpus, questions: Questions) -> Fraction:
    """The expected number of lost questions over all alignments.

    Raises:
        InputError: the chunker is no fixed windows.
    """
    alignment = alignment_of(chunker, corpus, questions.evidence)
    if alignment is None:
        raise _undefined(label_of(chunker), "name fixed windows by --chunker, or leave --max-expected out")
    return _mean(alignment)


def expected_in_results(found: Results, row: Mapping[str, Any]) -> Fraction:
    """The same for a row of the table `configurations`: as it is written there, or computed from the other tables.

    Raises:
        InputError: the strategy is no fixed windows, or windows over units that the tables do not keep.
    """
    written = expected_if_written(row)
    if written is not None:
        return written
    label = row["chunker"]
    windows, plain = _of_label(label)
    if windows is None:
        raise _undefined(label, "name fixed windows by --configuration, or leave --max-expected out")
    if not plain:
        raise InputError(
            f"the results do not hold the expected loss of {label}, whose units cannot be counted without the texts",
            str(found.folder),
            "run the sweep again with this version, or check the corpus folder with --chunker",
        )
    placed = _placed(found, label)
    # Windows larger than every document are those documents, wherever they start.
    longest = max(1, int(placed.room.max(initial=0)))
    return _mean(alignment_loss(placed, windows if windows.size < longest else Windows(longest)))


def expected_if_written(row: Mapping[str, Any]) -> Fraction | None:
    """The same as far as that row itself says it; None otherwise."""
    return None if row.get(COLUMN) is None else _fraction(row[COLUMN], _of_label(row["chunker"])[0])


def _of_label(label: str) -> tuple[Windows | None, bool]:
    """The windows of a strategy that is known by its label, and whether they are over code points."""
    try:
        chunker = chunker_of(label)
    except InputError:
        # A third party's, or one whose tokenizer lies on another machine.
        return None, False
    delivered = chunker.parent if isinstance(chunker, ParentChild) else chunker
    plain = windows_of(delivered)
    if plain is None and isinstance(delivered, Fixed) and not delivered.trim:
        return Windows(delivered.size, delivered.overlap), False
    return plain, plain is not None


def _mean(alignment: AlignmentLoss) -> Fraction:
    return Fraction(int(alignment.phases.sum()), alignment.circle)


def _fraction(value: float, windows: Windows | None) -> Fraction:
    """The number that a column of floats stands for: a whole number of T-ths, where T is known."""
    if windows is None:
        return Fraction(value)
    nearest = Fraction(round(Fraction(value) * windows.stride), windows.stride)
    return nearest if abs(nearest - Fraction(value)) <= Fraction(1, 10**9) else Fraction(value)


def _placed(found: Results, label: str) -> PlacedEvidence:
    """The evidence in code points, from the tables: windows that are not trimmed end where their document does."""
    chunks = found.table("chunks").to_pandas()
    length = chunks[chunks["chunker"] == label].groupby("document_id")["end"].max()
    spans = found.table("questions").select(["question_id", "alternative", "document_id", "start", "end"]).to_pandas()
    spans = spans[spans["alternative"].notna()]
    question = spans["question_id"].factorize()[0]
    alternative = spans.assign(question=question).groupby(["question", "alternative"], sort=False).ngroup().to_numpy()
    first = np.flatnonzero(np.diff(alternative, prepend=-1))
    start, end = (spans[name].to_numpy(dtype=np.int64) for name in ("start", "end"))
    nothing = np.empty(0, dtype=np.int64)
    return PlacedEvidence(
        start,
        end - start,
        length.loc[spans["document_id"]].to_numpy(dtype=np.int64),
        alternative.astype(np.int32),
        question[first].astype(np.int32),
        len(np.unique(question)),
        nothing,
        nothing,
    )


def _undefined(label: str, remedy: str) -> InputError:
    return InputError(
        f"{label} has no expected loss: only fixed windows that are not trimmed can start elsewhere in a document",
        "--max-expected",
        remedy,
    )
