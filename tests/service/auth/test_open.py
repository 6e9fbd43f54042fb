"""Without sign-in everybody at this machine may do everything, and nobody from elsewhere anything."""

import logging
import re
import stat
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from flask import Flask

from service.app import create_app
from service.auth import accounts
from service.auth.welcome import announce
from service.config import ConfigError, read_config
from service.db.pool import Database
from service.matches import routes
from service.openapi.examples import OPERATIONS
from service.server.run import warn_of_public_matches
from tests.service.auth.conftest import application
from tests.service.auth.people import Person, first_owner, new_match
from tests.service.conftest import CONFIG
from tests.service.harness import UNKNOWN_ID, Service, ok, problem


@pytest.fixture
def app(database: Database) -> Iterator[Flask]:
    """The application without sign-in."""
    app = create_app(CONFIG, database)
    yield app
    app.extensions["carnet"].close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "carnet.example"])  # noqa: S104 - must be refused
def test_sign_in_is_switched_off_on_loopback_only(host: str) -> None:
    with pytest.raises(ConfigError, match=r"CARNET_OPEN=1 .* CARNET_HOST"):
        read_config({"CARNET_OPEN": "1", "CARNET_HOST": host})
    assert read_config({"CARNET_HOST": host}).is_open is False


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_sign_in_can_be_switched_off_on_loopback(host: str) -> None:
    assert read_config({"CARNET_OPEN": "1", "CARNET_HOST": host}).is_open is True


@pytest.mark.parametrize("said", ["yes", "true", "2", " 1"])
def test_the_switch_is_one_or_nought(said: str) -> None:
    with pytest.raises(ConfigError, match="CARNET_OPEN must be 0 or 1"):
        read_config({"CARNET_OPEN": said})


@pytest.mark.parametrize(
    "host", ["elsewhere.example", "localhost.elsewhere.example", "10.0.0.1:8000", "[::2]", "127.0.0.2"]
)
def test_a_name_from_elsewhere_that_points_here_opens_nothing(service: Service, host: str) -> None:
    for method, path in (("GET", "/matches"), ("GET", "/games"), ("POST", "/matches")):
        problem(service.send(method, path, headers={"Host": host}), 400, "bad-request")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST"])
def test_the_names_of_this_machine_are_answered(service: Service, host: str) -> None:
    assert service.get("/matches", {"Host": host}).status_code == 200


def test_a_page_of_elsewhere_writes_nothing_here_either(service: Service) -> None:
    match = ok(service.post("/matches", new_match(["Ana", "Jan"])), 201)
    for headers in ({"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        problem(service.post(f"/matches/{match['id']}/abandon", None, headers), 403, "cross-site")


def test_nobody_signs_in_where_sign_in_is_off(service: Service) -> None:
    assert ok(service.get("/me"))["sign_in"] is False
    problem(service.post("/sign-in", {"link": "carnet_x"}), 409, "sign-in-off")
    problem(service.get("/tokens"), 409, "sign-in-off")
    problem(service.post("/tokens", {"label": "x", "scopes": ["read"]}), 409, "sign-in-off")
    problem(service.post("/invitations", {"name": "Una"}), 409, "sign-in-off")
    assert service.client.get("/sign-in/carnet_x").status_code == 409


def test_a_token_does_no_harm_where_none_is_needed(app: Flask) -> None:
    assert ok(Person(app, "carnet_whatever").get("/matches"))["items"] == []


# What the first start says


class Terminal(StringIO):
    """Where somebody reads what is printed."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("host", "has_code"), [("192.0.2.7", True), ("127.0.0.1", False)])
def test_the_first_link_is_shown_in_a_terminal_with_a_code_where_a_phone_can_open_it(
    database: Database, tmp_path: Path, host: str, has_code: bool
) -> None:
    with database.transaction() as connection:
        secret = accounts.welcome(connection)
    terminal = Terminal()
    announce(secret, replace(CONFIG, host=host, data=tmp_path), terminal)
    shown = terminal.getvalue()
    assert re.findall(rf"http://{re.escape(host)}:8000/sign-in/(\S+)", shown) == [secret]
    assert (len([line for line in shown.splitlines() if "▄" in line or "█" in line]) > 10) is has_code
    assert list(tmp_path.iterdir()) == []


def test_the_first_link_is_kept_in_a_private_file_where_nobody_reads(database: Database, tmp_path: Path) -> None:
    with database.transaction() as connection:
        secret = accounts.welcome(connection)
    assert secret is not None
    output = StringIO()
    data = tmp_path / "data"
    config = replace(CONFIG, data=data)
    for _ in range(2):
        announce(secret, config, output)
    [file] = data.iterdir()
    assert secret not in output.getvalue()
    assert str(file) in output.getvalue()
    assert file.read_text("utf-8") == f"http://127.0.0.1:8000/sign-in/{secret}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    announce(None, config, output)
    assert list(data.iterdir()) == []


def test_every_route_answers_that_there_is_no_such_thing(app: Flask, service: Service) -> None:
    ids = {"match_id", "annotation_id", "player_id", "account_id", "edition_id"}
    given = {"game_id": "paris", "ply": 0, "number": 1}
    answers = {}
    for rule in app.url_map.iter_rules():
        if not rule.arguments & ids:
            continue
        built = rule.build({name: given.get(name, UNKNOWN_ID) for name in rule.arguments}, append_unknown=False)
        assert built is not None
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            examples = OPERATIONS.get(rule.endpoint.rpartition(".")[2], {}).get("requests", {})
            for name, example in (examples or {"": {"value": None}}).items():
                response = service.client.open(built[1], method=method, json=example["value"])
                answers[method, rule.rule, name] = response.status_code
    assert len(answers) > 60
    # Sign-in is off, so there are no links to sign in with.
    others = {route: status for route, status in answers.items() if "sign-in-links" not in route[1]}
    assert {route: status for route, status in others.items() if status != 404} == {}


# From no sign-in to sign-in


def test_a_match_is_for_members_unless_said_otherwise(dsn: str, service: Service) -> None:
    begun = ok(service.post("/matches", new_match(["Ana", "Jan"])), 201)
    assert begun["visibility"] == "club"
    assert ok(service.get("/matches"))["items"][0]["id"] == begun["id"]
    with application(dsn) as app:
        stranger, owner = Person(app), first_owner(app)
        assert ok(stranger.get("/matches"))["items"] == []
        problem(stranger.get(f"/matches/{begun['id']}"), 404, "not-found")
        assert ok(owner.get(f"/matches/{begun['id']}"))["visibility"] == "club"


def test_frames_of_a_match_that_is_not_public_are_kept_by_this_machine_alone(service: Service) -> None:
    begun = ok(service.post("/matches", new_match(["Ana", "Jan"])), 201)
    frame = service.get(f"/matches/{begun['id']}/replay/0?version=1&lang=en")
    assert frame.headers["Cache-Control"] == "private, max-age=31536000, immutable"


def test_the_start_warns_of_public_matches_that_belong_to_nobody(
    database: Database, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    ok(service.post("/matches", new_match(["Ana", "Jan"])), 201)
    with database.transaction() as connection:
        warn_of_public_matches(connection)
    assert caplog.messages == []
    ok(service.post("/matches", new_match(["Ana", "Jan"], visibility="public")), 201)
    with database.transaction() as connection:
        warn_of_public_matches(connection)
    [message] = caplog.messages
    assert message.startswith("1 matches that were recorded without sign-in are public")


def test_all_public_matches_become_those_of_the_club_at_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MAX_AT_ONCE", 2)
    for visibility in ("public", "public", "public", "private"):
        ok(service.post("/matches", new_match(["Ana", "Jan"], visibility=visibility)), 201)
    path = "/matches?visibility=public"
    assert ok(service.patch(path, {"visibility": "club"})) == {"changed": 2, "left": 1}
    assert ok(service.patch(path, {"visibility": "club"})) == {"changed": 1, "left": 0}
    assert ok(service.patch(path, {"visibility": "club"})) == {"changed": 0, "left": 0}
    listed = ok(service.get("/matches"))["items"]
    assert sorted(match["visibility"] for match in listed) == ["club", "club", "club", "private"]
    assert len(ok(service.get("/matches?visibility=private"))["items"]) == 1
    changed = next(match["id"] for match in listed if match["visibility"] == "club")
    assert [details["visibility"] for details in ok(service.get(f"/matches/{changed}/details"))["items"]] == [
        "public",
        "club",
    ]
    assert [pointer["pointer"] for pointer in problem(service.patch(path, {}), 422, "malformed")["errors"]] == [
        "/visibility"
    ]


def test_without_sign_in_all_matches_are_ones_own(service: Service) -> None:
    result = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    for visibility in ("private", "unlisted", "club", "public"):
        ok(service.post("/matches", new_match(["Ana", "Jan"], setup=result, visibility=visibility)), 201)
    [ana, jan] = [player["id"] for player in ok(service.get("/players"))["items"]]
    for path in ("players", f"players/{ana}", f"head-to-head?a={ana}&b={jan}", "games/cite-lumiere"):
        answer = ok(service.get(f"/stats/{path}{'&' if '?' in path else '?'}mine=1"))
        assert (answer["population"]["name"], answer["population"]["included"]) == ("mine", 4)
    for path in (f"players/{ana}/ratings", "games/cite-lumiere/features", "games/cite-lumiere/openings", "ratings"):
        ok(service.get(f"/stats/{path}?mine=1"))
