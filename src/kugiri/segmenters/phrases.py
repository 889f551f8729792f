"""Phrases (文節), by BudouX."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, ClassVar

import numpy as np

from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.corpus import Corpus


@dataclasses.dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases as BudouX's Japanese model finds them; together they cover every document.

    BudouX looks at three characters on either side, whatever they are, so a line break is a character like others.
    """

    name: ClassVar[str] = "phrases"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return component_label(self)

    def segment(self, corpus: Corpus) -> Boundaries:
        """The phrases of every document."""
        lengths = [len(phrase) for text in corpus.texts for phrase in _parser().parse(text)]
        end = np.cumsum(np.array(lengths, dtype=np.int64))
        return Boundaries(corpus, end - np.array(lengths, dtype=np.int64), end)


@functools.cache
def _parser() -> Any:
    """One parser a process: its model is read from a file."""
    import budoux

    return budoux.load_default_japanese_parser()
