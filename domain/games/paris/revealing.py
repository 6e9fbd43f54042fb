"""Drawing building tiles and putting them on the board."""

from collections.abc import Iterator
from random import Random

from domain.chance import each
from domain.games.paris.moves import Reveal
from domain.games.paris.parts import DISTRICTS, SPACES, STACKS, VALUES
from domain.games.paris.reasons import refusal
from domain.games.paris.state import NOTHING, State, bits, changed, spaces

ALL_BUILDINGS = (1 << len(SPACES)) - 1


def reveal_possible(state: State, move: Reveal) -> None:
    """Refuse a second tile, a tile that cannot come and a space where it cannot lie."""
    board = state.board
    if state.turn.revealed:
        raise refusal("already_revealed")
    if not board.stacks[move.stack]:
        raise refusal("stack_empty", stack=move.stack + 1)
    if board.drawn >> move.tile & 1:
        raise refusal("tile_drawn", tile=SPACES[move.tile])
    if not state.table.free_placement:
        if move.district is not None or move.discard:
            raise refusal("variant_mismatch")
    elif move.district is not None:
        _require_room(state, move.tile, move.district)
    elif not move.discard:
        raise refusal("variant_mismatch")
    elif any(_fits(state, move.tile, district) for district in range(len(DISTRICTS))):
        raise refusal("tile_fits", tile=SPACES[move.tile])


def _require_room(state: State, tile: int, district: int) -> None:
    space = _space_in(district, tile)
    if state.board.buildings[space] != NOTHING:
        raise refusal("space_not_free", space=SPACES[space])
    if not _fits(state, tile, district):
        raise refusal("type_in_district", type=state.edition.types[tile], district=DISTRICTS[district])


def space_of(move: Reveal) -> int:
    """Where a tile goes, unless it is discarded."""
    return move.tile if move.district is None else _space_in(move.district, move.tile)


def _space_in(district: int, tile: int) -> int:
    """The space of a tile's value in a district."""
    return spaces(district)[tile % len(VALUES)]


def _fits(state: State, tile: int, district: int) -> bool:
    types, buildings = state.edition.types, state.board.buildings
    there = [buildings[space] for space in spaces(district) if buildings[space] != NOTHING]
    return buildings[_space_in(district, tile)] == NOTHING and types[tile] not in {types[other] for other in there}


def reveal(state: State, move: Reveal) -> State:
    """The state after a tile was drawn."""
    board, bit = state.board, 1 << move.tile
    discarded, buildings = board.discarded, board.buildings
    if move.discard:
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
    ways_of: dict[int, list[tuple[int | None, bool]]] = {}
    """Worked out for a tile when it is first needed, and the same for all stacks."""
    for stack in each([stack for stack in range(STACKS) if state.board.stacks[stack]], random):
        for tile in each(tiles, random):
            if tile not in ways_of:
                ways_of[tile] = _ways_to_lie(state, tile, random)
            for district, discard in ways_of[tile]:
                yield Reveal(stack, tile, district, discard)


def _ways_to_lie(state: State, tile: int, random: Random | None) -> list[tuple[int | None, bool]]:
    """Each district that a tile may go to, or None, and whether it is discarded."""
    if not state.table.free_placement:
        return [(None, False)]
    fitting = [district for district in each(range(len(DISTRICTS)), random) if _fits(state, tile, district)]
    return [(district, False) for district in fitting] or [(None, True)]
