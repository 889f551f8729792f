"""Corpus, questions and chunks in a folder that other processes map into their memory."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kugiri.evidence.containment import Containment
from kugiri.model.chunking import Chunking
from kugiri.model.columns import Int32, Int64
from kugiri.model.corpus import Corpus, CorpusInfo
from kugiri.model.indexed import Indexed
from kugiri.model.questions import Questions
from kugiri.retrievers.cache import RetrievalCache
from kugiri.retrievers.protocol import EvidenceRanges, RetrievalTask

_DESCRIBED = "described.json"


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class AskedQuestions:
    """What retrieval knows of the questions: their ids and texts, and the evidence for `oracle()`.

    Attributes:
        start, end: int64[S], spans on the global axis.
        alternative: int32[S], the alternative of each span.
        question: int32[A], the question of each alternative.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    start: Int64
    end: Int64
    alternative: Int32
    question: Int32

    @classmethod
    def of(cls, questions: Questions) -> AskedQuestions:
        """These questions."""
        evidence = questions.evidence
        return cls(
            questions.ids, questions.texts, evidence.start, evidence.end, evidence.alternative, evidence.question
        )

    def task(self, index: Indexed, cache: RetrievalCache) -> RetrievalTask:
        """The questions, asked of the vectors of this index.

        Raises:
            InputError: the index is empty.
        """
        found = Containment.of(index.delivered, self.start, self.end)
        ranges = EvidenceRanges(*index.ranges(found.first, found.last), self.alternative, self.question)
        return RetrievalTask(index.vectors, self.ids, self.texts, ranges, cache, index.context)


def write_shared(folder: Path, corpus: Corpus, asked: AskedQuestions) -> None:
    """Writes corpus and questions: columns as `.npy`, texts as UTF-8 bytes and where each ends.

    Raises:
        ValueError: the corpus cannot be written so that the same comes back: its metadata are more than JSON holds,
            or a text is no Unicode.
        OSError: the folder cannot be written.
    """
    described = {
        "info": dataclasses.asdict(dataclasses.replace(corpus.info, built=dict(corpus.info.built))),
        "titles": list(corpus.titles),
        "metadata": [dict(values) for values in corpus.metadata],
    }
    try:
        line = json.dumps(described)
    except TypeError as error:
        raise ValueError(str(error)) from error
    if json.loads(line) != described:
        message = "the metadata would come back changed"
        raise ValueError(message)
    (folder / _DESCRIBED).write_text(line, encoding="utf-8", newline="\n")
    _write_strings(folder, "document_id", corpus.ids)
    _write_strings(folder, "document_text", corpus.texts)
    _write_strings(folder, "question_id", asked.ids)
    _write_strings(folder, "question_text", asked.texts)
    for name in ("document_start", "paragraph_start", "paragraph_end"):
        _write(folder, name, getattr(corpus, name))
    for name in ("start", "end", "alternative", "question"):
        _write(folder, f"evidence_{name}", getattr(asked, name))


def read_shared(folder: Path) -> tuple[Corpus, AskedQuestions]:
    """The same corpus and questions; columns stay in the files, and are read where they are touched."""
    described = json.loads((folder / _DESCRIBED).read_text(encoding="utf-8"))
    corpus = Corpus(
        CorpusInfo(**described["info"]),
        _strings(folder, "document_id"),
        _strings(folder, "document_text"),
        tuple(described["titles"]),
        tuple(described["metadata"]),
        *(_mapped(folder, name) for name in ("document_start", "paragraph_start", "paragraph_end")),
    )
    asked = AskedQuestions(
        _strings(folder, "question_id"),
        _strings(folder, "question_text"),
        *(_mapped(folder, f"evidence_{name}") for name in ("start", "end", "alternative", "question")),
    )
    return corpus, asked


def write_index(folder: Path, number: int, index: Indexed) -> None:
    """Writes what one index holds under a number."""
    _write_chunking(folder, f"delivered_{number}", index.delivered)
    if index.parent is not None:
        _write_chunking(folder, f"vectors_{number}", index.vectors)
        _write(folder, f"parent_{number}", index.parent)
    if index.context is not None:
        _write_strings(folder, f"context_{number}", index.context)


def read_index(folder: Path, number: int, corpus: Corpus) -> Indexed:
    """The index of that number."""
    delivered = _read_chunking(folder, f"delivered_{number}", corpus)
    nested = (folder / f"parent_{number}.npy").exists()
    return Indexed(
        delivered,
        _read_chunking(folder, f"vectors_{number}", corpus) if nested else delivered,
        _mapped(folder, f"parent_{number}") if nested else None,
        _strings(folder, f"context_{number}") if (folder / f"context_{number}.npy").exists() else None,
    )


def _write_chunking(folder: Path, name: str, chunking: Chunking) -> None:
    _write(folder, f"{name}_start", chunking.start)
    _write(folder, f"{name}_end", chunking.end)
    _write(folder, f"{name}_merged", np.array([chunking.merged], dtype=np.int64))


def _read_chunking(folder: Path, name: str, corpus: Corpus) -> Chunking:
    start, end, merged = (_mapped(folder, f"{name}_{column}") for column in ("start", "end", "merged"))
    return Chunking(corpus, start, end, int(merged[0]))


def _write(folder: Path, name: str, column: NDArray[Any]) -> None:
    np.save(folder / f"{name}.npy", column, allow_pickle=False)


def _mapped(folder: Path, name: str) -> NDArray[Any]:
    # A plain array over the map: np.memmap asks itself at every slice whether it still is one.
    return np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))


def _write_strings(folder: Path, name: str, strings: Sequence[str]) -> None:
    encoded = [string.encode("utf-8") for string in strings]
    _write(folder, name, np.frombuffer(b"".join(encoded), dtype=np.uint8))
    _write(folder, f"{name}_edge", np.concatenate(([0], np.cumsum(np.array(list(map(len, encoded)), dtype=np.int64)))))


def _strings(folder: Path, name: str) -> tuple[str, ...]:
    content, edge = _mapped(folder, name).data, _mapped(folder, f"{name}_edge").tolist()
    return tuple(str(content[low:high], "utf-8") for low, high in pairwise(edge))
