"""A table of Paris on a phone: enters moves by taps as a player who knows what they want, and counts the taps."""

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, Page, expect

from domain.catalogue import GAMES
from domain.game import JsonObject
from tests.service.harness import Match, ok

PARIS = GAMES["paris"]


class Table:
    """The page of a match."""

    def __init__(self, page: Page, match: Match) -> None:
        self.page = page
        self.match = match
        self.taps = 0
        page.goto(f"/matches/{match.id}")
        self.board = page.locator("#board")
        self.sheet = page.locator("#form")
        self.confirm = page.locator("#confirm")
        self.await_ply(self.state["ply"])

    @property
    def state(self) -> JsonObject:
        """The position as the API knows it."""
        state: JsonObject = ok(self.match.get("/state"))["state"]
        return state

    def await_ply(self, ply: int) -> None:
        """Wait until the page shows a ply and knows what can be done."""
        expect(self.board).to_have_attribute("data-ply", str(ply))
        expect(self.page.locator(".paris-form[aria-busy]")).to_have_count(0)

    def tap(self, thing: Locator) -> None:
        """Tap something, once."""
        self.taps += 1
        thing.tap()

    def act(self, name: str) -> Locator:
        """Something of the sheet by its name."""
        return self.sheet.locator(f'[data-act="{name}"]')

    def press(self, name: str) -> None:
        """Tap something of the sheet unless it is chosen already."""
        if self.act(name).get_attribute("aria-pressed") != "true":
            self.tap(self.act(name))

    def place(self, name: str) -> Locator:
        """A place where it is drawn large."""
        return self.board.locator(f'[data-place="{name}"]:visible')

    def show(self, view: str) -> None:
        """Have a district, the track or the supply large."""
        if self.board.get_attribute("data-view") != view:
            self.tap(self.board.locator(f'[data-show="{view}"]'))

    def tap_place(self, name: str) -> None:
        """Tap a place of the board, after bringing it into view."""
        view = self._view_of(name)
        if view is not None:
            self.show(view)
        self.tap(self.place(name))

    def _view_of(self, name: str) -> str | None:
        part, _, rest = name.partition(":")
        if name == "arc":
            return None
        if part == "bank":
            return rest
        if part in ("track", "stack", "market", "end_tiles"):
            return "track" if part == "track" else "supply"
        if name.startswith("landmark-"):
            placed = self.state["landmarks"]["placed"].get(name.removeprefix("landmark-"))
            return placed["district"] if placed else "supply"
        return name.rpartition("-")[0]

    def record(self, move: JsonObject) -> None:
        """Enter a move by taps, and wait until it is recorded."""
        ply = self.state["ply"]
        self.enter(move)
        self.tap(self.confirm)
        self.await_ply(ply + 1)

    def enter(self, move: JsonObject) -> None:
        """Let a move take shape, so that OK would record it."""
        match move["type"]:
            case "reveal":
                self._reveal(move)
            case "place_key":
                self.tap_place(move["at"])
            case "move_key":
                self._move_key(move)
            case "advance":
                self.tap_place(f"track:{move['to']}")
            case "score_tile":
                self.press(f"scoring-{move['tile']}")
                self.press(f"in-{move['district']}")
            case "trade":
                verb, kind = next((verb, move[verb]) for verb in ("buy", "sell") if verb in move)
                self.press("trade")
                self.press("-".join([verb, kind, *([str(move["tile"])] if "tile" in move else [])]))
            case "take_end_tile":
                self.press("end_tiles")
                self.press(f"end-{move['tile']}")
            case "activate":
                self._activate(move)

    def _reveal(self, move: JsonObject) -> None:
        if "discard" in move:
            self.press("discard")
            self.press(f"discard-{move['tile']}")
        else:
            value = move["tile"].rpartition("-")[2]
            self.tap_place(f"{move['district']}-{value}" if "district" in move else move["tile"])
        self._choose(f"tile-{move['tile']}")
        self._choose(f"stack-{move['stack']}")

    def _choose(self, name: str) -> None:
        """One of several ways, where there are several."""
        if self.act(name).count():
            self.press(name)

    def _move_key(self, move: JsonObject) -> None:
        if move.get("using") == 9:
            self.tap_place(move["from"])
        self.tap_place(move["to"])
        landmark = move.get("landmark", {})
        enters = f"landmark-{landmark.get('tile')}" == move["to"]
        self._choose("-".join(["way", move["from"], *([landmark["district"]] if enters else [])]))
        for kind in ("bronze", "silver", "gilt"):
            self._step(f"prestige-{kind}", move.get("prestige", {}).get(kind, 0))
        if landmark and not enters:
            self.tap(self.act("along"))
            self.press(f"landmark-{landmark['tile']}")
            self._choose(f"landmark-in-{landmark['district']}")
        self._spend(move.get("spend", []))

    def _spend(self, wanted: list[Mapping[str, Any]]) -> None:
        for entry in wanted:
            self._choose(f"spend-{entry['tile']}-{entry['as']}")

    def _step(self, name: str, count: int) -> None:
        more = self.act(f"{name}-more")
        if more.count():
            value = more.locator("xpath=preceding-sibling::b")
            while (shown := int(value.inner_text())) != count:
                self.tap(self.act(f"{name}-{'more' if shown < count else 'less'}"))

    def _activate(self, move: JsonObject) -> None:
        self.press("tiles")
        self.press(f"use-{move['tile']}")
        if "take" in move or "to" in move:
            self.press(f"take-{move.get('take', move.get('to'))}")
        for kind in ("wood", "marble", "gold", "bronze", "silver", "gilt"):
            self._step(f"pairs-{kind}", move.get("pairs", {}).get(kind, 0))
