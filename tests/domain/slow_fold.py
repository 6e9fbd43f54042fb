"""The fold as it is defined: every event read by itself, every version a list of its own, every line played anew."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from domain.game import AnyGame
from domain.match import Action, Entry, Event, EventKind, Player, Timeline, parse_setup
from domain.match.timeline import UNFIT

Made = tuple[Entry, int, tuple[int, ...]]
"""A move, its event, and the events of what it replaced."""


@dataclass(frozen=True)
class Version:
    """A match after one of its events."""

    players: tuple[Player, ...]
    edition: str
    setup: Any
    start: tuple[int, ...]
    """The events that set it up, the last one last."""
    line: tuple[Made, ...]
    abandoned: bool = False


def read(game: AnyGame, events: Iterable[Event]) -> list[Version]:
    """Every version of a match, the first one first."""
    versions: list[Version] = []
    for event in events:
        versions.append(_after(game, versions, event))
    return versions


def _after(game: AnyGame, versions: list[Version], event: Event) -> Version:
    payload, seq = event.payload, len(versions) + 1
    if not versions:
        players = _players(payload)
        setup = parse_setup(game, [seat for seat, _ in players], payload["setup"])
        return Version(players, payload["edition"], setup, (1,), ())
    now = versions[-1]
    going_on = replace(now, abandoned=False)
    line = now.line
    match event.kind:
        case EventKind.MOVE_MADE:
            return replace(going_on, line=(*line, (_entry(game, payload), seq, ())))
        case EventKind.MOVES_UNDONE:
            return replace(going_on, line=line[: payload["to_ply"]])
        case EventKind.MOVE_CORRECTED:
            index, action = payload["ply"] - 1, payload["action"]
            behind = line[index + (action != Action.INSERT) :]
            kept = behind[: len(behind) - payload["dropped"]]
            if action == Action.REMOVE:
                return replace(going_on, line=(*line[:index], *kept))
            replaced = () if action == Action.INSERT else (*line[index][2], line[index][1])
            return replace(going_on, line=(*line[:index], (_entry(game, payload), seq, replaced), *kept))
        case EventKind.SETUP_CORRECTED:
            setup = parse_setup(game, [seat for seat, _ in now.players], payload["setup"])
            kept = line[: len(line) - payload["dropped"]]
            return replace(going_on, setup=setup, start=(*now.start, seq), line=kept)
        case EventKind.EDITION_CHANGED:
            kept = line[: len(line) - payload["dropped"]]
            return replace(going_on, edition=payload["edition"], start=(*now.start, seq), line=kept)
        case EventKind.PLAYERS_ASSIGNED:
            return replace(now, players=_players(payload))
        case EventKind.TIMELINE_RESTORED:
            earlier: Version = versions[payload["version"] - 1]
            return replace(earlier, players=now.players, abandoned=False)
        case EventKind.MATCH_ABANDONED:
            return replace(now, abandoned=True)
    return going_on


def _players(payload: Any) -> tuple[Player, ...]:
    return tuple(Player(player["seat"], player["player_id"]) for player in payload["players"])


def _entry(game: AnyGame, payload: Any) -> Entry:
    return Entry(payload["seat"], game.move.parse(payload["move"]), payload["ruling"] and payload["ruling"]["reason"])


def require_same(timeline: Timeline, version: Version) -> None:
    """Assert that a timeline is what a version says, its line played from the first move on."""
    game, edition = timeline.game, timeline.edition
    assert (timeline.players, edition.id, timeline.setup) == (version.players, version.edition, version.setup)
    assert timeline.abandoned == version.abandoned
    state = game.rules.start(version.setup, timeline.seats, edition)
    frames = timeline.frames()
    assert (frames[0].state, frames[0].seq, frames[0].replaced) == (state, version.start[-1], version.start[:-1])
    assert len(frames) == len(version.line) + 1
    for ply, (frame, (entry, seq, replaced)) in enumerate(zip(frames[1:], version.line, strict=True), start=1):
        with suppress(*UNFIT):  # such a move leaves the state as it was
            state = game.rules.apply(state, entry.seat or "", entry.move)
        assert (frame.ply, frame.seat, frame.move, frame.ruling) == (ply, *entry)
        assert (frame.seq, frame.replaced, frame.state) == (seq, replaced, state)
