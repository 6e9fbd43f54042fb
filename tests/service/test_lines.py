"""Streams of lines: read page by page, so that a slow client keeps nothing from others."""

from collections.abc import Iterator

import orjson
import pytest
from flask import Flask

from service.db import events as event_log
from service.db import lists
from service.db.pool import Database
from service.exchange import imports
from tests.service.conftest import NewMatch
from tests.service.exchange.files import many
from tests.service.harness import API, NDJSON, OPENING, Match, Service, ok, problem

PATHS = ("/matches", "/matches?sort=activity", "/players", "{match}/events", "{match}/log", "{match}/replay?fields=ply")


@pytest.fixture
def database(dsn: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """One connection, and pages of two rows."""
    monkeypatch.setattr(lists, "PAGE", 2)
    monkeypatch.setattr(event_log, "PAGE", 2)
    database = Database(dsn, size=1)
    database._pool.timeout = 0.5
    database.open()
    yield database
    database.close()


@pytest.fixture
def matches(new_match: NewMatch) -> list[Match]:
    """Five matches, the latest one first."""
    return [new_match(played_at=f"2026-10-{day:02}T12:00:00Z") for day in range(9, 4, -1)]


def opened(app: Flask, path: str) -> Iterator[bytes]:
    """A stream of which its client has read nothing yet."""
    answer = app.test_client().get(API + path, headers=NDJSON, buffered=False)
    assert answer.status_code == 200
    return answer.iter_encoded()


@pytest.mark.parametrize("path", PATHS)
def test_a_client_who_takes_his_time_holds_no_connection(
    app: Flask, service: Service, matches: list[Match], path: str
) -> None:
    matches[0].record(*OPENING)
    address = path.format(match=matches[0].path)
    answer = ok(service.get(address))
    stream = opened(app, address)
    read = []
    for line in stream:
        read.append(orjson.loads(line))
        ok(service.get("/matches"))  # there is no other connection
    assert read == answer.get("items", answer.get("frames"))


@pytest.mark.parametrize("path", PATHS)
def test_without_a_free_connection_no_stream_begins(
    database: Database, service: Service, matches: list[Match], path: str
) -> None:
    with database.statements():
        answer = service.get(path.format(match=matches[0].path), NDJSON)
    problem(answer, 503, "database-away")
    assert int(answer.headers["Retry-After"]) > 0


def test_what_moves_in_a_list_while_it_is_streamed_is_not_shown_twice(
    app: Flask, service: Service, matches: list[Match]
) -> None:
    ids = [match.id for match in matches]
    stream = opened(app, "/matches")
    read = [orjson.loads(next(stream))["id"]]
    ok(service.patch(matches[0].path, {"played_at": "2026-01-01T12:00:00Z"}))
    ok(matches[3].post("/withdraw"))
    read += [orjson.loads(line)["id"] for line in stream]
    assert read == [ids[0], ids[1], ids[2], ids[4]]
    players = opened(app, "/players")
    renamed = orjson.loads(next(players))
    ok(service.patch(f"/players/{renamed['id']}", {"name": "Zofia"}))
    assert renamed["id"] not in [orjson.loads(line)["id"] for line in players]


def test_what_is_recorded_while_a_log_is_streamed_is_not_in_it(app: Flask, match: Match) -> None:
    match.record(*OPENING[:5])
    stream = opened(app, f"{match.path}/events")
    first = next(stream)
    match.record(OPENING[5])
    assert [orjson.loads(line)["seq"] for line in (first, *stream)] == [1, 2, 3, 4, 5, 6]


def test_an_import_gives_its_connection_back_before_a_slow_reader_has_read_its_lines(
    app: Flask, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "MAX_WAIT", 0)
    sent = {"data": many(5), "content_type": "application/octet-stream", "headers": NDJSON}
    answer = app.test_client().post(f"{API}/matches/import", buffered=False, **sent)
    read = []
    for line in answer.iter_encoded():
        read.append(orjson.loads(line))
        ok(service.get("/matches"))
    assert [line["item"]["outcome"] for line in read[:-1]] == ["new"] * 5
    assert read[-1]["summary"]["counts"]["new"] == 5
