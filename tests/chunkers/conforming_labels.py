"""Every chunker of the catalogue as labels, and what each promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import regex

from kugiri import catalog
from kugiri.errors import InputError
from kugiri.labels import parse

OFTEN: dict[str, tuple[str, ...]] = {
    "fixed": (
        "fixed(size=1)",
        "fixed(size=7, overlap=3)",
        "fixed(size=100, overlap=0.2, trim=true)",
        'fixed(size=2, overlap=1, unit="grapheme")',
        'fixed(size=4, overlap=1, unit="morpheme")',
        'fixed(size=8, overlap=3, unit="token", trim=true)',
    ),
    "paragraph": (
        "paragraph()",
        "paragraph(trim=true)",
        "paragraph(size=20, overlap=8)",
    ),
    "sentence": (
        "sentence(size=12)",
        'sentence(size=40, overlap=15, newline="wrap", trim=true)',
        'sentence(size=10, overlap=4, tokenizer="cl100k")',
    ),
    "sentence_window": ("sentence_window()", 'sentence_window(before=0, after=2, newline="wrap", trim=true)'),
    "recursive": (
        "recursive(size=20)",
        'recursive(size=9, overlap=4, separators=["。", ["と", "\\r\\n"]], trim=true)',
    ),
    "line": ("line(size=15, overlap=6)",),
    "phrase": ("phrase(size=10, overlap=4)", 'phrase(size=10, by="unidic", trim=true)'),
    "whole": ("whole()", "whole(trim=true)"),
    "cohesion": ("cohesion(size=40, window=2)",),
    "semantic": ("semantic(size=40, model=hashed(dimensions=32), percentile=50, buffer=1)",),
    "headings": ("headings()", "headings(level=1, size=30, overlap=10, context=true)"),
    "parent_child": (
        "parent_child(parent=paragraph(), child=fixed(size=3, overlap=1))",
        "parent_child(parent=sentence(size=40), child=sentence_window())",
    ),
}
"""Run every time."""

SELDOM: dict[str, tuple[str, ...]] = {
    "fixed": (
        'fixed(size=3, unit="token", tokenizer="o200k", trim=true)',
        "fixed(size=3, overlap=2)",
        'fixed(size=1, unit="grapheme")',
        "fixed(size=100, overlap=0.2)",
        'fixed(size=5, overlap=2, unit="grapheme", trim=true)',
        'fixed(size=6, overlap=5, unit="morpheme", trim=true)',
        'fixed(size=1, unit="token")',
        'fixed(size=9, overlap=8, unit="token", tokenizer="char")',
        'fixed(size=9, overlap=0.5, unit="token", tokenizer="unidic")',
    ),
    "paragraph": (
        'paragraph(size=12, tokenizer="cl100k")',
        "paragraph(size=1)",
        "paragraph(size=50, overlap=0.5, trim=true)",
        'paragraph(size=16, overlap=5, tokenizer="unidic", trim=true)',
    ),
    "sentence": (
        "sentence(size=1)",
        "sentence(size=400, overlap=399)",
        'sentence(size=10, overlap=9, newline="wrap")',
        'sentence(size=6, tokenizer="o200k", trim=true)',
        'sentence(size=9, overlap=2, newline="wrap", tokenizer="unidic")',
    ),
    "sentence_window": ("sentence_window(before=0, after=0)", "sentence_window(before=3, after=3)"),
    "recursive": (
        'recursive(size=10, overlap=3, tokenizer="cl100k")',
        "recursive(size=2, overlap=1)",
        "recursive(size=200, overlap=0.5, trim=true)",
        'recursive(size=5, tokenizer="unidic")',
    ),
    "line": (
        "line(size=1)",
        'line(size=8, tokenizer="cl100k", trim=true)',
        'line(size=30, overlap=29, tokenizer="unidic")',
    ),
    "phrase": (
        'phrase(size=6, tokenizer="cl100k")',
        'phrase(size=12, overlap=11, by="unidic", tokenizer="unidic")',
        "phrase(size=30, trim=true)",
    ),
    "cohesion": ('cohesion(size=30, smallest=0.5, newline="wrap", tokenizer="cl100k", trim=true)',),
    "semantic": (
        "semantic(size=60)",
        'semantic(size=30, percentile=0, smallest=0, newline="wrap", tokenizer="cl100k", trim=true)',
    ),
    "headings": (
        "headings(level=1, trim=true)",
        "headings(level=3, size=12, trim=true)",
        'headings(level=2, size=20, overlap=8, context=true, tokenizer="cl100k")',
    ),
    "parent_child": (
        'parent_child(parent=fixed(size=30), child=sentence(size=9, overlap=3, tokenizer="cl100k"))',
        'parent_child(parent=recursive(size=60), child=fixed(size=2, unit="token"))',
        "parent_child(parent=whole(), child=line(size=9))",
    ),
}
"""Run with `-m slow`."""

ELSEWHERE = {"external"}
"""It takes a library that may not be installed, or a file of chunks of one corpus: its own tests hold it to this."""


def by_default() -> list[str]:
    """Chunkers of the catalogue that are in no list yet, as their names and a size make them."""
    found = []
    for name in set(catalog.CATALOG["chunkers"]) - set(OFTEN) - ELSEWHERE:
        for label in (f"{name}()", f"{name}(size=40)"):
            try:
                found.append(str(catalog.chunker(label)))
            except InputError:
                continue
            break
    return sorted(found)


def _known(lists: dict[str, tuple[str, ...]]) -> list[str]:
    return [label for name, labels in lists.items() if name in catalog.CATALOG["chunkers"] for label in labels]


LABELS = [*_known(OFTEN), *by_default()]
SLOW_LABELS = _known(SELDOM)
PARAMETERS = [*LABELS, *(pytest.param(label, marks=pytest.mark.slow) for label in SLOW_LABELS)]


class Clusters:
    """Grapheme clusters as a third party's tokenizer."""

    name = "clusters"

    def spans(self, text: str) -> Any:
        ends = np.array([match.end() for match in regex.finditer(r"\X", text, regex.DOTALL)], dtype=np.int64)
        return np.concatenate(([0], ends))[: len(ends)], ends

    def count(self, text: str) -> int:
        return len(regex.findall(r"\X", text, regex.DOTALL))


def promises(label: str) -> dict[str, Any]:
    """The gaps and the size that a label promises, as `check_chunker` takes them."""
    chunker = catalog.chunker(label)
    promised: dict[str, Any] = {"gaps": "none"}
    names = {parse(label).name, *(str(value.name) for _, value in parse(label).arguments if hasattr(value, "name"))}
    unit = getattr(chunker, "unit", "char")
    if "paragraph" in names:
        # Blank lines are in no chunk, and what stands between recorded paragraphs neither.
        promised["gaps"] = "paragraphs"
    elif "trim=true" in label or unit in ("morpheme", "token") or "fixed(size=2, unit=" in label:
        promised["gaps"] = "white space"
    size, tokenizer = getattr(chunker, "size", None), getattr(chunker, "tokenizer", "char")
    if size is None or unit in ("morpheme", "token"):
        # Windows of tokens are windows over the document's: a slice by itself may have a few more (E52).
        return promised
    promised["size"] = size
    if unit == "grapheme":
        promised["tokenizer"] = Clusters()
    elif unit == "char" and parse(label).name != "fixed" and tokenizer != "char":
        promised["tokenizer"] = tokenizer
    return promised
