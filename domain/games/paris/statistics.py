"""What statistics ask of a match of Paris: what the seats got, who led when, how it opened."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.game import Feature, FeatureKind, Frame, Seat, Step
from domain.games.paris import parts
from domain.games.paris.moves import EndTurn, Reveal, TakeEndTile
from domain.games.paris.parts import Place, Tile
from domain.games.paris.scoring import SeatScore, score, scored_districts, totals
from domain.games.paris.setup import FREE_PLACEMENT, Setup
from domain.games.paris.state import State
from domain.games.paris.texts import sentence

_DEEDS: Final = (
    *(f"bonus:{number}" for number in parts.TRACK),
    *(f"landmark:{value}" for value in parts.LANDMARKS),
    *(f"end_tile:{tile}" for tile in parts.END_TILES),
    *(f"district:{district}" for district in parts.DISTRICTS),
)
_AMOUNTS: Final = ("francs", "keys")
_NAMED: Final = {"bonus": "tile", "landmark": "value", "end_tile": "tile", "district": "district"}
"""By what name the sentences have the thing that a deed is about."""
FEATURE_KINDS: Final[Mapping[str, FeatureKind]] = {
    **dict.fromkeys(_DEEDS, FeatureKind.DEED),
    **dict.fromkeys(_AMOUNTS, FeatureKind.AMOUNT),
}
_SCORING_BONUSES: Final = (6, 7, 11, 15, 18, 20, 22, 23, 24, 26, 27, 28, 29, 30)
_SCORING_END_TILES: Final = ("e01", "e02", "e03", "e04", "e05", "e12")
PART_OF_SCORE: Final = frozenset(
    {
        *(f"bonus:{number}" for number in _SCORING_BONUSES),
        *(f"landmark:{value}" for value in parts.LANDMARKS),
        *(f"end_tile:{tile}" for tile in _SCORING_END_TILES),
        *(f"district:{district}" for district in parts.DISTRICTS),
    }
)
"""Tiles by what is printed on them in the rulebook's edition."""

VARIANTS: Final = ("standard", "advanced", FREE_PLACEMENT, f"advanced_{FREE_PLACEMENT}")
"""By bits, whether the set-up is advanced and whether buildings are placed freely."""


def variant(setup: Setup) -> str:
    return VARIANTS[bool(setup.track) + 2 * setup.free_placement]


def definitions(language: str = "en") -> Mapping[str, str]:
    return {name: _definition(name, language) for name in (*FEATURE_KINDS, "lead_changes", "opening")}


def _definition(name: str, language: str) -> str:
    kind, _, thing = name.partition(":")
    return sentence("features", kind, language, **{_NAMED[kind]: thing} if thing else {})


def features(line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
    """What the seats got in a finished match: bonus tiles used, landmarks, end tiles, districts won, francs and keys.

    A district can be won if it has a scoring tile. Keys count where they own something.
    """
    final: State = line[-1].state
    scored = {parts.DISTRICTS[district] for district in scored_districts(final)}
    found: dict[str, dict[Seat, Feature]] = {
        name: {} for name in FEATURE_KINDS if not name.startswith("district:") or name.partition(":")[2] in scored
    }
    scores = score(final)
    for frame in line[1:]:
        if isinstance(frame.move, TakeEndTile):
            assert frame.seat is not None
            tile = frame.move.tile
            found[f"end_tile:{parts.TILE_NAMES[tile]}"][frame.seat] = Feature(1, _given(scores[frame.seat], tile))
    for me, (seat, seat_score) in enumerate(scores.items()):
        side, keys = final.sides[me], final.board.keys
        for number in parts.TRACK:
            if side.used >> number & 1 or number in seat_score.francs:
                points = _given(seat_score, number) + seat_score.francs.get(number, 0)
                found[f"bonus:{number}"][seat] = Feature(1, points)
        for place, value in enumerate(parts.LANDMARKS, parts.FIRST_LANDMARK):
            if me in keys[place]:
                found[f"landmark:{value}"][seat] = Feature(1, _given(seat_score, place=place))
        for district, standing in seat_score.districts.items():
            if standing.place == 1:
                found[f"district:{parts.DISTRICTS[district]}"][seat] = Feature(1, standing.points)
        found["francs"][seat] = Feature(side.francs)
        found["keys"][seat] = Feature(sum(keys[place].count(me) for place in parts.PROPERTIES))
    return found


def _given(seat_score: SeatScore, tile: Tile | None = None, place: Place | None = None) -> int:
    return sum(
        award.points for award in seat_score.awards if award.tile == tile and (place is None or place in award.places)
    )


def standings(line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
    """The totals at the end of each turn."""
    for frame in line:
        if isinstance(frame.move, EndTurn):
            yield totals(frame.state)


def opening(line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
    """The first moves but for reveals, which are chance, and ends of turns, which decide nothing."""
    steps: list[Step] = []
    for frame in line[1:]:
        if len(steps) == depth:
            break
        if not isinstance(frame.move, Reveal | EndTurn):
            steps.append(Step(frame.state.table.seats.index(frame.seat) + 1, frame.move))
    return tuple(steps)
