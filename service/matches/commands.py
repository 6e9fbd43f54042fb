"""Appending to the log of a match: judge, seal and append in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar
from uuid import UUID

from domain.forms import FieldError, Malformed
from domain.match import Change, Event, HistoryError, Status, Timeline, cut, reason_digest, seal
from service.auth.authentication import current_principal, has
from service.context import services
from service.db import entered, matches
from service.db import events as event_log
from service.db.entered import Timed
from service.db.events import Reason, Seated
from service.db.pool import Connection
from service.errors import UnknownEdition
from service.http.errors import Problem, malformed, not_found
from service.http.preconditions import require_version
from service.identity import as_text, new_salt, now
from service.matches.rules_change import find_conflict, head_of, is_settled, require_settling, seats_of
from service.metrics import METRICS
from service.permissions import Right
from service.stats.facts import keep_facts, keep_variant
from service.timelines import Recorded

MAX_EVENTS: Final = 20_000
"""Of a log: more than ten of the longest ones with every move corrected. Reading a log takes time and
memory by its length, for everybody who may read it."""

ChangeT = TypeVar("ChangeT", bound=Change)
Act: TypeAlias = Callable[[Timeline], ChangeT]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The reason of a table ruling with its salt; the log has its digest."""

    salt: str
    text: str

    @property
    def digest(self) -> str:
        """The digest in the log."""
        return reason_digest(self.salt, self.text)


class Written(NamedTuple, Generic[ChangeT]):
    """A change that was appended to a log, and the timeline after it."""

    change: ChangeT
    recorded: Recorded


def new_ruling(text: str) -> Ruling:
    """A ruling with a new salt."""
    return Ruling(new_salt(), text)


def write(
    connection: Connection,
    match_id: UUID,
    expected: int | None,
    act: Act[ChangeT],
    rulings: Mapping[str, Ruling] | None = None,
    times: Sequence[Timed] = (),
) -> Written[ChangeT]:
    """Append the events of an act, whose rulings are given by digest, with when its moves were entered.

    First on top of the cached timeline; if that is outdated, or the act refuses there, once more on the
    locked match.
    """
    rulings = rulings or {}
    known = services().timelines.known(match_id)
    if known is not None and expected in {None, known.timeline.version}:
        try:
            written = _append(connection, match_id, known, act, rulings, times)
        except (HistoryError, Malformed, Problem, UnknownEdition):
            pass
        else:
            if written is not None:
                return written
            METRICS.conflicts.inc()
    with connection.transaction():
        row = lock(connection, match_id)
        require_version(expected, row)
        return _append_locked(connection, row, load_locked(connection, row), act, rulings, times)


def lock(connection: Connection, match_id: UUID) -> Mapping[str, Any]:
    """Lock the row of a match until the end of the transaction."""
    row = matches.lock(connection, match_id)
    if row is None:
        raise not_found("match")
    return row


def load(connection: Connection, row: Mapping[str, Any]) -> Recorded:
    """A timeline of the match that is at least at the version of its row."""
    game = services().game(row["game"])
    editions = services().editions(connection, game)
    settled = is_settled(row, game)
    return services().timelines.load(connection, game, editions, row["match_id"], row["version"], is_settled=settled)


def load_locked(connection: Connection, row: Mapping[str, Any]) -> Recorded:
    """The timeline of a match at the version of its row, which is locked."""
    game = services().game(row["game"])
    editions = services().editions(connection, game)
    settled = is_settled(row, game)
    match_id, version = row["match_id"], row["version"]
    return services().timelines.load_locked(connection, game, editions, match_id, version, is_settled=settled)


def require_room(timeline: Timeline) -> None:
    """Refuse a change that would make a log too long, whatever kind of change it is."""
    if timeline.version > MAX_EVENTS:
        detail = f"A match has at most {MAX_EVENTS:,} events. It can be read, but nothing more is recorded in its log."
        raise Problem("match-full", detail)


def accept_rules(connection: Connection, match_id: UUID, expected: int | None) -> Recorded:
    """Accept a match as the current rules have it: cut before the misfit, or with a different result."""
    row = lock(connection, match_id)
    require_version(expected, row)
    present = load_locked(connection, row)
    conflict = None if is_settled(row, present.timeline.game) else find_conflict(row, present.timeline)
    if conflict is None:
        raise Problem("already-so", "The match fits the current rules.")
    if conflict.is_misfit:
        last = conflict.ply - 1
        return _append_locked(connection, row, present, lambda timeline: cut(timeline, last), {}).recorded
    event_log.append_locked(connection, match_id, head_of(present.timeline), [])
    matches.renew(connection, match_id)
    keep_facts(connection, match_id, present.timeline)
    return present


def begin(connection: Connection, match_id: UUID, change: Change) -> Recorded:
    """Append the first event of a new match."""
    events = _seal(match_id, change, None)
    added = [Seated(seat, player) for seat, player in change.timeline.players]
    event_log.append_locked(connection, match_id, head_of(change.timeline, added), events)
    keep_variant(connection, match_id, change.timeline)
    if change.timeline.status is Status.FINISHED:
        keep_facts(connection, match_id, change.timeline)
    METRICS.appended.inc(len(events))
    return Recorded(change.timeline, events[-1].hash)


def _append(
    connection: Connection,
    match_id: UUID,
    present: Recorded,
    act: Act[ChangeT],
    rulings: Mapping[str, Ruling],
    times: Sequence[Timed],
) -> Written[ChangeT] | None:
    """Append an act to a timeline; None if the match has moved on."""
    change = act(present.timeline)
    require_room(change.timeline)
    events = _seal(match_id, change, present.hash)
    head = head_of(change.timeline, seats_of(present.timeline))
    concerns_statistics = _concerns_statistics(present.timeline, change.timeline)
    # Statistics change in one transaction with the log; a move in the middle of a match needs none of its own.
    with connection.transaction() if concerns_statistics or times else nullcontext():
        if not event_log.append(connection, match_id, head, events, _reasons(events, rulings), keeps_end=_keeps_end()):
            return None
        _keep_times(connection, match_id, events, times)
        if concerns_statistics:
            keep_variant(connection, match_id, change.timeline)
            keep_facts(connection, match_id, change.timeline)
    METRICS.appended.inc(len(events))
    return Written(change, Recorded(change.timeline, events[-1].hash))


def _append_locked(
    connection: Connection,
    row: Mapping[str, Any],
    present: Recorded,
    act: Act[ChangeT],
    rulings: Mapping[str, Ruling],
    times: Sequence[Timed] = (),
) -> Written[ChangeT]:
    """Append an act to a match in any state, whose row is locked."""
    match_id = row["match_id"]
    change = act(present.timeline)
    require_room(change.timeline)
    if not is_settled(row, present.timeline.game):
        require_settling(row, present.timeline, change.timeline)
    events = _seal(match_id, change, present.hash)
    # All seats: a match recorded by other rules may have a result that the current ones do not have.
    head = head_of(change.timeline)
    event_log.append_locked(connection, match_id, head, events, _reasons(events, rulings), keeps_end=_keeps_end())
    _keep_times(connection, match_id, events, times)
    if row["status"] == "finished" or _concerns_statistics(present.timeline, change.timeline):
        keep_variant(connection, match_id, change.timeline)
        keep_facts(connection, match_id, change.timeline)
    METRICS.appended.inc(len(events))
    return Written(change, Recorded(change.timeline, events[-1].hash))


def _keep_times(connection: Connection, match_id: UUID, events: Sequence[Event], times: Sequence[Timed]) -> None:
    """Keep when the moves of new events were entered; raise `Problem` if one was before the match."""
    if not times:
        return
    earliest = entered.earliest(connection, match_id)
    early = [timed.pointer for timed in times if timed.at is not None and earliest is not None and timed.at < earliest]
    if early:
        raise malformed([FieldError(pointer, "lies before the match") for pointer in early], "malformed-move")
    known = {event.seq: timed.at for event, timed in zip(events, times, strict=True) if timed.at is not None}
    entered.keep(connection, match_id, known)


def _keeps_end() -> bool:
    """Whether a match keeps its end: a link must not prolong its life by undoing the last move again and again."""
    return current_principal().link_id is not None and not has(Right.EDIT)


def _reasons(events: Sequence[Event], rulings: Mapping[str, Ruling]) -> list[Reason]:
    if not rulings:
        return []
    ruled = ((event.seq, event.payload.get("ruling")) for event in events)
    return [
        Reason(seq, rulings[ruling["reason"]].salt, rulings[ruling["reason"]].text)
        for seq, ruling in ruled
        if ruling is not None
    ]


def _concerns_statistics(before: Timeline, after: Timeline) -> bool:
    """Whether a match is or was finished, or has another variant of its game now."""
    return Status.FINISHED in {before.status, after.status} or after.setup is not before.setup


def _seal(match_id: UUID, change: Change, prev_hash: str | None) -> list[Event]:
    events: list[Event] = []
    first = change.timeline.version - len(change.drafts) + 1
    actor, recorded_at = current_principal().actor, as_text(now())
    for seq, draft in enumerate(change.drafts, start=first):
        event = seal(draft, match_id=str(match_id), seq=seq, actor=actor, recorded_at=recorded_at, prev_hash=prev_hash)
        events.append(event)
        prev_hash = event.hash
    return events
