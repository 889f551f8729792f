"""What several configurations over one corpus share: nothing is tokenised twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.retrievers.tokens import Tokenizer, TokenLists, TokenTable, Vocabulary


class RetrievalCache:
    """Token lists of questions and chunks, by tokenizer.

    A chunk is tokenised by itself, as an index does that knows nothing of the text around it, so its tokens depend on
    its text alone: two chunks at the same place of the axis have the same, whichever strategies made them. The cache
    belongs to one corpus and one process; results do not depend on what it holds.
    """

    def __init__(self) -> None:
        self._corpus: Corpus | None = None
        self._tables: dict[Tokenizer, tuple[TokenTable, TokenTable]] = {}

    def bind(self, corpus: Corpus) -> None:
        """Makes the cache one of this corpus.

        Raises:
            ValueError: it is one of another.
        """
        if self._corpus is not None and self._corpus is not corpus:
            message = "a cache belongs to one corpus: chunks are known by their places on its axis"
            raise ValueError(message)
        self._corpus = corpus

    def chunk_tokens(
        self, tokenizer: Tokenizer, chunking: Chunking, context: Sequence[str] | None = None
    ) -> TokenLists:
        """The tokens of every chunk, after those of its context where there is one."""
        self.bind(chunking.corpus)
        places = zip(chunking.start.tolist(), chunking.end.tolist(), strict=True)
        own = self._of(tokenizer)[0].lists(list(places), lambda places: _texts(chunking, places))
        if context is None:
            return own
        above = self._of(tokenizer)[1].lists(context, lambda places: [context[place] for place in places])
        return above.beside(own)

    def question_tokens(self, tokenizer: Tokenizer, texts: Sequence[str]) -> TokenLists:
        """The tokens of every question, with ids of the same vocabulary."""
        return self._of(tokenizer)[1].lists(texts, lambda places: [texts[place] for place in places])

    def _of(self, tokenizer: Tokenizer) -> tuple[TokenTable, TokenTable]:
        if tokenizer not in self._tables:
            vocabulary = Vocabulary()
            self._tables[tokenizer] = (TokenTable(tokenizer, vocabulary), TokenTable(tokenizer, vocabulary))
        return self._tables[tokenizer]


def _texts(chunking: Chunking, places: Sequence[int]) -> Iterable[str]:
    corpus = chunking.corpus
    document = chunking.document[list(places)]
    origin = corpus.document_start[document]
    start, end = chunking.start[list(places)] - origin, chunking.end[list(places)] - origin
    for at, low, high in zip(document.tolist(), start.tolist(), end.tolist(), strict=True):
        yield corpus.texts[at][low:high]
