"""What the parameters of packing chunkers have in common."""

from __future__ import annotations

from typing import Any

from kugiri.chunkers.measures import Measure, measure
from kugiri.chunkers.packing import pack
from kugiri.chunkers.pieces import Pieces
from kugiri.chunkers.trimming import trimmed
from kugiri.model.chunking import Chunking
from kugiri.model.windows import Windows
from kugiri.segmenters.tokenizers import demand_tokenizer


def settle_overlap(component: Any) -> None:
    """Check `size`, `overlap` and `tokenizer`; one label for one meaning: no overlap is 0, a share a Python float.

    Raises:
        InputError: as `kugiri.model.windows.Windows` and `kugiri.segmenters.tokenizers.demand_tokenizer`.
    """
    overlap = Windows(component.size, component.overlap).overlap
    plain = 0 if overlap == 0 else float(overlap) if isinstance(overlap, float) else overlap
    object.__setattr__(component, "overlap", plain)
    demand_tokenizer(component.tokenizer)


def packed(pieces: Pieces, component: Any, measured: Measure | None = None) -> Chunking:
    """The pieces packed as the component's `size`, `overlap`, `tokenizer` and `trim` say.

    Args:
        pieces: the places to cut.
        component: the chunker.
        measured: what its tokenizer measures, of slices trimmed as it says, where the caller has it already.
    """
    windows = Windows(component.size, component.overlap)
    made = measured if measured is not None else measure(pieces.units.corpus, component.tokenizer, component.trim)
    chunking = pack(pieces, windows, made)
    return trimmed(chunking) if component.trim else chunking
