"""Where the label of each point of a chart goes, so that near points stay readable."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from math import hypot
from typing import Literal

HEIGHT = 14.0
"""Pixels from one line of labels to the next."""
_CHARACTER = 6.3
_RADIUS = 6.0
_STEPS = 24


@dataclasses.dataclass(frozen=True, slots=True)
class Placed:
    """A label beside its point, in pixels from the upper left; `x`, `y` is where its text is anchored, mid-height."""

    x: float
    y: float
    align: Literal["left", "right", "center"]
    line: bool


@dataclasses.dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def is_crossed(self, x1: float, y1: float, x2: float, y2: float) -> bool:
        """Whether the segment runs through the box, by clipping it to the box's sides (Liang and Barsky)."""
        first, last = 0.0, 1.0
        for step, room in (
            (x1 - x2, x1 - self.left),
            (x2 - x1, self.right - x1),
            (y1 - y2, y1 - self.top),
            (y2 - y1, self.bottom - y1),
        ):
            if step == 0:
                if room < 0:
                    return False
            elif step < 0:
                first = max(first, room / step)
            else:
                last = min(last, room / step)
        return first < last


def label_width(text: str) -> float:
    """About how wide a label is, with no font at hand."""
    return _CHARACTER * sum(2 if ord(character) > 0x2E7F else 1 for character in text)


def placed(
    points: Sequence[tuple[float, float]],
    labels: Sequence[str],
    width: float,
    height: float,
    drawn: Sequence[tuple[float, float, float, float]] = (),
) -> list[Placed]:
    """A place for each label in a plot of this width and height: the first one that meets no other label and no point.

    Beside the point if there is room, else further and further off, with a line to the point that crosses nothing.
    Where there is no such place a line may cross something; where nothing at all is free the label goes to the right of
    its point. Points are served from the bottom, where those without loss crowd, and from the left: places do not
    depend on the order of the sweep. `drawn` are the ends of lines that are there already, to be kept free too.
    """
    dots = [_Box(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in points]
    taken: list[_Box] = []
    lines = list(drawn)
    made: dict[int, Placed] = {}
    for index in sorted(range(len(points)), key=lambda i: (-points[i][1], points[i][0], labels[i])):
        others = [*taken, *(dot for other, dot in enumerate(dots) if other != index)]
        candidates = list(_candidates(*points[index]))
        loose: Placed | None = None
        for candidate in candidates:
            box, line = _box(candidate, label_width(labels[index])), (*points[index], candidate.x, candidate.y)
            inside = box.left >= 0 and box.right <= width and box.top >= 0 and box.bottom <= height
            if not inside or any(box.meets(other) for other in others):
                continue
            loose = loose or candidate
            crossed = candidate.line and any(other.is_crossed(*line) for other in others)
            if not crossed and not any(box.is_crossed(*other) for other in lines):
                made[index] = candidate
                break
        else:
            made[index] = loose or candidates[0]
        taken.append(_box(made[index], label_width(labels[index])))
        if made[index].line:
            lines.append((*points[index], made[index].x, made[index].y))
    return [made[index] for index in range(len(points))]


def _box(place: Placed, width: float) -> _Box:
    left = place.x - {"left": 0.0, "center": width / 2, "right": width}[place.align]
    return _Box(left, place.y - HEIGHT / 2, left + width, place.y + HEIGHT / 2)


def _candidates(x: float, y: float) -> Iterator[Placed]:
    near = _RADIUS + 3
    yield Placed(x + near, y, "left", False)
    yield Placed(x - near, y, "right", False)
    yield Placed(x, y - near - HEIGHT / 2, "center", False)
    yield Placed(x, y + near + HEIGHT / 2, "center", False)
    offsets = [(near + across, step * HEIGHT) for step in range(1, _STEPS) for across in (0, 24, 60, 110)]
    for right, up in sorted(offsets, key=lambda offset: hypot(*offset)):
        for side in (-1, 1):
            yield Placed(x + right, y + side * up, "left", True)
            yield Placed(x - right, y + side * up, "right", True)
