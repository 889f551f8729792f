"""The figures as static SVG: lost rates with their intervals, and vectors against loss with the Pareto front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, Any

from kugiri.report.alignment import share_used
from kugiri.report.fonts import FACES
from kugiri.report.grid import Row
from kugiri.report.pareto import front
from kugiri.report.placement import label_width, placed
from kugiri.report.words import LANGUAGES, Language, Text, plain, said
from kugiri.visible import shortened

if TYPE_CHECKING:
    import altair as alt

FIGURES = ("loss", "cost")
"""Names of the figures; their files are `figures/NAME.LANGUAGE.svg`."""

# The blue and vermilion of Okabe and Ito's palette, told apart with any colour vision and in grey.
_BLUE, _VERMILION = "#56b4e9", "#d55e00"
INK, SOFT, _GRID = "#1f2933", "#52606d", "#d9dee4"
WIDTH, _HEIGHT, _ROW = 520, 330, 26
_CROWDED = 16
"""Places in the second figure beyond which points carry the number of their row instead of their label."""
_LONGEST_LABEL = 44


def figures(configurations: Sequence[Row]) -> Mapping[str, str]:
    """The SVG of every figure in both languages, by `NAME.LANGUAGE`; none where there is nothing to draw."""
    rows = [row for row in configurations if row["lost_rate"] is not None]
    if not rows:
        return {}
    charts = {"loss": _loss, "cost": _cost}
    return {f"{name}.{language}": svg_of(charts[name](rows, language)) for name in FIGURES for language in LANGUAGES}


def picture(svg: str) -> bytes:
    """A figure as PNG, twice as large as its SVG."""
    import vl_convert

    png: bytes = vl_convert.svg_to_png(svg, scale=2)
    return png


def is_crowded(configurations: Sequence[Row]) -> bool:
    """Whether the points of `cost` carry numbers: those of the table of configurations."""
    return len(_places(configurations)) > _CROWDED


def captions(configurations: Sequence[Row]) -> Mapping[str, Text]:
    """What each figure's caption says."""
    expected = any(row.get("expected_lost") is not None for row in configurations)
    loss = [said("figure_loss_caption"), *([said("figure_loss_expected")] if expected else [])]
    crowded = [said("figure_cost_numbers")] if is_crowded(configurations) else []
    return {"loss": Text(tuple(loss)), "cost": Text((said("figure_cost_caption"), said("figure_cost_front"), *crowded))}


def svg_of(chart: dict[str, Any]) -> str:
    """The SVG of a Vega-Lite specification."""
    import vl_convert

    # No base address is allowed: data is inline, and a report is made without the network.
    svg: str = vl_convert.vegalite_to_svg(chart, allowed_base_urls=[])
    return svg


def _loss(rows: Sequence[Row], language: Language) -> dict[str, Any]:
    import altair as alt

    order = [short(row["configuration"]) for row in rows]
    data = [
        {
            "row": index,
            "rate": 100 * row["lost_rate"],
            "low": 100 * row["lost_low"],
            "high": 100 * row["lost_high"],
            "count": f"{row['lost']:,}",
            "expected": None if row.get("expected_lost") is None else 100 * (share_used(row) or 0.0),
        }
        for index, row in enumerate(rows)
    ]
    # Rows are told apart by position: two labels shortened to one text must not become one bar.
    # Room for the labels in whatever font a browser takes: the one they are measured in here need not be there.
    room = 1.15 * max(map(label_width, order)) + 8
    names = alt.Axis(
        labelExpr=_lookup(order), title=None, labelLimit=0, ticks=False, domain=False, labelPadding=8, minExtent=room
    )
    y = alt.Y("row:O", axis=names, scale=alt.Scale(paddingInner=0.35, paddingOuter=0.25))
    top = max(100 * max(row["lost_high"], share_used(row) or 0.0) for row in rows)
    axis = alt.Axis(title=word("axis_lost_rate", language), tickCount=6, labelFlush=False)
    scale = alt.Scale(domain=[0, (top or 1) * 1.1], nice=False)

    def across(field: str) -> alt.X:
        return alt.X(f"{field}:Q", axis=axis, scale=scale)

    base = alt.Chart(alt.InlineData(data))
    bars = base.mark_bar(color=_BLUE).encode(x=across("rate"), y=y)
    whiskers = base.mark_rule(color=INK, strokeWidth=1.5).encode(x=across("low"), x2="high:Q", y=y)
    caps = [base.mark_tick(color=INK, thickness=1.5, size=9).encode(x=across(end), y=y) for end in ("low", "high")]
    counts = base.mark_text(align="left", dx=7, color=INK, fontSize=12, fontWeight="bold").encode(
        x=across("high"), y=y, text="count:N"
    )
    layers = [bars, whiskers, *caps, counts]
    if any(entry["expected"] is not None for entry in data):
        known = base.transform_filter("isValid(datum.expected)")
        diamonds = known.mark_point(shape="diamond", filled=True, color=_VERMILION, size=55, opacity=1)
        layers.append(diamonds.encode(x=across("expected"), y=y))
    return styled(layers, _ROW * len(rows))


def _cost(rows: Sequence[Row], language: Language) -> dict[str, Any]:
    import altair as alt

    places = _places(rows)
    crowded = len(places) > _CROWDED
    chunks = [count for count, _ in places]
    top = max(100 * rate for _, rate in places) or 1.0
    wide = min(chunks) > 0 and max(chunks) > 4 * min(chunks)
    if wide:
        low, high = min(chunks) / 1.35, max(chunks) * 1.35
    else:
        low, high = 0.0, max(*chunks, 1) * 1.15
    bottom, ceiling = -0.1 * top, 1.12 * top

    def across(count: float) -> float:
        return WIDTH * (log(count / low) / log(high / low) if wide else (count - low) / (high - low))

    def back(pixel: float) -> float:
        share = pixel / WIDTH
        return float(low * (high / low) ** share) if wide else low + share * (high - low)

    best = {(row["chunks"], share_used(row)) for row in front(rows)}
    points = [(across(count), _HEIGHT * (ceiling - 100 * rate) / (ceiling - bottom)) for count, rate in places]
    corners = sorted(point for point, place in zip(points, places, strict=True) if place in best)
    steps = [step for (x, y), (x2, y2) in pairwise(corners) for step in ((x, y, x2, y), (x2, y, x2, y2))]
    labels = [
        ", ".join(str(number) for number, _ in members) if crowded else " · ".join(short(label) for _, label in members)
        for members in places.values()
    ]
    data = []
    beside = placed(points, labels, WIDTH, _HEIGHT, steps)
    for (count, rate), label, place in zip(places, labels, beside, strict=True):
        data.append(
            {
                "chunks": count,
                "rate": 100 * rate,
                "label": label,
                "front": (count, rate) in best,
                "align": place.align,
                "label_x": back(place.x),
                "label_y": ceiling - place.y / _HEIGHT * (ceiling - bottom),
                "line": place.line,
            }
        )
    scale = alt.Scale(type="log" if wide else "linear", domain=[low, high], nice=False)
    title = word("axis_chunks_log" if wide else "axis_chunks", language)
    marks = log_ticks(low, high) if wide else alt.Undefined
    ticks = alt.Axis(title=title, format=",d", labelFlush=False, values=marks)
    expected = any(row.get("expected_lost") is not None for row in rows)
    rates = alt.Axis(title=word("axis_loss_used" if expected else "axis_lost_rate", language), tickCount=6)
    upright = alt.Scale(domain=[bottom, ceiling], nice=False)

    def at(horizontal: str, vertical: str) -> dict[str, Any]:
        return {
            "x": alt.X(f"{horizontal}:Q", scale=scale, axis=ticks),
            "y": alt.Y(f"{vertical}:Q", scale=upright, axis=rates),
        }

    base = alt.Chart(alt.InlineData(data))
    lines = base.transform_filter("datum.line").mark_rule(color=SOFT, strokeWidth=0.75)
    texts = [
        base.transform_filter(f"datum.align == '{align}'")
        .mark_text(align=align, baseline="middle", color=INK, fontSize=11)
        .encode(**at("label_x", "label_y"), text="label:N")
        for align in ("left", "center", "right")
    ]
    dots = [
        base.transform_filter(shown)
        .mark_point(filled=True, color=fill, stroke=_VERMILION, strokeWidth=1.5, size=64, opacity=1)
        .encode(**at("chunks", "rate"))
        for shown, fill in (("datum.front", _VERMILION), ("!datum.front", "#ffffff"))
    ]
    # A step: with the vectors of one on the front and no more than the next has, its loss is the least there is.
    line = base.transform_filter("datum.front").mark_line(color=_VERMILION, strokeWidth=1, interpolate="step-after")
    line = line.encode(**at("chunks", "rate"))
    lines = lines.encode(**at("chunks", "rate"), x2="label_x:Q", y2="label_y:Q")
    return styled([line, lines, *dots, *texts], _HEIGHT)


def _places(rows: Sequence[Row]) -> dict[tuple[int, float], list[tuple[int, str]]]:
    """Row numbers and labels by place: configurations with the same chunks and loss share a point."""
    places: dict[tuple[int, float], list[tuple[int, str]]] = {}
    for number, row in enumerate(rows, 1):
        rate = share_used(row)
        if rate is not None:
            own = row.get("number", number)
            places.setdefault((row["chunks"], rate), []).append((own, row["configuration"]))
    return places


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2, 3 and 5 times the powers of ten between the limits."""
    steps = [lead * 10.0**power for power in range(10) for lead in (1, 2, 3, 5)]
    return [step for step in steps if low <= step <= high]


def _lookup(labels: Sequence[str]) -> str:
    """A Vega expression for the label of an axis value that is a row number."""
    import json

    return f"{json.dumps(list(labels), ensure_ascii=False)}[datum.value]"


def short(label: str) -> str:
    """A label as a figure has room for it."""
    return shortened(label, _LONGEST_LABEL)


def word(key: str, language: Language) -> str:
    """A sentence of `words.toml` without values."""
    return plain(language).say(said(key))


def styled(layers: Sequence[alt.Chart], height: int) -> dict[str, Any]:
    """The Vega-Lite specification of these layers over one another."""
    import altair as alt

    layered = alt.layer(*layers).properties(width=WIDTH, height=height)
    # Validation against the schema takes longer than drawing; what is no chart, drawing refuses.
    specification: dict[str, Any] = layered.to_dict(validate=False)
    axis = {
        "labelColor": INK,
        "titleColor": SOFT,
        "gridColor": _GRID,
        "domainColor": SOFT,
        "tickColor": SOFT,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 10,
    }
    return specification | {
        "config": {"font": FACES, "background": "white", "padding": 6, "view": {"stroke": None}, "axis": axis}
    }
