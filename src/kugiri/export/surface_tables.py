"""The results of a loss surface: its table, and the facts beside it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pyarrow as pa

from kugiri.export.arrow import columns_as
from kugiri.export.facts import common_facts
from kugiri.segmenters.graphemes import Graphemes
from kugiri.segmenters.unidic import Unidic
from kugiri.sweeps.surface import SurfaceResults


def surface_table(results: SurfaceResults) -> pa.Table:
    """`surface`, a row a pair of size and overlap."""
    found, computed = results.surface, results.plan.expected
    nothing = [None] * len(found)
    return columns_as(
        "surface",
        {
            "size": found.size,
            "overlap": found.overlap,
            "share": [None if np.isnan(share) else share for share in found.share.tolist()],
            "chunks": found.chunks,
            "indexed": found.indexed,
            "lost": found.lost,
            "expected": found.expected if computed else nothing,
            "sd": found.deviation if computed else nothing,
            "least": found.least if computed else nothing,
            "most": found.most if computed else nothing,
            "front": results.front if computed else nothing,
        },
    )


def surface_facts(results: SurfaceResults, text: bool = True) -> dict[str, Any]:
    """The content of `surface.json`; a surface holds no text of the corpus, with `text` or without."""
    plan, asked = results.plan, results.questions
    distinct = len(set(asked.texts))
    finds: dict[str, Graphemes | Unidic] = {"grapheme": Graphemes(), "morpheme": Unidic()}
    tokens = {} if results.tokenizer_version is None else {plan.tokenizer_used: results.tokenizer_version}
    left_out = len(plan.sizes) * len(plan.overlaps) - len(results.surface)
    return {
        **common_facts(results, text),
        "baseline": None,
        "unit": plan.unit,
        "tokenizer": plan.tokenizer_used if plan.unit == "token" else None,
        "expected": plan.expected,
        "target": float(plan.target),
        "guarantee": results.guarantee,
        "overlaps_enough": [dataclasses.asdict(row) for row in results.overlaps_enough],
        "sizes_enough": [dataclasses.asdict(row) for row in results.sizes_enough],
        "warnings": [
            *([{"code": "pairs_left_out", "pairs": left_out}] if left_out else []),
            *(
                [{"code": "repeated_questions", "questions": len(asked), "distinct": distinct}]
                if distinct < len(asked)
                else []
            ),
        ],
        "components": {**{str(finds[unit]): finds[unit].version for unit in finds if unit == plan.unit}, **tokens},
    }
