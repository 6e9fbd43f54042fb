"""The log of a match: immutable events in a chain of hashes, and the check of that chain."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from domain.canonical import canonical
from domain.game import JsonObject


class EventKind(StrEnum):
    """Everything that can happen to the log of a match."""

    MATCH_CREATED = "match_created"
    MOVE_MADE = "move_made"
    MOVES_UNDONE = "moves_undone"
    MOVE_CORRECTED = "move_corrected"
    SETUP_CORRECTED = "setup_corrected"
    PLAYERS_ASSIGNED = "players_assigned"
    TIMELINE_RESTORED = "timeline_restored"
    MATCH_ABANDONED = "match_abandoned"
    MATCH_REOPENED = "match_reopened"


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it has a place in a log."""

    kind: EventKind
    payload: JsonObject


class Event(NamedTuple):
    """One entry of a log. `hash` covers everything else, `prev_hash` is the hash of the entry before."""

    match_id: str
    seq: int
    kind: str
    payload: JsonObject
    actor: str | None
    recorded_at: str
    prev_hash: str | None
    hash: str


class LogBroken(Exception):
    """A log that is not what was recorded, from its event `seq` on."""

    def __init__(self, seq: int, detail: str) -> None:
        super().__init__(f"event {seq}: {detail}")
        self.seq = seq
        self.detail = detail


def seal(draft: Draft, *, match_id: str, seq: int, actor: str | None, recorded_at: str, prev_hash: str | None) -> Event:
    """Give a draft its place in a log. `recorded_at` has six decimals and ends in Z."""
    kind = str(draft.kind)
    event = Event(match_id, seq, kind, draft.payload, actor, recorded_at, prev_hash, "")
    return event._replace(hash=_digest(event))


def _digest(event: Event) -> str:
    """The hex SHA-256 of the canonical form of an event without its hash.

    The form is written out, for its members are the same every time and need neither be collected nor sorted.
    """
    form = (
        f'{{"actor":{canonical(event.actor)},"kind":{canonical(event.kind)},"match_id":{canonical(event.match_id)},'
        f'"payload":{payload_text(event)},"prev_hash":{canonical(event.prev_hash)},'
        f'"recorded_at":{canonical(event.recorded_at)},"seq":{canonical(event.seq)}}}'
    )
    return sha256(form.encode()).hexdigest()


def verify(events: Iterable[Event], edition_digest: str | None = None) -> None:
    """Check the hash chain, and the edition if its digest is given; raise `LogBroken` at the first broken event."""
    before: Event | None = None
    for seq, event in enumerate(events, start=1):
        _verify_event(event, seq, before)
        if seq == 1 and edition_digest not in (None, event.payload.get("edition_digest")):
            raise LogBroken(1, "the edition is not the one with which the match was created")
        before = event
    if before is None:
        raise LogBroken(1, "the log is empty")


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
        whole = _digest(event) == event.hash
    except ValueError as error:
        raise LogBroken(seq, str(error)) from None
    if not whole:
        raise LogBroken(seq, "its hash does not fit its content")


def payload_text(event: Event) -> str:
    """The payload as it was hashed."""
    return canonical(event.payload)


def reason_digest(salt: str, reason: str) -> str:
    """What enters the log for the reason of a table ruling, whose text stands outside."""
    return sha256(f"{salt}\n{reason}".encode()).hexdigest()
