from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kugiri.report.figures import figures, is_crowded
from kugiri.report.placement import HEIGHT, Placed, label_width, placed

EIGHT = [
    ("fixed(size=100)", 1989, 185),
    ("fixed(size=200)", 1009, 84),
    ("fixed(size=400)", 518, 42),
    ("fixed(size=800)", 279, 13),
    ("fixed(size=100, overlap=0.2)", 2467, 0),
    ("fixed(size=200, overlap=0.2)", 1243, 0),
    ("fixed(size=400, overlap=0.2)", 632, 0),
    ("fixed(size=800, overlap=0.2)", 326, 0),
    ("paragraph()", 1145, 0),
]


def rows(entries: list[tuple[str, int, int]], questions: int = 4038) -> list[dict[str, Any]]:
    return [
        {
            "configuration": label,
            "chunks": chunks,
            "lost": lost,
            "lost_rate": lost / questions,
            "lost_low": max(0.0, lost / questions - 0.005),
            "lost_high": lost / questions + 0.005,
        }
        for label, chunks, lost in entries
    ]


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return dict(figures(rows(EIGHT)))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_each_figure_names_every_configuration_in_both_languages(drawn: dict[str, str]) -> None:
    assert list(drawn) == ["loss.ja", "loss.en", "cost.ja", "cost.en"]
    for svg in drawn.values():
        assert {label for label, _, _ in EIGHT} <= set(texts(svg))
    assert "損失率（%）" in texts(drawn["loss.ja"])
    assert "Chunks (= vectors, log scale)" in texts(drawn["cost.en"])
    assert {"185", "84", "42", "13", "0"} <= set(texts(drawn["loss.en"]))


def test_figures_hold_nothing_that_runs_loads_or_collides(drawn: dict[str, str]) -> None:
    for svg in drawn.values():
        assert "<script" not in svg
        assert "href=" not in svg
        # Several figures share one page, where ids would meet.
        assert ' id="' not in svg


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_process(drawn: dict[str, str]) -> None:
    code = (
        "import hashlib, test_figures as t; from kugiri.report.figures import figures;"
        "print(*(hashlib.sha256(svg.encode()).hexdigest() for svg in figures(t.rows(t.EIGHT)).values()))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    again = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert again.stdout.split() == [hashlib.sha256(svg.encode()).hexdigest() for svg in drawn.values()]


def test_hostile_labels_stay_labels() -> None:
    label = 'x(a="</text><script>&{{ \\u202e")'
    for svg in figures(rows([(label, 10, 1), ("y()", 0, 0), ("z()", 10, 1)])).values():
        assert any("</text><script>&{{" in text for text in texts(svg))


def test_configurations_at_one_place_share_a_point() -> None:
    svg = figures(rows([("a()", 10, 1), ("b()", 10, 1), ("c()", 20, 0)]))["cost.en"]
    assert "a() · b()" in texts(svg)


@pytest.mark.slow
def test_labels_that_shorten_to_one_text_stay_two_bars() -> None:
    long = [(f'foreign(path="{"x" * 60}{end}")', 10 + end, end) for end in (1, 2)]
    counts = [text for text in texts(figures(rows(long))["loss.en"]) if text in {"1", "2"}]
    assert sorted(counts) == ["1", "2"]


@pytest.mark.slow
def test_a_crowded_figure_names_its_points_by_number() -> None:
    many = rows([(f"fixed(size={size})", 4000 - size, size) for size in range(1, 41)])
    assert is_crowded(many)
    assert not is_crowded(rows(EIGHT))
    assert {str(number) for number in range(1, 41)} <= set(texts(figures(many)["cost.ja"]))


@pytest.mark.slow
def test_nothing_lost_and_nothing_measured() -> None:
    assert set(figures(rows([("paragraph()", 3, 0)]))) == {"loss.ja", "loss.en", "cost.ja", "cost.en"}
    assert figures([{"configuration": "paragraph()", "chunks": 3, "lost_rate": None}]) == {}
    assert figures([]) == {}


def box(place: Placed, label: str) -> tuple[float, float, float, float]:
    width = label_width(label)
    left = place.x - {"left": 0.0, "center": width / 2, "right": width}[place.align]
    return left, place.y - HEIGHT / 2, left + width, place.y + HEIGHT / 2


def test_labels_of_near_points_do_not_overlap() -> None:
    labels = [label for label, _, _ in EIGHT]
    points = [(40.0 + 45 * index, 300.0 - 2 * (index % 2)) for index in range(len(labels))]
    boxes = [box(place, label) for place, label in zip(placed(points, labels, 520, 330), labels, strict=True)]
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0 and right <= 520 and top >= 0 and bottom <= 330
        for other in boxes[:index]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    assert placed(points[::-1], labels[::-1], 520, 330)[::-1] == placed(points, labels, 520, 330)
