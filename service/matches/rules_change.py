"""Judging matches again after the rules of their game have changed: the code has only the current rules.

A match is marked with the rules by which all of it was last found to fit. As long as those are the current ones, its
log is trusted; otherwise its moves are judged again whenever it is read, and the line ends before the first misfit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from domain.game import AnyGame, Result, dump_result
from domain.match import Player, Rejudged, Timeline, rejudge
from service.db.events import Head, Seated
from service.http.errors import Problem, illegal_move


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict with the current rules: a move no longer fits, or the result is different."""

    rejudged: Rejudged
    document: Mapping[str, Any]

    @property
    def is_misfit(self) -> bool:
        """Whether a move no longer fits."""
        return self.rejudged.ply is not None


def is_settled(row: Mapping[str, Any], game: AnyGame) -> bool:
    """Whether a match is known to fit the current rules of its game."""
    return row["rules_version"] == game.rules_version and row["rules_conflict"] is None


def playable(row: Mapping[str, Any], timeline: Timeline) -> Timeline:
    """The part of a timeline that fits the current rules."""
    return timeline if is_settled(row, timeline.game) else rejudge(timeline).timeline


def presented(row: Mapping[str, Any], timeline: Timeline) -> tuple[Mapping[str, Any], Timeline]:
    """A match as far as it fits the current rules, and its row with the refusal of the first misfit, if any."""
    if is_settled(row, timeline.game):
        return row, timeline
    rejudged = rejudge(timeline)
    conflict = row["rules_conflict"]
    is_by_these = conflict is not None and conflict["rules_version"] == timeline.game.rules_version
    if is_by_these and rejudged.ply is not None:
        row = {**row, "rules_conflict": {**conflict, "problem": _problem_of(rejudged)}}
    return row, rejudged.timeline


def find_conflict(row: Mapping[str, Any], timeline: Timeline) -> Conflict | None:
    """Compare the recorded match with the outcome of the current rules."""
    rejudged = rejudge(timeline)
    head = head_of(rejudged.timeline)
    document: dict[str, Any] = {"rules_version": timeline.game.rules_version, "problem": None, "result": None}
    if rejudged.ply is not None:
        document |= {"ply": rejudged.ply, "problem": _problem_of(rejudged)}
        return Conflict(rejudged, document)
    result = orjson.loads(orjson.dumps(head.result))
    if (head.status, result) == (row["status"], row["result"]):
        return None
    return Conflict(rejudged, {**document, "ply": timeline.ply, "result": result})


def _problem_of(rejudged: Rejudged) -> dict[str, Any]:
    assert rejudged.refusal is not None
    assert rejudged.ply is not None
    return illegal_move(rejudged.refusal, rejudged.ply).document()


def require_settling(row: Mapping[str, Any], before: Timeline, after: Timeline) -> None:
    """Refuse a change of a match in conflict that does not settle the conflict."""
    conflict = find_conflict(row, before)
    if conflict is not None and (after.head is before.head or rejudge(after).ply is not None):
        raise _in_conflict(conflict.document["ply"])


def require_whole(row: Mapping[str, Any], timeline: Timeline) -> None:
    """Refuse to continue a match whose line ends before a misfit."""
    if timeline.ply < row["ply"]:
        raise _in_conflict(timeline.ply + 1)


def _in_conflict(ply: int) -> Problem:
    detail = f"The rules were changed, and at ply {ply} the match is another one by now; accept or correct that first."
    return Problem("rules-conflict", detail, ply=ply)


def head_of(timeline: Timeline, seats_before: Sequence[Seated] = ()) -> Head:
    """The new head of a match after its last event, with the seats that changed."""
    result = _result(timeline)
    return Head(
        version=timeline.version,
        rules_version=timeline.game.rules_version,
        edition=timeline.edition.id,
        ply=timeline.ply,
        status=str(timeline.status),
        to_move=timeline.to_move,
        result=dump_result(result),
        seats=[seated for seated in _seated(timeline.players, result) if seated not in seats_before],
    )


def seats_of(timeline: Timeline) -> tuple[Seated, ...]:
    """Players, places and points by seat."""
    return _seated(timeline.players, _result(timeline))


@lru_cache(maxsize=2**10)
def _seated(players: tuple[Player, ...], result: Result | None) -> tuple[Seated, ...]:
    """After most moves the players are the same and the match has not ended."""
    ranked = {} if result is None else {ranked.seat: (ranked.place, ranked.points) for ranked in result.ranking}
    return tuple(Seated(seat, player, *ranked.get(seat, ())) for seat, player in players)


def _result(timeline: Timeline) -> Result | None:
    return None if timeline.abandoned else timeline.result
