"""The JSON form of a state of Paris."""

from collections.abc import Iterable, Mapping

from domain.game import JsonObject, dump_result
from domain.games.paris.board import (
    ALL_NUMBERS,
    ARC,
    DISTRICTS,
    FIRST_BANK,
    FIRST_END_TILE,
    FIRST_LANDMARK,
    KINDS,
    LANDMARKS,
    PRESTIGE,
    RESOURCES,
    SCORING_TILES,
    SPACES,
    TILE_NAMES,
    TRACK,
)
from domain.games.paris.scoring import SeatScore, result, score
from domain.games.paris.state import NOTHING, Board, Keys, Side, State, bits


def dump(state: State) -> JsonObject:
    """The state with its score and result."""
    table, board = state.table, state.board
    scoring = {DISTRICTS[d]: SCORING_TILES[tile] for d, tile in enumerate(board.scoring) if tile != NOTHING}
    return {
        "game": "paris",
        "ply": state.ply,
        "phase": state.phase,
        "to_move": state.to_move,
        "turn": state.turn._asdict(),
        "stacks": list(board.stacks),
        "buildings": _dump_buildings(state),
        "discarded": sorted(SPACES[tile] for tile in bits(board.discarded)),
        "tokens": {SPACES[space]: KINDS[table.token_on[space]] for space in bits(board.tokens)},
        "banks": {
            district: _dump_keys(state, board.keys[FIRST_BANK + index]) for index, district in enumerate(DISTRICTS)
        },
        "arc": _dump_keys(state, board.keys[ARC]),
        "landmarks": _dump_landmarks(state),
        "track": {str(space): _dump_bonus(board, table.number_on[space]) for space in TRACK},
        "scoring_tiles": {
            "available": [tile for tile in SCORING_TILES if tile not in scoring.values()],
            "placed": scoring,
        },
        "end_tiles": _dump_end_tiles(board.end_tiles),
        "market": {KINDS[kind]: board.market[kind] for kind in RESOURCES},
        "seats": {seat: _dump_side(side) for seat, side in zip(table.seats, state.sides, strict=True)},
        "score": {seat: _dump_score(seat_score) for seat, seat_score in score(state).items()},
        "result": dump_result(result(state)),
    }


def _dump_keys(state: State, keys: Keys) -> list[str]:
    return [state.table.seats[owner] for owner in keys]


def _dump_buildings(state: State) -> JsonObject:
    return {
        SPACES[space]: {
            "tile": SPACES[tile],
            "type": state.edition.types[tile],
            "keys": _dump_keys(state, state.board.keys[space]),
        }
        for space, tile in enumerate(state.board.buildings)
        if tile != NOTHING
    }


def _dump_landmarks(state: State) -> JsonObject:
    available, placed = [], {}
    for index, (value, district) in enumerate(zip(LANDMARKS, state.board.landmarks, strict=True)):
        if district == NOTHING:
            available.append(value)
        else:
            keys = _dump_keys(state, state.board.keys[FIRST_LANDMARK + index])
            placed[str(value)] = {"district": DISTRICTS[district], "keys": keys}
    return {"available": available, "placed": placed}


def _dump_bonus(board: Board, number: int) -> list[int]:
    return [number] * ((board.bonus >> number & 1) + (board.second_bonus >> number & 1))


def _dump_end_tiles(tiles: int) -> list[str]:
    return [TILE_NAMES[tile] for tile in bits(tiles) if tile >= FIRST_END_TILE]


def _dump_tokens(side: Side, kinds: Iterable[int]) -> Mapping[str, int]:
    return {KINDS[kind]: side.tokens[kind] for kind in kinds}


def _dump_side(side: Side) -> JsonObject:
    return {
        "francs": side.francs,
        "keys": side.keys,
        "reserve": side.reserve,
        "resources": _dump_tokens(side, RESOURCES),
        "prestige": _dump_tokens(side, PRESTIGE),
        "bonus": list(bits(side.held & ALL_NUMBERS)),
        "used_bonus": list(bits(side.used & ALL_NUMBERS)),
        "end_tiles": _dump_end_tiles(side.held),
        "half_used": {TILE_NAMES[tile]: 1 for tile in bits(side.half)},
        "track": side.track,
        "points": side.points,
    }


def _dump_score(seat_score: SeatScore) -> JsonObject:
    return {
        "points": seat_score.points,
        "francs_tile": seat_score.francs_tile,
        "districts": dict(seat_score.districts),
        "total": seat_score.total,
    }
