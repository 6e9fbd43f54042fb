"""The effects of the postcards: what is possible, what is allowed, what each does and where it can be used."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final, Generic, TypeAlias, TypeVar

from domain.chance import bits, each
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.board import Spaces, edges, names, shifted
from domain.games.cite_lumiere.moves import AddAnnex, Levitate, Move, Place, PlaceStatue
from domain.games.cite_lumiere.parts import SeatIndex
from domain.games.cite_lumiere.placing import placements, require_colour, require_free, require_placement, rights_used
from domain.games.cite_lumiere.reasons import refusal, refuse_nothing
from domain.games.cite_lumiere.state import Piece, Side, State

MoveT = TypeVar("MoveT", bound=Move)
OutcomeT = TypeVar("OutcomeT")


@dataclass(frozen=True, slots=True)
class Effect(Generic[MoveT, OutcomeT]):
    """The effect of a card, or a kind of move."""

    possible: Callable[[State, SeatIndex, MoveT], None]
    """Refuses for physical reasons."""
    allowed: Callable[[State, SeatIndex, MoveT], None]
    """Refuses by the rules."""
    outcome: Callable[[State, SeatIndex, MoveT], OutcomeT]
    choices: Callable[[State, SeatIndex, Random | None], Iterable[Move]]
    """Every legal way to use it."""


CardEffect: TypeAlias = Effect[Any, tuple[Side, Piece]]
"""What becomes of the side of the seat, apart from the card, and the new piece."""


# A piece on one space of one's own colour: painter, dancer, lamp, and below statue and annex.


def _space_possible(state: State, me: SeatIndex, move: Place) -> None:
    require_free(state, move.cells)


def _space_allowed(state: State, me: SeatIndex, move: Place) -> None:
    if not move.cells & state.ground[me]:
        raise refusal("not_own_colour", space=_space(move))


def _space_outcome(state: State, me: SeatIndex, move: Place) -> tuple[Side, Piece]:
    return state.sides[me], Piece(parts.PIECE_OF_CARD[move.card], parts.SEATS[me], move.cells)


def _space_choices(card: str, state: State, me: SeatIndex, random: Random | None) -> Iterator[Place]:
    return (Place(card, cell) for cell in _free_cells(state, me, random))


def _free_cells(state: State, layer: int, random: Random | None) -> Iterator[Spaces]:
    """The free spaces of a layer of the ground, each as a set of its own."""
    return (1 << space for space in bits(state.ground[layer] & ~state.occupied, random))


def _space(move: Place) -> str:
    return names(move.cells)[0]


# Le Penseur


def _statue_allowed(state: State, me: SeatIndex, move: PlaceStatue) -> None:
    _space_allowed(state, me, move)
    if not shifted(move.cells, *parts.FACINGS[move.facing]) & state.free:
        raise refusal("front_not_free", space=_space(move))


def _statue_outcome(state: State, me: SeatIndex, move: PlaceStatue) -> tuple[Side, Piece]:
    return state.sides[me], Piece("statue", parts.SEATS[me], move.cells, facing=move.facing)


def _statue_choices(state: State, me: SeatIndex, random: Random | None) -> Iterator[PlaceStatue]:
    free, facings = state.free, list(each(tuple(parts.FACINGS), random))
    for cell in _free_cells(state, me, random):
        for facing in facings:
            if shifted(cell, *parts.FACINGS[facing]) & free:
                yield PlaceStatue("le_penseur", cell, facing)


# Bouquinistes


def annexed(state: State, me: SeatIndex, move: AddAnnex) -> str:
    """The building that an annex joins: the one named, else the only one that it touches.

    After a table ruling that lets it touch none, the only building of the seat.
    """
    return move.building or _candidates(state, me, move)[0]


def _candidates(state: State, me: SeatIndex, move: AddAnnex) -> list[str]:
    return _touching(state, me, move.cells) or list(state.buildings(parts.SEATS[me]))


def _touching(state: State, me: SeatIndex, cell: Spaces) -> list[str]:
    around = edges(cell)
    return [name for name, cells in state.buildings(parts.SEATS[me]).items() if cells & around]


def _annex_possible(state: State, me: SeatIndex, move: AddAnnex) -> None:
    require_free(state, move.cells)
    built = state.sides[me].built
    if not built or (move.building is not None and not parts.BUILDING_BIT[move.building] & built):
        raise refusal("not_your_building", building=move.building)
    if move.building is None and len(_candidates(state, me, move)) > 1:
        raise refusal("annex_unclear", space=_space(move))


def _annex_allowed(state: State, me: SeatIndex, move: AddAnnex) -> None:
    _space_allowed(state, me, move)
    touching = _touching(state, me, move.cells)
    if not touching or (move.building is not None and move.building not in touching):
        raise refusal("not_adjacent", space=_space(move), building=move.building)


def _annex_outcome(state: State, me: SeatIndex, move: AddAnnex) -> tuple[Side, Piece]:
    return state.sides[me], Piece("annex", parts.SEATS[me], move.cells, joins=annexed(state, me, move))


def _annex_choices(state: State, me: SeatIndex, random: Random | None) -> Iterator[AddAnnex]:
    for cell in _free_cells(state, me, random):
        touching = _touching(state, me, cell)
        # The only building that an annex touches need not be named.
        for building in each((None, *touching) if len(touching) == 1 else touching, random):
            yield AddAnnex("bouquinistes", cell, building)


# La Grande Lumière


def _grand_lamp_possible(state: State, me: SeatIndex, move: Place) -> None:
    require_free(state, move.cells)
    if not move.cells & state.ground[parts.LAMPS]:
        raise refusal("not_a_lamp", space=_space(move))


def _grand_lamp_choices(state: State, me: SeatIndex, random: Random | None) -> Iterator[Place]:
    return (Place("la_grande_lumiere", cell) for cell in _free_cells(state, parts.LAMPS, random))


# A piece on several spaces, where rights count: garden, fountain, and the building of Levitation.


def _area_possible(state: State, me: SeatIndex, move: Place) -> None:
    require_placement(state, me, move.cells, parts.PIECE_OF_CARD[move.card])


def _area_allowed(state: State, me: SeatIndex, move: Place | Levitate) -> None:
    require_colour(state, me, move.cells, parts.RIGHTS_FOR[move.card])


def _area_outcome(state: State, me: SeatIndex, move: Place) -> tuple[Side, Piece]:
    piece = parts.PIECE_OF_CARD[move.card]
    side = state.sides[me].with_built(parts.BUILDING_BIT.get(piece, 0), _rights_spent(state, me, move))
    return side, Piece(piece, parts.SEATS[me], move.cells)


def _area_choices(card: str, state: State, me: SeatIndex, random: Random | None) -> Iterator[Place]:
    piece, rights = parts.PIECE_OF_CARD[card], state.sides[me].armed & parts.RIGHTS_FOR[card]
    if state.chimneys(me) or piece not in parts.BUILDING_BIT:
        for cells in placements(state.edition.outlines[piece], state.ground, state.occupied, me, rights, random):
            yield Place(card, cells)


def _rights_spent(state: State, me: SeatIndex, move: Place | Levitate) -> int:
    return rights_used(state.ground, me, move.cells) & parts.RIGHTS_FOR[move.card]


# Levitation


def _levitation_possible(state: State, me: SeatIndex, move: Levitate) -> None:
    if not parts.BUILDING_BIT[move.give] & state.sides[me].reserve:
        raise refusal("not_in_reserve", building=move.give)
    if not parts.BUILDING_BIT[move.take] & state.supply:
        raise refusal("not_in_supply", building=move.take)
    require_placement(state, me, move.cells, move.take)


def _levitation_outcome(state: State, me: SeatIndex, move: Levitate) -> tuple[Side, Piece]:
    side = state.sides[me]
    given = side._replace(reserve=side.reserve & ~parts.BUILDING_BIT[move.give])
    built = given.with_built(parts.BUILDING_BIT[move.take], _rights_spent(state, me, move))
    return built, Piece(move.take, parts.SEATS[me], move.cells)


def _levitation_choices(state: State, me: SeatIndex, random: Random | None) -> Iterator[Levitate]:
    side = state.sides[me]
    if not state.chimneys(me) or not side.reserve:
        return
    rights = side.armed & parts.RIGHTS_FOR["levitation"]
    given = [parts.BUILDINGS[index] for index in bits(side.reserve, random)]
    for take in (parts.BUILDINGS[index] for index in bits(state.supply, random)):
        for cells in placements(state.edition.outlines[take], state.ground, state.occupied, me, rights, random):
            for give in given:
                yield Levitate("levitation", give, take, cells)


EFFECTS: Final[Mapping[str, CardEffect]] = {
    **{
        card: Effect(_space_possible, _space_allowed, _space_outcome, partial(_space_choices, card))
        for card in ("lampadaire", "le_peintre", "moulin_rouge")
    },
    **{
        card: Effect(_area_possible, _area_allowed, _area_outcome, partial(_area_choices, card))
        for card in ("fontaine_des_mers", "jardin_des_plantes")
    },
    "bouquinistes": Effect(_annex_possible, _annex_allowed, _annex_outcome, _annex_choices),
    "la_grande_lumiere": Effect(_grand_lamp_possible, refuse_nothing, _space_outcome, _grand_lamp_choices),
    "le_penseur": Effect(_space_possible, _statue_allowed, _statue_outcome, _statue_choices),
    "levitation": Effect(_levitation_possible, _area_allowed, _levitation_outcome, _levitation_choices),
}
"""The effects of the cards that have one; the others are rights."""
