"""Set-ups of any game, and those of matches of which only the result is known, from old paper notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.forms import Form
from domain.game import AnyGame, JsonObject, Ranked, Result, Seat

POINTS = range(-999, 10_000)


@dataclass(frozen=True, slots=True)
class Tie:
    """The winners among the seats with the most points, and the tie-break that decided."""

    winner: Seat
    decided_by: str


@dataclass(frozen=True, slots=True)
class ResultOnly:
    """Takes the place of a set-up: the points of every seat. Such a match has no moves.

    `tie` says how equal points were decided; without it they share the win.
    """

    points: tuple[tuple[Seat, int], ...]
    tie: Tie | None = None

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with the most points."""
        most = max(points for _, points in self.points)
        return tuple(seat for seat, points in self.points if points == most)

    def result(self) -> Result:
        """The result by points and the decided tie; equal places are shared and the next ones are skipped."""
        winner = None if self.tie is None else self.tie.winner
        merits = {seat: (points, seat == winner) for seat, points in self.points}
        ranking = tuple(
            Ranked(seat, 1 + sum(other > merit for other in merits.values()), merit[0])
            for seat, merit in sorted(merits.items(), key=lambda entry: entry[1], reverse=True)
        )
        winners = tuple(ranked.seat for ranked in ranking if ranked.place == 1)
        if self.tie is not None:
            return Result(winners, ranking, self.tie.decided_by)
        return Result(winners, ranking, "points" if len(winners) == 1 else "shared")


def parse_setup(game: AnyGame, seats: Sequence[Seat], json: object) -> Any:
    """Read the set-up of a match with these seats; raise `Malformed`."""
    if not isinstance(json, Mapping) or "result_only" not in json:
        return game.setup.parse(json)
    form = Form(json)
    if not form.boolean("result_only"):
        form.note("result_only", "must be true or absent")
    noted = form.form("points")
    points = tuple((seat, noted.integer(seat, POINTS)) for seat in seats)
    noted.close()
    leaders = tuple(seats) if form.errors else ResultOnly(points).leaders
    tie = _parse_tie(game, leaders, form.form("tie")) if form.has("tie") else None
    form.finish()
    return ResultOnly(points, tie)


def _parse_tie(game: AnyGame, leaders: Sequence[Seat], form: Form) -> Tie:
    """Read how a tie of the seats with the most points was decided."""
    if len(leaders) == 1:
        form.note("", "must be absent where one seat has the most points")
    winner = form.choice("winner", {seat: seat for seat in leaders})
    decided_by = form.choice("decided_by", {tie_break: tie_break for tie_break in game.tie_breaks})
    form.close()
    return Tie(winner, decided_by)


def dump_setup(game: AnyGame, setup: Any) -> JsonObject:
    """A set-up as JSON."""
    if isinstance(setup, ResultOnly):
        tie = {} if setup.tie is None else {"tie": {"winner": setup.tie.winner, "decided_by": setup.tie.decided_by}}
        return {"result_only": True, "points": dict(setup.points), **tie}
    return game.setup.dump(setup)
