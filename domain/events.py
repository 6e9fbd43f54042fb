"""The log of a match: immutable events in a chain of hashes, and the check of that chain."""

import json
from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from domain.canonical import canonical
from domain.game import Editions, JsonObject


class EventKind(StrEnum):
    """Everything that can happen to the log of a match."""

    MATCH_CREATED = "match_created"
    MOVE_MADE = "move_made"
    MOVES_UNDONE = "moves_undone"
    MOVE_CORRECTED = "move_corrected"
    SETUP_CORRECTED = "setup_corrected"
    EDITION_CHANGED = "edition_changed"
    PLAYERS_ASSIGNED = "players_assigned"
    TIMELINE_RESTORED = "timeline_restored"
    MATCH_ABANDONED = "match_abandoned"
    MATCH_REOPENED = "match_reopened"


class Draft(NamedTuple):
    """An event before it has a place in a log."""

    kind: EventKind
    text: str
    """The payload in its canonical form."""

    @property
    def payload(self) -> JsonObject:
        """The payload."""
        return _read(self.text)


def draft(kind: EventKind, payload: JsonObject) -> Draft:
    """An event of what its payload says."""
    return Draft(kind, canonical(payload))


class Event(NamedTuple):
    """One entry of a log. `hash` covers everything else, `prev_hash` is the hash of the entry before."""

    match_id: str
    seq: int
    kind: str
    text: str
    """The payload as it was hashed."""
    actor: str | None
    recorded_at: str
    prev_hash: str | None
    hash: str

    @property
    def payload(self) -> JsonObject:
        """The payload; raise ValueError if it is not JSON."""
        return _read(self.text)


class Written(NamedTuple):
    """What is needed of an event to go on from it: its kind, its payload as it was written, and its hash."""

    kind: str
    text: str
    hash: str

    @property
    def payload(self) -> JsonObject:
        """The payload."""
        return _read(self.text)


def _read(text: str) -> JsonObject:
    payload: JsonObject = json.loads(text)
    return payload


class LogBroken(Exception):
    """A log that is not what was recorded, from its event `seq` on."""

    def __init__(self, seq: int, detail: str) -> None:
        super().__init__(f"event {seq}: {detail}")
        self.seq = seq
        self.detail = detail


def seal(draft: Draft, *, match_id: str, seq: int, actor: str | None, recorded_at: str, prev_hash: str | None) -> Event:
    """Give a draft its place in a log. `recorded_at` has six decimals and ends in Z."""
    members = (match_id, seq, str(draft.kind), draft.text, actor, recorded_at, prev_hash)
    return Event(*members, _digest(*members))


def _digest(
    match_id: str, seq: int, kind: str, text: str, actor: str | None, recorded_at: str, prev_hash: str | None
) -> str:
    """The hex SHA-256 of the canonical form of an event without its hash.

    The form is written out, for its members are the same every time and need neither be collected nor sorted.
    """
    form = (
        f'{{"actor":{canonical(actor)},"kind":{canonical(kind)},"match_id":{canonical(match_id)},"payload":{text},'
        f'"prev_hash":{canonical(prev_hash)},"recorded_at":{canonical(recorded_at)},"seq":{canonical(seq)}}}'
    )
    return sha256(form.encode()).hexdigest()


def verify(events: Iterable[Event], editions: Editions | None = None) -> None:
    """Check the hash chain, and editions by their digests if they are given; raise `LogBroken` at the first fault."""
    before: Event | None = None
    for seq, event in enumerate(events, start=1):
        _verify_event(event, seq, before)
        if editions is not None and event.kind in _NAMING_EDITIONS:
            _verify_edition(event, editions)
        before = event
    if before is None:
        raise LogBroken(1, "the log is empty")


_NAMING_EDITIONS = frozenset({EventKind.MATCH_CREATED, EventKind.EDITION_CHANGED})


def _verify_edition(event: Event, editions: Editions) -> None:
    try:
        digest = editions[event.payload["edition"]].digest
    except (LookupError, TypeError):
        raise LogBroken(event.seq, "its edition is missing") from None
    if digest != event.payload.get("edition_digest"):
        raise LogBroken(event.seq, "its edition is not the one that was recorded")


def _verify_event(event: Event, seq: int, before: Event | None) -> None:
    if event.seq != seq:
        raise LogBroken(seq, f"its number is {event.seq}")
    if before is None and event.kind != EventKind.MATCH_CREATED:
        raise LogBroken(seq, f"a log begins with {EventKind.MATCH_CREATED}")
    if before is not None and event.match_id != before.match_id:
        raise LogBroken(seq, "it belongs to another match")
    if event.prev_hash != (before.hash if before else None):
        raise LogBroken(seq, "it does not follow the event before it")
    try:
        is_whole = canonical(event.payload) == event.text and _digest(*event[:-1]) == event.hash
    except json.JSONDecodeError as error:
        raise LogBroken(seq, f"its payload is not JSON ({error})") from None
    except ValueError as error:
        raise LogBroken(seq, str(error)) from None
    if not is_whole:
        raise LogBroken(seq, "its hash does not fit its content")


def reason_digest(salt: str, reason: str) -> str:
    """What enters the log for the reason of a table ruling, whose text stands outside."""
    return sha256(f"{salt}\n{reason}".encode()).hexdigest()
