"""Server-sent events: what is told, from which ply on, and that nothing is lost whatever gets lost."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import replace
from http.client import HTTPConnection
from threading import enumerate as enumerate_threads
from typing import Any

import psycopg
import pytest
from flask import Flask

from service.db.leader import Leader
from service.db.notifications import Notifier
from service.errors import TooManyStreams
from service.identity import new_id
from service.live import subscribers
from service.live.subscribers import YIELDS_FOR, Holder, Streams
from service.server.postgres import Server
from tests.service.following import Reader, Told, followed, running, send
from tests.service.harness import API, OPENING, SETUP, UNKNOWN_ID, Match, entry, ok, problem
from tests.service.workers import wait_until

NOWHERE = "host=127.0.0.1 port=1"
SOON = 20
"""Seconds: far more than it takes, and far less than gunicorn would wait."""
OTHER_CARDS = ["fontaine_des_mers", *SETUP["postcards"][1:]]


def put(app: Flask, streams: Streams, notifier: Notifier | None = None) -> None:
    """Give an application other streams, and perhaps other notices."""
    services = app.extensions["carnet"]
    services.close()
    app.extensions["carnet"] = replace(
        services, streams=streams, notifier=notifier or Notifier(services.database.leader)
    )


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    with followed(app) as port:
        yield port


def changed(version: int, ply: int, from_ply: int, kind: str, status: str = "in_progress") -> Told:
    data = {"version": version, "ply": ply, "from_ply": from_ply, "kind": kind, "status": status}
    return Told("changed", str(version), data)


# What is told


def test_a_stream_begins_with_the_version_and_how_to_come_back(port: int, match: Match) -> None:
    match.record(*OPENING)
    with Reader(port, match.id) as reader:
        assert reader.response.status == 200
        assert reader.response.headers["Content-Type"] == "text/event-stream"
        assert reader.response.headers["Cache-Control"] == "no-store"
        assert reader.block() == ["retry: 2000", "id: 7"]
        assert reader.block() == [":"]


def test_a_move_is_told_at_once(port: int, match: Match) -> None:
    with Reader(port, match.id).settle() as reader:
        match.record(OPENING[0])
        assert reader.event() == changed(2, 1, 1, "move_made")
        match.record(*OPENING[1:3])
        assert reader.event() == changed(4, 3, 2, "move_made")


def test_readers_of_another_match_are_told_nothing(port: int, match: Match, new_match: Callable[[], Match]) -> None:
    other = new_match()
    with Reader(port, match.id).settle() as reader, Reader(port, other.id).settle() as other_reader:
        other.record(OPENING[0])
        assert other_reader.event() == changed(2, 1, 1, "move_made")
        match.record(*OPENING[:2])
        assert reader.event() == changed(3, 2, 1, "move_made")


def test_quick_changes_are_told_in_order_and_none_is_left_out(port: int, match: Match) -> None:
    with Reader(port, match.id).settle() as reader:
        for line in OPENING:
            match.record(line)
        ply = 0
        while ply < len(OPENING):
            event = reader.event()
            assert event == changed(event.data["ply"] + 1, event.data["ply"], ply + 1, "move_made")
            ply = event.data["ply"]


ACTS: dict[str, tuple[Callable[[Match], Any], Told]] = {
    "replaced": (
        lambda match: match.correct(3, "replace", **entry("orange take V3")),
        changed(8, 6, 3, "move_corrected"),
    ),
    "inserted": (
        lambda match: match.correct(7, "insert", **entry("orange take V3")),
        changed(8, 7, 7, "move_corrected"),
    ),
    "undone": (lambda match: match.undo(2), changed(8, 2, 3, "moves_undone")),
    "set up again": (
        lambda match: match.post("/corrections", {"ply": 0, "setup": {**SETUP, "postcards": OTHER_CARDS}}),
        changed(8, 6, 0, "setup_corrected"),
    ),
    "restored": (lambda match: match.post("/restore", {"version": 3}), changed(8, 2, 3, "timeline_restored")),
    "abandoned": (lambda match: match.post("/abandon"), changed(8, 6, 7, "match_abandoned", "abandoned")),
    "reassigned": (
        lambda match: match.service.put(
            f"{match.path}/players", {"players": [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]}
        ),
        changed(8, 6, 7, "players_assigned"),
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_change_is_told_with_the_first_ply_that_is_other_than_it_was(port: int, match: Match, act: str) -> None:
    perform, event = ACTS[act]
    match.record(*OPENING)
    with Reader(port, match.id).settle() as reader:
        perform(match)
        assert reader.event() == event


def test_details_and_annotations_are_told_without_an_id(port: int, match: Match) -> None:
    match.record(*OPENING)
    with Reader(port, match.id).settle() as reader:
        ok(match.service.patch(match.path, {"venue": "club night"}))
        assert reader.event() == Told("details", None, {"revision": 1})
        ok(match.service.patch(match.path, {"venue": "club night"}))
        note = f"/annotations/{match.annotate(2, text='Hm.')['id']}"
        assert reader.event() == Told("annotations", None, {})
        ok(match.service.patch(note, {"glyph": "?"}))
        assert reader.event() == Told("annotations", None, {})
        assert match.service.delete(note).status_code == 204
        assert reader.event() == Told("annotations", None, {})


def test_a_withdrawn_match_can_be_followed(port: int, match: Match) -> None:
    with Reader(port, match.id).settle() as reader:
        ok(match.post("/withdraw"))
        assert reader.event() == Told("details", None, {"revision": 1})
    with Reader(port, match.id).settle() as reader:
        match.record(OPENING[0])
        assert reader.event() == changed(2, 1, 1, "move_made")


# Coming back


def test_what_a_reader_missed_comes_as_one_event_at_once(port: int, match: Match) -> None:
    match.record(*OPENING)
    match.undo(4)
    match.record("orange take V3")
    ok(match.correct(2, "replace", **entry("blue take X5")), 201)
    with Reader(port, match.id, "7") as reader:
        assert reader.block() == ["retry: 2000", "id: 7"]
        assert reader.event() == changed(10, 5, 2, "move_corrected")
        match.record("blue take L4")
        assert reader.event() == changed(11, 6, 6, "move_made")


def test_what_was_taken_back_meanwhile_was_no_change(port: int, match: Match) -> None:
    match.record(*OPENING[:4])
    match.record(*OPENING[4:])
    match.undo(4)
    with Reader(port, match.id, "5") as reader:
        assert reader.event() == changed(8, 4, 5, "moves_undone")


def test_who_missed_nothing_is_told_nothing(port: int, match: Match) -> None:
    match.record(*OPENING)
    with Reader(port, match.id, "7").settle() as reader:
        match.undo(5)
        assert reader.event() == changed(8, 5, 6, "moves_undone")


@pytest.mark.parametrize("version", ["0", "3", "999999999"])
def test_who_knows_a_version_that_the_match_never_had_fetches_all(port: int, match: Match, version: str) -> None:
    match.record(OPENING[0])
    with Reader(port, match.id, version) as reader:
        assert reader.event() == changed(2, 1, 0, "move_made")


@pytest.mark.unchanging
@pytest.mark.parametrize("version", ["", "x", "-1", "1.0", "1, 2", "\u00b2", "9999999999"])
def test_an_id_that_is_no_version_is_refused(match: Match, version: str) -> None:
    problem(match.get("/stream", {"Last-Event-ID": version}), 400, "bad-request")


def test_an_unknown_match_cannot_be_followed(app: Flask, match: Match) -> None:
    put(app, Streams(Leader(NOWHERE), most=1))
    for _ in range(2):
        problem(match.service.get(f"/matches/{UNKNOWN_ID}/stream"), 404, "not-found")
    assert match.get("/stream").status_code == 200


# What gets lost


def test_a_lost_notification_delays_and_never_loses(app: Flask, match: Match) -> None:
    put(app, Streams(Leader(NOWHERE), compare_every=0.1), Notifier(Leader(NOWHERE)))
    with followed(app) as port, Reader(port, match.id).settle() as reader:
        match.record(OPENING[0])
        assert reader.event() == changed(2, 1, 1, "move_made")
        ok(match.service.patch(match.path, {"venue": "club night"}))
        assert reader.event() == Told("details", None, {"revision": 1})
        match.annotate(1, text="Hm.")
        assert reader.event() == Told("annotations", None, {})


def test_a_comment_comes_while_nothing_happens(app: Flask, match: Match) -> None:
    put(app, Streams(Leader(NOWHERE), compare_every=0.02))
    with followed(app) as port, Reader(port, match.id).settle() as reader:
        assert [reader.block() for _ in range(5)] == [[":"]] * 5


def test_a_listener_that_is_cut_off_listens_again(dsn: str, port: int, match: Match) -> None:
    with Reader(port, match.id).settle() as reader, psycopg.connect(dsn, autocommit=True) as connection:
        for version, line in enumerate(OPENING[:3], start=2):
            wait_until(lambda: cut_off(connection, "LISTEN") == 1)
            match.record(line)
            assert reader.event() == changed(version, version - 1, version - 1, "move_made")


def cut_off(connection: psycopg.Connection, last_said: str) -> int:
    """End the idle connections on which something was said last, and tell how many there were."""
    return connection.execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND starts_with(query, %s) AND state = 'idle'
        """,
        (last_said,),
    ).rowcount


def test_a_stream_outlives_the_database(server: Server, port: int, match: Match) -> None:
    with Reader(port, match.id).settle() as reader:
        match.record(OPENING[0])
        assert reader.event() == changed(2, 1, 1, "move_made")
        server.stop()
        server.start()
        match.record(OPENING[1])
        assert reader.event() == changed(3, 2, 2, "move_made")


# Places


def test_there_are_only_so_many_places_and_who_leaves_gives_his_back(app: Flask, match: Match) -> None:
    put(app, Streams(app.extensions["carnet"].database.leader, most=2))
    with followed(app) as port, Reader(port, match.id).settle() as first, Reader(port, match.id).settle() as second:
        refused = match.get("/stream")
        problem(refused, 503, "too-many-streams")
        assert refused.headers["Retry-After"] == "5"
        first.leave()
        wait_until(lambda: match.get("/stream").status_code == 200)
        match.record(OPENING[0])
        assert second.event() == changed(2, 1, 1, "move_made")


def test_readers_without_an_account_leave_places_to_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscribers, "MAX_ANONYMOUS", 4)
    with closing(Streams(Leader(NOWHERE), most=6)) as streams:
        for number in range(4):
            streams.enter(new_id(), None, Holder(f"10.0.0.{number}", is_account=False))
        with pytest.raises(TooManyStreams, match="try again"):
            streams.enter(new_id(), None, Holder("10.0.0.4", is_account=False))
        for number in range(2):
            streams.enter(new_id(), None, Holder(f"account {number}", is_account=True))
        with pytest.raises(TooManyStreams, match="try again"):
            streams.enter(new_id(), None, Holder("account 2", is_account=True))


@pytest.mark.parametrize("is_account", [False, True])
def test_who_has_most_places_gives_one_to_who_has_none(is_account: bool) -> None:
    with closing(Streams(Leader(NOWHERE), most=5)) as streams:
        greedy, modest = (Holder(name, is_account) for name in ("greedy", "modest"))
        readers = [streams.enter(new_id(), None, greedy) for _ in range(4)]
        streams.enter(new_id(), None, modest)
        streams.enter(new_id(), None, modest)
        assert readers[0].comes_back_after == YIELDS_FOR
        assert not readers[0].wait()
        assert [reader.comes_back_after for reader in readers[1:]] == [None] * 3
        streams.leave(readers[0])
        with pytest.raises(TooManyStreams, match="try again"):
            streams.enter(new_id(), None, modest)


@pytest.mark.parametrize(
    ("holder", "most"), [(Holder("10.0.0.1", is_account=False), 30), (Holder("account", is_account=True), 20)]
)
def test_one_address_and_one_account_have_so_many_places(holder: Holder, most: int) -> None:
    with closing(Streams(Leader(NOWHERE))) as streams:
        readers = [streams.enter(new_id(), None, holder) for _ in range(most)]
        with pytest.raises(TooManyStreams, match=f"{most} streams"):
            streams.enter(new_id(), None, holder)
        streams.leave(readers[0])
        streams.enter(new_id(), None, holder)


def test_a_question_for_the_headers_takes_no_place(app: Flask, match: Match) -> None:
    put(app, Streams(Leader(NOWHERE), most=1))
    for _ in range(3):
        with match.service.send("HEAD", f"{match.path}/stream") as response:
            assert response.status_code == 200


def test_streams_end_when_the_process_does_and_later_ones_at_once(app: Flask, match: Match) -> None:
    with followed(app) as port:
        with Reader(port, match.id).settle() as reader:
            app.extensions["carnet"].close()
            reader.read_to_end()
        with Reader(port, match.id).settle() as reader:
            reader.read_to_end()


# The whole service


def test_a_write_in_one_process_reaches_the_readers_of_another(dsn: str, match: Match) -> None:
    with running(dsn, 2) as [(writing, _), (reading, process)], ExitStack() as stack:
        readers = [stack.enter_context(Reader(reading, match.id).settle()) for _ in range(6)]
        status, _ = send(writing, "POST", f"/matches/{match.id}/moves", entry(OPENING[0]))
        assert status == 201
        assert [reader.event() for reader in readers] == [changed(2, 1, 1, "move_made")] * 6
        process.kill()
        require_quick_end(readers)


@pytest.mark.parametrize("ending", [pytest.param(signal.SIGTERM, marks=pytest.mark.soak), signal.SIGINT])
def test_short_requests_find_a_thread_beside_many_readers_and_stopping_is_quick(
    dsn: str, match: Match, ending: signal.Signals
) -> None:
    with running(dsn) as [(port, process)], ExitStack() as stack:
        readers = [stack.enter_context(Reader(port, match.id).settle()) for _ in range(100)]
        clients = [stack.enter_context(alive(port)) for _ in range(8)]
        for _ in range(5):
            for client in clients:
                began = time.monotonic()
                client.request("GET", f"{API}{match.path}")
                response = client.getresponse()
                assert response.status == 200
                response.read()
                assert time.monotonic() - began < SOON
        send(port, "POST", f"/matches/{match.id}/moves", entry(OPENING[0]))
        assert [reader.event() for reader in readers] == [changed(2, 1, 1, "move_made")] * 100
        for client in clients:
            client.close()
        os.kill(process.pid, ending)
        require_quick_end(readers)
        assert process.wait(SOON) == 0


def require_quick_end(readers: list[Reader]) -> None:
    """Assert that the service ends its streams and does not wait as long as it may."""
    latest = time.monotonic() + SOON
    for reader in readers:
        reader.read_to_end()
        reader.leave()
    assert time.monotonic() < latest


def alive(port: int) -> AbstractContextManager[HTTPConnection]:
    """A connection that stays open from request to request."""
    return closing(HTTPConnection("127.0.0.1", port, timeout=SOON))


# Notices


def test_many_writes_make_few_notifications_and_the_last_is_sent_before_the_end(dsn: str) -> None:
    matches = [new_id() for _ in range(3)]
    with psycopg.connect(dsn, autocommit=True) as listening:
        listening.execute("LISTEN carnet")
        notifier = Notifier(Leader(dsn))
        for match_id in matches * 500:
            notifier.notify(match_id)
        last = new_id()
        notifier.notify(last)
        notifier.close()
        expected = {str(match_id) for match_id in (*matches, last)}
        heard = []
        for notice in listening.notifies(timeout=SOON):
            heard.append(notice.payload)
            if set(heard) == expected:
                break
    assert set(heard) == expected
    assert len(heard) < 100


def test_what_could_not_be_sent_is_sent_again(dsn: str) -> None:
    notifier = Notifier(Leader(dsn))
    with closing(notifier), psycopg.connect(dsn, autocommit=True) as listening:
        listening.execute("LISTEN carnet")
        for match_id in (new_id(), new_id(), new_id()):
            notifier.notify(match_id)
            assert [notice.payload for notice in listening.notifies(timeout=SOON, stop_after=1)] == [str(match_id)]
            wait_until(lambda: cut_off(listening, "SELECT pg_notify") == 1)


def test_what_was_closed_does_not_begin_again(dsn: str) -> None:
    before = set(enumerate_threads())
    notifier, streams = Notifier(Leader(dsn)), Streams(Leader(dsn))
    notifier.close()
    streams.close()
    notifier.notify(new_id())
    assert not streams.enter(new_id(), None).wait()
    assert set(enumerate_threads()) <= before
