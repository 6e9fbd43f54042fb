"""Set-ups of any game, and those of matches of which only the result is known, from old paper notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.forms import Form
from domain.game import AnyGame, JsonObject, Ranked, Result, Seat

POINTS = range(-999, 10_000)


@dataclass(frozen=True, slots=True)
class ResultOnly:
    """Takes the place of a set-up: the points of every seat. Such a match has no moves."""

    points: tuple[tuple[Seat, int], ...]

    def result(self) -> Result:
        """The result by points alone; equal points share a place and the next places are skipped."""
        ranking = tuple(
            Ranked(seat, 1 + sum(other > points for _, other in self.points), points)
            for seat, points in sorted(self.points, key=lambda entry: -entry[1])
        )
        winners = tuple(ranked.seat for ranked in ranking if ranked.place == 1)
        return Result(winners, ranking, "points" if len(winners) == 1 else "shared")


def parse_setup(game: AnyGame, seats: Sequence[Seat], json: object) -> Any:
    """Read the set-up of a match with these seats; raise `Malformed`."""
    if not isinstance(json, Mapping) or "result_only" not in json:
        return game.parse_setup(json)
    form = Form(json)
    if not form.boolean("result_only"):
        form.note("result_only", "must be true or absent")
    noted = form.form("points")
    points = tuple((seat, noted.integer(seat, POINTS)) for seat in seats)
    noted.close()
    form.finish()
    return ResultOnly(points)


def dump_setup(game: AnyGame, setup: Any) -> JsonObject:
    """A set-up as JSON."""
    if isinstance(setup, ResultOnly):
        return {"result_only": True, "points": dict(setup.points)}
    return game.dump_setup(setup)
