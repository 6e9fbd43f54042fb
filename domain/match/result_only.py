"""Matches of which only the result is known, from old paper notes: a game without moves, whose set-up is its state.

`parse_setup` and `dump_setup` read and write set-ups of any match.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar

from domain.forms import Form
from domain.game import AnyGame, JsonObject, NoStatistics, Result, Seat
from domain.match.errors import MatchResultOnly
from domain.ranking import ranked

POINTS = range(-999, 10_000)


@dataclass(frozen=True, slots=True)
class Tie:
    winner: Seat
    decided_by: str


@dataclass(frozen=True, slots=True)
class ResultOnly:
    """The points of every seat, as set-up and as state.

    `tie` says how equal points were decided; without it they share the win. Where nobody knows who sat where, seats are
    only labels.
    """

    points: tuple[tuple[Seat, int], ...]
    tie: Tie | None = None
    seats_unknown: bool = False
    ply: ClassVar = 0
    to_move: ClassVar = None

    @property
    def leaders(self) -> tuple[Seat, ...]:
        most = max(points for _, points in self.points)
        return tuple(seat for seat, points in self.points if points == most)

    def result(self) -> Result:
        """The result by points and the decided tie; equal places are shared and the next ones are skipped."""
        if self.tie is None:
            return ranked({seat: (points,) for seat, points in self.points}, ())
        merits = {seat: (points, int(seat == self.tie.winner)) for seat, points in self.points}
        return ranked(merits, (self.tie.decided_by,))


class _Rules:
    def start(self, setup: ResultOnly, seats: Sequence[Seat], edition: object) -> ResultOnly:
        return setup

    def check(self, state: ResultOnly, seat: Seat, move: object) -> None:
        raise MatchResultOnly

    def apply(self, state: ResultOnly, seat: Seat, move: object) -> ResultOnly:
        raise MatchResultOnly

    def legal_moves(self, state: ResultOnly) -> Iterator[object]:
        return iter(())

    def random_move(self, state: ResultOnly, random: Random) -> None:
        return None

    def totals(self, state: ResultOnly) -> Mapping[Seat, int]:
        return dict(state.points)

    def result(self, state: ResultOnly) -> Result:
        return state.result()


def game_of(game: AnyGame, setup: object) -> AnyGame:
    """The game that is played with a set-up: where only the result is known, one without moves."""
    if not isinstance(setup, ResultOnly):
        return game
    return replace(game, rules=_Rules(), statistics=NoStatistics(game.statistics.VARIANTS))


def parse_setup(game: AnyGame, seats: Sequence[Seat], json: object) -> Any:
    if not isinstance(json, Mapping) or "result_only" not in json:
        return game.setup.parse(json)
    form = Form(json)
    form.flag("result_only")
    seats_unknown = form.flag("seats_unknown")
    noted = form.form("points")
    points = tuple((seat, noted.integer(seat, POINTS)) for seat in seats)
    noted.close()
    leaders = tuple(seats) if form.errors else ResultOnly(points).leaders
    tie = _parse_tie(game, leaders, form.form("tie")) if form.has("tie") else None
    form.finish()
    return ResultOnly(points, tie, seats_unknown)


def _parse_tie(game: AnyGame, leaders: Sequence[Seat], form: Form) -> Tie:
    if len(leaders) == 1:
        form.note("", "must be absent where one seat has the most points")
    winner = form.word("winner", leaders)
    decided_by = form.word("decided_by", game.tie_breaks)
    form.close()
    return Tie(winner, decided_by)


def dump_setup(game: AnyGame, setup: Any) -> JsonObject:
    if isinstance(setup, ResultOnly):
        tie = {} if setup.tie is None else {"tie": {"winner": setup.tie.winner, "decided_by": setup.tie.decided_by}}
        unknown = {"seats_unknown": True} if setup.seats_unknown else {}
        return {"result_only": True, **unknown, "points": dict(setup.points), **tie}
    return game.setup.dump(setup)
