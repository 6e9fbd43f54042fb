"""Drawing building tiles and putting them on the board."""

from collections.abc import Iterator
from random import Random
from typing import Final

from domain.chance import bits, each
from domain.games.paris import parts
from domain.games.paris.moves import Discard, Reveal, RevealIn
from domain.games.paris.parts import District, Space
from domain.games.paris.reasons import refusal
from domain.games.paris.state import NOTHING, Handler, Handlers, State, changed, spaces

ALL_BUILDINGS = (1 << len(parts.SPACES)) - 1


def _reveal_possible(state: State, move: Reveal) -> None:
    board = state.board
    if state.turn.revealed:
        raise refusal("already_revealed")
    if not board.stacks[move.stack]:
        raise refusal("stack_empty", stack=move.stack + 1)
    if board.drawn >> move.tile & 1:
        raise refusal("tile_drawn", tile=parts.SPACES[move.tile])
    if state.table.free_placement is (type(move) is Reveal):
        raise refusal("variant_mismatch")
    if isinstance(move, RevealIn):
        _require_room(state, move.tile, move.district)
    elif isinstance(move, Discard) and _fitting(state, move.tile, None):
        raise refusal("tile_fits", tile=parts.SPACES[move.tile])


def _require_room(state: State, tile: Space, district: District) -> None:
    space = _space_in(district, tile)
    if state.board.buildings[space] != NOTHING:
        raise refusal("space_not_free", space=parts.SPACES[space])
    if not _fits(state, tile, district):
        raise refusal("type_in_district", type=state.edition.types[tile], district=parts.DISTRICTS[district])


def space_of(move: Reveal) -> Space:
    """Where a tile goes, unless it is discarded."""
    return _space_in(move.district, move.tile) if isinstance(move, RevealIn) else move.tile


def _space_in(district: District, tile: Space) -> Space:
    return spaces(district)[tile % len(parts.VALUES)]


def _fits(state: State, tile: Space, district: District) -> bool:
    types, buildings = state.edition.types, state.board.buildings
    there = [buildings[space] for space in spaces(district) if buildings[space] != NOTHING]
    return buildings[_space_in(district, tile)] == NOTHING and types[tile] not in {types[other] for other in there}


def _fitting(state: State, tile: Space, random: Random | None) -> list[District]:
    return [district for district in each(range(len(parts.DISTRICTS)), random) if _fits(state, tile, district)]


def _reveal(state: State, move: Reveal) -> State:
    board, bit = state.board, 1 << move.tile
    discarded, buildings = board.discarded, board.buildings
    if isinstance(move, Discard):
        discarded |= bit
    else:
        buildings = changed(buildings, space_of(move), move.tile)
    first, second, third = changed(board.stacks, move.stack, board.stacks[move.stack] - 1)
    return state.then(
        state.side,
        board._replace(
            stacks=(first, second, third), drawn=board.drawn | bit, discarded=discarded, buildings=buildings
        ),
        state.turn._replace(revealed=True),
    )


def reveals(state: State, random: Random | None) -> Iterator[Reveal]:
    """Every tile that may come, from every stack, wherever it may lie."""
    if not state.must_reveal:
        return
    tiles = list(bits(ALL_BUILDINGS & ~state.board.drawn))
    fitting: dict[Space, list[District]] = {}
    """Worked out for a tile when it is first needed, and the same for all stacks."""
    for stack in each([stack for stack in range(parts.STACKS) if state.board.stacks[stack]], random):
        for tile in each(tiles, random):
            if not state.table.free_placement:
                yield Reveal(stack, tile)
                continue
            if tile not in fitting:
                fitting[tile] = _fitting(state, tile, random)
            for district in fitting[tile]:
                yield RevealIn(stack, tile, district)
            if not fitting[tile]:
                yield Discard(stack, tile)


HANDLERS: Final[Handlers] = dict.fromkeys((Reveal, RevealIn, Discard), Handler(_reveal_possible, _reveal))
