"""Fixed windows over any units: whether they keep a span is arithmetic on the units that it touches."""

from __future__ import annotations

import numpy as np

from kugiri.model.columns import Bool, Int64
from kugiri.model.windows import Windows
from kugiri.segmenters.units import Units


def contained_by_unit_windows(units: Units, start: Int64, end: Int64, windows: Windows) -> Bool:
    """bool[S]: a span `[start, end)` of the axis is kept iff (a mod T) + (b − a + 1) ≤ size.

    a is the last unit of the span's document that starts at or before the span, b the first that ends at or after it,
    both counted from the document's first; where there is none, no window holds the span. A window starts early enough
    iff its first unit is at or before a, and the last such window reaches farthest. It ends late enough iff b is in it;
    where the document's units ended before that window was due, the window in front of it has the last unit and holds
    the span, and the inequality holds too. b may lie before a, where units overlap or the span lies between two.
    """
    document = units.corpus.document_of(start)
    low, high = units.edge[document], units.edge[document + 1]
    first = np.searchsorted(units.start, start, side="right") - 1
    last = np.searchsorted(units.end, end, side="left")
    fits = (first - low) % windows.stride + (last - first + 1) <= windows.size
    return np.asarray(fits & (first >= low) & (last < high))
