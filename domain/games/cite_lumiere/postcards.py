"""The effects of the postcards: what is possible, what is allowed, what each does and where it can be used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, TypeAlias

from domain.chance import each
from domain.games.cite_lumiere.board import FACINGS, each_bit, edges, names, shifted
from domain.games.cite_lumiere.moves import Postcard
from domain.games.cite_lumiere.parts import (
    BUILDING_BIT,
    BUILDING_RIGHTS,
    CHARTIER,
    GARDEN,
    LAMPS,
    PIECE_OF_CARD,
    RIGHTS,
    SEATS,
)
from domain.games.cite_lumiere.placing import (
    BUILDING_OF_BIT,
    placements,
    require_colour,
    require_free,
    require_placement,
    require_shape,
    rights_used,
)
from domain.games.cite_lumiere.reasons import refusal, refuse_nothing
from domain.games.cite_lumiere.state import Piece, State

Check: TypeAlias = Callable[[State, int, Postcard], None]


class Outcome(NamedTuple):
    """What an effect adds to the board and changes for its seat."""

    piece: Piece
    reserve: int
    built: int
    rights_used: int


@dataclass(frozen=True, slots=True)
class Effect:
    """One card's effect. `possible` and `allowed` refuse for physical reasons and by the rules."""

    possible: Check
    allowed: Check
    outcome: Callable[[State, int, Postcard], Outcome]
    choices: Callable[[State, int, Random | None], Iterator[Postcard]]


def choices(state: State, me: int, card: str, random: Random | None) -> Iterator[Postcard]:
    """Every legal way for a seat to use an open card; in order, the declined one comes first."""
    declined_first = random is None or random.random() < 0.5
    if declined_first:
        yield Postcard(card)
    if card not in RIGHTS:
        yield from EFFECTS[card].choices(state, me, random)
    if not declined_first:
        yield Postcard(card)


def joined(state: State, me: int, move: Postcard) -> str:
    """The building that an annex joins: the one named, else the only one that it touches.

    After a table ruling that lets it touch none, the only building of the seat.
    """
    if move.building is not None:
        return move.building
    return _candidates(state, me, move)[0]


def _candidates(state: State, me: int, move: Postcard) -> list[str]:
    return _touching(state, me, move.cells) or list(state.buildings(SEATS[me]))


def _touching(state: State, me: int, cell: int) -> list[str]:
    around = edges(cell)
    return [name for name, cells in state.buildings(SEATS[me]).items() if cells & around]


# A piece on one space of one's own colour: painter, dancer, lamp, and below statue and annex.


def _space_possible(state: State, me: int, move: Postcard) -> None:
    require_free(state, move.cells)


def _space_allowed(state: State, me: int, move: Postcard) -> None:
    if not move.cells & state.ground[me]:
        raise refusal("not_own_colour", space=names(move.cells)[0])


def _own_free(state: State, me: int, random: Random | None) -> Iterator[int]:
    return each_bit(state.ground[me] & ~state.occupied, random)


def _space_outcome(state: State, me: int, move: Postcard) -> Outcome:
    side = state.sides[me]
    piece = Piece(PIECE_OF_CARD[move.card], SEATS[me], move.cells, facing=move.facing)
    return Outcome(piece, side.reserve, side.built, 0)


def _on_own_space(card: str) -> Effect:
    def choices(state: State, me: int, random: Random | None) -> Iterator[Postcard]:
        return (Postcard(card, cell) for cell in _own_free(state, me, random))

    return Effect(_space_possible, _space_allowed, _space_outcome, choices)


# Le Penseur

_STEPS = tuple(FACINGS.items())


def _front(move: Postcard) -> int:
    assert move.facing is not None
    return shifted(move.cells, *FACINGS[move.facing])


def _statue_allowed(state: State, me: int, move: Postcard) -> None:
    _space_allowed(state, me, move)
    if not _front(move) & state.free:
        raise refusal("front_not_free", space=names(move.cells)[0])


def _statue_choices(state: State, me: int, random: Random | None) -> Iterator[Postcard]:
    free, steps = state.free, list(each(_STEPS, random))
    for cell in _own_free(state, me, random):
        for facing, step in steps:
            if shifted(cell, *step) & free:
                yield Postcard("le_penseur", cell, facing=facing)


# Bouquinistes


def _annex_possible(state: State, me: int, move: Postcard) -> None:
    require_free(state, move.cells)
    built = state.sides[me].built
    if not built or (move.building is not None and not BUILDING_BIT[move.building] & built):
        raise refusal("not_your_building", building=move.building)
    if move.building is None and len(_candidates(state, me, move)) > 1:
        raise refusal("annex_unclear", space=names(move.cells)[0])


def _annex_allowed(state: State, me: int, move: Postcard) -> None:
    _space_allowed(state, me, move)
    touching = _touching(state, me, move.cells)
    if not touching or (move.building is not None and move.building not in touching):
        raise refusal("not_adjacent", space=names(move.cells)[0], building=move.building)


def _annex_outcome(state: State, me: int, move: Postcard) -> Outcome:
    side = state.sides[me]
    return Outcome(Piece("annex", SEATS[me], move.cells, joins=joined(state, me, move)), side.reserve, side.built, 0)


def _annex_choices(state: State, me: int, random: Random | None) -> Iterator[Postcard]:
    for cell in _own_free(state, me, random):
        touching = _touching(state, me, cell)
        # The only building that an annex touches need not be named.
        for building in each((None, *touching) if len(touching) == 1 else touching, random):
            yield Postcard("bouquinistes", cell, building=building)


# La Grande Lumière


def _grand_lamp_possible(state: State, me: int, move: Postcard) -> None:
    require_free(state, move.cells)
    if not move.cells & state.ground[LAMPS]:
        raise refusal("not_a_lamp", space=names(move.cells)[0])


def _grand_lamp_choices(state: State, me: int, random: Random | None) -> Iterator[Postcard]:
    return (Postcard("la_grande_lumiere", cell) for cell in each_bit(state.ground[LAMPS] & ~state.occupied, random))


# Jardin des Plantes


def _garden_possible(state: State, me: int, move: Postcard) -> None:
    require_placement(state, me, state.edition.outlines[GARDEN], move.cells, GARDEN)


def _building_allowed(state: State, me: int, move: Postcard) -> None:
    require_colour(state, me, move.cells, state.sides[me].armed)


def _garden_outcome(state: State, me: int, move: Postcard) -> Outcome:
    side = state.sides[me]
    piece = Piece(GARDEN, SEATS[me], move.cells)
    return Outcome(piece, side.reserve, side.built | BUILDING_BIT[GARDEN], rights_used(state.ground, me, move.cells))


def _garden_choices(state: State, me: int, random: Random | None) -> Iterator[Postcard]:
    if state.chimneys(me):
        outline, rights = state.edition.outlines[GARDEN], state.sides[me].armed & BUILDING_RIGHTS
        for cells in placements(outline, state.ground, state.occupied, me, rights, random):
            yield Postcard("jardin_des_plantes", cells)


# Fontaine des Mers


def _fountain_possible(state: State, me: int, move: Postcard) -> None:
    require_shape(state.edition.fountain, move.cells, "fountain")
    require_free(state, move.cells)


def _fountain_allowed(state: State, me: int, move: Postcard) -> None:
    require_colour(state, me, move.cells, state.sides[me].armed & CHARTIER)


def _fountain_outcome(state: State, me: int, move: Postcard) -> Outcome:
    side = state.sides[me]
    used = rights_used(state.ground, me, move.cells) & CHARTIER
    return Outcome(Piece("fountain", SEATS[me], move.cells), side.reserve, side.built, used)


def _fountain_choices(state: State, me: int, random: Random | None) -> Iterator[Postcard]:
    rights = state.sides[me].armed & CHARTIER
    for cells in placements(state.edition.fountain, state.ground, state.occupied, me, rights, random):
        yield Postcard("fontaine_des_mers", cells)


# Levitation


def _exchange(move: Postcard) -> tuple[str, str]:
    assert move.give is not None and move.take is not None
    return move.give, move.take


def _levitation_possible(state: State, me: int, move: Postcard) -> None:
    give, take = _exchange(move)
    if not BUILDING_BIT[give] & state.sides[me].reserve:
        raise refusal("not_in_reserve", building=give)
    if not BUILDING_BIT[take] & state.supply:
        raise refusal("not_in_supply", building=take)
    require_placement(state, me, state.edition.outlines[take], move.cells, take)


def _levitation_outcome(state: State, me: int, move: Postcard) -> Outcome:
    give, take = _exchange(move)
    side = state.sides[me]
    piece = Piece(take, SEATS[me], move.cells)
    reserve, built = side.reserve & ~BUILDING_BIT[give], side.built | BUILDING_BIT[take]
    return Outcome(piece, reserve, built, rights_used(state.ground, me, move.cells))


def _levitation_choices(state: State, me: int, random: Random | None) -> Iterator[Postcard]:
    side = state.sides[me]
    if not state.chimneys(me):
        return
    given = [BUILDING_OF_BIT[bit] for bit in each_bit(side.reserve, random)]
    for take in (BUILDING_OF_BIT[bit] for bit in each_bit(state.supply, random)):
        outline, rights = state.edition.outlines[take], side.armed & BUILDING_RIGHTS
        for cells in placements(outline, state.ground, state.occupied, me, rights, random) if given else ():
            for give in given:
                yield Postcard("levitation", cells, give=give, take=take)


EFFECTS = {
    "bouquinistes": Effect(_annex_possible, _annex_allowed, _annex_outcome, _annex_choices),
    "fontaine_des_mers": Effect(_fountain_possible, _fountain_allowed, _fountain_outcome, _fountain_choices),
    "jardin_des_plantes": Effect(_garden_possible, _building_allowed, _garden_outcome, _garden_choices),
    "la_grande_lumiere": Effect(_grand_lamp_possible, refuse_nothing, _space_outcome, _grand_lamp_choices),
    "lampadaire": _on_own_space("lampadaire"),
    "le_peintre": _on_own_space("le_peintre"),
    "le_penseur": Effect(_space_possible, _statue_allowed, _space_outcome, _statue_choices),
    "levitation": Effect(_levitation_possible, _building_allowed, _levitation_outcome, _levitation_choices),
    "moulin_rouge": _on_own_space("moulin_rouge"),
}
"""The effects of the cards that have one; the others are rights."""
