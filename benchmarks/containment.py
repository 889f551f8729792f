"""Containment of 1,000,000 spans in 1,000,000 chunks: time, memory a chunk, and the ratio to a plain loop.

    python benchmarks/containment.py [--spans 1000000] [--loop 300]

The plain loop asks every chunk of the span's document whether it holds the span, as a first version would; it runs
over a sample of the spans, and both are compared a span. Ratios are of one run on one machine.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

from kugiri.chunkers.fixed import Fixed
from kugiri.evidence.containment import Containment
from kugiri.model.corpus import Corpus, CorpusInfo, Document

DOCUMENTS, SIZE, OVERLAP = 1_000, 100, 20


def corpus_of(chunks: int) -> Corpus:
    length = chunks // DOCUMENTS * (SIZE - OVERLAP)
    text = "区切りを変えると、根拠が切れる。" * (length // 16 + 1)
    info = CorpusInfo("benchmark", "benchmark", "ja", "CC0-1.0", "generated", "one text many times")
    return Corpus.from_documents(info, [Document(str(number), text[:length]) for number in range(DOCUMENTS)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spans", type=int, default=1_000_000)
    parser.add_argument("--loop", type=int, default=300, help="spans that the plain loop is given")
    asked = parser.parse_args()

    corpus = corpus_of(1_000_000)
    draw = np.random.default_rng(1)
    length = int(corpus.document_start[1])
    start = np.sort(draw.integers(0, length - 150, asked.spans) + length * draw.integers(0, DOCUMENTS, asked.spans))
    end = start + draw.integers(1, 150, asked.spans)

    tracemalloc.start()
    chunking = Fixed(SIZE, OVERLAP).chunk(corpus)
    kept_bytes, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    best = min(timed(lambda: Containment.of(chunking, start, end).contained) for _ in range(5))
    contained = Containment.of(chunking, start, end).contained
    print(f"{len(chunking):,} chunks, {asked.spans:,} spans: {best:.3f} s")
    print(f"memory: {kept_bytes / len(chunking):.0f} bytes a chunk kept, {peak_bytes / len(chunking):.0f} at the peak")

    document = corpus.document_of(chunking.start).tolist()
    chunks: dict[int, list[tuple[int, int]]] = {}
    for owner, low, high in zip(document, chunking.start.tolist(), chunking.end.tolist(), strict=True):
        chunks.setdefault(owner, []).append((low, high))
    sample = draw.choice(asked.spans, asked.loop, replace=False)

    began = time.perf_counter()
    looped = [
        any(low <= start[span] and end[span] <= high for low, high in chunks[int(start[span]) // length])
        for span in sample.tolist()
    ]
    loop = time.perf_counter() - began
    assert looped == contained[sample].tolist(), "the loop and the engine disagree"
    print(f"plain loop: {loop / asked.loop * 1e6:,.0f} µs a span; engine {best / asked.spans * 1e6:.3f} µs a span")
    print(f"ratio: {loop / asked.loop / (best / asked.spans):,.0f}")


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
