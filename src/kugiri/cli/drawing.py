"""Passages in the terminal: the evidence in 【 】, every edge of a chunk marked, colour where there is a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kugiri.report.passage import Mark, Span, clipped, drawn

if TYPE_CHECKING:
    from rich.text import Text

CONTEXT = 60
"""Characters of the document shown on either side of the evidence."""

LEGEND = "【 】 evidence   ｜ one chunk ends, the next starts   ⟨ a chunk starts   ⟩ a chunk ends   dim: in no chunk"


def passage_text(text: str, start: int, evidence: Iterable[Span], chunks: Iterable[Span], around: Span) -> Text:
    """The passage around a span as text for the console; colours are left out where the console has none.

    Args:
        text: a piece of the document that holds the span.
        start: its offset in the document.
        evidence: spans of the document to mark.
        chunks: the chunks of the document that touch the passage.
        around: the span in the middle.
    """
    from rich.text import Text

    parts, before, after = clipped(drawn(text, start, evidence, chunks), start, around, CONTEXT)
    shown = Text("…" if before else "", overflow="fold")
    inside = False
    for part in parts:
        if isinstance(part, Mark):
            # A mark at the edge of the evidence stands outside its brackets.
            if inside and not part.evidence:
                shown.append("】", style="bold green")
                inside = False
            shown.append(part.symbol, style="bold red" if part.evidence else "cyan")
            continue
        if part.evidence != inside:
            shown.append("【" if part.evidence else "】", style="bold green")
            inside = part.evidence
        style = "bold green" if part.evidence else ""
        shown.append(part.shown, style=f"{style} dim".strip() if not part.covered else style)
    if inside:
        shown.append("】", style="bold green")
    return shown.append("…" if after else "")
