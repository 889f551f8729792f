"""The tables of a results folder: every column, its Arrow type, and one sentence on what it means.

The sentences travel in the Parquet field metadata under `description`, and the schema page of the documentation is made
from them. Ids are strings. All offsets are the document's own, half-open, in Unicode code points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from kugiri.export.loss_schemas import CHARACTERS, EVIDENCE_UNITS, LOSS_SLICES, RULES
from kugiri.export.surface_schema import SURFACE

Columns = Sequence[tuple[str, pa.DataType, str]]

_TEXT, _COUNT, _REAL = pa.string(), pa.int64(), pa.float64()

CONFIGURATIONS: Columns = (
    ("configuration", _TEXT, "Label of the configuration: CHUNKER, or CHUNKER + RETRIEVER."),
    ("chunker", _TEXT, "Label of the chunking strategy."),
    ("retriever", _TEXT, "Label of the retriever; null without retrieval."),
    (
        "chunks",
        _COUNT,
        "Number of chunks in an index, each a vector; of parent and child, the children.",
    ),
    ("chunk_chars_mean", _REAL, "Mean length of a delivered chunk in characters; null without chunks."),
    ("indexed_chars", _COUNT, "Characters of all indexed chunks, overlap and context (headings) counted each time."),
    ("redundancy", _REAL, "Indexed characters ÷ corpus characters; null for an empty corpus."),
    ("clusters_split", _COUNT, "Grapheme clusters that an edge of a chunk cuts in two."),
    ("too_long_chunks", _COUNT, "Chunks longer than the strategy's own size; null where it has none."),
    ("identical_to", _TEXT, "The first configuration above with exactly the same chunks; null where there is none."),
    ("questions", _COUNT, "Answerable questions: the denominator of every mean and of lost_rate."),
    ("unanswerable", _COUNT, "Questions without evidence in this corpus: in no denominator."),
    ("lost", _COUNT, "Answerable questions of which no alternative is kept."),
    ("lost_rate", _REAL, "lost ÷ questions."),
    ("lost_low", _REAL, "Lower limit of the 95 % Wilson interval of lost_rate, effective n over the sweep's clusters."),
    (
        "lost_high",
        _REAL,
        "Upper limit of the 95 % Wilson interval of lost_rate, effective n over the sweep's clusters.",
    ),
    ("lost_low_document", _REAL, "Lower limit of the same interval with documents as clusters."),
    ("lost_high_document", _REAL, "Upper limit of the same interval with documents as clusters."),
    (
        "expected_lost",
        _REAL,
        "Mean of lost over all alignments of fixed windows (DESIGN §7); null for other strategies.",
    ),
    (
        "expected_lost_sd",
        _REAL,
        "Population standard deviation of lost over the alignments; null for other strategies.",
    ),
    ("lost_least", _COUNT, "Fewest lost questions at any alignment; null for other strategies."),
    ("lost_most", _COUNT, "Most lost questions at any alignment; null for other strategies."),
)
"""Without the metric columns, one a metric of the sweep, and the rank classes: `configurations_schema` adds them."""

RANK_CLASSES: Columns = (
    ("rank_1", _COUNT, "Questions answered at rank 1; null without retrieval."),
    ("rank_2_5", _COUNT, "Questions answered at ranks 2 to 5; null without retrieval."),
    ("rank_6_20", _COUNT, "Questions answered at ranks 6 to 20; null without retrieval."),
    (
        "rank_beyond",
        _COUNT,
        "Questions not answered in the first 20 ranks, lost ones included; null without retrieval.",
    ),
)

OUTCOMES: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    ("question_id", _TEXT, "Id of the question."),
    ("metric", _TEXT, "Label of the metric."),
    ("value", _REAL, "The question's value; null where not defined, never zero for missing."),
    ("defined", pa.bool_(), "Whether the metric has a value for this question."),
)

COMPARISONS: Columns = (
    ("metric", _TEXT, "Label of the metric; `lost` compares the shares of lost questions."),
    ("a", _TEXT, "Label of the first configuration."),
    ("b", _TEXT, "Label of the second configuration."),
    ("questions", _COUNT, "Questions on which both have a value."),
    ("clusters", _COUNT, "Clusters of those questions."),
    ("value_a", _REAL, "Mean of a."),
    ("value_b", _REAL, "Mean of b."),
    ("difference", _REAL, "value_b − value_a."),
    ("low", _REAL, "Lower limit of the 95 % BCa bootstrap interval of the difference; null where not computed."),
    ("high", _REAL, "Upper limit of the 95 % BCa bootstrap interval of the difference; null where not computed."),
    ("percentile_low", _REAL, "Lower limit of the 95 % percentile bootstrap interval; null where not computed."),
    ("percentile_high", _REAL, "Upper limit of the 95 % percentile bootstrap interval; null where not computed."),
    ("p", _REAL, "Two-sided p of the sign-flip test by cluster; null where not computed."),
    ("p_adjusted", _REAL, "p adjusted over the family by single-step max-T; null where not computed."),
    ("p_holm", _REAL, "p adjusted by Holm, where it can reject; null where not computed."),
    ("wins", _COUNT, "Questions on which b does better; for `lost`, those that a loses and b keeps."),
    ("ties", _COUNT, "Questions on which both do the same."),
    ("losses", _COUNT, "Questions on which b does worse; for `lost`, those that a keeps and b loses."),
    ("smallest_detectable", _REAL, "True difference that these questions find with 80 % power; null if unknown."),
    ("questions_needed", _COUNT, "Questions that find the difference stated in the sweep; null where none is stated."),
    (
        "decision",
        _TEXT,
        "differs, no difference detected, equivalent, or nested (one lost set must contain the other).",
    ),
    (
        "alignment_share",
        _REAL,
        (
            "Share of pairs of alignments, one of a and one of b, at which a loses fewer questions than b, ties half; "
            "null unless the metric is `lost` and both are fixed windows of different chunks."
        ),
    ),
)

STANDINGS: Columns = (
    ("metric", _TEXT, "Label of the metric; `lost` is the share of lost questions, of which less is better."),
    ("configuration", _TEXT, "Label of the configuration; for `lost`, the first with its chunker."),
    ("value", _REAL, "Mean over all answerable questions."),
    ("low", _REAL, "Lower limit of the 95 % BCa bootstrap interval of the mean."),
    ("high", _REAL, "Upper limit of the 95 % BCa bootstrap interval of the mean."),
    ("percentile_low", _REAL, "Lower limit of the 95 % percentile bootstrap interval of the mean."),
    ("percentile_high", _REAL, "Upper limit of the 95 % percentile bootstrap interval of the mean."),
    ("not_distinguishable", pa.bool_(), "Whether no other configuration beats it significantly in the family."),
    ("probability_best", _REAL, "Share of resamples in which it is the best, ties split; no posterior probability."),
)

BUDGETS: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    ("budget", _COUNT, "Characters that the ranked chunks may sum to, overlap counted each time."),
    ("chunks_mean", _REAL, "Mean number of chunks that fit, over answerable questions."),
    ("chars_mean", _REAL, "Mean number of characters they use, over answerable questions."),
)

RUNS: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    ("question_id", _TEXT, "Id of the question."),
    ("rank", _COUNT, "Position in the ranking, from 1; ties in document order, then start, then end."),
    ("document_id", _TEXT, "Document of the chunk."),
    ("start", _COUNT, "Start of the chunk."),
    ("end", _COUNT, "End of the chunk."),
    ("score", _REAL, "The retriever's score."),
)

LOST: Columns = (
    ("configuration", _TEXT, "Label of the configuration that loses the question."),
    ("question_id", _TEXT, "Id of the question."),
    ("question", _TEXT, "Text of the question; null with --no-text."),
    ("kind", _TEXT, "single, multiple or confusable; null where the corpus does not say."),
    ("document_id", _TEXT, "Document of the span that decides: the least covered of the best alternative."),
    ("evidence_start", _COUNT, "Start of that span."),
    ("evidence_end", _COUNT, "End of that span."),
    ("evidence_text", _TEXT, "Text of that span; null with --no-text."),
    ("cause", _TEXT, "dropped (a character in no chunk), too_long (longer than every chunk of its document), or cut."),
    ("cut_at", _COUNT, "Where the left chunk ends, inside the span; null if dropped."),
    ("left_chunk_id", _TEXT, "The last chunk that starts at or before the span; null where there is none."),
    ("right_chunk_id", _TEXT, "The first chunk that ends at or after the span's end; null where there is none."),
    ("best_chunk_id", _TEXT, "The chunk with the largest share of the span; null where no chunk has any of it."),
    ("best_coverage", _REAL, "That share of the span's characters."),
    (
        "overlap_needed",
        _COUNT,
        "Overlap that keeps a span of this length at every alignment; null if it is the size or more.",
    ),
    ("size_needed", _COUNT, "Smallest larger size, same overlap as written, that keeps this span at this alignment."),
    ("lost_probability", _REAL, "Share of alignments at which the question is lost; null unless windows are fixed."),
    ("excerpt", _TEXT, "The passage, the span in 【 】 and ｜ at the cut; null with --no-text."),
)

QUESTIONS: Columns = (
    ("question_id", _TEXT, "Id of the question; a row a span, one row for an unanswerable question."),
    ("question", _TEXT, "Text of the question; null with --no-text."),
    ("kind", _TEXT, "single, multiple, confusable or unanswerable; null where the corpus does not say."),
    ("tags", pa.list_(pa.field("element", _TEXT)), "Tags of the question."),
    ("split", _TEXT, "development or test; null where the corpus does not say."),
    ("alternative", _COUNT, "Number of the alternative, from 0; null for an unanswerable question."),
    ("document_id", _TEXT, "Document of the span; null for an unanswerable question."),
    ("start", _COUNT, "Start of the span; null for an unanswerable question."),
    ("end", _COUNT, "End of the span; null for an unanswerable question."),
    ("passage_start", _COUNT, "Where the passage starts in the document; null for an unanswerable question."),
    ("passage", _TEXT, "The span with up to 300 characters on either side; null with --no-text."),
)

CHUNKS: Columns = (
    ("chunker", _TEXT, "Label of the chunking strategy."),
    ("document_id", _TEXT, "Document of the chunk."),
    ("start", _COUNT, "Start of the chunk."),
    ("end", _COUNT, "End of the chunk."),
)

COSTS: Columns = (
    ("configuration", _TEXT, "Label of the configuration; a row for each of the sweep's models."),
    ("model", _TEXT, "Name of the embedding model in the sweep file; `sweep.json` has what the file says of it."),
    ("vectors", _COUNT, "Number of vectors in an index."),
    ("indexed_chars", _COUNT, "Characters of all indexed chunks, overlap and context (headings) counted each time."),
    (
        "indexed_tokens",
        _COUNT,
        (
            "Tokens sent to the model: special tokens, prefix, context and whole text of every vector, each counted by "
            "itself; null without a tokenizer."
        ),
    ),
    ("bytes", _COUNT, "vectors × dimensions × bytes per number; null without dimensions."),
    ("seconds", _REAL, "indexed_tokens ÷ tokens per second; null where either is unknown."),
    ("price", _REAL, "indexed_tokens × price of a million ÷ 1,000,000; null where either is unknown."),
    ("currency", _TEXT, "Currency of price; null without a price."),
    ("max_tokens", _COUNT, "The model's longest input; null where the sweep file does not say."),
    ("longer_vectors", _COUNT, "Vectors whose input is longer than max_tokens; null without a limit or a tokenizer."),
    (
        "truncated",
        _COUNT,
        (
            "Questions that are kept, but of which no alternative has every span in what the model sees of a chunk; "
            "never lost ones; null without a limit or a tokenizer."
        ),
    ),
    ("truncated_rate", _REAL, "truncated ÷ answerable questions; null where truncated is."),
)

MEASURED: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    ("stage", _TEXT, "chunking, or evidence (containment, causes and needs)."),
    ("seconds", _REAL, "Wall-clock seconds on the machine that manifest.json describes."),
)

_PLAIN: Mapping[str, Columns] = {
    "outcomes": OUTCOMES,
    "comparisons": COMPARISONS,
    "standings": STANDINGS,
    "lost": LOST,
    "questions": QUESTIONS,
    "chunks": CHUNKS,
    "budgets": BUDGETS,
    "costs": COSTS,
    "rules": RULES,
    "evidence_units": EVIDENCE_UNITS,
    "characters": CHARACTERS,
    "loss_slices": LOSS_SLICES,
    "measured": MEASURED,
    "runs": RUNS,
    "surface": SURFACE,
}

TABLES = ("configurations", *(name for name in _PLAIN if name not in ("runs", "surface")))
"""The names of the tables of every sweep's results, `tables/NAME.parquet`; `runs` is one more where it is asked for."""


def schema(table: str, metrics: Sequence[str] = ()) -> pa.Schema:
    """The Arrow schema of one table; `metrics` are the sweep's metric labels, columns of `configurations`.

    Raises:
        KeyError: there is no such table.
    """
    columns = (
        _PLAIN[table]
        if table != "configurations"
        else (
            *CONFIGURATIONS,
            *(
                (metric, _REAL, f"Mean of {metric} over all answerable questions; null without retrieval.")
                for metric in metrics
            ),
            *RANK_CLASSES,
        )
    )
    fields = [pa.field(name, kind, metadata={"description": meaning}) for name, kind, meaning in columns]
    return pa.schema(fields, metadata={"kugiri.table": table, "kugiri.offset_unit": "codepoint"})
