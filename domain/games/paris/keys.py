"""Placing and moving keys: what is possible, what is allowed, what it costs and gives, and every way to do it."""

from collections.abc import Iterator
from random import Random
from typing import Final

from domain.chance import each
from domain.games.paris import parts
from domain.games.paris.bonus import require_held
from domain.games.paris.moves import MoveKey, PlaceKey, Placing, StandIn
from domain.games.paris.parts import District, Place, SeatIndex, Tile, Tokens, minus, plus, tokens
from domain.games.paris.reasons import refusal
from domain.games.paris.state import NOTHING, Board, Handler, Handlers, Keys, Side, State, Turn, changed
from domain.games.paris.trading import require_stand_ins, spend_tile, stand_ins_by_kind, stand_ins_for

KEY_SPACES: Final = range(parts.FIRST_BANK, parts.ARC + 1)
"""Where keys from the hand go."""
CROWD: Final = 4
"""How many keys in a district let a scoring tile be placed."""

_ONE_TOKEN: Final = tuple(changed(parts.NO_TOKENS, kind, 1) for kind in range(len(parts.KINDS)))


# Placing


def _place_possible(state: State, move: PlaceKey) -> None:
    if move.at not in KEY_SPACES:
        raise refusal("not_a_bank", place=parts.PLACES[move.at])
    if not state.side.keys:
        raise refusal("no_key_in_hand")
    if state.mover in state.board.keys[move.at]:
        raise refusal("key_already_there", place=parts.PLACES[move.at])


def _place_key(state: State, move: PlaceKey) -> State:
    side, board = state.side, state.board
    income = 0 if move.at == parts.ARC else state.edition.banks[move.at - parts.FIRST_BANK]
    return state.then(
        side._replace(keys=side.keys - 1, francs=side.francs + income),
        board._replace(keys=changed(board.keys, move.at, (*board.keys[move.at], state.mover))),
        state.turn._replace(acted=True),
    )


def placings(state: State, random: Random | None) -> Iterator[PlaceKey]:
    if state.side.keys:
        for at in each(KEY_SPACES, random):
            if state.mover not in state.board.keys[at]:
                yield PlaceKey(at)


# Moving


def _move_possible(state: State, move: MoveKey) -> None:
    if state.mover not in state.board.keys[move.source]:
        raise refusal("no_key_there", place=parts.PLACES[move.source])
    if move.placing is not None:
        _require_landmark(state, move.source, move.placing)
    _require_target(state, move)
    if move.prestige != parts.NO_TOKENS:
        _require_prestige(state, move)
    if move.spend:
        require_stand_ins(state, move.spend)
        needed = plus(_extra(state, move.target), move.prestige)
        for kind, count in enumerate(stand_ins_by_kind(move.spend)):
            if count > needed[kind]:
                raise refusal("not_needed", kind=parts.KINDS[kind])


def _require_landmark(state: State, source: Place, placing: Placing) -> None:
    landmark, district = placing
    if state.board.landmarks[landmark - parts.FIRST_LANDMARK] != NOTHING:
        raise refusal("landmark_placed", landmark=parts.PLACES[landmark])
    if source != parts.ARC and district != state.board.district(source):
        raise refusal("landmark_elsewhere", place=parts.PLACES[source], district=parts.DISTRICTS[district])


def _require_target(state: State, move: MoveKey) -> None:
    board, target = state.board, move.target
    if target >= parts.FIRST_BANK:
        raise refusal("not_a_property", place=parts.PLACES[target])
    if target < parts.FIRST_LANDMARK:
        if board.buildings[target] == NOTHING:
            raise refusal("no_building", place=parts.PLACES[target])
    elif _district_of_target(board, move) == NOTHING:
        raise refusal("landmark_not_placed", landmark=parts.PLACES[target])
    if move.using is not None:
        require_held(state, move.using)
        if move.using != _needed_to_enter(board.keys[target], state.mover):
            raise refusal("using_mismatch", place=parts.PLACES[target], tile=move.using)
    elif board.keys[target]:
        raise refusal("target_occupied", place=parts.PLACES[target])


def _district_of_target(board: Board, move: MoveKey) -> District:
    if move.placing is not None and move.placing.landmark == move.target:
        return move.placing.district
    return board.district(move.target)


def _needed_to_enter(keys: Keys, me: SeatIndex) -> Tile | None:
    if not keys:
        return None
    return parts.SECOND_KEY if me in keys else parts.SHARING


def _worth_of_prestige(state: State, target: Place) -> Tokens:
    """The points of a landmark for one token of each kind; a building takes none."""
    is_landmark = target >= parts.FIRST_LANDMARK
    return state.edition.prestige[target - parts.FIRST_LANDMARK] if is_landmark else parts.NO_TOKENS


def _require_prestige(state: State, move: MoveKey) -> None:
    listed = _worth_of_prestige(state, move.target)
    stand_ins = stand_ins_by_kind(move.spend)
    for kind, count in enumerate(move.prestige):
        if count and not listed[kind]:
            raise refusal("prestige_not_wanted", place=parts.PLACES[move.target], kind=parts.KINDS[kind])
        if count - stand_ins[kind] > state.side.tokens[kind]:
            raise refusal("no_such_prestige", kind=parts.KINDS[kind])
    if sum(move.prestige) > parts.PRESTIGE_PER_LANDMARK:
        raise refusal("too_many_prestige", most=parts.PRESTIGE_PER_LANDMARK)


def _move_allowed(state: State, move: MoveKey) -> None:
    board, source, target = state.board, move.source, move.target
    if source != parts.ARC:
        if board.district(source) != _district_of_target(board, move):
            raise refusal("wrong_district", source=parts.PLACES[source], target=parts.PLACES[target])
        if parts.PLACE_VALUE[target] <= parts.PLACE_VALUE[source]:
            raise refusal("not_higher", source=parts.PLACES[source], target=parts.PLACES[target])
    if move.placing is not None:
        landmark, district = move.placing
        if any(other > landmark for other in board.landmarks_in(district)):
            raise refusal("landmark_not_higher", landmark=parts.PLACES[landmark], district=parts.DISTRICTS[district])
    side, extra = state.side, _extra(state, target)
    stand_ins = stand_ins_by_kind(move.spend)
    if side.francs < cost(source, target) or any(extra[k] - stand_ins[k] > side.tokens[k] for k in parts.RESOURCES):
        raise refusal("cannot_pay")


def _move_key(state: State, move: MoveKey) -> State:
    me, board = state.mover, state.board
    source, target = board.keys[move.source], board.keys[move.target]
    leaving = source.index(me)
    keys = changed(board.keys, move.source, (*source[:leaving], *source[leaving + 1 :]))
    landmarks = board.landmarks
    if move.placing is not None:
        landmarks = changed(landmarks, move.placing.landmark - parts.FIRST_LANDMARK, move.placing.district)
    side, market = _paid(state, move)
    side, turn = _benefits(state, move.target, side)
    board = board._replace(
        keys=changed(keys, move.target, (*target, me)),
        tokens=board.tokens & ~(1 << move.target),
        landmarks=landmarks,
        market=market,
    )
    district = board.district(move.target)
    keys_there = sum(len(board.keys[place]) for place in board.properties(district))
    if keys_there == CROWD and not board.crowded >> district & 1:
        board = board._replace(crowded=board.crowded | 1 << district)
        turn = turn._replace(may_score_tile=True)
    return state.then(side, board, turn)


def _paid(state: State, move: MoveKey) -> tuple[Side, tuple[int, int, int]]:
    """The side after paying, and the market. As for francs, a seat without enough tokens pays what it has."""
    side, (wood, marble, gold) = state.side, state.board.market
    extra, tokens_left = _extra(state, move.target), side.tokens
    if extra != parts.NO_TOKENS or move.spend or move.prestige != parts.NO_TOKENS:
        due = minus(plus(extra, move.prestige), stand_ins_by_kind(move.spend))
        paid = [min(count, held) for count, held in zip(due, tokens_left, strict=True)]
        tokens_left = minus(tokens_left, paid)
        wood, marble, gold = wood + paid[0], marble + paid[1], gold + paid[2]
    side = side._replace(francs=side.left_of(cost(move.source, move.target)), tokens=tokens_left)
    for tile, _ in move.spend:
        side = spend_tile(state.edition, side, tile)
    if move.using is not None:
        side = side.without(move.using)
    if move.prestige != parts.NO_TOKENS:
        worth = _worth_of_prestige(state, move.target)
        points = sum(count * each for count, each in zip(move.prestige, worth, strict=True))
        side = side.awarded(points, None, (move.target,))
    return side, (wood, marble, gold)


def _benefits(state: State, target: Place, side: Side) -> tuple[Side, Turn]:
    turn = state.turn._replace(acted=True)
    if state.board.tokens >> target & 1:
        kind = state.table.token_on[target]
        side = side._replace(tokens=plus(side.tokens, _ONE_TOKEN[kind]))
    match parts.PLACE_VALUE[target]:
        case 1 | 2:
            turn = turn._replace(may_advance=True, advance_fee=0)
        case 3:
            turn = turn._replace(may_advance=True, advance_fee=state.edition.advance_fee_on_3)
        case 8:
            side = side.awarded(state.edition.points_on_8, None, (target,))
    return side, turn


def cost(source: Place, target: Place) -> int:
    """The francs that a move costs; downwards, after a table ruling, nothing."""
    return max(0, parts.PLACE_VALUE[target] - parts.PLACE_VALUE[source])


def _extra(state: State, target: Place) -> Tokens:
    return state.edition.extras[state.board.buildings[target] if target < parts.FIRST_LANDMARK else target]


def key_moves(state: State, random: Random | None) -> Iterator[MoveKey]:
    """Every way to move a key, with the fewest tiles that stand for tokens.

    A landmark is entered without discarding prestige and with as much as counts.
    """
    board = state.board
    unplaced = board.landmarks_in(NOTHING)
    for source in each([place for place, keys in enumerate(board.keys) if state.mover in keys], random):
        lowest = parts.PLACE_VALUE[source] + 1
        affordable = range(lowest, lowest + state.side.francs)
        for district in each(range(len(parts.DISTRICTS)) if source == parts.ARC else (board.district(source),), random):
            for target, placing in each(_targets(board, affordable, district, unplaced), random):
                yield from each(_ways(state, source, target, placing), random)


def _targets(
    board: Board, values: range, district: District, unplaced: list[Place]
) -> list[tuple[Place, Placing | None]]:
    """The places of these values in a district, then the landmarks of these values that may be placed there."""
    properties = board.properties(district)
    highest = properties[-1] if properties else NOTHING
    placings = [(place, Placing(place, district)) for place in unplaced if place > highest]
    targets = [*((place, None) for place in properties), *placings]
    return [target for target in targets if parts.PLACE_VALUE[target[0]] in values]


def _ways(state: State, source: Place, target: Place, placing: Placing | None) -> list[MoveKey]:
    """The ways to pay for a move with resources and prestige; the francs are there."""
    side, using = state.side, _needed_to_enter(state.board.keys[target], state.mover)
    if using is not None and not side.held >> using & 1:
        return []
    extra = _extra(state, target)
    missing = [max(0, extra[kind] - side.tokens[kind]) for kind in parts.RESOURCES]
    spend = stand_ins_for(state, missing)
    if len(spend) < sum(missing):
        return []
    ways = [MoveKey(source, target, placing, spend, using=using)]
    if target >= parts.FIRST_LANDMARK:
        prestige, more = _most_prestige(state, target)
        if prestige != parts.NO_TOKENS:
            ways.append(MoveKey(source, target, placing, tuple(sorted(spend + more)), prestige, using))
    return ways


def _most_prestige(state: State, target: Place) -> tuple[Tokens, tuple[StandIn, ...]]:
    """As many tokens as a landmark takes, the best first, and tiles for the best kind in what room is left."""
    worth = _worth_of_prestige(state, target)
    counts, room = list(parts.NO_TOKENS), parts.PRESTIGE_PER_LANDMARK
    listed = sorted((kind for kind in parts.PRESTIGE if worth[kind]), key=lambda kind: -worth[kind])
    for kind in listed:
        counts[kind] = min(room, state.side.tokens[kind])
        room -= counts[kind]
    wanted = [room if kind in listed[:1] else 0 for kind in range(len(parts.KINDS))]
    stand_ins = stand_ins_for(state, wanted)
    return plus(tokens(counts), tokens(stand_ins_by_kind(stand_ins))), stand_ins


HANDLERS: Final[Handlers] = {
    PlaceKey: Handler(_place_possible, _place_key),
    MoveKey: Handler(_move_possible, _move_key, allowed=_move_allowed),
}
