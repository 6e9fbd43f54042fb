"""Tokens and the tiles that stand for them: what can stand in for what, and what is left after a use."""

from collections.abc import Iterable, Iterator, Sequence

from domain.games.paris.board import KINDS, TILE_NAMES
from domain.games.paris.edition import Edition
from domain.games.paris.effects import StandsFor
from domain.games.paris.moves import StandIn
from domain.games.paris.refusals import refusal
from domain.games.paris.state import Side, State


def require_held(state: State, tile: int) -> None:
    """Refuse a tile that the seat to move does not hold unused."""
    if not state.side.held >> tile & 1:
        raise refusal("tile_not_held", tile=TILE_NAMES[tile])


def require_stand_ins(state: State, spend: Sequence[StandIn]) -> None:
    """Refuse tiles that cannot stand for these tokens."""
    named = [tile for tile, _ in spend]
    for tile, kind in spend:
        require_held(state, tile)
        effect = state.edition.effects[tile]
        if not isinstance(effect, StandsFor) or kind not in effect.kinds:
            raise refusal("not_that_token", tile=TILE_NAMES[tile], kind=KINDS[kind])
        if named.count(tile) > _left(state.side, tile, effect):
            raise refusal("tile_used_up", tile=TILE_NAMES[tile])


def stand_ins_by_kind(spend: Iterable[StandIn]) -> list[int]:
    """How many tokens of each kind the tiles stand in for."""
    counts = [0] * len(KINDS)
    for _, kind in spend:
        counts[kind] += 1
    return counts


def spend_tile(edition: Edition, side: Side, tile: int) -> Side:
    """The side after one token of a tile was used."""
    effect = edition.effects[tile]
    assert isinstance(effect, StandsFor)
    if _left(side, tile, effect) == 1:
        return side.without(tile)
    return side._replace(half=side.half | 1 << tile)


def stand_ins_for(state: State, wanted: Sequence[int]) -> tuple[StandIn, ...]:
    """Tiles of the seat to move that stand in for wanted tokens, as many as there are.

    Tiles for one certain kind come first, so that no other choice covers more.
    """
    side = state.side
    left = {tile: _left(side, tile, effect) for tile, effect in held_token_tiles(state)}
    found = []
    for kind, count in enumerate(wanted):
        missing = count
        for tile, effect in held_token_tiles(state) if missing else ():
            used = min(missing, left[tile]) if kind in effect.kinds else 0
            left[tile] -= used
            missing -= used
            found += [StandIn(tile, kind)] * used
    return tuple(sorted(found))


def held_token_tiles(state: State) -> Iterator[tuple[int, StandsFor]]:
    """The tiles of the seat to move that stand for tokens, those for one certain kind first."""
    held = state.side.held
    return ((tile, effect) for tile, effect in state.edition.token_tiles if held >> tile & 1)


def _left(side: Side, tile: int, effect: StandsFor) -> int:
    return effect.count - (side.half >> tile & 1)
