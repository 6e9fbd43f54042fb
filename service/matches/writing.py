"""Adding events to the log of a match: judged, sealed and appended in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from domain.game import Malformed, Result, dump_result
from domain.history import Change, Event, HistoryError, Timeline, reason_digest, seal
from service.carnet import carnet
from service.identity import as_text, new_salt, now
from service.problems import Problem, not_found
from service.requests import require_version
from service.store import logs, matches
from service.store.database import Connection
from service.store.logs import Head, Reason, Seated
from service.timelines import Recorded

Act: TypeAlias = Callable[[Timeline], Change]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The reason of a table ruling with its salt; its digest enters the log."""

    salt: str
    text: str

    @property
    def digest(self) -> str:
        """What enters the log."""
        return reason_digest(self.salt, self.text)


def new_ruling(text: str) -> Ruling:
    """A ruling with a salt of its own."""
    return Ruling(new_salt(), text)


def write(
    connection: Connection, match_id: UUID, expected: int | None, act: Act, rulings: Mapping[str, Ruling] | None = None
) -> Recorded:
    """Append what an act decides, and answer with the timeline after it.

    First on top of the timeline in memory; if that is not the present one, or the act refuses there, once more on the
    locked match.
    """
    known = carnet().timelines.known(match_id)
    if known is not None and expected in {None, known.timeline.version}:
        try:
            written = _append(connection, match_id, known, act, {} if rulings is None else rulings)
        except (HistoryError, Malformed, Problem):
            written = None
        if written is not None:
            return written
    with connection.transaction():
        present = lock(connection, match_id)
        require_version(expected, present.timeline.version)
        written = _append(connection, match_id, present, act, {} if rulings is None else rulings)
        assert written is not None
        return written


def lock(connection: Connection, match_id: UUID) -> Recorded:
    """The present timeline of a match that nobody else can write to until the end of the transaction."""
    row = matches.lock(connection, match_id)
    if row is None:
        raise not_found("match")
    return load(connection, row)


def load(connection: Connection, row: Mapping[str, Any]) -> Recorded:
    """The timeline of a match at least at the version of its row."""
    game = carnet().game(row["game"])
    edition = carnet().edition(connection, game, row["edition"])
    return carnet().timelines.load(connection, game, edition, row["match_id"], row["version"])


def begin(connection: Connection, match_id: UUID, change: Change) -> Recorded:
    """Write the first event of a match whose row is there."""
    events = _seal(match_id, change, None)
    added = [Seated(seat, player) for seat, player in change.timeline.players]
    if not logs.append(connection, match_id, _head(change.timeline, added), events):
        raise AssertionError("a match that was just added has no event")
    return Recorded(change.timeline, events[-1].hash)


def _append(
    connection: Connection, match_id: UUID, present: Recorded, act: Act, rulings: Mapping[str, Ruling]
) -> Recorded | None:
    change = act(present.timeline)
    events = _seal(match_id, change, present.hash)
    reasons = [
        Reason(event.seq, rulings[ruling["reason"]].salt, rulings[ruling["reason"]].text)
        for event in events
        if (ruling := event.payload.get("ruling")) is not None
    ]
    if not logs.append(connection, match_id, _head(change.timeline, _seats(present.timeline)), events, reasons):
        return None
    return Recorded(change.timeline, events[-1].hash)


def _seal(match_id: UUID, change: Change, prev_hash: str | None) -> list[Event]:
    events: list[Event] = []
    first = change.timeline.version - len(change.drafts) + 1
    recorded_at = as_text(now())
    for seq, draft in enumerate(change.drafts, start=first):
        event = seal(draft, match_id=str(match_id), seq=seq, actor=None, recorded_at=recorded_at, prev_hash=prev_hash)
        events.append(event)
        prev_hash = event.hash
    return events


def _head(timeline: Timeline, seats_before: Sequence[Seated]) -> Head:
    return Head(
        version=timeline.version,
        ply=timeline.ply,
        status=str(timeline.status),
        to_move=timeline.to_move,
        result=dump_result(_result(timeline)),
        seats=[seated for seated in _seats(timeline) if seated not in seats_before],
    )


def _seats(timeline: Timeline) -> list[Seated]:
    result = _result(timeline)
    ranked = {} if result is None else {ranked.seat: (ranked.place, ranked.points) for ranked in result.ranking}
    return [Seated(seat, player, *ranked.get(seat, ())) for seat, player in timeline.players]


def _result(timeline: Timeline) -> Result | None:
    return None if timeline.abandoned else timeline.result
