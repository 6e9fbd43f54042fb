"""The log for people: what each event added and removed, and who recorded it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple, TypedDict
from uuid import UUID

from flask import Response

from domain.match import Action, Event, EventKind, Outline, Playback, Recorded, Status, Timeline, describe, differences
from service.auth.authentication import current_principal
from service.context import services
from service.db import accounts, players
from service.db import events as event_log
from service.db.pool import Connection
from service.http.fields import Paging, QueryInteger, QueryLanguage
from service.http.locale import request_language
from service.http.pagination import answer_page, read_position, write_position
from service.http.responses import lines, wants_lines
from service.http.routing import Blueprint
from service.http.shapes import Actor, Count, Keywords, Move, Page, Ply, Seat, Seq, Time, Version
from service.matches.commands import load
from service.matches.documents import KindOfEvent, RecordedRuling
from service.matches.queries import require_match
from service.permissions import Right

MAX_PLAYED: Final = 50_000
"""Moves that are played for one response, which takes 0.2 s; texts and standings beyond that are left out."""
MAX_LISTED: Final = 2_000
"""Moves that one response lists, besides the first one of each list."""
MAX_VALUES: Final = 10
"""Changed values of an edition that a line lists; there are up to 170, some of them maps."""
BATCH: Final = 100
"""Lines of a stream that are read together."""

blueprint = Blueprint("log", __name__, url_prefix="/api/v1/matches/<uuid:match_id>/log", description="Logs to read.")


class LoggedMove(TypedDict):
    """A move that an event added to the match or took from it."""

    ply: Ply
    seq: Seq
    seat: Seat
    move: Move
    ruling: RecordedRuling | None
    text: str | None
    """Null if the rules have changed and no longer know such a move."""


class LoggedPlayer(TypedDict):
    """Who sits at a seat since an event."""

    seat: Seat
    name: str | None


class PrintedChange(TypedDict):
    """A value that is another one in the edition since an event."""

    pointer: str
    """A JSON pointer to the member."""
    before: Any
    after: Any


class LogLine(TypedDict):
    """What an event of the log did: the moves that came and went with it, and who recorded it."""

    seq: Seq
    kind: KindOfEvent
    """What happened."""
    recorded_at: Time
    actor: Actor
    by: str | None
    """What members of the installation call whoever recorded it."""
    action: Action | None
    """What a correction of a move did."""
    ply: Annotated[Ply, Keywords(description="The number of effective moves since then.")]
    status: Status | None
    """Where the match stood; null where too many moves had to be played to find out."""
    came: list[LoggedMove]
    """The moves that stand since then, or the first of them."""
    came_count: Count
    """How many moves stand since then."""
    gone: list[LoggedMove]
    """The moves that no longer stand, or the first of them."""
    gone_count: Count
    """How many moves no longer stand."""
    players: list[LoggedPlayer] | None
    """Who sits where since then, if that was recorded."""
    version: Annotated[Version | None, Keywords(description="The version that was restored, if one was.")]
    printed: list[PrintedChange] | None
    """The values that are others in the edition since then, or the first 10 of them, if it is another edition."""
    printed_count: Count
    """How many values are others in the edition since then."""


class LogQuery(Paging):
    """Filters of the log lines, and their language."""

    after = QueryInteger()
    lang = QueryLanguage()


@blueprint.get("", Right.READ, query=LogQuery, answer=Page[LogLine])
def list_log(query: dict[str, Any], match_id: UUID) -> Response:
    """What each event of the log did, in sentences.

    `came` are the moves that stand since then and `gone` those that no longer do. With `after` only what was recorded
    since that version. Where matches were changed over and over again, one answer does not tell everything: lists that
    are too long end early, and `text` and `status` are null where too much had to be played for them; pages that begin
    later tell more.
    """
    language = request_language()
    with services().database.reading() as connection:
        row = require_match(connection, match_id)
        describer = EventDescriber(load(connection, row).timeline.at(row["version"]), language)
        first = max(read_position(query.get("cursor")), query.get("after", 0))
        if not wants_lines():
            last = min(first + query["limit"] + 1, row["version"])
            entries = describer.describe(connection, match_id, event_log.read(connection, match_id, first, last))
            return answer_page(entries, query["limit"], lambda: write_position(first + query["limit"]))

    def documents() -> Iterator[LogLine]:
        for begin in range(first, row["version"], BATCH):
            with services().database.reading() as connection:
                events = event_log.read(connection, match_id, begin, min(begin + BATCH, row["version"]))
                entries = describer.describe(connection, match_id, events)
            yield from entries

    return lines(documents)


class Listed(NamedTuple):
    """A move that was added or removed, with its ply and the line that it belongs or belonged to."""

    outline: Outline
    ply: int
    move: Recorded


class Effect(NamedTuple):
    """What an event changed: the listed moves and their total number."""

    event: Event
    after: Outline
    came: Sequence[Listed]
    came_count: int
    gone: Sequence[Listed]
    gone_count: int
    printed: Sequence[tuple[str, Any, Any]] | None
    """The values that differ in the edition since then, if the edition changed."""


class EventDescriber:
    """Describes the events of a match, one after the other."""

    def __init__(self, timeline: Timeline, language: str) -> None:
        self._timeline = timeline
        self._game = timeline.game
        self._language = language
        self._playback = Playback(timeline)
        self._playable = MAX_PLAYED
        self._listable = MAX_LISTED

    def describe(self, connection: Connection, match_id: UUID, events: Sequence[Event]) -> list[LogLine]:
        changes = [self._changes(event) for event in events]
        ruled = [
            listed.move.seq
            for change in changes
            for listed in (*change.came, *change.gone)
            if _ruling(listed.move) is not None
        ]
        reasons = event_log.reasons(connection, match_id, ruled)
        seated = {player for change in changes if change.event.kind in _SEATING for _, player in change.after.players}
        names = {**players.names(connection, sorted(seated)), **_recorders(connection, match_id)}
        return [self._line(change, reasons, names) for change in changes]

    def _changes(self, event: Event) -> Effect:
        after = self._playback.outline_at(event.seq)
        if event.seq == 1:
            return Effect(event, after, (), 0, (), 0, None)
        before = self._playback.outline_at(event.seq - 1)
        if event.kind == EventKind.MOVE_MADE:
            move = Listed(after, after.line.ply, after.line.move(after.line.ply))
            return Effect(event, after, [move], 1, (), 0, None)
        came, gone = after.line.missing(before.line), before.line.missing(after.line)
        printed = None
        if before.edition.id != after.edition.id:
            printed = differences(before.edition.document, after.edition.document)
        came_listed, gone_listed = self._listed(after, came), self._listed(before, gone)
        return Effect(event, after, came_listed, len(came), gone_listed, len(gone), printed)

    def _listed(self, outline: Outline, moves: Sequence[tuple[int, Recorded]]) -> list[Listed]:
        listed = [Listed(outline, ply, move) for ply, move in moves[: 1 + self._listable]]
        self._listable -= max(0, len(listed) - 1)
        return listed

    def _line(self, change: Effect, reasons: Mapping[int, str], names: Mapping[str, str]) -> LogLine:
        event, after = change.event, change.after
        gone = [self._move(listed, reasons) for listed in change.gone]
        came = [self._move(listed, reasons) for listed in change.came]
        seats: list[LoggedPlayer] = [{"seat": seat, "name": names.get(player)} for seat, player in after.players]
        return {
            "seq": event.seq,
            "kind": event.kind,
            "recorded_at": event.recorded_at,
            "actor": event.actor,
            "by": None if event.actor is None else names.get(event.actor),
            "action": event.payload.get("action"),
            "ply": after.line.ply,
            "status": self._playback.status(after) if self._may_play(after, after.line.ply) else None,
            "came": came,
            "came_count": change.came_count,
            "gone": gone,
            "gone_count": change.gone_count,
            "players": seats if event.kind in _SEATING else None,
            "version": event.payload["version"] if event.kind == EventKind.TIMELINE_RESTORED else None,
            "printed": _values(change.printed),
            "printed_count": len(change.printed or ()),
        }

    def _move(self, listed: Listed, reasons: Mapping[int, str]) -> LoggedMove:
        outline, ply, move = listed
        assert move.entry is not None and move.entry.seat is not None
        text = None
        if self._may_play(outline, ply):
            text = describe(self._timeline, self._playback.play(outline, ply), self._language)
        return {
            "ply": ply,
            "seq": move.seq,
            "seat": move.entry.seat,
            "move": self._game.move.dump(move.entry.move),
            "ruling": None if _ruling(move) is None else {"reason": reasons.get(move.seq)},
            "text": text,
        }

    def _may_play(self, outline: Outline, ply: int) -> bool:
        effort = self._playback.effort(outline, ply)
        if effort > self._playable:
            return False
        self._playable -= effort
        return True


_SEATING = frozenset({EventKind.MATCH_CREATED, EventKind.PLAYERS_ASSIGNED})


def _values(printed: Sequence[tuple[str, Any, Any]] | None) -> list[PrintedChange] | None:
    if printed is None:
        return None
    return [{"pointer": at, "before": old, "after": new} for at, old, new in printed[:MAX_VALUES]]


def _ruling(move: Recorded) -> str | None:
    return None if move.entry is None else move.entry.ruling


def _recorders(connection: Connection, match_id: UUID) -> Mapping[str, str]:
    """The names of those who recorded, for the people of the match; others may not know their accounts."""
    return accounts.recorders(connection, match_id) if current_principal().account_id is not None else {}
