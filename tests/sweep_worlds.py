"""Small sweeps in memory: a corpus, questions and a plan, without a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.questions import Questions
from kugiri.sweeps.plan import Configuration, Plan
from kugiri.sweeps.results import SweepResults
from kugiri.sweeps.run import run
from worlds import Asked, corpus_of, questions_of

DIGESTS = ("d" * 64, "q" * 64)
TEXTS = ["始\u3000👩\u200d🍳はか\u3099\r\nの朝。", "", "🇯🇵子丑寅卯辰巳\n\n午未申酉戌亥"]
PARAGRAPHS = [((0, 8), (8, 13)), (), ()]
ASKED: list[Asked] = [
    [[(0, 0, 3)]],
    [[(0, 3, 6)]],
    [[(0, 3, 6)], [(2, 0, 2)]],
    [[(0, 0, 2), (2, 3, 5)]],
    [],
    [[(2, 1, 9)]],
    [[(0, 12, 13)]],
]


class Broken:
    """A chunker of a third party that raises."""

    name, version = "broken", 1

    def chunk(self, corpus: Corpus) -> Chunking:
        raise ZeroDivisionError("一行目\n二行目")

    def __str__(self) -> str:
        return "broken()"


def plan_of(*chunkers: Any, **settings: Any) -> Plan:
    return Plan("小さな比較", tuple(Configuration(chunker) for chunker in chunkers), **settings)


def small() -> tuple[Corpus, Questions]:
    corpus = corpus_of(TEXTS, PARAGRAPHS)
    return corpus, questions_of(corpus, ASKED)


def swept(
    *chunkers: Any, texts: Sequence[str] | None = None, asked: Sequence[Asked] | None = None, **settings: Any
) -> SweepResults:
    """The results of these chunkers over the small corpus, or over `texts` and `asked`."""
    if texts is None:
        corpus, questions = small()
    else:
        corpus = corpus_of(list(texts))
        questions = questions_of(corpus, asked or [[[(0, 0, 1)]]])
    return run(plan_of(*(chunkers or EIGHT), **settings), corpus, questions, DIGESTS)


EIGHT = (Fixed(4), Fixed(4, 1), Fixed(8), Fixed(6, 0.5), Paragraph())
