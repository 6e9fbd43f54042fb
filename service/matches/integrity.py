"""Verification of all matches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import Enum
from itertools import islice
from typing import Annotated, Any, NamedTuple, TypedDict
from uuid import UUID

import orjson

from domain import match as history
from domain.match import Event, LogBroken, MoveUnplayable, Timeline
from service.context import Services
from service.db import anchors, leaving, matches
from service.db.anchors import Deviation, Head
from service.db.events import Reason
from service.db.pool import Connection
from service.errors import UnknownGame
from service.http.shapes import Count, Keywords, Seq
from service.matches.rules_change import find_conflict, head_of, is_settled
from service.stats.facts import keep_facts

AT_A_TIME = 100
"""Matches whose logs are read together: a match at a time takes a third longer."""
MAX_FINDINGS = 100
"""The maximum number of findings in a response."""
ANOTHER = "it is not the one that was anchored"
GONE = "it is missing, as is all of the match, which was anchored"


class Fault(TypedDict):
    """An event that fails verification."""

    seq: Seq
    detail: str
    """What is wrong."""


class Verification(TypedDict):
    """Whether the log of a match is whole."""

    valid: bool
    """Whether nothing is wrong."""
    events: Count
    """How many events were looked at."""
    first_broken: Seq | None
    detail: str | None
    """What is wrong with the first broken event."""
    findings: Annotated[list[Fault], Keywords(maxItems=MAX_FINDINGS)]


class RulesOutcome(Enum):
    """The outcome of judging a match again."""

    SAME = "same"
    """It fitted the current rules before."""
    ADVANCED = "advanced"
    """The current rules give the same match."""
    CONFLICT = "conflict"
    """The current rules give a different match."""


@dataclass(frozen=True, slots=True)
class Rejudgement:
    """The outcome for a match, with the conflict or the broken event if there is one."""

    match_id: UUID
    outcome: RulesOutcome | None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The findings about one match, in the order of events; empty if nothing is wrong."""

    match_id: UUID
    faults: Sequence[LogBroken]


def count(services: Services) -> int:
    """The number of matches."""
    with services.database.transaction() as connection:
        return matches.count(connection)


def verify(services: Services) -> Iterator[Finding]:
    """Verify every match in one snapshot."""
    with services.database.snapshot() as connection:
        rows = matches.all_rows().rows(connection)
        while some := list(islice(rows, AT_A_TIME)):
            yield from verify_rows(services, connection, some)
        for match_id in anchors.missing_matches(connection):
            yield Finding(match_id, [LogBroken(1, GONE)])


def verify_rows(services: Services, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Verify some matches, whose logs are in memory at once."""
    stored = _read(connection, [row["match_id"] for row in rows])
    for row in rows:
        yield Finding(row["match_id"], _verify(services, connection, row, stored))


def finding_of(deviation: Deviation) -> Finding:
    """The finding about an anchored head that no log has."""
    description = ANOTHER if deviation.hash else "it is missing, and was anchored"
    return Finding(deviation.match_id, [LogBroken(deviation.version, description if deviation.has_match else GONE)])


def verify_match(services: Services, connection: Connection, row: Mapping[str, Any]) -> Sequence[LogBroken]:
    """Verify a match: hash chain, editions, anchors, reasons of rulings and its row.

    Only the first break of the chain is reported, since nothing after it can be trusted; reasons that do not fit
    are each reported. The row is compared with the log if nothing else is wrong.
    """
    return next(verify_rows(services, connection, [row])).faults


class _Stored(NamedTuple):
    """Logs, anchored heads, reasons and seats of some matches, by match."""

    logs: Mapping[UUID, leaving.Log]
    heads: Mapping[UUID, Sequence[tuple[Any, ...]]]
    reasons: Mapping[UUID, Sequence[tuple[Any, ...]]]
    seats: Mapping[UUID, Sequence[tuple[Any, ...]]]


def _read(connection: Connection, match_ids: Sequence[UUID]) -> _Stored:
    """Read them by four statements, however many matches there are."""
    return _Stored(
        leaving.logs(connection, match_ids),
        leaving.heads(connection, match_ids),
        leaving.reasons(connection, match_ids),
        leaving.seats(connection, match_ids),
    )


def _verify(services: Services, connection: Connection, row: Mapping[str, Any], stored: _Stored) -> list[LogBroken]:
    match_id = row["match_id"]
    try:
        game = services.game(row["game"])
    except UnknownGame as error:
        return [LogBroken(1, str(error))]
    editions = services.editions(connection, game)
    log = stored.logs.get(match_id)
    events = [] if log is None else log.events(match_id)
    try:
        history.verify(events, editions)
        _verify_version(len(events), row["version"])
        _verify_anchored(events, (Head(match_id, *parts) for parts in stored.heads.get(match_id, ())))
    except LogBroken as broken:
        return [broken]
    faults = _verify_reasons(events, {parts[0]: Reason(*parts) for parts in stored.reasons.get(match_id, ())})
    if not faults and is_settled(row, game):
        try:
            faults = _verify_row(row, history.fold(game, editions, events), stored.seats.get(match_id, ()))
        except MoveUnplayable as error:
            faults = [LogBroken(error.seq, str(error))]
    return faults


def _verify_version(length: int, version: int) -> None:
    """Raise `LogBroken` unless a log is as long as the row of its match says."""
    if length < version:
        raise LogBroken(length + 1, "it is missing")
    if length > version:
        raise LogBroken(version + 1, f"the match ends with event {version}")


def _verify_anchored(events: Sequence[Event], heads: Iterable[Head]) -> None:
    """Raise `LogBroken` unless a log has everything that anchors in the database state of it."""
    for head in heads:
        if head.version > len(events):
            raise LogBroken(len(events) + 1, f"it is missing: the log was anchored with {head.version} events")
        if events[head.version - 1].hash != head.hash:
            raise LogBroken(head.version, ANOTHER)


def _verify_reasons(events: Iterable[Event], reasons: Mapping[int, Reason]) -> list[LogBroken]:
    """Compare the reasons of rulings with the digests in the log."""
    digests = {event.seq: ruling["reason"] for event in events if (ruling := event.payload.get("ruling")) is not None}
    faults = []
    for seq in sorted(digests.keys() | reasons.keys()):
        if seq not in reasons:
            faults.append(LogBroken(seq, "the reason of its ruling is missing"))
        elif seq not in digests:
            faults.append(LogBroken(seq, "there is a reason, but no ruling"))
        elif history.reason_digest(reasons[seq].salt, reasons[seq].reason) != digests[seq]:
            faults.append(LogBroken(seq, "the reason of its ruling is not the one that was recorded"))
    return faults


def _verify_row(row: Mapping[str, Any], timeline: Timeline, seats: Iterable[tuple[Any, ...]]) -> list[LogBroken]:
    """Compare the row of a match, and the rows of its seats, with the end of its log."""
    head = head_of(timeline)
    recorded = {
        "edition": head.edition,
        "ply": head.ply,
        "status": head.status,
        "to_move": head.to_move,
        "result": _as_json(head.result),
    }
    wrong = [name for name, value in recorded.items() if row[name] != value]
    if sorted(seats) != sorted(astuple(seat) for seat in head.seats):
        wrong.append("seats")
    if not wrong:
        return []
    return [LogBroken(timeline.version, f"after it the row of the match has another {' and '.join(wrong)}")]


def _as_json(value: object) -> Any:
    return orjson.loads(orjson.dumps(value))


def rejudge_all(services: Services) -> Iterator[Rejudgement]:
    """Judge all moves of every match by the current rules, and record the outcome in its row."""
    with services.database.snapshot() as connection:
        for row in matches.all_rows().rows(connection):
            with services.database.transaction() as writing:
                judgement = _rejudge_match(services, writing, row["match_id"])
            if judgement.outcome in {RulesOutcome.ADVANCED, RulesOutcome.CONFLICT}:
                services.notifier.notify(judgement.match_id)
            yield judgement


def _rejudge_match(services: Services, connection: Connection, match_id: UUID) -> Rejudgement:
    row = matches.lock(connection, match_id)
    assert row is not None
    try:
        game = services.game(row["game"])
        editions = services.editions(connection, game)
        timeline = services.timelines.load(connection, game, editions, match_id, row["version"]).timeline.at(
            row["version"]
        )
    except (LogBroken, MoveUnplayable, UnknownGame) as broken:
        return Rejudgement(match_id, None, str(broken))
    conflict = find_conflict(row, timeline)
    if conflict is not None:
        matches.mark_conflict(connection, match_id, conflict.stored())
        keep_facts(connection, match_id, timeline)
        refusal = conflict.rejudged.refusal
        description = (
            f"the move of ply {conflict.ply} no longer fits: {refusal}" if refusal else "its result is another one"
        )
        return Rejudgement(match_id, RulesOutcome.CONFLICT, description)
    if is_settled(row, game):
        return Rejudgement(match_id, RulesOutcome.SAME)
    matches.advance_rules(connection, match_id, game.rules_version, head_of(timeline).to_move)
    keep_facts(connection, match_id, timeline)
    return Rejudgement(match_id, RulesOutcome.ADVANCED)
