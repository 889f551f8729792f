"""Labels that a person types, as the tables of a results folder write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def known_configuration(text: str, labels: Sequence[str], results: Path) -> str:
    """The label of one of the configurations, written with defaults left out and arguments in field order.

    A chunker's label stands for the configuration where only one has that chunker.

    Raises:
        InputError: the text is no label, or no configuration has it; the nearest one is named.
    """
    from kugiri.errors import InputError
    from kugiri.formats.strict import nearest

    # A third party's label may be one that our grammar cannot read back: as it is written, it is known.
    label = text if text in labels else _as_results_write_it(text)
    ranked = [known for known in labels if known.startswith(f"{label} + ")]
    if label not in labels and len(ranked) == 1:
        # With one retriever the chunker says it all, and is what the printed table shows.
        return ranked[0]
    if label not in labels:
        near = nearest(label, labels)
        remedy = f"did you mean {near!r}?" if near else f"use one of: {', '.join(labels)}"
        raise InputError(f"there is no configuration {label!r}", str(results), remedy)
    return label


def known_metric(text: str, metrics: Sequence[str], results: Path) -> str:
    """The label of one of the metrics, written as the tables write it.

    Raises:
        InputError: the text is no label, or the results have no such metric; the nearest one is named.
    """
    from kugiri.errors import InputError
    from kugiri.formats.strict import nearest
    from kugiri.labels import parse

    label = text if text in metrics else str(parse(text))
    if label not in metrics:
        near = nearest(label, metrics)
        remedy = f"did you mean {near!r}?" if near else f"use one of: {', '.join(metrics)}"
        raise InputError(f"the results compare no metric {label!r}", str(results), remedy)
    return label


def _as_results_write_it(text: str) -> str:
    """The label with defaults left out and arguments in field order; a third party's as it is."""
    from kugiri.catalog import CATALOG, from_label
    from kugiri.labels import configuration_label, parse_configuration

    chunker, retriever = parse_configuration(text)
    parts = [
        from_label(kind, label) if label is not None and label.name in CATALOG[kind] else label
        for kind, label in (("chunkers", chunker), ("retrievers", retriever))
    ]
    return configuration_label(*parts)
