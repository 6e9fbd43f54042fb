"""The bonus track and the tiles that are activated: what is possible, what is allowed and what each gives."""

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from domain.chance import each
from domain.games.paris.edition import (
    ForKinds,
    Gain,
    KeyPrice,
    PerBuilding,
    PerLandmark,
    PerPair,
    PerUnusedTile,
    StepBack,
    TakeAny,
)
from domain.games.paris.moves import PAIRED_KINDS, Activate, Advance
from domain.games.paris.parts import (
    ALL_NUMBERS,
    FIRST_LANDMARK,
    KINDS,
    LANDMARK,
    PLACE_VALUE,
    PROPERTIES,
    RESOURCES,
    TILE_NAMES,
    TRACK,
    minus,
    tokens,
)
from domain.games.paris.reasons import refusal, refuse_nothing
from domain.games.paris.state import State, bits

# The track


def advance_possible(state: State, move: Advance) -> None:
    """Refuse to stand or go back, and spaces without a tile to take."""
    if move.to <= state.side.track:
        raise refusal("not_forward", space=move.to, pawn=state.side.track)
    _require_number(state, state.table.number_on[move.to])


def advance_allowed(state: State, move: Advance) -> None:
    """Refuse to advance without the right or the fee."""
    if not state.turn.may_advance:
        raise refusal("no_right_to_advance")
    _require_francs(state, state.turn.advance_fee)


def advance(state: State, move: Advance) -> State:
    """The state after a pawn advanced."""
    number, side, turn = state.table.number_on[move.to], state.side, state.turn
    return state.then(
        side._replace(francs=max(0, side.francs - turn.advance_fee), track=move.to, held=side.held | 1 << number),
        state.board.without_bonus(number),
        turn._replace(may_advance=False, advance_fee=0),
    )


def advances(state: State, random: Random | None) -> Iterator[Advance]:
    """Every way to advance."""
    if state.turn.may_advance and state.side.francs >= state.turn.advance_fee:
        for space in each(_spaces_with_a_tile(state, range(state.side.track + 1, TRACK.stop)), random):
            yield Advance(space)


def _spaces_with_a_tile(state: State, among: range) -> list[int]:
    """The spaces with a bonus tile that the seat to move may take."""
    open_numbers, number_on = state.board.bonus & ~state.side.had, state.table.number_on
    return [space for space in among if open_numbers >> number_on[space] & 1]


def _require_number(state: State, number: int) -> None:
    if not state.board.bonus >> number & 1:
        raise refusal("no_bonus_tile", tile=number)
    if state.side.had >> number & 1:
        raise refusal("number_had", tile=number)


def _require_francs(state: State, price: int) -> None:
    if state.side.francs < price:
        raise refusal("cannot_pay")


# The tiles


def require_held(state: State, tile: int) -> None:
    """Refuse a tile that the seat to move does not hold unused."""
    if not state.side.held >> tile & 1:
        raise refusal("tile_not_held", tile=TILE_NAMES[tile])


def activate_possible(state: State, move: Activate) -> None:
    """Refuse a tile that is not held or not activated, and what its effect cannot do."""
    require_held(state, move.tile)
    effect = state.edition.effects[move.tile]
    if type(effect) not in _ACTIVATIONS:
        raise refusal("not_activated", tile=move.tile)
    _ACTIVATIONS[type(effect)].possible(state, move, effect)


def activate_allowed(state: State, move: Activate) -> None:
    """Refuse what is too dear."""
    effect = state.edition.effects[move.tile]
    if isinstance(effect, KeyPrice):
        _require_francs(state, effect.francs)


def activate(state: State, move: Activate) -> State:
    """The state after a tile was used."""
    effect = state.edition.effects[move.tile]
    return _ACTIVATIONS[type(effect)].outcome(state, move, effect)


def activations(state: State, random: Random | None) -> Iterator[Activate]:
    """Every way to activate a tile."""
    for tile in each(list(bits(state.side.held & ALL_NUMBERS)), random):
        effect = state.edition.effects[tile]
        if type(effect) in _ACTIVATIONS:
            yield from each(list(_ACTIVATIONS[type(effect)].choices(state, tile, effect)), random)


def _once(state: State, tile: int, effect: Any) -> Iterator[Activate]:
    yield Activate(tile)


def _gain(state: State, move: Activate, effect: Gain) -> State:
    side = state.side.without(move.tile).awarded(TILE_NAMES[move.tile], effect.points)
    return state.then(side._replace(francs=side.francs + effect.francs))


Counted: TypeAlias = tuple[int, tuple[int, ...]]
"""Points, and the places whose keys give them."""


def _counting(counted: Callable[[State, Any], Counted]) -> Callable[[State, Activate, Any], State]:
    """The outcome of an effect that gives points for what there is."""

    def outcome(state: State, move: Activate, effect: Any) -> State:
        points, places = counted(state, effect)
        return state.then(state.side.without(move.tile).awarded(TILE_NAMES[move.tile], points, places))

    return outcome


def _owned(state: State) -> list[int]:
    """The buildings and landmarks of the seat to move, once for each key."""
    return [place for place in PROPERTIES for owner in state.board.keys[place] if owner == state.mover]


def _per_building(state: State, effect: PerBuilding) -> Counted:
    places = tuple(place for place in _owned(state) if PLACE_VALUE[place] == effect.value)
    return effect.points * len(places), places


def _per_landmark(state: State, effect: PerLandmark) -> Counted:
    places = tuple(place for place in _owned(state) if place >= FIRST_LANDMARK)
    return effect.points * len(places), places


def _for_kinds(state: State, effect: ForKinds) -> Counted:
    types, buildings, owned = state.edition.types, state.board.buildings, tuple(_owned(state))
    kinds = {types[buildings[place]] if place < FIRST_LANDMARK else LANDMARK for place in owned}
    return effect.points.get(len(kinds), 0), owned


def _per_unused_tile(state: State, effect: PerUnusedTile) -> Counted:
    others = (state.side.held & ALL_NUMBERS).bit_count() - 1
    return effect.points[state.players] * others, ()


def _reserve_key(state: State, move: Activate, effect: KeyPrice) -> None:
    if not state.side.reserve:
        raise refusal("no_reserve_key")


def _buy_key(state: State, move: Activate, effect: KeyPrice) -> State:
    side = state.side.without(move.tile)
    return state.then(
        side._replace(francs=max(0, side.francs - effect.francs), keys=side.keys + 1, reserve=side.reserve - 1)
    )


def _key_for_sale(state: State, tile: int, effect: KeyPrice) -> Iterator[Activate]:
    if state.side.reserve and state.side.francs >= effect.francs:
        yield Activate(tile)


def _tile_to_take(state: State, move: Activate, effect: TakeAny) -> None:
    assert move.take is not None
    _require_number(state, move.take)


def _take(state: State, move: Activate, effect: TakeAny) -> State:
    assert move.take is not None
    side = state.side.without(move.tile)
    return state.then(side._replace(held=side.held | 1 << move.take), state.board.without_bonus(move.take))


def _takes(state: State, tile: int, effect: TakeAny) -> Iterator[Activate]:
    return (Activate(tile, take=number) for number in bits(state.board.bonus & ~state.side.had))


def _way_back(state: State, effect: StepBack) -> range:
    pawn = state.side.track
    return range(max(TRACK.start, pawn - effect.most), pawn)


def _space_behind(state: State, move: Activate, effect: StepBack) -> None:
    assert move.to is not None
    if move.to not in _way_back(state, effect):
        raise refusal("not_back", space=move.to, pawn=state.side.track, most=effect.most)
    _require_number(state, state.table.number_on[move.to])


def _step_back(state: State, move: Activate, effect: StepBack) -> State:
    assert move.to is not None
    number, side = state.table.number_on[move.to], state.side.without(move.tile)
    return state.then(side._replace(track=move.to, held=side.held | 1 << number), state.board.without_bonus(number))


def _steps_back(state: State, tile: int, effect: StepBack) -> Iterator[Activate]:
    return (Activate(tile, to=space) for space in _spaces_with_a_tile(state, _way_back(state, effect)))


def _pairs_there(state: State, move: Activate, effect: PerPair) -> None:
    for kind, pairs in enumerate(move.pairs):
        if state.side.tokens[kind] < 2 * pairs:
            raise refusal("no_pair", kind=KINDS[kind])


def _give_pairs(state: State, move: Activate, effect: PerPair) -> State:
    """Prestige leaves the game, resources go to the market."""
    points = effect.points[state.players] * sum(move.pairs)
    side = state.side.without(move.tile).awarded(TILE_NAMES[move.tile], points)
    given = [2 * pairs for pairs in move.pairs]
    wood, marble, gold = (state.board.market[kind] + given[kind] for kind in RESOURCES)
    board = state.board._replace(market=(wood, marble, gold))
    return state.then(side._replace(tokens=minus(side.tokens, given)), board)


def _pairs(state: State, tile: int, effect: PerPair) -> Iterator[Activate]:
    held, kinds = state.side.tokens, PAIRED_KINDS[tile]
    for counts in product(*(range(held[kind] // 2 + 1 if kind in kinds else 1) for kind in range(len(KINDS)))):
        if any(counts):
            yield Activate(tile, pairs=tokens(counts))


class Activation(NamedTuple):
    """How an effect is activated."""

    possible: Callable[[State, Activate, Any], None]
    outcome: Callable[[State, Activate, Any], State]
    choices: Callable[[State, int, Any], Iterator[Activate]]


_ACTIVATIONS: Final[dict[type, Activation]] = {
    Gain: Activation(refuse_nothing, _gain, _once),
    PerBuilding: Activation(refuse_nothing, _counting(_per_building), _once),
    PerLandmark: Activation(refuse_nothing, _counting(_per_landmark), _once),
    ForKinds: Activation(refuse_nothing, _counting(_for_kinds), _once),
    PerUnusedTile: Activation(refuse_nothing, _counting(_per_unused_tile), _once),
    KeyPrice: Activation(_reserve_key, _buy_key, _key_for_sale),
    TakeAny: Activation(_tile_to_take, _take, _takes),
    StepBack: Activation(_space_behind, _step_back, _steps_back),
    PerPair: Activation(_pairs_there, _give_pairs, _pairs),
}
