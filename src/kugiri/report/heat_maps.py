"""Where questions are lost, as heat maps in static SVG: the darker, the larger the share; the number is the count."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kugiri.report.figures import SOFT, WIDTH, short, styled, svg_of, word
from kugiri.report.placement import label_width
from kugiri.report.where import HeatMap, Where
from kugiri.report.words import LANGUAGES, Language, percent

HEAT_MAPS = ("length", "position", "behind")
"""Names of the figures; their files are `figures/NAME.LANGUAGE.svg`."""

_AXES = {"length": "axis_length", "position": "axis_position", "behind": "axis_behind"}
_ROW = 26
_STEPS = 5
# One blue from pale to dark: read by lightness alone, with any colour vision and in grey. These colours and the inks on
# them do not follow the page's dark scheme: a number keeps its ground.
_PALE, _DARK = (240, 244, 248), (8, 69, 148)
_INKS = ("#000000", "#ffffff")
_DARK_ENOUGH = 0.72
"""Above this share of the scale, white is read more easily than black."""


def heat_maps(where: Where | None) -> Mapping[str, str]:
    """The SVG of every map in both languages, by `NAME.LANGUAGE`; none where nothing is lost."""
    if where is None:
        return {}
    return {
        f"{name}.{language}": svg_of(_map(where.maps[name], word(_AXES[name], language), language))
        for name in HEAT_MAPS
        if name in where.maps and where.maps[name].cells
        for language in LANGUAGES
    }


def shade(share: float) -> tuple[str, str]:
    """The colour of a share of the largest one, and the ink that is read on it."""
    red, green, blue = (round(pale + share * (dark - pale)) for pale, dark in zip(_PALE, _DARK, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}", _INKS[share > _DARK_ENOUGH]


def _map(drawn: HeatMap, title: str, language: Language) -> dict[str, Any]:
    import altair as alt

    top = max(cell.rate for cell in drawn.cells) or 1.0
    data = []
    for cell in drawn.cells:
        fill, ink = shade(cell.rate / top)
        place = {"x": cell.column, "x2": cell.column + 1, "y": cell.row - 0.46, "y2": cell.row + 0.46}
        data.append(
            place | {"fill": fill, "ink": ink, "text": f"{cell.lost:,}", "at": cell.column + 0.5, "row": cell.row}
        )
    count, last = len(drawn.columns), len(drawn.rows) - 1
    labels = [short(label) for label in drawn.rows]
    names = alt.Axis(
        labelExpr=f"{json.dumps(labels, ensure_ascii=False)}[datum.value]",
        values=list(range(len(labels))),
        title=None,
        labelLimit=0,
        ticks=False,
        domain=False,
        grid=False,
        labelPadding=8,
        minExtent=1.15 * max(map(label_width, labels)) + 8,
    )
    groups = alt.Axis(
        labelExpr=f"{json.dumps(_heads(drawn), ensure_ascii=False)}[floor(datum.value)]",
        values=[number + 0.5 for number in range(count)],
        title=title,
        ticks=False,
        domain=False,
        grid=False,
        labelFlush=False,
        labelOverlap=False,
    )
    x = alt.X("x:Q", axis=groups, scale=alt.Scale(domain=[0, count], nice=False, zero=False))
    y = alt.Y("y:Q", axis=names, scale=alt.Scale(domain=[last + 0.5, -1.5], nice=False, zero=False))
    base = alt.Chart(alt.InlineData(data))
    fills = alt.Fill("fill:N", scale=None, legend=None)
    inks = alt.Color("ink:N", scale=None, legend=None)
    cells = base.mark_rect(stroke="#ffffff", strokeWidth=1).encode(x=x, x2="x2:Q", y=y, y2="y2:Q", fill=fills)
    numbers = base.mark_text(baseline="middle", fontSize=11).encode(
        x=_of(x, "at"), y=_of(y, "row"), text="text:N", color=inks
    )
    return styled([cells, numbers, *_legend(top, count, x, y, fills, language)], _ROW * (len(drawn.rows) + 1))


def _heads(drawn: HeatMap) -> list[str | list[str]]:
    """What stands under each column: its group and, in a second line, how many questions it has."""
    if not drawn.questions:
        return list(drawn.columns)
    return [[name, f"n = {asked:,}"] for name, asked in zip(drawn.columns, drawn.questions, strict=True)]


def _legend(top: float, count: int, x: Any, y: Any, fill: Any, language: Language) -> list[Any]:
    """What the shades mean, in the row above the map."""
    import altair as alt

    wide = count / WIDTH
    data: list[dict[str, Any]] = []
    begin = (label_width(word("heat_rate", language)) + 12) * wide
    for step in range(_STEPS):
        share = step / (_STEPS - 1)
        text = f"{percent(share * top)}%" if language == "ja" else f"{percent(share * top)} %"
        place = {"x": begin, "x2": begin + 14 * wide, "y": -1.2, "y2": -0.8, "at": begin + 18 * wide, "row": -1}
        data.append(place | {"fill": shade(share)[0], "text": text})
        begin += (label_width(text) + 34) * wide
    head: dict[str, Any] = {"row": -1, "at": 0, "text": word("heat_rate", language)}
    base = alt.Chart(alt.InlineData(data))
    squares = base.mark_rect(stroke=SOFT, strokeWidth=0.5).encode(x=x, x2="x2:Q", y=y, y2="y2:Q", fill=fill)
    texts = alt.Chart(alt.InlineData([head, *data])).mark_text(align="left", baseline="middle", fontSize=11, color=SOFT)
    return [squares, texts.encode(x=_of(x, "at"), y=_of(y, "row"), text="text:N")]


def _of(channel: Any, field: str) -> Any:
    """The same channel, scale and axis, of another field."""
    other = channel.copy()
    other.shorthand = f"{field}:Q"
    return other
