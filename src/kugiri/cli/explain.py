"""`kugiri explain`: one question under several strategies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from kugiri.evidence.loss import EvidenceLoss
    from kugiri.formats.corpus_folder import LoadedCorpus


def explain(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus folder.", show_default=False)],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Id of the question.", show_default=False)],
    labels: Annotated[
        list[str],
        typer.Argument(metavar="LABEL…", help="Chunkers, as in 'fixed(size=400, overlap=0.2)'.", show_default=False),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Draw one question's evidence under several ways of cutting, and say whether each keeps it."""
    from kugiri.catalog import chunker
    from kugiri.cli.console import output, print_json
    from kugiri.cli.third_party import blaming
    from kugiri.evidence.loss import evidence_loss
    from kugiri.formats.corpus_folder import load_corpus

    chunkers = [chunker(label) for label in labels]
    loaded = load_corpus(corpus)
    asked = loaded.questions.select(_indices(loaded, question, corpus))
    losses = []
    for made in chunkers:
        with blaming(made):
            losses.append(evidence_loss(loaded.corpus, asked, made))
    changes = [_change(loss, made) for loss, made in zip(losses, chunkers, strict=True)]
    if as_json:
        told = [{**_facts(loss), "change": change} for loss, change in zip(losses, changes, strict=True)]
        print_json({"question_id": question, "question": asked.texts[0], "strategies": told})
        return
    _show(output(), asked.ids[0], asked.texts[0], losses, changes)


def _indices(loaded: LoadedCorpus, question: str, corpus: Path) -> Any:
    import numpy as np

    from kugiri.errors import InputError
    from kugiri.formats.strict import nearest

    if question not in loaded.questions.ids:
        near = nearest(question, loaded.questions.ids)
        remedy = f"did you mean {near!r}?" if near else "see questions.jsonl for the ids"
        raise InputError(f"there is no question {question!r}", str(corpus), remedy)
    return np.array([loaded.questions.ids.index(question)], dtype=np.int64)


def _facts(loss: EvidenceLoss) -> dict[str, Any]:
    """One strategy's verdict: every span of every alternative with the chunks that contain it."""
    from kugiri.metrics.needs import Needs

    evidence, corpus = loss.questions.evidence, loss.chunking.corpus
    spans = []
    for span in sorted(range(len(evidence.start)), key=lambda index: int(evidence.order[index])):
        start, end = int(evidence.start[span]), int(evidence.end[span])
        document = int(corpus.document_of(evidence.start[span]))
        origin = int(corpus.document_start[document])
        held = range(int(loss.containment.first[span]), int(loss.containment.last[span]))
        spans.append(
            {
                "alternative": int(evidence.alternative[span]),
                "document_id": corpus.ids[document],
                "start": start - origin,
                "end": end - origin,
                "text": corpus.slice(start, end),
                "chunks": [loss.chunking.chunk(index).id for index in held],
            }
        )
    needs = Needs().of(loss)
    answerable = bool(loss.questions.answerable[0])
    return {
        "chunker": loss.label,
        "verdict": ("lost" if loss.lost[0] else "kept") if answerable else "unanswerable",
        "needs": int(needs.value[0]) if needs.defined[0] else None,
        "chunks": len(loss.chunking),
        "spans": spans,
    }


def _change(loss: EvidenceLoss, chunker: Any) -> dict[str, int | None] | None:
    """What keeps a question that fixed windows lose, where it lies, and the chunks that it takes; else None.

    Beside it the overlap that is enough wherever it lies: None where windows of this size cannot overlap so far.
    """
    from kugiri.evidence.enough import cheapest_change
    from kugiri.evidence.placed import PlacedEvidence
    from kugiri.model.windows import windows_of

    windows = windows_of(chunker)
    if windows is None or not loss.lost[0]:
        return None
    placed = PlacedEvidence.of(loss.chunking.corpus, loss.questions.evidence)
    found = cheapest_change(placed, windows)
    columns = {
        "size": found.size,
        "size_chunks": found.size_chunks,
        "overlap": found.overlap,
        "overlap_chunks": found.overlap_chunks,
    }
    change = {name: None if column[0] < 0 else int(column[0]) for name, column in columns.items()}
    always = int(placed.longest()[0]) - 1
    return {**change, "overlap_always": always if always < windows.size else None}


def _change_said(change: dict[str, int | None]) -> str:
    here = [
        f"{what} of {change[key]} ({change[f'{key}_chunks']:,} chunks)"
        for key, what in (("size", "a size"), ("overlap", "an overlap"))
        if change[key] is not None
    ]
    always = change["overlap_always"]
    ways = [
        *([] if always is None else [f"at any alignment: an overlap of {always}"]),
        *([f"here: {' or '.join(here)}"] if here else []),
    ]
    return f"enough {'; '.join(ways)}" if ways else "kept by no larger size or overlap"


def _show(
    console: Console,
    identity: str,
    question: str,
    losses: list[EvidenceLoss],
    changes: list[dict[str, int | None] | None],
) -> None:
    from rich.text import Text

    from kugiri.cli.console import folded, indented
    from kugiri.cli.drawing import LEGEND
    from kugiri.visible import one_line

    folded(console, Text(one_line(f"{identity} {question}"), style="bold"), 0)
    for loss, change in zip(losses, changes, strict=True):
        facts = _facts(loss)
        style = {"lost": "bold red", "kept": "bold green"}.get(facts["verdict"], "bold")
        fewest = f", {facts['needs']} chunk{'s' * (facts['needs'] != 1)} needed" if facts["needs"] else ""
        console.print(
            Text.assemble(f"\n{loss.label}: ", (facts["verdict"], style), f"{fewest} ({facts['chunks']:,} chunks)")
        )
        if change is not None:
            indented(console, Text(_change_said(change), style="dim"), 2)
        for span in facts["spans"]:
            _show_span(console, loss, span)
    console.print(Text(f"\n{LEGEND}", style="dim"))


def _show_span(console: Console, loss: EvidenceLoss, span: dict[str, Any]) -> None:
    from rich.text import Text

    from kugiri.cli.console import folded, indented
    from kugiri.cli.drawing import CONTEXT, passage_text
    from kugiri.visible import one_line

    corpus = loss.chunking.corpus
    document = corpus.ids.index(span["document_id"])
    origin, text = int(corpus.document_start[document]), corpus.texts[document]
    low, high = max(0, span["start"] - 2 * CONTEXT), min(len(text), span["end"] + 2 * CONTEXT)
    touching = (loss.chunking.end > origin + low) & (loss.chunking.start < origin + high)
    edges = zip(
        (loss.chunking.start[touching] - origin).tolist(), (loss.chunking.end[touching] - origin).tolist(), strict=True
    )
    place = f"alternative {span['alternative'] + 1}: {one_line(span['document_id'])} [{span['start']}, {span['end']})"
    held = f"in {', '.join(map(one_line, span['chunks']))}" if span["chunks"] else "in no single chunk"
    indented(console, Text(f"{place}, {held}", style="dim"), 2)
    around = (span["start"], span["end"])
    folded(console, passage_text(text[low:high], low, [around], edges, around), 2)
