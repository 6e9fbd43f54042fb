"""Points of Paris at any ply: those given so far, the tiles that count francs, districts; and the result."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from domain.game import Result, Seat
from domain.games.paris import parts
from domain.games.paris.parts import District, Place, SeatIndex, Tile
from domain.games.paris.state import NOTHING, OVER, Award, Side, State
from domain.ranking import ranked

TIE_BREAKS: Final = ("francs", "properties")


class Standing(NamedTuple):
    """What a seat has in a district, and what that is worth."""

    owned: tuple[Place, ...]
    """Once for each key, in ascending order of value."""
    value: int
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """Where the points of one seat come from if the match ended now."""

    awards: tuple[Award, ...]
    """What was given so far."""
    francs: Mapping[Tile, int]
    """The points of each tile that counts francs."""
    districts: Mapping[District, Standing]
    """Where it has a property and a scoring tile lies."""

    @property
    def given(self) -> int:
        return sum([award.points for award in self.awards])

    @property
    def total(self) -> int:
        return self.given + sum(self.francs.values()) + sum(standing.points for standing in self.districts.values())


def score(state: State) -> dict[Seat, SeatScore]:
    standings = {district: district_standings(state, district) for district in scored_districts(state)}
    return {
        seat: SeatScore(
            side.awards,
            _points_for_francs(state, side),
            {district: standing[me] for district, standing in standings.items() if me in standing},
        )
        for me, (seat, side) in enumerate(zip(state.table.seats, state.sides, strict=True))
    }


def differences(before: State, after: State, me: SeatIndex) -> Iterator[tuple[District | None, str, int]]:
    """How the points of a seat differ between a state and one that follows it, by category, districts one by one."""
    was, now = before.sides[me], after.sides[me]
    if points := now.points - was.points:
        yield None, "points", points
    scored = {*scored_districts(before), *scored_districts(after)}
    for district in sorted(scored):
        if _is_same(before, after, district):
            continue
        if points := _points_in(after, district, me) - _points_in(before, district, me):
            yield district, "district", points
    francs = sum(_points_for_francs(after, now).values()) - sum(_points_for_francs(before, was).values())
    if francs:
        yield None, "francs_tile", francs


def _is_same(before: State, after: State, district: District) -> bool:
    """Whether nothing that counts in a district differs."""
    one, other = before.board, after.board
    if one.scoring[district] != other.scoring[district] or one.properties(district) != other.properties(district):
        return False
    return all(one.keys[place] == other.keys[place] for place in one.properties(district))


def _points_in(state: State, district: District, me: SeatIndex) -> int:
    if state.board.scoring[district] == NOTHING:
        return 0
    standing = district_standings(state, district).get(me)
    return standing.points if standing else 0


def totals(state: State) -> dict[Seat, int]:
    points = [side.points + sum(_points_for_francs(state, side).values()) for side in state.sides]
    for district in scored_districts(state):
        for owner, standing in district_standings(state, district).items():
            points[owner] += standing.points
    return dict(zip(state.table.seats, points, strict=True))


def scored_districts(state: State) -> list[District]:
    return [district for district, tile in enumerate(state.board.scoring) if tile != NOTHING]


def _points_for_francs(state: State, side: Side) -> dict[Tile, int]:
    return {tile: effect.points * side.francs for tile, effect in state.edition.franc_tiles if side.held >> tile & 1}


def district_standings(state: State, district: District) -> dict[SeatIndex, Standing]:
    """The standing of every seat that has a property in a district with a scoring tile."""
    owned: dict[SeatIndex, list[Place]] = {}
    for place in state.board.properties(district):
        for owner in state.board.keys[place]:
            owned.setdefault(owner, []).append(place)
    values = {owner: [parts.PLACE_VALUE[place] for place in places] for owner, places in owned.items()}
    strength = {owner: (sum(mine), max(mine)) for owner, mine in values.items()}
    first = max(strength.values(), default=(0, 0))
    printed = state.edition.scoring_tiles[state.board.scoring[district]]
    found = {}
    for owner, (value, best) in strength.items():
        rank = 1 + sum(other > (value, best) for other in strength.values())
        half = state.players > 2 or 2 * value >= first[0]
        points = printed[rank - 1] if half and rank <= len(printed) else 0
        found[owner] = Standing(tuple(owned[owner]), value, rank, points)
    return found


def result(state: State) -> Result | None:
    if state.phase is not OVER:
        return None
    merits = {
        seat: (seat_score.total, side.francs, _value_of_properties(state, me))
        for me, ((seat, seat_score), side) in enumerate(zip(score(state).items(), state.sides, strict=True))
    }
    return ranked(merits, TIE_BREAKS)


def _value_of_properties(state: State, me: SeatIndex) -> int:
    return sum(parts.PLACE_VALUE[place] * state.board.keys[place].count(me) for place in parts.PROPERTIES)
