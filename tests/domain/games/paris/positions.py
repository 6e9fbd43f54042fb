"""Positions for the tests: reached by moves written in words, or drawn with the keys where a test wants them.

A move in words is `reveal 1 montmartre-5`, `reveal 2 montmartre-5 belleville`, `reveal 1 montmartre-5 away`, `key arc`,
`move arc landmark-15 place 15 belleville spend 10=gold 8=gilt prestige gilt=2 using 16`, `end_tile e07`, `advance 18`,
`score 20-10-5 belleville`, `buy wood`, `sell gilt`, `sell gold with 10`, `activate 18`, `activate 17 take 21`,
`activate 25 to 11`, `activate 23 pairs bronze=1` or `end`; a seat may stand before it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.game import Game, JsonObject, Refusal, Seat
from domain.games.paris.edition import Edition
from domain.games.paris.moves import Move
from domain.games.paris.parts import (
    DISTRICT_INDEX,
    END_TILE_INDEX,
    FIRST_END_TILE,
    FIRST_LANDMARK,
    KINDS,
    PLACE_INDEX,
    SCORING_TILE_INDEX,
    SPACES,
    tokens,
)
from domain.games.paris.setup import Setup
from domain.games.paris.state import FRESH_TURN, Board, Side, State, changed
from tests.domain.cases import enter
from tests.domain.documents import with_values

GAME: Game[Edition, Setup, State, Move] = GAMES["paris"]
EDITION = GAME.editions["rulebook-2020"]
SEATS = ("red", "blue", "green", "yellow")

BASIC_TRACK = {str(space): space for space in range(1, 31)}
BASIC_TOKENS = {
    space: dict(zip("123458", ("bronze", "silver", "gilt", "wood", "marble", "gold"), strict=True))[space[-1]]
    for space in SPACES
}
"""What an advanced set-up may list; it amounts to the basic one."""


def begin(players: int | Sequence[Seat] = 2, edition: Edition = EDITION, **setup: object) -> State:
    """A match before its first move, of so many players or of these seats."""
    seats = SEATS[:players] if isinstance(players, int) else players
    return GAME.rules.start(GAME.setup.parse(setup), seats, edition)


def advanced(
    tokens: Mapping[str, str] | None = None, track: Mapping[int, int] | None = None, **more: object
) -> JsonObject:
    """An advanced set-up that differs from the basic one in these tokens and spaces of the track."""
    named = {str(space): number for space, number in (track or {}).items()}
    return {"advanced": True, "tokens": {**BASIC_TOKENS, **(tokens or {})}, "track": {**BASIC_TRACK, **named}, **more}


def document_with(changes: Mapping[str, object]) -> JsonObject:
    """The document of the built-in edition with other values: `{"start_francs": 2, "banks/chaillot": 1}`."""
    return with_values(EDITION.document, changes)


def edition_with(changes: Mapping[str, object]) -> Edition:
    """The built-in edition with other values."""
    return GAME.editions.load(document_with(changes))


# Moves in words


def written(line: str) -> JsonObject:
    """The JSON form of a move in words."""
    word, *rest = line.split()
    match word, rest:
        case "reveal", [stack, tile, *where]:
            return {"type": "reveal", "stack": int(stack), "tile": tile, **_where(where)}
        case "key", [place]:
            return {"type": "place_key", "at": place}
        case "move", [source, target, *more]:
            return {"type": "move_key", "from": source, "to": target, **_extras(more)}
        case "end_tile", [tile]:
            return {"type": "take_end_tile", "tile": tile}
        case "advance", [space]:
            return {"type": "advance", "to": int(space)}
        case "score", [tile, district]:
            return {"type": "score_tile", "tile": tile, "district": district}
        case (("buy" | "sell"), [kind]):
            return {"type": "trade", word: kind}
        case "sell", [kind, "with", tile]:
            return {"type": "trade", "sell": kind, "tile": _tile(tile)}
        case "activate", [tile, *named]:
            return {"type": "activate", "tile": int(tile), **_named(named)}
        case "end", []:
            return {"type": "end_turn"}
    raise ValueError(line)


def _where(words: Sequence[str]) -> JsonObject:
    """Where a revealed tile goes in free placement."""
    if words == ["away"]:
        return {"discard": True}
    return {"district": words[0]} if words else {}


def _named(words: Sequence[str]) -> JsonObject:
    """What the activation of a tile names."""
    if not words:
        return {}
    member, *values = words
    return {member: _counts(values) if member == "pairs" else int(values[0])}


def _extras(words: Sequence[str]) -> JsonObject:
    """What a move of a key says besides where it goes."""
    named: dict[str, list[str]] = {}
    for word in words:
        if word in ("place", "spend", "prestige", "using"):
            named[word] = []
        else:
            next(reversed(named.values())).append(word)
    json: JsonObject = {}
    for member, values in named.items():
        match member:
            case "place":
                json["landmark"] = {"tile": int(values[0]), "district": values[1]}
            case "spend":
                pairs = (value.split("=") for value in values)
                json["spend"] = [{"tile": _tile(tile), "as": kind} for tile, kind in pairs]
            case "prestige":
                json["prestige"] = _counts(values)
            case "using":
                json["using"] = int(values[0])
    return json


def _tile(word: str) -> int | str:
    return word if word.startswith("e") else int(word)


def _counts(words: Iterable[str]) -> dict[str, int]:
    return {kind: int(count) for kind, count in (word.split("=") for word in words)}


def move(line: str) -> Move:
    """A move in words, without a seat."""
    return GAME.move.parse(written(line))


def play(state: State, *lines: str, ruled: bool = False) -> State:
    """The state after moves; a move without a seat is made by the one who is to move."""
    for line in lines:
        first, _, rest = line.partition(" ")
        seat, words = (first, rest) if first in SEATS else (state.to_move or state.table.seats[0], line)
        state = enter(GAME, state, seat, move(words), ruled=ruled)
    return state


def ruled(state: State, *lines: str) -> State:
    """The state after moves that happened at the table, whatever the rules say."""
    return play(state, *lines, ruled=True)


def refusal(state: State, line: str, *, ruled: bool = False) -> Refusal:
    """Why a move is refused; fail if it is not."""
    with pytest.raises(Refusal) as caught:
        play(state, line, ruled=ruled)
    return caught.value


def code(state: State, line: str, *, ruled: bool = False) -> str:
    """The code with which a move is refused; fail if it is not."""
    return refusal(state, line, ruled=ruled).code


def legal(state: State) -> list[JsonObject]:
    """The legal moves in their JSON form."""
    return [GAME.move.dump(choice) for choice in GAME.rules.legal_moves(state)]


def lists(state: State, line: str) -> bool:
    """Whether a move in words, without a seat, is among the legal ones."""
    return GAME.move.dump(move(line)) in legal(state)


def types(state: State) -> set[str]:
    """The types of the legal moves."""
    return {choice["type"] for choice in legal(state)}


# Drawn positions


def drawn(
    red: str = "",
    blue: str = "",
    green: str = "",
    yellow: str = "",
    *,
    free: str = "",
    players: int = 2,
    edition: Edition = EDITION,
    turn: Seat = "red",
) -> State:
    """A position with the keys of every seat where they are named, in a turn whose reveal is done.

    Places are named as moves do, a landmark with its district: `landmark-12@belleville`. Buildings and landmarks that
    are named stand on the board, those in `free` without a key. Beside a building with a key no token is left.
    """
    state = begin(players, edition)
    board = state.board
    for place in f"{free} {red} {blue} {green} {yellow}".split():
        board = _opened(board, place)
    sides = list(state.sides)
    for me, named in enumerate((red, blue, green, yellow)):
        for place in named.split():
            index = _place(place)
            there = (*board.keys[index], me)
            board = board._replace(
                keys=(*board.keys[:index], there, *board.keys[index + 1 :]), tokens=board.tokens & ~(1 << index)
            )
            sides[me] = sides[me]._replace(keys=sides[me].keys - 1)
    return state._replace(
        board=board,
        sides=tuple(sides),
        mover=state.table.seats.index(turn),
        turn=FRESH_TURN._replace(revealed=True),
    )


def _place(named: str) -> int:
    return PLACE_INDEX[named.partition("@")[0]]


def _opened(board: Board, named: str) -> Board:
    """The board with a building or a landmark in its place, drawn from the fullest stack."""
    index, district = _place(named), named.partition("@")[2]
    if district:
        return board._replace(landmarks=changed(board.landmarks, index - FIRST_LANDMARK, DISTRICT_INDEX[district]))
    if index >= FIRST_LANDMARK or board.drawn >> index & 1:
        return board
    fullest = board.stacks.index(max(board.stacks))
    first, second, third = changed(board.stacks, fullest, board.stacks[fullest] - 1)
    return board._replace(
        stacks=(first, second, third),
        drawn=board.drawn | 1 << index,
        buildings=changed(board.buildings, index, index),
    )


def having(
    state: State,
    seat: Seat = "red",
    tiles: str = "",
    used: str = "",
    stock: str = "",
    half: str = "",
    points: int | None = None,
    **numbers: Any,
) -> State:
    """The position with other belongings of a seat.

    Tiles are numbers and end tiles that it holds, which no longer lie on the track or among the end tiles; used ones
    likewise. Stock is tokens, as `gold=2 gilt=1`. Points are those of an end tile. Numbers are `francs`, `keys`,
    `reserve` and `track`.
    """
    me = state.table.seats.index(seat)
    side, board = state.sides[me], state.board
    counts = _counts(stock.split())
    for tile in (*tiles.split(), *used.split()):
        index = _tile_index(tile)
        if tile in END_TILE_INDEX:
            board = board._replace(end_tiles=board.end_tiles & ~(1 << index))
        else:
            board = board.without_bonus(index)
    if points is not None:
        side = side._replace(awards=()).awarded(points, FIRST_END_TILE)
    side = side._replace(
        held=side.held | _bits(tiles),
        used=side.used | _bits(used),
        half=side.half | _bits(half),
        tokens=tokens(counts.get(kind, had) for kind, had in zip(KINDS, side.tokens, strict=True)),
        **numbers,
    )
    return with_side(state, seat, side)._replace(board=board)


def _tile_index(tile: str) -> int:
    return END_TILE_INDEX[tile] if tile in END_TILE_INDEX else int(tile)


def _bits(tiles: str) -> int:
    return sum(1 << _tile_index(tile) for tile in tiles.split())


def with_side(state: State, seat: Seat, side: Side) -> State:
    """The position with another side of a seat."""
    me = state.table.seats.index(seat)
    return state._replace(sides=(*state.sides[:me], side, *state.sides[me + 1 :]))


def with_market(state: State, wood: int = 0, marble: int = 0, gold: int = 0) -> State:
    """The position with these resources in the supply."""
    return state._replace(board=state.board._replace(market=(wood, marble, gold)))


def with_scoring(state: State, **tiles: str) -> State:
    """The position with scoring tiles in districts: `belleville="20-10-5"`."""
    scoring = state.board.scoring
    for district, tile in tiles.items():
        scoring = changed(scoring, DISTRICT_INDEX[district], SCORING_TILE_INDEX[tile])
    return state._replace(board=state.board._replace(scoring=scoring))


def emptied(state: State) -> State:
    """The position with every building tile drawn, at the start of the turn of who is to move."""
    mover = state.mover
    while any(state.board.stacks):
        state = state._replace(turn=FRESH_TURN)
        state = enter(GAME, state, state.to_move or "", next(iter(GAME.rules.legal_moves(state))))
    return state._replace(turn=FRESH_TURN, mover=mover)


def whole_turn(state: State) -> State:
    """The position after one legal turn with as little in it as the rules allow."""
    mover = state.mover
    while state.mover == mover and state.to_move is not None:
        moves = list(GAME.rules.legal_moves(state))
        ending = GAME.move.parse({"type": "end_turn"})
        state = enter(GAME, state, state.to_move, ending if ending in moves else moves[0])
    return state


# What the wire says


def seat_of(state: State, seat: Seat = "red") -> JsonObject:
    """What a seat holds."""
    held: JsonObject = GAME.view.dump(state)["seats"][seat]
    return held


def score_of(state: State, seat: Seat = "red") -> JsonObject:
    """What a seat would score."""
    points: JsonObject = GAME.view.dump(state)["score"][seat]
    return points


def turn_of(state: State) -> JsonObject:
    """How far the turn has come."""
    turn: JsonObject = GAME.view.dump(state)["turn"]
    return turn


def phase(state: State) -> str:
    """The phase."""
    name: str = GAME.view.dump(state)["phase"]
    return name


def keys_on(state: State, place: str) -> list[Seat]:
    """The seats that have a key at a place, in order of arrival."""
    dumped = GAME.view.dump(state)
    if place == "arc":
        there: list[Seat] = dumped["arc"]
    elif place.startswith("bank:"):
        there = dumped["banks"][place.removeprefix("bank:")]
    elif place.startswith("landmark-"):
        there = dumped["landmarks"]["placed"][place.removeprefix("landmark-")]["keys"]
    else:
        there = dumped["buildings"][place]["keys"]
    return there
