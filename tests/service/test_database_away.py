"""Responses while the database is stopped, and as soon as it is back."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from service.server.postgres import Server
from tests.service.harness import OPENING, Match, entry, ok, problem
from tests.service.workers import wait_until

PATIENT = 30
"""Seconds within which a client is told: far more than it takes, and far less than a client would wait."""


@pytest.fixture
def stopped(server: Server, match: Match) -> Iterator[Server]:
    """A server that was stopped after a match was begun."""
    server.stop()
    yield server
    server.start()


def test_requests_are_refused_soon_and_answered_again_when_the_database_is_back(stopped: Server, match: Match) -> None:
    begun = time.monotonic()
    requests = [
        match.get,
        lambda: match.get("/stream"),
        lambda: match.get("/events", {"Accept": "application/x-ndjson"}),
        lambda: match.post("/moves", entry(OPENING[0])),
        lambda: match.post("/moves", entry(OPENING[0]), {"Idempotency-Key": "once"}),
        lambda: match.service.patch(match.path, {"venue": "club night"}),
        lambda: match.service.get("/matches"),
        lambda: match.service.client.get("/readyz"),
    ]
    with ThreadPoolExecutor(len(requests)) as pool:
        refused = list(pool.map(lambda request: request(), requests))
    for response in refused:
        require_away(response)
    assert match.service.client.get("/healthz").status_code == 200
    assert time.monotonic() - begun < PATIENT
    stopped.start()
    wait_until(lambda: match.get().status_code == 200)
    assert match.document()["version"] == 1
    answer = match.post("/moves", entry(OPENING[0]), {"Idempotency-Key": "once"})
    assert ok(answer, 201)["version"] == 2
    assert "Idempotent-Replayed" not in answer.headers


def require_away(response: TestResponse) -> None:
    """Assert that a client learns that the database is away, and when to come back."""
    problem(response, 503, "database-away")
    assert int(response.headers["Retry-After"]) > 0


def test_no_request_fails_after_the_database_was_started_again(server: Server, match: Match) -> None:
    with ThreadPoolExecutor(8) as pool:
        for response in pool.map(lambda _: match.get(), range(40)):
            ok(response)
        server.stop()
        server.start()
        for response in pool.map(lambda _: match.get(), range(40)):
            ok(response)
