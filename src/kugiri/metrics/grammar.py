"""The forms that metric labels take: what may stand behind a metric's name."""

from __future__ import annotations

import dataclasses

from kugiri.errors import InputError
from kugiri.formats.strict import nearest
from kugiri.labels import Label


@dataclasses.dataclass(frozen=True, slots=True)
class Form:
    """One metric of DESIGN §7.

    Attributes:
        cutoff: whether it is written `Name@k`.
        budget: whether it is written `Name(budget=B)`.
        from_spans: whether it follows from spans and chunks alone; the others need a ranking.
        meaning: one sentence for `kugiri list metrics`.
    """

    cutoff: bool
    budget: bool
    from_spans: bool
    meaning: str


FORMS = {
    "needs": Form(False, False, True, "The fewest chunks that complete an alternative; undefined where lost."),
    "rank": Form(False, False, False, "The first position at which an alternative is complete."),
    "Recall": Form(
        True, True, False, "1 where an alternative is complete within the first k chunks, or within B characters."
    ),
    "MRR": Form(True, False, False, "1 / rank, 0 beyond k."),
    "nDCG": Form(True, False, False, "1 / log2(1 + rank), 0 beyond k."),
    "EvidenceRecall": Form(
        False, True, False, "Best alternative's share of characters within B characters; never ranks."
    ),
    "ChunkRecall": Form(True, False, False, "Share of the relevant chunks within the first k; a diagnostic."),
    "ChunkPrecision": Form(True, False, False, "Share of relevant chunks among the first k; a diagnostic."),
    "ChunkNDCG": Form(True, False, False, "nDCG over relevant chunks within the first k; a diagnostic."),
}


def written(name: str) -> str:
    """The forms of one metric as a person would write them: `Recall@k, Recall(budget=B)`."""
    form = FORMS[name]
    forms = [f"{name}@k"] * form.cutoff + [f"{name}(budget=B)"] * form.budget
    return ", ".join(forms or [name])


def check_metric(label: Label, where: str) -> None:
    """Whether the label is a metric's.

    Raises:
        InputError: an unknown metric (the nearest known one is named), or one written in a form it does not have.
    """
    form = FORMS.get(label.name)
    if form is None:
        near = nearest(label.name, FORMS)
        raise InputError(
            f"unknown metric {label.name!r}",
            where,
            f"did you mean {written(near)!r}?" if near else f"use one of: {', '.join(map(written, FORMS))}",
        )
    budget = dict(label.arguments).get("budget")
    as_cutoff = form.cutoff and label.cutoff is not None and not label.called
    as_budget = form.budget and label.cutoff is None and [key for key, _ in label.arguments] == ["budget"]
    plain = not (form.cutoff or form.budget) and label.cutoff is None and not label.called
    if not (as_cutoff or as_budget or plain):
        raise InputError(f"the metric {str(label)!r} is not written so", where, f"write {written(label.name)}")
    if as_budget and (isinstance(budget, bool) or not isinstance(budget, int) or budget < 1):
        raise InputError(f"budget = {budget!r} is no number of characters", where, "give a whole number of 1 or more")
