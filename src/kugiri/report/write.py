"""Writing the report of a results folder: report.html, report.md and the figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path

from kugiri.report.content import content_of
from kugiri.report.figures import figures, picture
from kugiri.report.fonts import PACKAGE, japanese_font, used_fonts
from kugiri.report.grid import ReadsTables
from kugiri.report.heat_maps import heat_maps
from kugiri.report.markdown import render_markdown
from kugiri.report.page import render_page
from kugiri.report.ranked_figures import ranked_figures
from kugiri.report.words import Code, Language, language_of, plain, said


@dataclasses.dataclass(frozen=True, slots=True)
class ReportFiles:
    """What was found out about the machine while the report was written.

    Attributes:
        warnings: a sentence each.
        fonts: names of the fonts that figures are drawn with here.
    """

    warnings: tuple[str, ...]
    fonts: tuple[str, ...]


def write_report(results: ReadsTables, into: Path, language: Language | str | None = None) -> ReportFiles:
    """Writes report.html, report.md and figures/ into a folder that exists, over those that are there.

    Args:
        results: the tables, and nothing else, that the report is made from.
        into: the folder.
        language: of report.md, and the first of the page; None takes the corpus's.
    """
    first = language_of(results.sweep["corpus"]["language"] if language is None else language)
    content = content_of(results)
    drawn = {**figures(content.configurations), **ranked_figures(content.retrieval), **heat_maps(content.where)}
    told = write_figures(drawn, into / "figures")
    write_utf8(into / "report.md", render_markdown(content, first, "loss.ja" in drawn, _names(drawn)))
    write_utf8(into / "report.html", render_page(content, first, drawn))
    return told


def write_figures(drawn: Mapping[str, str], folder: Path) -> ReportFiles:
    """Writes the figures, by `NAME.LANGUAGE`, as SVG and, where a font has what they say, as PNG."""
    has_font = japanese_font()
    folder.mkdir(exist_ok=True)
    for name, svg in drawn.items():
        write_utf8(folder / f"{name}.svg", svg)
        if has_font:
            (folder / f"{name}.png").write_bytes(picture(svg))
        else:
            (folder / f"{name}.png").unlink(missing_ok=True)
    missing = () if has_font else (plain("en").say(said("no_japanese_font", package=Code(PACKAGE))),)
    return ReportFiles(missing, used_fonts())


def _names(drawn: Iterable[str]) -> set[str]:
    return {name.partition(".")[0] for name in drawn}


def write_utf8(path: Path, text: str) -> None:
    """Writes one file of a report: UTF-8, and line ends that are the same bytes on every system."""
    path.write_bytes(text.encode("utf-8"))
