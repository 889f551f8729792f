"""`kugiri corpus import | check | show | synthesize`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kugiri.cli.commands import Group

if TYPE_CHECKING:
    from collections.abc import Callable

    from kugiri.sweeps.run import Progress

app = typer.Typer(
    cls=Group,
    help="Import, check and look at corpora.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

_Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The corpus folder.", show_default=False)]
_SHOWN = 20
_SECONDS_BETWEEN = 2


@app.command("import")
def import_source(
    source_format: Annotated[
        str, typer.Argument(metavar="FORMAT", help="squad, jsquad or chroma.", show_default=False)
    ],
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE...",
            help="The files, in the order they count, or for chroma their folder.",
            show_default=False,
        ),
    ],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The corpus folder to write.", show_default=False)],
    encoding: Annotated[str, typer.Option("--encoding", help="Of the files; never guessed.")] = "utf-8",
    offset_unit: Annotated[
        str, typer.Option("--offset-unit", metavar="codepoint|utf16|utf8", help="What the offsets in the files count.")
    ] = "codepoint",
    on_mismatch: Annotated[
        str,
        typer.Option(
            "--on-mismatch",
            metavar="refuse|exclude",
            help="Where an answer is not the text at its place: refuse the files, or exclude the question by name.",
        ),
    ] = "refuse",
    join: Annotated[
        str,
        typer.Option(
            "--join", metavar="article|paragraphs=N|chars=N", help="How paragraphs become pseudo-long documents."
        ),
    ] = "article",
    separator: Annotated[
        str,
        typer.Option("--separator", metavar="TEXT", help=r"Between the paragraphs of a document; \n, \t, \r, \u3000 …"),
    ] = "",
    shuffle: Annotated[
        int | None, typer.Option("--shuffle", metavar="SEED", help="Join the paragraphs in an order drawn by a seed.")
    ] = None,
    as_json: _Json = False,
) -> None:
    """Turn files of others into a corpus folder, every span re-based and verified."""
    from kugiri import __version__
    from kugiri.catalog import component
    from kugiri.cli.console import note, output, print_json
    from kugiri.formats.description import counts_of, left_out_by_name
    from kugiri.formats.importing import import_corpus
    from kugiri.formats.pseudo_documents import parse_join
    from kugiri.visible import one_line

    arguments = {"encoding": encoding, "offset_unit": offset_unit, "on_mismatch": on_mismatch}
    reader = component("formats", source_format, arguments, "corpus import")
    imported = import_corpus(reader, sources, to, parse_join(join, separator, shuffle), __version__)
    for warning in imported.warnings[:_SHOWN]:
        note(f"warning: {one_line(warning)}")
    if len(imported.warnings) > _SHOWN:
        note(f"warning: and {len(imported.warnings) - _SHOWN:,} more; excluded.jsonl has all questions left out")
    counts = counts_of(imported.loaded)
    if as_json:
        excluded = [{"id": left_out.id, "reason": left_out.reason} for left_out in imported.loaded.questions.excluded]
        print_json({"corpus": str(to), **counts, "excluded": excluded, "warnings": list(imported.warnings)})
        return
    console = output()
    console.print(one_line(f"{to}: {_in_words(counts)}"), soft_wrap=True)
    console.print(one_line(left_out_by_name(imported.loaded)), soft_wrap=True)


@app.command()
def check(folder: _Folder, as_json: _Json = False) -> None:
    """Verify a corpus and list what deserves a look: exit status 2 if it is not valid, 0 with warnings."""
    import dataclasses

    from kugiri.cli.console import output, print_json
    from kugiri.formats.check import check_corpus
    from kugiri.formats.corpus_folder import load_corpus
    from kugiri.formats.description import counts_of, left_out_by_name
    from kugiri.visible import one_line

    loaded = load_corpus(folder)
    counts, findings = counts_of(loaded), check_corpus(loaded)
    if as_json:
        digests = {"documents_sha256": loaded.documents_sha256, "questions_sha256": loaded.questions_sha256}
        listed = [dataclasses.asdict(finding) for finding in findings]
        print_json({"corpus": str(folder), **counts, **digests, "warnings": listed})
        return
    console = output()
    console.print(one_line(f"{folder}: {_in_words(counts)}"))
    console.print(one_line(left_out_by_name(loaded)))
    for finding in findings:
        console.print(f"warning: {one_line(finding.what)}", style="yellow")
        for place in finding.places[:_SHOWN]:
            console.print(f"  {_cut(one_line(place), console.width - 2)}", no_wrap=True, overflow="ignore", crop=False)
        if len(finding.places) > _SHOWN:
            console.print(f"  and {len(finding.places) - _SHOWN:,} more (all of them with --json)")
    console.print("every span verified" + ("" if findings else ", nothing to look at"))


@app.command()
def show(folder: _Folder, as_json: _Json = False) -> None:
    """Show what a corpus holds: counts, lengths, and a few questions with their evidence marked."""
    from kugiri.cli.console import output, print_json
    from kugiri.cli.corpus_picture import description, draw
    from kugiri.formats.corpus_folder import load_corpus

    loaded = load_corpus(folder)
    if as_json:
        print_json(description(loaded))
    else:
        draw(output(), loaded)


@app.command()
def synthesize(
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The corpus folder to write.", show_default=False)],
    documents: Annotated[int, typer.Option("--documents", metavar="N", help="1 or more.", show_default=False)],
    questions: Annotated[int, typer.Option("--questions", metavar="M", help="0 or more.", show_default=False)],
    document_length: Annotated[
        str,
        typer.Option(
            "--document-length",
            metavar="MEAN[:SPREAD]",
            help="In characters, log-normal with this standard deviation; without one, all alike.",
        ),
    ] = "10000:6000",
    paragraph_length: Annotated[
        str, typer.Option("--paragraph-length", metavar="MEAN[:SPREAD]", help="In the same way.")
    ] = "200:150",
    evidence_length: Annotated[
        str,
        typer.Option(
            "--evidence-length",
            metavar="MEDIAN[:LONGEST]",
            help="In characters, log-normal, one span in a hundred the longest; without it, all alike.",
        ),
    ] = "20:200",
    multiple: Annotated[
        float, typer.Option("--multiple", metavar="SHARE", help="Of questions that need two passages of a document.")
    ] = 0.15,
    unanswerable: Annotated[
        float, typer.Option("--unanswerable", metavar="SHARE", help="Of questions that nothing answers.")
    ] = 0.05,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another seed, another corpus.")] = 1,
    as_json: _Json = False,
) -> None:
    """Draw a corpus for load tests, of any size: it says how fast, and never which way of cutting is better.

    Same seed and options, same files. The corpus is written as it is drawn, one document in memory at a time.
    """
    import dataclasses

    from kugiri import __version__
    from kugiri.cli.console import note, output, print_json, progress
    from kugiri.formats.synthetic import PURPOSE, Synthesis, synthesize
    from kugiri.formats.synthetic_lengths import parse_lengths
    from kugiri.visible import one_line

    lengths = (
        parse_lengths(document_length, "--document-length"),
        parse_lengths(paragraph_length, "--paragraph-length"),
        parse_lengths(evidence_length, "--evidence-length"),
    )
    plan = Synthesis(documents, questions, *lengths, multiple, unanswerable, seed)
    with progress(str(to)) as told:
        made = synthesize(plan, to, __version__, _now_and_then(told))
    if not questions:
        note("warning: without a question no sweep takes this corpus, nor does `kugiri corpus check`")
    if as_json:
        print_json({"corpus": str(to), "purpose": PURPOSE, **dataclasses.asdict(made)})
        return
    console = output()
    console.print(one_line(f"{to}: {_in_words(dataclasses.asdict(made))}"), soft_wrap=True)
    console.print(PURPOSE, soft_wrap=True)


def _now_and_then(told: Progress) -> Callable[[int, int], None]:
    """Tells of the documents that are written every two seconds: there may be a million."""
    import time

    last = time.monotonic()

    def written(done: int, total: int) -> None:
        nonlocal last
        if done < total and time.monotonic() - last >= _SECONDS_BETWEEN:
            last = time.monotonic()
            told(done, total, "documents")

    return written


def _in_words(counts: dict[str, int]) -> str:
    from kugiri.formats.description import counted

    nouns = {"documents": "document", "characters": "character", "paragraphs": "paragraph", "questions": "question"}
    told = [counted(counts[name], noun) for name, noun in nouns.items()]
    unanswerable = [f"{counts['unanswerable']:,} of them unanswerable"] if counts["unanswerable"] else []
    return ", ".join([*told, *unanswerable, counted(counts["spans"], "evidence span")])


def _cut(text: str, width: int) -> str:
    """At most `width` columns of the text, full-width characters counting two."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= width else f"{set_cell_size(text, width - 1).rstrip()}…"
