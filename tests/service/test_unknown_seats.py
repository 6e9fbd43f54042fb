"""Results of which nobody knows who sat where: they count, but not for seats."""

import pytest

from domain.catalogue import GAMES
from domain.match.notation import MatchText, read_text
from tests.service.harness import Match, Service, ok, pointers, problem

UNKNOWN = {"result_only": True, "seats_unknown": True, "points": {"orange": 50, "blue": 41}}
NAMES = [{"name": "Ana"}, {"name": "Jan"}]


def begin(service: Service, **members: object) -> Match:
    body = {"game": "cite-lumiere", "players": NAMES, "setup": UNKNOWN, **members}
    return Match(service, ok(service.post("/matches", body), 201)["id"])


def test_players_without_seats_get_labels(service: Service) -> None:
    document = begin(service).document()
    assert [(player["seat"], player["name"]) for player in document["players"]] == [("orange", "Ana"), ("blue", "Jan")]
    assert (document["seats_known"], document["setup"]) == (False, UNKNOWN)
    assert document["result"]["winners"] == ["orange"]
    assert [match["seats_known"] for match in ok(service.get("/matches"))["items"]] == [False]


@pytest.mark.unchanging
def test_seats_are_missing_only_where_they_are_unknown(service: Service) -> None:
    known = {"result_only": True, "points": {"orange": 50, "blue": 41}}
    for setup, players in ((known, NAMES), (UNKNOWN, [NAMES[0], {"seat": "blue", "name": "Jan"}])):
        body = {"game": "cite-lumiere", "players": players, "setup": setup}
        refused = problem(service.post("/matches", body), 422, "malformed")
        assert pointers(refused)[0] == "/players/0/seat"


def test_statistics_count_them_but_not_for_seats(service: Service) -> None:
    match = begin(service)
    known = {"result_only": True, "points": {"orange": 30, "blue": 60}}
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    ok(service.post("/matches", {"game": "cite-lumiere", "players": players, "setup": known}), 201)
    ana, jan = (player["player_id"] for player in match.document()["players"])
    told = ok(service.get(f"/stats/players/{ana}"))
    assert (told["matches"], told["wins"]) == (2, 1.0)
    assert [(row["seat"], row["matches"]) for row in told["by_seat"]] == [("orange", 1)]
    assert {row["seat"] for row in told["latest"]} == {None, "orange"}
    [two] = ok(service.get("/stats/games/cite-lumiere"))["by_players"]
    assert (two["matches"], {row["seat"]: row["win_rate"]["n"] for row in two["seats"]}) == (
        2,
        {"orange": 1, "blue": 1},
    )
    met = ok(service.get(f"/stats/head-to-head?a={ana}&b={jan}"))
    assert met["matches"] == 2
    assert {row["a"]["seat"] for row in met["latest"]} == {None, "orange"}
    assert ok(match.get("/verify"))["valid"]


def test_seats_can_be_told_later(service: Service) -> None:
    match = begin(service)
    known = {"result_only": True, "points": {"orange": 50, "blue": 41}}
    ok(match.post("/corrections", {"ply": 0, "setup": known}), 201)
    assert match.document()["seats_known"] is True
    ana = match.document()["players"][0]["player_id"]
    assert [row["seat"] for row in ok(service.get(f"/stats/players/{ana}"))["by_seat"]] == ["orange"]


def test_they_leave_as_text_and_come_back(service: Service) -> None:
    match = begin(service)
    text = match.get("/export?format=text")
    assert (text.status_code, text.mimetype) == (200, "text/plain")
    [read] = read_text(text.text, GAMES)
    assert isinstance(read, MatchText), read
    assert (read.setup.seats_unknown, dict(read.setup.points)) == (True, {"orange": 50, "blue": 41})
