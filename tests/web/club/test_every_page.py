"""Every page there is, found in the table of routes, on phone and desk: axe-core is content and the console silent."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page

from domain.catalogue import GAMES
from domain.game import AnyGame
from scripts.random_play import play
from service.web.pages import Pages
from service.web.static import files
from tests.service.auth.people import Person
from tests.service.harness import ok
from tests.web.checks import axe_findings, wait_until_shown
from tests.web.club.signing_in import signed_in
from tests.web.conftest import DESK, PHONE, NewContext, Watched

PLIES = 12
LOOKS = {
    "phone in the light": ({**PHONE, "color_scheme": "light"}, "paris"),
    "desk in the dark": ({**DESK, "color_scheme": "dark"}, "cite-lumiere"),
}
"""How pages are looked at, and of which game all of them."""
PASSES = [
    ("phone in the light", "paris"),
    ("desk in the dark", "cite-lumiere"),
    ("desk in the dark", "paris"),
    # What is shown of a match of La Cité in the light, test_tools.py looks at too.
    pytest.param("phone in the light", "cite-lumiere", marks=pytest.mark.soak),
]
DRAWN = ("/matches/<uuid:match_id>", "/matches/<uuid:match_id>/<int:ply>", "/matches/<uuid:match_id>/repair")
"""The pages on which a game draws most of what there is."""


def addresses(app: Flask, olga: Person, game: AnyGame, *, are_all: bool) -> Iterator[str]:
    """The address of every page, or of those that a game draws, and the page of a match also under way."""
    link = ok(olga.post("/invitations", {"name": "Una"}), 201)["secret"]
    rules = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if isinstance(app.blueprints[rule.endpoint.partition(".")[0]], Pages)
        and "GET" in (rule.methods or set())
        and (are_all or rule.rule in DRAWN)
        and not rule.rule.endswith(".png")  # browsers show it in a page of their own, whose styles our policy forbids
    ]
    whole = play(game, Random(5))
    moves = [{"seat": seat, "move": game.move.dump(move)} for seat, move in whole.plies]
    yield f"/matches/{begin(olga, game.id, whole.seats, whole.setup, moves[:PLIES])['id']}"
    match = begin(olga, game.id, whole.seats, whole.setup, moves)
    one, other, *_ = [player["player_id"] for player in match["players"]]
    known = {
        "match_id": match["id"],
        "game_id": game.id,
        "edition_id": game.editions.default.id,
        "ply": "7",
        "player_id": one,
        "other_id": other,
        "secret": link,
        "digest": files().digest,
        "name": "css/base.css",
        "lang": "en",
    }
    for rule in rules:
        yield re.sub(r"<(?:\w+:)?(\w+)>", partial(_named, known), rule)


def _named(known: dict[str, str], part: re.Match[str]) -> str:
    return known[part[1]]


def begin(olga: Person, game: str, seats: Sequence[str], setup: Any, moves: Sequence[Any]) -> Any:
    """A match with these moves and a note."""
    people = [{"seat": seat, "name": name} for seat, name in zip(seats, ("Ana", "Jan", "Ida", "Eva"), strict=False)]
    body = {"game": game, "players": people, "setup": setup, "visibility": "public"}
    match = ok(olga.post("/matches", body), 201)
    for first in range(0, len(moves), 200):
        ok(olga.post(f"/matches/{match['id']}/moves", {"moves": moves[first : first + 200]}), 201)
    ok(olga.post(f"/matches/{match['id']}/annotations", {"ply": 3, "glyph": "!?", "text": "Bold."}), 201)
    return match


def visit(page: Page, address: str, watched: Watched, visited: set[str]) -> list[Any]:
    """What is wrong with a page; what is no page is shown by browsers as it is.

    Several addresses lead to one page, which is looked at once.
    """
    before = len(watched.wrong)
    response = page.goto(address)
    assert response is not None
    wrong: list[Any] = [] if response.ok else [response.status]
    if page.url not in visited and response.headers["content-type"].startswith("text/html"):
        visited.add(page.url)
        wait_until_shown(page)
        wrong += axe_findings(page)
    return wrong + watched.wrong[before:]


@pytest.mark.slow
@pytest.mark.parametrize(("look", "game"), PASSES)
def test_every_page_is_accessible_and_silent(
    new_context: NewContext,
    app: Flask,
    site: str,
    olga: Person,
    watched: Watched,
    look: str,
    game: str,
) -> None:
    """Every page on either device with one of the games, and what the other one draws."""
    device, whole = LOOKS[look]
    are_all = game == whole
    page = signed_in(new_context.tab(device), site, olga)
    visited: set[str] = set()
    found = {
        address: visit(page, address, watched, visited)
        for address in addresses(app, olga, GAMES[game], are_all=are_all)
    }
    assert len(found) > (20 if are_all else len(DRAWN))
    assert not any(found.values()), "\n".join(f"{address}: {wrong}" for address, wrong in found.items() if wrong)
