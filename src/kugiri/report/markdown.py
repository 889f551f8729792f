"""report.md: the report in one language, for a repository and its diffs."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Collection

import jinja2
from markupsafe import escape

from kugiri.report.content import Content
from kugiri.report.figures import FIGURES, captions
from kugiri.report.inspector import LostOf, View, facts_grid
from kugiri.report.passage import Mark, Piece, bracketed
from kugiri.report.words import Code, Language, Said, Voice, said
from kugiri.visible import one_line

MOST_QUESTIONS = 20
"""Lost questions shown of one configuration; the page has more."""
MOST_ROWS = 50
"""The same in results without text, where a question is a row."""
MOST_DUELS = 20
"""Questions shown that one of two configurations answers better."""
MOST_IDS = 8
"""Question ids shown on one side of a pair."""

_SPECIAL = re.compile(
    r"(?P<split>@(?=[\w.-])(?!(?<=[a-z]@)[0-9]+(?![a-z0-9_.-]))|:(?=[\w+-]+:))"
    r"|(?P<escaped>[\\`*_\[\]<>&|~#$]|:(?=//)|(?<=www)\.)",
    re.IGNORECASE,
)
"""What Markdown, or GitHub's, would read as more than text. An address, a mention and `:name:` are looked for after the
escapes are resolved, so that neither a backslash nor an entity hides them: what stands in them is split by a comment.
`Recall@5` is neither an address nor a mention.
"""
_BEGINS_A_BLOCK = re.compile(r"^(?:([-+=])|(\d{1,9})([.)]))")
_FENCES = re.compile(r"`+")


def markdown_text(text: str) -> str:
    """Foreign text on one line of Markdown, read as nothing but text."""
    line = _SPECIAL.sub(lambda match: f"{match[0]}<!-- -->" if match["split"] else f"\\{match[0]}", one_line(text))
    line = _BEGINS_A_BLOCK.sub(lambda match: f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}", line)
    # Four spaces at the start of a list item would make it code.
    spaces = len(line) - len(line.lstrip(" "))
    return "\u00a0" * spaces + line[spaces:]


def markdown_code(text: str) -> str:
    """A label, an id or a path in a code span, whatever backticks it holds."""
    line = one_line(text)
    fence = "`" * (1 + max(map(len, _FENCES.findall(line)), default=0))
    room = " " if not line.strip(" ") or line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return f"{fence}{room}{line}{room}{fence}"


def render_markdown(content: Content, language: Language, figures: bool, ranked: Collection[str] = ()) -> str:
    """The report as Markdown.

    Args:
        content: what it says.
        language: its language.
        figures: whether there are figures of the losses beside it.
        ranked: the names of those of retrieval.
    """
    environment = markdown_environment(language)
    text = environment.get_template("report.md.jinja").render(
        content=content,
        language=language,
        figures=FIGURES if figures else (),
        captions=captions(content.configurations),
        most_questions=MOST_QUESTIONS,
        most_rows=MOST_ROWS,
        most_duels=MOST_DUELS,
        ranked_figures=ranked,
        capped=_capped,
    )
    return tidied(text)


def tidied(text: str) -> str:
    """Markdown without the empty lines that a template leaves."""
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


@functools.cache
def markdown_environment(language: Language) -> jinja2.Environment:
    """What every report.md is rendered in: one language, foreign text escaped."""
    voice = Voice(language, markdown_text, markdown_code)
    # Inside a table a bar ends the cell even in a code span.
    cell = dataclasses.replace(voice, code=lambda text: markdown_code(text).replace("|", "\\|"))
    html = Voice(
        language, lambda text: str(escape(one_line(text))), lambda text: f"<code>{escape(one_line(text))}</code>"
    )
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("kugiri.report"),
        autoescape=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {
        "say": voice.say,
        "cell": lambda value: "—" if value is None else cell.say(value),
        # Inside HTML nothing is Markdown: labels are marked as HTML has it.
        "summary": html.say,
        "said": said,
        "Code": Code,
        "drawn": _drawn,
        "ids": lambda ids: _ids(ids, voice),
        "facts_grid": facts_grid,
        "more": _more,
    }
    return environment


def _drawn(view: View) -> str:
    parts = []
    for part in bracketed(view.passage):
        match part:
            case Mark():
                parts.append(part.symbol)
            case Piece():
                parts.append(part.shown.replace("\n", ""))
            case str():
                parts.append(part)
    return markdown_text(("…" if view.before else "") + "".join(parts) + ("…" if view.after else ""))


def _ids(ids: tuple[str, ...], voice: Voice) -> str:
    shown = " ".join(voice.code(question) for question in ids[:MOST_IDS])
    if len(ids) <= MOST_IDS:
        return shown or voice.say(said("none"))
    return f"{shown} {voice.say(said('ids_more', n=len(ids) - MOST_IDS, path=Code('tables/lost.parquet')))}"


def _more(group: LostOf, shown: int) -> Said | None:
    """How many lost questions are not among the first so many, and where they are; None where all of them are."""
    shown = min(shown, len(group.questions))
    left_out = len(group.questions) + group.left_out - shown
    path = Code("tables/lost.parquet")
    if not left_out:
        return None
    if len(group.questions) == shown:
        return said("lost_more_page", n=left_out, path=path, command=Code("kugiri lost"))
    if group.questions[0].whole is None:
        return said("lost_more_table", n=left_out, path=path)
    return said("lost_more", n=left_out, path=path, page=Code("report.html"))


def _capped(group: LostOf) -> LostOf:
    return dataclasses.replace(group, questions=group.questions[:MOST_ROWS])
