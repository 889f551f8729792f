"""`kugiri surface`: what fixed windows of every size and overlap lose, into a results folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kugiri.cli.report import Language

if TYPE_CHECKING:
    from kugiri.sweeps.surface import SurfacePlan, SurfaceResults


def surface(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS|SWEEP.toml",
            help="A corpus folder, or a sweep file with a table `surface`.",
            show_default=False,
        ),
    ],
    size: Annotated[
        str | None, typer.Option("--size", metavar="LOW:HIGH:STEP", help="Sizes; both ends belong to it.")
    ] = None,
    overlap: Annotated[
        str | None,
        typer.Option(
            "--overlap",
            metavar="LOW:HIGH:STEP",
            help="Overlaps: shares of the size (0:0.5:0.01) or units (0:90:10); default: 0.",
        ),
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option("--unit", metavar="UNIT", help="char, grapheme, morpheme or token; default: char."),
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option("--tokenizer", metavar="NAME", help="Of tokens: a name or a tokenizer.json; default: cl100k."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="SHARE", help="Expected loss accepted for what is enough; default: 0.01."),
    ] = None,
    no_expected: Annotated[
        bool, typer.Option("--no-expected", help="Count observed losses only, which is faster.")
    ] = False,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Write no text of the corpus (a surface has none).")
    ] = False,
    lang: Annotated[
        Language | None,
        typer.Option("--lang", help="Language of report.md and first one of the page; default: the corpus's."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Results folder; default: reports/<corpus>-surface, or reports/<stem of the sweep file>.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Count what fixed windows of thousands of sizes and overlaps lose, without making a chunk."""
    from kugiri.cli.console import note
    from kugiri.formats.corpus_folder import load_corpus
    from kugiri.publish import publishing_surface
    from kugiri.sweeps.surface import run_surface

    options = {"size": size, "overlap": overlap, "unit": unit, "tokenizer": tokenizer, "target": target}
    plan, corpus, name = _asked(
        source, {key: value for key, value in options.items() if value is not None}, not no_expected
    )
    folder = out or Path("reports") / name
    loaded = load_corpus(corpus)
    with publishing_surface(folder) as publish:
        digests = (loaded.documents_sha256, loaded.questions_sha256)
        results = run_surface(plan, loaded.corpus, loaded.questions, digests, None if as_json else note)
        warnings = publish(results, not no_text, None if lang is None else lang.value)
    for warning in warnings:
        note(f"warning: {warning}")
    if as_json:
        _print(results, folder)
    else:
        _show(results, folder)


def _asked(source: Path, given: dict[str, str], expected: bool) -> tuple[SurfacePlan, Path, str]:
    """The plan, the corpus folder, and the name of the default results folder."""
    import dataclasses

    from kugiri.errors import InputError
    from kugiri.formats.corpus_folder import read_corpus_info
    from kugiri.sweeps.ranges import share
    from kugiri.sweeps.surface_file import read_surface
    from kugiri.sweeps.surface_table import SurfaceTable

    if source.suffix == ".toml" and not source.is_dir():
        if given:
            raise InputError(
                f"--{next(iter(given))} beside a sweep file, which says so itself",
                str(source),
                "change its table [surface], or give the corpus folder instead of the file",
            )
        file = read_surface(source, expected)
        return file.plan, file.corpus, source.stem if file.alone else f"{source.stem}-surface"
    info = read_corpus_info(source)
    if "size" not in given:
        raise InputError("no sizes are given", "--size", "give a range, as in --size 50:2000:10 --overlap 0:0.5:0.01")
    try:
        made: dict[str, Any] = {key: value for key, value in given.items() if key != "target"}
        plan = SurfaceTable(**made).plan(info.title or info.name, expected=expected)
        if "target" in given:
            plan = dataclasses.replace(plan, target=share(given["target"], "target"))
    except InputError as error:
        place = error.where if error.where.startswith("-") else f"--{error.where}"
        raise InputError(error.what, place, error.remedy, error.listing) from None
    return plan, source, f"{source.resolve().name}-surface"


def _show(results: SurfaceResults, folder: Path) -> None:
    from rich.text import Text

    from kugiri.cli.console import indented, output
    from kugiri.cli.surface_map import maps
    from kugiri.cli.surface_tables import enough_tables, keep_table, limited_table
    from kugiri.publish import fresh_surface
    from kugiri.report.surface import surface_content
    from kugiri.report.words import plain
    from kugiri.visible import one_line

    content, console, voice = surface_content(fresh_surface(results)), output(), plain("en")
    console.print(Text(one_line(content.title), style="bold"))
    indented(console, Text(voice.say(content.answer[0])), 0)
    console.print()
    maps(console, content)
    console.print()
    for text in content.answer[1:]:
        indented(console, Text(voice.say(text)), 0)
    if content.kept:
        console.print()
        keep_table(console, content)
        console.print()
        limited_table(console, content)
        console.print()
        enough_tables(console, content)
    console.print()
    console.print(f"report: {folder / 'report.html'}", soft_wrap=True)


def _print(results: SurfaceResults, folder: Path) -> None:
    from kugiri.cli.console import print_json
    from kugiri.publish import fresh_surface
    from kugiri.report.surface import surface_content

    content = surface_content(fresh_surface(results))
    facts: dict[str, Any] = {
        key: content.facts[key]
        for key in ("unit", "tokenizer", "target", "guarantee", "overlaps_enough", "sizes_enough")
    }
    print_json(
        {
            "results": str(folder),
            "questions": content.questions,
            "pairs": len(content.rows),
            **facts,
            "keep": [{"keep": kept.share, **(kept.row or dict.fromkeys(content.rows[0]))} for kept in content.kept],
            "front": list(content.front),
            "observed_least": content.observed,
            "surface": list(content.rows),
        }
    )
