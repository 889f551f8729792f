"""Random small worlds, and oracles that know nothing of arrays: loops over chunks and spans, sets of characters.

The oracles are written from DESIGN §2 and §7, not from the implementation. A span or chunk is `(document, start, end)`
with the document's number and its own offsets; a question is a list of alternatives, each a list of spans.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import sqrt

import numpy as np
from hypothesis import strategies as st

from kugiri.model.chunking import Chunking
from kugiri.model.corpus import Corpus, CorpusInfo, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question, Questions

Span = tuple[int, int, int]
Asked = list[list[Span]]

INFO = CorpusInfo("world", "世界", "ja", "CC0-1.0", "tests/worlds.py", "drawn at random")
IDS = ("甲:1", "乙@2", "丙%3A", "1", "が", "f")
# Everything that makes offsets go wrong: astral characters, clusters of several code points, every line end, spaces
# that are content, half-width kana with their own voicing mark, what NFKC expands.
PIECES = (
    "あ",
    "漢字",
    "。",
    "か\u3099",
    "👩\u200d🍳",
    "🇯🇵",
    "🍣",
    "\u3000",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\r\n\r\n",
    "\t",
    "\u00a0",
    "\u200b",
    "\u2028",
    "ｶﾞ",
    "㍿",
    "e\u0301",
    "A1",
)
HOSTILE = "始\u3000👩\u200d🍳はか\u3099\r\n🇯🇵の東\u200b京駅。\r\n\r\n\u3000終わりㇷ゚。"
"""One text with Japanese, a ZWJ emoji, a combining mark, U+3000, CRLF and a flag."""


@dataclasses.dataclass(frozen=True)
class World:
    """A corpus, questions and chunks, as plain values."""

    texts: tuple[str, ...]
    paragraphs: tuple[tuple[tuple[int, int], ...], ...]
    asked: tuple[Asked, ...]
    chunks: tuple[Span, ...]

    def corpus(self) -> Corpus:
        return corpus_of(self.texts, self.paragraphs)

    def questions(self) -> Questions:
        return questions_of(self.corpus(), self.asked)

    def chunking(self) -> Chunking:
        return chunking_of(self.corpus(), self.chunks)


def corpus_of(texts: Sequence[str], paragraphs: Sequence[tuple[tuple[int, int], ...]] | None = None) -> Corpus:
    recorded = paragraphs or [()] * len(texts)
    return Corpus.from_documents(
        INFO,
        [
            Document(IDS[number], text, None, pairs)
            for number, (text, pairs) in enumerate(zip(texts, recorded, strict=True))
        ],
    )


def records_of(asked: Iterable[Asked]) -> list[Question]:
    return [
        Question(
            f"q{number}",
            f"問{number}？",
            tuple(tuple(EvidenceSpan(IDS[d], s, e) for d, s, e in spans) for spans in alternatives),
        )
        for number, alternatives in enumerate(asked)
    ]


def questions_of(corpus: Corpus, asked: Iterable[Asked]) -> Questions:
    return Questions.from_records(corpus, records_of(asked))


def chunking_of(corpus: Corpus, chunks: Sequence[Span]) -> Chunking:
    origin = corpus.document_start.tolist()
    start = np.array([origin[d] + s for d, s, _ in chunks], dtype=np.int64)
    end = np.array([origin[d] + e for d, _, e in chunks], dtype=np.int64)
    return Chunking(corpus, start, end)


def local_chunks(chunking: Chunking) -> list[Span]:
    """The chunks of a chunking as oracles take them."""
    origin = chunking.corpus.document_start.tolist()
    return [
        (d, s - origin[d], e - origin[d])
        for d, s, e in zip(chunking.document.tolist(), chunking.start.tolist(), chunking.end.tolist(), strict=True)
    ]


# ------------------------------------------------------------------------------------------------ strategies
def hostile_text(most: int = 14) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PIECES), max_size=most).map("".join)


def worlds(answerable: bool = False) -> st.SearchStrategy[World]:
    """Small worlds; hypothesis shrinks how large they are, and a seed fills them (drawing every edge is slow)."""
    return st.builds(
        random_world,
        seed=st.integers(0, 10**6),
        documents=st.integers(1, 4),
        pieces=st.integers(0, 14),
        questions=st.integers(1, 6),
        answerable=st.just(answerable),
    )


def random_world(seed: int, documents: int, pieces: int, questions: int, answerable: bool = False) -> World:
    """Several documents, some of them empty; paragraphs recorded or not; chunks and questions of every shape."""
    draw = random.Random(seed)
    texts = [random_text(draw, pieces) for _ in range(documents)]
    if answerable and not any(texts):
        texts[-1] = HOSTILE
    lengths = [len(text) for text in texts]
    asked = [random_evidence(draw, lengths) for _ in range(questions)]
    if answerable and not any(asked):
        d = max(range(documents), key=lengths.__getitem__)
        asked[-1] = [[(d, 0, lengths[d])]]
    return World(
        tuple(texts),
        tuple(random_paragraphs(draw, length) for length in lengths),
        tuple(asked),
        tuple((d, s, e) for d, length in enumerate(lengths) for s, e in random_chunks(draw, length)),
    )


def random_text(draw: random.Random, pieces: int) -> str:
    return "" if draw.random() < 0.15 else "".join(draw.choices(PIECES, k=draw.randint(0, pieces)))


def random_paragraphs(draw: random.Random, length: int) -> tuple[tuple[int, int], ...]:
    """Sorted, disjoint, not empty; with gaps, without, or none recorded at all."""
    if not length or draw.random() < 0.4:
        return ()
    edges = sorted({0, length, *(draw.randint(0, length) for _ in range(draw.randint(0, 6)))})
    gaps = draw.choice((0, 0, 0.3))
    return tuple(pair for pair in pairwise(edges) if draw.random() >= gaps)


def random_chunks(draw: random.Random, length: int) -> list[tuple[int, int]]:
    """Starts and ends never decrease: a tiling, windows with overlaps, gaps, anything irregular, or nothing."""
    shape = draw.choice(("tiling", "windows", "irregular", "irregular", "irregular", "nothing"))
    if shape == "nothing" or not length:
        return []
    if shape == "tiling":
        return list(pairwise(sorted({0, length, *(draw.randint(0, length) for _ in range(draw.randint(0, 6)))})))
    if shape == "windows":
        size = draw.randint(1, length + 2)
        return fixed_windows(length, size, draw.randrange(size))
    spans = [random_span(draw, length) for _ in range(draw.randint(1, 8))]
    # Sorted apart, starts and ends stay in front of each other, and chunks overlap, nest and leave gaps.
    pairs = zip(sorted(s for s, _ in spans), sorted(e for _, e in spans), strict=True)
    return list(dict.fromkeys(pairs))


def random_span(draw: random.Random, length: int) -> tuple[int, int]:
    s = draw.randrange(length)
    # Mostly short, so that many are kept; now and then to the very end.
    return s, draw.choice((min(length, s + draw.randint(1, 4)), draw.randint(s + 1, length), length))


def random_evidence(draw: random.Random, lengths: Sequence[int]) -> Asked:
    """Zero to three alternatives of one to five spans, in several documents, with duplicates."""
    filled = [d for d, length in enumerate(lengths) if length]
    if not filled or draw.random() < 0.12:
        return []
    pool = [(d, *random_span(draw, lengths[d])) for d in draw.choices(filled, k=draw.randint(1, 6))]
    return [draw.choices(pool, k=draw.randint(1, 5)) for _ in range(draw.choice((1, 1, 2, 3)))]


# ------------------------------------------------------------------------------------------------ oracles
def characters(place: Span) -> set[tuple[int, int]]:
    d, s, e = place
    return {(d, position) for position in range(s, e)}


def holds(chunk: Span, span: Span) -> bool:
    """One single chunk of the same document wholly holds the span."""
    return characters(span) <= characters(chunk)


def first_of_each(asked: Asked) -> Asked:
    """Identical spans of an alternative once, alternatives of the same spans once: the first of each, in file order."""
    found: Asked = []
    seen: set[frozenset[Span]] = set()
    for spans in asked:
        if frozenset(spans) not in seen:
            seen.add(frozenset(spans))
            found.append(list(dict.fromkeys(spans)))
    return found


def is_contained(chunks: Sequence[Span], span: Span) -> bool:
    return any(holds(chunk, span) for chunk in chunks)


def is_kept(chunks: Sequence[Span], asked: Asked) -> bool:
    return any(all(is_contained(chunks, span) for span in spans) for spans in asked)


def is_lost(chunks: Sequence[Span], asked: Asked) -> bool:
    return bool(asked) and not is_kept(chunks, asked)


def shared(chunk: Span, span: Span) -> int:
    return len(characters(span) & characters(chunk))


def coverage(chunks: Sequence[Span], span: Span) -> Fraction:
    """The largest share of the span's characters in one chunk."""
    return Fraction(max((shared(chunk, span) for chunk in chunks), default=0), len(characters(span)))


def deciding_span(chunks: Sequence[Span], asked: Asked) -> Span:
    """The least-covered lost span of the alternative with the highest minimum coverage; ties take the first."""
    best: list[Span] | None = None
    highest = Fraction(-1)
    for spans in first_of_each(asked):
        lowest = min(coverage(chunks, span) for span in spans)
        if lowest > highest:
            best, highest = spans, lowest
    assert best is not None
    lost = [span for span in best if not is_contained(chunks, span)]
    least = min(coverage(chunks, span) for span in lost)
    return next(span for span in lost if coverage(chunks, span) == least)


def cause(chunks: Sequence[Span], span: Span) -> str:
    covered = {place for chunk in chunks for place in characters(chunk)}
    if not characters(span) <= covered:
        return "dropped"
    longest = max((e - s for d, s, e in chunks if d == span[0]), default=0)
    return "too_long" if span[2] - span[1] > longest else "cut"


def left_chunk(chunks: Sequence[Span], span: Span) -> Span | None:
    """The last chunk of the document that starts at or before the span."""
    found = [chunk for chunk in chunks if chunk[0] == span[0] and chunk[1] <= span[1]]
    return found[-1] if found else None


def right_chunk(chunks: Sequence[Span], span: Span) -> Span | None:
    """The first chunk of the document that ends at or after the span's end."""
    return next((chunk for chunk in chunks if chunk[0] == span[0] and chunk[2] >= span[2]), None)


def best_chunk(chunks: Sequence[Span], span: Span) -> Span | None:
    most = max((shared(chunk, span) for chunk in chunks), default=0)
    return next((chunk for chunk in chunks if shared(chunk, span) == most), None) if most else None


def cut_at(chunks: Sequence[Span], span: Span) -> int | None:
    left = left_chunk(chunks, span)
    return None if cause(chunks, span) == "dropped" or left is None else left[2]


def needs(chunks: Sequence[Span], asked: Asked) -> int | None:
    """The fewest chunks that complete an alternative, by trying every set of chunks, the small ones first."""
    fewest: int | None = None
    for spans in asked:
        useful = [chunk for chunk in chunks if any(holds(chunk, span) for span in spans)]
        for count in range(1, len(spans) + 1):
            if any(all(is_contained(some, span) for span in spans) for some in combinations(useful, count)):
                fewest = count if fewest is None else min(fewest, count)
                break
    return fewest


def written_characters(chunks: Sequence[Span], asked: Asked) -> tuple[float, ...] | None:
    """Recall, precision, IoU and precision omega of a question; None where it has not exactly one alternative."""
    alternatives = first_of_each(asked)
    if len(alternatives) != 1:
        return None
    (spans,) = alternatives
    evidence = set[tuple[int, int]]().union(*map(characters, spans))
    everywhere = set[tuple[int, int]]().union(*map(characters, chunks))
    covered, nowhere = len(evidence & everywhere), len(evidence - everywhere)
    summed = sum(len(characters(chunk)) for chunk in chunks if characters(chunk) & evidence)
    # An intersection that may be empty: the larger start is not behind the smaller end.
    near = [c for c in chunks if any(c[0] == d and max(c[1], s) <= min(c[2], e) for d, s, e in spans)]
    union = len(set[tuple[int, int]]().union(*map(characters, near)))
    return (
        covered / len(evidence),
        covered / summed if summed else 0.0,
        covered / (summed + nowhere),
        covered / (union + nowhere),
    )


def cluster_keys(world: World, by: str) -> list[object]:
    """What each question belongs to: its first span's recorded paragraph, else its document; None if unanswerable."""
    keys: list[object] = []
    for number, asked in enumerate(world.asked):
        if not asked:
            keys.append(None)
            continue
        d, s, e = asked[0][0]
        touched = [p for p in world.paragraphs[d] if set(range(s, e)) & set(range(*p))]
        if by == "none":
            keys.append(("question", number))
        elif by == "paragraph" and touched:
            keys.append((d, touched[0]))
        else:
            keys.append((d, "document"))
    return keys


def written_effective_n(events: Sequence[int], keys: Sequence[object]) -> float:
    """n / max(1, design effect); n² / Σ m² at 0 or n events, or in one cluster (DESIGN §7)."""
    n, p = len(events), sum(events) / len(events)
    groups: dict[object, list[int]] = {}
    for event, key in zip(events, keys, strict=True):
        groups.setdefault(key, []).append(event)
    if sum(events) in (0, n) or len(groups) == 1:
        return n * n / sum(len(group) ** 2 for group in groups.values())
    count = len(groups)
    squares = sum(sum(x - p for x in group) ** 2 for group in groups.values())
    return n / max(1.0, count / (count - 1) * squares / (n * p * (1 - p)))


def written_wilson(p: float, n: float) -> tuple[float, float]:
    """Wilson's interval as the root of (p − π)² = z² π (1 − π) / n."""
    z2 = 1.959963984540054**2
    a, b, c = 1 + z2 / n, -(2 * p + z2 / n), p * p
    root = sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def fixed_windows(length: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Windows start at 0, T, 2T, … and stop with the first that reaches the end."""
    made: list[tuple[int, int]] = []
    start = 0
    while length:
        made.append((start, min(start + size, length)))
        if start + size >= length:
            break
        start += size - overlap
    return made
