"""The log as people read it: what each event brought into the match, what it took away, and who recorded it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from uuid import UUID

from flask import Response

from domain.history import Event, EventKind, Frame, Timeline, describe
from service.access.asking import asker
from service.access.rights import Right
from service.api import Blueprint
from service.carnet import carnet
from service.fields import Paging, QueryInteger, QueryLanguage
from service.languages import asked_language
from service.matches.reading import require_match
from service.matches.writing import load
from service.requests import read_position, write_position
from service.responses import answer_page, lines, wants_lines
from service.store import accounts, logs, players
from service.store.database import Connection

blueprint = Blueprint("log", __name__, url_prefix="/api/v1/matches/<uuid:match_id>/log", description="Logs to read.")


class LogQuery(Paging):
    """Which lines, in which language."""

    after = QueryInteger()
    lang = QueryLanguage()


@blueprint.get("", Right.READ)
@blueprint.arguments(LogQuery, location="query")
@blueprint.response(200, "LogLinePage", lines="LogLine")
def list_log(query: dict[str, Any], match_id: UUID) -> Response:
    """What each event of the log did, in sentences.

    `came` are the moves that stand since then and `gone` those that no longer do. With `after` only what was recorded
    since that version.
    """
    database = carnet().database
    with database.transaction() as connection:
        teller = _teller(connection, match_id)
        first = max(read_position(query.get("cursor")), query.get("after", 0))
        if not wants_lines():
            last = min(first + query["limit"] + 1, teller.version)
            told = [teller.tell(event) for event in logs.read(connection, match_id, first, last)]
            return answer_page(told, query["limit"], lambda: write_position(first + query["limit"]))
    pages = logs.pages(database, match_id, first, teller.version)
    return lines(lambda: map(teller.tell, chain.from_iterable(pages)))


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells what the events of a match did, one by one."""

    timelines: Sequence[Timeline]
    """After each event, the first one first."""
    language: str
    reasons: Mapping[int, str]
    names: Mapping[str, str]
    """Of players, accounts and links by their ids."""

    @property
    def version(self) -> int:
        """How many events there are."""
        return len(self.timelines)

    def tell(self, event: Event) -> dict[str, Any]:
        """A line of the log."""
        after = self.timelines[event.seq - 1]
        before = self.timelines[event.seq - 2] if event.seq > 1 else None
        return {
            "seq": event.seq,
            "kind": event.kind,
            "recorded_at": event.recorded_at,
            "actor": event.actor,
            "by": None if event.actor is None else self.names.get(event.actor),
            "action": event.payload.get("action"),
            "ply": after.ply,
            "status": str(after.status),
            "came": [self._move(frame) for frame in _missing(after, before)],
            "gone": [] if before is None else [self._move(frame) for frame in _missing(before, after)],
            "players": self._seated(after) if event.kind in _SEATING else None,
            "version": event.payload["version"] if event.kind == EventKind.TIMELINE_RESTORED else None,
        }

    def _move(self, frame: Frame) -> dict[str, Any]:
        assert frame.seq is not None
        game = self.timelines[0].game
        return {
            "ply": frame.ply,
            "seq": frame.seq,
            "seat": frame.seat,
            "move": game.dump_move(frame.move),
            "ruling": None if frame.ruling is None else {"reason": self.reasons.get(frame.seq)},
            "text": describe(game, frame, self.language),
        }

    def _seated(self, timeline: Timeline) -> list[dict[str, Any]]:
        return [{"seat": seat, "name": self.names.get(player)} for seat, player in timeline.players]


_SEATING = frozenset({EventKind.MATCH_CREATED, EventKind.PLAYERS_ASSIGNED})


def _teller(connection: Connection, match_id: UUID) -> Teller:
    row = require_match(connection, match_id)
    timeline = load(connection, row).timeline.at(row["version"])
    timelines = list(_earlier(timeline))[::-1]
    people = {player for at in timelines for _, player in at.players}
    return Teller(
        timelines,
        asked_language(),
        logs.reasons(connection, match_id),
        {**players.names(connection, sorted(people)), **_recorders(connection, match_id)},
    )


def _earlier(timeline: Timeline | None) -> Iterator[Timeline]:
    while timeline is not None:
        yield timeline
        timeline = timeline.earlier


def _recorders(connection: Connection, match_id: UUID) -> Mapping[str, str]:
    """Who recorded the match, for the people of the installation; others may not know their accounts."""
    return accounts.recorders(connection, match_id) if asker().account_id is not None else {}


def _missing(timeline: Timeline, other: Timeline | None) -> list[Frame]:
    """The moves of a timeline that another one does not have, in order."""
    if other is not None and timeline.head.before is other.head:
        return [timeline.head]
    known = set() if other is None else {frame.seq for frame in other.frames()}
    return [frame for frame in timeline.frames() if frame.before is not None and frame.seq not in known]
