"""The JSON form of a state of tic-tac-toe and its schema."""

from domain.game import JsonObject, dump_result
from domain.json_schema import array, members, one_of
from tests.domain.example_game.parts import SEATS, SPACES
from tests.domain.example_game.scoring import result, totals
from tests.domain.example_game.state import State


def dump(state: State) -> JsonObject:
    """The state with its score and result."""
    return {
        "game": "example-game",
        "ply": state.ply,
        "to_move": state.to_move,
        "board": dict(zip(SPACES, state.board, strict=True)),
        "score": {seat: {"total": total} for seat, total in totals(state).items()},
        "result": dump_result(result(state)),
    }


_SEAT = one_of(SEATS)
_NOBODY_OR_SEAT = one_of([*SEATS, None])
_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_RESULT = members(
    {
        "winners": array(_SEAT, minItems=1, maxItems=2, uniqueItems=True),
        "ranking": array(members({"seat": _SEAT, "place": one_of([1, 2]), "points": _COUNT}), minItems=2, maxItems=2),
        "decided_by": one_of(["points", "shared"]),
    }
)
SCHEMA = members(
    {
        "game": {"const": "example-game"},
        "ply": _COUNT,
        "to_move": _NOBODY_OR_SEAT,
        "board": members(dict.fromkeys(SPACES, _NOBODY_OR_SEAT)),
        "score": members(dict.fromkeys(SEATS, members({"total": _COUNT}))),
        "result": {"oneOf": [{"type": "null"}, _RESULT]},
    }
)
