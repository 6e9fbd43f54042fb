"""Buying and selling tokens one by one."""

from collections.abc import Iterable, Iterator
from random import Random

from domain.chance import each
from domain.games.paris.board import KINDS, RESOURCES
from domain.games.paris.moves import Buy, Sell, StandIn
from domain.games.paris.refusals import refusal
from domain.games.paris.stand_ins import held_token_tiles, require_stand_ins, spend_tile
from domain.games.paris.state import State
from domain.games.paris.tokens import tokens


def buy_possible(state: State, move: Buy) -> None:
    """Refuse a resource that does not lie in the supply."""
    if not state.board.market[move.kind]:
        raise refusal("not_for_sale", kind=KINDS[move.kind])


def buy_allowed(state: State, move: Buy) -> None:
    """Refuse what is too dear."""
    if state.side.francs < state.edition.buy[move.kind]:
        raise refusal("cannot_pay")


def buy(state: State, move: Buy) -> State:
    """The state after a resource was bought."""
    side = state.side
    return _traded(state, move.kind, side.francs - state.edition.buy[move.kind], 1)


def sell_possible(state: State, move: Sell) -> None:
    """Refuse a token that is not there."""
    if move.tile is not None:
        require_stand_ins(state, [StandIn(move.tile, move.kind)])
    elif not state.side.tokens[move.kind]:
        raise refusal("nothing_to_sell", kind=KINDS[move.kind])


def sell(state: State, move: Sell) -> State:
    """The state after a token, or what a tile stands for, was sold."""
    francs = state.side.francs + state.edition.sell[move.kind]
    if move.tile is None:
        return _traded(state, move.kind, francs, -1)
    return state.then(spend_tile(state.edition, state.side, move.tile)._replace(francs=francs))


def _traded(state: State, kind: int, francs: int, got: int) -> State:
    """Resources come from the market and return to it; prestige leaves the game."""
    counts, market = list(state.side.tokens), list(state.board.market)
    counts[kind] += got
    if kind in RESOURCES:
        market[kind] -= got
    wood, marble, gold = market
    return state.then(
        state.side._replace(francs=max(0, francs), tokens=tokens(counts)),
        state.board._replace(market=(wood, marble, gold)),
    )


def trades(state: State, random: Random | None) -> Iterable[Buy | Sell]:
    """Every way to buy and sell."""
    return each(list(_trades(state)), random)


def _trades(state: State) -> Iterator[Buy | Sell]:
    side, edition = state.side, state.edition
    for kind in RESOURCES:
        if state.board.market[kind] and side.francs >= edition.buy[kind]:
            yield Buy(kind)
    for kind, count in enumerate(side.tokens):
        if count:
            yield Sell(kind)
    for tile, effect in held_token_tiles(state):
        for kind in effect.kinds:
            yield Sell(kind, tile)
