"""A table without HTTPS: browsers keep no page for it, so the open one stays open without network, and is light."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from flask import Flask
from playwright.sync_api import expect

from domain.catalogue import GAMES
from scripts.random_play import play
from service.app import create_app
from service.db.pool import Database
from tests.service.conftest import CONFIG, NewMatch
from tests.service.harness import Service, ok
from tests.web.conftest import PHONE, NewContext, Watched
from tests.web.tables import expect_taken, notifier, open_match, take, wait_until_live

NAME = "carnet.test"


@pytest.fixture
def app(database: Database) -> Iterator[Flask]:
    """The service under a name of its own."""
    app = create_app(replace(CONFIG, url=f"http://{NAME}"), database)
    yield app
    app.extensions["carnet"].close()


@pytest.mark.usefixtures("network_may_go")
def test_the_open_page_keeps_moves_and_says_that_it_must_stay_open(
    new_match: NewMatch, new_context: NewContext, site: str, watched: Watched
) -> None:
    watched.expect("Cross-Origin-Opener-Policy header has been ignored")
    match = new_match()
    context = new_context(PHONE, base_url=site.replace("127.0.0.1", NAME))
    page = context.new_page()
    open_match(page, match)
    wait_until_live(page)
    assert page.evaluate("[isSecureContext, navigator.serviceWorker]") == [False, None]
    context.set_offline(True)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    expect(notifier(page)).to_contain_text("Keep this page open until then.")
    context.set_offline(False)
    expect_taken(match, page, ("orange", "L4"))


MAX_WEIGHT = 100_000
"""Bytes of the whole page of a long match on a phone that sees it for the first time, answers of the API included."""
PLIES = 250


@pytest.mark.parametrize(("part", "last"), [("", "#form button"), (f"/{PLIES // 2}?tool=moves", "[aria-current=step]")])
def test_the_page_of_a_long_match_is_light(
    service: Service, new_context: NewContext, site: str, watched: Watched, part: str, last: str
) -> None:
    watched.expect("Cross-Origin-Opener-Policy header has been ignored")
    phone = new_context(PHONE, base_url=site.replace("127.0.0.1", NAME)).new_page()
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
