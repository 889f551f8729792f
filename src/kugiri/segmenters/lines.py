"""Lines."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from kugiri.labels import component_label
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Int64
from kugiri.model.corpus import Corpus
from kugiri.segmenters.cuts import between_cuts, is_edge
from kugiri.segmenters.text_marks import CR, LF, LINE, text_marks


@dataclasses.dataclass(frozen=True, slots=True)
class Lines:
    r"""Lines with the line break that ends them, empty lines too; together they cover every document.

    Line breaks are `\n`, `\r\n`, `\r`, and what Unicode adds: U+000B, U+000C, U+0085, U+2028, U+2029.
    """

    name: ClassVar[str] = "lines"
    version: ClassVar[int] = 1

    def __str__(self) -> str:
        return component_label(self)

    def segment(self, corpus: Corpus) -> Boundaries:
        """The lines of every document."""
        return between_cuts(corpus, line_breaks(corpus, LINE)[1])


def line_breaks(corpus: Corpus, least: int) -> tuple[Int64, Int64]:
    r"""Where line breaks start and end: those of the classes from `least` (`LINE` or `CR`) on.

    `\r\n` is one; documents that happen to meet there are apart.
    """
    at, kind = text_marks(corpus)[:2]
    breaks = np.flatnonzero((kind >= least) & (kind <= LF))
    at, kind = at[breaks], kind[breaks]
    pairs = np.flatnonzero((kind[:-1] == CR) & (kind[1:] == LF) & (at[1:] == at[:-1] + 1))
    pairs = pairs[~is_edge(corpus, at[pairs + 1])]
    return np.delete(at, pairs + 1), np.delete(at, pairs) + 1
