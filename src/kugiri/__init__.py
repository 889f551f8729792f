"""kugiri (区切り): a laboratory for chunking strategies.

Counts, from span containment alone and before any retrieval, which questions each way of cutting loses, and why.
Names load when they are first used, so `import kugiri` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kugiri.chunkers.fixed import Fixed as Fixed
    from kugiri.chunkers.paragraph import Paragraph as Paragraph
    from kugiri.evidence.loss import EvidenceLoss as EvidenceLoss
    from kugiri.evidence.loss import evidence_loss as evidence_loss
    from kugiri.formats.corpus_folder import load_corpus as load_corpus
    from kugiri.publish import write_results as write_results
    from kugiri.sweeps.diagnose import Diagnosis as Diagnosis
    from kugiri.sweeps.diagnose import diagnose as diagnose
    from kugiri.sweeps.results import SweepResults as SweepResults
    from kugiri.sweeps.sweep import sweep as sweep

__version__ = "0.1.0"

_HOME = {
    "Fixed": "kugiri.chunkers.fixed",
    "Paragraph": "kugiri.chunkers.paragraph",
    "EvidenceLoss": "kugiri.evidence.loss",
    "evidence_loss": "kugiri.evidence.loss",
    "load_corpus": "kugiri.formats.corpus_folder",
    "diagnose": "kugiri.sweeps.diagnose",
    "Diagnosis": "kugiri.sweeps.diagnose",
    "sweep": "kugiri.sweeps.sweep",
    "SweepResults": "kugiri.sweeps.results",
    "write_results": "kugiri.publish",
}

__all__ = [
    "Diagnosis",
    "EvidenceLoss",
    "Fixed",
    "Paragraph",
    "SweepResults",
    "diagnose",
    "evidence_loss",
    "load_corpus",
    "sweep",
    "write_results",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module 'kugiri' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
