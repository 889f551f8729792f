"""report.html: one page with both languages, complete in itself, without a script."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources

import jinja2
from markupsafe import Markup, escape

from kugiri.report.content import Content
from kugiri.report.figures import FIGURES, captions
from kugiri.report.inspector import View, facts_grid
from kugiri.report.passage import Mark, Piece, bracketed
from kugiri.report.words import LANGUAGES, Code, Language, Value, Voice, said
from kugiri.visible import one_line

MOST_IDS = 200
"""Question ids shown on one side of a pair."""
MOST_DUELS = 200
"""Questions shown that one of two configurations answers better."""
OPEN_UP_TO = 12
"""A configuration with no more lost questions than this is unfolded from the start."""


def html_text(text: str) -> str:
    """Foreign text as HTML text on one line."""
    return str(escape(one_line(text)))


def html_code(text: str) -> str:
    """A label, an id or a path as HTML."""
    return f"<code>{html_text(text)}</code>"


_VOICES = {language: Voice(language, html_text, html_code, "\u00a0") for language in LANGUAGES}


def both(value: Value) -> Markup:
    """The value in both languages, of which the page shows one; once where they do not differ."""
    spoken = {language: _VOICES[language].say(value) for language in LANGUAGES}
    if len(set(spoken.values())) == 1:
        return Markup(spoken["ja"])
    parts = (f'<span class="{language}" lang="{language}">{text}</span>' for language, text in spoken.items())
    return Markup("".join(parts))


def one(value: Value, language: Language) -> Markup:
    """The value in one language."""
    return Markup(_VOICES[language].say(value))


def drawn(view: View) -> Markup:
    """A passage: evidence as `mark`, edges of chunks as `b`, text in no chunk as `s`; both kinds of edge differ."""
    parts = ["…" if view.before else ""]
    for part in bracketed(view.passage):
        match part:
            case Mark():
                kind = "cut" if part.evidence else "edge"
                parts.append(f'<b class="{kind}">{part.symbol}</b>')
            case Piece():
                text = str(escape(part.shown))
                text = text if part.covered else f"<s>{text}</s>"
                parts.append(f"<mark>{text}</mark>" if part.evidence else text)
            case str():
                parts.append(f'<i class="evidence">{part}</i>')
    parts.append("…" if view.after else "")
    return Markup("".join(parts))


def render_page(content: Content, first: Language, figures: Mapping[str, str]) -> str:
    """The page.

    Args:
        content: what it says.
        first: the language that it shows when opened.
        figures: SVG by `NAME.LANGUAGE`.
    """
    environment = page_environment()
    templates = resources.files("kugiri.report") / "templates"
    ranked = "" if content.retrieval is None else (templates / "retrieval.css").read_text(encoding="utf-8")
    return environment.get_template("report.html.jinja").render(
        content=content,
        first=first,
        languages=(first, *(language for language in LANGUAGES if language != first)),
        style=page_style(),
        ranked_style=Markup(ranked),
        # The figures are ours but for the labels in them, which Vega escapes.
        figures={name: Markup(svg) for name, svg in figures.items()},
        names=tuple(name for name in FIGURES if f"{name}.{first}" in figures),
        captions=captions(content.configurations),
        most_ids=MOST_IDS,
        most_duels=MOST_DUELS,
        open_up_to=OPEN_UP_TO,
    )


@functools.cache
def page_environment() -> jinja2.Environment:
    """What every page is rendered in: both languages at once, foreign text escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("kugiri.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {
        "both": both,
        "one": one,
        "said": said,
        "Code": Code,
        "drawn": drawn,
        "facts_grid": facts_grid,
    }
    return environment


def page_style() -> Markup:
    """The style sheet of every page."""
    return Markup((resources.files("kugiri.report") / "templates" / "report.css").read_text(encoding="utf-8"))
