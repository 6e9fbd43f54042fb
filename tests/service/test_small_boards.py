"""Small boards and scores in lists of matches."""

from random import Random
from xml.etree import ElementTree

import pytest

from domain.catalogue import GAMES
from domain.game import AnyGame
from scripts.random_play import play
from service.drawing import SMALL_PICTURES
from service.matches import boards
from tests.service.conftest import NewMatch
from tests.service.harness import NDJSON, OPENING, TO_BUILDING, Service, finished_match, lines, ok, pointers, problem

BOARDS = "/matches?include=board"


def test_a_list_has_boards_and_scores_of_the_last_positions(service: Service, new_match: NewMatch) -> None:
    over = new_match(played_at="2026-01-02T12:00:00Z")
    ok(over.post("/moves", {"moves": list(finished_match())}), 201)
    begun = new_match(played_at="2026-01-01T12:00:00Z")
    items = ok(service.get(BOARDS))["items"]
    assert [item["id"] for item in items] == [over.id, begun.id]
    assert items[0]["score"] == {rank["seat"]: rank["points"] for rank in items[0]["result"]["ranking"]}
    assert items[1]["score"].keys() == {"orange", "blue"}
    assert items[0]["board"] != items[1]["board"]
    assert all(item["board"].startswith("<svg ") for item in items)
    assert items == lines(service.get(BOARDS, NDJSON))
    assert "board" not in ok(service.get("/matches"))["items"][0]


def test_a_board_follows_its_match_and_so_does_the_tag(service: Service, new_match: NewMatch) -> None:
    match = new_match()
    match.record(*OPENING[:3])
    first = service.get(BOARDS)
    assert service.get(BOARDS, {"If-None-Match": first.headers["ETag"]}).status_code == 304
    match.record(OPENING[3])
    second = service.get(BOARDS, {"If-None-Match": first.headers["ETag"]})
    match.undo(3)
    third = service.get(BOARDS)
    one, other, again = (ok(response)["items"][0] for response in (first, second, third))
    assert one["board"] == again["board"] != other["board"]


def test_of_a_result_alone_there_are_points_and_no_board(service: Service) -> None:
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    setup = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    ok(service.post("/matches", {"game": "cite-lumiere", "players": players, "setup": setup}), 201)
    item = ok(service.get(BOARDS))["items"][0]
    assert (item["board"], item["score"]) == (None, {"orange": 48, "blue": 57})


def test_boards_are_read_once_and_only_so_many_at_a_time(
    service: Service, new_match: NewMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        new_match().record(*TO_BUILDING)
    timelines = service.client.application.extensions["carnet"].timelines
    timelines.clear()
    monkeypatch.setattr(boards, "MAX_FOLDED", 50)  # two matches of 20 moves and their beginnings
    for drawn in (2, 3):
        items = ok(service.get(BOARDS))["items"]
        assert sum(item["board"] is not None for item in items) == drawn
        assert all((item["board"] is None) == (item["score"] is None) for item in items)
    timelines.clear()
    monkeypatch.setattr(boards, "MAX_FOLDED", 0)
    assert all(item["board"] for item in ok(service.get(BOARDS))["items"])


@pytest.mark.unchanging
def test_what_to_include_is_checked(service: Service) -> None:
    assert set(pointers(problem(service.get("/matches?include=all&mine=yes"), 422, "malformed"))) == {
        "/include",
        "/mine",
    }


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_position_has_a_small_picture_without_ids(game: AnyGame) -> None:
    for seed in range(3):
        match = play(game, Random(seed))
        for ply in range(0, len(match.states), 7):
            move = game.move.dump(match.plies[ply - 1][1]) if ply else None
            drawn = SMALL_PICTURES[game.id](game.view.dump(match.states[ply]), move)
            assert len(drawn) < 5000
            assert "nan" not in drawn
            parts = list(ElementTree.fromstring(drawn).iter())  # noqa: S314 - our own
            assert not any({"id", "style", "class"} & part.attrib.keys() for part in parts)
