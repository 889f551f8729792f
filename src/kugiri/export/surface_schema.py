"""The table of a loss surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from kugiri.export.schemas import Columns

_COUNT, _REAL = pa.int64(), pa.float64()

SURFACE: Columns = (
    ("size", _COUNT, "Units in a window."),
    ("overlap", _COUNT, "Units that neighbouring windows share."),
    ("share", _REAL, "The overlap as a share of the size, as it was asked for; null where units were asked for."),
    ("chunks", _COUNT, "Number of windows over all documents, each a vector."),
    ("indexed", _COUNT, "Units of all windows, overlap counted each time; with unit = char, the indexed characters."),
    ("lost", _COUNT, "Lost questions where the first window starts with the document."),
    ("expected", _REAL, "Mean of the lost questions over all alignments (DESIGN §7); null with --no-expected."),
    ("sd", _REAL, "Population standard deviation of the lost questions over all alignments; null with --no-expected."),
    ("least", _COUNT, "Fewest lost questions at any alignment; null with --no-expected."),
    ("most", _COUNT, "Most lost questions at any alignment; null with --no-expected."),
    (
        "front",
        pa.bool_(),
        (
            "Whether no other pair has fewer chunks and no more expected loss, or less with no more chunks; of equal "
            "ones the first; null with --no-expected."
        ),
    ),
)
