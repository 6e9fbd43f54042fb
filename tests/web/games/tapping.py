"""Recording matches of La Cité de la Lumière by taps alone, and counting them."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.domain.games.cite_lumiere.positions import EDITION, written

RIGHTS = {"chartier", "metropolitain", "sacre_coeur"}
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Of a square, clockwise from the top left."""


class Table:
    """A page at which a match is recorded."""

    def __init__(self, page: Page, match_id: str) -> None:
        self.page = page
        self.taps = 0
        page.goto(f"/matches/{match_id}")
        expect(self.button("confirm")).to_be_visible()
        expect(page.locator("main[aria-busy]")).to_have_count(0)

    @property
    def ply(self) -> int:
        return int(self.page.locator(".table").get_attribute("data-ply") or 0)

    def button(self, name: str) -> Locator:
        return self.page.locator(f"#{name}")

    def tap(self, locator: Locator) -> None:
        """One tap, counted."""
        locator.tap()
        self.taps += 1

    def choose(self, choice: str) -> None:
        """Tap something in the sheet, unless it goes without saying."""
        button = self.page.locator(f'[data-choice="{choice}"]')
        if button.get_attribute("aria-pressed") != "true":
            self.tap(button)

    def tap_space(self, cell: str) -> None:
        self.tap(self.page.locator(f'.cite-key[data-cell="{cell}"]'))

    def confirm(self) -> None:
        """Tap OK and wait until the move is recorded."""
        ply = self.ply
        self.tap(self.button("confirm"))
        expect(self.page.locator(".table")).to_have_attribute("data-ply", str(ply + 1))

    def play(self, line: str) -> int:
        """Record a move in words; answers with the taps that it took."""
        before = self.taps
        move = written(line)
        match move["type"]:
            case "pave":
                self.choose(move["tile"])
                self.tap_space(_marked_space(move))
            case "take" | "build":
                self.choose(f"{move['type']}-{move['building']}")
            case "pass":
                self.choose("pass")
            case _:
                self.choose_card(move)
        if "cells" in move or "cell" in move:
            self.place(move)
        self.confirm()
        return self.taps - before

    def choose_card(self, move: dict[str, Any]) -> None:
        """Choose a postcard and what is to be chosen in the sheet of it."""
        card = move["card"]
        self.tap(self.page.locator(f'[data-choice="{card}"]'))
        if card == "levitation" and "give" in move:
            self.choose(f"give-{move['give']}")
            self.choose(f"receive-{move['take']}")
        elif "cell" not in move and "cells" not in move and card not in RIGHTS:
            self.choose("declined")

    def place(self, move: dict[str, Any]) -> None:
        """Tap the heart of the spaces, and the ghost until it lies as it shall."""
        expect(self.page.locator(".cite-place").first).to_be_visible()
        cells = move.get("cells") or [move["cell"]]
        heart = _heart(cells)
        self.tap_space(heart)
        for _ in range(40):
            if self._lies(cells, move):
                return
            self.tap_space(heart)
        raise AssertionError(f"the ghost never lay as in {move}")

    def _lies(self, cells: Sequence[str], move: dict[str, Any]) -> bool:
        ghost = self.page.locator("[data-ghost] [data-piece]")
        facing, joins = move.get("facing"), move.get("building") if move["type"] == "postcard" else None
        return (
            set((ghost.get_attribute("data-cells") or "").split()) == set(cells)
            and (facing is None or ghost.get_attribute("data-facing") == facing)
            and (joins is None or ghost.get_attribute("data-joins") == joins)
        )


def _marked_space(move: dict[str, Any]) -> str:
    """Where the corner of a tile lies that its picture marks: the lamp, else the mixed space, else the rival's."""
    face = EDITION.document["faces"][move["tile"][1:]]["value"]
    marked = next(face.index(letter) for letter in "lxr" if letter in face)
    across, down = CORNERS[(marked + move["rotation"] // 90) % 4]
    return f"{chr(ord(move['at'][0]) + across)}{int(move['at'][1]) + down}"


def _heart(cells: Sequence[str]) -> str:
    """The first of the spaces that have most neighbours among them."""
    points = {cell: (ord(cell[0]), int(cell[1])) for cell in cells}

    def neighbours(cell: str) -> int:
        (x, y) = points[cell]
        return sum(abs(x - a) + abs(y - b) == 1 for a, b in points.values())

    return max(sorted(cells, key=lambda cell: (cell[1], cell[0])), key=neighbours)
