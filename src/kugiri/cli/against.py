"""`kugiri report --against`: what changed between two results folders, on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rich.console import Console

    from kugiri.report.against import Change, Changes, ConfigurationChange

_QUESTIONS = ("newly_lost", "newly_kept", "newly_answered", "newly_unanswered")


def read_changes(results: Path, old: Path) -> Changes:
    """What changed from the results folder `old` to `results`.

    Raises:
        InputError: as `kugiri.export.results.read_results` and `kugiri.report.against.changes`.
    """
    from kugiri.errors import InputError
    from kugiri.export.results import read_results
    from kugiri.report.against import changes

    before, after = read_results(old), read_results(results)
    try:
        return changes(before, after)
    except InputError as error:
        raise error.inside(f"{results} against {old}") from None


def as_json(found: Changes) -> dict[str, Any]:
    """The changes as one JSON object."""
    return {
        "primary": found.primary,
        "versions": {name: {"old": old, "new": new} for name, (old, new) in found.versions.items()},
        "configurations": [
            {
                "configuration": row.configuration,
                "numbers": {change.name: {"old": change.old, "new": change.new} for change in row.numbers},
                **{name: getattr(row, name) for name in _QUESTIONS},
            }
            for row in found.configurations
        ],
        "only_old": found.only_old,
        "only_new": found.only_new,
    }


def show_changes(console: Console, found: Changes) -> None:
    """Prints the changes for a person; configurations in which nothing changed are counted."""
    from rich.text import Text

    from kugiri.cli.console import indented
    from kugiri.visible import one_line

    differing = [row for row in found.configurations if row.differs]
    count = len(found.configurations)
    console.print(f"{len(differing)} of {count} configuration{'s' * (count != 1)} in both results changed")
    for name, (old, new) in found.versions.items():
        indented(console, Text(one_line(f"{name}: version {old} → {new}")), 2)
    for row in differing:
        console.print(Text(one_line(row.configuration), style="bold"))
        _show_configuration(console, row, found)
    for what, labels in (("old", found.only_old), ("new", found.only_new)):
        for label in labels:
            indented(console, Text(one_line(f"only in the {what} results: {label}")), 0)


def _show_configuration(console: Console, row: ConfigurationChange, found: Changes) -> None:
    from rich.text import Text

    from kugiri.cli.console import indented

    numbers = [_number(change) for change in row.numbers if change.differs]
    if numbers:
        indented(console, Text(", ".join(numbers)), 2)
    words = {
        "newly_lost": "newly lost",
        "newly_kept": "newly kept",
        "newly_answered": f"newly answered within {found.primary}",
        "newly_unanswered": f"no longer answered within {found.primary}",
    }
    for name, heading in words.items():
        ids = getattr(row, name)
        if ids:
            console.print(f"  {heading}: {len(ids)}")
            _show_questions(console, ids, found.questions)


def _show_questions(console: Console, ids: tuple[str, ...], texts: Mapping[str, str | None]) -> None:
    from rich.text import Text

    from kugiri.cli.console import folded
    from kugiri.visible import one_line

    for name in ids:
        folded(console, Text(one_line(f"{name} {texts[name] or ''}".rstrip())), 4)


def _number(change: Change) -> str:
    if change.name in ("chunks", "lost"):
        return f"{change.name} {change.old:,} → {change.new:,}"
    old, new = ("–" if value is None else f"{value:.3f}" for value in (change.old, change.new))
    return f"{change.name} {old} → {new}"
