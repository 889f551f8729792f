"""What the configurations of a sweep lose under every rule of "contains"."""

from __future__ import annotations

import dataclasses

from kugiri.evidence.rules import lost_by_rule
from kugiri.sweeps.results import SweepResults


@dataclasses.dataclass(frozen=True, slots=True)
class RuleRow:
    """How many answerable questions one configuration loses under one rule (`kugiri.evidence.rules`)."""

    configuration: str
    rule: str
    lost: int
    lost_rate: float


def rule_rows(results: SweepResults) -> list[RuleRow]:
    """A row a configuration and rule, ours first; configurations with one chunker have the same numbers."""
    answerable = int(results.questions.answerable.sum())
    of_chunker: dict[str, dict[str, int]] = {}
    rows: list[RuleRow] = []
    for result in results.configurations:
        loss = result.loss
        if loss.label not in of_chunker:
            found = lost_by_rule(loss.chunking, results.questions.evidence, results.plan.coverages)
            of_chunker[loss.label] = {rule: int(lost.sum()) for rule, lost in found.items()}
        rows += [
            RuleRow(str(result.configuration), rule, lost, lost / answerable)
            for rule, lost in of_chunker[loss.label].items()
        ]
    return rows
