"""Matches, frames and events as JSON."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

import orjson

from domain.game import GainItem as Item
from domain.match import Event, EventKind, Frame, Status, Timeline, describe, dump_setup
from service.db.categories import RulingsSetting
from service.db.events import UNREAD, Recorded
from service.http.shapes import (
    Actor,
    Component,
    Count,
    GameId,
    Hash,
    Id,
    Keywords,
    Move,
    Ply,
    Result,
    Seat,
    Seq,
    Setup,
    State,
    Time,
    Version,
    result_document,
)
from service.identity import as_text, text_of
from service.matches.outcomes import CorrectionOutcome
from service.matches.rules_change import RulesConflict, conflict_document
from service.permissions import Visibility

Rulings: TypeAlias = Annotated[
    RulingsSetting,
    Keywords(
        description="In which figures of statistics the match counts if it has table rulings: in wins, places and "
        "ratings alone (`results`), in all or in none."
    ),
]


class MatchPlayer(TypedDict):
    """Who sits at a seat."""

    seat: Seat
    player_id: Id
    name: str


class DetailsMembers(TypedDict):
    """What is known of a match beside its log."""

    played_at: Time
    venue: str | None
    tags: list[str]
    withdrawn: bool
    visibility: Visibility
    rulings_in_statistics: Rulings
    changed_at: Time


class MatchMembers(DetailsMembers):
    """A match without its set-up."""

    id: Id
    game: GameId
    edition: str
    rules_version: Count
    rules_conflict: RulesConflict | None
    players: list[MatchPlayer]
    seats_known: bool
    """False if nobody knows who sat where, so that the seats are only labels."""
    status: Status
    version: Version
    revision: Count
    """How often details outside the log were changed."""
    ply: Ply
    to_move: Seat | None
    result: Result | None
    owner_id: Id | None
    """The account that the match belongs to."""
    created_at: Time


class MatchSummary(MatchMembers):
    """A match in a list, without its set-up."""

    board: NotRequired[str | None]
    """The last position as a small SVG without ids."""
    score: NotRequired[Mapping[str, int] | None]
    """The points of each seat in the last position."""


class Match(MatchMembers):
    """A match with its set-up."""

    setup: Setup


def match_document(row: Mapping[str, Any], timeline: Timeline) -> Match:
    return {**match_members(row), "setup": dump_setup(timeline.game, timeline.setup)}


def match_members(row: Mapping[str, Any]) -> MatchMembers:
    return {
        "id": str(row["match_id"]),
        "game": row["game"],
        "edition": row["edition"],
        "rules_version": row["rules_version"],
        "rules_conflict": conflict_document(row["game"], row["rules_conflict"]),
        "players": row["players"],
        "seats_known": row["seats_known"],
        "status": row["status"],
        "version": row["version"],
        "revision": row["revision"],
        "ply": row["ply"],
        "to_move": row["to_move"],
        "result": row["result"],
        **_details(row),
        "owner_id": text_of(row["owner_id"]),
        "created_at": as_text(row["created_at"]),
    }


class DetailsDocument(DetailsMembers):
    """What is known of a match beside its log, as it was at one time."""

    revision: Count
    actor: Actor


def details_document(row: Mapping[str, Any]) -> DetailsDocument:
    return {"revision": row["revision"], **_details(row), "actor": row["actor"]}


def _details(row: Mapping[str, Any]) -> DetailsMembers:
    return {
        "played_at": as_text(row["played_at"]),
        "venue": row["venue"],
        "tags": row["tags"],
        "withdrawn": row["withdrawn"],
        "visibility": row["visibility"],
        "rulings_in_statistics": row["rulings_in_statistics"],
        "changed_at": as_text(row["changed_at"]),
    }


class Reached(TypedDict):
    """Where a match stands."""

    version: Version
    ply: Ply
    to_move: Seat | None
    status: Status
    result: Result | None
    state: State | None


class Position(Reached):
    """Where a match stands after a write."""

    legal_moves: NotRequired[list[Move]]
    """Moves as they can be posted."""


class Correction(Reached, CorrectionOutcome):
    """A match after a correction, with what became of its later moves."""


def reached_document(timeline: Timeline) -> Reached:
    """Where a match stands after a write."""
    return {
        "version": timeline.version,
        "ply": timeline.ply,
        "to_move": timeline.to_move,
        "status": timeline.status,
        "result": result_document(timeline.result),
        "state": state_document(timeline, timeline.head),
    }


def state_document(timeline: Timeline, frame: Frame) -> State | None:
    """The state after a ply; None if only the result is known."""
    return None if timeline.is_result_only else timeline.game.view.dump(frame.state)


def legal_moves(timeline: Timeline) -> list[Move]:
    """The legal moves at the end of a timeline; none if nobody may move."""
    if timeline.abandoned:
        return []
    return legal_moves_after(timeline, timeline.head)


def legal_moves_after(timeline: Timeline, frame: Frame) -> list[Move]:
    """The legal moves in the state of a frame, which may belong to a what-if line."""
    return [timeline.game.move.dump(move) for move in timeline.game.rules.legal_moves(frame.state)]


class GainItem(TypedDict):
    """A part of what a move would change in the points of its seat."""

    category: str
    """As in the score of the game; `points` is what is given at once."""
    points: int
    text: str
    """A few words in the language of the request."""


class Gain(TypedDict):
    """What a move would give the seat that makes it."""

    points: int
    """How its total would differ."""
    items: list[GainItem]


def gains_after(timeline: Timeline, frame: Frame, language: str) -> list[Gain]:
    """What each of `legal_moves_after` would give the seat to move."""
    game = timeline.game
    gains = game.telling.gains(frame.state, game.rules.legal_moves(frame.state), language)
    return [{"points": gain.points, "items": [_gain_item(item) for item in gain.items]} for gain in gains]


def _gain_item(item: Item) -> GainItem:
    return {"category": item.category, "points": item.points, "text": item.text}


class RecordedRuling(TypedDict):
    """A table ruling with its reason, null if the text is missing."""

    reason: str | None


class FrameDocument(TypedDict):
    """A match after one ply: the move, a sentence for it, and the state."""

    ply: Ply
    seq: Seq
    recorded_at: Time
    """When its event was recorded."""
    seat: Seat | None
    move: Move | None
    ruling: RecordedRuling | None
    text: str
    """One sentence for the move."""
    state: State | None
    annotations: NotRequired[list[Annotated[Any, Component("Annotation")]]]


def frame_document(
    timeline: Timeline, frame: Frame, language: str, recorded: Mapping[int, Recorded], *, with_state: bool = True
) -> FrameDocument:
    """One ply with its sentence and the state after it."""
    assert frame.seq is not None
    event = recorded.get(frame.seq, UNREAD)
    return {
        "ply": frame.ply,
        "seq": frame.seq,
        "recorded_at": event.recorded_at,
        "seat": frame.seat,
        "move": None if frame.before is None else timeline.game.move.dump(frame.move),
        "ruling": None if frame.before is None or frame.ruling is None else {"reason": event.reason},
        "text": sentence(timeline, frame, language),
        "state": state_document(timeline, frame) if with_state else None,
    }


def sentence(timeline: Timeline, frame: Frame, language: str) -> str:
    """What happened at a ply; for a move that the present rules cannot play, that."""
    if frame.before is None:
        return _SET_UP[language]
    return describe(timeline, frame, language) or _UNPLAYABLE[language]


_UNPLAYABLE = {
    "en": "This move was recorded under earlier rules and cannot be played by the present ones.",
    "pl": "Ten ruch zapisano według wcześniejszych zasad i nie da się go odtworzyć według obecnych.",
    "cs": "Tento tah byl zaznamenán podle dřívějších pravidel a podle současných jej nelze přehrát.",
    "pt": "Esta jogada foi registada segundo regras anteriores e não pode ser reproduzida pelas atuais.",
}

_SET_UP = {
    "en": "The match is set up.",
    "pl": "Partia jest przygotowana.",
    "cs": "Partie je připravena.",
    "pt": "A partida está preparada.",
}


def frames_between(timeline: Timeline, first: int, last: int) -> Iterator[Frame]:
    """The frames of some plies, in order."""
    return (frame for frame in timeline.frames() if first <= frame.ply <= last)


KindOfEvent: TypeAlias = Annotated[str, Keywords(enum=[str(kind) for kind in EventKind])]


class EventDocument(TypedDict):
    """`hash` is the SHA-256 of the canonical form (RFC 8785) of all else and the id of the match."""

    seq: Seq
    kind: KindOfEvent
    """What happened."""
    payload: Annotated[Any, Keywords(type="object")]
    """What the event says, by its kind: ids and numbers, no names and no free text."""
    actor: Actor
    recorded_at: Annotated[str, Keywords(format="date-time", pattern=r"\.\d{6}Z$")]
    hash: Hash
    """The SHA-256 of the event in its canonical form."""
    prev_hash: Hash | None
    """The hash of the event before, null for the first."""


def event_document(event: Event) -> EventDocument:
    """An event of the log exactly as it was hashed, without its match."""
    return {
        "seq": event.seq,
        "kind": event.kind,
        "payload": orjson.Fragment(event.text),
        "actor": event.actor,
        "recorded_at": event.recorded_at,
        "hash": event.hash,
        "prev_hash": event.prev_hash,
    }
