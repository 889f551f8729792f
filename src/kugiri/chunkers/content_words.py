"""The words that tell topics apart, counted by sentence."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from kugiri.model.boundaries import Boundaries
from kugiri.segmenters import unidic

_PARTS = frozenset(("名詞", "動詞", "形容詞", "形状詞"))
# Words of these parts of speech that stand in every text: the frequent ones of what UniDic calls 非自立可能 (auxiliary
# verbs), formal nouns, and verbs that are particles by now (による, という, において, に対して).
_GRAMMATICAL = frozenset(
    (
        *("為る", "居る", "有る", "成る", "出来る", "行く", "来る", "見る", "得る", "仕舞う", "置く", "貰う", "呉れる"),
        *("遣る", "上げる", "下さる", "頂く", "為さる", "無い", "良い", "欲しい", "様", "事", "物", "為", "所", "因る"),
        *("言う", "於く", "対する", "関する", "つく", "就く"),
    )
)
_AT_ONCE = 8192


def counted_words(sentences: Boundaries) -> scipy.sparse.csr_matrix:
    """int64[N, V], how often each content word stands in each sentence.

    Content words are the lemmas of nouns, verbs and adjectives that UniDic finds, without numerals and without words
    that serve grammar only; letters are case folded. A word belongs to the sentence in which it starts.
    """
    known: dict[str, int] = {}
    ids: list[int] = []
    rows = [np.empty(0, dtype=np.int64)]
    for low, high in _stretches(sentences):
        first = int(sentences.start[low])
        found = unidic.morphemes(sentences.corpus.slice(first, int(sentences.end[high - 1])), features=True)
        content = [
            (number, known.setdefault(lemma.casefold(), len(known)))
            for number, (surface, lemma, part) in enumerate(
                zip(found.surfaces, found.lemmas or (), found.parts_of_speech or (), strict=True)
            )
            if part in _PARTS and lemma not in _GRAMMATICAL and not surface.isnumeric()
        ]
        start = found.start[np.array([number for number, _ in content], dtype=np.int64)] + first
        rows.append(np.searchsorted(sentences.start, start, side="right") - 1)
        ids += [word for _, word in content]
    row = np.concatenate(rows)
    return scipy.sparse.csr_matrix((np.ones(len(row), dtype=np.int64), (row, ids)), shape=(len(sentences), len(known)))


def _stretches(sentences: Boundaries) -> list[tuple[int, int]]:
    """Sentences in a row of one document, about `_AT_ONCE` characters of them: features of words take much memory."""
    origin = sentences.corpus.document_start
    document = sentences.corpus.document_of(sentences.start)
    block = (sentences.start - origin[document]) // _AT_ONCE
    new = (np.diff(document, prepend=-1) > 0) | (np.diff(block, prepend=-1) != 0)
    low = np.flatnonzero(new)
    return list(zip(low.tolist(), np.append(low[1:], len(sentences))[: len(low)].tolist(), strict=True))
