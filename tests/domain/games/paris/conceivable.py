"""Every move that the vocabulary of the wire has room for, tried one by one, and what is left of one without extras."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from domain.chance import bits
from domain.game import JsonObject, Refusal
from domain.games.paris.edition import StandsFor
from domain.games.paris.moves import OCCUPYING, Move, MoveKey, Placing, StandIn
from domain.games.paris.parts import (
    DISTRICTS,
    END_TILES,
    FIRST_LANDMARK,
    KINDS,
    LANDMARKS,
    PLACES,
    PRESTIGE,
    PRESTIGE_PER_LANDMARK,
    RESOURCES,
    SCORING_TILES,
    SPACES,
    Tokens,
    tokens,
)
from domain.games.paris.state import State
from tests.domain.games.paris.positions import GAME

NUMBERS = range(1, 31)
RESOURCE_KINDS, PRESTIGE_KINDS = KINDS[:3], KINDS[3:]
LANDMARK_PLACES = range(FIRST_LANDMARK, FIRST_LANDMARK + len(LANDMARKS))
PLACINGS = tuple(Placing(*placing) for placing in product(LANDMARK_PLACES, range(len(DISTRICTS))))

Essence: TypeAlias = Move | tuple[int, int, Placing | None, int | None]


@cache
def simple_moves() -> tuple[Move, ...]:
    """Every move but those of keys from place to place."""
    return tuple(GAME.move.parse(move) for move in (*_reveals(), *_actions(), *_activations(), *_trades()))


def _reveals() -> Iterator[JsonObject]:
    for stack, tile in product((1, 2, 3), SPACES):
        bare = {"type": "reveal", "stack": stack, "tile": tile}
        yield bare
        yield {**bare, "discard": True}
        yield from ({**bare, "district": district} for district in DISTRICTS)


def _actions() -> Iterator[JsonObject]:
    yield from ({"type": "place_key", "at": place} for place in PLACES)
    yield from ({"type": "take_end_tile", "tile": tile} for tile in END_TILES)
    yield from ({"type": "advance", "to": space} for space in NUMBERS)
    for tile, district in product(SCORING_TILES, DISTRICTS):
        yield {"type": "score_tile", "tile": tile, "district": district}
    yield {"type": "end_turn"}


def _trades() -> Iterator[JsonObject]:
    yield from ({"type": "trade", "buy": kind} for kind in RESOURCE_KINDS)
    for kind in KINDS:
        yield {"type": "trade", "sell": kind}
        yield from ({"type": "trade", "sell": kind, "tile": tile} for tile in (*NUMBERS, *END_TILES))


def _activations() -> Iterator[JsonObject]:
    for tile in NUMBERS:
        bare = {"type": "activate", "tile": tile}
        match tile:
            case 17:
                yield from ({**bare, "take": number} for number in NUMBERS)
            case 25:
                yield from ({**bare, "to": space} for space in NUMBERS)
            case 23 | 24:
                for pairs in product(range(4), repeat=3):
                    named = zip(PRESTIGE_KINDS if tile == 23 else RESOURCE_KINDS, pairs, strict=True)
                    if any(pairs):
                        yield {**bare, "pairs": {kind: count for kind, count in named if count}}
            case _:
                yield bare


def key_moves(state: State) -> Iterator[MoveKey]:
    """The moves of keys, with all landmarks placed, tiles spent and prestige discarded that might make a difference.

    They begin where the seat has a key, and at one place where it has none.
    """
    keys = state.board.keys
    sources = [place for place, there in enumerate(keys) if state.mover in there]
    elsewhere = next(place for place in range(len(PLACES)) if place not in sources)
    for source in (elsewhere, *sources):
        for target in range(len(PLACES)):
            if target != source:
                yield from _key_moves(state, source, target)


def _key_moves(state: State, source: int, target: int) -> Iterator[MoveKey]:
    yield from (MoveKey(source, target, placing) for placing in PLACINGS if placing.landmark != target)
    entering = [None, *(placing for placing in PLACINGS if placing.landmark == target)]
    for placing, using in product(entering, (None, *OCCUPYING)):
        for spend in ((), *_single_stand_ins(state), *spends(state)):
            yield MoveKey(source, target, placing, spend, using=using)
        for prestige in _discards() if target in LANDMARK_PLACES else ():
            yield MoveKey(source, target, placing, (), prestige, using)


def _single_stand_ins(state: State) -> list[tuple[StandIn]]:
    """Each held tile in the place of each token, whether it stands for it or not."""
    return [(StandIn(tile, kind),) for tile in bits(state.side.held) for kind in range(len(KINDS))]


def spends(state: State) -> list[tuple[StandIn, ...]]:
    """Two or three tokens of held tiles, which is as many as any place costs."""
    tiles = {tile: state.edition.effects[tile] for tile in bits(state.side.held)}
    fitting = [
        StandIn(tile, kind)
        for tile, effect in tiles.items()
        if isinstance(effect, StandsFor)
        for kind in effect.kinds
        if kind in RESOURCES
    ]
    return [spend for number in (2, 3) for spend in combinations_with_replacement(fitting, number)]


@cache
def _discards() -> tuple[Tokens, ...]:
    """Up to one token of prestige more than a landmark takes."""
    most = PRESTIGE_PER_LANDMARK + 1
    counted = product(range(most + 1), repeat=len(PRESTIGE))
    return tuple(tokens((0, 0, 0, *counts)) for counts in counted if 0 < sum(counts) <= most)


def accepted(state: State, moves: Iterable[Move]) -> Iterator[Move]:
    """Those of the moves that the seat to move may make, found by trying them."""
    assert state.to_move is not None
    for move in moves:
        try:
            GAME.rules.check(state, state.to_move, move)
        except Refusal:
            continue
        yield move


def essence(move: Move) -> Essence:
    """A move without its optional extras: what is spent and discarded, and a landmark that the key does not enter."""
    if not isinstance(move, MoveKey):
        return move
    entered = move.placing is not None and move.placing.landmark == move.target
    return move.source, move.target, move.placing if entered else None, move.using
