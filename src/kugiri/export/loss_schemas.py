"""The tables that look at losses more closely: other rules, units and metrics, and where questions are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from kugiri.export.schemas import Columns

_TEXT, _COUNT, _REAL = pa.string(), pa.int64(), pa.float64()

RULES: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    (
        "rule",
        _TEXT,
        (
            "any_alternative (ours), all_alternatives (every span of every alternative contained), coverage(share=t) "
            "(the best chunk has the share t of each span's characters or more) or touched (some chunk has any)."
        ),
    ),
    ("lost", _COUNT, "Answerable questions that are lost under this rule."),
    ("lost_rate", _REAL, "lost ÷ answerable questions."),
)

EVIDENCE_UNITS: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    ("unit", _TEXT, "What is registered as evidence: the exact span, its whole sentence or its whole paragraph."),
    ("recorded", pa.bool_(), "Whether the corpus records the unit; else it was computed from the spans."),
    ("chars_mean", _REAL, "Mean length of the evidence in this unit in characters, over all of its spans."),
    ("chunks", _COUNT, "Number of vectors in an index."),
    ("lost", _COUNT, "Answerable questions that are lost with their evidence in this unit."),
    ("lost_rate", _REAL, "lost ÷ answerable questions."),
    ("expected", _REAL, "Mean of lost over all alignments of fixed windows; null for other strategies."),
    ("false_alarms", _COUNT, "Questions of lost that the exact spans keep."),
    ("false_alarms_too_long", _COUNT, "Those of them whose unit is longer than every chunk of its document."),
    ("missed", _COUNT, "Questions lost with the exact spans and kept in this unit: 0 where units hold their spans."),
    (
        "chosen",
        pa.bool_(),
        (
            "Whether the fixed rule takes this configuration for the unit: the fewest vectors with an expected loss of "
            "at most 1 % (the observed one where none is expected), the first of those with as many."
        ),
    ),
)

CHARACTERS: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    (
        "questions",
        _COUNT,
        "Answerable questions of exactly one alternative: those that the means of this table are over.",
    ),
    (
        "recall",
        _REAL,
        "Mean of evidence characters in chunks ÷ evidence characters, without retrieval; null without questions.",
    ),
    (
        "precision",
        _REAL,
        "Mean of evidence characters in chunks ÷ summed lengths of the chunks that hold any; null without questions.",
    ),
    (
        "iou",
        _REAL,
        (
            "Mean of evidence characters in chunks ÷ summed lengths of the chunks that hold any and evidence in no "
            "chunk; null without questions."
        ),
    ),
    (
        "precision_omega",
        _REAL,
        (
            "Mean of evidence characters in chunks ÷ characters of the union of the chunks that overlap or touch the "
            "evidence and evidence in no chunk; null without questions."
        ),
    ),
    (
        "recall_full_lost",
        _COUNT,
        (
            "Number of those questions that are lost although every character of their evidence is in some chunk; "
            "null without questions."
        ),
    ),
    (
        "recall_full_lost_ids",
        pa.list_(pa.field("element", _TEXT)),
        "Ids of the questions that recall_full_lost counts, in file order; null without questions.",
    ),
)

LOSS_SLICES: Columns = (
    ("configuration", _TEXT, "Label of the configuration."),
    ("by", _TEXT, "What groups the questions: length, position, document, tag, kind or cause."),
    (
        "value",
        _TEXT,
        (
            "The group: characters of the longest span that has to be kept, tenth of the document in which the first "
            "span starts, id of its document, a tag, a kind, a cause; documents without a lost question are left out."
        ),
    ),
    ("questions", _COUNT, "Answerable questions of the group; of a cause, all of them."),
    ("lost", _COUNT, "Those that are lost; of a cause, those lost for it."),
    ("lost_rate", _REAL, "lost ÷ questions."),
    ("low", _REAL, "Lower limit of the 95 % Wilson interval of lost_rate, effective n over the sweep's clusters."),
    ("high", _REAL, "Upper limit of the 95 % Wilson interval of lost_rate, effective n over the sweep's clusters."),
)
