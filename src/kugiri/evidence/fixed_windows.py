"""Fixed windows need no chunks: whether they keep a span is arithmetic on the span."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Bool, Int64
from kugiri.model.windows import Windows, resolved

_SIZES_AT_ONCE = 256


def contained_by_windows(start: Int64, length: Int64, windows: Windows) -> Bool:
    """bool[S]: a span `[start, start + length)` of an untrimmed document is kept iff (s mod T) + ℓ ≤ size.

    `start` counts from the start of the document. The window that starts last at or before s is the one that reaches
    farthest beyond it; where the document ended before that window was due, the window in front of it reaches the
    document's end and holds the span, and the inequality holds too because the span ends in the document.
    """
    return start % windows.stride + length <= windows.size


def size_needed(start: Int64, length: Int64, windows: Windows) -> Int64:
    """int64[S]: the smallest size above `windows.size`, with the overlap as written, that keeps each span where it is.

    Neither monotone in size nor a guarantee for other alignments (DESIGN §7). It exists: from `start + length` on, the
    first window holds the span. Sizes are tried in blocks, and a span leaves with the first block that keeps it.
    """
    found = np.zeros(len(start), dtype=np.int64)
    open_spans = np.arange(len(start))
    base = windows.size + 1
    while len(open_spans):
        sizes = np.arange(base, base + _SIZES_AT_ONCE)
        strides = sizes - np.array([resolved(size, windows.overlap) for size in sizes.tolist()])
        keeps = start[open_spans, None] % strides + length[open_spans, None] <= sizes
        hit = keeps.any(axis=1)
        found[open_spans[hit]] = sizes[keeps[hit].argmax(axis=1)]
        open_spans = open_spans[~hit]
        base += _SIZES_AT_ONCE
    return found
