"""The figures of a loss surface as static SVG: two heat maps, and vectors against expected loss."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import Any

from kugiri.report.figures import INK, SOFT, WIDTH, log_ticks, styled, svg_of, word
from kugiri.report.grid import Row
from kugiri.report.loss_classes import COLOURS, class_name, class_of
from kugiri.report.placement import placed
from kugiri.report.surface import SurfaceContent
from kugiri.report.surface_rows import thinned
from kugiri.report.words import LANGUAGES, Language, plain, said

FIGURES = ("surface_expected", "surface_lost", "surface_front")
"""Names of the figures; their files are `figures/NAME.LANGUAGE.svg`."""
_HEIGHT, _FRONT_HEIGHT = 300, 330
_MOST_SIZES, _MOST_OVERLAPS = 400, 100
_FRONT, _LIMITED, _DOMINATED = "#d55e00", "#0072b2", "#c3cad1"
_NEAR = 6
"""Pixels between two points that a cloud can show as two."""


def surface_figures(content: SurfaceContent) -> Mapping[str, str]:
    """The SVG of every figure in both languages, by `NAME.LANGUAGE`; without expected loss only what was observed."""
    charts: dict[str, str] = {}
    for language in LANGUAGES:
        if content.kept:
            charts[f"surface_expected.{language}"] = svg_of(_map(content, "expected", language))
        charts[f"surface_lost.{language}"] = svg_of(_map(content, "lost", language))
        if content.front:
            charts[f"surface_front.{language}"] = svg_of(_front(content, language))
    return {
        f"{name}.{one}": charts[f"{name}.{one}"] for name in FIGURES for one in LANGUAGES if f"{name}.{one}" in charts
    }


def axis_value(row: Row) -> float:
    """Where a row lies on the axis of overlaps: per cent of the size, or units."""
    return float(row["overlap"]) if row["share"] is None else round(100 * row["share"], 9)


def _map(content: SurfaceContent, of: str, language: Language) -> dict[str, Any]:
    import altair as alt

    sizes = thinned(sorted({row["size"] for row in content.rows}), _MOST_SIZES)
    overlaps = thinned(sorted({axis_value(row) for row in content.rows}), _MOST_OVERLAPS)
    shares = content.rows[0]["share"] is not None
    across, upwards = dict(zip(sizes, _cells(sizes), strict=True)), dict(zip(overlaps, _cells(overlaps), strict=True))
    top = _cells(overlaps)[-1][1]

    def seam(low: float, high: float) -> float:
        return min(top, high + (high - low) / 10)

    data = [
        # A little into the line above, which is drawn over it: no seam shows between them.
        {"x": low, "x2": high, "y": upwards[overlap][0], "y2": seam(*upwards[overlap]), "class": number}
        for overlap, low, high, number in _runs(content, of, across, set(overlaps))
    ]
    voice = plain(language)
    names = [voice.say(class_name(number)) for number in range(len(COLOURS))]
    legend = alt.Legend(
        title=None,
        labelExpr=f"{json.dumps(names, ensure_ascii=False)}[datum.value]",
        labelColor=INK,
        labelFontSize=12,
        symbolType="square",
        symbolStrokeColor=SOFT,
        symbolStrokeWidth=0.5,
        symbolSize=160,
    )
    colour = alt.Color("class:O", scale=alt.Scale(domain=list(range(len(COLOURS))), range=list(COLOURS)), legend=legend)
    overlap_title = "axis_surface_overlap_share" if shares else "axis_surface_overlap_units"
    titles = [voice.say(said(key, unit=content.unit)) for key in ("axis_surface_size", overlap_title)]
    ends = [[cells[0][0], cells[-1][1]] for cells in (_cells(sizes), _cells(overlaps))]

    def axis(number: int) -> dict[str, Any]:
        marks = alt.Axis(title=titles[number], grid=False, tickCount=8, format=",.2~f", labelFlush=False)
        return {"axis": marks, "scale": alt.Scale(domain=ends[number], nice=False, zero=False)}

    cells = (
        alt.Chart(alt.InlineData(data))
        .mark_rect(aria=False)
        .encode(x=alt.X("x:Q", **axis(0)), x2="x2:Q", y=alt.Y("y:Q", **axis(1)), y2="y2:Q", color=colour)
    )
    return styled([cells], _HEIGHT)


def _cells(values: Sequence[float]) -> list[tuple[float, float]]:
    """From half-way to the value before to half-way to the next, the ends as far out as they go in."""
    if len(values) == 1:
        return [(values[0] - 0.5, values[0] + 0.5)]
    middles = [(a + b) / 2 for a, b in pairwise(values)]
    edges = [2 * values[0] - middles[0], *middles, 2 * values[-1] - middles[-1]]
    return list(pairwise(edges))


def _runs(
    content: SurfaceContent, of: str, across: Mapping[int, tuple[float, float]], overlaps: set[float]
) -> Iterator[tuple[float, float, float, int]]:
    """Overlap, left, right and class: neighbours of one class are one run, as are thousands of cells a few hundred."""
    rows: dict[float, list[Row]] = {}
    for row in content.rows:
        if row["size"] in across and axis_value(row) in overlaps:
            rows.setdefault(axis_value(row), []).append(row)
    for overlap, line in sorted(rows.items()):
        left, right, number = 0.0, 0.0, -1
        for row in sorted(line, key=lambda row: row["size"]):
            low, high = across[row["size"]]
            other = class_of(row[of], content.questions)
            if other != number or low != right:
                if number >= 0:
                    yield overlap, left, right, number
                left, number = low, other
            right = high
        yield overlap, left, right, number


def _front(content: SurfaceContent, language: Language) -> dict[str, Any]:
    import altair as alt

    low, high = (choose(row["chunks"] for row in content.rows) for choose in (min, max))
    low, high = low / 1.1, high * 1.1
    rate = 100 / content.questions
    max_size = max(row["size"] for row in content.rows)
    top = max(row["expected"] for row in content.rows) * rate or 1.0

    def pixels(row: Row) -> tuple[float, float]:
        return WIDTH * log(row["chunks"] / low) / log(high / low), _FRONT_HEIGHT * (
            1 - sqrt(row["expected"] * rate / (1.05 * top))
        )

    def point(row: Row) -> dict[str, Any]:
        return {"chunks": row["chunks"], "rate": row["expected"] * rate}

    cloud = {(round(x / _NEAR), round(y / _NEAR)): row for row in content.rows for x, y in [pixels(row)]}
    named = {(row["size"], row["overlap"]): row for kept in content.kept for row in [kept.row] if row is not None}
    limited = [(limit, content.front_up_to(limit)) for limit in content.limits if limit < max_size]
    limited = [(limit, rows) for limit, rows in limited if rows]
    marked = [
        *((row, f"{row['size']:,} × {_short(row)}", True) for row in named.values()),
        *((rows[0], f"≤ {limit:,}", False) for limit, rows in limited),
    ]
    voice = plain(language)
    places = placed([pixels(row) for row, _, _ in marked], [label for _, label, _ in marked], WIDTH, _FRONT_HEIGHT)

    def back(x: float, y: float) -> dict[str, Any]:
        return {
            "label_x": low * (high / low) ** (x / WIDTH),
            "label_y": 1.05 * top * max(1 - y / _FRONT_HEIGHT, 0) ** 2,
        }

    texts = [
        {
            **point(row),
            **back(place.x, place.y),
            "label": label,
            "kept": kept,
            "align": place.align,
            "line": place.line,
        }
        for (row, label, kept), place in zip(marked, places, strict=True)
    ]
    steps = [{**point(row), "limit": str(limit)} for limit, rows in limited for row in rows]
    title = voice.say(said("axis_chunks_log"))
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    x_axis = alt.Axis(title=title, format=",d", labelFlush=False, values=log_ticks(low, high))
    upright = alt.Scale(type="sqrt", domain=[0, 1.05 * top], nice=False)
    y_axis = alt.Axis(title=word("axis_surface_expected", language), tickCount=6)

    def at(horizontal: str, vertical: str) -> dict[str, Any]:
        return {
            "x": alt.X(f"{horizontal}:Q", scale=scale, axis=x_axis),
            "y": alt.Y(f"{vertical}:Q", scale=upright, axis=y_axis),
        }

    front = alt.Chart(alt.InlineData([point(row) for row in content.front]))
    base = alt.Chart(alt.InlineData(texts))
    layers = [
        alt.Chart(alt.InlineData([point(row) for row in cloud.values()]))
        .mark_square(aria=False, color=_DOMINATED, size=8, opacity=1)
        .encode(**at("chunks", "rate")),
        alt.Chart(alt.InlineData(steps))
        .mark_line(aria=False, color=_LIMITED, interpolate="step-after", strokeWidth=1.25)
        .encode(**at("chunks", "rate"), detail="limit:N"),
        front.mark_line(color=_FRONT, interpolate="step-after", strokeWidth=1.25).encode(**at("chunks", "rate")),
        front.mark_point(aria=False, filled=True, color=_FRONT, size=16, opacity=1).encode(**at("chunks", "rate")),
        base.transform_filter("datum.line")
        .mark_rule(color=SOFT, strokeWidth=0.75)
        .encode(**at("chunks", "rate"), x2="label_x:Q", y2="label_y:Q"),
        base.transform_filter("datum.kept").mark_point(color=INK, size=60, opacity=1).encode(**at("chunks", "rate")),
        *(
            base.transform_filter(f"datum.align == '{align}' && datum.kept == {str(kept).lower()}")
            .mark_text(align=align, baseline="middle", color=INK if kept else _LIMITED, fontSize=11, fontWeight="bold")
            .encode(**at("label_x", "label_y"), text="label:N")
            for align in ("left", "center", "right")
            for kept in (True, False)
        ),
    ]
    return styled(layers, _FRONT_HEIGHT)


def _short(row: Row) -> str:
    return f"{row['overlap']:,}" if not row["share"] else f"{axis_value(row):g} %"
