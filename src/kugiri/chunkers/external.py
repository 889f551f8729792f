"""Chunks that others cut, as a chunker: by the chunkers of other libraries, by a function, or read from a file."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from operator import index
from pathlib import Path
from typing import Any, ClassVar, Literal

from kugiri.chunkers.external_tokenizers import TOKENIZERS
from kugiri.chunkers.external_tools import TOOLS, Settings
from kugiri.errors import InputError
from kugiri.formats.chunk_audit import audited, unplaced_error
from kugiri.formats.foreign_chunks import read_lists
from kugiri.formats.one_layer import one_layer
from kugiri.formats.placement import ForeignChunk
from kugiri.formats.strict import nearest
from kugiri.labels import component_label, value_text
from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows, resolved

Ambiguous = Literal["order", "refuse"]
Function = Callable[[str], Iterable[str] | Iterable[tuple[int, int]] | Iterable[ForeignChunk]]


@dataclasses.dataclass(frozen=True, slots=True)
class External:
    """Chunks of another library's chunker, or of a file, each proven to stand where it is placed.

    Give `tool` and `size`, or `file`. A chunk that no slice of its document equals is never guessed at: the chunker
    fails and names it. Only where a tool changed white space and nothing else, and one place is possible, the chunk is
    the slice there. `kugiri audit` says what became of all of them.

    Attributes:
        tool: one of `kugiri.chunkers.external_tools.TOOLS`.
        size: units in a chunk, as the tool understands it.
        overlap: units shared by neighbours when an integer, a share of the size when a float.
        tokenizer: what a unit is: `char`, `cl100k` or `o200k`; by default what is usual for the tool.
        separators: where to cut, as far as the tool asks; Japanese ones by default.
        file: chunks as JSON Lines, CSV or Parquet with document, text and, if it likes, start, end and id.
        ambiguous: what becomes of a chunk whose text stands in several places: the order of the chunks decides, or the
            chunker fails.

    Raises:
        InputError: both or none of tool and file; an unknown tool or tokenizer; sizes as `Windows` refuses them;
            arguments that the tool does not take.
    """

    name: ClassVar[str] = "external"
    version: ClassVar[int] = 1

    tool: str | None = None
    size: int | None = None
    overlap: int | float = 0
    tokenizer: str | None = None
    separators: tuple[str, ...] | None = None
    file: str | None = None
    ambiguous: Ambiguous = "order"

    def __post_init__(self) -> None:
        if self.overlap == 0:
            object.__setattr__(self, "overlap", 0)
        if (self.tool is None) == (self.file is None):
            raise InputError(
                "external() takes a tool or a file",
                "external(tool=…, file=…)",
                'write external(tool="langchain.recursive", size=400) or external(file="chunks.jsonl")',
            )
        if self.ambiguous not in ("order", "refuse"):
            raise InputError(f"ambiguous = {self.ambiguous!r}", "external(ambiguous=…)", 'write "order" or "refuse"')
        if self.file is None:
            self._check_tool()
            return
        given = [name for name in ("size", "tokenizer", "separators") if getattr(self, name) is not None]
        if given or self.overlap:
            raise InputError(f"a file of chunks has no {(given or ['overlap'])[0]}", "external(file=…)", "leave it out")

    def __str__(self) -> str:
        return component_label(self)

    def lists(self, corpus: Corpus) -> list[list[ForeignChunk]]:
        """The chunks of every document as the tool or the file states them, nothing proven.

        Raises:
            InputError: the library is not installed, or fails; whatever `read_lists` refuses.
        """
        if self.file is not None:
            return read_lists(Path(self.file), corpus)
        tool, size = TOOLS[str(self.tool)], self.size or 0
        settings = Settings(
            size,
            resolved(size, self.overlap),
            self.tokenizer or tool.tokenizer,
            self.separators or tool.separators or (),
        )
        place = "its settings"
        try:
            cut = tool.make(settings)
            found = []
            for document, text in zip(corpus.ids, corpus.texts, strict=True):
                place = f"document {document!r}"
                # Some libraries give an empty document one empty chunk.
                found.append(cut(text) if text else [])
        except (ValueError, TypeError, RuntimeError, LookupError) as error:
            raise InputError(
                f"{self.tool} failed: {type(error).__name__}: {error}",
                f"{place}, {self}",
                "change its settings, or report it to the library",
            ) from error
        return found

    def chunk(self, corpus: Corpus) -> Chunking:
        """The chunks of every document, placed.

        Raises:
            InputError: as `lists`; a chunk that cannot be placed; chunks nested inside each other.
        """
        return _proven(corpus, self.lists(corpus), self.ambiguous, str(self))

    def _check_tool(self) -> None:
        tool, where = TOOLS.get(str(self.tool)), f"external(tool={value_text(self.tool)})"
        if tool is None:
            near = nearest(str(self.tool), TOOLS)
            raise InputError(
                f"unknown tool {self.tool!r}",
                "external(tool=…)",
                f"did you mean {near!r}?" if near else f"use one of: {', '.join(TOOLS)}",
            )
        if self.size is None:
            raise InputError("external() needs 'size'", where, "give it, as in external(tool=…, size=400)")
        _ = Windows(self.size, self.overlap)
        if self.tokenizer is not None and self.tokenizer not in TOKENIZERS:
            raise InputError(f"unknown tokenizer {self.tokenizer!r}", where, f"use one of: {', '.join(TOKENIZERS)}")
        if self.separators is not None and (tool.separators is None or not self.separators):
            none = "it takes none" if tool.separators is None else "give one at least"
            raise InputError("these separators cannot be used", where, none)
        if self.overlap and not tool.overlaps:
            raise InputError("the tool knows no overlap", where, "leave overlap out")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class ExternalFunction:
    """Chunks that a function cuts, each proven to stand where it is placed.

    Attributes:
        function: text → chunks, as texts, as `(start, end)` pairs in code points, or as `ForeignChunk`s.
        name: what results call it.
        ambiguous: as in `External`.
        version: of the function.
    """

    function: Function
    name: str
    ambiguous: Ambiguous = "order"
    version: int = 1

    def __str__(self) -> str:
        return f"external(function={value_text(self.name)})"

    def lists(self, corpus: Corpus) -> list[list[ForeignChunk]]:
        """The chunks of every document as the function states them.

        Raises:
            InputError: it returns something else, or a pair that is no slice of the document.
        """
        return self._cut(corpus)[0]

    def chunk(self, corpus: Corpus) -> Chunking:
        """The chunks of every document, placed; pairs are places, and need no proof.

        Raises:
            InputError: as `External.chunk`.
        """
        lists, are_places = self._cut(corpus)
        if not are_places:
            return _proven(corpus, lists, self.ambiguous, str(self))
        places = [
            (document, number, chunk.start or 0, chunk.end or 0)
            for document, chunks in enumerate(lists)
            for number, chunk in enumerate(chunks, start=1)
        ]

        def named(at: int) -> str:
            _, number, start, end = places[at]
            return f"{number} [{start}, {end})"

        return one_layer(corpus, [(document, start, end) for document, _, start, end in places], named, str(self))[0]

    def _cut(self, corpus: Corpus) -> tuple[list[list[ForeignChunk]], bool]:
        """The lists, and whether the function returned nothing but pairs."""
        are_places = True
        lists: list[list[ForeignChunk]] = []
        for document, text in zip(corpus.ids, corpus.texts, strict=True):
            read: list[ForeignChunk] = []
            given: Any = self.function(text)
            if isinstance(given, str | bytes) or not isinstance(given, Iterable):
                raise InputError(
                    f"the function returned {type(given).__name__}, and a list of chunks is needed",
                    f"document {document!r}, {self}",
                    "return a list of texts, or of (start, end) pairs of whole numbers",
                )
            for number, one in enumerate(given, start=1):
                are_places = are_places and not isinstance(one, (str, ForeignChunk))
                read.append(self._read(one, text, f"document {document!r}, chunk {number}, {self}"))
            lists.append(read)
        return lists, are_places

    def _read(self, one: Any, text: str, where: str) -> ForeignChunk:
        if isinstance(one, ForeignChunk):
            return one
        if isinstance(one, str):
            return ForeignChunk(one)
        try:
            start, end = map(index, one)
        except (TypeError, ValueError):
            raise InputError(
                f"the function returned {type(one).__name__} as a chunk",
                where,
                "return texts, or (start, end) pairs of whole numbers",
            ) from None
        if not 0 <= start < end <= len(text):
            raise InputError(
                f"[{start}, {end}) is no slice of the document of {len(text)} characters",
                where,
                "offsets are code points, half-open: 0 ≤ start < end ≤ length of the document",
            )
        return ForeignChunk(text[start:end], start, end)


def external_chunker(function: Function, name: str, ambiguous: Ambiguous = "order") -> ExternalFunction:
    """A chunker of any function from a text to its chunks: texts, or `(start, end)` pairs in code points.

    Args:
        function: called once a document, with its text.
        name: what results call it.
        ambiguous: as in `External`.
    """
    return ExternalFunction(function, name, ambiguous)


def _proven(corpus: Corpus, lists: Sequence[Sequence[ForeignChunk]], ambiguous: Ambiguous, label: str) -> Chunking:
    found = audited(corpus, lists, by_order=ambiguous == "order")
    if found.unplaced:
        raise unplaced_error(found, label)
    number = {name: place for place, name in enumerate(corpus.ids)}
    places = [(number[row.document], row.placement.start or 0, row.placement.end or 0) for row in found.rows]

    def named(place: int) -> str:
        row = found.rows[place]
        return f"{row.number} [{row.placement.start}, {row.placement.end})"

    return one_layer(corpus, places, named, label)[0]
