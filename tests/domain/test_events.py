"""The hash chain of a log, and the finding of the first event that was changed."""

import json
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from domain.canonical import canonical
from domain.catalogue import GAMES
from domain.match import (
    Draft,
    Entry,
    Event,
    EventKind,
    LogBroken,
    Player,
    change_edition,
    create,
    reason_digest,
    record,
    seal,
    undo,
    verify,
)
from tests.domain.logs import Log, editions_of
from tests.domain.memory import bytes_left_by

GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions.default
EDITIONS = editions_of(GAME)
PLAYERS = [Player("orange", "ana"), Player("blue", "jan")]
SETUP = GAME.setup.parse({"first": "orange", "postcards": sorted(EDITION.first_game_set)})


def written() -> list[Event]:
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, SETUP))
    log.append(record(log.timeline, [Entry(None, GAME.move.parse({"type": "take", "building": "L4"}))]))
    log.append(record(log.timeline, [Entry(None, GAME.move.parse({"type": "take", "building": "U6"}))]))
    log.append(undo(log.timeline, 1))
    return log.events


def plain(event: Event) -> dict[str, Any]:
    members = ("match_id", "seq", "kind", "payload", "actor", "recorded_at", "prev_hash")
    return {member: getattr(event, member) for member in members}


def test_an_event_hashes_its_own_fields_and_the_hash_before() -> None:
    first, second, *_ = written()
    for event in (first, second):
        text = json.dumps(plain(event), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert event.hash == sha256(text.encode()).hexdigest()
    assert first.prev_hash is None
    assert second.prev_hash == first.hash


def test_a_payload_is_kept_as_the_text_that_was_hashed() -> None:
    assert written()[3].text == '{"to_ply":1}'
    assert written()[3].payload == {"to_ply": 1}


def test_a_log_as_it_was_recorded_verifies() -> None:
    verify(written())
    verify(iter(written()), GAME.editions)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": '{"to_ply":0}'},
        {"text": '{"to_ply": 1}'},
        {"text": '{"to_ply":1'},
        {"text": "null"},
        {"actor": "somebody else"},
        {"actor": None},
        {"recorded_at": "2026-11-14T19:30:59.000000Z"},
        {"kind": "match_abandoned"},
        {"hash": "0" * 64},
        {"prev_hash": "0" * 64},
        {"prev_hash": None},
        {"match_id": "another"},
        {"seq": 9},
        {"text": '{"to_ply":0.5}'},
        {"text": '{"to_ply":NaN}'},
        {"text": '{"to_ply":' * 5_000 + "1" + "}" * 5_000},
    ],
)
@pytest.mark.parametrize("seq", [2, 3, 4])
def test_a_changed_event_is_named(seq: int, changes: dict[str, Any]) -> None:
    events = written()
    events[seq - 1] = events[seq - 1]._replace(**changes)
    with pytest.raises(LogBroken) as caught:
        verify(events)
    assert caught.value.seq == seq
    assert caught.value.detail in str(caught.value)


def test_an_event_rewritten_with_its_hash_breaks_the_one_after_it() -> None:
    events = written()
    forged = events[1]._replace(actor="somebody else")
    text = json.dumps(plain(forged), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    events[1] = forged._replace(hash=sha256(text.encode()).hexdigest())
    with pytest.raises(LogBroken) as caught:
        verify(events)
    assert caught.value.seq == 3


def test_a_missing_event_is_named() -> None:
    events = written()
    with pytest.raises(LogBroken) as caught:
        verify(events[:1] + events[2:])
    assert caught.value.seq == 2


def test_a_log_without_its_beginning_is_broken_from_the_start() -> None:
    for events in ([], [written()[0]._replace(kind="move_made")]):
        with pytest.raises(LogBroken) as caught:
            verify(events)
        assert caught.value.seq == 1


def test_an_edition_that_is_missing_or_another_breaks_the_event_that_names_it() -> None:
    edition = EDITIONS["corrected"]
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, SETUP))
    log.append(change_edition(log.timeline, edition))
    verify(log.events, EDITIONS)
    another = SimpleNamespace(digest="0" * 64)
    for editions, seq in (
        ({}, 1),
        ({EDITION.id: another, "corrected": edition}, 1),
        (GAME.editions, 2),
        ({EDITION.id: EDITION, "corrected": another}, 2),
    ):
        with pytest.raises(LogBroken) as caught:
            verify(log.events, editions)
        assert caught.value.seq == seq


def test_a_reason_enters_the_log_as_a_digest_that_its_salt_changes() -> None:
    assert reason_digest("a", "He moved twice.") != reason_digest("b", "He moved twice.")
    assert reason_digest("a", "He moved twice.") != reason_digest("a", "He moved once.")
    assert len(reason_digest("", "")) == 64


def test_nothing_of_a_long_payload_stays_in_memory() -> None:
    def check(number: int) -> None:
        draft = Draft(EventKind.MATCH_CREATED, canonical({"long": f"{number}" + "a" * 1_000_000}))
        event = seal(draft, match_id="m", seq=1, actor=None, recorded_at="2026-11-01T10:00:00.000000Z", prev_hash=None)
        verify([event])
        with pytest.raises(LogBroken):
            verify([event._replace(text=event.text.replace(":", ": "))])

    assert bytes_left_by(check) < 500_000
