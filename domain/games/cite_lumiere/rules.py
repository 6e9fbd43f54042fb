"""The course of a match of La Cité de la Lumière: turns, phases, what each move does, which moves are legal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, Final

from domain.chance import bits, each
from domain.game import Seat
from domain.games.cite_lumiere import moves, parts
from domain.games.cite_lumiere.board import NAMES, SQUARE, SQUARES, Spaces
from domain.games.cite_lumiere.edition import Edition
from domain.games.cite_lumiere.moves import Move
from domain.games.cite_lumiere.parts import SeatIndex, words
from domain.games.cite_lumiere.placing import can_build, placements, require_colour, require_placement, rights_used
from domain.games.cite_lumiere.postcards import EFFECTS, Effect
from domain.games.cite_lumiere.reasons import refusal, refuse_nothing
from domain.games.cite_lumiere.scoring import result, totals
from domain.games.cite_lumiere.setup import Setup
from domain.games.cite_lumiere.state import Piece, Side, State
from domain.sentences import Count

__all__ = ["apply", "check", "legal_moves", "random_move", "result", "start", "totals"]


def start(setup: Setup, seats: Sequence[Seat], edition: Edition) -> State:
    side = Side(tiles=parts.ALL_TILES, reserve=0, built=0, cards=0, armed=0, passed=False)
    in_play = sum(parts.CARD_BIT[card] for card in setup.postcards)
    return State(edition, in_play, 0, setup.first, (0, 0, 0, 0), (side, side), (), 0)


def check(state: State, seat: Seat, move: Move) -> None:
    if state.to_move is None:
        raise refusal("match_over")
    me, kind = parts.SEAT_INDEX[seat], (_PAVING if state.is_paving else _BUILDING).get(type(move))
    if kind is None:
        raise refusal("wrong_phase", phase=state.phase)
    kind.possible(state, me, move)
    if seat != state.to_move:
        raise refusal("not_your_turn", seat=seat, turn=state.to_move)
    kind.allowed(state, me, move)


def apply(state: State, seat: Seat, move: Move) -> State:
    return _KINDS[type(move)].outcome(state, parts.SEAT_INDEX[seat], move)


def legal_moves(state: State) -> Iterator[Move]:
    return _moves(state, None)


def random_move(state: State, random: Random) -> Move | None:
    return next(_moves(state, random), None)


def _moves(state: State, random: Random | None) -> Iterator[Move]:
    if state.to_move is None:
        return iter(())
    me, kinds = parts.SEAT_INDEX[state.to_move], _PAVING_KINDS if state.is_paving else _BUILDING_KINDS
    return chain.from_iterable(kind.choices(state, me, random) for kind in each(kinds, random))


# Paving


def _paves(state: State, me: SeatIndex, random: Random | None) -> Iterable[Move]:
    paved, paves = state.paved, state.edition.paves
    tiles = words(state.sides[me].tiles, parts.TILES_OF[me])
    squares = [square for square in SQUARES if not paved & SQUARE << square]
    if random is None:
        return chain.from_iterable(paves[tile][square] for tile in tiles for square in squares)
    # Every tile fits on every free square, so the first draw will do.
    return [random.choice(paves[random.choice(tiles)][random.choice(squares)])] if tiles else []


def _takes(state: State, me: SeatIndex, random: Random | None) -> Iterable[Move]:
    return (moves.Take(parts.BUILDINGS[index]) for index in bits(state.supply, random))


def _pave_possible(state: State, me: SeatIndex, move: moves.Pave) -> None:
    bit = parts.TILES_OF[me].get(move.tile)
    if bit is None:
        raise refusal("tile_not_yours", tile=move.tile)
    if not bit & state.sides[me].tiles:
        raise refusal("tile_placed", tile=move.tile)
    if move.at not in state.edition.paves[move.tile]:
        raise refusal("not_a_square", space=NAMES[move.at])
    if state.paved & SQUARE << move.at:
        raise refusal("square_taken", space=NAMES[move.at])


def _pave(state: State, me: SeatIndex, move: moves.Pave) -> State:
    at, (orange, blue, mixed, lamps) = move.at, state.ground
    face = state.edition.faces[move.tile, move.rotation]
    ground = (orange | face[0] << at, blue | face[1] << at, mixed | face[2] << at, lamps | face[3] << at)
    # The seat that places the last tile is not the one that first ran out of them, so its rival begins to build.
    side = state.sides[me].with_tile_placed(parts.TILES_OF[me][move.tile])
    return state.then(parts.SEATS[1 - me], me, side, ground, None)


def _take_possible(state: State, me: SeatIndex, move: moves.Take) -> None:
    if not parts.BUILDING_BIT[move.building] & state.supply:
        raise refusal("not_in_supply", building=move.building)


def _take(state: State, me: SeatIndex, move: moves.Take) -> State:
    side = state.sides[me].with_reserve(parts.BUILDING_BIT[move.building])
    return state.then(parts.SEATS[1 - me], me, side, state.ground, None)


def _pass_in_paving_allowed(state: State, me: SeatIndex, move: moves.Pass) -> None:
    if tiles := state.sides[me].tiles:
        raise refusal("pass_with_tiles", count=Count(tiles.bit_count(), "tile"))


def _passes_in_paving(state: State, me: SeatIndex, random: Random | None) -> Iterable[Move]:
    return [] if state.sides[me].tiles else [moves.Pass()]


# Building


def _builds(state: State, me: SeatIndex, random: Random | None) -> Iterable[Move]:
    if not state.chimneys(me):
        return []
    edition, ground, occupied, side = state.edition, state.ground, state.occupied, state.sides[me]
    rights = side.armed & parts.BUILDING_RIGHTS
    return chain.from_iterable(
        map(
            edition.builds[building].__getitem__,
            placements(edition.outlines[building], ground, occupied, me, rights, random),
        )
        for building in (parts.BUILDINGS[index] for index in bits(side.reserve, random))
    )


def _postcards(state: State, me: SeatIndex, random: Random | None) -> Iterable[Move]:
    """The ways to use each open card; in order, without its effect comes first."""
    for card in each(words(state.open_cards, parts.CARD_BIT), random) if state.tokens(me) else ():
        plain_first = random is None or random.random() < 0.5
        if plain_first:
            yield moves.Postcard(card)
        if card in EFFECTS:
            yield from EFFECTS[card].choices(state, me, random)
        if not plain_first:
            yield moves.Postcard(card)


def _build_possible(state: State, me: SeatIndex, move: moves.Build) -> None:
    if not parts.BUILDING_BIT[move.building] & state.sides[me].reserve:
        raise refusal("not_in_reserve", building=move.building)
    require_placement(state, me, move.cells, move.building)


def _build_allowed(state: State, me: SeatIndex, move: moves.Build) -> None:
    require_colour(state, me, move.cells)


def _build(state: State, me: SeatIndex, move: moves.Build) -> State:
    rights = rights_used(state.ground, me, move.cells)
    side = state.sides[me].with_built(parts.BUILDING_BIT[move.building], rights)
    return _after_building(state, me, side, Piece(move.building, parts.SEATS[me], move.cells))


def _postcard_possible(state: State, me: SeatIndex, move: moves.Postcard) -> None:
    bit = parts.CARD_BIT[move.card]
    if not bit & state.in_play:
        raise refusal("card_not_in_play", card=move.card)
    if not bit & state.open_cards:
        raise refusal("card_taken", card=move.card)
    if not state.tokens(me):
        raise refusal("no_token")
    if type(move) is not moves.Postcard:
        EFFECTS[move.card].possible(state, me, move)


def _postcard_allowed(state: State, me: SeatIndex, move: moves.Postcard) -> None:
    if type(move) is not moves.Postcard:
        EFFECTS[move.card].allowed(state, me, move)


def _postcard(state: State, me: SeatIndex, move: moves.Postcard) -> State:
    side, piece = state.sides[me], None
    if type(move) is not moves.Postcard:
        side, piece = EFFECTS[move.card].outcome(state, me, move)
    return _after_building(state, me, side.with_card(parts.CARD_BIT[move.card]), piece)


def _pass_possible(state: State, me: SeatIndex, move: moves.Pass) -> None:
    side = state.sides[me]
    if not side.passed and not _can_move(state, state.occupied, side, me):
        raise refusal("skipped", seat=parts.SEATS[me])


def _pass_allowed(state: State, me: SeatIndex, move: moves.Pass) -> None:
    if tokens := state.tokens(me):
        raise refusal("pass_with_token", count=Count(tokens, "token"))
    if can_build(state, state.occupied, state.sides[me], me, 0):
        raise refusal("pass_with_building")


def _passes(state: State, me: SeatIndex, random: Random | None) -> Iterable[Move]:
    return [] if state.tokens(me) or can_build(state, state.occupied, state.sides[me], me, 0) else [moves.Pass()]


def _pass(state: State, me: SeatIndex, move: moves.Pass) -> State:
    side = state.sides[me]
    if state.is_paving:
        return state.then(parts.SEATS[1 - me], me, side, state.ground, None)
    return _after_building(state, me, side._replace(passed=True), None)


def _after_building(state: State, me: SeatIndex, side: Side, piece: Piece | None) -> State:
    """The state after a move: the rival is next if they can move, else the mover if they can."""
    rival = 1 - me
    occupied = state.occupied if piece is None else state.occupied | piece.cells
    to_move = None
    if _can_move(state, occupied, state.sides[rival], rival):
        to_move = parts.SEATS[rival]
    elif _can_move(state, occupied, side, me):
        to_move = parts.SEATS[me]
    return state.then(to_move, me, side, state.ground, piece)


def _can_move(state: State, occupied: Spaces, side: Side, me: SeatIndex) -> bool:
    if side.passed:
        return False
    if side.cards.bit_count() < state.edition.action_tokens:
        return True
    return can_build(state, occupied, side, me, side.armed & parts.BUILDING_RIGHTS)


_PAVING: Final[Mapping[type[Move], Effect[Any, State]]] = {
    moves.Pave: Effect(_pave_possible, refuse_nothing, _pave, _paves),
    moves.Take: Effect(_take_possible, refuse_nothing, _take, _takes),
    moves.Pass: Effect(refuse_nothing, _pass_in_paving_allowed, _pass, _passes_in_paving),
}
_POSTCARD: Final = Effect(_postcard_possible, _postcard_allowed, _postcard, _postcards)
_BUILDING: Final[Mapping[type[Move], Effect[Any, State]]] = {
    moves.Build: Effect(_build_possible, _build_allowed, _build, _builds),
    **dict.fromkeys((moves.Postcard, moves.Place, moves.PlaceStatue, moves.AddAnnex, moves.Levitate), _POSTCARD),
    moves.Pass: Effect(_pass_possible, _pass_allowed, _pass, _passes),
}
_KINDS: Final = {**_PAVING, **_BUILDING}
_PAVING_KINDS, _BUILDING_KINDS = (tuple(dict.fromkeys(kinds.values())) for kinds in (_PAVING, _BUILDING))
"""The kinds of move of each phase, in the order in which they are listed."""
