"""Which questions are lost under other rules of "contains" than ours.

Ours (DESIGN §2) is `ANY`: a question is lost if no alternative has each of its spans wholly inside one chunk. It stays
the headline; the others are what published counts may have meant:

    all_alternatives   lost unless every span of every alternative is contained
    coverage(share=t)  a span counts as held if its best chunk has at least the share t of its characters
    touched            a span counts as held if some chunk has any of it

The last two keep the alternatives: any one is enough, and all of its spans are needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from kugiri.errors import InputError
from kugiri.evidence.containment import alternatives_kept, questions_kept
from kugiri.evidence.lost import best_chunk
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Bool, Int64
from kugiri.model.evidence import Evidence

ANY, ALL, TOUCHED = "any_alternative", "all_alternatives", "touched"
COVERAGES = (0.5, 0.9)
"""The shares t of the rules `coverage(share=t)`, unless others are asked for."""


def coverage_rule(share: float) -> str:
    """The name of the rule that asks for this share of a span's characters.

    Raises:
        InputError: the share is not above 0 and at most 1.
    """
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
        raise InputError(
            f"{share!r} is no share of a span's characters", "coverages", "give numbers above 0, at most 1"
        )
    return f"coverage(share={float(share)!r})"


def rule_names(coverages: Sequence[float] = COVERAGES) -> tuple[str, ...]:
    """The names of all rules, ours first."""
    return (ANY, ALL, *dict.fromkeys(map(coverage_rule, coverages)), TOUCHED)


def lost_by_rule(chunking: Chunking, evidence: Evidence, coverages: Sequence[float] = COVERAGES) -> Mapping[str, Bool]:
    """bool[Q] by the name of each rule, in the order of `rule_names`: which questions are lost under it.

    Unanswerable questions are lost under none.
    """
    _, covered = best_chunk(chunking, evidence.start, evidence.end)
    length = evidence.length
    held = {ANY: covered == length}
    held |= {coverage_rule(share): covered >= _characters(length, share) for share in coverages}
    held[TOUCHED] = covered > 0
    lost = {
        rule: evidence.answerable & ~questions_kept(evidence, alternatives_kept(evidence, enough))
        for rule, enough in held.items()
    }
    every = np.zeros(evidence.questions, dtype=bool)
    every[evidence.span_question[covered < length]] = True
    return {rule: every if rule == ALL else lost[rule] for rule in rule_names(coverages)}


def _characters(length: Int64, share: float) -> Int64:
    """int64[S], the fewest characters that are at least this share of each span, by the decimal that was written."""
    exact = Fraction(repr(float(share)))
    distinct, place = np.unique(length, return_inverse=True)
    return np.array([ceil(exact * characters) for characters in distinct.tolist()], dtype=np.int64)[place]
