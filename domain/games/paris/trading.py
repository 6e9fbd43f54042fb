"""Tokens: the tiles that stand in for them, buying and selling."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

from domain.chance import each
from domain.games.paris import parts
from domain.games.paris.bonus import require_held
from domain.games.paris.edition import Edition, StandsFor
from domain.games.paris.moves import Buy, Sell, StandIn
from domain.games.paris.parts import Tile, TokenKind, tokens
from domain.games.paris.reasons import refusal
from domain.games.paris.state import Handler, Handlers, Side, State, changed


def require_stand_ins(state: State, spend: Sequence[StandIn]) -> None:
    named = [tile for tile, _ in spend]
    for tile, kind in spend:
        require_held(state, tile)
        effect = state.edition.effects[tile]
        if not isinstance(effect, StandsFor) or kind not in effect.kinds:
            raise refusal("not_that_token", tile=parts.TILE_NAMES[tile], kind=parts.KINDS[kind])
        if named.count(tile) > _left(state.side, tile, effect):
            raise refusal("tile_used_up", tile=parts.TILE_NAMES[tile])


def stand_ins_by_kind(spend: Iterable[StandIn]) -> list[int]:
    """How many tokens of each kind the tiles stand in for."""
    counts = [0] * len(parts.KINDS)
    for _, kind in spend:
        counts[kind] += 1
    return counts


def spend_tile(edition: Edition, side: Side, tile: Tile) -> Side:
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


def held_token_tiles(state: State) -> Iterator[tuple[Tile, StandsFor]]:
    """The tiles of the seat to move that stand for tokens, those for one certain kind first."""
    held = state.side.held
    return ((tile, effect) for tile, effect in state.edition.token_tiles if held >> tile & 1)


def _left(side: Side, tile: Tile, effect: StandsFor) -> int:
    return effect.count - (side.half >> tile & 1)


def _buy_possible(state: State, move: Buy) -> None:
    if not state.board.market[move.kind]:
        raise refusal("not_for_sale", kind=parts.KINDS[move.kind])


def _buy_allowed(state: State, move: Buy) -> None:
    if state.side.francs < state.edition.buy[move.kind]:
        raise refusal("cannot_pay")


def _buy(state: State, move: Buy) -> State:
    return _traded(state, move.kind, state.side.left_of(state.edition.buy[move.kind]), 1)


def _sell_possible(state: State, move: Sell) -> None:
    if move.tile is not None:
        require_stand_ins(state, [StandIn(move.tile, move.kind)])
    elif not state.side.tokens[move.kind]:
        raise refusal("nothing_to_sell", kind=parts.KINDS[move.kind])


def _sell(state: State, move: Sell) -> State:
    francs = state.side.francs + state.edition.sell[move.kind]
    if move.tile is None:
        return _traded(state, move.kind, francs, -1)
    return state.then(spend_tile(state.edition, state.side, move.tile)._replace(francs=francs))


def _traded(state: State, kind: TokenKind, francs: int, got: int) -> State:
    """Resources come from the market and return to it; prestige leaves the game."""
    counts, board = list(state.side.tokens), state.board
    counts[kind] += got
    if kind in parts.RESOURCES:
        wood, marble, gold = changed(board.market, kind, board.market[kind] - got)
        board = board._replace(market=(wood, marble, gold))
    return state.then(state.side._replace(francs=francs, tokens=tokens(counts)), board)


def trades(state: State, random: Random | None) -> Iterable[Buy | Sell]:
    market, francs, prices = state.board.market, state.side.francs, state.edition.buy
    buys = [Buy(kind) for kind in parts.RESOURCES if market[kind] and francs >= prices[kind]]
    sales = [Sell(kind) for kind, count in enumerate(state.side.tokens) if count]
    tile_sales = [Sell(kind, tile) for tile, effect in held_token_tiles(state) for kind in effect.kinds]
    return each([*buys, *sales, *tile_sales], random)


HANDLERS: Final[Handlers] = {
    Buy: Handler(_buy_possible, _buy, allowed=_buy_allowed),
    Sell: Handler(_sell_possible, _sell),
}
