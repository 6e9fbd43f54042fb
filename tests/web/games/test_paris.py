"""Paris on a phone by taps: every kind of move, what is told before it, hands, set-ups, and matches to their end."""

import sys
from collections.abc import Callable
from functools import cache
from itertools import count
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.game import JsonObject
from domain.games.paris.parts import DISTRICTS
from scripts.random_play import RandomMatch, play
from tests.service.conftest import NewMatch
from tests.service.harness import Match, Service, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.games.paris_tapping import PARIS, Table
from tests.web.tables import notifier

NAMES = {"red": "Ana", "blue": "Jan", "green": "Eva", "yellow": "Rui"}
TAIL = 14
"""Moves that are left of a match when it is taken over by taps."""


@cache
def random_match(seed: int) -> RandomMatch[Any, Any]:
    """A match that was played at random."""
    return play(PARIS, Random(seed))


def dumped(match: RandomMatch[Any, Any]) -> list[JsonObject]:
    """The moves of a match as they go over the wire."""
    return [{"seat": seat, "move": PARIS.move.dump(move)} for seat, move in match.plies]


@cache
def found() -> dict[str, tuple[RandomMatch[Any, Any], int, JsonObject]]:
    """For every kind of move the first position of random matches in which it is legal, and the move."""
    moves: dict[str, tuple[RandomMatch[Any, Any], int, JsonObject]] = {}
    seeds = count()
    while INPUTS.keys() != moves.keys():
        drawn = random_match(next(seeds))
        for ply, state in enumerate(drawn.states[:-1]):
            for move in map(PARIS.move.dump, PARIS.rules.legal_moves(state)):
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


GROUPS = ("reveal", "key", "tile")
"""Which kinds of move a test tries, by a word of their names; one page after the other in one browser."""


def group_of(kind: str) -> str:
    """The test that tries a kind of move."""
    if "reveal" in kind or "discarded" in kind:
        return "reveal"
    return "key" if any(word in kind for word in ("key", "landmark", "pays")) else "tile"


@pytest.mark.parametrize("group", GROUPS)
def test_each_kind_of_move_is_recorded_by_taps(group: str, phone: Page, prepare: Callable[..., Match]) -> None:
    for kind in INPUTS:
        if group_of(kind) == group:
            drawn, ply, move = found()[kind]
            table = Table(phone, prepare(drawn, ply))
            table.record(move)
            assert table.match.moves()[-1]["move"] == move, kind


def test_a_match_is_recorded_to_its_end_by_taps(phone: Page, prepare: Callable[..., Match]) -> None:
    drawn = random_match(0)
    table = Table(phone, prepare(drawn, len(drawn.plies) - TAIL))
    for entry in dumped(drawn)[-TAIL:]:
        table.record(entry["move"])
    document = table.match.document()
    assert document["status"] == "finished"
    expect(phone.locator("#form")).to_contain_text(NAMES[document["result"]["winners"][0]])
    check_axe(phone)


@pytest.mark.soak
def test_a_whole_match_takes_few_taps(
    phone: Page, prepare: Callable[..., Match], capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = random_match(0)
    table = Table(phone, prepare(drawn, 0))
    for entry in dumped(drawn):
        table.record(entry["move"])
    assert table.match.document()["status"] == "finished"
    with capsys.disabled():
        sys.stdout.write(
            f"\n{table.taps} taps for {len(drawn.plies)} moves: {table.taps / len(drawn.plies):.2f} a move\n"
        )
    assert table.taps <= 3 * len(drawn.plies)


def test_a_price_is_told_before_the_move(phone: Page, prepare: Callable[..., Match]) -> None:
    drawn, ply, move = found()["a tile that pays"]
    table = Table(phone, prepare(drawn, ply))
    table.enter(move)
    francs = int(move["to"].rpartition("-")[2]) - int(move["from"].rpartition("-")[2])
    left = table.state["seats"][table.state["to_move"]]["francs"] - francs
    costs = phone.get_by_role("list", name="Price").get_by_role("listitem")
    expect(costs.first).to_contain_text(f"{left} left")
    expect(costs.nth(1)).to_contain_text("(1 by tile)")
    assert table.state["ply"] == ply


def test_an_impossible_tap_says_why_and_can_be_recorded_as_a_ruling(phone: Page, new_match: NewMatch) -> None:
    match = two_players(new_match)
    for move in (
        {"type": "reveal", "stack": 1, "tile": "montmartre-5"},
        {"type": "place_key", "at": "bank:montmartre"},
    ):
        ok(match.post("/moves", {"seat": "red", "move": move}), 201)
    table = Table(phone, match)
    table.tap_place("end_tiles")
    expect(phone.get_by_role("alert")).to_contain_text("only when all stacks are empty")
    table.tap_place("market:wood")
    expect(phone.get_by_role("alert")).to_contain_text("There is no wood in the supply.")
    expect(table.confirm).to_have_text("End the turn")
    table.tap_place("montmartre-5")
    expect(phone.get_by_role("alert")).to_contain_text("The main action of this turn has already been taken.")
    expect(phone.get_by_role("link", name="Rule 3.3")).to_have_attribute("href", "/games/paris/rules#3.3")
    phone.get_by_text("It happened like this at the table").tap()
    phone.get_by_label("Reason").fill("nobody noticed")
    phone.get_by_role("button", name="Record as a table ruling").tap()
    table.await_ply(3)
    assert match.moves()[-1]["move"] == {"type": "move_key", "from": "bank:montmartre", "to": "montmartre-5"}
    assert match.frames("?fields=ruling")[-1]["ruling"]["reason"] == "nobody noticed"


def two_players(new_match: NewMatch, **members: Any) -> Match:
    """A match of Ana and Jan that has just begun."""
    players = [{"seat": "red", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    return new_match(game="paris", edition="rulebook-2020", players=players, setup={}, **members)


def test_a_hand_is_hidden_until_asked_for_and_when_the_turn_passes_on(phone: Page, new_match: NewMatch) -> None:
    table = Table(phone, two_players(new_match))
    hand = phone.locator("#hand section.paris-hand")
    expect(hand).to_have_count(0)
    phone.get_by_role("button", name="Show the hand of Ana").tap()
    expect(hand).to_contain_text("3 francs")
    phone.get_by_role("button", name="Hide the hand of Ana").tap()
    expect(hand).to_have_count(0)
    phone.get_by_role("button", name="Show the hand of Ana").tap()
    table.record({"type": "reveal", "stack": 1, "tile": "montmartre-5"})
    expect(hand).to_contain_text("3 francs")
    table.record({"type": "place_key", "at": "arc"})
    table.record({"type": "end_turn"})
    expect(hand).to_have_count(0)


@pytest.mark.usefixtures("network_may_go")
@pytest.mark.parametrize("away", ["network", "service"])
def test_what_can_be_done_is_known_again_after_waiting_moves_were_sent(
    phone: Page, new_match: NewMatch, away: str
) -> None:
    match = two_players(new_match)
    table = Table(phone, match)
    if away == "network":
        phone.context.set_offline(True)
    else:
        phone.context.route("**/api/**", lambda route: route.abort())
        phone.reload()
    table.tap_place("montmartre-5")
    table.tap(table.confirm)
    expect(notifier(phone)).to_contain_text("1 move waits.")
    expect(table.confirm).to_be_disabled()
    expect(table.act("end_turn")).to_have_text("End the turn")
    phone.context.set_offline(False)
    phone.context.unroute_all()
    expect(phone.locator(".table")).to_have_attribute("data-ply", "1")
    expect(table.board.locator('[data-lit~="ghost"]').first).to_be_attached()
    expect(table.act("end_turn")).to_have_count(0)
    expect(table.confirm).to_be_disabled()
    table.record({"type": "place_key", "at": "bank:montmartre"})
    expect(table.confirm).to_have_text("End the turn")


def test_a_move_draws_anew_only_what_it_changes(phone: Page, new_match: NewMatch) -> None:
    table = Table(phone, two_players(new_match))
    table.show("montmartre")
    for drawn in phone.locator(".paris-district").all():
        drawn.evaluate("element => { element.isAsBefore = true; }")
    empty = phone.locator('[data-place="montmartre-5"] .paris-empty').element_handle()
    table.record({"type": "reveal", "stack": 1, "tile": "montmartre-5"})
    assert phone.locator(".paris-district").evaluate_all("all => all.every(element => element.isAsBefore)")
    assert empty is not None
    assert not empty.evaluate("element => element.isConnected")
    expect(table.place("montmartre-5").locator(".paris-tile")).to_have_count(1)
    table.record({"type": "place_key", "at": "bank:montmartre"})
    expect(table.place("bank:montmartre")).to_have_attribute("data-lit", "last")


def test_a_landmark_comes_along_with_a_key_that_goes_elsewhere(phone: Page, new_match: NewMatch) -> None:
    match = two_players(new_match)
    for seat, move in (
        ("red", {"type": "reveal", "stack": 1, "tile": "montmartre-1"}),
        ("red", {"type": "place_key", "at": "bank:montmartre"}),
        ("red", {"type": "end_turn"}),
        ("blue", {"type": "reveal", "stack": 1, "tile": "montmartre-8"}),
        ("blue", {"type": "place_key", "at": "arc"}),
        ("blue", {"type": "end_turn"}),
        ("red", {"type": "reveal", "stack": 1, "tile": "montmartre-4"}),
    ):
        ok(match.post("/moves", {"seat": seat, "move": move}), 201)
    table = Table(phone, match)
    landmark = {"tile": 12, "district": "montmartre"}
    wanted = {"type": "move_key", "from": "bank:montmartre", "to": "montmartre-1", "landmark": landmark}
    table.record(wanted)
    assert match.moves()[-1]["move"] == wanted
    table.show("montmartre")
    expect(table.place("landmark-12")).to_be_visible()


def test_the_table_stands_on_a_phone_and_on_a_desk(phone: Page, desk: Page, prepare: Callable[..., Match]) -> None:
    drawn = random_match(1)
    match = prepare(drawn, len(drawn.plies) // 2)
    table = Table(phone, match)
    for view in ("la_villette", "track", "supply"):
        table.show(view)
        check_axe(phone)
    Table(desk, match)
    expect(desk.locator('[data-place="track:1"]')).to_be_visible()
    check_axe(desk)


def test_an_advanced_match_is_set_up_by_hand_and_at_random(phone: Page, service: Service) -> None:
    phone.goto("/matches/new?game=paris")
    names = phone.locator("#rows input")
    names.nth(0).fill("Ana")
    names.nth(1).fill("Jan")
    phone.get_by_label("Free placement of buildings").check()
    phone.get_by_label("Advanced game").check()
    check_axe(phone)
    phone.locator("#begin").tap()
    expect(phone.locator("#problem")).to_contain_text("not complete")
    phone.locator("#setup-random-tokens").tap()
    for first in (1, 11, 21):
        for number in reversed(range(first, first + 10)):
            phone.locator(f"#setup-number-{number}").tap()
    phone.locator("#setup-clear-tokens").tap()
    for value in (1, 2, 3, 4, 5):
        for district in ("batignolles", "montmartre", "la_villette", "chaillot", "saint_germain", "belleville"):
            phone.locator(f"#setup-{district}-{value}").tap()
    phone.locator("#begin").tap()
    phone.wait_for_url("**/matches/*-*")
    setup = Match(service, phone.url.rpartition("/")[2]).document()["setup"]
    assert setup["variant"] == "free_placement"
    assert setup["track"]["1"] == 10
    assert setup["track"]["30"] == 21
    assert setup["tokens"]["montmartre-1"] == "wood"
    assert setup["tokens"]["belleville-5"] == "gilt"


def test_all_that_can_be_tapped_on_the_table_can_be_marked(prepare: Callable[..., Match], phone: Page) -> None:
    drawn = random_match(1)
    match = prepare(drawn, len(drawn.plies))
    for ply in (0, len(drawn.plies) // 2, len(drawn.plies)):
        phone.goto(f"{match.path}/{ply}")
        wait_until_shown(phone)
        places = phone.eval_on_selector_all("#board [data-place]", "(all) => all.map(({ dataset }) => dataset.place)")
        assert len(places) > len(DISTRICTS)
        assert set(places) <= PARIS.spaces
