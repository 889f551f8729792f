"""The published figures of BM25 over all 4,038 JSQuAD questions (findings A), computed here in a few lines."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest
from asked import evidence_task

from kugiri import catalog
from kugiri.formats.importing import import_corpus
from kugiri.formats.squad import JSquad
from kugiri.retrievers.bm25 import Bm25

CORPORA = os.environ.get("KUGIRI_CORPORA")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CORPORA is None, reason="KUGIRI_CORPORA is not set to the folder of real corpora"),
]
PUBLISHED = {"paragraph()": (0.953, 0.977, 0.921, 0.905), "fixed(size=100)": (0.820, 0.882, 0.763, 0.733)}


@pytest.mark.parametrize("retriever", [Bm25(), Bm25(fold=False)], ids=str)
def test_bm25_is_where_the_independent_script_is(tmp_path: Path, retriever: Bm25) -> None:
    source = Path(CORPORA or ".") / "jsquad" / "valid-v1.3.json"
    loaded = import_corpus(JSquad(), [source], tmp_path / "jsquad").loaded
    questions = loaded.questions
    for label, published in PUBLISHED.items():
        task = evidence_task(catalog.chunker(label).chunk(loaded.corpus), questions)
        run, ranges = retriever.rank(task), task.ranges
        assert ranges is not None
        holding: list[set[int]] = [set() for _ in questions.ids]
        for span, question in enumerate(questions.evidence.span_question.tolist()):
            holding[question] |= set(range(int(ranges.first[span]), int(ranges.last[span])))
        ranks = [
            next((place for place, chunk in enumerate(row, start=1) if chunk in holding[question]), math.inf)
            for question, row in enumerate(run.chunk.tolist())
        ]
        assert len(ranks) == 4_038
        ours = (
            sum(rank <= 5 for rank in ranks),
            sum(rank <= 20 for rank in ranks),
            sum(1 / math.log2(1 + rank) for rank in ranks if rank <= 10),
            sum(1 / rank for rank in ranks if rank <= 10),
        )
        assert [total / len(ranks) for total in ours] == pytest.approx(published, abs=0.012)
        if not retriever.fold:
            assert [total / len(ranks) for total in ours] == pytest.approx(published, abs=0.001)
