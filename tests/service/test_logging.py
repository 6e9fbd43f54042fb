"""Logging: a line for each request, in a form that programs read, and nothing secret."""

import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from flask import Response
from werkzeug.test import TestResponse

from service.app import create_app
from service.db.pool import Database
from service.identity import new_id
from service.permissions import Right
from service.server.logging import PlainLines, configure_logging
from service.web.pages import Pages
from tests.service.conftest import CONFIG
from tests.service.following import PATIENCE, Reader, running, send
from tests.service.harness import OPENING, Match, Service, entry, ok, problem
from tests.service.test_worker import GARBLED, HASTY, said

SECRET = "hush-7f3a"  # noqa: S105 - that is what it plays
FIELDS = {"time", "level", "logger", "message", "request_id", "method", "route", "status", "duration_ms"}


class Said(io.StringIO):
    """The logged lines, one document a line."""

    def documents(self) -> list[Any]:
        return [json.loads(line) for line in self.getvalue().splitlines()]

    def of(self, request_id: str) -> list[Any]:
        return [document for document in self.documents() if document.get("request_id") == request_id]


@pytest.fixture
def lines() -> Iterator[Said]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    lines = Said()
    configure_logging("json", lines)
    yield lines
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("carnet").setLevel(logging.NOTSET)


def sent(answer: TestResponse) -> TestResponse:
    """An answer that has been sent to its end."""
    answer.close()
    return answer


def test_every_request_has_a_line(lines: Said, service: Service, match: Match) -> None:
    answer = sent(service.get(match.path, {"X-Request-ID": "mine"}))
    assert answer.headers["X-Request-ID"] == "mine"
    [line] = lines.of("mine")
    assert set(line) == FIELDS
    assert (line["method"], line["route"], line["status"]) == ("GET", "/api/v1/matches/<uuid:match_id>", 200)
    assert line["level"] == "info"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line["time"])
    assert 0 < line["duration_ms"] < 60_000


def test_a_refused_request_has_one_too(lines: Said, service: Service) -> None:
    problem(sent(service.get("/nothing", {"X-Request-ID": "lost"})), 404, "not-found")
    [line] = lines.of("lost")
    assert (line["route"], line["status"], line["level"]) == (None, 404, "info")


@pytest.mark.parametrize("asked", ["", "x" * 101, "caf\u00e9", "a\tb"])
def test_an_id_that_could_garble_the_log_is_replaced(lines: Said, service: Service, asked: str) -> None:
    named = sent(service.get("/games", {"X-Request-ID": asked})).headers["X-Request-ID"]
    assert named != asked
    assert len(lines.of(named)) == 1


def test_what_fails_is_told_with_the_id_of_the_request(lines: Said, database: Database) -> None:
    app = create_app(CONFIG, database)
    failing = Pages("failing", __name__)

    @failing.page("/fail/<what>", "GET", Right.FREE)
    def fail(what: str) -> Response:
        raise RuntimeError("oh")

    app.register_blueprint(failing)
    answer = sent(app.test_client().get(f"/fail/{SECRET}?key={SECRET}"))
    [failed, answered] = lines.of(answer.headers["X-Request-ID"])
    assert failed["level"] == "error" and "RuntimeError: oh" in failed["exception"]
    assert (answered["level"], answered["status"], answered["route"]) == ("warning", 500, "/fail/<what>")
    assert SECRET not in lines.getvalue()


def test_the_line_of_a_streamed_answer_comes_at_its_end(lines: Said, match: Match) -> None:
    answer = match.service.client.get(
        f"/api/v1{match.path}/events",
        headers={"X-Request-ID": "long", "Accept": "application/x-ndjson"},
        buffered=False,
    )
    assert lines.of("long") == []
    answer.close()
    assert len(lines.of("long")) == 1


def test_a_reader_gets_plain_words() -> None:
    formatter = PlainLines()
    record = logging.LogRecord("carnet.requests", logging.INFO, "", 0, "answered", None, None)
    facts = {"method": "GET", "route": "/healthz", "status": 200, "duration_ms": 0.4, "request_id": "x"}
    record.facts = facts
    assert formatter.format(record).endswith(" GET /healthz 200 0.4 ms")
    record.facts = {**facts, "route": None, "status": 404}
    assert formatter.format(record).endswith(" GET (unknown address) 404 0.4 ms")
    assert formatter.format(logging.LogRecord("x", logging.WARNING, "", 0, "hm %s", ("hm",), None)).endswith(
        " WARNING hm hm"
    )


def test_no_secret_is_logged_by_the_real_service(dsn: str, match: Match, capfd: pytest.CaptureFixture[str]) -> None:
    secrets = dict.fromkeys(("Authorization", "Cookie", "X-CSRF-Token", "User-Agent", "Referer"), f"x {SECRET}")
    keyed = {**secrets, "Idempotency-Key": SECRET, "If-Match": SECRET, "Last-Event-ID": SECRET}
    with running(dsn, program=HASTY, CARNET_LOG="json") as [(port, process)]:
        number = 0
        for path in (f"/matches/{match.id}/state?key={SECRET}", f"/{SECRET}", f"/games/{SECRET}?key={SECRET}"):
            for method in ("GET", "POST", "DELETE"):
                for headers in (secrets, keyed):
                    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
                        body = json.dumps({"seat": SECRET, SECRET: 1})
                        connection.request(method, f"/api/v1{path}", body, {**headers, "X-Request-ID": str(new_id())})
                        connection.getresponse().read()
                        number += 1
        for request in GARBLED.values():
            said(port, request.replace(b"SECRET", SECRET.encode()))
        assert send(port, "POST", f"/matches/{match.id}/moves", entry(OPENING[0]))[0] == 201
        with Reader(port, match.id) as reader:
            reader.settle()
        process.terminate()
        process.wait(PATIENCE)
        assert process.stdout is not None
        printed = process.stdout.read()
    logged = capfd.readouterr().err
    assert SECRET not in logged + printed
    documents = [json.loads(line) for line in logged.splitlines()]
    answered = [document for document in documents if document["logger"] == "carnet.requests"]
    assert len(answered) >= number + 2
    assert all(set(document) == FIELDS for document in answered)
    assert {document["logger"] for document in documents} > {"carnet.requests"}
    assert ok(match.get())["version"] == 2
