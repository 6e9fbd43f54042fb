"""Points of La Cité de la Lumière at any ply: lit buildings, largest group, unbuilt buildings, stamped postcards."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from domain.game import Result, Seat
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.board import Spaces, corners, edges, flood, shifted
from domain.games.cite_lumiere.parts import words
from domain.games.cite_lumiere.state import Piece, State
from domain.ranking import ranked

POINTS_PER_UNBUILT = 3

TIE_BREAKS = ("free_spaces",)


class BuildingScore(NamedTuple):
    """A building of `size` spaces (its annex included) and the lamps that light it."""

    piece: str
    cells: Spaces
    lamps: Spaces
    size: int
    points: int


class CardScore(NamedTuple):
    card: str
    piece: Piece
    points: int
    sources: Spaces


class SeatScore(NamedTuple):
    buildings: tuple[BuildingScore, ...]
    largest_group: tuple[BuildingScore, ...]
    reserve: int
    """How many buildings are unbuilt."""
    spared: bool
    """Whether Sacré-Cœur spares the points for them."""
    cards: tuple[CardScore, ...]
    free_spaces: int
    """Of the seat's colour, for ties."""

    @property
    def lit(self) -> int:
        return sum(building.points for building in self.buildings)

    @property
    def group(self) -> int:
        return sum(building.size for building in self.largest_group)

    @property
    def unbuilt(self) -> int:
        """Zero or negative."""
        return 0 if self.spared else -POINTS_PER_UNBUILT * self.reserve

    @property
    def postcards(self) -> int:
        return sum(card.points for card in self.cards)

    @property
    def total(self) -> int:
        return self.lit + self.group + self.unbuilt + self.postcards


def seat_score(state: State, seat: Seat) -> SeatScore:
    return _seat_score(state, seat, _lamps(state))


def score(state: State) -> dict[Seat, SeatScore]:
    lamps = _lamps(state)
    return {seat: _seat_score(state, seat, lamps) for seat in parts.SEATS}


def totals(state: State) -> dict[Seat, int]:
    return {seat: mine.total for seat, mine in score(state).items()}


class _Lamps(NamedTuple):
    """The lamps by their spaces: those that light the spaces beside them, and the large one with what it lights."""

    small: Spaces
    grand: Spaces
    reach: Spaces

    def light(self, piece: str, cells: Spaces) -> BuildingScore:
        """What a building gives for the lamps that light it."""
        lamps, size = edges(cells) & self.small | (self.grand if self.reach & cells else 0), cells.bit_count()
        return BuildingScore(piece, cells, lamps, size, size * lamps.bit_count())


def _seat_score(state: State, seat: Seat, lamps: _Lamps) -> SeatScore:
    me = parts.SEAT_INDEX[seat]
    side = state.sides[me]
    buildings = tuple([lamps.light(piece, cells) for piece, cells in sorted(state.buildings(seat).items())])
    return SeatScore(
        buildings=buildings,
        largest_group=_largest_group(buildings),
        reserve=side.reserve.bit_count(),
        spared=bool(side.cards & parts.SACRE_COEUR),
        cards=tuple(_card_scores(state, seat, buildings)),
        free_spaces=(state.ground[me] & ~state.occupied).bit_count(),
    )


def _lamps(state: State) -> _Lamps:
    """All lamps. A piece on a printed lamp puts it out."""
    small = state.ground[parts.LAMPS] & ~state.occupied
    if (lamp := state.piece("lamp")) is not None:
        small |= lamp.cells
    grand = state.piece("grand_lamp")
    return _Lamps(small, 0, 0) if grand is None else _Lamps(small, grand.cells, _grand_light(state, grand.cells))


def _grand_light(state: State, lamp: Spaces) -> Spaces:
    """Light walks over the listed spaces; it enters a building and goes no further."""
    reach = state.edition.grand_lamp_reach[lamp.bit_length() - 1]
    open_spaces = flood(lamp, reach & ~state.building_spaces())
    return (open_spaces | edges(open_spaces)) & reach


def _largest_group(buildings: tuple[BuildingScore, ...]) -> tuple[BuildingScore, ...]:
    return tuple([buildings[index] for index in _largest(tuple([building.cells for building in buildings]))])


# 8 of 20 µs for the points of both seats: only what is built changes it (one pass over 60 random matches, 2026-11).
@lru_cache(maxsize=2**10)
def _largest(buildings: tuple[Spaces, ...]) -> tuple[int, ...]:
    """Which of some buildings are the largest group of neighbours, the first one of several."""
    largest: list[int] = []
    most = 0
    rest = list(range(len(buildings)))
    while rest:
        group = [rest.pop(0)]
        around = size = 0
        for index in group:
            around |= edges(buildings[index])
            size += buildings[index].bit_count()
            group += [other for other in rest if buildings[other] & around]
            rest = [other for other in rest if not buildings[other] & around]
        if size > most:
            largest, most = group, size
    return tuple(sorted(largest))


def _card_scores(state: State, seat: Seat, buildings: tuple[BuildingScore, ...]) -> Iterator[CardScore]:
    for card in words(state.sides[parts.SEAT_INDEX[seat]].cards, _STAMPED_BIT):
        piece = state.piece(parts.PIECE_OF_CARD[card])
        if piece is not None:
            yield CardScore(card, piece, *_STAMPED[card](state, piece, buildings))


def _fountain(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> tuple[int, Spaces]:
    around = edges(piece.cells)
    touched = [building.cells for building in buildings if building.cells & around]
    return 3 * len(touched), sum(touched)


def _painter(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> tuple[int, Spaces]:
    lamps = _lamps(state)
    seen = (lamps.small | lamps.grand) & flood(piece.cells, ~state.building_spaces())
    return 2 * seen.bit_count(), seen


def _statue(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> tuple[int, Spaces]:
    assert piece.facing is not None
    free = state.free
    if not shifted(piece.cells, *parts.FACINGS[piece.facing]) & free:
        return 0, 0
    beside, across = edges(piece.cells) & free, corners(piece.cells) & free
    return 2 * beside.bit_count() + across.bit_count(), beside | across


def _dancer(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> tuple[int, Spaces]:
    region = flood(piece.cells, state.free & ~state.ground[parts.LAMPS])
    return region.bit_count(), region


_STAMPED: Final = {
    "fontaine_des_mers": _fountain,
    "le_peintre": _painter,
    "le_penseur": _statue,
    "moulin_rouge": _dancer,
}
"""The points that the piece of a card gives, and the spaces that give them."""
_STAMPED_BIT: Final = {card: parts.CARD_BIT[card] for card in _STAMPED}


def result(state: State) -> Result | None:
    if state.to_move is not None:
        return None
    return ranked({seat: (mine.total, mine.free_spaces) for seat, mine in score(state).items()}, TIE_BREAKS)
