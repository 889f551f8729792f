"""How texts become tokens: the tokenizers by name, and token ids as columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import pairwise

import numpy as np
import regex

from kugiri.errors import InputError
from kugiri.model.columns import Int32, Int64, concatenated_ranges
from kugiri.retrievers.folding import folded
from kugiri.retrievers.parameters import demand_one_of
from kugiri.segmenters import unidic

TOKENIZERS = ("unidic", "bigram")
FORMS = ("surface", "lemma")

# Letters, numbers and marks of any script make runs; white space, punctuation, symbols and emoji separate them.
_RUN = regex.compile(r"[\p{L}\p{N}\p{M}]+")


@dataclasses.dataclass(frozen=True, slots=True)
class Tokenizer:
    """One way to make tokens, the same for chunks and questions.

    Attributes:
        name: `unidic` (morphemes, punctuation included) or `bigram` (every two neighbouring characters of a run of
            letters, numbers and marks; a run of one character gives that character, as Lucene's CJK bigrams do).
        form: what of a morpheme is compared, its `surface` or its `lemma` (the dictionary form).
        pos: coarse parts of speech to keep (`名詞`, `動詞`…), in UniDic's order, each once; empty keeps all.
        fold: whether texts are folded first (`kugiri.retrievers.folding`).

    Raises:
        InputError: an unknown name, form or part of speech; a form or parts of speech where there are no morphemes.
    """

    name: str = "unidic"
    form: str = "surface"
    pos: tuple[str, ...] = ()
    fold: bool = True

    def __post_init__(self) -> None:
        demand_one_of("tokenizer", self.name, TOKENIZERS)
        demand_one_of("form", self.form, FORMS)
        for part in self.pos:
            demand_one_of("pos", part, unidic.PARTS_OF_SPEECH)
        # One set of parts of speech has one label, however it was written.
        object.__setattr__(self, "pos", tuple(part for part in unidic.PARTS_OF_SPEECH if part in self.pos))
        if self.name != "unidic" and (self.form, self.pos) != ("surface", ()):
            raise InputError(
                f"tokenizer = {self.name!r} knows no words, so form and pos mean nothing",
                "tokenizer",
                'leave form and pos out, or use tokenizer = "unidic"',
            )

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, in order, repeated where they occur again."""
        text = folded(text) if self.fold else text
        if self.name == "bigram":
            return [token for run in _RUN.findall(text) for token in _bigrams(run)]
        if self.form == "surface" and not self.pos:
            return unidic.surfaces(text)
        written, lemmas, parts = unidic.words(text)
        compared = lemmas if self.form == "lemma" else written
        return [token for token, part in zip(compared, parts, strict=True) if not self.pos or part in self.pos]


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class TokenLists:
    """The token ids of N texts, end to end: those of text `i` are `ids[edge[i]:edge[i + 1]]`.

    Attributes:
        ids: int32[T].
        edge: int64[N + 1].
    """

    ids: Int32
    edge: Int64

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> TokenLists:
        """The columns of these lists."""
        counts = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
        ids = np.fromiter((token for tokens in lists for token in tokens), dtype=np.int32, count=int(counts.sum()))
        return cls(ids, np.concatenate(([0], np.cumsum(counts))))

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.edge) - 1

    @property
    def counts(self) -> Int64:
        """int64[N], tokens in each text."""
        return np.diff(self.edge)

    def take(self, rows: Int64) -> TokenLists:
        """The lists at these indices, in this order."""
        counts = self.counts[rows]
        places = np.repeat(self.edge[:-1][rows], counts) + concatenated_ranges(counts)
        return TokenLists(self.ids[places], np.concatenate(([0], np.cumsum(counts))))

    def followed_by(self, other: TokenLists) -> TokenLists:
        """These lists, then the others."""
        return TokenLists(
            np.concatenate((self.ids, other.ids)), np.concatenate((self.edge, self.edge[-1] + other.edge[1:]))
        )

    def beside(self, other: TokenLists) -> TokenLists:
        """Each list followed by the other's list of the same text."""
        counts = self.counts + other.counts
        edge = np.concatenate(([0], np.cumsum(counts)))
        ids = np.empty(int(edge[-1]), dtype=np.int32)
        mine = np.repeat(edge[:-1], self.counts) + concatenated_ranges(self.counts)
        its = np.repeat(edge[:-1] + self.counts, other.counts) + concatenated_ranges(other.counts)
        ids[mine], ids[its] = self.ids, other.ids
        return TokenLists(ids, edge)

    def kept(self, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> TokenLists:
        """The lists without the tokens where `keep` (bool[T]) is false."""
        before = np.concatenate(([0], np.cumsum(keep)))
        return TokenLists(self.ids[keep], before[self.edge])

    def lists(self) -> list[list[int]]:
        """The same as Python lists."""
        ids, edge = self.ids.tolist(), self.edge.tolist()
        return [ids[low:high] for low, high in pairwise(edge)]


class Vocabulary(dict[str, int]):
    """Token → id; a token that is asked for the first time gets the next id."""

    def __missing__(self, token: str) -> int:
        self[token] = len(self)
        return self[token]


class TokenTable:
    """The token lists of every text that was asked for so far, by a key that stands for the text."""

    def __init__(self, tokenizer: Tokenizer, vocabulary: Vocabulary) -> None:
        self._tokenizer, self._vocabulary = tokenizer, vocabulary
        self._row: dict[Hashable, int] = {}
        self._lists = TokenLists.of([])

    def lists(self, keys: Sequence[Hashable], texts: Callable[[Sequence[int]], Iterable[str]]) -> TokenLists:
        """The token lists of these keys; `texts` gives the texts at those places of `keys` that are new."""
        new: dict[Hashable, int] = {}
        for place, key in enumerate(keys):
            if key not in self._row:
                new.setdefault(key, place)
        if new:
            made = [
                list(map(self._vocabulary.__getitem__, self._tokenizer.tokens(text)))
                for text in texts(list(new.values()))
            ]
            self._row.update(zip(new, range(len(self._lists), len(self._lists) + len(new)), strict=True))
            self._lists = self._lists.followed_by(TokenLists.of(made))
        return self._lists.take(np.fromiter(map(self._row.__getitem__, keys), dtype=np.int64, count=len(keys)))
