"""All requests: bodies, headers, methods, addresses, idempotency keys, lists and streams."""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import orjson
import psycopg
import pytest
from flask import Flask

from service.app import create_app
from service.db.pool import Database
from service.http.routing import routes_of
from tests.service.conftest import CONFIG, NewMatch
from tests.service.harness import (
    NDJSON,
    OPENING,
    SETUP,
    UNKNOWN_ID,
    Match,
    Service,
    bring_into_conflict,
    entries,
    entry,
    finished_match,
    lines,
    nothing_changes,
    ok,
    pointers,
    problem,
)

MEGABYTE = 2**20
PEOPLE = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
NEW_MATCH = {"game": "cite-lumiere", "edition": "devir-2019", "players": PEOPLE, "setup": SETUP}


# Bodies


@pytest.mark.unchanging
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nope",
        b"{'to_ply': 0}",
        b'{"to_ply": 0,}',
        b'{"to_ply": 0} {"to_ply": 0}',
        b'{"to_ply": NaN}',
        b'{"to_ply": Infinity}',
        b'{"to_ply": -Infinity}',
        b'{"to_ply": "\\ud800"}',
        b'{"to_ply": "\\udc00x"}',
        b'{"\\ud800": 0}',
        b'{"to_ply": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b'{"to_ply": "\n"}',
        b"[" * 4_000,
    ],
)
def test_what_is_not_json_is_a_bad_request(match: Match, body: bytes) -> None:
    with nothing_changes(match):
        problem(match.service.raw("POST", f"{match.path}/undo", body), 400, "bad-request")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (rb'{"name": "A\u0000"}', "/name"),
        (rb'{"name": ["x", {"y/z": "\u0000"}]}', "/name/1/y~1z"),
        (rb'{"name": "Ana", "\u0000": 1}', ""),
        (rb'"\u0000"', ""),
    ],
)
def test_nul_is_never_accepted(match: Match, body: bytes, pointer: str) -> None:
    player_id = match.document()["players"][0]["player_id"]
    response = match.service.raw("PATCH", f"/players/{player_id}", body)
    assert pointers(problem(response, 422, "malformed")) == [pointer]


@pytest.mark.unchanging
def test_a_body_is_nested_at_most_32_deep(match: Match) -> None:
    for opening, inner, closing in ((b"[", b"", b"]"), (b'{"a":', b"1", b"}")):
        path = f"{match.path}/undo"
        deep = problem(match.service.raw("POST", path, opening * 33 + inner + closing * 33), 422, "malformed")
        assert "32" in deep["detail"]
        fitting = problem(match.service.raw("POST", path, opening * 32 + inner + closing * 32), 422, "malformed")
        assert "32" not in fitting["detail"]


def test_a_body_of_more_than_a_megabyte_is_too_large(match: Match) -> None:
    path = f"{match.path}/moves"
    move = orjson.dumps(entry("orange take L4"))
    with nothing_changes(match):
        problem(match.service.raw("POST", path, move + b" " * (MEGABYTE + 1 - len(move))), 413, "too-large")
        check = match.service.raw("POST", f"{path}/check", move + b" " * MEGABYTE)
        problem(check, 413, "too-large")
    ok(match.service.raw("POST", path, move + b" " * (MEGABYTE - len(move))), 201)


@pytest.mark.unchanging
@pytest.mark.parametrize("path", ["/abandon", "/withdraw", "/reopen", "/nothing"])
def test_a_body_is_too_large_also_where_none_is_read(match: Match, path: str) -> None:
    with nothing_changes(match):
        problem(match.service.raw("POST", match.path + path, b" " * (MEGABYTE + 1)), 413, "too-large")


@pytest.mark.parametrize("path", ["/abandon", "/withdraw"])
def test_what_a_body_asks_for_where_none_is_read_is_refused(match: Match, path: str) -> None:
    with nothing_changes(match):
        for body in (b'{"dry_run": true}', b"[]", b"null", b"0"):
            problem(match.service.raw("POST", match.path + path, body), 422, "malformed")
        problem(match.service.raw("POST", match.path + path, b"{{"), 400, "bad-request")
        problem(match.service.raw("POST", match.path + path, b"x=1", "text/plain"), 415, "unsupported-media-type")
    ok(match.service.raw("POST", match.path + path, b"{}"))


@pytest.mark.unchanging
def test_a_body_of_a_get_means_nothing(match: Match) -> None:
    ok(match.service.raw("GET", match.path, b"{{"))


@pytest.mark.unchanging
@pytest.mark.parametrize("content_type", [None, "text/plain", "application/xml", "application/x-www-form-urlencoded"])
def test_a_body_of_another_media_type_is_not_read(match: Match, content_type: str | None) -> None:
    body = orjson.dumps(entry("orange take L4"))
    with nothing_changes(match):
        response = match.service.raw("POST", f"{match.path}/moves", body, content_type)
        problem(response, 415, "unsupported-media-type")


def test_a_charset_beside_the_media_type_does_no_harm(match: Match) -> None:
    body = orjson.dumps(entry("orange take L4"))
    ok(match.service.raw("POST", f"{match.path}/moves", body, "application/json; charset=utf-8"), 201)
    ok(match.service.raw("PATCH", match.path, b'{"venue": "club"}', "application/merge-patch+json"))


@pytest.mark.unchanging
@pytest.mark.parametrize("number", [2**53, 2**63, 2**64, 2**70, -(2**70), 10**400])
def test_numbers_of_any_size_are_refused_in_good_order(match: Match, number: int) -> None:
    with nothing_changes(match):
        for path, body in (
            ("/undo", {"to_ply": number}),
            ("/restore", {"version": number}),
            ("/corrections", {"ply": number, "action": "remove"}),
            ("/annotations", {"ply": number, "text": "Hm."}),
            ("/moves", {"seat": "orange", "move": {"type": "pave", "tile": "O1", "at": "a1", "rotation": number}}),
        ):
            response = match.service.raw("POST", match.path + path, json.dumps(body).encode())
            assert response.status_code in {400, 422}, path
            assert response.content_type == "application/problem+json"


# Addresses and methods


@pytest.mark.unchanging
@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nothing",
        "/api/v1/matches/nothing",
        "/api/v1/matches/019a93c8",
        "/api/v1/matches/zzzzzzzz-0000-7000-8000-000000000000",
        f"/api/v1/matches/{UNKNOWN_ID}/nothing",
        f"/api/v1/matches/{UNKNOWN_ID}/replay/-1",
        f"/api/v1/matches/{UNKNOWN_ID}/replay/one",
        f"/api/v1/matches/{UNKNOWN_ID}/replay/{10**30}",
        f"/api/v1/players/{UNKNOWN_ID}",
        f"/api/v1/players/{UNKNOWN_ID}/history",
        f"/api/v1/annotations/{UNKNOWN_ID}",
        f"/api/v1/annotations/{UNKNOWN_ID}/history",
        "/api/v1/games/chess",
        "/api/v1/games/%00",
        "/api/v1/games/cite-lumiere/editions/nothing",
        "/api/v1/games/cite-lumiere/editions/%00",
        f"/api/v1/games/cite-lumiere/editions/{UNKNOWN_ID}",
        "/api/v1/games/chess/editions/devir-2019",
        "/api/v2/matches",
        "/api/nothing.html",
    ],
)
def test_where_there_is_nothing_a_problem_says_so(service: Service, path: str) -> None:
    for accept in ("application/json", "text/html", "*/*"):
        problem(service.client.get(path, headers={"Accept": accept}), 404, "not-found")


@pytest.mark.unchanging
def test_an_id_has_one_spelling(match: Match) -> None:
    player_id = match.document()["players"][0]["player_id"]
    for path in (f"/matches/{match.id.upper()}", f"/players/{player_id.upper()}", f"/matches/{{{match.id}}}"):
        problem(match.service.get(path), 404, "not-found")
    with nothing_changes(match):
        problem(match.service.post(f"/matches/{match.id.upper()}/moves", entry("orange take L4")), 404, "not-found")


@pytest.mark.unchanging
def test_slashes_are_not_collapsed_into_another_address(service: Service) -> None:
    response = service.client.get("/api/v1//matches")
    assert response.content_type == "application/problem+json"
    assert response.status_code == 404


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/matches", {"GET", "HEAD", "OPTIONS", "PATCH", "POST"}),
        ("PUT", f"/matches/{UNKNOWN_ID}", {"GET", "HEAD", "OPTIONS", "PATCH"}),
        ("DELETE", f"/matches/{UNKNOWN_ID}/events", {"GET", "HEAD", "OPTIONS"}),
        ("GET", f"/matches/{UNKNOWN_ID}/moves", {"OPTIONS", "POST"}),
        ("POST", f"/matches/{UNKNOWN_ID}/players", {"OPTIONS", "PUT"}),
        ("GET", f"/matches/{UNKNOWN_ID}/withdraw", {"DELETE", "OPTIONS", "POST"}),
        ("POST", f"/annotations/{UNKNOWN_ID}", {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH"}),
        ("DELETE", f"/players/{UNKNOWN_ID}", {"GET", "HEAD", "OPTIONS", "PATCH"}),
        ("PUT", "/games", {"GET", "HEAD", "OPTIONS"}),
        ("PATCH", "/games/cite-lumiere/editions/devir-2019", {"GET", "HEAD", "OPTIONS"}),
        ("TRACE", "/matches", {"GET", "HEAD", "OPTIONS", "PATCH", "POST"}),
    ],
)
def test_a_method_that_an_address_does_not_know_is_told_which_it_knows(
    service: Service, method: str, path: str, allowed: set[str]
) -> None:
    response = service.send(method, path)
    problem(response, 405, "method-not-allowed")
    assert set(response.headers["Allow"].split(", ")) == allowed
    assert set(service.send("OPTIONS", path).headers["Allow"].split(", ")) == allowed


@pytest.mark.unchanging
def test_head_answers_like_get_without_the_body(match: Match) -> None:
    for path in ("", "/state", "/replay/0?version=1&lang=en"):
        got, headed = match.get(path), match.service.send("HEAD", match.path + path)
        assert (headed.status_code, headed.data) == (200, b"")
        for name in ("Content-Type", "ETag", "Cache-Control", "Content-Length"):
            assert headed.headers.get(name) == got.headers.get(name)


@pytest.mark.unchanging
def test_every_answer_bears_the_id_of_its_request(service: Service) -> None:
    headers = {"X-Request-ID": "abc-1"}
    assert service.get("/games", headers).headers["X-Request-ID"] == "abc-1"
    assert service.get("/nothing", headers).headers["X-Request-ID"] == "abc-1"
    made = {service.get("/games").headers["X-Request-ID"] for _ in range(2)}
    assert len(made) == 2
    for bad in ("x" * 101, "é", ""):
        assert service.get("/games", {"X-Request-ID": bad}).headers["X-Request-ID"] not in {bad, "abc-1"}


def test_a_process_that_is_about_to_stop_is_not_ready_and_answers_all_else(app: Flask) -> None:
    client = app.test_client()
    app.extensions["carnet"].is_draining.set()
    assert problem(client.get("/readyz"), 503, "stopping")
    ok(client.get("/healthz"))
    ok(client.get("/api/v1/matches"))


def test_the_process_and_the_database_have_health_of_their_own(service: Service, database: Database) -> None:
    assert service.client.get("/healthz").json == {"status": "ok"}
    assert ok(service.client.get("/readyz"))["status"] == "ready"
    database.close()
    assert service.client.get("/healthz").status_code == 200
    problem(service.client.get("/readyz"), 503, "database-away")


def test_a_database_that_was_not_migrated_is_not_ready(empty_dsn: str) -> None:
    database = Database(empty_dsn)
    database.open()
    problem(create_app(CONFIG, database).test_client().get("/readyz"), 503, "database-away")
    database.close()


def test_without_a_database_a_client_is_told_to_come_back(match: Match, database: Database) -> None:
    database.close()
    for response in (match.get(), match.post("/moves", entry("orange take L4")), match.service.get("/players")):
        problem(response, 503, "database-away")
        assert int(response.headers["Retry-After"]) > 0


# Queries


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("/matches?colour=red", "/colour"),
        ("/matches?limit=1&limit=2", "/limit"),
        ("/matches?game=cite-lumiere&game=cite-lumiere", "/game"),
        ("/players?who=Ana", "/who"),
        ("/players?name=Ana&name=Jan", "/name"),
        ("/matches/{id}/replay?depth=1", "/depth"),
        ("/matches/{id}/replay?from=0&from=1", "/from"),
        ("/matches/{id}/replay/0?fields=ply", "/fields"),
        ("/matches/{id}/state?version=1", "/version"),
        ("/matches/{id}?lang=en", "/lang"),
        ("/games?page=1", "/page"),
        ("/openapi.json?a%2Fb", "/a~1b"),
    ],
)
def test_a_query_holds_known_words_once(match: Match, path: str, pointer: str) -> None:
    refused = problem(match.service.get(path.format(id=match.id)), 422, "malformed")
    assert pointers(refused) == [pointer]


@pytest.mark.unchanging
def test_a_query_that_nobody_reads_keeps_a_write_from_being_done(match: Match) -> None:
    with nothing_changes(match):
        problem(match.post("/undo?dry_run=true", {"to_ply": 0}), 422, "malformed")
        problem(match.post("/abandon?dry_run=true"), 422, "malformed")
    problem(match.service.post("/matches?dry_run=true", NEW_MATCH), 422, "malformed")
    assert len(match.service.all_items("/matches")) == 1


@pytest.mark.unchanging
@pytest.mark.parametrize("query", ["?", "?&", "?&&"])
def test_a_query_without_a_word_asks_for_nothing(match: Match, query: str) -> None:
    ok(match.get(query))
    ok(match.service.get(f"/matches{query}"))


@pytest.mark.unchanging
def test_probes_may_say_what_they_like(service: Service) -> None:
    assert service.client.get("/healthz?probe=1").status_code == 200
    ok(service.client.get("/readyz?probe=1"))


@pytest.mark.unchanging
@pytest.mark.parametrize("path", ["/matches", "/players"])
@pytest.mark.parametrize("limit", ["0", "201", "-1", "1.0", "1e1", "ten", "", "+1", "%D9%A1", "9" * 40])
def test_a_page_has_1_to_200_items(service: Service, path: str, limit: str) -> None:
    assert pointers(problem(service.get(f"{path}?limit={limit}"), 422, "malformed")) == ["/limit"]


def _cursor(value: Any) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(value)).decode().rstrip("=")


@pytest.mark.unchanging
@pytest.mark.parametrize("path", ["/matches", "/players"])
@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "nonsense",
        "%C3%A9",
        "%00",
        _cursor({}),
        _cursor([]),
        _cursor(["a", "b", "c"]),
        _cursor([1, UNKNOWN_ID]),
        _cursor(["2026-11-14T19:30:00+00:00", "no id"]),
        _cursor(["2026-11-14T19:30:00+00:00", 1]),
        _cursor(["2026-11-14T19:30:00+00:00"]),
        "W" * 4000,
    ],
)
def test_a_cursor_comes_from_the_list_that_it_goes_to(service: Service, path: str, cursor: str) -> None:
    assert pointers(problem(service.get(f"{path}?cursor={cursor}"), 422, "malformed")) == ["/cursor"]


@pytest.mark.unchanging
def test_a_made_up_cursor_never_breaks_a_list(service: Service) -> None:
    for moment in ("\0", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-11-14T19:30:00"):
        for path in ("/matches", "/players"):
            assert service.get(f"{path}?cursor={_cursor([moment, UNKNOWN_ID])}").status_code in {200, 422}


@pytest.mark.unchanging
@pytest.mark.parametrize("name", ["game", "edition", "tag", "venue", "name", "lang", "sort", "status", "player", "tz"])
def test_nul_in_a_query_is_refused_in_good_order(match: Match, name: str) -> None:
    for path in ("/matches", "/players", f"{match.path}/state"):
        response = match.service.get(f"{path}?{name}=a%00b")
        assert pointers(problem(response, 422, "malformed")) == [f"/{name}"]


# Idempotency keys


def _annotation(match: Match) -> tuple[str, Any]:
    return f"{match.path}/annotations", {"ply": 2, "text": "Hm."}


def _merge(match: Match) -> tuple[str, Any]:
    others = [{"seat": "orange", "name": "Anna"}, {"seat": "blue", "name": "Zoë"}]
    other = ok(match.service.post("/matches", {**NEW_MATCH, "players": others}), 201)["players"][0]["player_id"]
    return f"/players/{match.document()['players'][0]['player_id']}/merge", {"into": other}


def _reopening(match: Match) -> tuple[str, Any]:
    ok(match.post("/abandon"))
    return f"{match.path}/reopen", None


def _edition(match: Match) -> tuple[str, Any]:
    body = {"title": "Ours", "based_on": "devir-2019", "changes": {"chimneys": 5}}
    return "/games/cite-lumiere/editions", body


def _anonymising(match: Match) -> tuple[str, Any]:
    return f"/players/{match.document()['players'][0]['player_id']}/anonymise", None


def _hiding(match: Match) -> tuple[str, Any]:
    return f"/annotations/{match.annotate(1, text='Hm.')['id']}/hide", None


def _bringing_back(match: Match) -> tuple[str, Any]:
    path = f"/annotations/{match.annotate(1, text='Hm.')['id']}"
    match.service.delete(path)
    return f"{path}/restore", None


def _hiding_all(match: Match) -> tuple[str, Any]:
    match.annotate(0, text="Not for all.")
    return f"{match.path}/annotations/hide", {"author": None}


def _one_move(match: Match) -> tuple[str, Any]:
    return f"{match.path}/moves", entry("orange pave O3 g1 0")


def _several_moves(match: Match) -> tuple[str, Any]:
    return f"{match.path}/moves", {"moves": entries(["orange pave O3 g1 0", "blue take V3"])}


def _undoing(match: Match) -> tuple[str, Any]:
    file = match.get("/export?format=text").data
    imported = match.service.raw("POST", "/matches/import", file, "text/plain")
    return f"/imports/{ok(imported)['id']}/undo", None


def _accepting(match: Match) -> tuple[str, Any]:
    bring_into_conflict(match.service.client.application, match.id)
    return f"{match.path}/rules-conflict/accept", None


POSTS: Mapping[str, Sequence[Callable[[Match], tuple[str, Any]]]] = {
    "accept_rules": [_accepting],
    "abandon": [lambda match: (f"{match.path}/abandon", None)],
    "correct": [lambda match: (f"{match.path}/corrections", {"ply": 6, "action": "remove"})],
    "create_annotation": [_annotation],
    "create_edition": [_edition],
    "create_match": [lambda _: ("/matches", NEW_MATCH)],
    "anonymise_player": [_anonymising],
    "hide_annotation": [_hiding],
    "hide_annotations": [_hiding_all],
    "merge_player": [_merge],
    "record_moves": [_one_move, _several_moves],
    "reopen": [_reopening],
    "restore_annotation": [_bringing_back],
    "restore": [lambda match: (f"{match.path}/restore", {"version": 3})],
    "undo_import": [_undoing],
    "undo": [lambda match: (f"{match.path}/undo", {"to_ply": 2})],
    "withdraw": [lambda match: (f"{match.path}/withdraw", None)],
}
"""Bodies with which each POST succeeds behind the opening."""
SECRET = frozenset({"create_invitation", "create_link", "create_sign_in_link", "create_token"})
"""The POSTs that answer with a secret: `access/test_shown_once.py` tries them with a key. So does
`exchange/test_importing.py` with `import_matches`, whose body is no JSON."""
each_post = pytest.mark.parametrize(
    "post", [pytest.param(way, id=name) for name, ways in POSTS.items() for way in ways]
)


def test_every_route_that_heeds_a_key_is_tried_with_one(app: Flask) -> None:
    idempotent = [route for _, route in routes_of(app) if route.idempotent]
    assert {route.name for route in idempotent} == POSTS.keys() | SECRET | {"import_matches"}
    assert {route.method for route in idempotent} == {"POST"}


@each_post
def test_a_key_gives_the_first_answer_again_whatever_came_between(
    match: Match, post: Callable[[Match], tuple[str, Any]]
) -> None:
    match.record(*OPENING)
    path, body = post(match)
    service, key = match.service, {"Idempotency-Key": "a key"}
    first = service.post(path, body, key)
    assert first.status_code in {200, 201}, first.text
    assert "Idempotent-Replayed" not in first.headers
    _do_something_else(match, first)
    matches, events = service.all_items("/matches"), match.events()
    again = service.post(path, body, {**key, "If-Match": '"99"'})
    assert (again.status_code, again.json) == (first.status_code, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    for name in ("ETag", "Location", "Content-Type"):
        assert again.headers.get(name) == first.headers.get(name)
    assert (service.all_items("/matches"), match.events()) == (matches, events)


@each_post
def test_a_key_is_for_one_request(match: Match, post: Callable[[Match], tuple[str, Any]]) -> None:
    match.record(*OPENING)
    path, body = post(match)
    service, key = match.service, {"Idempotency-Key": "a key"}
    assert service.post(path, body, key).status_code in {200, 201}
    other = b"{}" if body is None else orjson.dumps(body) + b" "
    matches, events = service.all_items("/matches"), match.events()
    problem(service.raw("POST", path, other, headers=key), 422, "key-reused")
    assert (service.all_items("/matches"), match.events()) == (matches, events)


@each_post
def test_a_key_is_1_to_255_printable_characters(match: Match, post: Callable[[Match], tuple[str, Any]]) -> None:
    match.record(*OPENING)
    path, body = post(match)
    for key in ("", "x" * 256, "clé", "a\tb"):
        with nothing_changes(match):
            problem(match.service.post(path, body, {"Idempotency-Key": key}), 400, "bad-request")


def _do_something_else(match: Match, made: Any) -> None:
    """Change the match, its people and what was made by the request."""
    for path in (match.path, made.headers.get("Location", "").removeprefix("/api/v1")):
        if path.startswith("/matches/"):
            other = Match(match.service, path.removeprefix("/matches/"))
            if other.document()["status"] == "abandoned":
                ok(other.post("/reopen"))
            turn = other.document()["to_move"]
            ok(other.post("/moves", {"seat": turn, "move": {"type": "take", "building": "X5"}}), 201)
            ok(other.service.patch(path, {"venue": "club"}))
        if path.startswith("/annotations/"):
            ok(match.service.patch(path, {"text": "No."}))


def test_the_answer_to_an_annotation_is_kept_after_its_deletion(match: Match) -> None:
    key = {"Idempotency-Key": "once"}
    first = match.post("/annotations", {"ply": 0, "text": "Hm."}, key)
    match.service.delete(f"/annotations/{ok(first, 201)['id']}")
    again = match.post("/annotations", {"ply": 0, "text": "Hm."}, key)
    assert ok(again, 201) == first.json
    assert ok(match.get("/annotations"))["items"] == []


def test_another_body_under_a_key_is_refused(match: Match) -> None:
    key = {"Idempotency-Key": "once"}
    ok(match.post("/moves", entry("orange take L4"), key), 201)
    with nothing_changes(match):
        problem(match.post("/moves", entry("blue take V3"), key), 422, "key-reused")


def test_a_request_is_known_again_by_its_body_whatever_its_query(match: Match) -> None:
    key, move = {"Idempotency-Key": "once"}, entry("orange take L4")
    first = ok(match.post("/moves?include=legal_moves&lang=pl", move, key), 201)
    for query in ("", "?lang=cs", "?include=legal_moves"):
        again = match.post(f"/moves{query}", move, key)
        assert again.headers["Idempotent-Replayed"] == "true", query
        position = ok(again, 201)
        assert position["version"] == first["version"]
        assert ("legal_moves" in position) is ("include" in query)
    assert match.document()["ply"] == 1


@pytest.mark.parametrize("first", ["", "include=legal_moves"])
@pytest.mark.parametrize("again", ["", "include=legal_moves"])
def test_a_key_kept_when_digests_counted_the_query_is_still_known(
    match: Match, dsn: str, first: str, again: str
) -> None:
    key, move = {"Idempotency-Key": "once"}, orjson.dumps(entry("orange take L4"))
    ok(match.service.raw("POST", f"{match.path}/moves", move, headers=key), 201)
    with psycopg.connect(dsn) as connection:
        digest = sha256(first.encode() + b"\n" + move).hexdigest()
        connection.execute("UPDATE idempotency_keys SET request_digest = %s", (digest,))
    response = match.service.raw("POST", f"{match.path}/moves?{again}", move, headers=key)
    assert ok(response, 201)["version"] == 2
    assert response.headers["Idempotent-Replayed"] == "true"


def test_a_key_holds_for_one_path(new_match: NewMatch) -> None:
    one, other, key = new_match(), new_match(), {"Idempotency-Key": "once"}
    for match in (one, other):
        response = match.post("/moves", entry("orange take L4"), key)
        assert ok(response, 201)["version"] == 2
        assert "Idempotent-Replayed" not in response.headers
    ok(one.post("/undo", {"to_ply": 0}, key), 201)


def test_only_successes_are_kept(match: Match) -> None:
    key = {"Idempotency-Key": "once"}
    problem(match.post("/moves", entry("blue take L4"), key), 422, "illegal-move")
    problem(match.post("/moves", entry("orange take L4"), {**key, "If-Match": '"7"'}), 412, "stale-version")
    response = match.post("/moves", entry("orange take L4"), key)
    assert ok(response, 201)["version"] == 2
    assert "Idempotent-Replayed" not in response.headers


def test_a_key_is_kept_for_30_days(match: Match, dsn: str) -> None:
    key = {"Idempotency-Key": "once"}
    ok(match.post("/moves", {**entry("orange pass"), "ruling": {"reason": "tired"}}, key), 201)
    for age, replayed in (("29 days", True), ("31 days", False)):
        with psycopg.connect(dsn) as connection:
            connection.execute("UPDATE idempotency_keys SET created_at = now() - %s::interval", (age,))
        body = {**entry("orange pass"), "ruling": {"reason": "tired"}}
        response = match.post("/moves", body, key)
        assert ("Idempotent-Replayed" in response.headers) is replayed
    assert match.document()["ply"] == 2


# Lists and streams


@pytest.fixture
def dated(new_match: NewMatch) -> list[str]:
    """Matches, the newest first, some of the same time."""
    days = [1, 2, 2, 2, 3, 3, 4]
    made = [(day, new_match(played_at=f"2026-10-0{day}T20:00:00Z").id) for day in days]
    return [match_id for _, match_id in sorted(made, reverse=True)]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 200])
def test_pages_walk_over_all_matches_newest_first(service: Service, dated: list[str], limit: int) -> None:
    assert [item["id"] for item in service.all_items(f"/matches?limit={limit}")] == dated
    page = ok(service.get(f"/matches?limit={limit}"))
    assert set(page) == {"items", "next"}
    assert len(page["items"]) == min(limit, 7)


def test_pages_neither_skip_nor_double_while_matches_are_added(
    service: Service, dated: list[str], new_match: NewMatch
) -> None:
    seen, cursor = [], ""
    for day in (9, 3, 2, 1):
        page = ok(service.get(f"/matches?limit=2{cursor}"))
        seen += [item["id"] for item in page["items"]]
        new_match(played_at=f"2026-10-0{day}T21:00:00Z")
        cursor = f"&cursor={page['next']}"
    assert len(seen) == len(set(seen))
    assert [match_id for match_id in seen if match_id in dated] == [m for m in dated if m in seen]
    assert set(dated) - set(seen) <= {dated[-1]}


def test_pages_of_players_go_by_name(service: Service, new_match: NewMatch) -> None:
    for number, names in enumerate([("Ö", "b"), ("A", "c"), ("z", "B b")]):
        people = [{"seat": seat, "name": name} for seat, name in zip(("orange", "blue"), names, strict=True)]
        new_match(players=people, tags=[str(number)])
    walked = [player["name"] for player in service.all_items("/players?limit=2")]
    assert walked == ["A", "b", "B b", "c", "z", "Ö"]


def test_a_link_leads_to_the_next_page_of_the_same_query(service: Service, dated: list[str]) -> None:
    response = service.get("/matches?limit=2&game=cite-lumiere&from=2026-10-02")
    link = response.headers["Link"]
    assert link.endswith('; rel="next"')
    followed = service.client.get(link[1 : link.index(">")])
    assert [item["id"] for item in ok(followed)["items"]] == dated[2:4]
    assert ok(response)["next"] in link
    link = followed.headers["Link"]
    assert [item["id"] for item in ok(service.client.get(link[1 : link.index(">")]))["items"]] == dated[4:6]
    last = service.get("/matches?limit=7")
    assert ok(last)["next"] is None
    assert "Link" not in last.headers


def test_a_list_streams_all_of_its_items_one_a_line(service: Service, dated: list[str]) -> None:
    streamed = lines(service.get("/matches?limit=2", NDJSON))
    assert streamed == ok(service.get("/matches"))["items"]
    assert [item["id"] for item in streamed] == dated
    assert lines(service.get("/players", NDJSON)) == ok(service.get("/players"))["items"]


def test_every_other_list_streams_too(match: Match) -> None:
    match.record(*OPENING)
    note = match.annotate(1, text="Hm.")
    match.annotate(2, text="Ha.")
    ok(match.service.patch(f"/annotations/{note['id']}", {"text": "Oh."}))
    ok(match.service.patch(match.path, {"venue": "club"}))
    player_id = match.document()["players"][0]["player_id"]
    for path in (
        "/games",
        f"/players/{player_id}/history",
        f"{match.path}/events",
        f"{match.path}/details",
        f"{match.path}/annotations",
        f"/annotations/{note['id']}/history",
    ):
        page = ok(match.service.get(path))
        assert set(page) == {"items", "next"}
        assert page["items"]
        assert lines(match.service.get(path, NDJSON)) == page["items"], path
        first = ok(match.service.get(f"{path}?limit=1"))
        assert first["items"] == page["items"][:1], path
        assert match.service.all_items(f"{path}?limit=1") == page["items"], path
        for cursor in ("", "-1", "LTE", "WyJhIiwiYiJd", "é", "OTk5OTk5OTk5OTk5"):
            problem(match.service.get(f"{path}?cursor={cursor}"), 422, "malformed")


def test_a_page_of_the_log_says_where_the_next_one_begins(match: Match) -> None:
    match.record(*OPENING)
    response = match.get("/events?limit=2")
    page = ok(response)
    assert [event["seq"] for event in page["items"]] == [1, 2]
    assert response.headers["Link"] == f'</api/v1{match.path}/events?limit=2&cursor={page["next"]}>; rel="next"'
    assert ok(match.get(f"/events?limit=2&cursor={page['next']}"))["items"] == match.events()[2:4]
    assert ok(match.get(f"/events?limit={len(match.events())}"))["next"] is None


@pytest.mark.unchanging
def test_an_empty_list_streams_nothing(service: Service) -> None:
    assert ok(service.get("/matches")) == {"items": [], "next": None}
    assert lines(service.get("/matches", NDJSON)) == []


@pytest.mark.unchanging
def test_a_stream_of_what_is_not_there_is_a_problem(service: Service) -> None:
    for path in ("events", "replay", "annotations"):
        problem(service.get(f"/matches/{UNKNOWN_ID}/{path}", NDJSON), 404, "not-found")


@pytest.mark.unchanging
def test_json_comes_unless_lines_are_preferred(match: Match) -> None:
    for accept in ("*/*", "application/json", "text/html", "application/json, application/x-ndjson;q=0.5"):
        ok(match.get("/events", {"Accept": accept}))
    assert lines(match.get("/events", {"Accept": "application/x-ndjson, application/json;q=0.5"}))


def test_no_connection_is_lost_to_streams_or_refusals(app: Flask, database: Database, match: Match) -> None:
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    for _ in range(30):
        lines(match.get("/events", NDJSON))
        response = app.test_client().get(f"/api/v1{match.path}/events", headers=NDJSON, buffered=False)
        response.close()
        problem(match.post("/moves", entry("orange pass")), 422, "illegal-move")
    ok(match.get("/verify"))
