"""How long a person waits from the tap on OK until the new state is on the screen, in a real Chromium."""

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from playwright.sync_api import Page, expect, sync_playwright

from bench.parts import Given
from domain.catalogue import GAMES
from scripts.chromium import provide_chromium
from scripts.kill_rounds import Service
from scripts.ports import reserved_port
from scripts.random_play import draw_setup
from service.client import Client, Seated

Moves: TypeAlias = Sequence[Mapping[str, Any]]
Choice: TypeAlias = Callable[[Page, Moves], bool]

MAX_MILLISECONDS = 100.0
"""Milliseconds that the median may take."""
TAPS = 40
"""Moves of each game."""
MOVES = 16
"""Of one match, of which the first do not count."""
UNCOUNTED = 2
PHONE: Mapping[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# The state is on the screen when a frame that was drawn after the change has been handed over.
WATCH = """() => {
  window.shown = new Promise((resolve) => {
    let tapped;
    const confirm = document.getElementById("confirm");
    confirm.addEventListener("click", (event) => { tapped = event.timeStamp; }, { once: true });
    new MutationObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - tapped)));
    }).observe(document.querySelector(".table"), { attributeFilter: ["data-ply"] });
  });
}"""


def run(_given: Given, figures: dict[str, Any]) -> None:
    """Measure and print."""
    figures.update(measure())


def measure() -> dict[str, Any]:
    """Measure both games, print, and answer with the figures."""
    with (
        tempfile.TemporaryDirectory(prefix="carnet-bench-") as folder,
        reserved_port() as port,
        Service(Path(folder), port) as service,
        Client(service.url) as client,
        sync_playwright() as playwright,
    ):
        switches = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=provide_chromium(os.environ), args=switches)
        page = browser.new_context(base_url=service.url, locale="en-GB", **PHONE).new_page()
        found = {game: list(islice(_waits(client, page, game, choose), TAPS)) for game, choose in CHOICES.items()}
        browser.close()
    print(f"from the tap on OK to the new state on the screen, at most {MAX_MILLISECONDS:.0f} ms in the median")
    for game, waited in found.items():
        median = statistics.median(waited)
        verdict = "within" if median <= MAX_MILLISECONDS else f"missed by {median - MAX_MILLISECONDS:.0f}"
        print(f"{game:<20}median {median:.0f}, slowest {max(waited):.0f} of {len(waited)}: {verdict}")
    return {game: {"median": statistics.median(waited), "each": waited} for game, waited in found.items()}


def _waits(client: Client, page: Page, game: str, choose: Choice) -> Iterator[float]:
    """Milliseconds for each move that is confirmed by a tap, in match after match."""
    chance = Random(1)
    seats = GAMES[game].seats[:2]
    players: list[Seated] = [{"seat": seat, "name": seat.title()} for seat in seats]
    while True:
        match = client.create_match(game, players, draw_setup(game, seats, chance))
        page.goto(f"/matches/{match['id']}")
        for turn in range(MOVES):
            legal = client.legal_moves(match["id"])
            expect(page.locator(".table")).to_have_attribute("data-ply", str(legal["ply"]))
            if choose(page, legal["moves"]):
                page.evaluate(WATCH)
                page.locator("#confirm:not([disabled])").tap()
                waited = page.evaluate("window.shown")
                if turn >= UNCOUNTED:
                    yield waited
            else:
                assert legal["to_move"] is not None
                client.record(match["id"], legal["to_move"], legal["moves"][0])


def _take_a_building(page: Page, moves: Moves) -> bool:
    """La Cité de la Lumière: a building out of the supply."""
    taken = next((move["building"] for move in moves if move["type"] == "take"), None)
    if taken is not None:
        page.locator(f'[data-choice="take-{taken}"]').tap()
    return taken is not None


def _go_to_the_arc(page: Page, moves: Moves) -> bool:
    """Paris: a key to the Arc de Triomphe, or the end of a turn."""
    if {"type": "place_key", "at": "arc"} in moves:
        page.locator('[data-place="arc"]:visible').tap()
        return True
    return {"type": "end_turn"} in moves


CHOICES: Mapping[str, Choice] = {"cite-lumiere": _take_a_building, "paris": _go_to_the_arc}
"""By game, what is tapped before OK; it answers whether there was something."""
