"""Points of Paris at any ply: those given so far, the tile that counts francs, districts; and the result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from domain.game import Ranked, Result, Seat
from domain.games.paris.edition import PerFranc
from domain.games.paris.parts import DISTRICTS, PLACE_VALUE, PROPERTIES
from domain.games.paris.state import NOTHING, OVER, Side, State, bits


class Standing(NamedTuple):
    """What a seat has in a district, and what that is worth."""

    value: int
    best: int
    """The value of the most valuable property."""
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The points of one seat if the match ended now."""

    points: int
    francs_tile: int
    districts: Mapping[str, int]
    """The districts with a scoring tile."""

    @property
    def total(self) -> int:
        """All points."""
        return self.points + self.francs_tile + sum(self.districts.values())


def score(state: State) -> dict[Seat, SeatScore]:
    """What every seat would score if the match ended now."""
    scored = {DISTRICTS[district]: standings(state, district) for district in scored_districts(state)}
    return {
        seat: SeatScore(
            points=side.points,
            francs_tile=sum(points_of_francs(state, side).values()),
            districts={district: standing[me].points if me in standing else 0 for district, standing in scored.items()},
        )
        for me, (seat, side) in enumerate(zip(state.table.seats, state.sides, strict=True))
    }


def totals(state: State) -> dict[Seat, int]:
    """The points of each seat if the match ended now."""
    return {seat: seat_score.total for seat, seat_score in score(state).items()}


def scored_districts(state: State) -> list[int]:
    """The districts with a scoring tile."""
    return [district for district, tile in enumerate(state.board.scoring) if tile != NOTHING]


def points_of_francs(state: State, side: Side) -> dict[int, int]:
    """The points of each held tile that counts francs at the end."""
    points = {}
    for tile in bits(side.held):
        effect = state.edition.effects[tile]
        if isinstance(effect, PerFranc):
            points[tile] = effect.points * side.francs
    return points


def standings(state: State, district: int) -> dict[int, Standing]:
    """The standing of every seat that has a property in a district with a scoring tile."""
    owned: dict[int, list[int]] = {}
    for place in state.board.properties(district):
        for owner in state.board.keys[place]:
            owned.setdefault(owner, []).append(PLACE_VALUE[place])
    strength = {owner: (sum(values), max(values)) for owner, values in owned.items()}
    first = max(strength.values(), default=(0, 0))
    printed = state.edition.scoring_tiles[state.board.scoring[district]]
    found = {}
    for owner, (value, best) in strength.items():
        place = 1 + sum(other > (value, best) for other in strength.values())
        half = state.players > 2 or 2 * value >= first[0]
        found[owner] = Standing(value, best, place, printed[place - 1] if half and place <= len(printed) else 0)
    return found


def result(state: State) -> Result | None:
    """The result, or None as long as somebody is to move."""
    if state.phase != OVER:
        return None
    scores = score(state)
    merits = {
        seat: (scores[seat].total, side.francs, _value_of_properties(state, me))
        for me, (seat, side) in enumerate(zip(state.table.seats, state.sides, strict=True))
    }
    ranking = sorted(
        (Ranked(seat, 1 + sum(other > merit for other in merits.values()), merit[0]) for seat, merit in merits.items()),
        key=lambda ranked: ranked.place,
    )
    best, second = (merits[ranked.seat] for ranked in ranking[:2])
    decided_by = next(
        (word for word, one, other in zip(_DECIDING, best, second, strict=True) if one != other), "shared"
    )
    return Result(tuple(ranked.seat for ranked in ranking if ranked.place == 1), tuple(ranking), decided_by)


TIE_BREAKS = ("francs", "properties")
"""What decides between equal points, in this order."""
_DECIDING = ("points", *TIE_BREAKS)


def _value_of_properties(state: State, me: int) -> int:
    return sum(PLACE_VALUE[place] * state.board.keys[place].count(me) for place in PROPERTIES)
