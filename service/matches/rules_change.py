"""Judging matches again after the rules of their game have changed: the code has only the current rules.

A match is marked with the rules by which all of it was last found to fit. As long as those are the current ones, its
log is trusted; otherwise its moves are judged again whenever it is read, and the line ends before the first misfit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, cast

import orjson

from domain.catalogue import GAMES
from domain.game import AnyGame, JsonObject, dump_result
from domain.game import Result as GameResult
from domain.match import Player, Rejudged, Timeline, rejudge
from service.db.events import Head, Seated
from service.http.errors import Problem, illegal_move, read_refusal, stored_refusal
from service.http.shapes import Component, Count, Keywords, Ply, Result


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict with the current rules: a move no longer fits, or the result is different."""

    rejudged: Rejudged
    ply: int
    """The first ply that no longer fits, otherwise the last one."""
    result: Mapping[str, Any] | None
    """The result by the current rules if all moves fit."""

    @property
    def is_misfit(self) -> bool:
        """Whether a move no longer fits."""
        return self.rejudged.ply is not None

    def stored(self) -> dict[str, Any]:
        """The form in which the row of the match has it."""
        return {
            "rules_version": self.rejudged.timeline.game.rules_version,
            "ply": self.ply,
            "result": self.result,
            "refusal": _stored_refusal(self.rejudged),
        }


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
    stored = row["rules_conflict"]
    is_by_these = stored is not None and stored["rules_version"] == timeline.game.rules_version
    if is_by_these and rejudged.ply is not None:
        stored = {name: stored[name] for name in ("ply", "result", "rules_version")}
        row = {**row, "rules_conflict": {**stored, "refusal": _stored_refusal(rejudged)}}
    return row, rejudged.timeline


class RulesConflict(TypedDict):
    """How the match is another one since the rules were changed, until accepted or corrected.

    In lists the reason is told in English.
    """

    rules_version: Count
    ply: Annotated[Ply, Keywords(description="The first ply that no longer fits, or the last one if all fit.")]
    problem: Annotated[JsonObject, Component("IllegalMoveProblem")] | None
    result: Result | None
    """The result by these rules, if all moves fit."""


def conflict_document(game_id: str, stored: Mapping[str, Any] | None) -> RulesConflict | None:
    """A conflict as it is stored, as JSON of the API."""
    if stored is None or "problem" in stored:  # stored as a document before 2026-12, until it is judged again
        return cast(RulesConflict | None, stored)
    refusal, problem = stored["refusal"], None
    if refusal is not None:
        problem = illegal_move(read_refusal(GAMES[game_id], refusal), stored["ply"]).document()
    return {
        "ply": stored["ply"],
        "result": stored["result"],
        "problem": problem,
        "rules_version": stored["rules_version"],
    }


def find_conflict(row: Mapping[str, Any], timeline: Timeline) -> Conflict | None:
    """Compare the recorded match with the outcome of the current rules."""
    rejudged = rejudge(timeline)
    head = head_of(rejudged.timeline)
    if rejudged.ply is not None:
        return Conflict(rejudged, rejudged.ply, None)
    result = orjson.loads(orjson.dumps(head.result))
    if (head.status, result) == (row["status"], row["result"]):
        return None
    return Conflict(rejudged, timeline.ply, result)


def _stored_refusal(rejudged: Rejudged) -> dict[str, Any] | None:
    return None if rejudged.refusal is None else stored_refusal(rejudged.refusal)


def require_settling(row: Mapping[str, Any], before: Timeline, after: Timeline) -> None:
    """Refuse a change of a match in conflict that does not settle the conflict."""
    conflict = find_conflict(row, before)
    if conflict is not None and (after.head is before.head or rejudge(after).ply is not None):
        raise _in_conflict(conflict.ply)


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


def _seated(players: tuple[Player, ...], result: GameResult | None) -> tuple[Seated, ...]:
    ranked = {} if result is None else {ranked.seat: (ranked.place, ranked.points) for ranked in result.ranking}
    return tuple(Seated(seat, player, *ranked.get(seat, ())) for seat, player in players)


def _result(timeline: Timeline) -> GameResult | None:
    return None if timeline.abandoned else timeline.result
