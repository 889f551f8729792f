"""The loss half of a sweep with retrieval: retrievers over one chunker lose the same questions, told once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kugiri.report.grid import ReadsTables, Row, rows_of


@dataclasses.dataclass(frozen=True, slots=True)
class Chunkings:
    """The rows that the loss half reads: a row a chunker, called by the chunker's label.

    Attributes:
        rows: of `configurations`, with the number of the first configuration as `number`.
        lost: of `lost`.
        comparisons: of `comparisons` that compare the share lost.
    """

    rows: tuple[Row, ...]
    lost: tuple[Row, ...]
    comparisons: tuple[Row, ...]


def chunkings(results: ReadsTables, configurations: Sequence[Row], comparisons: Sequence[Row]) -> Chunkings:
    """The same rows as in the tables, where every chunker has one configuration and no retriever."""
    label = {row["configuration"]: row["chunker"] for row in configurations}
    first: dict[str, Row] = {}
    for number, row in enumerate(configurations, 1):
        chunker, same = row["chunker"], row["identical_to"]
        same = label.get(same, same)
        named = {"number": number, "configuration": chunker, "identical_to": None if same == chunker else same}
        first.setdefault(chunker, row | named | {"label": row["configuration"]})
    told = {row["label"] for row in first.values()}
    return Chunkings(
        tuple(first.values()),
        tuple(
            row | {"configuration": label[row["configuration"]]}
            for row in rows_of(results, "lost")
            if row["configuration"] in told
        ),
        tuple(
            row | {"a": label.get(row["a"], row["a"]), "b": label.get(row["b"], row["b"])}
            for row in comparisons
            if row["metric"] == "lost"
        ),
    )
