"""What a results folder keeps of rankings: budgets and, where asked for, the runs themselves."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kugiri.export.arrow import columns_as, table
from kugiri.export.schemas import schema
from kugiri.labels import parse
from kugiri.sweeps.results import SweepResults


def budgets(results: SweepResults) -> pa.Table:
    """The table `budgets`: what fits into each budget of the sweep's metrics."""
    answerable, rows = results.questions.answerable, []
    stated = sorted({int(dict(parse(metric).arguments).get("budget", 0)) for metric in results.plan.metrics} - {0})
    for result in results.configurations:
        if result.ranking is None:
            continue
        lengths = result.ranking.chunk_lengths()[answerable]
        for budget in stated:
            fits = (np.cumsum(lengths, axis=1) <= budget) & (lengths > 0)
            rows.append(
                {
                    "configuration": str(result.configuration),
                    "budget": budget,
                    "chunks_mean": float(fits.sum(axis=1).mean()),
                    "chars_mean": float((lengths * fits).sum(axis=1).mean()),
                }
            )
    return table("budgets", rows)


def runs(results: SweepResults) -> pa.Table:
    """The table `runs`: every ranking whole."""
    parts = [schema("runs").empty_table()]
    question_ids, document_ids = (
        pa.array(ids, type=pa.string()) for ids in (results.questions.ids, results.corpus.ids)
    )
    for result in results.configurations:
        if result.ranking is None:
            continue
        run, chunking = result.ranking.run, result.loss.chunking
        question, place = np.nonzero(run.chunk >= 0)
        chunk = run.chunk[question, place]
        document = chunking.document[chunk]
        origin = results.corpus.document_start[document]
        columns = {
            "configuration": [str(result.configuration)] * len(chunk),
            "question_id": question_ids.take(pa.array(question)),
            "rank": place + 1,
            "document_id": document_ids.take(pa.array(document)),
            "start": chunking.start[chunk] - origin,
            "end": chunking.end[chunk] - origin,
            "score": run.score[question, place],
        }
        parts.append(columns_as("runs", columns))
    return pa.concat_tables(parts).combine_chunks()
