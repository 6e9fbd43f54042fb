"""Matches, frames and events as JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from domain.game import dump_result
from domain.match import Event, Frame, Timeline, describe, dump_setup
from service.db.events import Recorded
from service.identity import as_text
from service.matches.rules_change import conflict_document


def match_document(row: Mapping[str, Any], timeline: Timeline | None = None) -> dict[str, Any]:
    """A match from its row; with a timeline also its set-up."""
    document = {
        "id": str(row["match_id"]),
        "game": row["game"],
        "edition": row["edition"],
        "rules_version": row["rules_version"],
        "rules_conflict": conflict_document(row["game"], row["rules_conflict"]),
        "players": row["players"],
        "status": row["status"],
        "version": row["version"],
        "revision": row["revision"],
        "ply": row["ply"],
        "to_move": row["to_move"],
        "result": row["result"],
        "played_at": as_text(row["played_at"]),
        "venue": row["venue"],
        "tags": row["tags"],
        "withdrawn": row["withdrawn"],
        "visibility": row["visibility"],
        "rulings_in_statistics": row["rulings_in_statistics"],
        "owner_id": None if row["owner_id"] is None else str(row["owner_id"]),
        "created_at": as_text(row["created_at"]),
        "changed_at": as_text(row["changed_at"]),
    }
    if timeline is not None:
        document["setup"] = dump_setup(timeline.game, timeline.setup)
    return document


def position_document(timeline: Timeline) -> dict[str, Any]:
    """The position of a match after a write."""
    return {
        "version": timeline.version,
        "ply": timeline.ply,
        "to_move": timeline.to_move,
        "status": str(timeline.status),
        "result": dump_result(timeline.result),
        "state": state_document(timeline, timeline.head),
    }


def state_document(timeline: Timeline, frame: Frame) -> dict[str, Any] | None:
    """The state after a ply; None if only the result is known."""
    return None if timeline.is_result_only else timeline.game.view.dump(frame.state)


def legal_moves(timeline: Timeline) -> list[dict[str, Any]]:
    """The legal moves at the end of a timeline; none if nobody may move."""
    if timeline.abandoned:
        return []
    return legal_moves_after(timeline, timeline.head)


def legal_moves_after(timeline: Timeline, frame: Frame) -> list[dict[str, Any]]:
    """The legal moves in the state of a frame, which may belong to a what-if line."""
    return [timeline.game.move.dump(move) for move in timeline.game.rules.legal_moves(frame.state)]


def frame_document(
    timeline: Timeline, frame: Frame, language: str, recorded: Mapping[int, Recorded], *, with_state: bool = True
) -> dict[str, Any]:
    """One ply with its sentence and the state after it."""
    event = recorded.get(frame.seq) if frame.seq is not None else None
    document: dict[str, Any] = {
        "ply": frame.ply,
        "seq": frame.seq,
        "recorded_at": event and event.recorded_at,
        "seat": frame.seat,
        "move": None,
        "ruling": None,
        "text": sentence(timeline, frame, language),
    }
    if frame.before is not None:
        document["move"] = timeline.game.move.dump(frame.move)
        if frame.ruling is not None:
            document["ruling"] = {"reason": event and event.reason}
    if with_state:
        document["state"] = state_document(timeline, frame)
    return document


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


def event_document(event: Event) -> dict[str, Any]:
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
