"""The service without the overrides of `fast.py` (`CARNET_PLAIN=1`) answers the same."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from typing import Any, TypeAlias

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.db.pool import Database
from service.http import fast
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.harness import API, NDJSON, OPENING, SETUP, UNKNOWN_ID, Match, Service, entry, ok, problem
from tests.service.tampering import as_service

Both: TypeAlias = tuple[Service, Service]


@contextmanager
def served(dsn: str, *, is_plain: bool) -> Iterator[Service]:
    database = Database(as_service(dsn), is_plain=is_plain)
    database.open()
    app = application_on(database, replace(CONFIG, is_plain=is_plain))
    yield Service(app)
    app.extensions["carnet"].close()
    database.close()


@pytest.fixture(scope="module")
def both(module_dsn: str) -> Iterator[Both]:
    """The service with the overrides and without them, on one database."""
    with served(module_dsn, is_plain=False) as fast_service, served(module_dsn, is_plain=True) as plain_service:
        yield fast_service, plain_service


@pytest.fixture(scope="module")
def match(both: Both) -> Match:
    """A match of six moves."""
    match = new_match(both[0])
    match.record(*OPENING)
    return match


def new_match(service: Service) -> Match:
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    made = ok(service.post("/matches", {"game": "cite-lumiere", "players": players, "setup": SETUP}), 201)
    return Match(service, made["id"])


def seen(response: TestResponse) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers and body, without the id of the request."""
    headers = {name: value for name, value in response.headers.items() if name != "X-Request-ID"}
    with response:
        return response.status_code, headers, response.data


def test_the_plain_service_is_flask_without_overrides(both: Both) -> None:
    fast_app, plain_app = (service.client.application for service in both)
    assert isinstance(fast_app, fast.Application)
    assert type(plain_app) is Flask
    assert not issubclass(plain_app.request_class, fast.Request)


def test_no_blueprint_has_hooks_of_its_own(both: Both) -> None:
    """`fast.py` calls those of the application alone."""
    app = both[0].client.application
    hooks = (app.before_request_funcs, app.after_request_funcs, app.teardown_request_funcs, app.url_value_preprocessors)
    assert {name for registered in hooks for name, functions in registered.items() if functions} <= {None}
    assert not app.teardown_request_funcs.get(None)
    assert not app.url_value_preprocessors.get(None)


BODY = {"content_type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("GET", "{match}/replay?fields=seat,move", {}, 200),
        ("GET", "{match}/replay/3?version=7&lang=cs", {}, 200),
        ("GET", "{match}/replay/3", {"headers": {"If-None-Match": "*"}}, 200),
        ("HEAD", "{match}/replay/3?version=7", {}, 200),
        ("GET", "{match}/events", {"headers": NDJSON}, 200),
        ("DELETE", "{match}/moves", {}, 405),
        ("OPTIONS", "{match}/moves", {}, 200),
        ("GET", "{api}/matches?limit=1", {}, 200),
        ("GET", "{api}/matches?limit=many&nonsense=1", {}, 422),
        ("GET", "{api}/matches/", {}, 200),
        ("GET", "{api}//matches", {}, 404),
        ("GET", f"{{api}}/matches/{UNKNOWN_ID}", {}, 404),
        ("GET", f"{{api}}/matches/{UNKNOWN_ID.upper()}", {}, 404),
        ("GET", "{api}/matches/%F0%9F%8E%B2", {}, 404),
        ("GET", "{api}/nowhere", {}, 404),
        ("POST", "{match}/moves", {"data": b"{", **BODY}, 400),
        ("POST", "{match}/moves", {"data": b"seat=blue", "content_type": "text/plain"}, 415),
        ("POST", "{match}/moves", {"data": b" " * (2**20 + 1), **BODY}, 413),
        ("POST", "{match}/undo", {"json": {"to_ply": 99}}, 422),
        ("GET", "{api}/games", {"headers": {"Host": "a/b"}}, 400),
        ("GET", "{api}/games", {"headers": {"Host": "other.example.org"}}, 400),
        ("GET", "/", {}, 200),
        ("GET", "/matches/new?lang=pt", {}, 200),
        ("GET", "/nowhere", {"headers": {"Accept": "text/html"}}, 404),
    ],
)
def test_it_answers_the_same(
    both: Both, match: Match, method: str, path: str, options: dict[str, Any], status: int
) -> None:
    address = path.format(api=API, match=API + match.path)
    as_fast, as_plain = (seen(service.client.open(address, method=method, **options)) for service in both)
    assert as_plain == as_fast
    assert as_plain[0] == status


def test_it_records_the_same(both: Both) -> None:
    match = new_match(both[0])
    written = []
    for service in both:
        own = Match(service, match.id)
        recorded = own.post("/moves", entry(OPENING[0]), {"If-Match": "*"})
        chunked = service.client.post(
            f"{API}{own.path}/undo",
            input_stream=BytesIO(b'{"to_ply": 0}'),
            environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
            **BODY,
        )
        state = ok(recorded, 201)["state"]
        written.append((state, [*recorded.headers.keys()], chunked.status_code))
        assert own.document()["version"] == 1 + 2 * len(written)
    assert written[0] == written[1]
    assert written[1][-1] == 201


def test_a_chunked_body_that_is_too_large_is_refused_both_ways(both: Both) -> None:
    for service in both:
        refused = service.client.post(
            f"{API}/matches",
            input_stream=BytesIO(b" " * (2**20 + 1)),
            environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
            **BODY,
        )
        problem(refused, 413, "too-large")
