"""The client against the service, over a real socket."""

import inspect
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask

from scripts.examples import judging
from service import client as client_module
from service.client import (
    ApiProblem,
    Client,
    Conflict,
    Entry,
    Event,
    IllegalMove,
    Malformed,
    Match,
    NotFound,
    Seated,
    StaleVersion,
    Unavailable,
    Unreachable,
)
from service.client import connection as connection_module
from service.matches.integrity import rejudge_all
from tests.service.harness import OPENING, SETUP, UNKNOWN_ID, entries
from tests.service.serving import Road, answering, breaking_off, lost, served

GAME = "cite-lumiere"
TAKEN = {"type": "take", "building": "L4"}
TAKE: Entry = {"seat": "orange", "move": TAKEN}
EVENTS = "text/event-stream"
BUSY = answering("503 Service Unavailable", b"{}", "application/problem+json", Retry_After="0")


@pytest.fixture
def road(app: Flask) -> Road:
    return Road(app.wsgi_app)


@pytest.fixture
def client(road: Road, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(connection_module, "FIRST_WAIT", 0)
    with served(road) as url, Client(url, timeout=20) as client:
        yield client


@pytest.fixture
def match(client: Client) -> Match:
    return begin(client)


def begin(client: Client, orange: str = "Ana", **details: Any) -> Match:
    return client.create_match(
        GAME, [{"seat": "orange", "name": orange}, {"seat": "blue", "name": "Jan"}], SETUP, **details
    )


def opened(client: Client) -> Match:
    """A match of six moves."""
    match = begin(client)
    client.record_all(match["id"], moves())
    return client.match(match["id"])


def moves() -> list[Entry]:
    return [{"seat": entry["seat"], "move": entry["move"]} for entry in entries(OPENING)]


# What it stands on


def test_it_needs_nothing_else_of_carnet_and_works_under_another_name(tmp_path: Path) -> None:
    shutil.copytree(Path(client_module.__path__[0]), tmp_path / "borrowed", ignore=shutil.ignore_patterns("*.pyc"))
    program = "import sys, borrowed; borrowed.Client('http://carnet'); print(*sys.modules)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert {"borrowed", "requests"} <= loaded
    assert loaded.isdisjoint({"service", "domain", "flask", "orjson", "psycopg"})


class Noting(requests.adapters.BaseAdapter):
    """Answers everything with an empty list and keeps what was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        self.asked.append((str(request.method), request.path_url.partition("?")[0]))
        response = requests.Response()
        response.status_code = 200
        is_stream = request.headers["Accept"].startswith(EVENTS)
        response.raw = BytesIO(b"event: gone\n\n" if is_stream else b'{"items": [], "next": null}')
        return response

    def close(self) -> None:
        """There is nothing to close."""


def test_it_has_a_method_for_every_route(app: Flask) -> None:
    noting = Noting()
    given: dict[str, Any] = {
        "ply": 1,
        "version": 1,
        "to_ply": 1,
        "players": [],
        "moves": [],
        "action": "remove",
        "number": 1,
    }
    with Client("http://carnet") as client:
        client._service.session.mount("http://", noting)
        for name, method in inspect.getmembers(client, inspect.ismethod):
            if name.startswith("_") or name in {"close", "is_ready"}:
                continue
            needed = [
                parameter.name
                for parameter in inspect.signature(method).parameters.values()
                if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
            ]
            answer = method(*(given.get(parameter, {} if parameter == "setup" else UNKNOWN_ID) for parameter in needed))
            if inspect.isgenerator(answer):
                list(answer)
    urls = app.url_map.bind("carnet")
    asked = {(method, urls.match(path, method)[0]) for method, path in noting.asked}
    routes = {
        (method, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/v1/") and not rule.endpoint.startswith("document.")
    } - {("POST", "access.sign_in"), ("POST", "access.sign_out")}  # these are for browsers
    assert sorted(routes - asked) == []


# Every route once


def test_games_and_editions(client: Client) -> None:
    [game] = [game for game in client.games() if game["id"] == GAME]
    assert game["seats"] == ["orange", "blue"]
    assert client.game(GAME)["schemas"]["setup"]["required"] == ["first", "postcards"]
    assert client.edition(GAME, game["default_edition"])["edition"] == game["default_edition"]
    made = client.create_edition(GAME, "Mine", game["default_edition"], {"chimneys": 6})
    assert client.edition(GAME, made["edition"])["chimneys"] == {"value": 6, "source": "user"}


def test_a_match_and_its_details(client: Client) -> None:
    match = begin(client, venue="club", tags=["league"], played_at="2025-11-14T19:30:00Z")
    assert (match["venue"], match["tags"], match["version"]) == ("club", ["league"], 1)
    assert match["played_at"].startswith("2025-11-14T19:30:00")
    changed = client.change_match(match["id"], {"venue": None, "tags": []}, if_match=1)
    assert (changed["venue"], changed["tags"], changed["revision"]) == (None, [], 1)
    assert [details["venue"] for details in client.details(match["id"])] == ["club", None]
    seats = client.assign_players(match["id"], [{"seat": "blue", "name": "Ana"}, {"seat": "orange", "name": "Jan"}])
    assert [(seat["seat"], seat["name"]) for seat in seats["players"]] == [("orange", "Jan"), ("blue", "Ana")]
    assert client.match(match["id"]) == seats


def test_abandoning_and_withdrawing(client: Client, match: Match) -> None:
    assert client.abandon(match["id"])["status"] == "abandoned"
    assert client.reopen(match["id"])["status"] == "in_progress"
    assert client.withdraw(match["id"])["withdrawn"]
    assert list(client.matches()) == []
    assert not client.take_back_withdrawal(match["id"])["withdrawn"]
    assert [found["id"] for found in client.matches()] == [match["id"]]


def test_accepting_changed_rules(client: Client, match: Match, app: Flask) -> None:
    client.record_all(match["id"], moves())
    with judging(lambda *_: True):
        list(rejudge_all(app.extensions["carnet"]))
        conflict = client.match(match["id"])["rules_conflict"]
        assert conflict is not None and conflict["ply"] == 1
        accepted = client.accept_rules(match["id"])
        assert (accepted["ply"], accepted["rules_conflict"]) == (0, None)


def test_moves(client: Client, match: Match) -> None:
    checked = client.check(match["id"], moves(), legal_moves=True)
    assert checked["legal"] and checked["state"] and checked["state"]["ply"] == 6 and checked["legal_moves"]
    assert not client.check(match["id"], [TAKE, TAKE])["legal"]
    assert TAKEN in client.legal_moves(match["id"])["moves"]
    position = client.record(match["id"], "orange", TAKEN, legal_moves=True)
    assert (position["version"], position["ply"], position["to_move"]) == (2, 1, "blue")
    assert TAKEN not in position["legal_moves"]
    ruled = client.record(match["id"], "orange", {"type": "take", "building": "U6"}, reason="We saw it too late.")
    assert ruled["ply"] == 2
    assert client.frame(match["id"], 2)["ruling"] == {"reason": "We saw it too late."}


def test_changing_what_was_recorded(client: Client) -> None:
    match = opened(client)
    assert client.undo(match["id"], 4)["ply"] == 4
    assert client.restore(match["id"], match["version"])["ply"] == 6
    other = {"type": "pave", "tile": "O1", "at": "a1", "rotation": 90}
    tried = client.correct(match["id"], 1, "replace", other, dry_run=True)
    assert client.match(match["id"])["version"] == 9
    corrected = client.correct(match["id"], 1, "replace", other, if_match=9)
    assert corrected == tried
    assert [verdict["status"] for verdict in corrected["verdicts"]] == ["ok"] * 5
    cut = client.correct(match["id"], 2, "replace", {"type": "take", "building": "U6"}, truncate=True)
    assert (cut["ply"], cut["dropped"]) == (2, 4)
    removed = client.correct(match["id"], 2, "remove")
    assert removed["ply"] == 1
    inserted = client.correct(match["id"], 1, "insert", {"type": "take", "building": "I3"}, seat="blue", reason="So.")
    assert inserted["ply"] == 2
    six = client.correct_edition(match["id"], {"chimneys": 6}, title="Ours")
    assert (six["dropped"], client.match_edition(match["id"])["title"]) == (0, "Ours")
    client.change_edition(match["id"], "devir-2019")
    assert client.match_edition(match["id"], version=six["version"])["chimneys"]["value"] == 6
    first_blue = client.correct_setup(match["id"], {**SETUP, "first": "blue"}, truncate=True)
    assert (client.match(match["id"])["setup"]["first"], first_blue["ply"]) == ("blue", 2)


def test_statistics(client: Client) -> None:
    setup = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    people: list[Seated] = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    one, other = (seat["player_id"] for seat in client.create_match(GAME, people, setup, tags=["league"])["players"])
    assert [row["wins"] for row in client.player_statistics(sort="name", game=GAME, tag=["league"])] == [0, 1]
    assert client.statistics_of_player(other, since="2020-01-01", tz="Europe/Warsaw")["streaks"]["longest_winning"] == 1
    assert client.head_to_head(one, other, population="club")["b_ahead"]["rate"] == 1
    assert client.statistics_of_game(GAME, variant="standard")["points"]["n"] == 2
    assert client.features(GAME, edition="elsewhere")["items"] == []
    assert client.openings(GAME, depth=2)["n"] == 0
    assert (list(client.ratings(page=10)), client.rating_history(one)["pending"]) == ([], 1)
    assert client.rating_calibration(game=GAME, population="club")["items"][0]["matches"] == 0


def test_the_log(client: Client) -> None:
    match = opened(client)
    events = list(client.events(match["id"]))
    assert [event["seq"] for event in events] == [*range(1, 8)]
    assert [event["prev_hash"] for event in events[1:]] == [event["hash"] for event in events[:-1]]
    whole: Any = {"valid": True, "events": 7, "first_broken": None, "detail": None, "findings": []}
    assert client.verify(match["id"]) == whole


def test_following_a_match(client: Client, match: Match) -> None:
    following = client.follow(match["id"], since=1)
    client.record_all(match["id"], moves())
    first = next(following)
    assert (first["event"], first["data"]["version"], first["data"]["from_ply"]) == ("changed", 7, 1)
    following.close()


def test_following_goes_on_when_the_connection_breaks(client: Client, road: Road) -> None:
    match = opened(client)
    road.asked.clear()
    road.troubles = [answering("200 OK", b"retry: 2\nid: 1\n\n:\n\nevent: changed\nid: 2\ndata: {}\n\n:\n", EVENTS)]
    following = client.follow(match["id"])
    assert [next(following)["event"] for _ in range(3)] == ["changed", "details", "annotations"]
    missed = next(following)["data"]
    assert (missed["version"], missed["from_ply"]) == (7, 2)
    assert road.sent("Last-Event-ID") == [None, "2"]
    following.close()


def test_following_ends_when_the_match_is_gone(client: Client, road: Road, match: Match) -> None:
    road.troubles = [answering("200 OK", b"id: 1\n\nevent: gone\ndata: {}\n\n", EVENTS)]
    assert [change["event"] for change in client.follow(match["id"])] == ["gone"]


def test_replay(client: Client) -> None:
    match_id = opened(client)["id"]
    frames = list(client.replay(match_id))
    assert [frame["ply"] for frame in frames] == [*range(7)]
    assert frames[6] == client.frame(match_id, 6)
    assert frames[6]["state"] == client.state(match_id)["state"]
    some = list(client.replay(match_id, first=2, last=3, version=7, lang="en", fields=["ply", "text"]))
    assert [dict(frame) for frame in some] == [{"ply": ply, "text": frames[ply]["text"]} for ply in (2, 3)]
    assert client.board_svg(match_id, 3, version=7, lang="en").startswith("<svg")
    state = frames[6]["state"]
    assert state is not None
    explained = client.score(match_id, 6)["seats"]
    assert {seat: one["total"] for seat, one in explained.items()} == {
        seat: one["total"] for seat, one in state["score"].items()
    }


def test_annotations(client: Client) -> None:
    match_id = opened(client)["id"]
    line = moves()[1:3]
    note = client.annotate(match_id, 1, "Slow.", glyph="?!", marks=[{"cell": "a1", "kind": "highlight"}], line=line)
    assert (note["ply"], note["line"], note["line_problem"]) == (1, line, None)
    changed = client.change_annotation(note["id"], {"glyph": None})
    assert (changed["glyph"], changed["text"]) == (None, "Slow.")
    assert client.annotation(note["id"]) == changed
    assert client.annotations(match_id) == [changed]
    client.delete_annotation(note["id"])
    assert client.annotations(match_id) == []
    restored = client.restore_annotation(note["id"])
    assert client.annotations(match_id) == [restored]
    assert [wording["glyph"] for wording in client.annotation_history(note["id"])] == ["?!", None, None, None]


def test_players(client: Client) -> None:
    begin(client, "Ana")
    begin(client, "Anna")
    ana, anna, _ = client.players()
    assert [player["name"] for player in client.players(name="an")] == ["Ana", "Anna"]
    assert client.merge_player(ana["id"], anna["id"]) == client.player(ana["id"]) == anna
    assert client.unmerge_player(ana["id"])["id"] == ana["id"]
    assert client.rename_player(ana["id"], "Ana B.")["name"] == "Ana B."
    assert [change["name"] for change in client.player_history(ana["id"])] == ["Ana", "Ana", "Ana", "Ana B."]


def test_readiness(client: Client, road: Road) -> None:
    assert client.is_ready()
    road.troubles = [BUSY]
    assert not client.is_ready()


# Lists


def test_lists_are_asked_for_in_pages(client: Client, road: Road) -> None:
    made = [begin(client, played_at=f"2025-0{month}-01T20:00:00Z")["id"] for month in range(1, 6)]
    road.asked.clear()
    assert [match["id"] for match in client.matches(page=2)] == made[::-1]
    assert len(road.asked) == 3
    road.asked.clear()
    assert [player["name"] for player in client.players(page=1)] == ["Ana", "Jan"]
    assert len(road.asked) == 2


def test_a_page_is_asked_for_when_it_is_needed(client: Client, road: Road) -> None:
    for _ in range(3):
        begin(client)
    road.asked.clear()
    next(client.matches(page=1))
    assert len(road.asked) == 1


def test_filters(client: Client) -> None:
    kept = begin(client, "Zofia", venue="club", tags=["a", "b"], played_at="2025-06-01T20:00:00Z")
    begin(client, "Zofia", venue="club", tags=["a"], played_at="2025-06-01T20:00:00Z")
    begin(client, "Zofia", venue="club", tags=["a", "b"], played_at="2025-07-01T20:00:00Z")
    found = client.matches(
        game=GAME,
        status="in_progress",
        player=[seat["player_id"] for seat in kept["players"]],
        tag=["a", "b"],
        venue="club",
        since="2025-06-01",
        until="2025-07-01T20:00:00Z",
        sort="activity",
    )
    assert [match["id"] for match in found] == [kept["id"]]


# Once and no more


def test_a_move_whose_answer_was_lost_is_recorded_once(client: Client, road: Road, match: Match) -> None:
    road.asked.clear()
    road.troubles = [lost, lost]
    assert client.record(match["id"], "orange", TAKEN)["version"] == 2
    keys = road.sent("Idempotency-Key")
    assert len(keys) == 3 and len(set(keys)) == 1 and keys[0]
    assert [event["kind"] for event in client.events(match["id"])] == ["match_created", "move_made"]


def test_a_guarded_move_whose_answer_was_lost_is_no_stale_one(client: Client, road: Road, match: Match) -> None:
    road.troubles = [lost]
    assert client.record(match["id"], "orange", TAKEN, if_match=1)["version"] == 2


def test_a_match_whose_answer_was_lost_is_there_once(client: Client, road: Road) -> None:
    road.troubles = [lost]
    match = begin(client)
    assert [found["id"] for found in client.matches()] == [match["id"]]


def test_a_post_that_has_to_wait_is_sent_again_with_its_key(client: Client, road: Road, match: Match) -> None:
    road.asked.clear()
    road.troubles = [BUSY, BUSY]
    assert client.abandon(match["id"])["status"] == "abandoned"
    assert len(set(road.sent("Idempotency-Key"))) == 1


def test_each_post_has_a_key_of_its_own(client: Client, road: Road, match: Match) -> None:
    client.record_all(match["id"], moves()[:2])
    client.undo(match["id"], 1)
    keys = road.sent("Idempotency-Key")
    assert None not in keys and len(set(keys)) == len(keys)


def test_a_change_is_sent_once(client: Client, road: Road, match: Match) -> None:
    road.troubles = [lost]
    with pytest.raises(Unreachable):
        client.change_match(match["id"], {"venue": "club"})
    assert client.match(match["id"])["venue"] == "club"


@pytest.mark.slow
def test_it_waits_as_long_as_it_is_asked_to(client: Client, road: Road) -> None:
    road.troubles = [answering("503 Service Unavailable", Retry_After="1")]
    began = time.monotonic()
    assert client.games()
    assert time.monotonic() - began >= 1


@pytest.mark.parametrize(("asked", "seconds"), [("3600", 3600), ("Fri, 14 Nov 2025 19:30:00 GMT", None), ("", None)])
def test_it_does_not_wait_for_ever(client: Client, road: Road, asked: str, seconds: float | None) -> None:
    road.troubles = [answering("503 Service Unavailable", Retry_After=asked)]
    with pytest.raises(Unavailable) as caught:
        client.games()
    assert caught.value.retry_after == seconds
    assert len(road.asked) == 1


def test_it_gives_up_in_the_end(client: Client, road: Road) -> None:
    road.troubles = [BUSY] * 5
    with pytest.raises(Unavailable):
        client.games()
    road.troubles = [lost] * 5
    with pytest.raises(Unreachable):
        client.games()
    assert len(road.asked) == 10


# Problems


def test_an_illegal_move(client: Client, match: Match) -> None:
    with pytest.raises(IllegalMove) as caught:
        client.record_all(match["id"], [TAKE, {**TAKE, "seat": "blue"}])
    illegal = caught.value
    assert (illegal.code, illegal.kind, illegal.rule) == ("not_in_supply", "physical", "4.2")
    assert (illegal.ply, illegal.seat, illegal.index) == (2, "blue", 1)
    assert (illegal.status, illegal.type) == (422, "/problems/illegal-move")
    assert str(illegal) == illegal.detail == "L4 is not in the supply."
    with pytest.raises(IllegalMove) as caught:
        client.record(match["id"], "blue", TAKEN)
    assert caught.value.index is None


def test_a_malformed_move(client: Client, match: Match) -> None:
    with pytest.raises(Malformed) as caught:
        client.record(match["id"], "orange", {"type": "take", "building": "Z9"})
    assert caught.value.type == "/problems/malformed-move"
    assert [error["pointer"] for error in caught.value.errors] == ["/move/building"]


def test_a_malformed_filter(client: Client) -> None:
    with pytest.raises(Malformed) as caught:
        list(client.matches(page=0))
    assert [error["pointer"] for error in caught.value.errors] == ["/limit"]


def test_what_is_not_there(client: Client) -> None:
    with pytest.raises(NotFound):
        client.match(UNKNOWN_ID)
    with pytest.raises(NotFound):
        list(client.replay(UNKNOWN_ID))


def test_a_conflict(client: Client) -> None:
    match = opened(client)
    with pytest.raises(Conflict) as caught:
        client.correct(match["id"], 2, "replace", {"type": "take", "building": "U6"})
    assert caught.value.type == "/problems/correction-conflict"
    assert caught.value.members["first_ply"] == 3


def test_a_stale_version(client: Client, match: Match) -> None:
    client.record(match["id"], "orange", TAKEN)
    with pytest.raises(StaleVersion) as caught:
        client.record(match["id"], "blue", {"type": "take", "building": "U6"}, if_match=1)
    assert caught.value.version == 2


def test_any_other_problem(client: Client, match: Match) -> None:
    with pytest.raises(ApiProblem) as caught:
        client.undo(match["id"], 0)
    assert type(caught.value) is ApiProblem
    assert (caught.value.type, caught.value.status) == ("/problems/no-change", 422)


def test_a_proxy_in_between(client: Client, road: Road) -> None:
    road.troubles = [answering("502 Bad Gateway", b"<h1>Sorry</h1>")]
    with pytest.raises(Unavailable) as caught:
        client.games()
    assert (caught.value.type, caught.value.title) == ("about:blank", "Bad Gateway")


def test_a_redirection_is_not_followed(client: Client, road: Road) -> None:
    road.troubles = [answering("302 Found", Location="/api/v1/games")]
    with pytest.raises(ApiProblem) as caught:
        client.games()
    assert caught.value.status == 302
    assert len(road.asked) == 1


@pytest.mark.parametrize("body", [b"<h1>Hello</h1>", b"[]", json.dumps("well").encode()])
def test_something_else_that_answers(client: Client, road: Road, body: bytes) -> None:
    road.troubles = [answering("200 OK", body)]
    with pytest.raises(Unreachable):
        client.games()


def test_a_stream_that_breaks_off(client: Client, road: Road) -> None:
    match = opened(client)
    road.troubles = [breaking_off]
    arrived: list[Event] = []
    with pytest.raises(Unreachable):
        arrived.extend(client.events(match["id"]))


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "FIRST_WAIT", 0)
    with Client("http://127.0.0.1:1") as client:
        with pytest.raises(Unreachable):
            client.games()
        with pytest.raises(Unreachable):
            client.is_ready()


def test_an_address_that_is_none() -> None:
    with Client("nowhere") as client, pytest.raises(Unreachable):
        client.games()


# Who asks


def test_the_token_goes_with_every_request(road: Road) -> None:
    with served(road) as url, Client(f"{url}/", token="secret") as client:  # noqa: S106 - a secret of this test
        begin(client)
        client.games()
    assert road.sent("Authorization") == ["Bearer secret"] * 2
