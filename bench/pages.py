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

MAX_MILLISECONDS: Mapping[int, float] = {1: 60.0, 4: 200.0}
"""Milliseconds that the median may take, by how many times slower than this machine the processor is made."""
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
        processor = page.context.new_cdp_session(page)
        found: dict[tuple[int, str], list[float]] = {}
        for rate in MAX_MILLISECONDS:
            processor.send("Emulation.setCPUThrottlingRate", {"rate": rate})
            for game, choose in CHOICES.items():
                found[rate, game] = list(islice(_waits(client, page, game, choose), TAPS))
        browser.close()
    print("from the tap on OK to the new state on the screen, in milliseconds")
    for (rate, game), waited in found.items():
        median, most = statistics.median(waited), MAX_MILLISECONDS[rate]
        verdict = f"within {most:.0f}" if median <= most else f"more than {most:.0f}"
        name = game if rate == 1 else f"{game}, {rate} × slower"
        print(f"{name:<28}median {median:.0f}, slowest {max(waited):.0f} of {len(waited)}: {verdict}")
    return {
        (game if rate == 1 else f"{game} {rate}x"): {"median": statistics.median(waited), "each": waited}
        for (rate, game), waited in found.items()
    }


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
