"""The cost of one request is bounded: every route gets as much as a request line holds."""

from collections.abc import Iterator
from io import BytesIO
from time import thread_time
from typing import Any
from urllib.parse import urlencode

import orjson
import psycopg
import pytest
from marshmallow.fields import List
from werkzeug.routing import Rule

from service.exchange.bgstats import CREATE_PLAY
from service.http.errors import MAX_ERRORS
from service.http.parsing import MAX_VALUES
from service.http.request import SMALL_BODY
from service.http.routing import PATH_PARAMETER, routes_of
from service.server.run import MAX_REQUEST_LINE
from tests.service.harness import OPENING, UNKNOWN_ID, Match, Service, entry, ok, pointers, problem

SOON = 1.0
"""Seconds: far more than any of these answers takes, and far less than they took without a bound."""
ROOM = MAX_REQUEST_LINE - 200
FILLED = {"match_id": UNKNOWN_ID, "game_id": "cite-lumiere", "edition_id": "devir-2019", "number": 1, "ply": 1}
VALUES = {"player": UNKNOWN_ID, "player_count": "2", "tag": "league"}


def addresses(service: Service) -> Iterator[tuple[Rule, str]]:
    """Every address that is read, with an id that nobody has wherever it takes one."""
    with service.client.application.test_request_context() as context:
        adapter = context.url_adapter
        assert adapter is not None
        for rule in service.client.application.url_map.iter_rules():
            if "GET" in (rule.methods or set()) and not rule.rule.startswith("/static/"):
                values = {name: FILLED.get(name, UNKNOWN_ID) for name in rule.arguments}
                yield rule, adapter.build(rule.endpoint, values)


def lists(service: Service) -> dict[str, set[str]]:
    """The parameters that may be repeated, by the paths of routes."""
    return {
        PATH_PARAMETER.sub(r"{\2}", route.rule): {
            field.data_key or name for name, field in route.query().fields.items() if isinstance(field, List)
        }
        for _, route in routes_of(service.client.application)
        if route.method == "GET" and route.query is not None
    }


def repeated(name: str, times: int | None = None) -> str:
    """A query that names different values of a parameter, as many as there is room for unless told."""
    values = [VALUES[name][:-3] + f"{number:03x}" for number in range(ROOM)]
    if name == "player_count":  # of which there are three
        values = [str(2 + number % 3) for number in range(ROOM)]
    query = urlencode([(name, value) for value in values[: times or ROOM]])
    return query[:ROOM].rpartition("&")[0] if times is None else query


@pytest.mark.unchanging
@pytest.mark.parametrize("name", sorted(VALUES))
def test_no_route_takes_a_list_without_end(service: Service, match: Match, name: str) -> None:
    taking = {path for path, names in lists(service).items() if name in names}
    found = set()
    for rule, address in addresses(service):
        began = thread_time()
        answer = service.client.get(f"{address}?{repeated(name)}&a={match.id}&b={UNKNOWN_ID}")
        assert thread_time() - began < SOON, rule.rule
        assert answer.status_code < 500, rule.rule
        if rule.rule.startswith("/api/"):
            assert answer.status_code in {404, 422}, rule.rule
        path = rule.rule.replace("<uuid:", "{").replace("<", "{").replace(">", "}")
        if path in taking:
            assert f"/{name}" in pointers(problem(answer, 422, "malformed")), rule.rule
            found.add(path)
    assert found == taking
    assert len(taking) >= 8


@pytest.mark.unchanging
def test_every_list_in_a_query_is_one_that_these_tests_know(service: Service) -> None:
    assert set().union(*lists(service).values()) == set(VALUES)


@pytest.mark.unchanging
@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_filter_may_be_repeated_eight_times(service: Service, match: Match, name: str) -> None:
    player_id = match.document()["players"][0]["player_id"]
    for path in (path for path, names in lists(service).items() if name in names):
        address = path.replace("{player_id}", player_id).replace("{game_id}", "cite-lumiere")
        pair = [seat["player_id"] for seat in match.document()["players"]]
        both = f"&a={pair[0]}&b={pair[1]}" if "head-to-head" in path else ""
        began = thread_time()
        assert service.client.get(f"{address}?{repeated(name, 8)}{both}").status_code == 200
        assert thread_time() - began < SOON, path
        problem(service.client.get(f"{address}?{repeated(name, 9)}{both}"), 422, "malformed")


SMALL_ANSWER = 8192
UNKNOWN_MEMBERS: dict[str, Any] = {f"member {number}": [] for number in range(100_000)}
CHUNKED = {"Transfer-Encoding": "chunked"}
FORM = "application/x-www-form-urlencoded"


def require_small(service: Service, method: str, path: str, body: bytes, content_type: str) -> Any:
    """Assert that a body costs little, and answer with the problem that it meets."""
    began = thread_time()
    answer = service.client.open(path, method=method, data=body, content_type=content_type)
    assert thread_time() - began < SOON, path
    assert len(answer.data) < SMALL_ANSWER, path
    return answer


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("path", "body", "content_type"),
    [
        ("/api/v1/sign-in", orjson.dumps(UNKNOWN_MEMBERS), "application/json"),
        ("/api/v1/sign-in", orjson.dumps({"link": [[]] * 100_000}), "application/json"),
        ("/api/v1/sign-out", orjson.dumps(UNKNOWN_MEMBERS), "application/json"),
        ("/language", b"a&" * 500_000, FORM),
        ("/qr", b"text=" + b"a" * 1_000_000, FORM),
        (f"/sign-in/{'x' * 40}", b"name=" + b"a" * 1_000_000, FORM),
    ],
)
def test_a_form_that_needs_little_takes_little(service: Service, path: str, body: bytes, content_type: str) -> None:
    document = problem(require_small(service, "POST", path, body, content_type), 413, "too-large")
    assert "4,096" in document["detail"]
    streamed = service.client.post(
        path,
        input_stream=BytesIO(body),
        content_type=content_type,
        headers=CHUNKED,
        environ_overrides={"wsgi.input_terminated": True},
    )
    problem(streamed, 413, "too-large")


@pytest.mark.unchanging
def test_no_more_errors_are_listed_than_somebody_reads(service: Service, match: Match) -> None:
    entries = [{**entry(OPENING[0]), **{f"member {number}": 1 for number in range(30)}} for _ in range(200)]
    body = orjson.dumps({"moves": entries})
    answer = require_small(service, "POST", f"/api/v1{match.path}/moves", body, "application/json")
    document = problem(answer, 422, "malformed-move")
    assert len(document["errors"]) == MAX_ERRORS
    assert document["more_errors"] == 200 * 30 - MAX_ERRORS
    judged = require_small(service, "POST", f"/api/v1{match.path}/moves/check", body, "application/json")
    assert ok(judged)["problem"] == document
    assert "more_errors" not in problem(match.post("/moves", {"a": 1, "b": 2}), 422, "malformed-move")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    "body",
    [
        {"moves": [{f"no {number}": 1 for number in range(400)}] * 200},
        {"moves": [[]] * 300_000},
        {"moves": [{"seat": "orange", "move": [0] * 500_000}]},
        {"a" * 900_000: 1},
        b"[" * 1_000_000,
        b'{"moves": "' + b'\\"' * 500_000,
    ],
)
def test_a_body_with_values_without_end_is_refused_soon(service: Service, match: Match, body: Any) -> None:
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    assert len(raw) <= 2**20
    for path in ("moves", "annotations", "corrections"):
        answer = require_small(service, "POST", f"/api/v1{match.path}/{path}", raw, "application/json")
        assert answer.status_code in {400, 422}


@pytest.mark.unchanging
def test_a_batch_of_two_hundred_moves_has_room(match: Match) -> None:
    spent = [{"tile": 10, "as": "wood"}] * 4
    move = {
        "type": "move_key",
        "from": "arc",
        "to": "landmark-15",
        "landmark": {"tile": 15, "district": "belleville"},
        "spend": spent,
        "prestige": {"bronze": 1, "silver": 1, "gilt": 2},
        "using": 9,
    }
    body = {"moves": [{"seat": "orange", "move": move, "ruling": {"reason": ",[{" * 1000}}] * 200}
    document = problem(match.post("/moves", body), 422, "malformed-move")
    assert f"more than {MAX_VALUES}" not in document["detail"]


@pytest.mark.unchanging
def test_a_code_is_drawn_of_what_a_phone_can_scan(service: Service) -> None:
    for text, status in (
        ("a" * 500, 200),
        ("a" * 501, 400),
        ("\N{GRINNING FACE}" * 125, 200),
        ("\N{GRINNING FACE}" * 126, 400),
        (CREATE_PLAY.ljust(2000, "a"), 200),
        (CREATE_PLAY.ljust(2001, "a"), 400),
    ):
        began = thread_time()
        answer = service.client.post("/qr", data={"text": text})
        assert thread_time() - began < SOON
        assert answer.status_code == status
        assert len(answer.data) < 5 * SMALL_ANSWER


def test_small_forms_have_room_for_the_longest_names(service: Service, match: Match) -> None:
    player = match.document()["players"][0]["player_id"]
    name = "".join(f"\\ud83d\\ude{number:02x}" for number in range(80))
    body = f'{{"name": "{name}"}}'.encode()
    assert len(body) < SMALL_BODY
    assert ok(service.raw("PATCH", f"/players/{player}", body))["name"] != "Ana"


def test_a_page_of_a_history_costs_the_same_however_long_it_is(match: Match, dsn: str) -> None:
    note = match.annotate(0, text="Hm.")
    with psycopg.connect(dsn) as connection:
        connection.execute(
            """
            INSERT INTO match_details (match_id, revision, played_at, venue, tags, withdrawn, visibility,
                rulings_in_statistics, actor, changed_at)
            SELECT match_id, number, played_at, venue, tags, withdrawn, visibility, rulings_in_statistics, actor,
                changed_at
            FROM match_details, generate_series(1, 50000) AS number
            """
        )
        connection.execute(
            """
            INSERT INTO annotation_changes
                (match_id, annotation_id, revision, content, deleted, hidden, actor, changed_at)
            SELECT match_id, annotation_id, number, content, deleted, hidden, actor, changed_at
            FROM annotation_changes, generate_series(1, 50000) AS number
            """
        )
    for path in (f"{match.path}/details?limit=1", f"/annotations/{note['id']}/history?limit=1"):
        began = thread_time()
        assert len(ok(match.service.get(path))["items"]) == 1
        assert thread_time() - began < SOON / 5, path
