"""Creating and finding matches, their details and who sits where."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from service.app import create_app
from service.config import read_config
from service.db.pool import Database
from tests.service.conftest import NewMatch
from tests.service.harness import (
    NDJSON,
    OPENING,
    SETUP,
    UNKNOWN_ID,
    Match,
    Service,
    entries,
    finished_match,
    is_new_id,
    lines,
    nothing_changes,
    ok,
    pointers,
    problem,
)

PEOPLE = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
BODY = {"game": "cite-lumiere", "edition": "devir-2019", "players": PEOPLE, "setup": SETUP}
CARDS = SETUP["postcards"]
MEMBERS = {
    *("id", "game", "edition", "rules_version", "rules_conflict", "players", "setup", "status", "version", "revision"),
    *("ply", "to_move"),
    *("result", "played_at", "venue", "tags", "withdrawn", "visibility", "owner_id", "created_at", "changed_at"),
    *("rulings_in_statistics", "seats_known"),
}


def moment(text: str) -> datetime:
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


# Creating


def test_a_new_match_is_answered_as_it_is_read(service: Service) -> None:
    body = {**BODY, "played_at": "2026-11-14T19:30:00Z", "venue": "club night", "tags": ["league", "league", "final"]}
    response = service.post("/matches", body)
    match = ok(response, 201)
    assert response.headers["Location"] == f"/api/v1/matches/{match['id']}"
    assert response.headers["ETag"] == '"1"'
    assert set(match) == MEMBERS
    assert is_new_id(match["id"])
    assert (match["game"], match["edition"], match["rules_version"]) == ("cite-lumiere", "devir-2019", 1)
    assert [(player["seat"], player["name"]) for player in match["players"]] == [("orange", "Ana"), ("blue", "Jan")]
    assert all(set(player) == {"seat", "player_id", "name"} for player in match["players"])
    assert all(is_new_id(player["player_id"]) for player in match["players"])
    assert match["setup"] == {"first": "orange", "postcards": sorted(CARDS)}
    assert (match["status"], match["version"], match["ply"]) == ("in_progress", 1, 0)
    assert (match["to_move"], match["result"]) == ("orange", None)
    assert moment(match["played_at"]) == datetime(2026, 11, 14, 19, 30, tzinfo=UTC)
    assert (match["venue"], match["tags"]) == ("club night", ["league", "final"])
    read = service.client.get(response.headers["Location"])
    assert ok(read) == match
    assert read.headers["ETag"] == '"1"'


def test_what_may_be_left_out_has_a_default(service: Service) -> None:
    before = datetime.now(UTC)
    body = {name: value for name, value in BODY.items() if name != "edition"}
    match = ok(service.post("/matches", body), 201)
    (game,) = (game for game in ok(service.get("/games"))["items"] if game["id"] == "cite-lumiere")
    assert match["edition"] == game["default_edition"]
    assert before <= moment(match["played_at"]) <= datetime.now(UTC)
    assert (match["venue"], match["tags"]) == (None, [])


def test_the_first_seat_of_the_set_up_begins(new_match: NewMatch) -> None:
    assert new_match(setup={**SETUP, "first": "blue"}).document()["to_move"] == "blue"


def test_players_keep_the_order_in_which_they_were_named(new_match: NewMatch) -> None:
    match = new_match(players=PEOPLE[::-1])
    assert [player["seat"] for player in match.document()["players"]] == ["blue", "orange"]


def test_a_time_with_an_offset_is_kept_in_utc(new_match: NewMatch) -> None:
    match = new_match(played_at="2026-01-31T23:30:00.25+01:00")
    assert match.document()["played_at"] == "2026-01-31T22:30:00.250000Z"


def test_a_match_is_played_at_most_a_day_ahead(service: Service, new_match: NewMatch) -> None:
    soon = (datetime.now(UTC) + timedelta(hours=23)).isoformat()
    late = (datetime.now(UTC) + timedelta(hours=25)).isoformat()
    match = new_match(played_at=soon)
    refused = problem(service.post("/matches", {**BODY, "played_at": late}), 422, "malformed")
    assert pointers(refused) == ["/played_at"]
    with nothing_changes(match):
        refused = problem(service.patch(match.path, {"played_at": late}), 422, "malformed")
        assert pointers(refused) == ["/played_at"]


@pytest.mark.unchanging
@pytest.mark.parametrize(
    "played_at",
    [
        "2026-11-14",
        "2026-11-14T19:30:00",
        "2026-11-14 19:30:00Z",
        "2026-13-14T19:30:00Z",
        "2026-11-14T25:30:00Z",
        "2026-11-14T19:30:00+25:00",
        "0001-01-01T00:00:00+23:59",
        "0000-01-01T00:00:00Z",
        "20261114T193000Z",
        "yesterday",
        "",
        1763148600,
        None,
    ],
)
def test_what_is_no_time_is_refused(service: Service, played_at: Any) -> None:
    refused = problem(service.post("/matches", {**BODY, "played_at": played_at}), 422, "malformed")
    assert pointers(refused) == ["/played_at"]


def test_the_first_of_all_days_is_a_time(service: Service) -> None:
    match = ok(service.post("/matches", {**BODY, "played_at": "0001-01-01T00:00:00Z"}), 201)
    assert match["played_at"] == "0001-01-01T00:00:00.000000Z"


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"game": ...}, "/game"),
        ({"game": "chess"}, "/game"),
        ({"game": None}, "/game"),
        ({"edition": None}, "/edition"),
        ({"players": ...}, "/players"),
        ({"players": []}, "/players"),
        ({"players": PEOPLE[:1]}, "/players"),
        ({"players": [*PEOPLE, {"seat": "green", "name": "Zoë"}]}, "/players"),
        ({"players": {"orange": "Ana"}}, "/players"),
        ({"players": [PEOPLE[0], {"seat": "green", "name": "Jan"}]}, "/players/1/seat"),
        ({"players": [PEOPLE[0], {"seat": "orange", "name": "Jan"}]}, "/players/1/seat"),
        ({"players": [PEOPLE[0], {"name": "Jan"}]}, "/players/1/seat"),
        ({"players": [PEOPLE[0], {"seat": "blue"}]}, "/players/1"),
        ({"players": [PEOPLE[0], {"seat": "blue", "name": "Jan", "player_id": UNKNOWN_ID}]}, "/players/1"),
        ({"players": [PEOPLE[0], {"seat": "blue", "name": ""}]}, "/players/1/name"),
        ({"players": [PEOPLE[0], {"seat": "blue", "name": " \t"}]}, "/players/1/name"),
        ({"players": [PEOPLE[0], {"seat": "blue", "name": "x" * 81}]}, "/players/1/name"),
        ({"players": [PEOPLE[0], {"seat": "blue", "name": 7}]}, "/players/1/name"),
        ({"players": [PEOPLE[0], {"seat": "blue", "player_id": "Jan"}]}, "/players/1/player_id"),
        ({"players": [PEOPLE[0], {"seat": "blue", "player_id": UNKNOWN_ID.upper()}]}, "/players/1/player_id"),
        ({"players": [PEOPLE[0], {"seat": "blue", "name": "Jan", "age": 7}]}, "/players/1/age"),
        ({"players": [PEOPLE[0], None]}, "/players/1"),
        ({"setup": ...}, "/setup"),
        ({"setup": None}, "/setup"),
        ({"setup": []}, "/setup"),
        ({"setup": {"first": "orange"}}, "/setup/postcards"),
        ({"setup": {"postcards": CARDS}}, "/setup/first"),
        ({"setup": {**SETUP, "first": "green"}}, "/setup/first"),
        ({"setup": {**SETUP, "postcards": CARDS[:7]}}, "/setup/postcards"),
        ({"setup": {**SETUP, "postcards": [*CARDS, "moulin_rouge"]}}, "/setup/postcards"),
        ({"setup": {**SETUP, "postcards": [*CARDS[:7], "eiffel"]}}, "/setup/postcards/7"),
        ({"setup": {**SETUP, "postcards": [*CARDS[:7], CARDS[0]]}}, "/setup/postcards/7"),
        ({"setup": {**SETUP, "advanced": False}}, "/setup/advanced"),
        ({"venue": ""}, "/venue"),
        ({"venue": "x" * 81}, "/venue"),
        ({"venue": 7}, "/venue"),
        ({"tags": "league"}, "/tags"),
        ({"tags": [""]}, "/tags/0"),
        ({"tags": ["x" * 81]}, "/tags/0"),
        ({"tags": [None]}, "/tags/0"),
        ({"tags": [f"tag {n}" for n in range(21)]}, "/tags"),
        ({"colour": "red"}, "/colour"),
        ({"id": UNKNOWN_ID}, "/id"),
        ({"version": 3}, "/version"),
    ],
)
def test_a_malformed_match_is_pointed_at_and_leaves_nothing(
    service: Service, changes: dict[str, Any], pointer: str
) -> None:
    body = {name: value for name, value in (BODY | changes).items() if value is not ...}
    assert pointer in pointers(problem(service.post("/matches", body), 422, "malformed"))
    assert service.all_items("/matches") == []
    assert service.all_items("/players") == []


def test_an_edition_that_is_not_there_is_refused(service: Service) -> None:
    for edition in ("devir-2020", UNKNOWN_ID, "", "\u2603"):
        problem(service.post("/matches", {**BODY, "edition": edition}), 422, "unknown-edition")


# Details


def test_details_change_by_merge_patch_and_keep_a_history(match: Match) -> None:
    before = match.document()
    body = {"venue": "café", "tags": ["league"], "played_at": "2026-10-01T18:00:00Z"}
    response = match.service.patch(match.path, body)
    assert response.headers["ETag"] == '"1.1"'
    changed = ok(response)
    assert set(changed) == MEMBERS
    assert (changed["venue"], changed["tags"]) == ("café", ["league"])
    assert changed["played_at"] == "2026-10-01T18:00:00.000000Z"
    response = match.service.patch(match.path, {"venue": None})
    assert response.headers["ETag"] == '"1.2"'
    assert ok(response) | {"changed_at": ""} == changed | {"venue": None, "revision": 2, "changed_at": ""}
    assert ok(match.service.patch(match.path, {"tags": None}))["tags"] == []
    items = ok(match.get("/details"))["items"]
    members = ("revision", "played_at", "venue", "tags", "withdrawn", "visibility", "rulings_in_statistics")
    assert [tuple(item[name] for name in members) for item in items] == [
        (0, before["played_at"], None, [], False, "club", "results"),
        (1, "2026-10-01T18:00:00.000000Z", "café", ["league"], False, "club", "results"),
        (2, "2026-10-01T18:00:00.000000Z", None, ["league"], False, "club", "results"),
        (3, "2026-10-01T18:00:00.000000Z", None, [], False, "club", "results"),
    ]
    assert all(set(item) == {*members, "actor", "changed_at"} for item in items)
    assert match.service.all_items(f"{match.path}/details?limit=2") == items
    assert lines(match.get("/details", NDJSON)) == items


def test_details_stand_outside_the_log(match: Match) -> None:
    match.record(*OPENING)
    events = match.events()
    ok(match.service.patch(match.path, {"venue": "café"}))
    assert match.events() == events
    assert match.document()["version"] == 7
    assert match.get().headers["ETag"] == '"7.1"'
    match.undo(2)
    assert match.get().headers["ETag"] == '"8.1"'
    assert match.document()["venue"] == "café"


def test_a_patch_that_changes_nothing_is_no_revision(match: Match) -> None:
    ok(match.service.patch(match.path, {"venue": "café"}))
    unchanged: tuple[Any, ...] = ({}, {"venue": "café"}, {"tags": []})
    for body in unchanged:
        response = match.service.patch(match.path, body)
        assert (ok(response)["revision"], response.headers["ETag"]) == (1, '"1.1"')
    assert len(ok(match.get("/details"))["items"]) == 2


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"status": "finished"}, "/status"),
        ({"players": PEOPLE}, "/players"),
        ({"setup": SETUP}, "/setup"),
        ({"version": 1}, "/version"),
        ({"withdrawn": True}, "/withdrawn"),
        ({"venue": "x" * 81}, "/venue"),
        ({"venue": "  "}, "/venue"),
        ({"tags": "league"}, "/tags"),
        ({"played_at": "soon"}, "/played_at"),
        ([], ""),
    ],
)
def test_a_patch_is_of_details_alone(match: Match, body: Any, pointer: str) -> None:
    with nothing_changes(match):
        assert pointers(problem(match.service.patch(match.path, body), 422, "malformed")) == [pointer]


def test_details_can_be_changed_for_a_version_alone(match: Match) -> None:
    match.record(*OPENING)
    with nothing_changes(match):
        response = match.service.patch(match.path, {"venue": "café"}, {"If-Match": '"1"'})
        assert problem(response, 412, "stale-version")["version"] == 7
    ok(match.service.patch(match.path, {"venue": "café"}, {"If-Match": '"7"'}))


def test_a_match_that_has_not_changed_is_not_sent_again(match: Match) -> None:
    for path in ("", "/state"):
        tag = match.get(path).headers["ETag"]
        for known in (tag, f"W/{tag}", f'"x", {tag}'):
            response = match.get(path, {"If-None-Match": known})
            assert (response.status_code, response.data, response.headers["ETag"]) == (304, b"", tag)
        ok(match.get(path, {"If-None-Match": '"x"'}))
        match.record("orange take L4" if path == "" else "blue take V3")
        assert ok(match.get(path, {"If-None-Match": tag}))
    assert match.get().headers["Cache-Control"] == "private, no-cache"


# Who sits where


def test_people_are_reassigned_by_an_event(match: Match) -> None:
    match.record(*OPENING)
    frames = match.frames()
    ana, jan = (player["player_id"] for player in match.document()["players"])
    response = match.service.put(
        f"{match.path}/players",
        {"players": [{"seat": "blue", "player_id": ana}, {"seat": "orange", "name": "Zoë"}]},
    )
    document = ok(response)
    assert response.headers["ETag"] == '"8"'
    assert (document["version"], document["ply"]) == (8, 6)
    assert [(player["seat"], player["name"]) for player in document["players"]] == [("orange", "Zoë"), ("blue", "Ana")]
    event = match.events()[-1]
    zoe = document["players"][0]["player_id"]
    assert event["kind"] == "players_assigned"
    assert event["payload"] == {
        "players": [{"seat": "orange", "player_id": zoe}, {"seat": "blue", "player_id": ana}],
    }
    assert "Zoë" not in match.get("/events").text
    assert match.frames() == frames
    assert [item["id"] for item in match.service.all_items(f"/matches?player={zoe}")] == [match.id]
    assert match.service.all_items(f"/matches?player={jan}") == []


def test_people_can_be_reassigned_whatever_the_status(match: Match) -> None:
    ok(match.post("/abandon"))
    swapped = [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]
    assert ok(match.service.put(f"{match.path}/players", {"players": swapped}))["status"] == "abandoned"
    ok(match.post("/reopen"))
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    finished = ok(match.service.put(f"{match.path}/players", {"players": PEOPLE}))
    assert finished["status"] == "finished"
    assert [player["name"] for player in finished["players"]] == ["Ana", "Jan"]


def test_the_same_people_again_change_nothing(match: Match) -> None:
    with nothing_changes(match):
        for people in (PEOPLE, PEOPLE[::-1], [{"seat": "orange", "name": " ANA "}, PEOPLE[1]]):
            problem(match.service.put(f"{match.path}/players", {"players": people}), 422, "no-change")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("people", "pointer"),
    [
        ([], "/players"),
        (PEOPLE[:1], "/players"),
        ([PEOPLE[0], {"seat": "orange", "name": "Zoë"}], "/players"),
        ([PEOPLE[0], {"seat": "green", "name": "Zoë"}], "/players"),
        ([PEOPLE[0], {"seat": "blue", "name": "ana"}], "/players/1"),
        ([PEOPLE[0], {"seat": "blue"}], "/players/1"),
        ([PEOPLE[0], {"seat": "blue", "name": "Zoë", "points": 3}], "/players/1/points"),
    ],
)
def test_one_player_each_for_the_seats_of_the_match(match: Match, people: Any, pointer: str) -> None:
    known = match.service.all_items("/players")
    with nothing_changes(match):
        refused = problem(match.service.put(f"{match.path}/players", {"players": people}), 422, "malformed")
        assert pointers(refused) == [pointer]
    assert match.service.all_items("/players") == known


def test_people_are_reassigned_for_a_version_alone(match: Match) -> None:
    swapped = {"players": [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]}
    path = f"{match.path}/players"
    with nothing_changes(match):
        problem(match.service.put(path, swapped, {"If-Match": '"2"'}), 412, "stale-version")
    assert ok(match.service.put(path, swapped, {"If-Match": '"1"'}))["version"] == 2


# Withdrawing


def test_a_withdrawn_match_is_hidden_from_lists_until_it_comes_back(match: Match, new_match: NewMatch) -> None:
    other = new_match()
    withdrawn = ok(match.post("/withdraw"))
    assert (withdrawn["withdrawn"], withdrawn["version"], withdrawn["revision"]) == (True, 1, 1)
    for query in ("", "?sort=activity", "?game=cite-lumiere", f"?player={withdrawn['players'][0]['player_id']}"):
        assert [item["id"] for item in match.service.all_items(f"/matches{query}")] == [other.id]
        assert [item["id"] for item in lines(match.service.get(f"/matches{query}", NDJSON))] == [other.id]
    assert match.document()["withdrawn"] is True
    assert ok(match.post("/withdraw"))["revision"] == 1
    back = ok(match.service.delete(f"{match.path}/withdraw"))
    assert (back["withdrawn"], back["revision"]) == (False, 2)
    assert len(match.service.all_items("/matches")) == 2
    assert [item["withdrawn"] for item in ok(match.get("/details"))["items"]] == [False, True, False]


# Finding


@pytest.fixture
def various(new_match: NewMatch) -> dict[str, Match]:
    """Matches that differ in what a list can be filtered by."""
    zoe = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Zoë"}]
    made = {
        "first": new_match(played_at="2026-10-01T00:00:00Z", venue="club", tags=["league", "final"]),
        "second": new_match(played_at="2026-10-02T00:00:00Z", venue="café", tags=["league"], players=zoe),
        "third": new_match(played_at="2026-10-03T12:00:00Z", tags=["final", "Ligã"]),
        "fourth": new_match(played_at="2026-10-03T22:30:00Z", venue="club", players=zoe[::-1]),
    }
    ok(made["second"].post("/abandon"))
    ok(made["third"].post("/moves", {"moves": finished_match()}), 201)
    return made


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["fourth", "third", "second", "first"]),
        ("game=cite-lumiere", ["fourth", "third", "second", "first"]),
        ("game=paris", []),
        ("edition=devir-2019", ["fourth", "third", "second", "first"]),
        ("edition=other", []),
        ("status=in_progress", ["fourth", "first"]),
        ("status=finished", ["third"]),
        ("status=abandoned", ["second"]),
        ("venue=club", ["fourth", "first"]),
        ("venue=CLUB", []),
        ("tag=league", ["second", "first"]),
        ("tag=final", ["third", "first"]),
        ("tag=league&tag=final", ["first"]),
        ("tag=Lig%C3%A3", ["third"]),
        ("tag=league&tag=none", []),
        ("tag=league&venue=club", ["first"]),
        ("from=2026-10-02T00:00:00Z", ["fourth", "third", "second"]),
        ("from=2026-10-02T00:00:00.000001Z", ["fourth", "third"]),
        ("to=2026-10-02T00:00:00Z", ["first"]),
        ("from=2026-10-02T00:00:00Z&to=2026-10-03T22:30:00Z", ["third", "second"]),
        ("from=2026-10-02T02:00:00%2B02:00&to=2026-10-02T00:00:00-02:00", ["second"]),
        ("from=2026-10-02&to=2026-10-02", ["second"]),
        ("from=2026-10-03&to=2026-10-02", []),
        ("from=2026-10-04&tz=Europe/Warsaw", ["fourth"]),
        ("to=2026-10-03&tz=Europe/Warsaw", ["third", "second", "first"]),
        ("to=2026-09-30&tz=America/New_York", ["first"]),
        ("from=2026-10-03T22:30:00Z&tz=Asia/Tokyo", ["fourth"]),
        ("from=0001-01-01&to=9999-12-31&tz=Asia/Tokyo", ["fourth", "third", "second", "first"]),
        ("from=0001-01-01&to=9999-12-31&tz=America/New_York", ["fourth", "third", "second", "first"]),
    ],
)
def test_filters(service: Service, various: dict[str, Match], query: str, found: list[str]) -> None:
    ids = [various[name].id for name in found]
    assert [item["id"] for item in service.all_items(f"/matches?{query}")] == ids
    assert [item["id"] for item in service.all_items(f"/matches?limit=1&{query}")] == ids
    assert [item["id"] for item in lines(service.get(f"/matches?{query}", NDJSON))] == ids


def test_repeated_players_must_all_have_played(service: Service, various: dict[str, Match]) -> None:
    ana, jan = (player["player_id"] for player in various["first"].document()["players"])
    zoe = various["second"].document()["players"][1]["player_id"]
    for query, found in (
        (f"player={ana}", ["fourth", "third", "second", "first"]),
        (f"player={zoe}", ["fourth", "second"]),
        (f"player={ana}&player={zoe}", ["fourth", "second"]),
        (f"player={ana}&player={jan}", ["third", "first"]),
        (f"player={jan}&player={zoe}", []),
        (f"player={UNKNOWN_ID}", []),
        (f"player={ana}&player={UNKNOWN_ID}", []),
        (f"player={ana}&player={ana}", ["fourth", "third", "second", "first"]),
    ):
        items = service.all_items(f"/matches?{query}")
        assert [item["id"] for item in items] == [various[name].id for name in found], query


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("player=Ana", "/player/0"),
        (f"player={UNKNOWN_ID}&player=x", "/player/1"),
        ("status=over", "/status"),
        ("sort=name", "/sort"),
        ("from=yesterday", "/from"),
        ("from=2026-02-30", "/from"),
        ("to=2026-10-02T00:00:00", "/to"),
        ("to=", "/to"),
        ("from=2026-10-02&tz=Warsaw", "/tz"),
        ("tz=../../etc/passwd", "/tz"),
        ("tz=", "/tz"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(service: Service, query: str, pointer: str) -> None:
    assert pointers(problem(service.get(f"/matches?{query}"), 422, "malformed")) == [pointer]


def test_plain_dates_are_read_in_the_zone_of_the_installation(database: Database, various: dict[str, Match]) -> None:
    app = create_app(read_config({"CARNET_OPEN": "1", "CARNET_TZ": "Europe/Warsaw"}), database)
    items = ok(Service(app).get("/matches?from=2026-10-04"))["items"]
    assert [item["id"] for item in items] == [various["fourth"].id]
    app.extensions["carnet"].close()


def test_days_that_leave_with_a_match_are_those_of_the_installation(database: Database, service: Service) -> None:
    setup = {"result_only": True, "points": {"orange": 3, "blue": 2}}
    body = {**BODY, "setup": setup, "played_at": "2026-10-03T22:30:00Z", "visibility": "public"}
    path = ok(service.post("/matches", body), 201)["id"]
    app = create_app(read_config({"CARNET_OPEN": "1", "CARNET_TZ": "Europe/Warsaw"}), database)
    client = app.test_client()
    assert ",2026-10-04,1," in client.get(f"/api/v1/matches/{path}/export?format=csv").text
    page = client.get(f"/matches/{path}", headers={"Accept": "text/html"}).text
    assert "La Cité de la Lumière · 2026-10-04" in page
    app.extensions["carnet"].close()


@pytest.mark.parametrize(
    ("zone", "day", "following", "begins", "ends"),
    [
        ("Europe/Warsaw", "2025-03-30", "2025-03-31", "2025-03-29T23:00:00Z", "2025-03-30T22:00:00Z"),
        ("Europe/Warsaw", "2025-10-26", "2025-10-27", "2025-10-25T22:00:00Z", "2025-10-26T23:00:00Z"),
        ("America/Havana", "2025-03-09", "2025-03-10", "2025-03-09T05:00:00Z", "2025-03-10T04:00:00Z"),
        ("America/Havana", "2025-11-02", "2025-11-03", "2025-11-02T04:00:00Z", "2025-11-03T05:00:00Z"),
        ("Asia/Kolkata", "2025-06-01", "2025-06-02", "2025-05-31T18:30:00Z", "2025-06-01T18:30:00Z"),
    ],
    ids=["23 hours", "25 hours", "no midnight", "midnight twice", "half an hour off"],
)
def test_a_day_begins_at_the_first_midnight_of_its_zone_and_ends_before_the_next_day(
    service: Service, new_match: NewMatch, zone: str, day: str, following: str, begins: str, ends: str
) -> None:
    microsecond = timedelta(microseconds=1)
    first, after = datetime.fromisoformat(begins), datetime.fromisoformat(ends)
    moments = [first - microsecond, first, after - microsecond, after]
    before, opening, closing, late = (new_match(played_at=moment.isoformat()).id for moment in moments)

    def ids(query: str) -> list[str]:
        return [item["id"] for item in service.all_items(f"/matches?tz={zone}&{query}")]

    assert ids(f"from={day}&to={day}") == [closing, opening]
    assert ids(f"from={day}") == [late, closing, opening]
    assert ids(f"from={following}") == [late]
    assert ids(f"to={day}") == [closing, opening, before]


def test_an_item_of_the_list_is_the_match_without_its_set_up(match: Match) -> None:
    match.record(*OPENING)
    (item,) = match.service.all_items("/matches")
    assert item == {name: value for name, value in match.document().items() if name != "setup"}


def test_by_activity_the_last_changed_match_comes_first(service: Service, various: dict[str, Match]) -> None:
    def ids() -> list[str]:
        return [item["id"] for item in service.all_items("/matches?sort=activity&limit=1")]

    order = [various[name].id for name in ("third", "second", "fourth", "first")]
    assert ids() == order
    ok(various["first"].post("/moves", {"moves": entries(OPENING)}), 201)
    assert ids() == [order[3], *order[:3]]
    ok(service.patch(various["second"].path, {"venue": "park"}))
    assert ids()[:2] == [order[1], order[3]]


def test_the_order_by_activity_goes_through_the_hours_and_within_them(
    service: Service, various: dict[str, Match], dsn: str
) -> None:
    times = {"first": "10:59:59.9", "second": "11:00:00", "third": "10:10:00", "fourth": "11:00:00.000001"}
    with psycopg.connect(dsn) as connection:
        for name, time in times.items():
            connection.execute(
                "UPDATE matches SET changed_at = %s WHERE match_id = %s", (f"2026-11-01 {time}Z", various[name].id)
            )
    listed = [item["id"] for item in service.all_items("/matches?sort=activity&limit=1")]
    assert listed == [various[name].id for name in ("fourth", "second", "first", "third")]
