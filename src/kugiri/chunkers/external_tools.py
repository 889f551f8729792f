"""The chunkers of other libraries, each as a function from a text to the chunks and offsets that the library states.

A library is imported when its chunker is made, and an error tells the extra that brings it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kugiri.chunkers.external_tokenizers import codec
from kugiri.errors import InputError
from kugiri.formats.placement import ForeignChunk

Cut = Callable[[str], list[ForeignChunk]]

JAPANESE = ("\n\n", "\n", "。", "！", "？", "、", "\u3000", " ", "")
"""Where a text may be cut, the best places first; the empty string is any character."""

SENTENCE_ENDS = ("。", "！", "？", "\n")


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """What all of these chunkers have in common.

    Attributes:
        size, overlap: in tokens of `tokenizer`.
        tokenizer: one of `kugiri.chunkers.external_tokenizers.TOKENIZERS`.
        separators: where to cut, as far as the tool asks.
    """

    size: int
    overlap: int
    tokenizer: str
    separators: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Tool:
    """A chunker of a library.

    Attributes:
        extra: the extra of kugiri that installs the library.
        distribution: the library's name in the package index, for its version.
        make: the chunker with its settings.
        tokenizer: what sizes count by default.
        separators: the separators by default; None where the tool takes none.
        overlaps: whether the tool knows overlap.
    """

    extra: str
    distribution: str
    make: Callable[[Settings], Cut]
    tokenizer: str = "char"
    separators: tuple[str, ...] | None = None
    overlaps: bool = True


@contextlib.contextmanager
def _installed(extra: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise InputError(
            f"{error.name or 'a library'} is not installed",
            f"the chunkers of {extra}",
            f"pip install 'kugiri[{extra}]'",
        ) from error


def _langchain_recursive(settings: Settings) -> Cut:
    with _installed("langchain"):
        from langchain_text_splitters import RecursiveCharacterTextSplitter

    return _langchain(
        RecursiveCharacterTextSplitter(list(settings.separators), keep_separator="end", **_langchain_settings(settings))
    )


def _langchain_character(settings: Settings) -> Cut:
    with _installed("langchain"):
        from langchain_text_splitters import CharacterTextSplitter

    return _langchain(CharacterTextSplitter(settings.separators[0], **_langchain_settings(settings)))


def _langchain_token(settings: Settings) -> Cut:
    """`TokenTextSplitter`, whose constructor would fetch a vocabulary: its one method, with a vocabulary at hand."""
    with _installed("langchain"):
        from langchain_text_splitters import TextSplitter, Tokenizer, split_text_on_tokens

    tokens = codec(settings.tokenizer)
    tokenizer = Tokenizer(settings.overlap, settings.size, tokens.decode, tokens.encode)

    def split_text(_: Any, text: str) -> list[str]:
        found: list[str] = split_text_on_tokens(text=text, tokenizer=tokenizer)
        return found

    # Made by `type`: a class statement would need the library's types wherever ours are checked.
    made = type("TokenSplitter", (TextSplitter,), {"split_text": split_text})
    return _langchain(made(**_langchain_settings(settings)))


def _langchain_settings(settings: Settings) -> dict[str, Any]:
    return {
        "chunk_size": settings.size,
        "chunk_overlap": settings.overlap,
        "length_function": len if settings.tokenizer == "char" else codec(settings.tokenizer).count,
        "add_start_index": True,
    }


def _langchain(splitter: Any) -> Cut:
    def cut(text: str) -> list[ForeignChunk]:
        documents = splitter.create_documents([text])
        return [ForeignChunk(one.page_content, one.metadata["start_index"]) for one in documents]

    return cut


def _llamaindex_sentence(settings: Settings) -> Cut:
    with _installed("llamaindex"):
        from llama_index.core.node_parser import SentenceSplitter
    return _llamaindex(SentenceSplitter, settings)


def _llamaindex_token(settings: Settings) -> Cut:
    with _installed("llamaindex"):
        from llama_index.core.node_parser import TokenTextSplitter
    return _llamaindex(TokenTextSplitter, settings)


def _llamaindex(made: Any, settings: Settings) -> Cut:
    from llama_index.core import Document

    # It prints its warnings, and standard output is for data.
    with contextlib.redirect_stdout(sys.stderr):
        parser = made(
            chunk_size=settings.size,
            chunk_overlap=settings.overlap,
            separator=settings.separators[0],
            tokenizer=codec(settings.tokenizer).encode,
            include_prev_next_rel=False,
        )

    def cut(text: str) -> list[ForeignChunk]:
        with contextlib.redirect_stdout(sys.stderr):
            nodes = parser.get_nodes_from_documents([Document(text=text)])
        return [ForeignChunk(node.text, _or_nowhere(node.start_char_idx), node.end_char_idx) for node in nodes]

    return cut


def _or_nowhere(start: int | None) -> int:
    """A start that the tool looked for and did not find is as wrong as LangChain's −1."""
    return -1 if start is None else start


def _chonkie_token(settings: Settings) -> Cut:
    with _installed("chonkie"):
        from chonkie import TokenChunker
    return _chonkie(
        TokenChunker(_chonkie_tokenizer(settings), chunk_size=settings.size, chunk_overlap=settings.overlap)
    )


def _chonkie_sentence(settings: Settings) -> Cut:
    with _installed("chonkie"):
        from chonkie import SentenceChunker
    return _chonkie(
        SentenceChunker(
            _chonkie_tokenizer(settings),
            chunk_size=settings.size,
            chunk_overlap=settings.overlap,
            delim=list(settings.separators),
        )
    )


def _chonkie_recursive(settings: Settings) -> Cut:
    with _installed("chonkie"):
        from chonkie import RecursiveChunker
        from chonkie.types import RecursiveLevel, RecursiveRules
    levels = [
        # A space is no delimiter there, but has a switch of its own.
        RecursiveLevel(whitespace=True) if separator == " " else RecursiveLevel([separator])
        for separator in settings.separators
        if separator
    ]
    # The last level has no delimiter: it cuts at tokens.
    rules = RecursiveRules([*levels, RecursiveLevel()])
    return _chonkie(RecursiveChunker(_chonkie_tokenizer(settings), chunk_size=settings.size, rules=rules))


def _chonkie_tokenizer(settings: Settings) -> Any:
    if settings.tokenizer == "char":
        return "character"
    from chonkie.tokenizer import Tokenizer

    tokens = codec(settings.tokenizer)

    body = {
        "__repr__": lambda _: settings.tokenizer,
        "encode": lambda _, text: tokens.encode(text),
        "decode": lambda _, ids: tokens.decode(ids),
        "tokenize": lambda _, text: tokens.encode(text),
    }
    return type("Tokens", (Tokenizer,), body)()


def _chonkie(chunker: Any) -> Cut:
    def cut(text: str) -> list[ForeignChunk]:
        return [ForeignChunk(chunk.text, chunk.start_index, chunk.end_index) for chunk in chunker.chunk(text)]

    return cut


def _semantic_text_splitter(settings: Settings) -> Cut:
    with _installed("semantic-text-splitter"):
        from semantic_text_splitter import TextSplitter

    if settings.tokenizer == "char":
        splitter = TextSplitter(settings.size, settings.overlap)
    else:
        splitter = TextSplitter.from_callback(codec(settings.tokenizer).count, settings.size, settings.overlap)
    return lambda text: [ForeignChunk(chunk, start) for start, chunk in splitter.chunk_indices(text)]


TOOLS: Mapping[str, Tool] = {
    "langchain.recursive": Tool("langchain", "langchain-text-splitters", _langchain_recursive, separators=JAPANESE),
    "langchain.character": Tool("langchain", "langchain-text-splitters", _langchain_character, separators=("\n\n",)),
    "langchain.token": Tool("langchain", "langchain-text-splitters", _langchain_token, "cl100k"),
    "llamaindex.sentence": Tool("llamaindex", "llama-index-core", _llamaindex_sentence, "cl100k", (" ",)),
    "llamaindex.token": Tool("llamaindex", "llama-index-core", _llamaindex_token, "cl100k", (" ",)),
    "chonkie.token": Tool("chonkie", "chonkie", _chonkie_token, "cl100k"),
    "chonkie.sentence": Tool("chonkie", "chonkie", _chonkie_sentence, separators=SENTENCE_ENDS),
    "chonkie.recursive": Tool("chonkie", "chonkie", _chonkie_recursive, separators=JAPANESE, overlaps=False),
    "semantic_text_splitter.text": Tool("semantic-text-splitter", "semantic-text-splitter", _semantic_text_splitter),
}
"""The name in `external(tool="…")` → the chunker."""
