"""The course of a match of La Cité de la Lumière: turns, phases, what each move does, which moves are legal."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from random import Random
from typing import Final

from domain.chance import each
from domain.game import Seat
from domain.games.cite_lumiere.board import NAMES, SQUARE, SQUARES, each_bit
from domain.games.cite_lumiere.edition import Edition
from domain.games.cite_lumiere.moves import Build, Move, Pass, Pave, Postcard, Take
from domain.games.cite_lumiere.parts import (
    ALL_TILES,
    BUILDING_BIT,
    BUILDING_RIGHTS,
    CARD_BIT,
    SEAT_INDEX,
    SEATS,
    TILE_BIT,
    words,
)
from domain.games.cite_lumiere.placing import (
    BUILDING_OF_BIT,
    can_build,
    placements,
    require_colour,
    require_placement,
    rights_used,
)
from domain.games.cite_lumiere.postcards import EFFECTS, choices
from domain.games.cite_lumiere.reasons import refusal, refuse_nothing
from domain.games.cite_lumiere.scoring import result, totals
from domain.games.cite_lumiere.setup import Setup
from domain.games.cite_lumiere.state import Piece, Side, State
from domain.sentences import Count

__all__ = ["apply", "check", "legal_moves", "random_move", "result", "start", "totals"]


def start(setup: Setup, seats: Sequence[Seat], edition: Edition) -> State:
    """The state at ply 0."""
    side = Side(tiles=ALL_TILES, reserve=0, built=0, cards=0, armed=0, passed=False)
    in_play = sum(CARD_BIT[card] for card in setup.postcards)
    return State(edition, in_play, 0, setup.first, (0, 0, 0, 0), (side, side), (), 0)


def check(state: State, seat: Seat, move: Move) -> None:
    """Raise `Refusal` if a move is not legal, for a physical reason if there is one."""
    if state.to_move is None:
        raise refusal("match_over")
    me = SEAT_INDEX[seat]
    possible, allowed, _ = _MOVES[type(move)]
    possible(state, me, move)
    if seat != state.to_move:
        raise refusal("not_your_turn", seat=seat, turn=state.to_move)
    allowed(state, me, move)


def apply(state: State, seat: Seat, move: Move) -> State:
    """The state after a move, which is not checked."""
    return _MOVES[type(move)][2](state, SEAT_INDEX[seat], move)


def legal_moves(state: State) -> Iterator[Move]:
    """Every legal move of the seat to move."""
    return _moves(state, None)


def random_move(state: State, random: Random) -> Move | None:
    """A legal move of the seat to move, or None when the match is over.

    First a kind of move is drawn, then its parts one by one. All legal moves can be drawn, not all alike often.
    """
    return next(_moves(state, random), None)


def _moves(state: State, random: Random | None) -> Iterator[Move]:
    if state.to_move is None:
        return iter(())
    me, kinds = SEAT_INDEX[state.to_move], _PAVING if state.is_paving else _BUILDING
    return chain.from_iterable(kind(state, me, random) for kind in each(kinds, random))


def _paves(state: State, me: int, random: Random | None) -> Iterator[Move]:
    tiles, paved = state.sides[me].tiles, state.paved
    squares = [square for square in SQUARES if not paved & SQUARE << square]
    held = words(tiles, _TILES_OF_SEAT[me])
    paves = state.edition.paves
    if random is None:
        for tile in held:
            for square in squares:
                yield from paves[tile][square]
    elif held:
        # Every tile fits on every free square, so the first draw will do.
        yield random.choice(paves[random.choice(held)][random.choice(squares)])


def _takes(state: State, me: int, random: Random | None) -> Iterator[Move]:
    for bit in each_bit(state.supply, random):
        yield Take(BUILDING_OF_BIT[bit])


def _final_pass_of_paving(state: State, me: int, random: Random | None) -> Iterator[Move]:
    if not state.sides[me].tiles:
        yield Pass()


def _builds(state: State, me: int, random: Random | None) -> Iterator[Move]:
    edition, ground, occupied, side = state.edition, state.ground, state.occupied, state.sides[me]
    if state.chimneys(me):
        rights = side.armed & BUILDING_RIGHTS
        for bit in each_bit(side.reserve, random):
            building = BUILDING_OF_BIT[bit]
            builds = edition.builds[building]
            for cells in placements(edition.outlines[building], ground, occupied, me, rights, random):
                yield builds[cells]


def _postcards(state: State, me: int, random: Random | None) -> Iterator[Move]:
    if state.tokens(me):
        for card in each(words(state.open_cards, CARD_BIT), random):
            yield from choices(state, me, card, random)


def _final_pass(state: State, me: int, random: Random | None) -> Iterator[Move]:
    if not state.tokens(me) and not can_build(state.edition, state.ground, state.occupied, state.sides[me], me, 0):
        yield Pass()


_PAVING: Final = (_paves, _takes, _final_pass_of_paving)
_BUILDING: Final = (_builds, _postcards, _final_pass)
"""The kinds of move of each phase, in the order in which they are listed."""


# Phase 1


_TILE_COLOUR: Final = ("O", "B")
_TILES_OF_SEAT: Final = tuple(
    {tile: bit for tile, bit in TILE_BIT.items() if tile[0] == colour} for colour in _TILE_COLOUR
)


def _pave_possible(state: State, me: int, move: Pave) -> None:
    _require_phase(state, paving=True)
    if move.tile[0] != _TILE_COLOUR[me]:
        raise refusal("tile_not_yours", tile=move.tile)
    if not TILE_BIT[move.tile] & state.sides[me].tiles:
        raise refusal("tile_placed", tile=move.tile)
    if move.at not in _SQUARE_SET:
        raise refusal("not_a_square", space=NAMES[move.at])
    if state.paved & SQUARE << move.at:
        raise refusal("square_taken", space=NAMES[move.at])


def _pave(state: State, me: int, move: Pave) -> State:
    at, side = move.at, state.sides[me]
    orange, blue, mixed, lamp = state.edition.faces[move.tile, move.rotation]
    ground = state.ground
    paved = (ground[0] | orange << at, ground[1] | blue << at, ground[2] | mixed << at, ground[3] | lamp << at)
    mine = Side(side.tiles ^ TILE_BIT[move.tile], side.reserve, side.built, side.cards, side.armed, side.passed)
    # Whoever places the last tile is not the one who first ran out of them, so the rival begins phase 2.
    return State(
        state.edition,
        state.in_play,
        state.ply + 1,
        SEATS[1 - me],
        paved,
        (state.sides[0], mine) if me else (mine, state.sides[1]),
        state.pieces,
        state.occupied,
    )


def _take_possible(state: State, me: int, move: Take) -> None:
    _require_phase(state, paving=True)
    if not BUILDING_BIT[move.building] & state.supply:
        raise refusal("not_in_supply", building=move.building)


def _take(state: State, me: int, move: Take) -> State:
    side = state.sides[me]
    reserve = side.reserve | BUILDING_BIT[move.building]
    mine = Side(side.tiles, reserve, side.built, side.cards, side.armed, side.passed)
    return State(
        state.edition,
        state.in_play,
        state.ply + 1,
        SEATS[1 - me],
        state.ground,
        (state.sides[0], mine) if me else (mine, state.sides[1]),
        state.pieces,
        state.occupied,
    )


# Phase 2


def _build_possible(state: State, me: int, move: Build) -> None:
    _require_phase(state, paving=False)
    if not BUILDING_BIT[move.building] & state.sides[me].reserve:
        raise refusal("not_in_reserve", building=move.building)
    require_placement(state, me, state.edition.outlines[move.building], move.cells, move.building)


def _build_allowed(state: State, me: int, move: Build) -> None:
    require_colour(state, me, move.cells, state.sides[me].armed)


def _build(state: State, me: int, move: Build) -> State:
    side, bit = state.sides[me], BUILDING_BIT[move.building]
    armed = side.armed & ~rights_used(state.ground, me, move.cells)
    mine = Side(side.tiles, side.reserve ^ bit, side.built | bit, side.cards, armed, side.passed)
    return _after_building(state, me, mine, Piece(move.building, SEATS[me], move.cells))


def _postcard_possible(state: State, me: int, move: Postcard) -> None:
    _require_phase(state, paving=False)
    bit = CARD_BIT[move.card]
    if not bit & state.in_play:
        raise refusal("card_not_in_play", card=move.card)
    if not bit & state.open_cards:
        raise refusal("card_taken", card=move.card)
    if not state.tokens(me):
        raise refusal("no_token")
    if move.cells:
        EFFECTS[move.card].possible(state, me, move)


def _postcard_allowed(state: State, me: int, move: Postcard) -> None:
    if move.cells:
        EFFECTS[move.card].allowed(state, me, move)


def _postcard(state: State, me: int, move: Postcard) -> State:
    side, bit = state.sides[me], CARD_BIT[move.card]
    cards, armed = side.cards | bit, side.armed | bit & BUILDING_RIGHTS
    if not move.cells:
        mine = Side(side.tiles, side.reserve, side.built, cards, armed, side.passed)
        return _after_building(state, me, mine, None)
    outcome = EFFECTS[move.card].outcome(state, me, move)
    mine = Side(side.tiles, outcome.reserve, outcome.built, cards, armed & ~outcome.rights_used, side.passed)
    return _after_building(state, me, mine, outcome.piece)


def _after_building(state: State, me: int, mine: Side, piece: Piece | None) -> State:
    """The state after a move of phase 2: the rival is next if they can move, else the mover if they can."""
    rival = 1 - me
    pieces, occupied = state.pieces, state.occupied
    if piece is not None:
        pieces, occupied = (*pieces, piece), occupied | piece.cells
    other = state.sides[rival]
    to_move = None
    if _can_move(state, occupied, other, rival):
        to_move = SEATS[rival]
    elif _can_move(state, occupied, mine, me):
        to_move = SEATS[me]
    return State(
        state.edition,
        state.in_play,
        state.ply + 1,
        to_move,
        state.ground,
        (other, mine) if me else (mine, other),
        pieces,
        occupied,
    )


def _can_move(state: State, occupied: int, side: Side, me: int) -> bool:
    if side.passed:
        return False
    if side.cards.bit_count() < state.edition.action_tokens:
        return True
    return can_build(state.edition, state.ground, occupied, side, me, side.armed & BUILDING_RIGHTS)


# Both phases


def _pass_possible(state: State, me: int, move: Pass) -> None:
    side = state.sides[me]
    if not state.is_paving and not side.passed and not _can_move(state, state.occupied, side, me):
        raise refusal("skipped", seat=SEATS[me])


def _pass_allowed(state: State, me: int, move: Pass) -> None:
    side = state.sides[me]
    if state.is_paving:
        if side.tiles:
            raise refusal("pass_with_tiles", count=Count(side.tiles.bit_count(), "tile"))
    elif state.tokens(me):
        raise refusal("pass_with_token", count=Count(state.tokens(me), "token"))
    elif can_build(state.edition, state.ground, state.occupied, side, me, 0):
        raise refusal("pass_with_building")


def _pass(state: State, me: int, move: Pass) -> State:
    if state.is_paving:
        return State(
            state.edition,
            state.in_play,
            state.ply + 1,
            SEATS[1 - me],
            state.ground,
            state.sides,
            state.pieces,
            state.occupied,
        )
    side = state.sides[me]
    mine = Side(side.tiles, side.reserve, side.built, side.cards, side.armed, passed=True)
    return _after_building(state, me, mine, None)


def _require_phase(state: State, paving: bool) -> None:
    if state.is_paving is not paving:
        raise refusal("wrong_phase", phase=state.phase)


_SQUARE_SET: Final = frozenset(SQUARES)

_MOVES: Final[dict[type, tuple[Callable[..., None], Callable[..., None], Callable[..., State]]]] = {
    Pave: (_pave_possible, refuse_nothing, _pave),
    Take: (_take_possible, refuse_nothing, _take),
    Pass: (_pass_possible, _pass_allowed, _pass),
    Build: (_build_possible, _build_allowed, _build),
    Postcard: (_postcard_possible, _postcard_allowed, _postcard),
}
"""What is possible, what is allowed and what happens, by type of move."""
