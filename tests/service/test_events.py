"""Appending to the log of a match: all of it in one statement, or nothing where the match has moved on."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from domain.match import Change, Entry, Event, record, seal
from service.db import events as event_log
from service.db.events import Head, Reason, Seated
from service.db.pool import Connection, Database
from service.timelines import Recorded, Timelines
from tests.service.harness import Match, finished_match, ok
from tests.service.workers import GAME

REASON = Reason(2, "salt", 'He said: "so be it", \\ and laughed – twice.')


def present(connection: Connection, match: Match) -> Recorded:
    version = match.document()["version"]
    return Timelines().load(connection, GAME, GAME.editions, UUID(match.id), version)


def sealed(match: Match, change: Change, prev_hash: str) -> list[Event]:
    first = change.timeline.version - len(change.drafts) + 1
    events: list[Event] = []
    for seq, draft in enumerate(change.drafts, first):
        recorded_at = "2026-11-14T19:30:00.000000Z"
        before = events[-1].hash if events else prev_hash
        events.append(seal(draft, match_id=match.id, seq=seq, actor=None, recorded_at=recorded_at, prev_hash=before))
    return events


def head(change: Change, seats: Sequence[Seated] = ()) -> Head:
    timeline = change.timeline
    rules, edition = timeline.game.rules_version, timeline.edition.id
    return Head(timeline.version, rules, edition, timeline.ply, str(timeline.status), timeline.to_move, None, seats)


def stored(connection: Connection) -> list[Any]:
    """All that an append may touch, but for the time of the last change."""
    return [
        connection.execute(query.encode()).fetchall()
        for query in (
            "SELECT * FROM events ORDER BY seq",
            "SELECT version, ply, status, to_move, result FROM matches",
            "SELECT * FROM match_seats ORDER BY position",
            "SELECT * FROM ruling_reasons",
        )
    ]


@pytest.mark.parametrize("reasons", [(), (REASON,)])
@pytest.mark.parametrize("count", [1, 3])
def test_nothing_is_appended_where_the_match_has_moved_on(
    match: Match, database: Database, count: int, reasons: Sequence[Reason]
) -> None:
    with database.statements() as connection:
        known = present(connection, match)
        entries = [Entry(made["seat"], GAME.move.parse(made["move"])) for made in finished_match()[:count]]
        change = record(known.timeline, entries)
        seats = [Seated(seat, player, 1, 9) for seat, player in change.timeline.players]
        ok(match.post("/moves", finished_match(2)[0]), 201)
        before = stored(connection)
        events = sealed(match, change, known.hash)
        assert not event_log.append(connection, UUID(match.id), head(change, seats), events, reasons)
        assert stored(connection) == before


def test_only_under_a_lock_is_appended_to_a_match_in_conflict_with_the_rules(match: Match, database: Database) -> None:
    with database.statements() as connection:
        known = present(connection, match)
        change = record(known.timeline, [Entry(None, GAME.move.parse(finished_match()[0]["move"]))])
        events = sealed(match, change, known.hash)
        connection.execute("UPDATE matches SET rules_version = 0, rules_conflict = '{}'")
        assert not event_log.append(connection, UUID(match.id), head(change), events)
        event_log.append_locked(connection, UUID(match.id), head(change), events)
        settled = connection.execute("SELECT version, rules_version, rules_conflict FROM matches").fetchone()
        assert settled == {"version": 2, "rules_version": GAME.rules_version, "rules_conflict": None}
        with pytest.raises(AssertionError, match="stays at its version"):
            event_log.append_locked(connection, UUID(match.id), head(change), events)


def test_events_are_read_as_they_were_appended(match: Match, database: Database) -> None:
    with database.statements() as connection:
        known = present(connection, match)
        change = record(
            known.timeline, [Entry(made["seat"], GAME.move.parse(made["move"])) for made in finished_match()[:3]]
        )
        events = sealed(match, change, known.hash)
        assert event_log.append(connection, UUID(match.id), head(change), events, [REASON])
        assert event_log.read(connection, UUID(match.id), 1, 4) == events
        assert event_log.reasons(connection, UUID(match.id), [1, 2, 3]) == {2: REASON.reason}
        assert [row["payload"] for row in stored(connection)[0][1:]] == [event.text for event in events]
    # The move of the reason was no ruling.
    assert [finding["seq"] for finding in ok(match.get("/verify"))["findings"]] == [2]


def test_only_the_seats_that_are_named_change(match: Match, database: Database) -> None:
    with database.statements() as connection:
        known = present(connection, match)
        change = record(known.timeline, [Entry(None, GAME.move.parse(finished_match()[0]["move"]))])
        (orange, _), events = stored(connection)[2], sealed(match, change, known.hash)
        jan = str(known.timeline.players[1].player_id)
        assert event_log.append(connection, UUID(match.id), head(change, [Seated("blue", jan, 2, -7)]), events)
        left, right = stored(connection)[2]
    assert left == orange
    assert (right["player_id"], right["place"], right["points"]) == (UUID(jan), 2, -7)


def test_the_seats_follow_people_and_results(match: Match, database: Database) -> None:
    def seats() -> list[tuple[Any, ...]]:
        with database.statements() as connection:
            return [(row["player_id"], row["place"], row["points"]) for row in stored(connection)[2]]

    (ana, *_), (jan, *_) = seats()
    moves = finished_match()
    ended = ok(match.post("/moves", {"moves": moves}), 201)
    by_seat = {ranked["seat"]: (ranked["place"], ranked["points"]) for ranked in ended["result"]["ranking"]}
    assert seats() == [(ana, *by_seat["orange"]), (jan, *by_seat["blue"])]
    people = [{"seat": "orange", "player_id": str(jan)}, {"seat": "blue", "player_id": str(ana)}]
    ok(match.service.put(f"{match.path}/players", {"players": people}))
    assert seats() == [(jan, *by_seat["orange"]), (ana, *by_seat["blue"])]
    match.undo(len(moves) - 1)
    assert seats() == [(jan, None, None), (ana, None, None)]
    ok(match.post("/moves", moves[-1]), 201)
    assert seats() == [(jan, *by_seat["orange"]), (ana, *by_seat["blue"])]
