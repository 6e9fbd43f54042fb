"""Points of La Cité de la Lumière at any ply: lit buildings, largest group, unbuilt buildings, stamped postcards."""

from collections.abc import Callable
from typing import NamedTuple

from domain.game import Ranked, Result, Seat
from domain.games.cite_lumiere.board import FACINGS, corners, edges, flood, shifted
from domain.games.cite_lumiere.parts import CARD_BIT, LAMPS, PIECE_OF_CARD, SACRE_COEUR, SEAT_INDEX, SEATS, words
from domain.games.cite_lumiere.state import Piece, State


class BuildingScore(NamedTuple):
    """A building of `size` spaces (its annex included) and the lamps that light it."""

    piece: str
    cells: int
    lamps: int

    @property
    def size(self) -> int:
        """The number of its spaces."""
        return self.cells.bit_count()

    @property
    def points(self) -> int:
        """Its size for every lamp."""
        return self.size * self.lamps.bit_count()


class CardScore(NamedTuple):
    """What a stamped card gives, and the spaces that give it."""

    card: str
    piece: Piece
    points: int
    sources: int


class SeatScore(NamedTuple):
    """The points of one seat if the match ended now."""

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
        """Points for lit buildings."""
        return sum(building.points for building in self.buildings)

    @property
    def group(self) -> int:
        """Points for the largest group."""
        return sum(building.size for building in self.largest_group)

    @property
    def unbuilt(self) -> int:
        """Points for unbuilt buildings, zero or negative."""
        return 0 if self.spared else -3 * self.reserve

    @property
    def postcards(self) -> int:
        """Points for stamped cards."""
        return sum(card.points for card in self.cards)

    @property
    def total(self) -> int:
        """All points."""
        return self.lit + self.group + self.unbuilt + self.postcards


def score(state: State) -> dict[Seat, SeatScore]:
    """What both seats would score if the match ended now."""
    lamps = _lamps(state)
    return {seat: _seat_score(state, seat, lamps) for seat in SEATS}


def totals(state: State) -> dict[Seat, int]:
    """The points of each seat if the match ended now."""
    return {seat: seat_score.total for seat, seat_score in score(state).items()}


class _Lamps(NamedTuple):
    """The lamps by their spaces: those that light the spaces beside them, and the large one with what it lights."""

    small: int
    grand: int
    reach: int

    def lighting(self, cells: int) -> int:
        """Those that light a building."""
        return edges(cells) & self.small | (self.grand if self.reach & cells else 0)


def _seat_score(state: State, seat: Seat, lamps: _Lamps) -> SeatScore:
    me = SEAT_INDEX[seat]
    side = state.sides[me]
    buildings = tuple(
        [BuildingScore(piece, cells, lamps.lighting(cells)) for piece, cells in sorted(state.buildings(seat).items())]
    )
    return SeatScore(
        buildings=buildings,
        largest_group=_largest_group(buildings),
        reserve=side.reserve.bit_count(),
        spared=bool(side.cards & SACRE_COEUR),
        cards=tuple(_card_scores(state, seat, buildings)),
        free_spaces=(state.ground[me] & ~state.occupied).bit_count(),
    )


def _lamps(state: State) -> _Lamps:
    """All lamps. A piece on a printed lamp puts it out."""
    small = state.ground[LAMPS] & ~state.occupied
    if (lamp := state.piece("lamp")) is not None:
        small |= lamp.cells
    grand = state.piece("grand_lamp")
    return _Lamps(small, 0, 0) if grand is None else _Lamps(small, grand.cells, _grand_light(state, grand.cells))


def _grand_light(state: State, lamp: int) -> int:
    """Light walks over the listed spaces; it enters a building and goes no further."""
    reach = state.edition.grand_lamp_reach[lamp.bit_length() - 1]
    open_spaces = flood(lamp, reach & ~state.building_spaces())
    return (open_spaces | edges(open_spaces)) & reach


def _largest_group(buildings: tuple[BuildingScore, ...]) -> tuple[BuildingScore, ...]:
    largest: tuple[BuildingScore, ...] = ()
    rest = list(buildings)
    while rest:
        group, around = [rest.pop(0)], 0
        for building in group:
            around |= edges(building.cells)
            group += [other for other in rest if other.cells & around]
            rest = [other for other in rest if not other.cells & around]
        if sum(building.size for building in group) > sum(building.size for building in largest):
            largest = tuple(sorted(group, key=lambda building: building.piece))
    return largest


def _card_scores(state: State, seat: Seat, buildings: tuple[BuildingScore, ...]) -> list[CardScore]:
    held = state.sides[SEAT_INDEX[seat]].cards & _STAMPED_CARDS
    scores = []
    for card in words(held, CARD_BIT) if held else ():
        piece = state.piece(PIECE_OF_CARD[card])
        if piece is not None:
            scores.append(_STAMPED[card](state, piece, buildings))
    return scores


def _painter(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> CardScore:
    region = flood(piece.cells, ~state.building_spaces())
    all_lamps = _lamps(state)
    lamps = (all_lamps.small | all_lamps.grand) & region
    return CardScore("le_peintre", piece, 2 * lamps.bit_count(), lamps)


def _dancer(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> CardScore:
    region = flood(piece.cells, state.free & ~state.ground[LAMPS])
    return CardScore("moulin_rouge", piece, region.bit_count(), region)


def _fountain(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> CardScore:
    around = edges(piece.cells)
    touched = [building.cells for building in buildings if building.cells & around]
    return CardScore("fontaine_des_mers", piece, 3 * len(touched), sum(touched))


def _statue(state: State, piece: Piece, buildings: tuple[BuildingScore, ...]) -> CardScore:
    assert piece.facing is not None
    free = state.free
    if not shifted(piece.cells, *FACINGS[piece.facing]) & free:
        return CardScore("le_penseur", piece, 0, 0)
    beside, across = edges(piece.cells) & free, corners(piece.cells) & free
    return CardScore("le_penseur", piece, 2 * beside.bit_count() + across.bit_count(), beside | across)


_STAMPED: dict[str, Callable[[State, Piece, tuple[BuildingScore, ...]], CardScore]] = {
    "fontaine_des_mers": _fountain,
    "le_peintre": _painter,
    "le_penseur": _statue,
    "moulin_rouge": _dancer,
}
_STAMPED_CARDS = sum(CARD_BIT[card] for card in _STAMPED)


TIE_BREAKS = ("free_spaces",)
"""What decides between equal points."""


def result(state: State) -> Result | None:
    """The result, or None as long as somebody is to move."""
    if state.to_move is not None:
        return None
    scores = score(state)
    (first, best), (second, other) = sorted(
        scores.items(), key=lambda item: (item[1].total, item[1].free_spaces), reverse=True
    )
    shared = (best.total, best.free_spaces) == (other.total, other.free_spaces)
    return Result(
        winners=(first, second) if shared else (first,),
        ranking=(Ranked(first, 1, best.total), Ranked(second, 1 if shared else 2, other.total)),
        decided_by="points" if best.total != other.total else "shared" if shared else "free_spaces",
    )
