"""The bonus track and the tiles that are activated: what is possible, what is allowed and what each gives."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

from domain.chance import bits, each
from domain.games.paris import edition, parts
from domain.games.paris.moves import PAIRED_KINDS, Activate, Advance, GivePairs, StepBack, TakeTile
from domain.games.paris.parts import Place, minus, tokens
from domain.games.paris.reasons import refusal
from domain.games.paris.state import Handler, Handlers, State

# The track


def _advance_possible(state: State, move: Advance) -> None:
    if move.to <= state.side.track:
        raise refusal("not_forward", space=move.to, pawn=state.side.track)
    _require_number(state, state.table.number_on[move.to])


def _advance_allowed(state: State, move: Advance) -> None:
    if not state.turn.may_advance:
        raise refusal("no_right_to_advance")
    _require_francs(state, state.turn.advance_fee)


def _advance(state: State, move: Advance) -> State:
    number, side, turn = state.table.number_on[move.to], state.side, state.turn
    return state.then(
        side._replace(francs=side.left_of(turn.advance_fee), track=move.to, held=side.held | 1 << number),
        state.board.without_bonus(number),
        turn._replace(may_advance=False, advance_fee=0),
    )


def advances(state: State, random: Random | None) -> Iterator[Advance]:
    if state.turn.may_advance and state.side.francs >= state.turn.advance_fee:
        for space in each(_spaces_with_a_tile(state, range(state.side.track + 1, parts.TRACK.stop)), random):
            yield Advance(space)


def _spaces_with_a_tile(state: State, among: range) -> list[int]:
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

_NEVER_ACTIVATED = (edition.StandsFor, edition.PerFranc, edition.Occupy)


def require_held(state: State, tile: int) -> None:
    if not state.side.held >> tile & 1:
        raise refusal("tile_not_held", tile=parts.TILE_NAMES[tile])


def activations(state: State, random: Random | None) -> Iterator[Activate]:
    for tile in bits(state.side.held & parts.ALL_NUMBERS, random):
        yield from each(_ways_to_activate(state, tile), random)


def _ways_to_activate(state: State, tile: int) -> list[Activate]:
    match state.edition.effects[tile]:
        case edition.TakeAny():
            return [TakeTile(tile, number) for number in bits(state.board.bonus & ~state.side.had)]
        case edition.WayBack(most):
            return [StepBack(tile, space) for space in _spaces_with_a_tile(state, _way_back(state, most))]
        case edition.PerPair():
            held, kinds = state.side.tokens, PAIRED_KINDS[tile]
            counts = product(*(range(held[kind] // 2 + 1 if kind in kinds else 1) for kind in range(len(parts.KINDS))))
            return [GivePairs(tile, tokens(pairs)) for pairs in counts if any(pairs)]
        case edition.KeyPrice(francs) if not state.side.reserve or state.side.francs < francs:
            return []
        case effect:
            return [] if isinstance(effect, _NEVER_ACTIVATED) else [Activate(tile)]


def _activate_possible(state: State, move: Activate) -> None:
    require_held(state, move.tile)
    effect = state.edition.effects[move.tile]
    if isinstance(effect, _NEVER_ACTIVATED):
        raise refusal("not_activated", tile=move.tile)
    if isinstance(effect, edition.KeyPrice) and not state.side.reserve:
        raise refusal("no_reserve_key")


def _activate_allowed(state: State, move: Activate) -> None:
    effect = state.edition.effects[move.tile]
    if isinstance(effect, edition.KeyPrice):
        _require_francs(state, effect.francs)


def _activate(state: State, move: Activate) -> State:
    side = state.side.without(move.tile)
    match state.edition.effects[move.tile]:
        case edition.Gain(francs, points):
            return state.then(side._replace(francs=side.francs + francs).awarded(points, move.tile))
        case edition.KeyPrice(francs):
            return state.then(side._replace(francs=side.left_of(francs), keys=side.keys + 1, reserve=side.reserve - 1))
        case effect:
            points, places = _counted(state, effect)
            return state.then(side.awarded(points, move.tile, places))


def _counted(state: State, effect: edition.Effect) -> tuple[int, tuple[Place, ...]]:
    """The points that an effect gives for what there is, and the places whose keys count."""
    owned = tuple(place for place in parts.PROPERTIES for owner in state.board.keys[place] if owner == state.mover)
    match effect:
        case edition.PerBuilding(value, points):
            places = tuple(place for place in owned if parts.PLACE_VALUE[place] == value)
            return points * len(places), places
        case edition.PerLandmark(points):
            places = tuple(place for place in owned if place >= parts.FIRST_LANDMARK)
            return points * len(places), places
        case edition.ForKinds(points_for):
            types, buildings = state.edition.types, state.board.buildings
            kinds = {types[buildings[place]] if place < parts.FIRST_LANDMARK else parts.LANDMARK for place in owned}
            return points_for.get(len(kinds), 0), owned
    assert isinstance(effect, edition.PerUnusedTile)
    others = (state.side.held & parts.ALL_NUMBERS).bit_count() - 1
    return effect.points[state.players] * others, ()


def _take_possible(state: State, move: TakeTile) -> None:
    require_held(state, move.tile)
    _require_number(state, move.take)


def _take(state: State, move: TakeTile) -> State:
    side = state.side.without(move.tile)
    return state.then(side._replace(held=side.held | 1 << move.take), state.board.without_bonus(move.take))


def _way_back(state: State, most: int) -> range:
    pawn = state.side.track
    return range(max(parts.TRACK.start, pawn - most), pawn)


def _step_back_possible(state: State, move: StepBack) -> None:
    require_held(state, move.tile)
    effect = state.edition.effects[move.tile]
    assert isinstance(effect, edition.WayBack)
    if move.to not in _way_back(state, effect.most):
        raise refusal("not_back", space=move.to, pawn=state.side.track, most=effect.most)
    _require_number(state, state.table.number_on[move.to])


def _step_back(state: State, move: StepBack) -> State:
    number, side = state.table.number_on[move.to], state.side.without(move.tile)
    return state.then(side._replace(track=move.to, held=side.held | 1 << number), state.board.without_bonus(number))


def _give_pairs_possible(state: State, move: GivePairs) -> None:
    require_held(state, move.tile)
    for kind, pairs in enumerate(move.pairs):
        if state.side.tokens[kind] < 2 * pairs:
            raise refusal("no_pair", kind=parts.KINDS[kind])


def _give_pairs(state: State, move: GivePairs) -> State:
    """Prestige leaves the game, resources go to the market."""
    effect = state.edition.effects[move.tile]
    assert isinstance(effect, edition.PerPair)
    side = state.side.without(move.tile).awarded(effect.points[state.players] * sum(move.pairs), move.tile)
    given = [2 * pairs for pairs in move.pairs]
    wood, marble, gold = (state.board.market[kind] + given[kind] for kind in parts.RESOURCES)
    board = state.board._replace(market=(wood, marble, gold))
    return state.then(side._replace(tokens=minus(side.tokens, given)), board)


HANDLERS: Final[Handlers] = {
    Advance: Handler(_advance_possible, _advance, allowed=_advance_allowed),
    Activate: Handler(_activate_possible, _activate, allowed=_activate_allowed),
    TakeTile: Handler(_take_possible, _take),
    StepBack: Handler(_step_back_possible, _step_back),
    GivePairs: Handler(_give_pairs_possible, _give_pairs),
}
