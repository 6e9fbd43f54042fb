"""The content of a replay in one file: a match ply by ply in all languages, without what is of this installation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypedDict, cast
from uuid import UUID

from flask import current_app

from domain.game import JsonObject
from domain.match import Frame, Timeline
from service.annotations.documents import notes_of
from service.db.pool import Connection
from service.games.editions import edition_document
from service.http.locale import LANGUAGES
from service.http.responses import encoded
from service.matches.documents import match_members, sentence, state_document
from service.matches.queries import recorded_of
from service.matches.results import BreakdownRow, Turn, breakdown_of, turning_point_of

GONE: Final = 0
"""The change of a member that is no longer there."""
MEMBERS: Final = ("id", "game", "status", "ply", "to_move", "result", "played_at", "venue", "rules_conflict")
"""The members of a match that leave; accounts, tags and rights stay here."""
NOTE: Final = ("text", "glyph", "marks", "line", "by")


class Ply(TypedDict):
    """A ply: what was done, and what it changed of the state before."""

    seq: int
    recorded_at: str | None
    seat: str | None
    move: JsonObject | None
    ruling: Mapping[str, str | None] | None
    change: Any
    annotations: list[dict[str, Any]]


class Replay(TypedDict):
    """A match ply by ply."""

    match: dict[str, Any]
    edition: JsonObject
    plies: list[Ply]
    breakdown: list[BreakdownRow]
    """Where the points of a finished match came from."""
    turning_point: Turn | None
    texts: dict[str, list[str]]
    """The sentences of the plies by language."""


Render: TypeAlias = Callable[[Replay], str]


def render(replay: Replay) -> str:
    """The file, made by the pages, which stand above this layer; the application names the function."""
    return str(current_app.extensions["replay_file"](replay))


def read_replay(connection: Connection, match_id: UUID, row: Mapping[str, Any], timeline: Timeline) -> Replay:
    """All of a match that was recorded by moves, as the reader sees it.

    Hidden notes are left out even for those who see them, because the file is made to be handed on.
    """
    frames = timeline.frames()
    recorded = recorded_of(connection, match_id, frames)
    notes = notes_of(connection, match_id, timeline, frames)
    members: Mapping[str, Any] = match_members(row)
    players = [{"seat": player["seat"], "name": player["name"]} for player in row["players"]]
    plies: list[Ply] = []
    for frame, change in zip(frames, _changes(timeline, frames), strict=True):
        assert frame.seq is not None
        event = recorded[frame.seq]
        plies.append(
            {
                "seq": frame.seq,
                "recorded_at": event.recorded_at,
                "seat": frame.seat,
                "move": None if frame.before is None else timeline.game.move.dump(frame.move),
                "ruling": None if frame.before is None or frame.ruling is None else {"reason": event.reason},
                "change": change,
                "annotations": [
                    {name: cast(Any, note)[name] for name in NOTE}
                    for note in notes.of_ply(frame.ply)
                    if not note["hidden"]
                ],
            }
        )
    return {
        "match": {**{name: members[name] for name in MEMBERS}, "players": players},
        "edition": edition_document(timeline.edition),
        "plies": plies,
        "breakdown": breakdown_of(timeline) if row["status"] == "finished" else [],
        "turning_point": turning_point_of(timeline) if row["status"] == "finished" else None,
        "texts": {language: [sentence(timeline, frame, language) for frame in frames] for language in LANGUAGES},
    }


def _changes(timeline: Timeline, frames: Sequence[Frame]) -> Iterator[Any]:
    before: Any = {}
    for frame in frames:
        state = state_document(timeline, frame)
        yield change_of(before, state)
        before = state


def change_of(before: Any, after: Any) -> Any:
    """The difference of two values of JSON: the changed members by name or index, or all of it in a list.

    >>> change_of({"ply": 1, "turn": {"acted": True, "seat": "red"}, "gone": 3}, {"ply": 2, "turn": {"acted": True}})
    {'ply': [2], 'turn': {'seat': 0}, 'gone': 0}
    """
    if isinstance(before, dict) and isinstance(after, dict):
        kept = {name: value for name, value in after.items() if name not in before or value != before[name]}
        changed = {name: change_of(before[name], value) if name in before else [value] for name, value in kept.items()}
        return changed | dict.fromkeys((name for name in before if name not in after), GONE)
    if isinstance(before, list) and isinstance(after, list) and len(after) >= len(before):
        changes = {
            str(index): change_of(before[index], value) if index < len(before) else [value]
            for index, value in enumerate(after)
            if index >= len(before) or value != before[index]
        }
        if len(encoded(changes)) < len(encoded([after])):
            return changes
    return [after]
