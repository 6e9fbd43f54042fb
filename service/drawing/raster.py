"""Rasterizes our own small SVG drawings: paths and circles with plain fills and strokes.

It knows what small boards and the signs of seats are drawn with, and nothing else of SVG: no text, no transforms.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias
from xml.etree import ElementTree

from PIL import Image, ImageDraw

Point: TypeAlias = tuple[float, float]
Attributes: TypeAlias = Mapping[str, str]

OVERSAMPLING: Final = 3
"""The factor by which drawings are drawn larger and then reduced, which smooths their edges."""
CURVE: Final = 16
"""Straight pieces of a curve or of half a circle."""
TOKENS: Final = re.compile(r"[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)")
ARGUMENTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Q": 4, "C": 6, "Z": 0}
INHERITED: Final[tuple[str, ...]] = ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray")


class Line(NamedTuple):
    """A part of a path without a gap."""

    points: list[Point]
    is_closed: bool


def rasterize(drawing: str, width: int, *, paints: Mapping[str, str] | None = None) -> Image.Image:
    """A drawing as an image without a ground; `paints` are colours by the names that the drawing has for them."""
    root = ElementTree.fromstring(drawing)  # noqa: S314 - our own drawing
    left, top, across, down = (float(number) for number in root.attrib["viewBox"].split())
    scale = width * OVERSAMPLING / across
    image = Image.new("RGBA", (width * OVERSAMPLING, round(down * scale)))
    pen = _Pen(ImageDraw.Draw(image), (left, top), scale, paints or {})
    pen.draw(root, {})
    return image.reduce(OVERSAMPLING)


class _Pen:
    def __init__(self, draw: ImageDraw.ImageDraw, corner: Point, scale: float, paints: Mapping[str, str]) -> None:
        self._draw, self._corner, self._scale, self._paints = draw, corner, scale, paints

    def draw(self, element: ElementTree.Element, inherited: Attributes) -> None:
        """Draw an element and what it contains."""
        own = {name: str(element.attrib[name]) for name in INHERITED if name in element.attrib}
        attributes: Attributes = {**inherited, **own}
        for line in _lines_of(element):
            self._fill(line, attributes.get("fill", "#000000"))
            self._stroke(line, attributes)
        for child in element:
            self.draw(child, attributes)

    def _fill(self, line: Line, paint: str) -> None:
        if paint != "none" and len(line.points) > 2:
            self._draw.polygon([self._placed(point) for point in line.points], fill=self._colour(paint))

    def _stroke(self, line: Line, attributes: Attributes) -> None:
        paint = attributes.get("stroke", "none")
        if paint == "none":
            return
        width = float(attributes.get("stroke-width", "1")) * self._scale
        points = [self._placed(point) for point in line.points]
        if line.is_closed:
            points.append(points[0])
        dashes = [float(length) * self._scale for length in attributes.get("stroke-dasharray", "").split()]
        is_round = attributes.get("stroke-linecap") == "round"
        for part in _dashed(points, dashes) if dashes else [points]:
            self._draw_line(part, width, self._colour(paint), is_round=is_round)

    def _draw_line(self, points: Sequence[Point], width: float, colour: str, *, is_round: bool) -> None:
        """A line with round joints, and round ends if wanted; one without length is a dot then."""
        if len(set(points)) > 1:
            self._draw.line(points, fill=colour, width=max(1, round(width)))
        is_closed = points[0] == points[-1]
        for x, y in points if is_round or is_closed else points[1:-1]:
            self._draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=colour)

    def _colour(self, paint: str) -> str:
        return self._paints.get(paint, paint)

    def _placed(self, point: Point) -> Point:
        return (point[0] - self._corner[0]) * self._scale, (point[1] - self._corner[1]) * self._scale


def _lines_of(element: ElementTree.Element) -> Iterator[Line]:
    attributes = {name: float(value) for name, value in element.attrib.items() if name in {"cx", "cy", "r"}}
    match element.tag.rpartition("}")[2]:
        case "path":
            yield from lines(element.attrib["d"])
        case "circle":
            x, y, radius = (attributes.get(name, 0.0) for name in ("cx", "cy", "r"))
            yield Line([_on_circle((x, y), radius, step / CURVE * math.pi) for step in range(2 * CURVE)], True)


def lines(d: str) -> Iterator[Line]:
    """The lines of a path, its curves as short straight pieces."""
    points: list[Point] = []
    here: Point = (0.0, 0.0)
    for command, numbers in _commands(d):
        if command in "Mm":
            if points:
                yield Line(points, False)
            here = _at(numbers, here if command == "m" else (0, 0))
            points = [here]
        elif command in "Zz":
            yield Line(points, True)
            here = points[0]
            points = []
        else:
            points = points or [here]
            points += _reached(command, numbers, here)
            here = points[-1]
    if points:
        yield Line(points, False)


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """The commands of a path, each with the numbers for one step; those that follow a move are lines."""
    tokens = TOKENS.findall(d)
    at, command = 0, "M"
    while at < len(tokens):
        if tokens[at].isalpha():
            command = tokens[at]
            at += 1
        count = ARGUMENTS[command.upper()]
        yield command, [float(number) for number in tokens[at : at + count]]
        at += count
        command = {"M": "L", "m": "l"}.get(command, command)


def _reached(command: str, numbers: Sequence[float], here: Point) -> list[Point]:
    """The points to which a command leads."""
    base = here if command.islower() else (0.0, 0.0)
    match command.upper():
        case "H":
            return [(base[0] + numbers[0], here[1])]
        case "V":
            return [(here[0], base[1] + numbers[0])]
        case "A":
            return _arc(
                here, numbers[0], _at(numbers[5:], base), is_large=bool(numbers[3]), is_clockwise=bool(numbers[4])
            )
        case "Q" | "C":
            handles = [_at(numbers[at : at + 2], base) for at in range(0, len(numbers), 2)]
            return [_bezier([here, *handles], step / CURVE) for step in range(1, CURVE + 1)]
    return [_at(numbers, base)]


def _at(numbers: Sequence[float], base: Point) -> Point:
    return base[0] + numbers[0], base[1] + numbers[1]


def _bezier(points: Sequence[Point], part: float) -> Point:
    """The point of a curve, by dividing the lines between its handles until one point is left."""
    while len(points) > 1:
        points = [
            (one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part)
            for one, other in pairwise(points)
        ]
    return points[0]


def _arc(here: Point, radius: float, end: Point, *, is_large: bool, is_clockwise: bool) -> list[Point]:
    """The points of an arc of a circle, as SVG 2 describes it in its notes on implementation."""
    half = ((end[0] - here[0]) / 2, (end[1] - here[1]) / 2)
    reach = math.hypot(*half)
    radius = max(radius, reach)
    height = math.sqrt(radius**2 - reach**2) / reach * (1 if is_large != is_clockwise else -1)
    middle = (here[0] + half[0] - height * half[1], here[1] + half[1] + height * half[0])
    begin, finish = (math.atan2(y - middle[1], x - middle[0]) for x, y in (here, end))
    if is_clockwise and finish <= begin:
        finish += 2 * math.pi
    if not is_clockwise and finish >= begin:
        finish -= 2 * math.pi
    pieces = max(2, round(CURVE * abs(finish - begin) / math.pi))
    return [_on_circle(middle, radius, begin + (finish - begin) * step / pieces) for step in range(1, pieces + 1)]


def _on_circle(middle: Point, radius: float, angle: float) -> Point:
    return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)


def _dashed(points: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
    """The drawn parts of a line that has gaps."""
    at, left = 0, dashes[0]
    part = [points[0]]
    for begin, end in pairwise(points):
        here, rest = begin, math.dist(begin, end)
        while rest > left:
            share = left / rest
            here = (here[0] + (end[0] - here[0]) * share, here[1] + (end[1] - here[1]) * share)
            rest -= left
            if at % 2 == 0:
                yield [*part, here]
            at += 1
            left = dashes[at % len(dashes)]
            part = [here]
        left -= rest
        part.append(end)
    if at % 2 == 0:
        yield part
