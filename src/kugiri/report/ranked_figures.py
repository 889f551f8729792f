"""The figures of retrieval as static SVG: rank classes, and recall with the same k beside the same budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kugiri.report.equal_budget import EqualBudget
from kugiri.report.figures import INK, SOFT, WIDTH, short, styled, svg_of, word
from kugiri.report.grid import Row
from kugiri.report.placement import label_width
from kugiri.report.retrieval import Retrieval
from kugiri.report.words import LANGUAGES, Language, plain

if TYPE_CHECKING:
    import altair as alt

RANKED_FIGURES = ("ranks", "budget")
"""Names of the figures; their files are `figures/NAME.LANGUAGE.svg`."""

_ROW = 26
_HALF = 0.34
"""Half the height of a bar, in rows."""
# Steps of one blue, told apart by lightness alone; the lost part is vermilion on pale and hatched besides.
_CLASSES = (
    ("rank_1", "#08519c", "#ffffff"),
    ("rank_2_5", "#4a98c9", "#111111"),
    ("rank_6_20", "#a6cee3", "#111111"),
    ("kept_beyond", "#dfe4e8", "#111111"),
    ("lost", "#fde0cc", "#111111"),
)
_HATCH = "#c24a00"
_SHAPES = ("square", "triangle-up", "diamond", "cross", "stroke")
_AT, _SPAN = "#d55e00", "#0072b2"


def ranked_figures(retrieval: Retrieval | None) -> Mapping[str, str]:
    """The SVG of every figure in both languages, by `NAME.LANGUAGE`; none of a sweep without retrieval."""
    if retrieval is None:
        return {}
    charts: dict[str, Callable[[Language], dict[str, Any]]] = {
        "ranks": lambda language: _ranks(retrieval.standings.rows, language)
    }
    budget = retrieval.budget
    if budget is not None:
        charts["budget"] = lambda language: _budget(retrieval.standings.rows, budget, language)
    return {f"{name}.{language}": svg_of(draw(language)) for name, draw in charts.items() for language in LANGUAGES}


def _ranks(rows: Sequence[Row], language: Language) -> dict[str, Any]:
    import altair as alt

    bars, stripes = [], []
    for place, row in enumerate(rows):
        counts = row | {"kept_beyond": row["rank_beyond"] - row["lost"]}
        begin = 0.0
        for name, fill, ink in _CLASSES:
            share = 100 * counts[name] / row["questions"]
            if not share:
                continue
            # A number where it has room: about seven pixels a digit.
            fits = share / 100 * WIDTH > 7.5 * len(str(counts[name])) + 4
            text = f"{counts[name]:,}" if fits else ""
            bars.append(_bar(begin, begin + share, place) | {"fill": fill, "ink": ink, "text": text})
            if name == "lost":
                stripes += _stripes(begin, begin + share, place)
            begin += share
    x = alt.X("x:Q", title=word("axis_questions_share", language), scale=alt.Scale(domain=[0, 100], nice=False))
    layers = _bars(bars, stripes, x, rows)
    names = [*(plain(language).say(_class_name(name)) for name, _, _ in _CLASSES)]
    layers += _bar_legend(names, x, rows)
    return styled(layers, _ROW * (len(rows) + 1))


def _class_name(name: str) -> Any:
    from kugiri.report.words import said

    keys = {"kept_beyond": "rank_kept_beyond", "lost": "rank_lost"}
    return said(keys[name]) if name in keys else said(f"column_{name}")


def _bar(begin: float, end: float, place: float) -> dict[str, Any]:
    return {"x": begin, "x2": end, "y": place - _HALF, "y2": place + _HALF, "middle": (begin + end) / 2, "row": place}


def _stripes(begin: float, end: float, place: float, lean: float = 1.6, step: float = 1.3) -> list[dict[str, float]]:
    """Slanting lines that fill a bar, clipped to it; in per cent across and rows down."""
    found = []
    start = begin - lean
    while start < end:
        low, high = max(start, begin), min(start + lean, end)
        if low < high:
            at = [place + _HALF - 2 * _HALF * (edge - start) / lean for edge in (low, high)]
            found.append({"x": low, "x2": high, "y": at[0], "y2": at[1]})
        start += step
    return found


def _upright(rows: Sequence[Row]) -> alt.Y:
    """The rows from the top, below one row for the legend."""
    import json

    import altair as alt

    labels = [short(row["configuration"]) for row in rows]
    names = alt.Axis(
        labelExpr=f"{json.dumps(labels, ensure_ascii=False)}[datum.value]",
        values=list(range(len(rows))),
        title=None,
        labelLimit=0,
        ticks=False,
        domain=False,
        grid=False,
        labelPadding=8,
        minExtent=1.15 * max(map(label_width, labels)) + 8,
    )
    return alt.Y("y:Q", axis=names, scale=alt.Scale(domain=[len(rows) - 0.5, -1.5], nice=False, zero=False))


def _bars(
    bars: Sequence[dict[str, Any]], stripes: Sequence[dict[str, float]], x: alt.X, rows: Sequence[Row]
) -> list[alt.Chart]:
    import altair as alt

    y = _upright(rows)
    base = alt.Chart(alt.InlineData(list(bars)))
    layers = [
        base.mark_rect(stroke="#ffffff", strokeWidth=0.5).encode(x=x, x2="x2:Q", y=y, y2="y2:Q", fill=_as_is("fill"))
    ]
    if stripes:
        lines = alt.Chart(alt.InlineData(list(stripes))).mark_rule(color=_HATCH, strokeWidth=1.2)
        layers.append(lines.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"))
    texts = base.transform_filter("datum.text != ''").mark_text(baseline="middle", fontSize=11, fontWeight="bold")
    # On the hatching a number needs ground to stand on: a halo in the colour of the bar.
    halo = texts.transform_filter(f"datum.fill == '{_CLASSES[-1][1]}'").encode(
        x=_placed(x, "middle"),
        y=_placed(y, "row"),
        text="text:N",
        stroke=alt.value(_CLASSES[-1][1]),
        strokeWidth=alt.value(5),
    )
    layers.append(halo)
    layers.append(texts.encode(x=_placed(x, "middle"), y=_placed(y, "row"), text="text:N", color=_as_is("ink")))
    return layers


def _bar_legend(names: Sequence[str], x: alt.X, rows: Sequence[Row]) -> list[alt.Chart]:
    import altair as alt

    bars, stripes, begin = [], [], 0.0
    for label, (name, fill, _) in zip(names, _CLASSES, strict=True):
        bars.append(_bar(begin, begin + 3, -1) | {"fill": fill, "label": label, "at": begin + 4})
        if name == "lost":
            stripes = _stripes(begin, begin + 3, -1)
        begin += 4 + 100 * (label_width(label) + 18) / WIDTH
    y = _upright(rows)
    base = alt.Chart(alt.InlineData(bars))
    squares = base.mark_rect().encode(x=x, x2="x2:Q", y=y, y2="y2:Q", fill=_as_is("fill"))
    lines = alt.Chart(alt.InlineData(stripes)).mark_rule(color=_HATCH, strokeWidth=1.2)
    texts = base.mark_text(align="left", baseline="middle", fontSize=11, color=INK)
    return [
        squares,
        lines.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"),
        texts.encode(x=_placed(x, "at"), y=_placed(y, "row"), text="label:N"),
    ]


def _budget(rows: Sequence[Row], budget: EqualBudget, language: Language) -> dict[str, Any]:
    import altair as alt

    names = [budget.at, *(metric for _, metric in budget.budgets)]
    shapes = dict(zip(names, ("circle", *_SHAPES * len(names)), strict=False))
    points, spans = [], []
    for place, row in enumerate(rows):
        values = [row[name] for name in names]
        spans.append({"x": min(values), "x2": max(values), "y": place})
        # Marks on one line would hide each other: each kind has its own height within the row.
        for number, (name, value) in enumerate(zip(names, values, strict=True)):
            off = 0.5 * (number / max(1, len(names) - 1) - 0.5)
            points.append({"x": value, "y": place + off, "kind": name})
    low = max(0.0, min(span["x"] for span in spans) - 0.04)
    scale = alt.Scale(domain=[low, 1.0], nice=False, zero=False)
    x = alt.X("x:Q", title=word("axis_recall", language), scale=scale)
    y = _upright(rows)
    lines = alt.Chart(alt.InlineData(spans)).mark_rule(color=SOFT, strokeWidth=1, opacity=0.5)
    layers = [lines.encode(x=x, x2="x2:Q", y=y)]
    begin, legend = low, []
    for name in names:
        legend.append({"x": begin + 0.012 * (1 - low), "y": -1, "kind": name, "at": begin + 0.03 * (1 - low)})
        begin += (1 - low) * (label_width(name) + 40) / WIDTH
    for name in names:
        color = _AT if name == budget.at else _SPAN
        chosen = [point for point in (*points, *legend) if point["kind"] == name]
        marks = alt.Chart(alt.InlineData(chosen)).mark_point(
            shape=shapes[name], filled=True, color=color, size=58, opacity=1
        )
        layers.append(marks.encode(x=x, y=y))
    texts = alt.Chart(alt.InlineData(legend)).mark_text(align="left", baseline="middle", fontSize=11, color=INK)
    layers.append(texts.encode(x=_placed(x, "at"), y=y, text="kind:N"))
    return styled(layers, _ROW * (len(rows) + 1))


def _as_is(field: str) -> Any:
    """A colour that the data names itself."""
    import altair as alt

    return (
        alt.Fill(f"{field}:N", scale=None, legend=None)
        if field == "fill"
        else alt.Color(f"{field}:N", scale=None, legend=None)
    )


def _placed(channel: Any, field: str) -> Any:
    """The same channel, scale and axis, of another field."""
    other = channel.copy()
    other.shorthand = f"{field}:Q"
    return other
