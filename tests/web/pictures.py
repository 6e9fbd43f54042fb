"""Pictures of pages as coarse grids of colours, to be compared with those that are kept.

Each cell is the mean of its pixels. Letters drawn a little otherwise change it by a few steps; a board that is missing
or a column that moves changes hundreds of cells. `python -m tests.web.pictures` writes the grids anew.
"""

import base64
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Page

from tests.web.checks import eventually

HERE = Path(__file__).parent
KEPT = HERE / "pictures.json"
WRITE = "CARNET_PICTURES"
"""The variable of the environment that lets pictures be written instead of compared."""
CELL = 26
"""Pixels of a cell, across and down."""
STEPS = 17
"""A step of a colour on paper, which has one hexadecimal digit for each of red, green and blue."""
MAX_DISTANCE = 2
"""Steps by which a cell may differ."""
MAX_OTHER = 0.015
"""The share of cells that may differ by more."""
MAX_LOOKS, PAUSE = 40, 150
"""How often a page is looked at until it rests, and the milliseconds between."""
MEANS = """
async ({ data, size }) => {
    const blob = await (await fetch(`data:image/png;base64,${data}`)).blob();
    const image = await createImageBitmap(blob);
    const [across, down] = [Math.ceil(image.width / size), Math.ceil(image.height / size)];
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    const sums = Array.from({ length: across * down }, () => [0, 0, 0, 0]);
    for (let y = 0, at = 0; y < image.height; y += 1)
        for (let x = 0; x < image.width; x += 1, at += 4) {
            const sum = sums[Math.floor(y / size) * across + Math.floor(x / size)];
            for (const channel of [0, 1, 2]) sum[channel] += pixels[at + channel];
            sum[3] += 1;
        }
    const means = sums.map(([red, green, blue, count]) => [red / count, green / count, blue / count]);
    return Array.from({ length: down }, (_, row) => means.slice(row * across, (row + 1) * across));
}
"""

Grid: TypeAlias = Sequence[str]
"""Rows of cells, each with three digits."""


def grid_of(page: Page, blank: Page) -> Grid:
    """The grid of a page once it rests; another page reads its pictures."""
    grid: Grid = []
    for _ in range(MAX_LOOKS):
        before, grid = grid, _grid_now(page, blank)
        if grid == before:
            return grid
        page.wait_for_timeout(PAUSE)
    raise AssertionError(f"{page.url} does not come to rest")


def _grid_now(page: Page, blank: Page) -> Grid:
    shot = page.screenshot(animations="disabled", caret="hide", scale="css")
    means = blank.evaluate(MEANS, {"data": base64.b64encode(shot).decode(), "size": CELL})
    return ["".join(f"{round(mean / STEPS):x}" for cell in row for mean in cell) for row in means]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two grids differ."""

    marks: Sequence[str]
    """A row of each row of cells: `#` for a cell that is another one, `.` for one that is not."""

    @property
    def share(self) -> float:
        """The share of cells that are others."""
        cells = "".join(self.marks)
        return cells.count("#") / len(cells)

    def __str__(self) -> str:
        return "\n".join((f"{self.share:.1%} of the cells differ:", *self.marks))


def difference(one: Grid, other: Grid) -> Difference:
    """Where two grids differ; everywhere if they are not of one size."""
    if [len(row) for row in one] != [len(row) for row in other]:
        return Difference(["#" * (len(row) // 3) for row in one])
    return Difference([_marks(row, other_row) for row, other_row in zip(one, other, strict=True)])


def _marks(row: str, other: str) -> str:
    steps = [abs(int(one, 16) - int(two, 16)) for one, two in zip(row, other, strict=True)]
    return "".join("#" if max(steps[at : at + 3]) > MAX_DISTANCE else "." for at in range(0, len(steps), 3))


def check_picture(name: str, page: Page, blank: Page) -> None:
    """Fail unless a page comes to look like the picture that is kept, when it has loaded all its parts; or keep it."""
    kept: dict[str, Grid] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    if os.environ.get(WRITE):
        kept[name] = grid_of(page, blank)
        KEPT.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", "utf-8")
        return

    def require_same() -> None:
        differs = difference(kept[name], _grid_now(page, blank))
        assert differs.share <= MAX_OTHER, f"{name}: {differs}"

    eventually(page, require_same)


if __name__ == "__main__":
    os.environ[WRITE] = "1"
    KEPT.unlink(missing_ok=True)
    sys.exit(pytest.main(["-q", "-m", "", str(HERE / "test_pictures.py")]))
