"""Writing the report of a loss surface: report.html, report.md and the figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from kugiri.report.grid import ReadsTables
from kugiri.report.markdown import markdown_environment, tidied
from kugiri.report.page import MOST_IDS, page_environment, page_style
from kugiri.report.surface import SurfaceContent, surface_content
from kugiri.report.surface_figures import FIGURES, surface_figures
from kugiri.report.words import LANGUAGES, Language, language_of
from kugiri.report.write import ReportFiles, write_figures, write_utf8


def write_surface_report(results: ReadsTables, into: Path, language: Language | str | None = None) -> ReportFiles:
    """Writes report.html, report.md and figures/ into a folder that exists, over those that are there.

    Args:
        results: the table and the facts, and nothing else, that the report is made from.
        into: the folder.
        language: of report.md, and the first of the page; None takes the corpus's.
    """
    first = language_of(results.sweep["corpus"]["language"] if language is None else language)
    content = surface_content(results)
    drawn = surface_figures(content)
    told = write_figures(drawn, into / "figures")
    write_utf8(into / "report.md", render_surface_markdown(content, first, drawn))
    write_utf8(into / "report.html", render_surface_page(content, first, drawn))
    return told


def render_surface_page(content: SurfaceContent, first: Language, figures: Mapping[str, str]) -> str:
    """The page; `first` is the language that it shows when opened, `figures` the SVG by `NAME.LANGUAGE`."""
    return (
        page_environment()
        .get_template("surface.html.jinja")
        .render(
            content=content,
            first=first,
            languages=(first, *(language for language in LANGUAGES if language != first)),
            style=page_style(),
            # The figures are ours: nothing in them is text of a corpus.
            figures={name: Markup(svg) for name, svg in figures.items()},
            names=_names(figures, first),
            most_ids=MOST_IDS,
        )
    )


def render_surface_markdown(content: SurfaceContent, language: Language, figures: Mapping[str, str]) -> str:
    """The report as Markdown."""
    template = markdown_environment(language).get_template("surface.md.jinja")
    return tidied(template.render(content=content, language=language, figures=_names(figures, language)))


def _names(figures: Mapping[str, str], language: Language) -> tuple[str, ...]:
    return tuple(name for name in FIGURES if f"{name}.{language}" in figures)
