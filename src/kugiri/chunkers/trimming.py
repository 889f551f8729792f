"""Trimming: the same chunks without the white space at their edges."""

from __future__ import annotations

import numpy as np

from kugiri.model.chunking import Chunking
from kugiri.segmenters.white_space import white_runs


def trimmed(chunking: Chunking) -> Chunking:
    """The chunks with both ends moved past white space; a chunk of nothing else is dropped.

    The ends move and the text is not touched: a chunk is still a slice of its document. No two chunks change places,
    because of two starts the later finds its first character no earlier, and ends likewise. Chunks that become equal
    are merged and counted like any others.
    """
    start, end = chunking.start, chunking.end
    run_start, run_end = white_runs(chunking.corpus)
    if not len(run_start):
        return chunking
    # The first run that ends behind the start, and the last that begins in front of the end: whether the edge is in it.
    after = np.minimum(np.searchsorted(run_end, start, side="right"), len(run_end) - 1)
    before = np.maximum(np.searchsorted(run_start, end, side="left") - 1, 0)
    start = np.where((run_start[after] <= start) & (start < run_end[after]), run_end[after], start)
    end = np.where((run_start[before] < end) & (end <= run_end[before]), run_start[before], end)
    some = start < end
    return Chunking(chunking.corpus, start[some], end[some], chunking.merged)
