"""What tests need, ours and third parties': drawn worlds, and the checks that every chunker must pass.

Names load when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kugiri.testing.conformance import check_chunker as check_chunker
    from kugiri.testing.invariants import INVARIANTS as INVARIANTS
    from kugiri.testing.invariants import ConformanceError as ConformanceError

__all__ = ["INVARIANTS", "ConformanceError", "check_chunker"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        message = f"module 'kugiri.testing' has no attribute {name!r}"
        raise AttributeError(message)
    from kugiri.testing import conformance, invariants

    return getattr(conformance if name == "check_chunker" else invariants, name)


def __dir__() -> list[str]:
    return sorted(__all__)
