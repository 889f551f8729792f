"""A corpus in numbers: what `corpus show` and `corpus check` print above everything else."""

from __future__ import annotations

import collections
import dataclasses

import numpy as np

from kugiri.formats.corpus_folder import LoadedCorpus
from kugiri.model.columns import Int64


@dataclasses.dataclass(frozen=True, slots=True)
class Lengths:
    """How lengths in code points are distributed.

    Attributes:
        count, least, median, greatest: of the lengths; all 0 where there is none.
        bars: lower end, upper end (inclusive) and number of lengths of each bar; the last one takes what is left.
    """

    count: int
    least: int
    median: int
    greatest: int
    bars: tuple[tuple[int, int, int], ...]


def lengths_of(values: Int64, bars: int = 10) -> Lengths:
    """The distribution over at most `bars` bars of one round width, and one for the longest twentieth."""
    if not len(values):
        return Lengths(0, 0, 0, 0, ())
    least, greatest = int(values.min()), int(values.max())
    usual = int(np.quantile(values, 0.95, method="lower"))
    width = _round_width(max(1, -(-(usual - least + 1) // bars)))
    edges = list(range(least // width * width, usual + 1, width))
    ends = [edge + width - 1 for edge in edges]
    edges[0] = max(edges[0], min(least, 1))
    counts = [int(((values >= low) & (values <= high)).sum()) for low, high in zip(edges, ends, strict=True)]
    found = list(zip(edges, ends, counts, strict=True))
    if greatest > ends[-1]:
        found.append((ends[-1] + 1, greatest, int((values > ends[-1]).sum())))
    return Lengths(len(values), least, int(np.quantile(values, 0.5, method="lower")), greatest, tuple(found))


def _round_width(least: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, … that is not below `least`."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= least:
                return digit * power
        power *= 10


def counts_of(loaded: LoadedCorpus) -> dict[str, int]:
    """The numbers of documents, characters, paragraphs, questions, alternatives, spans and what was merged."""
    corpus, questions = loaded.corpus, loaded.questions
    answerable = int(questions.answerable.sum())
    return {
        "documents": len(corpus),
        "characters": corpus.characters,
        "paragraphs": len(corpus.paragraph_start),
        "questions": len(questions),
        "answerable": answerable,
        "unanswerable": len(questions) - answerable,
        "alternatives": len(questions.evidence.question),
        "spans": len(questions.evidence.start),
        "merged_spans": questions.evidence.merged,
        "excluded": len(questions.excluded),
    }


def groups_of(loaded: LoadedCorpus) -> dict[str, dict[str, int]]:
    """How many questions there are of each kind, tag and split, the most frequent first; `""` where none is given."""
    questions = loaded.questions
    columns = {
        "kind": [kind or "" for kind in questions.kinds],
        "split": [split or "" for split in questions.splits],
        "tag": [tag for tags in questions.tags for tag in tags],
    }
    return {
        name: dict(sorted(collections.Counter(values).items(), key=lambda item: (-item[1], item[0])))
        for name, values in columns.items()
    }


def lengths_by_name(loaded: LoadedCorpus) -> dict[str, Lengths]:
    """The lengths of documents, recorded paragraphs and evidence spans."""
    corpus = loaded.corpus
    return {
        "documents": lengths_of(np.diff(corpus.document_start)),
        "paragraphs": lengths_of(corpus.paragraph_end - corpus.paragraph_start),
        "evidence spans": lengths_of(loaded.questions.evidence.length),
    }


def counted(number: int, noun: str) -> str:
    """`1 document`, `1,145 documents`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def left_out_by_name(loaded: LoadedCorpus, names: int = 5) -> str:
    """`n=4 of 5, excluded: q3 (offset_mismatch)`: how many questions were kept of how many, and which were not."""
    kept, excluded = len(loaded.questions), loaded.questions.excluded
    if not excluded:
        return f"n={kept:,} of {kept:,}"
    reasons: dict[str, list[str]] = {}
    for left_out in excluded:
        reasons.setdefault(left_out.reason, []).append(left_out.id)
    parts = [
        ", ".join(ids[:names]) + (f" and {len(ids) - names:,} more" if len(ids) > names else "") + f" ({reason})"
        for reason, ids in sorted(reasons.items())
    ]
    return f"n={kept:,} of {kept + len(excluded):,}, excluded: {'; '.join(parts)}"
