"""A whole match of Paris over HTTP: recorded, repaired in the middle, and right at every ply."""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from domain.catalogue import GAMES
from tests.service.conftest import NewMatch
from tests.service.harness import Match, entries, nothing_changes, ok, pointers, problem

GAME = GAMES["paris"]
SEATS = GAME.seats
WRONG_FROM = 20
"""The first ply at which a key may go to a wrong place."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A match to its end in which a key went to a wrong place, and as it was at the table."""

    ply: int
    entered: list[dict[str, Any]]
    played: list[dict[str, Any]]
    states: list[Any]
    """As it was at the table, by ply."""


@cache
def slip() -> Slip:
    """Two matches of four players that differ in one move of a key, and go on with what is legal in both."""
    chance = Random(6)
    state = GAME.rules.start(GAME.setup.parse({}), SEATS, GAME.editions.default)
    wrong, ply = state, 0
    entered, played, states = [], [], [GAME.view.dump(state)]
    while state.to_move is not None:
        options = [GAME.move.dump(move) for move in GAME.rules.legal_moves(state)]
        keys = [move for move in options if move["type"] == "move_key"]
        if ply:
            options = [move for move in map(GAME.move.dump, GAME.rules.legal_moves(wrong)) if move in options]
        if not ply and len(states) >= WRONG_FROM and len(keys) > 1:
            ply = len(states)
            made, mistaken = chance.sample(keys, 2)
        else:
            made = mistaken = chance.choice(options)
        played.append({"seat": state.to_move, "move": made})
        entered.append({"seat": state.to_move, "move": mistaken})
        state = GAME.rules.apply(state, state.to_move, GAME.move.parse(made))
        wrong = GAME.rules.apply(wrong, wrong.to_move, GAME.move.parse(mistaken))
        states.append(GAME.view.dump(state))
    return Slip(ply, entered, played, states)


@pytest.fixture
def paris(new_match: NewMatch) -> Match:
    """A match of four players without moves."""
    players = [{"seat": seat, "name": name} for seat, name in zip(SEATS, ("Ana", "Bo", "Cy", "Di"), strict=True)]
    return new_match(game="paris", edition=GAME.editions.default.id, players=players, setup={})


def record(match: Match, moves: list[dict[str, Any]]) -> Any:
    """Record moves in as many batches as it takes."""
    answers = [
        ok(match.post("/moves", {"moves": moves[first : first + 200]}), 201) for first in range(0, len(moves), 200)
    ]
    return answers[-1]


def test_a_key_moved_wrongly_at_ply_20_is_replaced_and_the_rest_is_kept(paris: Match) -> None:
    line = slip()
    assert 20 <= line.ply < 30 < len(line.played)
    assert record(paris, line.entered)["status"] == "finished"
    wrong = [frame["state"] for frame in paris.frames()]
    assert wrong[: line.ply] == line.states[: line.ply]
    assert wrong[line.ply] != line.states[line.ply]

    answer = ok(paris.correct(line.ply, "replace", move=line.played[line.ply - 1]["move"]), 201)
    assert answer["dropped"] == 0
    assert {verdict["status"] for verdict in answer["verdicts"]} == {"ok"}
    assert len(answer["verdicts"]) == len(line.played) - line.ply
    assert answer["state"] == line.states[-1]

    frames = paris.frames()
    assert [frame["state"] for frame in frames] == line.states
    assert [{"seat": frame["seat"], "move": frame["move"]} for frame in frames[1:]] == line.played
    assert all(frame["text"].endswith(".") for frame in frames)
    assert paris.document()["result"] == line.states[-1]["result"]
    assert ok(paris.get("/verify"))["valid"]


def test_each_ply_has_a_picture_and_points_that_are_explained(paris: Match) -> None:
    line = slip()
    record(paris, line.played)
    last = len(line.played)
    for ply in (*range(0, last, 25), last):
        picture = paris.get(f"/replay/{ply}/board.svg")
        assert (picture.status_code, picture.mimetype) == (200, "image/svg+xml")
        assert f">ply {ply}<" in picture.text
        explained = ok(paris.get(f"/replay/{ply}/score"))["seats"]
        totals = {seat: sum(item["points"] for item in explained[seat]["items"]) for seat in SEATS}
        assert totals == {seat: score["total"] for seat, score in line.states[ply]["score"].items()}


def test_a_refused_move_names_its_rule_and_can_be_recorded_as_a_ruling(paris: Match) -> None:
    record(paris, slip().played[:2])
    at = ok(paris.get("/state"))["state"]
    entry = {"seat": at["to_move"], "move": {"type": "advance", "to": 5}}
    with nothing_changes(paris):
        refused = problem(paris.post("/moves", entry), 422, "illegal-move")
    assert (refused["code"], refused["kind"], refused["rule"]) == ("no_right_to_advance", "rule", "5.1")
    ruled = ok(paris.post("/moves", {**entry, "ruling": {"reason": "We misread the board."}}), 201)
    assert ruled["state"]["seats"][at["to_move"]]["bonus"] == [5]


def test_a_move_of_the_other_game_is_malformed(paris: Match) -> None:
    refused = problem(paris.post("/moves", entries(["red take L4"])[0]), 422, "malformed-move")
    assert pointers(refused) == ["/move/type"]


def test_the_advanced_game_needs_all_tokens_and_the_whole_track(new_match: NewMatch, paris: Match) -> None:
    body = {"game": "paris", "players": [{"seat": "red", "name": "Ana"}, {"seat": "blue", "name": "Bo"}]}
    refused = problem(paris.service.post("/matches", {**body, "setup": {"advanced": True}}), 422, "malformed")
    assert set(pointers(refused)) == {"/setup/tokens", "/setup/track"}


def test_a_corrected_printed_value_counts_in_new_matches_only(paris: Match) -> None:
    edition = {"title": "My box", "based_on": GAME.editions.default.id, "changes": {"banks": {"belleville": 3}}}
    made = ok(paris.service.post("/games/paris/editions", edition), 201)
    assert made["banks"]["belleville"] == {"value": 3, "source": "user"}
    assert made["banks"]["chaillot"]["source"] == "assumed"
    players = [{"seat": "red", "name": "Eva"}, {"seat": "green", "name": "Fay"}]
    body = {"game": "paris", "edition": made["id"], "players": players, "setup": {}}
    mine = Match(paris.service, ok(paris.service.post("/matches", body), 201)["id"])
    income = {}
    for match in (paris, mine):
        reveal = ok(match.get("/legal-moves"))["moves"][0]
        moves = [{"seat": "red", "move": move} for move in (reveal, {"type": "place_key", "at": "bank:belleville"})]
        income[match.id] = record(match, moves)["state"]["seats"]["red"]["francs"] - 3
    assert income == {paris.id: 2, mine.id: 3}
