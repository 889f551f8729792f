"""`kugiri compare`: what tells two configurations of a results folder apart, on the same questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from kugiri.export.results import Results

LOST = "lost"
"""The share of lost questions, of which less is better: the metric of results without retrieval."""

_JUDGED = (
    "clusters",
    "low",
    "high",
    "percentile_low",
    "percentile_high",
    "p",
    "p_adjusted",
    "p_holm",
    "smallest_detectable",
    "questions_needed",
    "decision",
)


def compare(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder.", show_default=False)],
    a: Annotated[str, typer.Argument(metavar="A", help="Label of a configuration.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="Label of the other one.", show_default=False)],
    metric: Annotated[
        str | None,
        typer.Option("--metric", metavar="LABEL", help="Default: the sweep's primary metric, else lost."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Compare two configurations on the same questions: by how much they differ, and on which questions."""
    from kugiri.cli.console import output, print_json
    from kugiri.cli.labels import known_configuration, known_metric
    from kugiri.errors import InputError
    from kugiri.export.results import read_results

    found = read_results(results)
    labels = found.table("configurations").column("configuration").to_pylist()
    first, second = (known_configuration(text, labels, results) for text in (a, b))
    if first == second:
        raise InputError("A and B are the same configuration", first, "name two different ones")
    metrics = _metrics(found)
    primary = found.sweep["primary"]
    chosen = (primary if primary in metrics else LOST) if metric is None else known_metric(metric, metrics, results)
    compared = comparison(found, first, second, chosen)
    if as_json:
        print_json({"results": str(results), **compared})
    else:
        _show(output(), compared)


def _metrics(found: Results) -> list[str]:
    """The metrics that configurations can be compared in: those whose mean is over the same questions everywhere."""
    measured = set(found.table("outcomes").column("metric").unique().to_pylist())
    return [LOST, *(name for name in found.sweep["metrics"] if name in measured and name not in ("rank", "needs"))]


def comparison(found: Results, a: str, b: str, metric: str) -> dict[str, Any]:
    """Everything that the tables say of configuration `b` against `a` in one metric, b − a throughout.

    The interval, the tests and the decision are the sweep's, None where it made none of this pair.
    """
    import math

    texts = _answerable(found)
    lost = _lost(found)
    values = {label: _values(found, label, metric, lost, texts) for label in (a, b)}
    ranks = {label: _outcomes(found, label, "rank") for label in (a, b)}
    shared = [name for name in texts if name in values[a] and name in values[b]]
    changed: list[dict[str, Any]] = [
        {
            "question_id": name,
            "question": texts[name],
            "value_a": values[a][name],
            "value_b": values[b][name],
            "rank_a": _whole(ranks[a].get(name)),
            "rank_b": _whole(ranks[b].get(name)),
            "lost_a": name in lost[a],
            "lost_b": name in lost[b],
        }
        for name in shared
        if values[a][name] != values[b][name]
    ]
    better = -1 if metric == LOST else 1
    wins, losses = (
        [row for row in changed if (row["value_b"] - row["value_a"]) * sign > 0] for sign in (better, -better)
    )
    mean = {label: math.fsum(values[label][name] for name in shared) / max(len(shared), 1) for label in (a, b)}
    return {
        "metric": metric,
        "primary": metric == found.sweep["primary"],
        "a": a,
        "b": b,
        "questions": len(shared),
        "value_a": mean[a],
        "value_b": mean[b],
        "difference": mean[b] - mean[a],
        **_judged(found, a, b, metric),
        "same_chunks": _chunker_of(found)[a] == _chunker_of(found)[b],
        "wins": len(wins),
        "ties": len(shared) - len(changed),
        "losses": len(losses),
        "won": wins,
        "worse": losses,
        "lost_in_a_only": [name for name in texts if name in lost[a] and name not in lost[b]],
        "lost_in_b_only": [name for name in texts if name in lost[b] and name not in lost[a]],
    }


def _judged(found: Results, a: str, b: str, metric: str) -> dict[str, Any]:
    """What the sweep computed of the pair, turned so that it is about b − a."""
    if metric == LOST:
        # Retrievers over one chunking lose the same questions: the pair stands under the first with each chunker.
        chunkers = _chunker_of(found)
        first = {chunker: label for label, chunker in reversed(chunkers.items())}
        a, b = first[chunkers[a]], first[chunkers[b]]
    for row in found.table("comparisons").to_pylist():
        if row["metric"] == metric and {row["a"], row["b"]} == {a, b} and a != b:
            return {name: row[name] for name in _JUDGED} | ({} if row["a"] == a else _turned(row))
    return dict.fromkeys(_JUDGED)


def _turned(row: Mapping[str, Any]) -> dict[str, Any]:
    """The intervals of a difference for its negative."""
    pairs = (("low", "high"), ("percentile_low", "percentile_high"))
    return {
        name: None if row[other] is None else 0.0 - row[other]
        for low, high in pairs
        for name, other in ((low, high), (high, low))
    }


def _chunker_of(found: Results) -> dict[str, str]:
    rows = found.table("configurations").select(["configuration", "chunker"]).to_pylist()
    return {row["configuration"]: row["chunker"] for row in rows}


def _answerable(found: Results) -> dict[str, str | None]:
    """The text of every answerable question by its id, in file order; None where the results hold no text."""
    rows = found.table("questions").select(["question_id", "question", "alternative"]).to_pylist()
    return {row["question_id"]: row["question"] for row in rows if row["alternative"] is not None}


def _lost(found: Results) -> dict[str, set[str]]:
    lost: dict[str, set[str]] = {label: set() for label in _chunker_of(found)}
    for row in found.table("lost").select(["configuration", "question_id"]).to_pylist():
        lost[row["configuration"]].add(row["question_id"])
    return lost


def _values(
    found: Results, label: str, metric: str, lost: Mapping[str, set[str]], texts: Mapping[str, Any]
) -> dict[str, float]:
    if metric == LOST:
        return {name: float(name in lost[label]) for name in texts}
    return _outcomes(found, label, metric)


def _outcomes(found: Results, label: str, metric: str) -> dict[str, float]:
    """The defined values of one metric by question."""
    import pyarrow.compute as pc

    table = found.table("outcomes")
    chosen = pc.and_(pc.equal(table["configuration"], label), pc.equal(table["metric"], metric))
    rows = table.filter(pc.and_(chosen, table["defined"]))
    return dict(zip(rows["question_id"].to_pylist(), rows["value"].to_pylist(), strict=True))


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _show(console: Console, compared: Mapping[str, Any]) -> None:
    from rich.text import Text

    from kugiri.cli.console import indented

    role = ", the primary metric" if compared["primary"] else ""
    clusters = "" if compared["clusters"] is None else f" in {compared['clusters']:,} clusters"
    what = "share of lost questions, less is better" if compared["metric"] == LOST else f"{compared['metric']}{role}"
    console.print(Text(f"{what}: {compared['questions']:,} questions{clusters}", style="bold"))
    for side in ("a", "b"):
        indented(console, Text(f"{side.upper()}  {compared[f'value_{side}']:.3f}  {compared[side]}"), 2)
    indented(console, Text(f"B − A  {_judgement(compared)}"), 2)
    console.print(f"B is better on {compared['wins']}, worse on {compared['losses']}, the same on {compared['ties']}")
    _show_questions(console, "B is better", compared["won"])
    _show_questions(console, "B is worse", compared["worse"])
    for side in ("a", "b"):
        _show_lost(console, side, compared[f"lost_in_{side}_only"])


def _judgement(compared: Mapping[str, Any]) -> str:
    parts = [f"{compared['difference']:+.3f}"]
    if compared["low"] is not None:
        parts.append(f"95 % interval {compared['low']:+.3f} to {compared['high']:+.3f}")
    if compared["p"] is not None:
        parts.append(f"p = {compared['p']:.4f}, adjusted over the family {compared['p_adjusted']:.4f}")
    if compared["decision"] is not None:
        parts.append(compared["decision"])
    elif compared["metric"] == LOST and compared["same_chunks"]:
        parts.append("the same chunks lose the same questions")
    else:
        parts.append("the sweep made no test of this pair")
    return "; ".join(parts)


def _show_questions(console: Console, heading: str, rows: Sequence[Mapping[str, Any]]) -> None:
    from rich.text import Text

    from kugiri.cli.console import folded
    from kugiri.visible import one_line

    if rows:
        console.print(Text(f"{heading}: {len(rows)}", style="bold"))
    for row in rows:
        folded(console, Text(one_line(f"{row['question_id']} {row['question'] or ''}".rstrip())), 2)
        console.print(Text(f"    A {_place(row, 'a')}, B {_place(row, 'b')}", style="dim"))


def _place(row: Mapping[str, Any], side: str) -> str:
    if row[f"lost_{side}"]:
        return "lost"
    rank = row[f"rank_{side}"]
    # With retrieval a kept question has no rank where it was not found within the depth; without, nothing has one.
    return f"rank {rank}" if rank is not None else "kept, without a rank"


def _show_lost(console: Console, side: str, names: Sequence[str]) -> None:
    from rich.text import Text

    from kugiri.cli.console import indented
    from kugiri.visible import one_line

    listed = f": {', '.join(map(one_line, names))}" if names else ""
    indented(console, Text(f"lost in {side.upper()} only, {len(names)}{listed}"), 0)
