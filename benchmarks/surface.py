"""The loss surface: 9,996 pairs of size and overlap over all JSQuAD questions, and the ratio to making every chunk.

    KUGIRI_CORPORA=../shared/corpora python benchmarks/surface.py [--every 97]

Observed losses alone, then with expected loss (mean, standard deviation, least and most over all alignments). Beside
them the obvious way, over every 97th pair: all chunks of the pair are made and two binary searches a span say whether
one contains it; for expected loss the same at a few alignments, times their number. Counts are compared. Seconds of the
processor, after the corpus is read; ratios are of one run on one machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from kugiri.chunkers.fixed import Fixed
from kugiri.evidence.loss import evidence_loss
from kugiri.evidence.placed import PlacedEvidence
from kugiri.evidence.surface import loss_surface
from kugiri.formats.importing import import_corpus
from kugiri.formats.pseudo_documents import Join
from kugiri.formats.squad import JSquad
from kugiri.model.corpus import Corpus
from kugiri.model.evidence import Evidence
from kugiri.model.windows import Windows

PHASES = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=97, help="which pairs the obvious way is given")
    asked = parser.parse_args()
    corpora = os.environ.get("KUGIRI_CORPORA")
    if not corpora:
        sys.exit("set KUGIRI_CORPORA to the folder that holds jsquad/valid-v1.3.json")
    with tempfile.TemporaryDirectory() as work:
        files = [Path(corpora) / "jsquad/valid-v1.3.json"]
        loaded = import_corpus(JSquad(), files, Path(work) / "jsquad", Join(separator="")).loaded
    corpus, questions = loaded.corpus, loaded.questions

    pairs = [Windows(size, share / 100) for size in range(50, 2001, 10) for share in range(51)]
    began = time.process_time()
    observed = loss_surface(PlacedEvidence.of(corpus, questions.evidence), pairs, expected=False)
    without = time.process_time() - began
    began = time.process_time()
    surface = loss_surface(PlacedEvidence.of(corpus, questions.evidence), pairs)
    whole = time.process_time() - began
    print(
        f"{len(pairs):,} pairs, {len(questions):,} questions: observed {without:.2f} s, "
        f"with expected loss {whole:.2f} s"
    )

    sample = range(0, len(pairs), asked.every)
    began = time.process_time()
    made = [evidence_loss(corpus, questions, Fixed(pairs[row].size, pairs[row].overlap)) for row in sample]
    chunks = (time.process_time() - began) / len(sample)
    assert [int(loss.lost.sum()) for loss in made] == observed.lost[sample].tolist()
    assert [len(loss.chunking) for loss in made] == observed.chunks[sample].tolist()
    print(f"every chunk made: {1000 * chunks:.2f} ms a pair; ratio {chunks * len(pairs) / without:,.0f}")

    draw, spent = np.random.default_rng(1), 0.0
    for row in sample:
        windows = pairs[row]
        for phase in draw.integers(0, windows.stride, PHASES).tolist():
            began = time.process_time()
            lost = lost_at(corpus, questions.evidence, windows, phase)
            spent += (time.process_time() - began) * windows.stride / PHASES
            assert surface.least[row] <= lost <= surface.most[row]
    spent *= len(pairs) / len(sample)
    print(f"every chunk made at every alignment: about {spent / 60:,.0f} minutes; ratio {spent / whole:,.0f}")


def lost_at(corpus: Corpus, evidence: Evidence, windows: Windows, phase: int) -> int:
    """The lost questions where the first window starts `phase` characters before each document."""
    lengths, origin = np.diff(corpus.document_start), corpus.document_start[:-1]
    reach = np.where(lengths <= windows.size, windows.size, lengths + phase)
    first = np.where(lengths <= windows.size, 0, -phase)
    counts = 1 + np.maximum(-(-(reach - windows.size) // windows.stride), 0)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    start = np.repeat(origin + first, counts) + number * windows.stride
    end = np.minimum(start + windows.size, np.repeat(origin + lengths, counts))
    start = np.maximum(start, np.repeat(origin, counts))
    some = start < end
    start, end = start[some], end[some]
    held = np.searchsorted(end, evidence.end, "left") < np.searchsorted(start, evidence.start, "right")
    missing = np.bincount(evidence.alternative, weights=~held, minlength=len(evidence.question))
    kept = np.unique(evidence.question[missing == 0])
    return int(evidence.answerable.sum()) - len(kept)


if __name__ == "__main__":
    main()
