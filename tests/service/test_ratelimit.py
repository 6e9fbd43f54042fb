"""Rate limits: a bucket for each account and each address, from which an answer takes what it cost."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.app import create_app
from service.context import Services
from service.db import notifications
from service.db.pool import Database
from service.http import middleware, ratelimit
from service.http.ratelimit import SECONDS_PER_REQUEST, TokenBuckets, network_of
from service.matches import routes
from service.matches.documents import match_members
from tests.service.auth.conftest import SIGN_IN
from tests.service.auth.people import Person, first_owner, invited
from tests.service.conftest import CONFIG
from tests.service.harness import NDJSON, ok, problem
from tests.service.tampering import as_service
from tests.service.workers import wait_until


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the application, so that a busy machine does not matter."""
    clock = Clock()
    monkeypatch.setattr(ratelimit, "TokenBuckets", partial(TokenBuckets, clock=clock))
    monkeypatch.setattr(middleware, "perf_counter", clock)
    return clock


def taken(rates: TokenBuckets, client: str, times: int) -> int:
    """The number of requests, of so many, that are let through."""
    return sum(rates.take(client) == 0 for _ in range(times))


def test_a_bucket_holds_the_requests_of_a_minute_and_fills_again() -> None:
    clock = Clock()
    rates = TokenBuckets(60, clock)
    assert taken(rates, "ana", 100) == 60
    clock.now += 10
    assert taken(rates, "ana", 100) == 10
    clock.now += 3600
    assert taken(rates, "ana", 100) == 60


def test_who_is_held_up_is_told_how_long_and_that_is_true() -> None:
    clock = Clock()
    rates = TokenBuckets(30, clock)
    assert taken(rates, "ana", 30) == 30
    seconds = rates.take("ana")
    assert seconds == pytest.approx(2)
    clock.now += seconds - 0.01
    assert rates.take("ana") > 0
    clock.now += 0.02
    assert rates.take("ana") == 0


def test_clients_have_separate_buckets() -> None:
    rates = TokenBuckets(3, Clock())
    assert taken(rates, "ana", 9) == 3
    assert taken(rates, "jan", 9) == 3


def test_an_expensive_answer_takes_as_much_as_it_cost_but_no_more_than_a_minute_long() -> None:
    clock = Clock()
    rates = TokenBuckets(60, clock)
    assert rates.take("ana") == 0
    rates.charge("ana", 29 * SECONDS_PER_REQUEST)
    assert taken(rates, "ana", 99) == 30
    rates.charge("ana", 1000.0)
    assert 60 <= rates.take("ana") <= 62
    clock.now += 62
    assert taken(rates, "ana", 99) == 2


def test_no_limit_is_none() -> None:
    assert taken(TokenBuckets(0, Clock()), "ana", 9999) == 9999


def test_clients_without_end_take_no_memory_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratelimit, "MAX_BUCKETS", 3)
    buckets = TokenBuckets(1, Clock())
    assert [taken(buckets, client, 2) for client in "abc"] == [1, 1, 1]
    assert taken(buckets, "c", 1) == 0
    assert taken(buckets, "d", 1) == 1
    assert taken(buckets, "c", 1) == 0
    assert len(buckets._buckets) == 3


def test_a_home_network_is_one_client() -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff:ffff:ffff:ffff")
    assert network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") != network_of("192.0.2.2")
    assert network_of(None) == network_of("")


def test_who_asks_too_often_is_told_so(database: Database, clock: Clock) -> None:
    client = create_app(replace(CONFIG, rate=2), database).test_client()
    assert [client.get("/healthz").status_code for _ in range(2)] == [200, 200]
    answer = client.get("/api/v1/matches")
    problem(answer, 429, "too-many-requests")
    assert 1 <= int(answer.headers["Retry-After"]) <= 30
    assert answer.headers["X-Frame-Options"] == "DENY"
    other = client.get("/healthz", environ_overrides={"REMOTE_ADDR": "192.0.2.7"})
    assert other.status_code == 200


def test_behind_a_proxy_the_client_is_whom_the_proxy_saw(database: Database, clock: Clock) -> None:
    client = create_app(replace(CONFIG, rate=1, proxies=1), database).test_client()

    def ask(header: str) -> int:
        return client.get("/healthz", headers={"X-Forwarded-For": header}).status_code

    assert [ask("192.0.2.1"), ask("192.0.2.1")] == [200, 429]
    assert ask("192.0.2.2") == 200
    assert ask("198.51.100.9, 192.0.2.1") == 429


def test_without_a_proxy_nobody_can_claim_to_be_another(database: Database, clock: Clock) -> None:
    client = create_app(replace(CONFIG, rate=1), database).test_client()
    statuses = [client.get("/healthz", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(3)]
    assert statuses == [200, 429, 429]


RATE = 20


@pytest.fixture
def limited(database: Database, clock: Clock) -> Iterator[Flask]:
    """The application with sign-in and a low limit."""
    app = create_app(replace(SIGN_IN, rate=RATE), database)
    yield app
    app.extensions["carnet"].close()


@pytest.fixture
def ana(database: Database, limited: Flask) -> Person:
    """A member who has asked nothing of the limited application yet, with a token of all rights."""
    app = create_app(SIGN_IN, database)
    token = invited(first_owner(app), "Ana").token("read", "record", "annotate", "manage")["secret"]
    app.extensions["carnet"].close()
    return Person(limited, token)


def answered(person: Person, path: str, times: int) -> int:
    """The number of requests, of so many, that are let through."""
    statuses = [person.get(path).status_code for _ in range(times)]
    assert set(statuses) <= {200, 429}
    return statuses.count(200)


def test_all_tokens_of_an_account_share_one_limit(ana: Person) -> None:
    people = [ana, *(ana.with_token() for _ in range(4))]
    assert sum(answered(person, "/me", RATE) for person in people) == RATE - 4


def test_strangers_share_the_limit_of_their_address_which_is_lower(ana: Person, limited: Flask) -> None:
    match_id = ok(ana.post("/matches", MATCH), 201)["id"]
    links = [ok(ana.post(f"/matches/{match_id}/links", {"allows": "record"}), 201)["secret"] for _ in range(3)]
    holders = [Person(limited, key=link) for link in links]
    let_through = sum(answered(holder, f"/matches/{match_id}", RATE) for holder in holders)
    assert let_through == RATE // 2
    assert answered(Person(limited), "/matches", 3) == 0
    assert answered(ana, "/matches", 3) == 3


def test_a_stranger_who_is_refused_costs_no_query(limited: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    answered(Person(limited), "/matches", RATE)
    monkeypatch.setattr(limited.extensions["carnet"].database, "statements", None)
    problem(Person(limited).get("/matches"), 429, "too-many-requests")


def slow(monkeypatch: pytest.MonkeyPatch, clock: Clock, requests: int) -> None:
    """Make each match of a list cost as much as so many requests."""

    def dawdle(*given: Any) -> Any:
        clock.now += requests * SECONDS_PER_REQUEST
        return match_members(*given)

    monkeypatch.setattr(routes, "match_members", dawdle)


MATCH = {
    "game": "cite-lumiere",
    "players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
    "setup": {"result_only": True, "points": {"orange": 48, "blue": 57}},
}


def test_an_expensive_answer_counts_as_many_requests(
    ana: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(ana.post("/matches", MATCH), 201)
    slow(monkeypatch, clock, 15)
    assert answered(ana, "/matches", 9) == 2
    refused = ana.get("/matches")
    problem(refused, 429, "too-many-requests")
    assert int(refused.headers["Retry-After"]) <= 60


def test_a_stream_counts_by_what_it_takes_to_make_and_not_to_read(
    ana: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(ana.post("/matches", MATCH), 201)
    ok(
        ana.post("/matches", MATCH | {"players": [{"seat": "orange", "name": "Eva"}, {"seat": "blue", "name": "Ida"}]}),
        201,
    )

    def stream() -> TestResponse:
        return ana.client.get("/api/v1/matches", headers={**ana.headers, **NDJSON}, buffered=False)

    for _ in stream().iter_encoded():
        clock.now += RATE * SECONDS_PER_REQUEST
    assert stream().status_code == 200
    slow(monkeypatch, clock, RATE)
    made = stream()
    assert made.status_code == 200
    assert ana.get("/me").status_code == 429, "the first line is counted before the second is asked for"
    made.close()


def test_an_account_has_no_more_live_tokens_than_fifty(ana: Person, database: Database) -> None:
    app = create_app(SIGN_IN, database)
    ana = Person(app, ana.headers["Authorization"].partition(" ")[2])
    made = [ana.token("read")["id"] for _ in range(49)]
    body = {"label": "one more", "scopes": ["read"]}
    problem(ana.post("/tokens", body), 409, "too-many-tokens")
    assert ana.delete(f"/tokens/{made[0]}").status_code == 204
    ok(ana.post("/tokens", body), 201)
    match_id = ok(ana.post("/matches", MATCH), 201)["id"]
    links = [ok(ana.post(f"/matches/{match_id}/links", {"allows": "read"}), 201)["id"] for _ in range(50)]
    problem(ana.post(f"/matches/{match_id}/links", {"allows": "record"}), 409, "too-many-links")
    assert ana.delete(f"/matches/{match_id}/links/{links[0]}").status_code == 204
    ok(ana.post(f"/matches/{match_id}/links", {"allows": "record"}), 201)
    app.extensions["carnet"].close()


def test_what_a_client_takes_in_one_process_is_missing_in_the_others(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "EXCHANGE_EVERY", 0.02)
    monkeypatch.setattr(notifications, "LISTEN_TIMEOUT", 0.02)
    told: list[float] = []
    spend = TokenBuckets.spend_elsewhere

    def spend_and_note(buckets: TokenBuckets, client: str, spent: float) -> None:
        spend(buckets, client, spent)
        told.append(spent)

    monkeypatch.setattr(TokenBuckets, "spend_elsewhere", spend_and_note)
    with ExitStack() as stack:
        first, second = (stack.enter_context(_process(dsn)) for _ in range(2))
        assert second.get("/healthz").status_code == 200
        while not told:  # until it listens
            assert first.get("/healthz").status_code == 200
            time.sleep(0.02)
        while first.get("/healthz").status_code == 200:
            pass
        wait_until(lambda: sum(told) > 30)
        assert [second.get("/healthz").status_code for _ in range(60)].count(200) < 30


@contextmanager
def _process(dsn: str) -> Iterator[FlaskClient]:
    """A client of a process of its own, which exchanges with others what clients spend."""
    database = Database(as_service(dsn))
    database.open()
    app = create_app(replace(CONFIG, rate=60), database)
    services: Services = app.extensions["carnet"]
    services.spending.start()
    try:
        yield app.test_client()
    finally:
        services.close()
        database.close()


def test_every_answer_tells_what_is_left(limited: Flask, clock: Clock) -> None:
    client = limited.test_client()
    first, second = (client.get("/api/v1/matches") for _ in range(2))
    [most] = [int(part[2:]) for part in first.headers["RateLimit-Policy"].split(";") if part.startswith("q=")]
    assert first.headers["RateLimit-Policy"] == f'"minute";q={most};w=60'
    assert first.headers["RateLimit"].startswith(f'"minute";r={most - 1};t=')
    assert second.headers["RateLimit"].startswith(f'"minute";r={most - 2};t=')
    while (answer := client.get("/api/v1/matches")).status_code == 200:
        pass
    assert answer.status_code == 429
    assert answer.headers["RateLimit"] == '"minute";r=0;t=60'
    clock.now += 60
    assert client.get("/api/v1/matches").headers["RateLimit"].startswith(f'"minute";r={most - 1};t=')
