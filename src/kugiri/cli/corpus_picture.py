"""What `kugiri corpus show` draws: numbers, bars, and questions with their evidence in 【 】."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from kugiri.formats.corpus_folder import LoadedCorpus
from kugiri.formats.description import Lengths, counts_of, groups_of, left_out_by_name, lengths_by_name
from kugiri.model.evidence import EvidenceSpan
from kugiri.visible import one_line, shortened

_QUESTIONS, _ALTERNATIVES, _TAGS = 5, 3, 12
_MARGIN, _EVIDENCE = 30, 120
_BAR, _PLAIN_BAR = "█", "#"


def description(loaded: LoadedCorpus) -> dict[str, Any]:
    """The same as one JSON object; lengths in code points, offsets those of the documents."""
    info = loaded.corpus.info
    names = ("name", "title", "language", "licence", "source", "description")
    return {
        **{name: getattr(info, name) for name in names},
        **counts_of(loaded),
        "documents_sha256": loaded.documents_sha256,
        "questions_sha256": loaded.questions_sha256,
        "offset_unit": "codepoint",
        "groups": groups_of(loaded),
        "lengths": {name: dataclasses.asdict(lengths) for name, lengths in lengths_by_name(loaded).items()},
        "examples": [
            dataclasses.asdict(loaded.questions.question(loaded.corpus, index)) for index in _examples(loaded)
        ],
    }


def draw(console: Console, loaded: LoadedCorpus) -> None:
    """The whole picture on the console, in its width."""
    _draw_counts(console, loaded)
    bar = _block(console)
    for name, lengths in lengths_by_name(loaded).items():
        if lengths.count:
            _draw_lengths(console, name, lengths, bar)
    for index in _examples(loaded):
        _draw_question(console, loaded, index)


def _draw_counts(console: Console, loaded: LoadedCorpus) -> None:
    info = loaded.corpus.info
    console.print(Text(one_line(info.title)))
    rows = {name: one_line(getattr(info, name)) for name in ("name", "language", "licence", "source", "description")}
    rows |= {name.replace("_", " "): f"{count:,}" for name, count in counts_of(loaded).items()}
    for name, groups in groups_of(loaded).items():
        shown = [f"{one_line(value) or '(none)'} {count:,}" for value, count in groups.items()]
        more = [f"and {len(shown) - _TAGS} more"] if len(shown) > _TAGS else []
        if list(groups) not in ([], [""]):
            rows[f"by {name}"] = ", ".join([*shown[:_TAGS], *more])
    rows["kept"] = one_line(left_out_by_name(loaded))
    for name, value in rows.items():
        _indented(console, Text(value), f"{name:<14}")


def _indented(console: Console, text: Text, first: str) -> None:
    """The text after `first`, its further lines as far to the right, in the width of the console."""
    indent = cell_len(first)
    for line in text.wrap(console, max(20, console.width - indent)):
        line.rstrip()
        console.print(Text(first) + line, soft_wrap=True)
        first = " " * indent


def _block(console: Console) -> str:
    try:
        _BAR.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return _PLAIN_BAR
    return _BAR


def _draw_lengths(console: Console, name: str, lengths: Lengths, bar: str) -> None:
    console.print()
    console.print(
        f"{name}: {lengths.count:,}, of {lengths.least:,} to {lengths.greatest:,} characters, median {lengths.median:,}"
    )
    labels = [f"{low:,}" if low == high else f"{low:,}-{high:,}" for low, high, _ in lengths.bars]
    counts = [f"{count:,}" for _, _, count in lengths.bars]
    widths = max(map(len, labels)), max(map(len, counts))
    # A terminal that draws the block two columns wide still must not break the line.
    room = max(1, console.width - sum(widths) - 5) // max(1, cell_len(bar))
    most = max(count for _, _, count in lengths.bars)
    for label, count, (_, _, number) in zip(labels, counts, lengths.bars, strict=True):
        length = max(1, round(number / most * room)) if number else 0
        console.print(f"  {label:>{widths[0]}} {count:>{widths[1]}} {bar * length}".rstrip(), no_wrap=True)


def _examples(loaded: LoadedCorpus) -> list[int]:
    """A few questions from the whole length of the file, and the first unanswerable one."""
    answerable = np.flatnonzero(loaded.questions.answerable)
    unanswerable = np.flatnonzero(~loaded.questions.answerable)[:1]
    steps = np.linspace(0, max(0, len(answerable) - 1), num=min(_QUESTIONS, len(answerable))).astype(np.int64)
    return [*answerable[steps].tolist(), *unanswerable.tolist()]


def _draw_question(console: Console, loaded: LoadedCorpus, index: int) -> None:
    question = loaded.questions.question(loaded.corpus, index)
    console.print()
    _indented(console, Text(f"{one_line(question.id)}  {one_line(question.question)}"), "")
    if not question.evidence:
        console.print("  unanswerable from this corpus")
    for number, spans in enumerate(question.evidence[:_ALTERNATIVES], start=1):
        several = f"alternative {number} of {len(question.evidence)}  " if len(question.evidence) > 1 else ""
        needed = f"  ({len(spans)} spans needed together)" if len(spans) > 1 else ""
        for span in spans:
            _indented(console, Text(f"{several}{one_line(span.document)}@{span.start}:{span.end}{needed}"), "  ")
            _indented(console, _marked(loaded, span), "    ")
    if len(question.evidence) > _ALTERNATIVES:
        console.print(f"  and {len(question.evidence) - _ALTERNATIVES} more alternatives")


def _marked(loaded: LoadedCorpus, span: EvidenceSpan) -> Text:
    text = loaded.corpus.texts[loaded.corpus.ids.index(span.document)]
    before = text[max(0, span.start - _MARGIN) : span.start]
    after = text[span.end : span.end + _MARGIN]
    evidence = (f"【{shortened(text[span.start : span.end], _EVIDENCE)}】", "green")
    return Text.assemble(one_line(before), evidence, one_line(after))
