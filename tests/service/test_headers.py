"""Security headers of every response."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask, Response
from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response as AnyResponse

from service.app import create_app
from service.db.pool import Database
from service.http.headers import headers_for
from service.permissions import Right
from service.web.pages import Pages
from service.web.static import files, static
from tests.service.conftest import CONFIG
from tests.service.harness import OPENING, UNKNOWN_ID, Match, Service, ok, problem

BEHIND_TLS = replace(CONFIG, proxies=1)


def policy(headers: Headers) -> dict[str, list[str]]:
    """The one Content-Security-Policy by its directives."""
    [said] = headers.getlist("Content-Security-Policy")
    return {words[0]: words[1:] for words in (directive.split() for directive in said.split(";"))}


def check(headers: Headers, *, framed: bool = False) -> None:
    """Fail unless the headers of an answer protect it as well as they can; some is meant for the pages of others."""
    directives = policy(headers)
    assert directives["default-src"] == ["'none'"]
    assert directives["base-uri"] == ["'none'"]
    assert directives.get("frame-ancestors") == (None if framed else ["'none'"])
    assert set(directives["form-action"]) <= {"'none'", "'self'"}
    assert {source for sources in directives.values() for source in sources} <= {"'none'", "'self'"}
    assert headers.get("X-Frame-Options") == (None if framed else "DENY")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == ("cross-origin" if framed else "same-origin")
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(headers["Permissions-Policy"].split(", "))
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["X-Request-ID"]


def is_subresource(answer: AnyResponse) -> bool:
    """Tell if a response is a script or a style of a page, which has only the headers that browsers obey in it."""
    if answer.mimetype not in {"text/css", "text/javascript"} or "immutable" not in answer.headers["Cache-Control"]:
        return False
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    return True


def readable_addresses(app: Flask, match: Match) -> dict[str, str]:
    """An address for every endpoint that can be read, with something behind it wherever that is possible."""
    match.record(*OPENING)
    note = match.annotate(1, text="Hm.")["id"]
    players = [player["player_id"] for player in match.document()["players"]]
    sent = match.service.raw("POST", "/matches/import", match.get("/export").data, "application/octet-stream")
    known = {
        "match_id": match.id,
        "annotation_id": note,
        "account_id": UNKNOWN_ID,
        "player_id": players[0],
        "other_id": players[1],
        "game_id": "cite-lumiere",
        "lang": "en",
        "edition_id": "devir-2019",
        "import_id": ok(sent)["id"],
        "number": "1",
        "slug": "malformed",
        "ply": "2",
        "secret": "carnet_unknown",
        "digest": files().digest,
        "name": "css/base.css",
    }
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or set())]
    return {rule.endpoint: re.sub(r"<(?:\w+:)?(\w+)>", lambda found: known[found[1]], rule.rule) for rule in rules}


def test_every_answer_is_protected(app: Flask, match: Match) -> None:
    paths = [*readable_addresses(app, match).values()]
    for address in [*paths, "/", "/nothing", "/api/v1/nothing", "/embed", static("icon.svg")]:
        with app.test_client().get(address) as answer:
            if not is_subresource(answer):
                check(answer.headers, framed=address.startswith("/embed/"))
    assert len(paths) > 25


def test_refusals_and_failures_are_protected_too(database: Database) -> None:
    app = create_app(CONFIG, database)
    service = Service(app)
    failing = Pages("failing", __name__)

    @failing.page("/fail", "GET", Right.FREE)
    def fail() -> Response:
        raise RuntimeError

    app.register_blueprint(failing)
    for answer, status in (
        (service.post("/matches", {}), 422),
        (service.raw("POST", "/matches", b" " * (2**20 + 1)), 413),
        (service.delete("/matches"), 405),
        (service.get(f"/matches/{UNKNOWN_ID}"), 404),
        (app.test_client().get("/fail"), 500),
    ):
        assert answer.status_code == status
        check(answer.headers)


def test_an_answer_may_be_stricter_than_others(service: Service) -> None:
    directives = policy(service.get("/docs").headers)
    assert directives == {
        "default-src": ["'none'"],
        "style-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
    }


def test_pages_may_use_files_of_ours_and_nothing_else_may(app: Flask) -> None:
    page = policy(Headers(dict(headers_for("/page", "text/html; charset=utf-8"))))
    assert page["script-src"] == page["style-src"] == ["'self'"]
    assert "script-src" not in policy(app.test_client().get("/healthz").headers)


def test_only_what_is_meant_for_it_may_be_framed() -> None:
    for path, framed in (("/embed/match", True), ("/embedded", False), ("/", False), ("/api/v1/embed/x", False)):
        headers = Headers(dict(headers_for(path, "text/html")))
        assert ("frame-ancestors" not in policy(headers)) is framed
        assert ("X-Frame-Options" not in headers) is framed
        assert policy(headers)["default-src"] == ["'none'"]


def test_browsers_that_came_by_tls_are_told_to_come_by_tls(database: Database) -> None:
    behind = create_app(BEHIND_TLS, database).test_client()
    answer = behind.get("/healthz", headers={"X-Forwarded-Proto": "https"})
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    for headers in ({}, {"X-Forwarded-Proto": "http"}):
        assert "Strict-Transport-Security" not in behind.get("/healthz", headers=headers).headers


def test_what_a_proxy_says_counts_only_where_there_is_one(app: Flask) -> None:
    answer = app.test_client().get("/healthz", headers={"X-Forwarded-Proto": "https"})
    assert "Strict-Transport-Security" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost:x", "[::1", "", "a/b@localhost"])
def test_a_local_service_answers_to_no_strange_name(app: Flask, host: str) -> None:
    answer = app.test_client().get("/api/v1/games", headers={"Host": host})
    problem(answer, 400, "bad-request")
    check(answer.headers)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "carnet.example.org", "LOCALHOST"])
def test_a_local_service_answers_to_its_own_names(database: Database, host: str) -> None:
    app = create_app(replace(CONFIG, url="https://carnet.example.org"), database)
    ok(app.test_client().get("/api/v1/games", headers={"Host": host}))


def test_a_service_for_others_answers_to_whatever_they_call_it(database: Database) -> None:
    app = create_app(replace(CONFIG, host="0.0.0.0"), database)  # noqa: S104 - nothing listens
    ok(app.test_client().get("/api/v1/games", headers={"Host": "raspberry.local"}))


STRANGE = ("//evil.example", "/%2F/evil.example", "/\\evil.example", "/.//evil.example", "/https://evil.example")


def test_nothing_leads_elsewhere(app: Flask, match: Match) -> None:
    addresses = readable_addresses(app, match)
    paths = [*addresses.values()]
    earlier = {address for endpoint, address in addresses.items() if endpoint.startswith("match.lead_from_")}
    led = set()
    variants = [*STRANGE, *(f"{address}/" for address in paths), *(f"/{address}" for address in paths)]
    variants += [f"{address}{strange}" for address in paths for strange in STRANGE]
    for address in variants:
        with app.test_client().get("/", environ_overrides={"PATH_INFO": address}) as answer:
            if answer.status_code == 301:
                led.add(address)
                assert re.fullmatch(rf"{match.path}(/2)?(\?(tool|view)=[a-z]+)?", answer.headers["Location"]), address
            else:
                assert not 300 <= answer.status_code < 400, address
                assert "Location" not in answer.headers
            if not is_subresource(answer):
                check(answer.headers, framed=address.lstrip("/").startswith("embed/"))
    assert led == {f"{address}/" for address in earlier} | {f"/{address}" for address in earlier}


def test_addresses_in_answers_name_no_host(app: Flask, service: Service, match: Match) -> None:
    made = match.post("/annotations", {"ply": 0, "text": "Hm."}, {"Host": "localhost:81"})
    assert made.headers["Location"].startswith("/api/v1/")
    service.post("/games/cite-lumiere/editions", {"title": "Ours", "based_on": "devir-2019", "changes": {}})
    assert "localhost" not in app.test_client().get("/api/v1/players?limit=1").headers["Link"]


def test_who_runs_the_service_can_say_whom_to_tell_of_a_weakness(database: Database) -> None:
    address = "/.well-known/security.txt"
    problem(create_app(replace(CONFIG, contact=None), database).test_client().get(address), 404, "not-found")
    config = replace(CONFIG, url="https://carnet.example.org")
    answer = create_app(config, database).test_client().get(address)
    assert answer.content_type == "text/plain; charset=utf-8"
    lines = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert lines["Contact"] == "mailto:admin@example.org"
    assert lines["Canonical"] == "https://carnet.example.org/.well-known/security.txt"
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", lines["Expires"])


def test_no_page_has_scripts_or_styles_in_it() -> None:
    for template in (Path(__file__).parents[2] / "service").rglob("*.html"):
        if template.name == "replay_file.html":
            continue  # no page but a file, which has all within and a policy that names it by digests
        inline = r"<script(?![^>]*(?:src=|application/json))|<style|\sstyle=|\son\w+="
        assert not re.search(inline, template.read_text("utf-8")), template
