"""What the page of a match weighs on a phone that sees it for the first time."""

from random import Random

import pytest
from playwright.sync_api import expect

from domain.catalogue import GAMES
from scripts.random_play import play
from tests.service.harness import Service, ok
from tests.web.conftest import PHONE, NewContext
from tests.web.tables import wait_until_live

MAX_WEIGHT = 100_000
"""Bytes of the whole page of a long match, with headers and answers of the API, where browsers accept Brotli."""
PLIES = 250


@pytest.mark.parametrize(("part", "last"), [("", "#form button"), (f"/{PLIES // 2}?tool=moves", "[aria-current=step]")])
def test_the_page_of_a_long_match_is_light(service: Service, new_context: NewContext, part: str, last: str) -> None:
    phone = new_context(PHONE).new_page()
    network = phone.context.new_cdp_session(phone)
    weights: list[float] = []
    network.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    network.send("Network.enable")
    phone.goto(f"/matches/{long_match(service)}{part}")
    wait_until_live(phone)
    expect(phone.locator(last).first).to_be_visible()
    assert sum(weights) <= MAX_WEIGHT
    assert len(weights) <= 16  # each request costs a phone a part of a round trip


def long_match(service: Service) -> str:
    """A match of Paris for three, of which the first moves are recorded."""
    game = GAMES["paris"]
    whole = play(game, Random(0))
    players = [{"seat": seat, "name": name} for seat, name in zip(whole.seats, ("Ana", "Jan", "Ida"), strict=True)]
    match = ok(service.post("/matches", {"game": game.id, "players": players, "setup": whole.setup}), 201)
    moves = [{"seat": seat, "move": game.move.dump(move)} for seat, move in whole.plies[:PLIES]]
    for first in range(0, PLIES, 200):
        ok(service.post(f"/matches/{match['id']}/moves", {"moves": moves[first : first + 200]}), 201)
    return str(match["id"])
