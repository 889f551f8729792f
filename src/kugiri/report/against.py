"""What changed between two results folders over the same corpus and questions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pyarrow.compute as pc

from kugiri.errors import InputError
from kugiri.labels import parse
from kugiri.report.grid import ReadsTables, rows_of

Ids = tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """One number, old and new; None where it was not measured."""

    name: str
    old: float | None
    new: float | None

    @property
    def differs(self) -> bool:
        """Whether it changed."""
        return self.old != self.new


@dataclasses.dataclass(frozen=True, slots=True)
class ConfigurationChange:
    """One configuration that both results have.

    Attributes:
        numbers: chunks, lost, and every metric that both have.
        newly_lost, newly_kept: ids of questions, in file order.
        newly_answered, newly_unanswered: within the primary metric's k or budget; None where that says nothing.
    """

    configuration: str
    numbers: tuple[Change, ...]
    newly_lost: Ids
    newly_kept: Ids
    newly_answered: Ids | None
    newly_unanswered: Ids | None

    @property
    def differs(self) -> bool:
        """Whether anything changed."""
        questions = (self.newly_lost, self.newly_kept, self.newly_answered, self.newly_unanswered)
        return any(change.differs for change in self.numbers) or any(questions)


@dataclasses.dataclass(frozen=True, slots=True)
class Changes:
    """Two results folders side by side.

    Attributes:
        primary: the metric whose k or budget says what is answered; None where both have none in common.
        versions: of kugiri and of the components that both used, where they differ: name → (old, new).
        questions: the text of every answerable question by id, None where the new results hold no text.
        configurations: those in both, in the order of the new results.
        only_old, only_new: labels of the others.
    """

    primary: str | None
    versions: Mapping[str, tuple[str, str]]
    questions: Mapping[str, str | None]
    configurations: tuple[ConfigurationChange, ...]
    only_old: Ids
    only_new: Ids


def changes(old: ReadsTables, new: ReadsTables) -> Changes:
    """What changed from the old results to the new.

    Raises:
        InputError: they are not about the same documents and the same questions, so that no number of one compares
            with a number of the other.
    """
    _demand_same_files(old, new)
    questions = _questions(new)
    _demand_same_questions(old, new, set(_questions(old)) ^ set(questions))
    before, after = ({row["configuration"]: row for row in rows_of(side, "configurations")} for side in (old, new))
    primary = new.sweep["primary"] if all(new.sweep["primary"] in _measured(side) for side in (old, new)) else None
    lost = [_by_configuration(side) for side in (old, new)]
    answered = [{} if primary is None else _answered(side, primary) for side in (old, new)]
    metrics = [name for name in new.sweep["metrics"] if all(name in row for row in (*before.values(), *after.values()))]
    return Changes(
        primary if any(answered) else None,
        _versions(old, new),
        questions,
        tuple(
            ConfigurationChange(
                label,
                tuple(Change(name, before[label][name], row[name]) for name in ("chunks", "lost", *metrics)),
                *_moved(questions, lost[0].get(label, set()), lost[1].get(label, set())),
                *_answers_moved(questions, answered[0].get(label), answered[1].get(label)),
            )
            for label, row in after.items()
            if label in before
        ),
        tuple(label for label in before if label not in after),
        tuple(label for label in after if label not in before),
    )


def _demand_same_files(old: ReadsTables, new: ReadsTables) -> None:
    for what, key in (("documents", "documents_sha256"), ("questions", "questions_sha256")):
        before, after = old.sweep["corpus"][key], new.sweep["corpus"][key]
        if before != after:
            raise InputError(
                f"the two results are about different {what}: no number of one compares with one of the other",
                f"{key}: old {before}, new {after}",
                "run both sweeps over the same corpus",
            )


def _demand_same_questions(old: ReadsTables, new: ReadsTables, differing: set[str]) -> None:
    if not differing:
        return

    def chosen(side: ReadsTables) -> str:
        asked = side.sweep["questions"]
        parts = (f"seed {side.sweep['seed']}", f"sample {asked['sample']}", f"split {asked['split']}")
        return ", ".join(parts)

    count = len(differing)
    raise InputError(
        f"the two results asked different questions: {count:,} {'was' if count == 1 else 'were'} asked in one only",
        f"old: {chosen(old)}; new: {chosen(new)}",
        "run both sweeps with the same seed, sample and split",
    )


def _questions(side: ReadsTables) -> dict[str, str | None]:
    """The text of every question that was asked, unanswerable ones included, in file order."""
    rows = side.table("questions").select(["question_id", "question"]).to_pylist()
    return {row["question_id"]: row["question"] for row in rows}


def _versions(old: ReadsTables, new: ReadsTables) -> dict[str, tuple[str, str]]:
    before, after = ({"kugiri": side.sweep["kugiri"], **side.sweep["components"]} for side in (old, new))
    return {
        name: (str(before[name]), str(version))
        for name, version in after.items()
        if name in before and before[name] != version
    }


def _measured(side: ReadsTables) -> set[str]:
    return set(side.table("outcomes")["metric"].unique().to_pylist())


def _by_configuration(side: ReadsTables) -> dict[str, set[str]]:
    """The lost questions of every configuration that loses any."""
    found: dict[str, set[str]] = {}
    for row in side.table("lost").select(["configuration", "question_id"]).to_pylist():
        found.setdefault(row["configuration"], set()).add(row["question_id"])
    return found


def _answered(side: ReadsTables, primary: str) -> dict[str, set[str]]:
    """The questions answered within the primary metric's k or budget, of every configuration; {} where it has none."""
    label = parse(primary)
    if label.cutoff is not None:
        # `MRR@10` and `ChunkRecall@10` alike look at the first 10: what is answered there, `rank` says.
        metric, least, most = "rank", 1.0, float(label.cutoff)
    elif label.name == "Recall":
        metric, least, most = primary, 1.0, 1.0
    else:
        return {}
    found: dict[str, set[str]] = {row["configuration"]: set() for row in rows_of(side, "configurations")}
    outcomes = side.table("outcomes")
    within = pc.and_(pc.greater_equal(outcomes["value"], least), pc.less_equal(outcomes["value"], most))
    held = pc.and_(pc.equal(outcomes["metric"], metric), pc.fill_null(within, False))
    for row in outcomes.filter(held).select(["configuration", "question_id"]).to_pylist():
        found[row["configuration"]].add(row["question_id"])
    return found


def _moved(order: Mapping[str, Any], before: set[str], after: set[str]) -> tuple[Ids, Ids]:
    """What came in and what went out, in file order."""
    came = tuple(name for name in order if name in after and name not in before)
    return came, tuple(name for name in order if name in before and name not in after)


def _answers_moved(
    order: Mapping[str, Any], before: set[str] | None, after: set[str] | None
) -> tuple[Ids | None, Ids | None]:
    return (None, None) if before is None or after is None else _moved(order, before, after)
