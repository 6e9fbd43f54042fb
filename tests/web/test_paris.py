"""Paris on a phone by taps: every kind of move, what is told before it, hands, set-ups, and matches to their end."""

from collections.abc import Callable
from functools import cache
from itertools import count
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.game import JsonObject
from scripts.random_play import RandomMatch, play
from tests.service.conftest import NewMatch
from tests.service.harness import Match, ok
from tests.web.paris_table import PARIS, Table

NAMES = {"red": "Ana", "blue": "Jan", "green": "Eva", "yellow": "Rui"}
TAIL = 14
"""Moves that are left of a match when it is taken over by taps."""


@cache
def random_match(seed: int) -> RandomMatch[Any, Any]:
    """A match that was played at random."""
    return play(PARIS, Random(seed))


def dumped(match: RandomMatch[Any, Any]) -> list[JsonObject]:
    """The moves of a match as they go over the wire."""
    return [{"seat": seat, "move": PARIS.dump_move(move)} for seat, move in match.plies]


@cache
def found() -> dict[str, tuple[RandomMatch[Any, Any], int, JsonObject]]:
    """For every kind of move the first position of random matches in which it is legal, and the move."""
    moves: dict[str, tuple[RandomMatch[Any, Any], int, JsonObject]] = {}
    seeds = count()
    while INPUTS.keys() != moves.keys():
        drawn = random_match(next(seeds))
        for ply, state in enumerate(drawn.states[:-1]):
            for move in map(PARIS.dump_move, PARIS.legal(state)):
                for kind in INPUTS.keys() - moves.keys():
                    if INPUTS[kind](move):
                        moves[kind] = (drawn, ply, move)
    return moves


@pytest.fixture
def prepare(new_match: NewMatch) -> Callable[..., Match]:
    """Begins matches as random ones began, with so many of their moves."""

    def begin(drawn: RandomMatch[Any, Any], plies: int) -> Match:
        players = [{"seat": seat, "name": NAMES[seat]} for seat in drawn.seats]
        match = new_match(game="paris", edition="rulebook-2020", players=players, setup=drawn.setup)
        moves = dumped(drawn)[:plies]
        for at in range(0, len(moves), 200):
            ok(match.post("/moves", {"moves": moves[at : at + 200]}), 201)
        return match

    return begin


def last_move(match: Match) -> JsonObject:
    """What was recorded last."""
    frame: JsonObject = ok(match.get(f"/replay/{ok(match.get(''))['ply']}"))
    move: JsonObject = frame["move"]
    return move


INPUTS: dict[str, Callable[[JsonObject], Any]] = {
    "a reveal from the second stack": lambda move: move.get("stack") == 2 and "district" not in move,
    "a reveal of another district's tile": lambda move: (
        "district" in move and not move["tile"].startswith(move["district"])
    ),
    "a discarded tile": lambda move: move.get("discard"),
    "a key on the Arc": lambda move: move.get("at") == "arc",
    "a key of the Arc to a landmark it brings": lambda move: (
        move.get("from") == "arc" and f"landmark-{move.get('landmark', {}).get('tile')}" == move["to"]
    ),
    "a key to a landmark that lies there": lambda move: (
        move.get("to", 0) and str(move["to"]).startswith("landmark-") and "landmark" not in move
    ),
    "a tile that pays": lambda move: "spend" in move and "prestige" not in move,
    "prestige for a landmark": lambda move: move.get("prestige", {}).get("bronze") == 2,
    "a second key with tile 9": lambda move: move.get("using") == 9,
    "a key beside a rival's with tile 16": lambda move: move.get("using") == 16,
    "an advance": lambda move: move["type"] == "advance" and move["to"] > 5,
    "a scoring tile": lambda move: move["type"] == "score_tile" and move["tile"] == "18-9-4",
    "a purchase": lambda move: "buy" in move,
    "a tile that is sold": lambda move: move["type"] == "trade" and "tile" in move,
    "any tile with 17": lambda move: "take" in move,
    "pairs with 23": lambda move: move.get("tile") == 23,
    "a step back with 25": lambda move: move.get("tile") == 25 and "to" in move,
    "an end tile": lambda move: move["type"] == "take_end_tile",
}


@pytest.mark.parametrize("kind", INPUTS)
def test_each_kind_of_move_is_recorded_by_taps(kind: str, phone: Page, prepare: Callable[..., Match]) -> None:
    drawn, ply, move = found()[kind]
    table = Table(phone, prepare(drawn, ply))
    table.record(move)
    assert last_move(table.match) == move


def test_a_match_is_recorded_to_its_end_by_taps(phone: Page, prepare: Callable[..., Match]) -> None:
    drawn = random_match(0)
    table = Table(phone, prepare(drawn, len(drawn.plies) - TAIL))
    for entry in dumped(drawn)[-TAIL:]:
        table.record(entry["move"])
    assert ok(table.match.get(""))["status"] == "finished"
    expect(phone.locator("#form")).to_contain_text(NAMES[ok(table.match.get(""))["result"]["winners"][0]])
