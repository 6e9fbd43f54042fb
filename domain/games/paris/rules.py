"""The course of a match of Paris: turns, phases, end tiles, scoring tiles; what each move does, which are legal."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Final, TypeAlias

from domain.chance import bits, each
from domain.game import Seat
from domain.games.paris import bonus, keys, parts, revealing, trading
from domain.games.paris.edition import Gain
from domain.games.paris.moves import EndTurn, Move, ScoreTile, TakeEndTile
from domain.games.paris.reasons import refusal
from domain.games.paris.scoring import result, totals
from domain.games.paris.setup import start
from domain.games.paris.state import FINAL_TURNS, FRESH_TURN, NOTHING, OVER, Handler, Handlers, Phase, State, changed

__all__ = ["apply", "check", "legal_moves", "random_move", "result", "start", "totals"]

Choices: TypeAlias = Callable[[State, Random | None], Iterable[Move]]
"""The legal moves of one kind, in an order drawn at random if there is a `Random`."""


def check(state: State, seat: Seat, move: Move) -> None:
    if state.phase is OVER:
        raise refusal("match_over")
    handler, moving = _HANDLERS[type(move)], _moving(state, seat)
    handler.possible(moving, move)
    if moving is not state:
        raise refusal("not_your_turn", seat=seat, turn=state.to_move)
    handler.allowed(state, move)


def apply(state: State, seat: Seat, move: Move) -> State:
    return _HANDLERS[type(move)].outcome(_moving(state, seat), move)


def _moving(state: State, seat: Seat) -> State:
    """The state in which a seat moves: out of turn, it starts a fresh turn of its own."""
    mover = state.table.seats.index(seat)
    return state if mover == state.mover else state._replace(mover=mover, turn=FRESH_TURN)


def legal_moves(state: State) -> Iterator[Move]:
    """The legal moves of the seat to move, but for the optional extras of moving a key."""
    return _moves(state, None)


def random_move(state: State, random: Random) -> Move | None:
    return next(_moves(state, random), None)


def _moves(state: State, random: Random | None) -> Iterator[Move]:
    if state.phase is OVER:
        return iter(())
    return chain.from_iterable(kind(state, random) for kind in each(_KINDS, random))


# Main actions


def _main_action(handler: Handler) -> Handler:
    """The handler of what comes once in a turn, after the reveal."""

    def allowed(state: State, move: Move) -> None:
        if state.must_reveal:
            raise refusal("not_revealed")
        if state.turn.acted:
            raise refusal("already_acted")
        handler.allowed(state, move)

    return replace(handler, allowed=allowed)


def _main_actions(state: State, random: Random | None) -> Iterator[Move]:
    if not state.turn.acted and not state.must_reveal:
        for kind in each(_MAIN_ACTIONS, random):
            yield from kind(state, random)


def _must_act(state: State) -> bool:
    return state.phase is not FINAL_TURNS and next(_main_actions(state, None), None) is not None


def _end_tiles(state: State, random: Random | None) -> Iterator[Move]:
    if not any(state.board.stacks):
        for tile in bits(state.board.end_tiles, random):
            yield TakeEndTile(tile)


_MAIN_ACTIONS: Final[tuple[Choices, ...]] = (keys.placings, keys.key_moves, _end_tiles)


def _take_end_tile_possible(state: State, move: TakeEndTile) -> None:
    if any(state.board.stacks):
        raise refusal("stacks_not_empty")
    if not state.board.end_tiles >> move.tile & 1:
        raise refusal("end_tile_taken", tile=parts.TILE_NAMES[move.tile])


def _take_end_tile(state: State, move: TakeEndTile) -> State:
    effect, side = state.edition.effects[move.tile], state.side
    if not isinstance(effect, Gain):
        side = side._replace(held=side.held | 1 << move.tile)
    else:
        side = side._replace(francs=side.francs + effect.francs).awarded(effect.points, move.tile)
    board = state.board._replace(end_tiles=state.board.end_tiles ^ 1 << move.tile)
    after = state.then(side, board, state.turn._replace(acted=True))
    return after if board.end_tiles else after._replace(phase=Phase.LAST_ROUND)


# Scoring tiles


def _score_tile_possible(state: State, move: ScoreTile) -> None:
    if not state.turn.may_score_tile:
        raise refusal("no_scoring_right")
    if move.tile in state.board.scoring:
        raise refusal("scoring_tile_placed", tile=parts.SCORING_TILES[move.tile])
    if state.board.scoring[move.district] != NOTHING:
        raise refusal("district_has_tile", district=parts.DISTRICTS[move.district])


def _score_tile(state: State, move: ScoreTile) -> State:
    scoring = changed(state.board.scoring, move.district, move.tile)
    return state.then(state.side, state.board._replace(scoring=scoring), state.turn._replace(may_score_tile=False))


def _scorings(state: State, random: Random | None) -> Iterator[ScoreTile]:
    if state.turn.may_score_tile:
        scoring = state.board.scoring
        for tile in each([tile for tile in range(len(parts.SCORING_TILES)) if tile not in scoring], random):
            for district in each(range(len(parts.DISTRICTS)), random):
                if scoring[district] == NOTHING:
                    yield ScoreTile(tile, district)


# The end of a turn


def _end_turn_possible(state: State, move: EndTurn) -> None:
    if _must_act(state):
        raise refusal("must_act")


def _end_turn_allowed(state: State, move: EndTurn) -> None:
    if state.must_reveal:
        raise refusal("not_revealed")


def _end_turn(state: State, move: EndTurn) -> State:
    following, phase = state.mover + 1, state.phase
    if following == state.players:
        following, phase = 0, _NEXT_ROUND[phase]
    return State(state.table, state.ply + 1, phase, following, FRESH_TURN, state.board, state.sides)


def _turn_ends(state: State, random: Random | None) -> Iterator[EndTurn]:
    if not state.must_reveal and not _must_act(state):
        yield EndTurn()


_NEXT_ROUND: Final = {
    Phase.MAIN: Phase.MAIN,
    Phase.LAST_ROUND: Phase.FINAL_TURNS,
    Phase.FINAL_TURNS: Phase.OVER,
}

_KINDS: Final[tuple[Choices, ...]] = (
    revealing.reveals,
    _main_actions,
    bonus.advances,
    _scorings,
    trading.trades,
    bonus.activations,
    _turn_ends,
)
"""The kinds of move, in the order in which they are listed."""

_HANDLERS: Final[Handlers] = {
    **revealing.HANDLERS,
    **{kind: _main_action(handler) for kind, handler in keys.HANDLERS.items()},
    **bonus.HANDLERS,
    **trading.HANDLERS,
    TakeEndTile: _main_action(Handler(_take_end_tile_possible, _take_end_tile)),
    ScoreTile: Handler(_score_tile_possible, _score_tile),
    EndTurn: Handler(_end_turn_possible, _end_turn, allowed=_end_turn_allowed),
}
