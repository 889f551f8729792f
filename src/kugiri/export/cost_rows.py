"""What a results folder keeps of costs and of the luck of alignment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kugiri.evidence.alignment import AlignmentLoss
from kugiri.sweeps.results import ConfigurationResult, SweepResults


def expected_columns(alignment: AlignmentLoss | None) -> dict[str, float | int | None]:
    """The columns of `configurations` on the loss over all alignments; null where there are none."""
    if alignment is None:
        return dict.fromkeys(("expected_lost", "expected_lost_sd", "lost_least", "lost_most"))
    return {
        "expected_lost": alignment.expected,
        "expected_lost_sd": alignment.deviation,
        "lost_least": alignment.least,
        "lost_most": alignment.most,
    }


def lost_probability(result: ConfigurationResult) -> Sequence[float | None]:
    """For each lost question its probability of being lost; null where there are no alignments."""
    question = result.loss.rows.question
    if result.alignment is None:
        return [None] * len(question)
    # Alignments know the answerable questions alone.
    place = np.cumsum(result.loss.questions.answerable) - 1
    return [float(share) for share in result.alignment.probability[place[question]]]


def cost_rows(results: SweepResults) -> list[dict[str, Any]]:
    """The rows of the table `costs`."""
    answerable = int(results.questions.answerable.sum())
    rows = []
    for cost in results.costs:
        truncated = None if cost.truncated is None else int(cost.truncated.sum())
        rows.append(
            {
                "configuration": cost.configuration,
                "model": cost.model.name,
                "vectors": cost.vectors,
                "indexed_chars": cost.characters,
                "indexed_tokens": cost.tokens,
                "bytes": cost.bytes,
                "seconds": cost.seconds,
                "price": cost.price,
                "currency": cost.model.currency if cost.price is not None else None,
                "max_tokens": cost.model.max_tokens,
                "longer_vectors": cost.longer,
                "truncated": truncated,
                "truncated_rate": None if truncated is None else truncated / answerable,
            }
        )
    return rows
